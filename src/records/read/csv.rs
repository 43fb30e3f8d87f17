//! Comma, tab or otherwise separated values: RFC 4180 quotes, any separator byte.

use crate::base::limits;

use super::batch::{FieldSpan, RecordBatch};
use super::encoding::UTF8_MARK;
use super::marks::SeenBytes;
use std::collections::{HashMap, HashSet};

/// A record longer than this many bytes is refused: nearly always a quote that is never closed.
pub const LONGEST_RECORD: usize = limits::RECORD_BYTES.most as usize;

/// Columns of a header beyond these are ignored.
const MOST_COLUMNS: usize = limits::COLUMNS.most as usize;

/// A quoted field with line ends in it goes on behind its quotes.
const STRAY_QUOTE: &str = "input.stray-quote";

/// Reads records of separated values.
#[derive(Clone, Debug)]
pub struct Csv {
    separator: u8,
    quote: Option<u8>,
    /// For each field of a record the declared field it is, or `IGNORED`.
    targets: Vec<u32>,
}

const IGNORED: u32 = u32::MAX;

/// How far a format came in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowProgress {
    /// Bytes read for good.
    pub bytes: usize,
    /// Marks read for good.
    pub marks: usize,
    /// Why the record that begins at `bytes` cannot be read.
    pub unread: Option<UnreadRecord>,
    /// True if the last record of the file was left out: the file ends within it.
    pub cut: bool,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadRecord {
    /// A message code.
    pub code: &'static str,
    /// Where the field begins that is at fault: reading goes on at the line after.
    pub at: usize,
}

impl UnreadRecord {
    /// The record that begins at `record` is longer than [`LONGEST_RECORD`]; `marks` are the ends of its fields, as far as they are
    /// known. At fault is the quoted field in which it gets too long.
    pub fn too_long(bytes: &[u8], record: usize, marks: &[u32], quote: Option<u8>) -> Self {
        let before = marks.partition_point(|&mark| (mark as usize) < record + LONGEST_RECORD);
        let last = before.checked_sub(1).and_then(|last| marks.get(last));
        let field = last.map_or(record, |&mark| mark as usize + 1);
        let quoted = quote.is_some() && bytes.get(field).copied() == quote;
        Self { code: "input.record-too-long", at: if quoted { field } else { record } }
    }
}

impl Csv {
    /// A reader of records whose fields are the declared ones in order, until [`Csv::set_header`] says otherwise.
    pub fn new(separator: u8, quote: Option<u8>, declared: usize) -> Self {
        Self { separator, quote, targets: (0..declared as u32).collect() }
    }

    /// Maps the fields of a record to the declared fields by name; where none is called so, by the only name that differs in case
    /// alone, as names in SQL do. Gives the declared fields that are not there.
    pub fn set_header(&mut self, header: &[String], declared: &[&str]) -> Vec<usize> {
        let index: HashMap<&str, usize> =
            declared.iter().enumerate().map(|(index, &name)| (name, index)).collect();
        self.targets = header
            .iter()
            .map(|name| index.get(name.as_str()).map_or(IGNORED, |&index| index as u32))
            .collect();
        let missing = |targets: &[u32]| -> Vec<usize> {
            let found: HashSet<u32> = targets.iter().copied().collect();
            (0..declared.len()).filter(|&index| !found.contains(&(index as u32))).collect()
        };
        let not_found = missing(&self.targets);
        if not_found.is_empty() {
            return not_found;
        }
        self.take_letters(header, declared, &not_found);
        missing(&self.targets)
    }

    /// Maps fields that no declared one is called like to those of `missing` that differ in case alone.
    #[inline(never)]
    fn take_letters(&mut self, header: &[String], declared: &[&str], missing: &[usize]) {
        // The declared field of these letters, and the column; `None` where several have them.
        let mut alike: HashMap<String, (Option<usize>, Option<usize>)> = HashMap::new();
        for &at in missing {
            let letters = declared.get(at).map(|name| name.to_ascii_lowercase()).unwrap_or_default();
            alike.entry(letters).and_modify(|(field, _)| *field = None).or_insert((Some(at), None));
        }
        let mut seen = HashSet::new();
        for (column, name) in header.iter().enumerate() {
            let letters = name.to_ascii_lowercase();
            let Some((field, found)) = alike.get_mut(&letters) else { continue };
            if !seen.insert(letters) {
                *field = None;
            }
            *found = Some(column);
        }
        for (field, column) in alike.into_values() {
            let target = column.and_then(|column| self.targets.get_mut(column));
            if let (Some(field), Some(target)) = (field, target.filter(|target| **target == IGNORED)) {
                *target = field as u32;
            }
        }
    }

