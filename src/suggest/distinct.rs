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
        let hash = hash(numbers);
        let at = self.place(hash);
        let Some(slot) = self.slots.get_mut(at) else { return false };
        let is_new = *slot == 0;
        *slot = hash;
        self.count += usize::from(is_new);
        is_new
    }

    /// The number of a combination that was added, less than [`Self::numbers`].
    pub fn number(&self, numbers: impl Iterator<Item = u32>) -> Option<usize> {
        let hash = hash(numbers);
        let at = self.place(hash);
        (self.slots.get(at) == Some(&hash)).then_some(at)
    }

    /// All numbers that combinations can get.
    pub fn numbers(&self) -> usize {
        self.slots.len()
    }

    /// The slot that has a hash, or the free one that it gets.
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots.get(at).is_some_and(|&slot| slot != 0 && slot != hash) {
            at = (at + 1) & mask;
        }
        at
    }

    /// Number of distinct ones.
    pub fn count(&self) -> usize {
        self.count
    }
}

fn hash(numbers: impl Iterator<Item = u32>) -> u64 {
    numbers.fold(1, |hash, number| mix(hash ^ u64::from(number) << 8)).max(1)
}
