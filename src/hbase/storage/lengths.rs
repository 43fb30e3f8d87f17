//! Lengths of the row keys of a table, known from its formula or measured.

use crate::base::figures::share;
use crate::keys::figures::{CellFigures, KeyFigures};
use crate::keys::lengths::KeyLengthSpread;
use crate::records::field::shape::Width;
use serde::Deserialize;

/// Known lengths of row keys, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct KeyLengths {
    /// Keys measured; 0 when only the formula is known.
    #[serde(default)]
    pub count: u64,
    /// Bytes of all measured keys.
    #[serde(default)]
    pub bytes: u64,
    /// The shortest.
    pub min: u64,
    /// The longest; `None` without a bound.
    #[serde(default)]
    pub max: Option<u64>,
    /// Rows and cells of these keys, where cells have formulas.
    #[serde(default)]
    pub cells: Option<CellFigures>,
}

impl From<Width> for KeyLengths {
    fn from(width: Width) -> Self {
        Self { min: width.min, max: width.max, ..Self::default() }
    }
}

impl From<&KeyFigures> for KeyLengths {
    fn from(keys: &KeyFigures) -> Self {
        Self {
            count: keys.count,
            bytes: keys.bytes,
            min: keys.min as u64,
            max: Some(keys.max as u64),
            cells: keys.cells.clone(),
        }
    }
}

impl From<KeyLengthSpread> for KeyLengths {
    fn from(keys: KeyLengthSpread) -> Self {
        let (min, max) = (keys.min as u64, Some(keys.max as u64));
        Self { count: keys.count, bytes: keys.total, min, max, cells: None }
    }
}

impl KeyLengths {
    /// For `count` keys of so many bytes in all, each as long as their mean.
    pub fn mean(bytes: u64, count: u64) -> Self {
        let mean = bytes / count.max(1);
        Self { count, bytes, min: mean, max: Some(mean), cells: None }
    }

    /// Bytes of `rows` keys of mean length: as measured, else midway between shortest and longest.
    pub(super) fn of_rows(&self, rows: u64) -> u64 {
        match (self.count, self.max) {
            (0, None) => rows.saturating_mul(self.min),
            (0, Some(max)) => share(rows, self.min.saturating_add(max), 2),
            (count, _) => share(rows, self.bytes, count),
        }
    }
}
