//! Rows that several records share, as all records have them: a sample has fewer records of each row.

use crate::base::figures::share;
use crate::hbase::storage::table::KeyLengths;
use crate::keys::cells::CellCounts;
use crate::keys::figures::{CellFigures, ColumnFigures, LengthFigures};
use crate::keys::lengths::KeyLengthSpread;

/// Steps in which the number of records is found that rows have in a sample.
const STEPS: usize = 50;

/// The records of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedRows {
    /// How many they are, the mean.
    pub records: f64,
    /// The same of a sample: rows of which it has none are not counted.
    pub sampled: f64,
    /// Most of a row.
    pub most: f64,
}

impl SharedRows {
    /// One record a row.
    pub const ALONE: Self = Self { records: 1.0, sampled: 1.0, most: 1.0 };

    /// The records of rows counted on a sample, each record of which stands for `factor`.
    fn new(cells: &CellCounts, records: u64, factor: f64) -> Self {
        let sampled = records as f64 / cells.rows.max(1) as f64;
        let in_sample = if factor > 1.0 { expected(sampled) } else { sampled };
        Self { records: in_sample * factor, sampled, most: cells.most as f64 * factor }
    }
}

/// Records that a row has in a sample, the mean of all rows, where those with some have `seen`.
fn expected(seen: f64) -> f64 {
    // A sample misses e to the power of -m of the rows with a mean of m.
    (0..STEPS).fold(seen, |mean, _| seen * (1.0 - (-mean).exp()))
}

/// The lengths of all keys and their cells, and the records of a row, from those of a sample.
pub(super) fn of_all(lengths: KeyLengthSpread, cells: CellCounts, factor: f64) -> (KeyLengths, SharedRows) {
    let shared = SharedRows::new(&cells, lengths.count, factor);
    let duplicates = (&cells.hidden).into();
    let seen = cells.rows;
    let figures = CellFigures::from(cells);
    let keys = KeyLengths { duplicates, ..lengths.into() };
    if factor <= 1.0 {
        return (KeyLengths { cells: Some(figures), ..keys }, shared);
    }
    let up = |count: u64| (count as f64 * factor).round() as u64;
    let records = up(lengths.count);
    let rows = ((records as f64 / shared.records).round() as u64).clamp(1, records.max(1));
    let of_rows = |bytes: u64| share(bytes, rows, seen);
    let measured = |of: LengthFigures| LengthFigures { count: up(of.count), bytes: up(of.bytes), ..of };
    let column = |of: ColumnFigures| {
        let is_named = of.qualifiers.count > 0;
        ColumnFigures {
            cells: if is_named { up(of.cells) } else { of_rows(of.cells) },
            row_bytes: if is_named { up(of.row_bytes) } else { of_rows(of.row_bytes) },
            missing: up(of.missing),
            qualifiers: measured(of.qualifiers),
            values: measured(of.values),
        }
    };
    let figures = CellFigures {
        rows,
        row_bytes: of_rows(figures.row_bytes),
        most: up(figures.most),
        estimated: true,
        columns: figures.columns.into_iter().map(column).collect(),
    };
    let mut keys = KeyLengths { count: records, bytes: up(keys.bytes), cells: Some(figures), ..keys };
    // Records beyond the first of each row repeat its key.
    if keys.duplicates.rows > 0 {
        keys.duplicates.rows = records;
        keys.duplicates.repeats = vec![rows];
    }
    (keys, shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_which_a_sample_has_none_are_reckoned_with() {
        // With two records in the mean, 13.5% of the rows are not seen; with eight, hardly one.
        for mean in [0.5_f64, 2.0, 8.0] {
            let seen = mean / (1.0 - (-mean).exp());
            assert!((expected(seen) - mean).abs() < 1e-3, "{mean} {}", expected(seen));
        }
    }
}
