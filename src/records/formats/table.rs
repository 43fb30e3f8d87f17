//! Columns of a file, as all formats tell of them.

use super::feed::Halt;
use super::value::Meaning;
use crate::base::limits::{COLUMNS, TABLE_NAMES};
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

/// The columns of a schema as they are met.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub read: Vec<Column>,
    pub left_out: Vec<LeftOut>,
    /// Columns beyond the most that are read.
    pub beyond: u64,
    /// Bytes of their names and types.
    bytes: usize,
}

impl Columns {
    /// Adds a column; one without a meaning is left out, and so is one too many. True if it is read.
    pub fn add(&mut self, name: &str, kind: String, meaning: Option<Meaning>) -> bool {
        self.bytes += name.len() + kind.len();
        // Nothing is kept of names that are too long in all: `sound` rejects them.
        if self.bytes as u64 > TABLE_NAMES.most {
            return false;
        }
        if meaning.is_some() && self.read.len() as u64 >= COLUMNS.most {
            self.beyond += 1;
            return false;
        }
        match meaning {
            Some(meaning) => self.read.push(Column { name: name.to_owned(), meaning, kind }),
            None => self.left_out.push(LeftOut { name: name.to_owned(), kind }),
        }
        meaning.is_some()
    }

    /// Rejects columns whose names are too long in all.
    pub fn sound(&self) -> Result<(), Halt> {
        let bytes = self.bytes as u64;
        if bytes > TABLE_NAMES.most { Err(Halt::limit(&TABLE_NAMES, bytes)) } else { Ok(()) }
    }
}

/// Columns and rows that a format finds before it reads any.
#[derive(Default)]
pub struct Table {
    pub columns: Columns,
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
