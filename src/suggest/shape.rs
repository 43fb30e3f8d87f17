//! The shape of a table: a row for each record, or rows that several share.

use crate::design::Design;
use serde::Serialize;

/// The shape of records, where they are not rows of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowShape {
    /// Cells of one row, each under a name of its own.
    Wide,
    /// Parts of cells that all records of a row share.
    Pages,
}

impl RowShape {
    /// Both, the simpler one first.
    pub(super) const ALL: [Self; 2] = [Self::Wide, Self::Pages];

    /// The label of a suggestion.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Wide => "wide-rows",
            Self::Pages => "pages",
        }
    }
}

/// A table in another shape.
pub(super) struct ShapedTable {
    /// The shape of its records.
    pub shape: RowShape,
    /// The table.
    pub design: Design,
    /// The row key of the same table with a row for each record.
    pub tall: String,
    /// The fields that tell the records of a row apart.
    pub fields: Vec<usize>,
}