    /// Number of fields a record should have.
    pub fn width(&self) -> usize {
        self.targets.len()
    }

    /// The names in the first record that is not blank, as they stand there, and what was read for it: no names when every record is
    /// blank; `None` when the first is not complete.
    pub fn header(&self, bytes: &mut [u8], marks: &[u32]) -> Option<(Vec<Vec<u8>>, WindowProgress)> {
        let mut names = Vec::new();
        let (mut first, mut start) = (0, 0);
        for (index, &mark) in marks.iter().enumerate() {
            let end = mark as usize;
            let byte = bytes.get(end).copied();
            let blank = names.is_empty() && end == start && byte != Some(self.separator);
            if blank {
                first = end + 1;
            } else {
                let rest = marks.get(index..).unwrap_or_default();
                let unread = names.is_empty().then(|| self.too_long(bytes, first, rest)).flatten();
                if unread.is_some() {
                    return Some((names, WindowProgress { bytes: first, marks: index, unread, cut: false }));
                }
                if let Some(at) = self.stray_quote(bytes, start, end) {
                    // The names before it, and this one as far as its line goes.
                    names.push(bytes.get(start + 1..at).unwrap_or_default().trim_ascii().to_vec());
                    let unread = Some(UnreadRecord { code: STRAY_QUOTE, at: start });
                    return Some((names, WindowProgress { bytes: first, marks: index, unread, cut: false }));
                }
                if names.len() < MOST_COLUMNS {
                    let span = self.strip(bytes, start, end, true);
                    names.push(span.of(bytes).unwrap_or_default().trim_ascii().to_vec());
                }
                if byte != Some(self.separator) {
                    let bytes = (end + 1).min(bytes.len());
                    return Some((
                        names,
                        WindowProgress { bytes, marks: index + 1, ..WindowProgress::default() },
                    ));
                }
            }
            start = end + 1;
        }
        let blank =
            WindowProgress { bytes: first.min(bytes.len()), marks: marks.len(), ..WindowProgress::default() };
        names.is_empty().then_some((names, blank))
    }

    /// The fields of the first `most` records as text; text that is not UTF-8 is replaced.
    pub fn texts(&self, bytes: &mut [u8], marks: &[u32], most: usize) -> Vec<Vec<String>> {
        let mut records = Vec::new();
        let mut record = Vec::new();
        let mut start = 0;
        for &mark in marks {
            let end = mark as usize;
            let ends = self.ends_record(bytes, mark);
            if !(ends && record.is_empty() && end == start) {
                let value = self.strip(bytes, start, end, true);
                record.push(String::from_utf8_lossy(value.of(bytes).unwrap_or_default()).into_owned());
                if ends {
                    records.push(std::mem::take(&mut record));
                }
            }
            start = end + 1;
            if records.len() >= most {
                break;
            }
        }
        records
    }

    /// Finds the fields of every record of `bytes`, whose field and record ends are `marks`, up to a record end, or one that cannot be
    /// read. `seen`: whether a quoted field may hold more than its bytes between two quotes, and any byte may be no ASCII. Quotes are
    /// undone in place.
    pub fn split(
        &self,
        bytes: &mut [u8],
        marks: &[u32],
        SeenBytes { odd_quotes, non_ascii }: SeenBytes,
        batch: &mut RecordBatch,
    ) -> WindowProgress {
        let width = self.targets.len();
        let mut taken = WindowProgress::default();
        let (mut record, mut start, mut field) = (0, 0, 0);
        for (index, &mark) in marks.iter().enumerate() {
            let end = mark as usize;
            let separator = bytes.get(end) == Some(&self.separator);
            if non_ascii
                && field == 0
                && bytes.get(start..end).is_some_and(|text| text.starts_with(UTF8_MARK))
            {
                batch.marked.push(batch.starts.len() as u32);
                start += UTF8_MARK.len();
            }
            if end == start && field == 0 && !separator {
                (record, start) = (end + 1, end + 1);
                (taken.bytes, taken.marks) = (record, index + 1);
                continue;
            }
            if field == 0 {
                taken.unread = self.too_long(bytes, record, marks.get(index..).unwrap_or_default());
                if taken.unread.is_some() {
                    break;
                }
            }
            let quoted = self.quote.is_some() && bytes.get(start).copied() == self.quote;
            let plain = !odd_quotes && bytes.get(end.wrapping_sub(1)).copied() == self.quote;
            if quoted && !plain && self.stray_quote(bytes, start, end).is_some() {
                taken.unread = Some(UnreadRecord { code: STRAY_QUOTE, at: start });
                break;
            }
            if let Some(spans) =
                self.targets.get(field).and_then(|&target| batch.spans.get_mut(target as usize))
            {
                let span = if quoted {
                    self.strip(bytes, start, end, odd_quotes)
                } else {
                    FieldSpan { start: start as u32, end: end as u32 }
                };
                spans.push(span);
            }
            field += 1;
            start = end + 1;
            if separator {
                continue;
            }
            if field != width {
                batch.ragged.push((batch.starts.len() as u32, field as u32));
            }
            if field < width {
                batch.end_short(record as u32);
            } else {
                batch.starts.push(record as u32);
            }
            (record, field) = (start, 0);
            (taken.bytes, taken.marks) = (record, index + 1);
        }
        batch.settle();
        taken.bytes = taken.bytes.min(bytes.len());
        taken
    }

