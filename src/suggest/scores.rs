//! Scores of a design, as they are told.

use super::shape::RowShape;
use crate::base::map::Map;
use serde::Serialize;

/// The scores of a design.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DesignScores {
    /// Largest share of the writes that one region takes at any one time.
    pub hottest_region: f64,
    /// The same of a server; of several tables the sum.
    pub hottest_server: f64,
    /// The same, with nearly even shares of a table as even ones.
    #[serde(skip)]
    pub unevenness: f64,
    /// Units a second of all queries.
    pub reads: f64,
    /// Units a second that adding records takes besides their own puts: pages are read and written anew.
    #[serde(skip_serializing_if = "is_none")]
    pub updates: f64,
    /// Units of the longest scan of a query, the mean over queries by rate.
    pub latency: f64,
    /// Largest share of the requests that one server answers.
    pub read_hottest_server: f64,
    /// Bytes of a key, the mean of each table's, added up.
    pub key_bytes: f64,
    /// Bytes of a row as stored, over all tables.
    pub bytes_per_row: f64,
    /// Approximate bytes after `FAST_DIFF` encoding.
    pub encoded_bytes_per_row: f64,
    /// Tables.
    pub tables: usize,
    /// Regions of each.
    pub regions: Vec<usize>,
    /// Rows that share the key of another row.
    pub repeated_rows: u64,
    /// 95% intervals of scores that come from drawn values.
    pub intervals: Map<String, [f64; 2]>,
}

fn is_none(units: &f64) -> bool {
    *units == 0.0
}

/// A design that no other beats in everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrontDesign {
    /// Its row keys, one a table.
    pub rowkeys: Vec<String>,
    /// The shape of its records, where they are not rows of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<RowShape>,
    /// Its scores on the sample of the last round.
    pub scores: DesignScores,
    /// The suggestion that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<usize>,
}
