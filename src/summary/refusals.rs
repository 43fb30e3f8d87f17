//! Rows that got no key, and why.

use crate::base::map::Map;
use crate::bytes::position::Position;
use crate::bytes::sort::sort;

/// Examples kept of each reason: the first by position.
pub const EXAMPLES: usize = 5;

/// Most bytes kept of a refused value.
const VALUE_BYTES: usize = 200;

/// Why a row got no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRefusal<'a> {
    /// Stable code, a key of `data/messages/en.json`.
    pub code: &'static str,
    /// The field concerned; empty when it is none.
    pub field: &'a str,
    /// The text that was refused.
    pub value: &'a str,
}

/// Rows refused for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedExamples {
    /// How many.
    pub count: u64,
    /// The first of them with the refused text, by position.
    pub first: Vec<(Position, String)>,
}

/// Refused rows by code and field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusalCounts {
    reasons: Map<(&'static str, String), RefusedExamples>,
}

impl RefusalCounts {
    /// Counts a row.
    pub fn add(&mut self, position: Position, why: &RowRefusal) {
        self.reasons.change((why.code, why.field.to_owned()), |refused| {
            let first = &mut refused.first;
            refused.count += 1;
            if first.len() < EXAMPLES || first.last().is_some_and(|(last, _)| position < *last) {
                first.push((position, cut(why.value)));
                refused.settle();
            }
        });
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        for (reason, more) in other.reasons {
            self.reasons.change(reason, |refused| {
                refused.count = refused.count.saturating_add(more.count);
                refused.first.extend(more.first);
                refused.settle();
            });
        }
    }

    /// Adds a reason after all that are there; whether it comes after them.
    pub(super) fn push(&mut self, code: &'static str, field: String, refused: RefusedExamples) -> bool {
        let reason = (code, field);
        let after = self.reasons.last_key_value().is_none_or(|(last, _)| *last < reason);
        after && self.reasons.insert(reason, refused).is_none()
    }

    /// Changes the rows of each reason.
    pub(super) fn each_mut(&mut self, change: impl FnMut(&mut RefusedExamples)) {
        self.reasons.values_mut().for_each(change);
    }

    /// Code, field and rows of each reason, by code and field.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str, &RefusedExamples)> {
        self.reasons.iter().map(|((code, field), refused)| (*code, field.as_str(), refused))
    }
}

impl RefusedExamples {
    fn settle(&mut self) {
        sort(&mut self.first);
        self.first.truncate(EXAMPLES);
    }
}

/// The first characters of a text, up to [`VALUE_BYTES`].
fn cut(text: &str) -> String {
    text.char_indices()
        .take_while(|(at, char)| at + char.len_utf8() <= VALUE_BYTES)
        .map(|(_, char)| char)
        .collect()
}
