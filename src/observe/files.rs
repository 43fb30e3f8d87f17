//! One file of HBase, read as far as it is wanted.

use super::seen::SeenEntries;
use crate::base::Problem;
use crate::records::formats::feed::{Feed, Halt};
use crate::records::formats::hbase::cell::Cell;
use crate::records::formats::hbase::hfile::{HFile, HFileInfo};
use crate::records::formats::hbase::wal::{Wal, WalEntry, WalMark, WalVisitor};
use crate::records::read::FileForm;
use std::ops::Range;

/// How a step of a file ended.
pub enum FileStep {
    /// These bytes are needed.
    Need(Range<u64>),
    /// There is more.
    More,
    /// There is no more.
    End,
}

/// Takes what a file holds.
pub trait Sink {
    /// A cell; of a log with its entry. `is_first`: of a row that the cell before was not of.
    fn cell(&mut self, cell: &Cell<'_>, entry: Option<&WalEntry>, is_first: bool);
    /// An entry of the index: a row from which on so many bytes lie.
    fn index(&mut self, row: &[u8], bytes: u64);
    /// A mark of a log.
    fn mark(&mut self, entry: &WalEntry, mark: WalMark);
}

/// A file that is open.
#[derive(Debug)]
enum Open {
    HFile(Box<HFile>),
    Wal(Box<Wal>),
}

/// A file on its way in.
#[derive(Debug)]
pub struct StoreFile {
    feed: Feed,
    open: Open,
    asked: Option<Range<u64>>,
    is_open: bool,
    row: Vec<u8>,
    /// True if the entry of the last cell was not seen before.
    is_new: bool,
    /// Bytes given so far.
    pub taken: u64,
}

impl StoreFile {
    /// An HFile, or a log.
    pub fn new(is_log: bool, size: u64, memory: u64) -> Self {
        let mut feed = Feed::new(Some(size));
        feed.within(memory);
        let open = if is_log { Open::Wal(Box::default()) } else { Open::HFile(Box::default()) };
        Self { feed, open, asked: None, is_open: false, row: Vec::new(), is_new: true, taken: 0 }
    }

    /// Facts that an HFile states, once it is open.
    pub fn info(&self) -> Option<&HFileInfo> {
        match &self.open {
            Open::HFile(file) => file.info.as_ref(),
            Open::Wal(_) => None,
        }
    }

    /// Bytes of its data blocks.
    pub fn data_bytes(&self) -> u64 {
        match &self.open {
            Open::HFile(file) => file.data_bytes(),
            Open::Wal(_) => self.feed.size.unwrap_or_default(),
        }
    }

    /// Bytes behind the last whole entry of a log.
    pub fn torn(&self) -> u64 {
        match &self.open {
            Open::HFile(_) => 0,
            Open::Wal(log) => log.torn,
        }
    }

    /// Takes the bytes that were asked for, fewer where the file ends.
    pub fn give(&mut self, offset: u64, bytes: Vec<u8>) {
        self.taken += bytes.len() as u64;
        let end = offset + bytes.len() as u64;
        if self.asked.as_ref().is_some_and(|asked| end < asked.end) {
            self.feed.size = Some(end);
        }
        self.feed.give(offset, bytes);
    }

    /// Reads what the file states.
    pub fn open(&mut self) -> Result<FileStep, Problem> {
        let step = match &mut self.open {
            _ if self.is_open => Ok(false),
            Open::HFile(file) => file.open(&mut self.feed).map(|()| false),
            Open::Wal(log) => log.open(&mut self.feed).map(|()| false),
        };
        self.is_open = self.is_open || step.is_ok();
        self.stepped(step)
    }

    /// Reads the index, a block at a time.
    pub fn index(&mut self, sink: &mut dyn Sink) -> Result<FileStep, Problem> {
        let step = match &mut self.open {
            Open::HFile(file) => file.index(&mut self.feed, &mut |row, bytes| sink.index(row, bytes)),
            Open::Wal(_) => Ok(false),
        };
        self.stepped(step)
    }

    /// Reads cells, some at a time. Entries of a log that were `seen` are passed over.
    pub fn cells(&mut self, sink: &mut dyn Sink, seen: &mut SeenEntries) -> Result<FileStep, Problem> {
        let row = &mut self.row;
        let step = match &mut self.open {
            Open::HFile(file) => file.cells(&mut self.feed, &mut |cell| {
                let is_first = row.as_slice() != cell.row || row.is_empty();
                if is_first {
                    row.clear();
                    row.extend_from_slice(cell.row);
                }
                sink.cell(cell, None, is_first);
            }),
            Open::Wal(log) => {
                let mut entries = Entries { sink, seen, row, is_new: &mut self.is_new };
                log.entries(&mut self.feed, &mut entries)
            }
        };
        self.stepped(step)
    }

    fn stepped(&mut self, step: Result<bool, Halt>) -> Result<FileStep, Problem> {
        match step {
            Ok(true) => Ok(FileStep::More),
            Ok(false) => Ok(FileStep::End),
            Err(Halt::Need(range)) => {
                // Bytes that were given, or lie behind the end, would be asked for without end.
                let is_there =
                    range.start < range.end && self.feed.size.is_none_or(|size| range.start < size);
                if !is_there || self.asked.as_ref() == Some(&range) {
                    return Err(
                        self.broken(Problem::new("input.broken-table").with("part", "the end of the file"))
                    );
                }
                self.asked = Some(range.clone());
                Ok(FileStep::Need(range))
            }
            Err(Halt::Bad(problem)) => Err(self.broken(*problem)),
        }
    }

    fn broken(&self, problem: Problem) -> Problem {
        let form = match self.open {
            Open::HFile(_) => FileForm::HFile,
            Open::Wal(_) => FileForm::Wal,
        };
        let rows = self.feed.read;
        let mut problem = Halt::in_form(problem, form);
        problem.args.insert("rows", rows.to_string());
        problem
    }
}

/// Entries of a log, each once.
struct Entries<'a> {
    sink: &'a mut dyn Sink,
    seen: &'a mut SeenEntries,
    row: &'a mut Vec<u8>,
    is_new: &'a mut bool,
}

impl WalVisitor for Entries<'_> {
    fn cell(&mut self, entry: &WalEntry, cell: &Cell<'_>, is_first: bool) {
        if is_first {
            *self.is_new = self.seen.insert(&entry.region, entry.sequence);
            self.row.clear();
        }
        if !*self.is_new {
            return;
        }
        let is_first = self.row.as_slice() != cell.row || self.row.is_empty();
        if is_first {
            self.row.clear();
            self.row.extend_from_slice(cell.row);
        }
        self.sink.cell(cell, Some(entry), is_first);
    }

    fn mark(&mut self, entry: &WalEntry, mark: WalMark) {
        self.sink.mark(entry, mark);
    }
}
