//! The reader: chunks of bytes in, columns out, whatever the chunk boundaries.

use super::array::ArrayUnfolder;
use super::batch::{FieldSpan, RecordBatch, joined};
use super::csv::{Csv, LONGEST_RECORD, WindowProgress};
use super::fill::fill;
use super::lines::JsonLines;
use super::problems::{PlaceInFile, ReadProblems, SHOWN};
use super::shell::{SEPARATOR, ScanRows};
use super::window::Window;
use super::{FileForm, Input};
use crate::base::Problem;
use crate::records::columns::{Column, Records};
use crate::records::field::Field;
use crate::records::field::read::FieldReading;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Bytes that are searched, split and read together: few enough to stay in the nearest caches.
const WINDOW: usize = 64 << 10;
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
enum RecordFormat {
    Csv(Csv),
    Lines(JsonLines),
}

/// Reads files piece by piece into [`Records`]. Holds no more of a file than one record and a window of 64 KiB.
#[derive(Debug)]
pub struct RecordReader {
    window: Window,
    format: RecordFormat,
    header: bool,
    /// The columns of a file that are read.
    columns: Vec<String>,
    /// For each declared field the columns it is read from, by their places in `columns`.
    sources: Vec<Vec<usize>>,
    /// How each declared field is read; `None` once its column is no longer kept.
    readings: Vec<Option<FieldReading>>,
    records: Records,
    problems: ReadProblems,
    /// A file was named or has bytes.
    begun: bool,
    /// Ordinal of the file being read.
    file: u32,
    place: PlaceInFile,
    bytes: u64,
    batch: RecordBatch,
    /// Nothing of this file has been searched yet.
    fresh: bool,
    awaiting_header: bool,
    /// In the middle of a record that was refused for its length: nothing counts until the next line.
    discarding: bool,
    rewrite: Rewrite,
}

/// Turns a file that is not written as lines into lines.
#[derive(Debug)]
enum Rewrite {
    None,
    Array(ArrayUnfolder),
    Shell(ScanRows),
}

impl Rewrite {
    fn apply<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::None => piece.into(),
            Self::Array(unfold) => {
                let mut lines = piece.to_vec();
                unfold.apply(&mut lines);
                lines.into()
            }
            Self::Shell(rows) => rows.apply(piece).into(),
        }
    }

    /// The bytes left at the end of a file.
    fn finish(&mut self) -> Vec<u8> {
        if let Self::Shell(rows) = self { rows.finish() } else { Vec::new() }
    }

    /// Ready for another file.
    fn restart(&mut self) {
        match self {
            Self::None => {}
            Self::Array(unfold) => *unfold = ArrayUnfolder::default(),
            Self::Shell(rows) => rows.restart(),
        }
    }
}

impl RecordReader {
    /// A reader of files of this form. Errors: a separator or quote of more than one byte, a field declared twice,
    /// a format that is not understood.
    pub fn new(input: &Input) -> Result<Self, Problem> {
        let Separators { separator, quote, parts } = Separators::of(input)?;
        all_once(&mut input.fields.iter().map(|field| &field.name))?;
        input.fields.iter().try_for_each(|field| all_once(&mut field.from.iter()))?;
        let (columns, sources) = columns_of(&input.fields);
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let readings = input.fields.iter().map(|field| FieldReading::new(field).map(Some));
        let readings = readings.collect::<Result<Vec<_>, _>>()?;
        let (format, separator, quote) = match input.format {
            FileForm::Csv | FileForm::Scan => {
                (RecordFormat::Csv(Csv::new(separator, quote, names.len())), Some(separator), quote)
            }
            FileForm::Jsonl => (RecordFormat::Lines(JsonLines::new(&names)), None, None),
        };
        let rewrite = match input.format {
            FileForm::Csv => Rewrite::None,
            FileForm::Jsonl => Rewrite::Array(ArrayUnfolder::default()),
            FileForm::Scan => Rewrite::Shell(ScanRows::new(parts)),
        };
        let header = input.format == FileForm::Csv && input.header.unwrap_or(true);
        Ok(Self {
            window: Window::new(separator, quote),
            format,
            header,
            batch: RecordBatch::new(columns.len()),
            columns,
            sources,
            readings,
            records: Records::new(&input.fields),
            problems: ReadProblems::default(),
            begun: false,
            file: 0,
            place: PlaceInFile::default(),
            bytes: 0,
            fresh: true,
            awaiting_header: header,
            discarding: false,
            rewrite,
        })
    }

