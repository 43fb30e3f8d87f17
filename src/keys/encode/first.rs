//! Keys of the first records, made before the others are read.

use super::batch::KeyBatch;
use super::refused::{RefusedRow, RefusedRows};
use super::{EncodedKeys, Encoder, order, reserve};
use crate::base::host::tick;
use crate::base::sentences::known_code;
use crate::bytes::columns::{ColumnBytes, write_bytes, write_list, write_number};
use crate::bytes::strings::ByteStrings;
use std::ops::Range;

/// The keys of the first records under one design, of which no cell has a formula.
#[derive(Clone, Debug, Default)]
pub struct FirstKeys {
    keys: ByteStrings,
    refused: RefusedRows,
}

impl FirstKeys {
    /// Number of records that they are of.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if they are of none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Some of them as bytes, by which another instance of this program takes them in. The form that begins at row 0 has the refused
    /// records, too.
    pub fn form(&self, rows: Range<usize>) -> Vec<u8> {
        let mut form = Vec::new();
        let refused = if rows.start == 0 { &self.refused } else { &RefusedRows::default() };
        write_number(refused.reasons.len() as u64, &mut form);
        for (&(code, column), &count) in &refused.reasons {
            write_reason(code, column, &mut form);
            write_number(count, &mut form);
        }
        write_number(refused.first.len() as u64, &mut form);
        for &RefusedRow { row, column, code } in &refused.first {
            write_reason(code, column, &mut form);
            write_number(row.into(), &mut form);
        }
        let start = self.end_before(rows.start);
        let ends = self.keys.ends.get(rows).unwrap_or_default();
        let end = ends.last().copied().unwrap_or(start);
        write_list(ends, &mut form, |end| (end - start).to_le_bytes());
        write_bytes(self.keys.bytes.get(start as usize..end as usize).unwrap_or_default(), &mut form);
        form
    }

    /// Takes in keys of the records that come next, written by [`FirstKeys::form`]. False, and nothing taken in, where the bytes
    /// are no such form, or there is no room for the keys.
    pub fn take_in(&mut self, form: &[u8]) -> bool {
        self.taken(&mut ColumnBytes(form)).is_some()
    }

    fn taken(&mut self, form: &mut ColumnBytes) -> Option<()> {
        let before = self.keys.len();
        let mut refused = RefusedRows::default();
        for _ in 0..form.number()? {
            let (code, column) = read_reason(form)?;
            refused.reasons.insert((code, column), form.number()?);
        }
        for _ in 0..form.number()? {
            let (code, column) = read_reason(form)?;
            let row = form.below(u64::from(u32::MAX) - before as u64)? as u32 + before as u32;
            refused.first.push(RefusedRow { row, column, code });
        }
        let ends: Vec<u32> = form.list(u32::from_le_bytes)?;
        let bytes = form.bytes()?;
        let start = self.keys.bytes.len();
        let complete = ends.is_sorted() && ends.last().is_none_or(|&end| end as usize == bytes.len());
        // Ends are 32 bits wide.
        let has_room = u32::try_from(start + bytes.len()).is_ok();
        if !complete || !form.0.is_empty() || !has_room {
            return None;
        }
        self.keys.bytes.extend_from_slice(bytes);
        self.keys.ends.extend(ends.into_iter().map(|end| end + start as u32));
        self.refused.merge(refused);
        Some(())
    }

    fn end_before(&self, row: usize) -> u32 {
        row.checked_sub(1).and_then(|before| self.keys.ends.get(before)).copied().unwrap_or_default()
    }
}

fn write_reason(code: &str, column: Option<usize>, form: &mut Vec<u8>) {
    write_bytes(code.as_bytes(), form);
    write_number(column.map_or(u64::MAX, |column| column as u64), form);
}

fn read_reason(form: &mut ColumnBytes) -> Option<(&'static str, Option<usize>)> {
    let code = known_code(form.text()?)?;
    let column = form.number()?;
    Some((code, usize::try_from(column).ok().filter(|_| column != u64::MAX)))
}

impl Encoder<'_> {
    /// Goes on to the keys of all records, of which the first have theirs, with room for those of `expected` in all. `None` where
    /// there is not one design, or a cell of it has a formula.
    pub fn encode_on(&self, first: FirstKeys, expected: usize) -> Option<FirstKeys> {
        let FirstKeys { mut keys, mut refused } = first;
        let ([formula], [[]]) = (self.designs.as_slice(), [self.cells.first()?.as_slice()]) else {
            return None;
        };
        let made = keys.len();
        for rows in self.batches_from(made) {
            let start = rows.start;
            KeyBatch::new(self, rows).write(formula, &mut keys, &mut |row| refused.add(row));
            if start == made {
                reserve(&mut keys, expected);
            }
        }
        Some(FirstKeys { keys, refused })
    }

    /// The keys of all records, ready to be sorted, of which the first have theirs; as [`Encoder::encode`] makes them.
    pub fn encode_after(&self, first: FirstKeys) -> Option<EncodedKeys> {
        let FirstKeys { keys, refused } = self.encode_on(first, self.records.rows)?;
        tick(keys.len());
        let codes = order::codes(&self.designs.first()?.segments, &keys);
        Some(EncodedKeys { keys, codes, refused, columns: Vec::new() })
    }
}
