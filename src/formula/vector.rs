//! Columns of values that steps read and write: one batch of rows, or the distinct values of a dictionary.

use crate::bytes::strings::ByteStrings;

/// A column of values: integers and times as `i64`, a float as its bits, a boolean as 0 or 1; text and bytes as byte
/// strings, a decimal as its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Integers, times in milliseconds, bits of floats, or booleans as 0 and 1.
    Integers(Vec<i64>),
    /// UTF-8 text, bytes, or decimals as Java's `BigDecimal.toString` writes them.
    Strings(ByteStrings),
}

impl Vector {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Strings(values) => values.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Values that a step could not take, by index in its batch: (index, message code). Ascending, at most one an index.
pub type RowRefusals = Vec<(u32, &'static str)>;

/// A step or encoding bound to its arguments: reads one column, writes another of the same length.
pub trait ColumnOperation: Send + Sync {
    /// Appends one output value for every input value to `output` (empty on entry, of the variant [`ColumnOperation::output`] makes).
    /// A value that cannot be taken still gets an output (empty or 0) and is noted in `refused`.
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut RowRefusals);

    /// An empty column of the kind this operation writes.
    fn output(&self) -> Vector;

    /// For an operation on numbers or times that is cyclic, or keeps the order of each sign by itself: the first input above
    /// `input` at which its results begin anew. From one such input to the next they never fall.
    fn turn(&self, _input: i64) -> Option<i64> {
        None
    }

    /// For a cyclic operation on numbers or times: inputs, the first and the last, among which every result occurs.
    fn cycle(&self) -> Option<(i64, i64)> {
        None
    }
}
