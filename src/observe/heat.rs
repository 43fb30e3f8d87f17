//! The picture of a table.

use serde::Serialize;

/// Figures by key and time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeatObserved {
    /// First row of each range of keys, in `\xNN` notation.
    pub starts: Vec<String>,
    /// Beginning of each interval, milliseconds since the epoch.
    pub times: Vec<i64>,
    /// Length of an interval in milliseconds.
    pub step: i64,
    /// Cells of each range in each interval; requests, or bytes, where they are those of a dump.
    pub counts: Vec<Vec<u64>>,
}
