//! The bytes of a file as they are asked for: no format reads by itself, so that a file can lie anywhere.

use crate::base::Problem;
use crate::base::limits::{Limit, TABLE_MEMORY, TABLE_PIECE};
use crate::records::read::FileForm;
use std::fmt::Display;
use std::ops::Range;

/// Why a format cannot go on.
#[derive(Debug)]
pub enum Halt {
    /// It needs these bytes of the file.
    Need(Range<u64>),
    /// The file is damaged, or is one that is not read.
    Bad(Box<Problem>),
}

impl Halt {
    /// This part of the file is damaged.
    pub fn broken(part: impl Display) -> Self {
        Self::Bad(Box::new(Problem::new("input.broken-table").with("part", part)))
    }

    /// The file makes use of something that is not read.
    pub fn unknown(what: impl Display) -> Self {
        Self::Bad(Box::new(Problem::new("input.table-unknown").with("what", what)))
    }

    /// There is more of something than there may be.
    pub fn limit(limit: &Limit, count: u64) -> Self {
        Self::Bad(Box::new(limit.exceeded(count)))
    }

    /// Tells where, unless that is known already.
    pub fn at(self, place: impl FnOnce() -> String) -> Self {
        match self {
            Self::Bad(mut problem) if !problem.args.contains_key("place") => {
                problem.args.insert("place", place());
                Self::Bad(problem)
            }
            known => known,
        }
    }

    /// The problem, of a file of this form.
    pub(super) fn in_form(problem: Problem, form: FileForm) -> Problem {
        // Text is damaged as that of gzip is: it has no parts to name.
        if form == FileForm::Csv && problem.code == "input.broken-table" {
            return Problem::new("input.broken-gzip").with("rows", 0);
        }
        let mut problem = problem.with("format", form.shown());
        // Without a place in the data it is in the metadata.
        for (name, value) in [("place", "metadata"), ("rows", "0")] {
            if !problem.args.contains_key(name) {
                problem.args.insert(name, value.to_owned());
            }
        }
        problem
    }
}

/// Refuses what is missing in a part of a file.
pub fn need<T>(value: Option<T>, part: &'static str) -> Result<T, Halt> {
    value.ok_or_else(|| Halt::broken(part))
}

/// Bytes of a file that the host has given.
#[derive(Debug, Default)]
pub struct Feed {
    /// Bytes of the file, where that is known.
    pub size: Option<u64>,
    /// Where the bytes last given begin, and those bytes.
    pub given: Option<(u64, Vec<u8>)>,
    /// Bytes of memory that what was unpacked takes.
    pub held: u64,
}

impl Feed {
    /// Notes that something of `before` bytes has `now` bytes.
    pub fn hold(&mut self, before: usize, now: usize) -> Result<(), Halt> {
        self.held = self.held.saturating_sub(before as u64) + now as u64;
        if self.held > TABLE_MEMORY.most { Err(Halt::limit(&TABLE_MEMORY, self.held)) } else { Ok(()) }
    }
}

/// A stretch of a file that is at hand, of which more is asked for as it is needed. No byte is asked for twice while it moves on.
#[derive(Debug)]
pub struct Window {
    start: u64,
    bytes: Vec<u8>,
    /// Bytes read ahead.
    ahead: u64,
}

impl Window {
    /// Reads so many bytes ahead.
    pub const fn new(ahead: u64) -> Self {
        Self { start: 0, bytes: Vec::new(), ahead }
    }

    /// `length` bytes from `at`. More are read ahead up to `end`.
    pub fn get(&mut self, feed: &mut Feed, at: u64, length: u64, end: u64) -> Result<&[u8], Halt> {
        let held = self.rest(feed, at, length, end)?;
        need(held.get(..usize::try_from(length).unwrap_or(usize::MAX)), "the end of the file")
    }

    /// The bytes from `at` on: `least` of them unless the file ends before, and what else is at hand. More are read ahead up to `end`.
    pub fn rest(&mut self, feed: &mut Feed, at: u64, least: u64, end: u64) -> Result<&[u8], Halt> {
        if least > TABLE_PIECE.most {
            return Err(Halt::limit(&TABLE_PIECE, least));
        }
        let before = usize::try_from(at.wrapping_sub(self.start)).unwrap_or(usize::MAX);
        if before > self.bytes.len() {
            (self.start, self.bytes) = (at, Vec::new());
        }
        let from = usize::try_from(at - self.start).unwrap_or_default();
        if ((self.bytes.len() - from) as u64) < least {
            self.more(feed, at, least, end)?;
        }
        let from = usize::try_from(at - self.start).unwrap_or_default();
        Ok(self.bytes.get(from..).unwrap_or_default())
    }

    fn more(&mut self, feed: &mut Feed, at: u64, least: u64, end: u64) -> Result<(), Halt> {
        self.bytes.drain(..usize::try_from(at - self.start).unwrap_or_default());
        self.start = at;
        let mut held = at + self.bytes.len() as u64;
        if let Some((_, bytes)) = feed.given.take_if(|(start, _)| *start == held) {
            self.bytes.extend_from_slice(&bytes);
            held += bytes.len() as u64;
        }
        let last = feed.size.unwrap_or(u64::MAX);
        let needed = at.saturating_add(least).min(last);
        if held >= needed {
            return Ok(());
        }
        Err(Halt::Need(held..needed.max(end.min(at.saturating_add(self.ahead)).min(last))))
    }
}
