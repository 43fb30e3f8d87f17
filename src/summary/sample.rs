//! Samples that merge: of all items, the k whose hash is lowest.
//!
//! Which items stay depends on the items alone. An item among the k lowest of the whole is among the k lowest of
//! every part that has it, and once it is out of a part it can't come back, so its count is exact after any merge tree.

use crate::base::estimate::Estimate;
use crate::bytes::position::mix;
use std::collections::BTreeMap;

/// Items of a sample of rows or keys. A share estimated from it has a standard error below 0.8 percentage points.
pub const SAMPLE_SIZE: usize = 4096;

/// The items with the lowest hash, so many of them, each with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct HashSample<I: Ord, V> {
    size: usize,
    items: BTreeMap<(u64, I), V>,
    /// The highest hash held, once it is full: what has a higher one stays out.
    bound: u64,
}

impl<I: Ord, V> Default for HashSample<I, V> {
    fn default() -> Self {
        Self::new(SAMPLE_SIZE)
    }
}

impl<I: Ord, V> HashSample<I, V> {
    /// An empty sample of at most `size` items.
    pub fn new(size: usize) -> Self {
        Self { size, items: BTreeMap::new(), bound: u64::MAX }
    }

    /// True if an item of this hash may get in.
    #[inline(always)]
    pub fn admits(&self, hash: u64) -> bool {
        hash <= self.bound
    }

    /// The highest hash that may get in.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Makes sure of the bound after an item came in.
    fn settle(&mut self) {
        if self.is_full() {
            self.bound = self.items.last_key_value().map_or(u64::MAX, |((last, _), _)| *last);
        }
    }

    /// Adds an item; of one that is there already, `join` takes in the new value.
    pub fn add(&mut self, hash: u64, item: I, value: V, join: impl FnOnce(&mut V, V)) {
        match self.items.entry((hash, item)) {
            std::collections::btree_map::Entry::Occupied(mut held) => join(held.get_mut(), value),
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(value);
            }
        }
        if self.items.len() > self.size {
            self.items.pop_last();
        }
        self.settle();
    }

    /// Adds an item of a higher hash than all others; whether it is one and there was room.
    pub(super) fn push(&mut self, hash: u64, item: I, value: V) -> bool {
        let item = (hash, item);
        let after = self.items.last_key_value().is_none_or(|(last, _)| *last < item);
        let room = !self.is_full();
        let added = after && room && self.items.insert(item, value).is_none();
        self.settle();
        added
    }

    /// Takes in another sample.
    pub fn merge(&mut self, other: Self, join: impl Fn(&mut V, V)) {
        for ((hash, item), value) in other.items {
            if !self.admits(hash) {
                break;
            }
            self.add(hash, item, value, &join);
        }
    }

    /// Number of items held.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// True if it holds as many items as it may.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.size
    }

    /// The facts held about an item.
    pub fn get(&self, hash: u64, item: &I) -> Option<&V>
    where
        I: Clone,
    {
        self.items.get(&(hash, item.clone()))
    }

    /// True if an item is held.
    pub fn holds(&self, hash: u64, item: &I) -> bool
    where
        I: Clone,
    {
        self.get(hash, item).is_some()
    }

    /// How many items of `other` are not held.
    pub fn missing(&self, other: &Self) -> usize {
        other.items.keys().filter(|item| !self.items.contains_key(item)).count()
    }

    /// The items with their values, by hash.
    pub fn iter(&self) -> impl Iterator<Item = (&I, &V)> {
        self.items.iter().map(|((_, item), value)| (item, value))
    }

    /// The items with their hashes and values, by hash.
    pub fn iter_hashed(&self) -> impl Iterator<Item = (u64, &I, &V)> {
        self.items.iter().map(|((hash, item), value)| (*hash, item, value))
    }

    /// How many different items were added: exact when all of them are held, else an estimate with a standard error of
    /// 1 ÷ √size: 1.6% for [`SAMPLE_SIZE`].
    pub fn distinct(&self) -> Estimate {
        match self.items.last_key_value() {
            Some(((highest, _), _)) if self.is_full() => Estimate::distinct(self.size, *highest),
            _ => Estimate::exact(self.items.len() as f64),
        }
    }
}

/// Most bytes kept of a sampled key; the counts of region and length are of the whole key.
pub const SAMPLED_KEY_BYTES: usize = 256;

/// A key as a sample holds it: its beginning, and its length.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampledKey {
    /// Its first [`SAMPLED_KEY_BYTES`].
    pub start: Box<[u8]>,
    /// Its length in bytes.
    pub length: u32,
}

impl SampledKey {
    /// The hash of a key, or of any value.
    pub fn new(key: &[u8]) -> Self {
        Self { start: key.get(..SAMPLED_KEY_BYTES).unwrap_or(key).into(), length: key.len() as u32 }
    }

    /// The whole key, when it is held.
    pub fn whole(&self) -> Option<&[u8]> {
        (self.start.len() == self.length as usize).then_some(&self.start)
    }
}

/// A well-mixed hash of bytes. Part of what a summary means: summaries only merge when made with the same.
#[inline(always)]
pub fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = bytes.as_chunks();
    let step = |hash: u64, word: u64| (hash.rotate_left(29) ^ word).wrapping_mul(ODD);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let rest = rest.iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte));
    mix(step(hash, rest))
}
