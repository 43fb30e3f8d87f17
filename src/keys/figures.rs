//! The row keys of a design as a whole: how many, how long, from where to where.

use super::duplicates::Duplicates;
use crate::bytes::row::to_string_binary;
use serde::Serialize;

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
    /// Keys written more than once.
    pub duplicates: Duplicates,
}

impl KeyFigures {
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
        }
    }
}
