//! Columns of values that steps read and write: one batch of rows, or the distinct values of a dictionary.

/// Most bytes of a value within a formula, twice what a row key can have: a value that grows from step to step stops here.
pub const MOST_BYTES: usize = 1 << 16;

/// Most bytes of a whole column.
const MOST_IN_COLUMN: usize = 1 << 30;

/// Byte strings laid end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteStrings {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Where each string ends in `bytes`; it starts where the one before ends.
    pub ends: Vec<u32>,
}

impl ByteStrings {
    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The string at `index`; empty past the end.
    #[inline(always)]
    pub fn get(&self, index: usize) -> &[u8] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.bytes.get(start as usize..end as usize).unwrap_or(&[])
    }

    /// Adds a string.
    #[inline(always)]
    pub fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.end();
    }

    /// Whether a value may have come to these bytes, which begin at `start`.
    ///
    /// # Errors
    /// It is wider than [`MOST_BYTES`], or the column has no room for it: message codes.
    pub fn check(&self, start: usize) -> Result<(), &'static str> {
        match self.bytes.len() {
            end if end - start > MOST_BYTES => Err("row.value-too-wide"),
            end if end > MOST_IN_COLUMN => Err("row.no-room"),
            _ => Ok(()),
        }
    }

    /// Ends the string that begins at `start`, empty when `result` refuses it or it is more than a value may be.
    pub fn end_checked(
        &mut self,
        start: usize,
        result: Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        let checked = result.and_then(|()| self.check(start));
        if checked.is_err() {
            self.bytes.truncate(start);
        }
        self.end();
        checked
    }

    /// Ends the string whose bytes were appended to `bytes`.
    #[inline(always)]
    pub fn end(&mut self) {
        self.ends.push(self.bytes.len() as u32);
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// The strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }
}

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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Values that a step could not take, by index in its batch: (index, message code). Ascending, at most one an index.
pub type Refusals = Vec<(u32, &'static str)>;

/// A step or encoding bound to its arguments: reads one column, writes another of the same length.
pub trait Operation: Send + Sync {
    /// Appends one output value for every input value to `output` (empty on entry, of the variant [`Operation::output`] makes).
    /// A value that cannot be taken still gets an output (empty or 0) and is noted in `refused`.
    fn apply(&self, input: &Vector, output: &mut Vector, refused: &mut Refusals);

    /// An empty column of the kind this operation writes.
    fn output(&self) -> Vector;

    /// Of a cyclic operation on numbers or times: the first input above `input` at which its results begin anew. From
    /// one such input to the next they never fall.
    fn turn(&self, _input: i64) -> Option<i64> {
        None
    }

    /// Of a cyclic operation on numbers or times: inputs, the first and the last, among which every result occurs.
    fn cycle(&self) -> Option<(i64, i64)> {
        None
    }
}
