//! The bytes of a file as they are asked for: no format reads by itself, so that a file can lie anywhere.

use super::codec::Codec;
use crate::base::Problem;
use crate::base::limits::{Limit, ROWS, TABLE_MADE, TABLE_MEMORY, TABLE_PIECE, TABLE_ROWS};
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
    pub(crate) fn in_form(problem: Problem, form: FileForm) -> Problem {
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

/// Bytes that may be made of a file however small it is.
const MADE_OF_ANY: u64 = 256 << 20;
/// Least memory to unpack in.
const LEAST_MEMORY: u64 = 32 << 20;

/// Bytes of a file that the host has given, and what was made of them: in proportion to their number, in bounded memory.
#[derive(Debug)]
pub struct Feed {
    /// Bytes of the file, where that is known.
    pub size: Option<u64>,
    /// Where the bytes last given begin, and those bytes.
    pub given: Option<(u64, Vec<u8>)>,
    /// Bytes of memory that what was unpacked takes, and may take.
    pub held: u64,
    pub memory: u64,
    /// Where the bytes end that were given so far.
    reached: u64,
    /// Bytes unpacked, and of text.
    made: u64,
    /// Records that the groups, batches and blocks begun so far state, and those that were read of them.
    stated: u64,
    pub read: u64,
}

impl Feed {
    /// For a file of this size, where it is known.
    pub const fn new(size: Option<u64>) -> Self {
        let memory = TABLE_MEMORY.most;
        Self { size, given: None, held: 0, memory, reached: 0, made: 0, stated: 0, read: 0 }
    }

    /// Half of the memory that a host has, since records and keys are made of what is unpacked.
    pub fn within(&mut self, memory: u64) {
        self.memory = (memory / 2).clamp(LEAST_MEMORY, TABLE_MEMORY.most);
    }

    /// Takes bytes from the host.
    pub fn give(&mut self, offset: u64, bytes: Vec<u8>) {
        self.reached = self.reached.max(offset + bytes.len() as u64);
        self.given = Some((offset, bytes));
    }

    /// Notes that something of `before` bytes has `now` bytes.
    pub fn hold(&mut self, before: usize, now: usize) -> Result<(), Halt> {
        self.held = self.held.saturating_sub(before as u64) + now as u64;
        if self.held > self.memory { Err(self.full(self.held)) } else { Ok(()) }
    }

    /// So many bytes in memory are too many.
    pub fn full(&self, count: u64) -> Halt {
        Halt::limit(&Limit { most: self.memory, ..TABLE_MEMORY }, count)
    }

    /// Bytes that a piece may have.
    pub fn room(&self) -> u64 {
        self.memory.saturating_sub(self.held).min(TABLE_PIECE.most)
    }

    /// Unpacks a piece, of which the file may state the size.
    pub fn unpack(&mut self, codec: Codec, packed: &[u8], stated: Option<usize>) -> Result<Vec<u8>, Halt> {
        let room = usize::try_from(self.room()).unwrap_or(usize::MAX);
        let stated = stated.or_else(|| codec.stated(packed));
        if let Some(stated) = stated.filter(|&stated| stated > room) {
            return Err(self.full(self.held + stated as u64));
        }
        let bytes = codec.unpack(packed, stated, room)?;
        if bytes.len() > room {
            return Err(self.full(self.held + bytes.len() as u64));
        }
        self.make(bytes.len())?;
        Ok(bytes)
    }

    /// Notes bytes that were made of those of the file.
    pub fn make(&mut self, count: usize) -> Result<(), Halt> {
        self.made += count as u64;
        let size = self.size.unwrap_or(self.reached).max(1);
        if self.made > MADE_OF_ANY.max(size.saturating_mul(TABLE_MADE.most)) {
            return Err(Halt::limit(&TABLE_MADE, self.made / size));
        }
        Ok(())
    }

    /// Notes records that a part of a file up to `end` states, before they are read.
    pub fn state(&mut self, rows: u64, end: u64) -> Result<(), Halt> {
        self.stated = self.stated.saturating_add(rows);
        self.afford(self.stated, end)
    }

    /// Rejects more records than there may be in a file that goes on to `end` at least.
    pub fn afford(&self, rows: u64, end: u64) -> Result<(), Halt> {
        let size = self.size.unwrap_or(self.reached.max(end)).max(1);
        if rows > ROWS.most {
            return Err(Halt::limit(&ROWS, rows));
        }
        if rows > size.saturating_mul(TABLE_ROWS.most) {
            return Err(Halt::limit(&TABLE_ROWS, rows / size));
        }
        Ok(())
    }

    /// Takes what was read for what the file has, as it states no number.
    pub fn state_read(&mut self) {
        self.stated = self.read;
    }

    /// Rejects a file of which fewer or more records were read than it states.
    pub fn balanced(&self) -> Result<(), Halt> {
        need((self.read == self.stated).then_some(()), "the number of records")
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

    /// Bytes it holds.
    pub fn length(&self) -> usize {
        self.bytes.capacity()
    }

    /// Rejects a file that ends before `end`, where something within it is stated to end.
    pub fn reach(&mut self, feed: &mut Feed, end: u64) -> Result<(), Halt> {
        end.checked_sub(1).map_or(Ok(()), |last| self.get(feed, last, 1, end).map(drop))
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
        if least > feed.memory {
            return Err(feed.full(least));
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
