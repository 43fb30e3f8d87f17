//! Rows and cells of a design of which cells have formulas.

use super::lengths::LengthCounts;
use super::sample::{HashSample, SampledKey, hash};
use crate::keys::encode::EncodedColumn;

/// The cells with formulas that a design counts: for each whether its qualifier has one, then its value.
pub type ColumnScope = [bool; 2];

/// The cells of records, by row and qualifier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowCells {
    /// Each cell with a formula, in the order of the design.
    pub columns: Vec<ColumnSummary>,
    /// All cells that a record writes, with the number of records that write the same ones. Each begins with two bytes of the length
    /// of its row key, and the row key.
    pub written: HashSample<SampledKey, u64>,
}

/// A cell with a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnSummary {
    /// The formulas that it has.
    pub scope: ColumnScope,
    /// Different cells, with the number of records that write each: row key with its length, then qualifier.
    pub cells: HashSample<SampledKey, u64>,
    /// Records that write none.
    pub missing: u64,
    /// Lengths of its values, of each record that writes one.
    pub values: LengthCounts,
}

impl RowCells {
    pub(super) fn new(scope: &[ColumnScope]) -> Self {
        let column = |&scope: &ColumnScope| ColumnSummary { scope, ..ColumnSummary::default() };
        Self { columns: scope.iter().map(column).collect(), written: HashSample::default() }
    }

    /// True if the same is counted as in `other`.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.columns.iter().map(|column| column.scope).eq(other.columns.iter().map(|column| column.scope))
    }

    /// True if records of one row key can write different cells.
    pub fn is_named(&self) -> bool {
        self.columns.iter().any(|column| column.scope[0])
    }

    /// Counts the cells of a batch of records; the empty key stands for a record without one.
    pub fn add<'k>(&mut self, keys: impl Iterator<Item = &'k [u8]>, columns: &[EncodedColumn]) {
        let (named, mut cell, mut whole) = (self.is_named(), Vec::new(), Vec::new());
        for (row, key) in keys.enumerate().filter(|(_, key)| !key.is_empty()) {
            // A row key has at most 32,767 bytes.
            let length = (key.len() as u16).to_be_bytes();
            whole.clear();
            whole.extend(length);
            whole.extend_from_slice(key);
            cell.clone_from(&whole);
            let start = whole.len();
            for (counted, column) in self.columns.iter_mut().zip(columns) {
                let (qualifier, value) = (column.qualifier(row), column.value(row));
                if counted.scope[0] {
                    let bytes = qualifier.unwrap_or_default();
                    let tag = qualifier.map_or(u32::MAX, |qualifier| qualifier.len() as u32);
                    whole.extend(tag.to_be_bytes());
                    whole.extend_from_slice(bytes);
                }
                counted.missing += u64::from(column.is_missing(row));
                if !column.is_written(row) {
                    continue;
                }
                if let Some(qualifier) = qualifier {
                    cell.truncate(start);
                    cell.extend_from_slice(qualifier);
                    count(&mut counted.cells, &cell);
                }
                value.iter().for_each(|&value| counted.values.add(value as usize, 1));
            }
            if named {
                count(&mut self.written, &whole);
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        let add = |records: &mut u64, more: u64| *records = records.saturating_add(more);
        self.written.merge(other.written, add);
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            column.cells.merge(more.cells, add);
            column.missing = column.missing.saturating_add(more.missing);
            column.values.merge(&more.values);
        }
    }
}

/// Bytes of the row key and of the qualifier of a sampled cell.
pub fn lengths_of(cell: &SampledKey) -> [u64; 2] {
    let row = cell.start.first_chunk().map_or(0, |length| u16::from_be_bytes(*length).into());
    [row, u64::from(cell.length).saturating_sub(2 + row)]
}

fn count(sample: &mut HashSample<SampledKey, u64>, cell: &[u8]) {
    let hash = hash(cell);
    if sample.admits(hash) {
        sample.add(hash, SampledKey::new(cell), 1, |records, more| *records += more);
    }
}
