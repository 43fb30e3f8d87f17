//! Lengths of the row keys of a table, known from its formula or measured.

use crate::base::figures::share;
use crate::keys::duplicates::Duplicates;
use crate::keys::figures::{CellFigures, KeyFigures};
use crate::keys::lengths::KeyLengthSpread;
use crate::keys::quarters::QuarterRecords;
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
    /// Keys that several of the measured ones equal.
    #[serde(default)]
    pub duplicates: RepeatedKeys,
}

/// Keys that several records have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct RepeatedKeys {
    /// Records that have such a key.
    #[serde(default)]
    pub rows: u64,
    /// How many of the keys have two records, three, four and so on.
    #[serde(default)]
    pub repeats: Vec<u64>,
    /// Records of each quarter of them in order of time, and those that are the first of their key.
    #[serde(default)]
    pub quarters: Option<[QuarterRecords; 4]>,
}

impl RepeatedKeys {
    /// How many of so many records are left where `most` of each key are kept.
    pub(super) fn kept(&self, records: u64, most: u32) -> u64 {
        let of = |(more, &keys): (u64, &u64)| keys.saturating_mul(u64::from(most.max(1)).min(more + 2));
        let kept = (0..).zip(&self.repeats).map(of).fold(0, u64::saturating_add);
        records.saturating_sub(self.rows).saturating_add(kept).min(records)
    }
}

impl From<&Duplicates> for RepeatedKeys {
    fn from(of: &Duplicates) -> Self {
        Self { rows: of.rows as u64, repeats: of.repeats.clone(), quarters: of.quarters }
    }
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
            duplicates: (&keys.duplicates).into(),
        }
    }
}

impl From<KeyLengthSpread> for KeyLengths {
    fn from(keys: KeyLengthSpread) -> Self {
        let (min, max) = (keys.min as u64, Some(keys.max as u64));
        Self { count: keys.count, bytes: keys.total, min, max, ..Self::default() }
    }
}

impl KeyLengths {
    /// The measured keys that are left where `most` records of each are kept, and where one is.
    pub(super) fn versions(&self, most: u32) -> [u64; 2] {
        [self.duplicates.kept(self.count, most), self.duplicates.kept(self.count, 1)]
    }

    /// For `count` keys of so many bytes in all, each as long as their mean.
    pub fn mean(bytes: u64, count: u64) -> Self {
        let mean = bytes / count.max(1);
        Self { count, bytes, min: mean, max: Some(mean), ..Self::default() }
    }

    /// Most records of one key.
    pub(super) fn most(&self) -> u64 {
        let repeated = self.duplicates.repeats.len() as u64;
        self.cells.as_ref().map_or(0, |cells| cells.most).max(if repeated > 0 { repeated + 1 } else { 1 })
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
