//! Columns of a file, as all formats tell of them.

use super::value::Meaning;
use crate::records::read::StatedRange;

/// Bytes of the longest path to a column.
pub const LONGEST_NAME: usize = 4096;

/// A flat column of a file.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub meaning: Meaning,
    /// The name of its type.
    pub kind: String,
}

/// A column that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub name: String,
    pub kind: String,
}

/// Columns and rows that a format finds before it reads any.
#[derive(Default)]
pub struct Table {
    pub columns: Vec<Column>,
    pub left_out: Vec<LeftOut>,
    pub rows: Option<u64>,
    /// Row groups.
    pub groups: Option<u64>,
    /// The range of each of `columns`; none where the format states none.
    pub ranges: Vec<Option<StatedRange>>,
}

/// A column that is wanted.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Its place among the flat columns.
    pub column: usize,
    pub name: String,
    pub meaning: Meaning,
    /// Bytes of no type are text.
    pub as_text: bool,
}

impl LeftOut {
    /// Its name and its type.
    pub fn shown(&self) -> String {
        format!("{} ({})", self.name, self.kind)
    }
}
