//! Key lengths.

/// Number, sum, extremes and spread of key lengths, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthCounts {
    /// Number of keys.
    pub count: u64,
    /// Bytes of all keys.
    pub sum: u64,
    /// The shortest; `None` without keys.
    pub min: Option<usize>,
    /// The longest; 0 without keys.
    pub max: usize,
    /// Keys by the bit length of their length: `[i]` counts the lengths from 2^(i-1) to 2^i - 1. A row key has at most 32767 bytes.
    pub powers: [u64; 16],
}

impl LengthCounts {
    /// Counts keys of so many bytes.
    pub fn add(&mut self, length: usize, keys: u64) {
        if keys == 0 {
            return;
        }
        self.count += keys;
        self.sum += length as u64 * keys;
        self.min = Some(self.min.map_or(length, |min| min.min(length)));
        self.max = self.max.max(length);
        let bits = (usize::BITS - length.leading_zeros()) as usize;
        if let Some(power) = self.powers.get_mut(bits.min(15)) {
            *power += keys;
        }
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.sum = self.sum.saturating_add(other.sum);
        self.min = self.min.into_iter().chain(other.min).min();
        self.max = self.max.max(other.max);
        super::add_all(&mut self.powers, &other.powers);
    }
}
