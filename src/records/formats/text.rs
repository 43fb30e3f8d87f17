//! Columns of texts, put together as records of separated values for the reader.

use super::feed::{Feed, Halt};
use super::value::{Meaning, Stored};
use crate::base::limits::RECORD_BYTES;
use crate::records::read::encoding::UTF8_MARK;

/// Records of a portion.
pub const ROWS: usize = 4096;
/// Bytes of texts of a portion, over all columns.
const BYTES: usize = 4 << 20;

/// Texts of one column that wait for those of the others.
#[derive(Debug, Default)]
pub struct Texts {
    bytes: Vec<u8>,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Texts {
    /// How many there are.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that the texts of one column may have in a table of so many columns.
    pub fn most_bytes(columns: usize) -> usize {
        BYTES / columns.max(1)
    }

    /// Rows of a portion of a table of so many columns.
    pub fn most_rows(columns: usize) -> usize {
        // Each value has a comma at least.
        ROWS.min(Self::most_bytes(columns)).max(1)
    }

    /// True when no more are needed for now, in a table of so many columns.
    pub fn is_full(&self, columns: usize) -> bool {
        self.ends.len() >= Self::most_rows(columns) || self.bytes.len() >= Self::most_bytes(columns)
    }

    /// Bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    /// A missing value.
    pub fn push_missing(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// The text of a value.
    pub fn push(&mut self, meaning: Meaning, value: Stored<'_>, as_text: bool) -> Result<(), Halt> {
        field(meaning, value, as_text, &mut self.bytes)?;
        self.ends.push(self.bytes.len());
        Ok(())
    }

    /// A text as another column holds it.
    pub fn push_text(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// The text at a place.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.bytes.get(start..end)
    }

    /// Bytes of all texts.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Takes the first ones off.
    fn drop_first(&mut self, rows: usize) {
        let Some(end) = rows.checked_sub(1).and_then(|last| self.ends.get(last)).copied() else { return };
        self.bytes.drain(..end);
        // Memory that a long value needed is given back.
        self.bytes.shrink_to(BYTES);
        self.ends.drain(..rows);
        self.ends.iter_mut().for_each(|place| *place -= end);
    }
}

/// Appends the text of a value as a field of separated values.
pub fn field(meaning: Meaning, value: Stored<'_>, as_text: bool, out: &mut Vec<u8>) -> Result<(), Halt> {
    if let Stored::Bytes(bytes) = value
        && bytes.len() as u64 > RECORD_BYTES.most
    {
        return Err(Halt::limit(&RECORD_BYTES, bytes.len() as u64));
    }
    let start = out.len();
    if !meaning.write(value, as_text, out) {
        return Err(Halt::broken("a value"));
    }
    if matches!(meaning, Meaning::Text | Meaning::Binary | Meaning::Uuid) {
        quote(out, start);
    }
    Ok(())
}

/// Puts the text from `start` on in quotes where it would not be read as it is.
fn quote(out: &mut Vec<u8>, start: usize) {
    let text = out.get(start..).unwrap_or_default();
    let is_plain = !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r'));
    if is_plain && !text.starts_with(UTF8_MARK) {
        return;
    }
    let text = out.split_off(start);
    out.push(b'"');
    for byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// The names of columns as a header.
pub fn header<'a>(names: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, name) in names.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        let start = out.len();
        out.extend_from_slice(name.as_bytes());
        quote(&mut out, start);
    }
    out.push(b'\n');
    out
}

/// Ends a record of fields in `out` that began at `start`. A record is never blank, for blank lines are none.
pub fn end_record(out: &mut Vec<u8>, start: usize) {
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

/// The records for which every column has a text; they are taken off the columns.
pub fn records<'a>(feed: &mut Feed, columns: impl Iterator<Item = &'a mut Texts>) -> Vec<u8> {
    let columns: Vec<&mut Texts> = columns.collect();
    let rows = columns.iter().map(|column| column.rows()).min().unwrap_or_default();
    let bytes: usize = columns.iter().map(|column| column.length()).sum();
    let mut out = Vec::with_capacity(bytes + rows * (columns.len() + 1));
    for row in 0..rows {
        let start = out.len();
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            out.extend_from_slice(column.get(row).unwrap_or_default());
        }
        end_record(&mut out, start);
    }
    columns.into_iter().for_each(|column| column.drop_first(rows));
    feed.read += rows as u64;
    out
}
