//! Rows that get no key.

use crate::base::map::Map;

/// How many refused rows are remembered one by one.
const FIRST_REFUSED: usize = 20;

/// A row that got no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// Its index in the records.
    pub row: u32,
    /// The column whose value could not be taken; `None` when the key as a whole could not.
    pub column: Option<usize>,
    /// Message code that says why.
    pub code: &'static str,
}

/// The rows that got no key, counted by reason, with the first few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRows {
    /// Number of rows by message code and column.
    pub reasons: Map<(&'static str, Option<usize>), u64>,
    /// The first of them, in order of arrival.
    pub first: Vec<RefusedRow>,
}

impl RefusedRows {
    /// Number of refused rows.
    pub fn count(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Takes in the rows refused of records that come after.
    pub fn merge(&mut self, other: Self) {
        for (reason, count) in other.reasons {
            self.reasons.change(reason, |counted| *counted += count);
        }
        let room = FIRST_REFUSED.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(room));
    }

    pub(super) fn add(&mut self, refused: RefusedRow) {
        self.reasons.change((refused.code, refused.column), |count| *count += 1);
        if self.first.len() < FIRST_REFUSED {
            self.first.push(refused);
        }
    }
}
