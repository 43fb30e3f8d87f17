//! The cells of records, where their qualifiers or values differ.

use super::batch::KeyBatch;
use super::encoder::CellEncoder;
use crate::bytes::strings::ByteStrings;

/// A cell with formulas, for some records.
#[derive(Clone, Debug, Default)]
pub struct EncodedColumn {
    /// The qualifier of each record behind a zero; empty where its fields give none, and another byte alone where records of its
    /// kind write no such cell. No strings where it is the same in all records.
    qualifiers: ByteStrings,
    /// The length of the value of each record; none where all are as long.
    values: Vec<Option<u32>>,
}

impl EncodedColumn {
    /// Adds the records of a batch.
    pub(super) fn add<'e, 'a: 'e>(&mut self, cell: &'e CellEncoder<'a>, batch: &mut KeyBatch<'e, 'a>) {
        if let Some(qualifier) = &cell.qualifier {
            batch.write(qualifier, &mut self.qualifiers, &mut |_| ());
        }
        if let Some(value) = &cell.value {
            self.values.extend(batch.lengths(value));
        }
    }

    /// True if its qualifier differs between records.
    pub fn is_named(&self) -> bool {
        !self.qualifiers.is_empty()
    }

    /// True if the length of its value differs between records.
    pub fn is_sized(&self) -> bool {
        !self.values.is_empty()
    }

    /// The qualifier of a record; `None` where its fields give none, and where all have the same.
    pub fn qualifier(&self, row: usize) -> Option<&[u8]> {
        self.qualifiers.get(row).strip_prefix(&[0])
    }

    /// True if a record lacks this cell that should have it: its fields give no qualifier or no value.
    pub fn is_missing(&self, row: usize) -> bool {
        let unnamed = self.is_named() && self.qualifiers.get(row).is_empty();
        let named = !self.is_named() || self.qualifier(row).is_some();
        unnamed || named && self.is_sized() && self.value(row).is_none()
    }

    /// True if a record writes this cell.
    pub fn is_written(&self, row: usize) -> bool {
        !(self.is_named() && self.qualifier(row).is_none() || self.is_sized() && self.value(row).is_none())
    }

    /// Bytes of the value of a record; `None` where its fields give none, and where all have as many.
    pub fn value(&self, row: usize) -> Option<u32> {
        self.values.get(row).copied().flatten()
    }

    /// Bytes of memory it holds.
    pub fn memory(&self) -> usize {
        self.qualifiers.bytes.capacity()
            + 4 * self.qualifiers.ends.capacity()
            + size_of::<Option<u32>>() * self.values.capacity()
    }
}
