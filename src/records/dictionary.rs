//! Texts by number.

use crate::formula::vector::ByteStrings;

/// The texts of a column, each under a number. While repeats are found worthwhile every text is held once; a
/// column of nearly unique texts stops looking and appends.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// The texts in order of first arrival.
    pub entries: ByteStrings,
}
