//! The row keys of a design as a whole: how many, how long, from where to where.

use super::cells::{CellCounts, ColumnCounts};
use super::duplicates::Duplicates;
use super::lengths::KeyLengthSpread;
use crate::bytes::row::to_string_binary;
use serde::{Deserialize, Serialize};

/// The row keys as a whole.
#[derive(Clone, Debug, Default, Serialize)]
pub struct KeyFigures {
    /// Number of keys, duplicates counted.
    pub count: u64,
    /// Bytes of all keys.
    pub bytes: u64,
    /// Bytes of the shortest.
    pub min: usize,
    /// Bytes of the longest.
    pub max: usize,
    /// Bytes on average.
    pub mean: f64,
    /// Lowest key in `\xNN` notation.
    pub first: String,
    /// Highest key.
    pub last: String,
    /// Keys written more than once; where qualifiers differ between records, those under which the same cells are.
    pub duplicates: Duplicates,
    /// Rows and cells, where cells have formulas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<CellFigures>,
}

/// Rows and cells of a table of which cells have formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CellFigures {
    /// Different row keys.
    pub rows: u64,
    /// Bytes of them, each once.
    pub row_bytes: u64,
    /// Most records that write to one row.
    pub most: u64,
    /// True if rows and cells, and their bytes, are estimates from a sample.
    pub estimated: bool,
    /// Each cell with a formula, in the order of the design.
    pub columns: Vec<ColumnFigures>,
}

impl CellFigures {
    /// True if records of one row key can write different cells.
    pub fn is_named(&self) -> bool {
        self.columns.iter().any(|column| column.qualifiers.count > 0)
    }
}

/// A cell with a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnFigures {
    /// Different cells: pairs of row key and qualifier.
    pub cells: u64,
    /// Bytes of their row keys.
    pub row_bytes: u64,
    /// Records that write none, as their fields give no qualifier or no value.
    pub missing: u64,
    /// The qualifiers of its cells; none where all are the same.
    pub qualifiers: LengthFigures,
    /// Its values, of all records that write one; none where all are as long.
    pub values: LengthFigures,
}

/// Lengths in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LengthFigures {
    /// Number of them.
    pub count: u64,
    /// All together.
    pub bytes: u64,
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
}

impl From<KeyLengthSpread> for LengthFigures {
    fn from(of: KeyLengthSpread) -> Self {
        Self { count: of.count, bytes: of.total, min: of.min as u64, max: of.max as u64 }
    }
}

impl From<CellCounts> for CellFigures {
    fn from(counts: CellCounts) -> Self {
        let column = |of: ColumnCounts| ColumnFigures {
            cells: of.cells,
            row_bytes: of.row_bytes,
            missing: of.missing,
            qualifiers: of.qualifiers.into(),
            values: of.values.into(),
        };
        let columns = counts.columns.into_iter().map(column).collect();
        Self { rows: counts.rows, row_bytes: counts.row_bytes, most: counts.most, estimated: false, columns }
    }
}

impl KeyFigures {
    /// With the rows and cells of a table of which cells have formulas.
    pub fn with_cells(self, cells: Option<CellFigures>) -> Self {
        Self { cells, ..self }
    }

    /// From number, total, shortest and longest length, and the lowest and highest key.
    pub fn new(
        count: u64,
        bytes: u64,
        lengths: (usize, usize),
        ends: (&[u8], &[u8]),
        duplicates: Duplicates,
    ) -> Self {
        Self {
            count,
            bytes,
            min: lengths.0,
            max: lengths.1,
            mean: bytes as f64 / count.max(1) as f64,
            first: to_string_binary(ends.0),
            last: to_string_binary(ends.1),
            duplicates,
            cells: None,
        }
    }
}
