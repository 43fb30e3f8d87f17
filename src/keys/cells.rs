//! Rows and cells of a table, where records of one row key write cells of their own.

use super::duplicates::Duplicates;
use super::encode::EncodedColumn;
use super::lengths::KeyLengthSpread;
use crate::bytes::sort::{sort, sort_distinct};

/// The cells of the records of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellCounts {
    /// Different row keys.
    pub rows: u64,
    /// Bytes of them, each once.
    pub row_bytes: u64,
    /// Most records that write to one row.
    pub most: u64,
    /// Each cell with a formula, in the order of the design.
    pub columns: Vec<ColumnCounts>,
    /// Records that write the same cells of the same row as another one.
    pub hidden: Duplicates,
}

/// A cell with a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnCounts {
    /// Different cells: pairs of row key and qualifier; rows where all qualifiers are the same.
    pub cells: u64,
    /// Bytes of their row keys.
    pub row_bytes: u64,
    /// Records of which the fields give no qualifier or no value, so that they write no such cell.
    pub missing: u64,
    /// Lengths of the qualifiers of its cells; none where they are all the same.
    pub qualifiers: KeyLengthSpread,
    /// Lengths of its values, of each record; none where all are as long.
    pub values: KeyLengthSpread,
}

impl CellCounts {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns: vec![ColumnCounts::default(); columns], ..Self::default() }
    }

    /// Counts the records that have a key, in order of arrival; `of` gives the columns of a record, and its place in them.
    pub(super) fn add_row<'c>(
        &mut self,
        key: &[u8],
        records: &[u32],
        of: impl Fn(u32) -> Option<(&'c [EncodedColumn], usize)>,
    ) {
        if records.is_empty() {
            return;
        }
        self.rows += 1;
        self.row_bytes += key.len() as u64;
        self.most = self.most.max(records.len() as u64);
        for (index, counts) in self.columns.iter_mut().enumerate() {
            counts.add_row(
                key,
                records.iter().map(|&record| {
                    let (columns, row) = of(record)?;
                    Some((columns.get(index)?, row))
                }),
            );
        }
        if records.len() < 2 {
            return;
        }
        let qualifiers = |&record: &u32| -> Vec<Option<&[u8]>> {
            let Some((columns, row)) = of(record) else { return Vec::new() };
            columns.iter().filter(|column| column.is_named()).map(|column| column.qualifier(row)).collect()
        };
        let mut written: Vec<(Vec<Option<&[u8]>>, u32)> =
            records.iter().map(|record| (qualifiers(record), *record)).collect();
        sort(&mut written);
        for alike in written.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
            self.hidden.add(key, alike.iter().map(|&(_, record)| record));
        }
    }
}

impl ColumnCounts {
    /// Counts the records of one row.
    fn add_row<'c>(&mut self, key: &[u8], records: impl Iterator<Item = Option<(&'c EncodedColumn, usize)>>) {
        let mut qualifiers: Vec<&[u8]> = Vec::new();
        let mut named = false;
        for (column, row) in records.flatten() {
            named = column.is_named();
            let (qualifier, value) = (column.qualifier(row), column.value(row));
            self.missing += u64::from(column.is_missing(row));
            if !column.is_written(row) {
                continue;
            }
            value.iter().for_each(|&value| self.values.add(value as usize));
            qualifiers.push(qualifier.unwrap_or_default());
        }
        sort_distinct(&mut qualifiers);
        if named {
            qualifiers.iter().for_each(|qualifier| self.qualifiers.add(qualifier.len()));
        }
        let cells = if named { qualifiers.len() as u64 } else { 1 };
        self.cells += cells;
        self.row_bytes += cells * key.len() as u64;
    }
}
