//! The cells of records whose names or values are made by a formula: the same whatever the row key is.

use crate::base::figures::share;
use crate::hbase::storage::table::KeyLengths;
use crate::keys::encode::EncodedColumn;
use crate::keys::figures::{CellFigures, ColumnFigures};
use crate::keys::lengths::KeyLengthSpread;

/// The figures of each cell with a formula, for a row of its own for each of `rows` records.
pub(super) fn columns_of(columns: &[EncodedColumn], rows: usize) -> Vec<ColumnFigures> {
    let figures = |column: &EncodedColumn| {
        let (mut qualifiers, mut values) = (KeyLengthSpread::default(), KeyLengthSpread::default());
        let (mut cells, mut missing) = (0, 0);
        for row in 0..rows {
            missing += u64::from(column.is_missing(row));
            if !column.is_written(row) {
                continue;
            }
            cells += 1;
            column.value(row).iter().for_each(|&value| values.add(value as usize));
            if column.is_named() {
                qualifiers.add(column.qualifier(row).unwrap_or_default().len());
            }
        }
        let [qualifiers, values] = [qualifiers, values].map(Into::into);
        ColumnFigures { cells, row_bytes: 0, missing, qualifiers, values }
    };
    columns.iter().map(figures).collect()
}

/// Keys of these lengths, each of a row with these cells.
pub(super) fn with_columns(lengths: KeyLengthSpread, columns: &[ColumnFigures]) -> KeyLengths {
    if columns.is_empty() {
        return lengths.into();
    }
    let column = |of: &ColumnFigures| ColumnFigures {
        row_bytes: share(of.cells, lengths.total, lengths.count),
        ..of.clone()
    };
    let columns = columns.iter().map(column).collect();
    let (rows, row_bytes) = (lengths.count, lengths.total);
    let cells = CellFigures { rows, row_bytes, most: 1, estimated: false, columns };
    KeyLengths { cells: Some(cells), ..lengths.into() }
}