    /// Reads the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        self.begun = true;
        self.bytes += chunk.len() as u64;
        for piece in chunk.chunks(WINDOW) {
            let lines = self.rewrite.apply(piece);
            self.feed(&lines);
        }
    }

    /// Ends the file and begins another, of this name, with a header of its own where files have one. Before the first byte it names the first file.
    pub fn next_file(&mut self, name: &str) {
        if self.begun {
            self.end_file();
            self.file += 1;
        }
        self.begun = true;
        self.place.file = name.to_owned();
    }

    /// Ends the last file.
    pub fn finish(&mut self) {
        self.end_file();
    }

    /// Leaves out the record under way: what the file is packed in is damaged from here on, or ends too early. Returns how many
    /// records of the file came before.
    pub fn break_off(&mut self) -> u64 {
        self.rewrite.restart();
        self.window.clear();
        self.window.restart_search();
        self.discarding = false;
        let mut problem = Problem::new("input.broken-gzip").with("rows", self.place.met);
        problem.place.file = (!self.place.file.is_empty()).then(|| self.place.file.clone());
        self.problems.first.insert(0, problem);
        self.place.met
    }

    /// The records so far.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// The records, once finished.
    pub fn into_records(mut self) -> Records {
        self.take_records_so_far()
    }

    /// The records so far, which are no longer held: the next ones begin anew.
    pub fn take_records_so_far(&mut self) -> Records {
        let next = Records::like(&self.records);
        let mut taken = std::mem::replace(&mut self.records, next);
        let mut kept = self.readings.iter().map(Option::is_some);
        taken.columns.retain(|_| kept.next().unwrap_or(true));
        taken
    }

    /// Keeps only the columns of these fields: the values of all others are dropped and no longer read.
    pub fn keep_only(&mut self, fields: &[String]) {
        for (column, reading) in self.records.columns.iter_mut().zip(&mut self.readings) {
            if !fields.contains(&column.field.name) {
                *column = Column::new(&column.field);
                *reading = None;
            }
        }
    }

    /// Problems with whole records so far.
    pub fn problems(&self) -> &ReadProblems {
        &self.problems
    }

    /// Bytes pushed so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn feed(&mut self, mut piece: &[u8]) {
        if self.discarding {
            let line_end = piece.iter().position(|&byte| is_line_end(byte));
            let skipped = line_end.map_or(piece.len(), |at| at + 1);
            self.window.base += skipped as u64;
            self.discarding = line_end.is_none();
            piece = piece.get(skipped..).unwrap_or_default();
        }
        self.window.bytes.extend_from_slice(piece);
        if self.fresh {
            if self.window.bytes.len() < UTF8_MARK.len() {
                return;
            }
            self.begin_file();
        }
        self.window.search();
        self.take();
    }

    /// Looks at the first bytes of a file.
    fn begin_file(&mut self) {
        self.fresh = false;
        if self.window.bytes.starts_with(UTF8_MARK) {
            self.window.consume(WindowProgress { bytes: UTF8_MARK.len(), ..WindowProgress::default() });
        } else if self.window.bytes.starts_with(b"\xff\xfe") || self.window.bytes.starts_with(b"\xfe\xff") {
            self.problems.show(Problem::new("input.utf-16"), &self.place);
        }
        if let Rewrite::Shell(rows) = &self.rewrite {
            self.name_columns(&rows.columns(&self.columns), "input.field-not-in-scan");
        }
    }

    fn end_file(&mut self) {
        let rest = self.rewrite.finish();
        if !rest.is_empty() {
            self.feed(&rest);
        }
        if self.fresh && !self.window.bytes.is_empty() {
            self.begin_file();
            self.window.search();
            self.take();
        }
        while !self.window.bytes.is_empty() {
            if self.window.is_quoted() {
                self.refuse_line("input.unclosed-quote");
                self.take();
            } else {
                let left = self.window.bytes.len();
                self.window.end_last_record();
                self.take();
                if self.window.bytes.len() == left {
                    self.window.clear();
                }
            }
        }
        if self.awaiting_header && self.header {
            self.problems.show(Problem::new("input.empty"), &self.place);
        }
        self.window.restart_search();
        (self.window.base, self.place.met, self.fresh, self.discarding) = (0, 0, true, false);
        self.rewrite.restart();
        self.awaiting_header = self.header;
    }

    /// Reads every complete record of the window.
    fn take(&mut self) {
        loop {
            let too_long = self.take_header() || (!self.awaiting_header && self.take_records());
            if !too_long && self.window.bytes.len() <= LONGEST_RECORD {
                return;
            }
            self.refuse_line("input.record-too-long");
        }
    }

    /// True if the header is too long to be one.
    fn take_header(&mut self) -> bool {
        let (true, RecordFormat::Csv(csv)) = (self.awaiting_header, &mut self.format) else { return false };
        let (bytes, marks) = self.window.complete();
        let Some((names, taken)) = csv.header(bytes, marks) else { return false };
        if !taken.too_long && !names.is_empty() {
            self.awaiting_header = false;
            self.name_columns(&names, "input.field-not-in-header");
        }
        self.window.consume(taken);
        taken.too_long
    }

    /// Finds the columns that are read among those of a file, and tells of those that are not there.
    fn name_columns(&mut self, names: &[String], code: &'static str) {
        let RecordFormat::Csv(csv) = &mut self.format else { return };
        let declared: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let found = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        for index in csv.set_header(names, &declared).into_iter().take(SHOWN) {
            let Some(&name) = declared.get(index) else { continue };
            let problem = Problem::new(code).with("field", name).with("found", &found);
            self.problems.show(problem.at_field(name), &self.place);
        }
    }

    /// True if the record now at the front of the window is too long.
    fn take_records(&mut self) -> bool {
        self.batch.clear();
        let odd_quotes = self.window.seen.odd_quotes;
        let (bytes, marks) = self.window.complete();
        let taken = match &self.format {
            RecordFormat::Csv(csv) => csv.split(bytes, marks, odd_quotes, &mut self.batch),
            RecordFormat::Lines(lines) => lines.split(bytes, marks, &mut self.batch),
        };
        let width = if let RecordFormat::Csv(csv) = &self.format { csv.width() } else { 0 };
        self.problems.note(&self.batch, width, &self.place);
        self.fill_columns();
        self.place.met += (self.batch.starts.len() + self.batch.refused.len()) as u64;
        self.window.consume(taken);
        taken.too_long
    }

    fn fill_columns(&mut self) {
        let rows = self.batch.starts.len();
        if rows == 0 {
            return;
        }
        if !self.records.has_room(rows, self.window.bytes.len()) {
            if self.problems.first.iter().all(|problem| problem.code != "input.too-large") {
                self.problems
                    .first
                    .insert(0, Problem::new("input.too-large").with("rows", self.records.rows));
            }
            self.problems.refused += rows as u64;
            return;
        }
        let ascii = !self.window.seen.non_ascii;
        let columns = self.records.columns.iter_mut().zip(&self.readings).zip(&self.sources);
        for ((column, reading), source) in columns {
            let Some(reading) = reading else { continue };
            let spans = |&at: &usize| self.batch.spans.get(at).map(Vec::as_slice).unwrap_or_default();
            let held;
            let (bytes, spans) = match source.as_slice() {
                [at] => (self.window.bytes.as_slice(), spans(at)),
                parts => {
                    let parts: Vec<&[FieldSpan]> = parts.iter().map(spans).collect();
                    held = joined(&self.window.bytes, &parts, rows);
                    (held.0.as_slice(), held.1.as_slice())
                }
            };
            fill(column, reading, bytes, spans, ascii);
        }
        self.records.add_positions(self.file, self.window.base, &self.batch.starts);
    }

    /// Refuses the record at the front of the window and goes on after the first line end in it, quoted or not.
    fn refuse_line(&mut self, code: &'static str) {
        self.problems.refuse(Problem::new(code).with("offset", self.window.base), &self.place);
        self.place.met += 1;
        let line_end = self.window.bytes.iter().position(|&byte| is_line_end(byte));
        self.discarding = line_end.is_none();
        let bytes = line_end.map_or(self.window.bytes.len(), |at| at + 1);
        self.window.restart_search();
        self.window.consume(WindowProgress { bytes, ..WindowProgress::default() });
        self.window.search();
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Refuses a name given twice.
fn all_once(names: &mut dyn Iterator<Item = &String>) -> Result<(), Problem> {
    let mut known = HashSet::new();
    for name in names {
        if !known.insert(name) {
            return Err(Problem::new("input.field-twice").with("field", name).at_field(name));
        }
    }
    Ok(())
}

/// The columns that fields are read from, in order of first mention, and for each field the places of its own among them.
fn columns_of(fields: &[Field]) -> (Vec<String>, Vec<Vec<usize>>) {
    let (mut columns, mut places) = (Vec::new(), HashMap::new());
    let mut place = |name: &String| {
        *places.entry(name.clone()).or_insert_with(|| {
            columns.push(name.clone());
            columns.len() - 1
        })
    };
    let sources = fields.iter().map(|field| field.columns().iter().map(&mut place).collect()).collect();
    (columns, sources)
}

fn single_byte(text: Option<&str>, default: u8, code: &'static str) -> Result<u8, Problem> {
    match text.map(str::as_bytes) {
        None => Ok(default),
        Some(&[byte]) => Ok(byte),
        Some(other) => Err(Problem::new(code).with("found", String::from_utf8_lossy(other))),
    }
}

/// The bytes that are told apart in a file.
struct Separators {
    /// Between the fields of a record.
    separator: u8,
    /// Around a field.
    quote: Option<u8>,
    /// Between the parts of a key in a scan.
    parts: Option<u8>,
}

impl Separators {
    fn of(input: &Input) -> Result<Self, Problem> {
        let given = input.separator.as_deref();
        let parts = given.map(|one| single_byte(Some(one), 0, "input.bad-separator")).transpose()?;
        let scan = input.format == FileForm::Scan;
        let separator = if scan { SEPARATOR } else { parts.unwrap_or(b',') };
        let quote = match input.quote.as_deref() {
            _ if scan => None,
            Some("") => None,
            quote => Some(single_byte(quote, b'"', "input.bad-quote")?),
        };
        if matches!(separator, b'\n' | b'\r') || Some(separator) == quote {
            return Err(
                Problem::new("input.bad-separator").with("found", char::from(separator).escape_debug())
            );
        }
        Ok(Self { separator, quote, parts })
    }
}
