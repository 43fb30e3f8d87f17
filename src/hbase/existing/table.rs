//! Existing tables, read from texts.

use super::families::ExistingFamily;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use serde::Serialize;

/// A region of a table as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExistingRegion {
    /// Start row, inclusive, in `\xNN` notation; empty for the first region.
    pub start: String,
    /// Stop row, exclusive; empty for the last region.
    pub stop: String,
    /// The server that holds it, as printed.
    pub server: Option<String>,
    /// Its size in MiB, as HBase counts it.
    pub megabytes: Option<f64>,
    /// Requests it has answered since it was opened.
    pub requests: Option<f64>,
    /// Its encoded name, by which the shell knows it.
    pub encoded: Option<String>,
}

/// A table as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExistingTable {
    /// Its name; empty when the text does not tell.
    pub name: String,
    /// Its regions in key order; empty when the text does not tell.
    pub regions: Vec<ExistingRegion>,
    /// Its split points in `\xNN` notation, ascending.
    pub points: Vec<String>,
    /// Its column families.
    pub families: Vec<ExistingFamily>,
    /// Row keys of a sample in `\xNN` notation, as they came.
    pub keys: Vec<String>,
}

/// An existing table, read from a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExistingText {
    /// The kind of text: `create`, `list_regions`, `get_splits`, `describe`, `meta`, `scan`, `region-names`, `splits` or `keys`.
    pub forms: Vec<&'static str>,
    /// The tables it tells of, in the order they come.
    pub tables: Vec<ExistingTable>,
    /// Lines that could not be read, and facts that contradict each other.
    pub problems: Vec<Problem>,
}

impl ExistingTable {
    /// Its split points.
    ///
    /// # Errors
    /// Reasons why HBase would reject it.
    pub fn split_points(&self) -> Result<SplitPoints, Problem> {
        let mut keys = ByteStrings::default();
        for point in &self.points {
            keys.push(&from_string_binary(point)?);
        }
        SplitPoints::new(keys)
    }
}

/// A problem of a line.
pub(super) fn of_line(problem: Problem, line: u64) -> Problem {
    let mut problem = problem;
    problem.place.row = Some(line);
    problem
}