    /// Why the record from `start` to the first record end of `marks` cannot be read if it is too long. Asked before any quote of it
    /// is undone, for a record that is refused is searched again.
    fn too_long(&self, bytes: &[u8], start: usize, marks: &[u32]) -> Option<UnreadRecord> {
        if bytes.len() <= LONGEST_RECORD {
            return None;
        }
        let end = marks.iter().find(|&&at| self.ends_record(bytes, at))?;
        (*end as usize - start > LONGEST_RECORD)
            .then(|| UnreadRecord::too_long(bytes, start, marks, self.quote))
    }

    /// The first line end within the quotes of a field that goes on behind them: nearly always two stray quotes, and the lines between
    /// them were meant as records.
    fn stray_quote(&self, bytes: &[u8], start: usize, end: usize) -> Option<usize> {
        let quote = self.quote?;
        let (&first, field) = bytes.get(start..end)?.split_first()?;
        if first != quote {
            return None;
        }
        let line_end = field.iter().position(|&byte| matches!(byte, b'\n' | b'\r'))?;
        let mut at = 0;
        while let Some(found) = field.get(at..)?.iter().position(|&byte| byte == quote) {
            at += found + 1;
            if field.get(at) != Some(&quote) {
                let behind = field.get(at..)?.trim_ascii();
                return (line_end < at && !behind.is_empty()).then_some(start + 1 + line_end);
            }
            at += 1;
        }
        None
    }

    fn ends_record(&self, bytes: &[u8], mark: u32) -> bool {
        bytes.get(mark as usize) != Some(&self.separator)
    }

    /// The value of a field that may begin with a quote. Doubled quotes are undone in place.
    fn strip(&self, bytes: &mut [u8], start: usize, end: usize, odd_quotes: bool) -> FieldSpan {
        let span = |start: usize, end: usize| FieldSpan { start: start as u32, end: end as u32 };
        let Some(field) = bytes.get_mut(start..end) else { return FieldSpan::MISSING };
        let Some(quote) = self.quote.filter(|&quote| field.first() == Some(&quote)) else {
            return span(start, end);
        };
        if !odd_quotes && field.len() >= 2 && field.last() == Some(&quote) {
            return span(start + 1, end - 1);
        }
        let (mut from, mut to, mut open) = (1, 1, true);
        while let Some(&byte) = field.get(from) {
            let closes = open && byte == quote;
            if closes && field.get(from + 1) != Some(&quote) {
                open = false;
            } else {
                from += usize::from(closes);
                field[to] = byte;
                to += 1;
            }
            from += 1;
        }
        span(start + 1, start + to)
    }
}

/// Names for the columns of a header: blank ones are numbered, repeated ones told apart.
pub fn unique_names(names: Vec<String>) -> Vec<String> {
    let mut used = HashSet::new();
    let mut copies: HashMap<String, usize> = HashMap::new();
    let mut unique = Vec::with_capacity(names.len());
    for (index, name) in names.into_iter().enumerate() {
        let base = if name.is_empty() { format!("column_{}", index + 1) } else { name };
        let mut name = base.clone();
        while !used.insert(name.clone()) {
            let copy = copies.entry(base.clone()).or_insert(1);
            *copy += 1;
            name = format!("{base}_{copy}");
        }
        unique.push(name);
    }
    unique
}
