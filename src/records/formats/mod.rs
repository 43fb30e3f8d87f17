//! Files that are no text: Parquet, Arrow, Avro, those of HBase itself, and text packed with zstd. Bytes in as they are asked for, text out.
//!
//! A file becomes separated values with a header, which the reader of [`super::read`] reads like any others. What the file states
//! of its columns goes along as [`StatedFile`], so that nothing is guessed. Nothing that a file states of its own size is trusted.

mod arrow;
mod avro;
mod bytes;
mod codec;
pub(crate) mod feed;
pub(crate) mod hbase;
mod parquet;
mod table;
mod text;
mod value;
mod zstd;

use super::field::{Field, Kind};
use super::read::csv::unique_names;
use super::read::packed::{PackedForm, Step, Unpacker};
use super::read::{StatedColumn, StatedFile};
use crate::base::Problem;
use arrow::ArrowFile;
use avro::AvroFile;
use feed::{Feed, Halt, need};
use hbase::rows::CellFile;
use parquet::ParquetFile;
use std::collections::HashMap;
use std::ops::Range;
use table::{Chosen, Column, Columns, LeftOut, Table};
use zstd::ZstdText;

/// Columns named that are left out.
const SHOWN: usize = 5;

#[derive(Debug)]
enum Reader {
    Parquet(Box<ParquetFile>),
    Arrow(Box<ArrowFile>),
    Avro(Box<AvroFile>),
    Cells(Box<CellFile>),
    Zstd(Box<ZstdText>),
}

/// Turns a packed file into text, step by step.
#[derive(Debug)]
pub struct PackedFile {
    form: PackedForm,
    feed: Feed,
    reader: Reader,
    /// The flat columns.
    columns: Vec<Column>,
    chosen: Vec<Chosen>,
    stated: StatedFile,
    phase: Phase,
    /// The bytes asked for last, and whether they were given.
    asked: Range<u64>,
    answered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Opening,
    Header,
    Records,
}

impl PackedFile {
    /// A file of this form and size, where that is known.
    pub fn new(form: PackedForm, size: Option<u64>) -> Self {
        let reader = match form {
            PackedForm::Parquet => Reader::Parquet(Box::default()),
            PackedForm::ArrowFile | PackedForm::ArrowStream | PackedForm::Feather => {
                Reader::Arrow(Box::new(ArrowFile::new(form)))
            }
            PackedForm::Avro => Reader::Avro(Box::default()),
            PackedForm::HFile => Reader::Cells(Box::new(CellFile::of_hfile())),
            PackedForm::Wal => Reader::Cells(Box::new(CellFile::of_wal())),
            PackedForm::Zstd => Reader::Zstd(Box::default()),
        };
        let stated = StatedFile { format: form.form(), ..StatedFile::default() };
        let feed = Feed::new(size);
        let phase = if form == PackedForm::Zstd { Phase::Records } else { Phase::Opening };
        Self {
            form,
            feed,
            reader,
            columns: Vec::new(),
            chosen: Vec::new(),
            stated,
            phase,
            asked: 0..0,
            answered: false,
        }
    }

    /// The rows of each row group; none of files without row groups.
    pub fn group_rows(&self) -> Vec<u64> {
        if let Reader::Parquet(file) = &self.reader { file.group_rows() } else { Vec::new() }
    }

    /// Goes on with these row groups, and no others. Only between two row groups.
    pub fn only(&mut self, groups: Range<usize>) {
        if let Reader::Parquet(file) = &mut self.reader {
            file.only(groups);
        }
    }

    fn all(&self) -> impl Iterator<Item = Chosen> {
        let names = self.stated.columns.iter().map(|column| column.name.clone());
        self.columns.iter().zip(names).enumerate().map(|(column, (found, name))| {
            let meaning = found.meaning;
            Chosen { column, name, meaning, as_text: false }
        })
    }

    fn stepped(&mut self) -> Result<Step, Halt> {
        match self.phase {
            Phase::Opening => {
                let table = match &mut self.reader {
                    Reader::Parquet(file) => file.open(&mut self.feed)?,
                    Reader::Arrow(file) => file.open(&mut self.feed)?,
                    Reader::Avro(file) => file.open(&mut self.feed)?,
                    Reader::Cells(file) => file.open(&mut self.feed)?,
                    Reader::Zstd(_) => Table::default(),
                };
                self.state(table)?;
                self.phase = Phase::Header;
                Ok(Step::Stated)
            }
            Phase::Header => {
                let header = text::header(self.chosen.iter().map(|chosen| chosen.name.as_str()));
                self.phase = Phase::Records;
                Ok(Step::Text(header))
            }
            Phase::Records => {
                let text = match &mut self.reader {
                    Reader::Parquet(file) => file.records(&mut self.feed)?,
                    Reader::Arrow(file) => file.records(&mut self.feed)?,
                    Reader::Avro(file) => file.records(&mut self.feed)?,
                    Reader::Cells(file) => file.records(&mut self.feed)?,
                    Reader::Zstd(text) => text.next(&mut self.feed)?,
                };
                let Some(text) = text else {
                    self.feed.balanced()?;
                    return Ok(Step::End);
                };
                // A text of no bytes would be taken for the end.
                need((!text.is_empty()).then_some(()), "the values")?;
                self.feed.make(text.len())?;
                Ok(Step::Text(text))
            }
        }
    }

