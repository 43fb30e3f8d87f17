//! Byte strings laid end to end: a column of keys or texts without an allocation for each.

/// Most bytes of a value within a formula, twice what a row key can have: a value that grows from step to step stops here.
pub const MOST_BYTES: usize = crate::base::limits::VALUE_BYTES.most as usize;

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

    /// True if there are none.
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

    /// True if a value may have come to these bytes, which begin at `start`.
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
