//! A count of distinct combinations of numbers, by a hash of 64 bits.

use crate::bytes::position::mix;

/// Combinations seen: open addressing, 0 is free.
pub(super) struct Distinct {
    slots: Vec<u64>,
    count: usize,
}

impl Distinct {
    /// With room for so many.
    pub fn with_room(rows: usize) -> Self {
        Self { slots: vec![0; (rows * 2).next_power_of_two().max(16)], count: 0 }
    }

    /// Adds a combination; true if it is new.
    pub fn add(&mut self, numbers: impl Iterator<Item = u32>) -> bool {
        let hash = numbers.fold(1, |hash, number| mix(hash ^ u64::from(number) << 8)).max(1);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == hash {
                return false;
            }
            if *slot == 0 {
                *slot = hash;
                self.count += 1;
                return true;
            }
            at = (at + 1) & mask;
        }
        false
    }

    /// Number of distinct ones.
    pub fn count(&self) -> usize {
        self.count
    }
}