    /// Asks for bytes, unless they were given before or lie beyond the end: that would go on without end.
    fn ask(&mut self, range: Range<u64>) -> Result<Step, Halt> {
        let is_given = std::mem::take(&mut self.answered) && self.asked == range;
        let is_there = range.start < range.end && self.feed.size.is_none_or(|size| range.start < size);
        need((is_there && !is_given).then_some(()), "the end of the file")?;
        self.asked = range.clone();
        Ok(Step::Need(range))
    }

    /// Takes down what the file states.
    fn state(&mut self, table: Table) -> Result<(), Halt> {
        let Columns { read, left_out, beyond, .. } = table.columns;
        if read.is_empty() {
            let kinds: Vec<String> = left_out.iter().take(SHOWN).map(LeftOut::shown).collect();
            let shown = if kinds.is_empty() { "-".to_owned() } else { kinds.join(", ") };
            return Err(Halt::Bad(Box::new(Problem::new("input.no-flat-columns").with("columns", shown))));
        }
        self.columns = read;
        let names = self.columns.iter().map(|column| column.name.trim().to_owned()).collect();
        let columns = self.columns.iter().zip(unique_names(names)).map(|(column, name)| {
            let field = column.meaning.field(&name);
            StatedColumn { name, kind: column.kind.clone(), field_kind: field.kind, format: field.format }
        });
        self.stated.columns = columns.collect();
        self.stated.beyond = beyond;
        self.stated.left_out = left_out.iter().map(LeftOut::shown).collect();
        self.stated.rows = table.rows;
        self.stated.groups = table.groups;
        let named = self.stated.columns.iter().map(|column| column.name.clone()).zip(table.ranges);
        self.stated.ranges = named.filter_map(|(name, range)| Some((name, range?))).collect();
        self.choose_all(self.all().collect());
        Ok(())
    }

    fn choose_all(&mut self, chosen: Vec<Chosen>) {
        self.chosen.clone_from(&chosen);
        match &mut self.reader {
            Reader::Parquet(file) => file.choose(chosen),
            Reader::Arrow(file) => file.choose(chosen),
            Reader::Avro(file) => file.choose(chosen),
            Reader::Cells(file) => file.choose(&chosen),
            Reader::Zstd(_) => {}
        }
    }
}

impl Unpacker for PackedFile {
    fn step(&mut self) -> Result<Step, Problem> {
        let step = match self.stepped() {
            Err(Halt::Need(range)) => self.ask(range),
            step => {
                self.answered = false;
                step
            }
        };
        step.map_err(|halt| match halt {
            Halt::Bad(problem) => Halt::in_form(*problem, self.form.form()),
            Halt::Need(_) => Problem::new("input.broken-table"),
        })
    }

    fn stated(&self) -> StatedFile {
        self.stated.clone()
    }

    fn within(&mut self, memory: u64) {
        self.feed.within(memory);
    }

    fn wanted(&self) -> Option<u64> {
        match &self.reader {
            Reader::Parquet(file) => file.wanted(),
            _ => self.feed.size,
        }
    }

    fn give(&mut self, offset: u64, bytes: Vec<u8>) {
        let end = offset + bytes.len() as u64;
        if end < self.asked.end {
            self.feed.size = Some(end);
        }
        self.feed.give(offset, bytes);
        self.answered = true;
    }

    fn choose(&mut self, fields: &[Field]) {
        if self.phase != Phase::Header {
            return;
        }
        let mut wanted: HashMap<&str, bool> = HashMap::new();
        for field in fields {
            let is_text = field.kind == Kind::Text;
            field.columns().iter().for_each(|name| {
                wanted.entry(name).and_modify(|as_text| *as_text &= is_text).or_insert(is_text);
            });
        }
        let named = self.all().filter_map(|mut chosen| {
            chosen.as_text = *wanted.get(chosen.name.as_str())?;
            Some(chosen)
        });
        let named: Vec<Chosen> = named.collect();
        // Records are counted all the same.
        let chosen = if named.is_empty() { self.all().take(1).collect() } else { named };
        self.choose_all(chosen);
    }
}
