//! The answer about tables whose files were read.

use super::heat::HeatObserved;
use super::prediction::Prediction;
use super::requests::RequestsObserved;
use crate::base::Problem;
use crate::base::estimate::Estimate;
use serde::Serialize;

/// Counts of some keys in some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ObservedCounts {
    /// Cells.
    pub cells: u64,
    /// Rows, each as often as it was written: once for each file or write that has cells of it.
    pub rows: u64,
    /// Bytes of the cells without any encoding.
    pub bytes: u64,
    /// Cells that mark others as deleted; all others are puts.
    pub deletes: u64,
}

impl ObservedCounts {
    /// Adds what else was counted.
    pub fn add(&mut self, more: Self) {
        self.cells = self.cells.saturating_add(more.cells);
        self.rows = self.rows.saturating_add(more.rows);
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.deletes = self.deletes.saturating_add(more.deletes);
    }
}

/// A region, or a range of keys where no regions are known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservedRegion {
    /// First row, in `\xNN` notation; empty for the first region.
    pub start: String,
    /// First row behind it; empty for the last.
    pub end: String,
    /// The server that opened it last, as a log says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Cells and bytes of its rows.
    #[serde(flatten)]
    pub counts: ObservedCounts,
    /// Fraction of the table's cells; of its bytes, where only the index of HFiles was read.
    pub share: f64,
}

/// A row, or the beginning of rows, that takes much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotKey {
    /// In `\xNN` notation.
    pub key: String,
    /// Cells, exact or within an interval.
    pub cells: Estimate,
    /// Fraction of the table's cells, 0 to 1.
    pub share: f64,
}

/// The bytes of a column family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FamilyObserved {
    /// Column family.
    pub family: String,
    /// Files that were counted.
    pub files: u64,
    /// Bytes of these files as they lie.
    pub stored: u64,
    /// Cells.
    pub cells: u64,
    /// Bytes of row keys.
    pub row_bytes: u64,
    /// Bytes of qualifiers.
    pub qualifier_bytes: u64,
    /// Bytes of values.
    pub value_bytes: u64,
    /// Bytes of tags.
    pub tag_bytes: u64,
    /// Encodings of its files.
    pub encodings: Vec<String>,
    /// Compressions of its files.
    pub compressions: Vec<String>,
}

/// A value of a field that takes much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldShare {
    /// The field.
    pub field: String,
    /// The value, in the field's notation.
    pub value: String,
    /// Cells of keys that have it.
    pub cells: u64,
    /// Fraction of the cells whose keys the design can have made.
    pub share: f64,
}

/// Fields of a key with their values; `None` of one that the key does not tell.
pub type KeyFields = Vec<(String, Option<String>)>;

/// Observed keys beside a design.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeysByDesign {
    /// Rows that were decoded, and their cells.
    pub tried: u64,
    /// Cells of these rows.
    pub cells: u64,
    /// True if there are more rows.
    pub sampled: bool,
    /// Rows that the design cannot have made.
    pub other_rows: u64,
    /// Their cells.
    pub other_cells: u64,
    /// One of them, in `\xNN` notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// Values of fields that take much.
    pub values: Vec<FieldShare>,
    /// The fields of each of the rows with most cells; `None` where the design cannot have made it.
    pub hot_rows: Vec<Option<KeyFields>>,
}

/// A file that was given.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileObserved {
    /// Path, as the host gave it.
    pub path: String,
    /// Length in bytes.
    pub bytes: u64,
    /// Kind it was read as: `hfile`, `wal`, `reference`, `dump` …; `other` for a file that is none of HBase's.
    pub kind: &'static str,
    /// True if its cells were counted.
    pub counted: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservedTable {
    /// Table name; empty where no path and no log entry gives one.
    pub table: String,
    /// Where the cells are from: `wal`, `hfile`, `index` for the index of HFiles alone, or `both`; `counters` where there are none.
    pub source: &'static str,
    /// Cells and bytes of all its regions.
    #[serde(flatten)]
    pub counts: ObservedCounts,
    /// First and last time, milliseconds since the epoch: of writes in logs, of cells in HFiles.
    pub times: Option<(i64, i64)>,
    /// Cells whose time is none of a clock: before 1990 or after 2100.
    pub untimed: u64,
    /// How the borders of regions are known: `regioninfo`, `manifest`, `shell`, `dumps`, `wal`, `design`, `files`, or `keys` for ranges of equal cells.
    pub borders: &'static str,
    /// Its regions.
    pub regions: Vec<ObservedRegion>,
    /// Cells by key and time; none of an index.
    pub heat: Option<HeatObserved>,
    /// The rows with most cells.
    pub hot_rows: Vec<HotKey>,
    /// Beginnings of rows that take much, the longest that lose little.
    pub prefixes: Vec<HotKey>,
    /// Its column families.
    pub families: Vec<FamilyObserved>,
    /// Requests to it, as dumps of its counters show them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<RequestsObserved>,
    /// Its keys by a design, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<KeysByDesign>,
    /// Predicted load; `None` without a design and records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// Split points of the regions that were asked for, with about as many cells each; bytes, where only the index of HFiles was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<Vec<String>>,
    /// The conclusion, in a sentence.
    pub headline: Problem,
    /// Limits of these figures.
    pub notes: Vec<Problem>,
}

/// All tables of the files that were given, the one with most cells first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObservedTables {
    /// The tables.
    pub tables: Vec<ObservedTable>,
    /// The files, at most 1,000 of them: first those with problems.
    pub files: Vec<FileObserved>,
    /// Files by kind.
    pub kinds: Vec<(String, u64)>,
    /// Bytes that reading all cells would take, where only indexes were read.
    pub unread: u64,
}
