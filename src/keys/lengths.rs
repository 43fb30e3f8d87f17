//! Lengths of keys, qualifiers and values.

/// Spread of key lengths, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLengthSpread {
    /// Number of keys.
    pub count: u64,
    /// Bytes of all keys.
    pub total: u64,
    /// The shortest; 0 without keys.
    pub min: usize,
    /// The longest.
    pub max: usize,
}

impl KeyLengthSpread {
    /// Counts a length.
    pub fn add(&mut self, length: usize) {
        self.min = if self.count == 0 { length } else { self.min.min(length) };
        self.max = self.max.max(length);
        self.total += length as u64;
        self.count += 1;
    }
}
