//! Texts by number.

use crate::bytes::strings::ByteStrings;

/// Every so many rows, but not after the first so many, a column is asked whether holding each text once pays.
const TRIAL_ROWS: u32 = 32_768;
/// More new texts than these among the last [`TRIAL_ROWS`] and it does not: 70%.
const TOO_MANY_NEW: usize = TRIAL_ROWS as usize / 10 * 7;

/// Texts looked up together.
const GROUP: usize = 64;

/// The texts of a column, each under a number. While repeats are found worthwhile every text is held once; a
/// column of nearly unique texts stops looking and appends.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// The texts in order of first arrival.
    pub entries: ByteStrings,
    /// Open addressing with linear probing: the text's hash in the high half, its number plus one in the low; 0 is free.
    slots: Vec<u64>,
    /// Texts asked for.
    asked: u32,
    /// Texts held when the trial now running began.
    held_before: usize,
    /// Set once the column has stopped looking.
    appending: bool,
    /// Set where equal texts must have one number, however few are equal.
    every: bool,
}

impl Dictionary {
    /// Texts that are looked up by their numbers alone.
    pub(in crate::records) fn of_entries(entries: ByteStrings) -> Self {
        Self { entries, ..Self::default() }
    }

    /// One that never stops looking, however few texts repeat.
    pub(crate) fn of_every_text() -> Self {
        Self { every: true, ..Self::default() }
    }

    /// The number of `text`, new or known.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        let hash = hash(text);
        self.intern_hashed(text, hash)
    }

    /// Appends the numbers of `texts` to `ids`. Faster than one by one: the table, the places and the bytes of a group
    /// of texts are each fetched together, so that waiting for memory overlaps.
    pub fn intern_all<'a>(&mut self, mut texts: impl Iterator<Item = &'a [u8]>, ids: &mut Vec<u32>) {
        let mut group = [[].as_slice(); GROUP];
        loop {
            let mut count = 0;
            for (place, text) in group.iter_mut().zip(&mut texts) {
                *place = text;
                count += 1;
            }
            let group = group.get(..count).unwrap_or_default();
            if group.is_empty() {
                return;
            }
            self.intern_group(group, ids);
        }
    }

    /// Appends the numbers of entries of another dictionary to `ids`, as if their texts came one by one. Each text is looked up once,
    /// however often it comes.
    pub fn intern_entries(&mut self, entries: impl Iterator<Item = u32>, texts: &Self, ids: &mut Vec<u32>) {
        /// Not looked up yet.
        const NONE: u32 = u32::MAX;
        let mut known = vec![NONE; texts.len()];
        for entry in entries {
            let Some(id) = known.get_mut(entry as usize) else { continue };
            let trial = self.asked.wrapping_add(1).is_multiple_of(TRIAL_ROWS);
            if *id == NONE || trial || self.appending {
                *id = self.intern(texts.get(entry));
            } else {
                self.asked = self.asked.wrapping_add(1);
            }
            ids.push(*id);
        }
    }

    fn intern_group(&mut self, group: &[&[u8]], ids: &mut Vec<u32>) {
        let mut found = [(0, 0); GROUP];
        let mask = self.slots.len().wrapping_sub(1);
        for (found, text) in found.iter_mut().zip(group) {
            let hash = hash(text);
            *found = (hash, self.slots.get(hash as usize & mask).copied().unwrap_or(0));
        }
        let mut held = [[].as_slice(); GROUP];
        for (held, &(_, slot)) in held.iter_mut().zip(&found) {
            *held = self.entries.get((slot as u32).wrapping_sub(1) as usize);
        }
        let mut known = [false; GROUP];
        for (((known, held), &(hash, slot)), text) in known.iter_mut().zip(held).zip(&found).zip(group) {
            *known = slot != 0 && (slot >> 32) as u32 == hash && same(held, text);
        }
        for ((&known, &(hash, slot)), text) in known.iter().zip(&found).zip(group) {
            let trial = self.asked.wrapping_add(1).is_multiple_of(TRIAL_ROWS);
            ids.push(if known && !trial && !self.appending {
                self.asked = self.asked.wrapping_add(1);
                slot as u32 - 1
            } else {
                self.intern_hashed(text, hash)
            });
        }
    }

    fn intern_hashed(&mut self, text: &[u8], hash: u32) -> u32 {
        self.asked = self.asked.wrapping_add(1);
        if self.appending {
            return self.append(text);
        }
        if self.asked.is_multiple_of(TRIAL_ROWS) || self.entries.len() * 2 >= self.slots.len() {
            self.make_room();
            if self.appending {
                return self.append(text);
            }
        }
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        while let Some(&held) = self.slots.get(slot) {
            if held == 0 {
                let id = self.append(text);
                self.slots[slot] = u64::from(hash) << 32 | u64::from(id + 1);
                return id;
            }
            let id = held as u32 - 1;
            if (held >> 32) as u32 == hash && same(self.entries.get(id as usize), text) {
                return id;
            }
            slot = (slot + 1) & mask;
        }
        self.append(text)
    }

    /// The text under `id`; empty when there is none.
    pub fn get(&self, id: u32) -> &[u8] {
        self.entries.get(id as usize)
    }

    /// Number of texts held.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if it holds none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// True if equal texts are sure to have one number. Otherwise a text may be held several times.
    pub fn interning(&self) -> bool {
        !self.appending
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        self.entries.bytes.capacity() + 4 * self.entries.ends.capacity() + 8 * self.slots.capacity()
    }

    /// Bytes of texts, their ends and their places in the table.
    pub(super) fn size(&self) -> usize {
        let place = if self.appending { 0 } else { 2 * size_of::<u64>() };
        self.entries.bytes.len() + self.entries.len() * (4 + place)
    }

    fn append(&mut self, text: &[u8]) -> u32 {
        let id = self.entries.len() as u32;
        self.entries.push(text);
        id
    }

    /// Stops looking when it does not pay, doubles the table when it is half full. Hashes are kept in the table,
    /// so the texts are not read again.
    #[cold]
    fn make_room(&mut self) {
        if self.asked.is_multiple_of(TRIAL_ROWS) {
            let new = self.entries.len() - self.held_before;
            self.held_before = self.entries.len();
            if !self.every && self.asked > TRIAL_ROWS && new > TOO_MANY_NEW {
                self.appending = true;
                self.slots = Vec::new();
                return;
            }
        }
        if self.entries.len() * 2 < self.slots.len() {
            return;
        }
        let size = (self.slots.len() * 2).max(64);
        #[expect(
            clippy::slow_vector_initialization,
            reason = "memory that is read before it is written is mapped twice, and all threads wait the second time"
        )]
        let slots = {
            let mut slots = Vec::with_capacity(size);
            slots.resize(size, 0);
            slots
        };
        let old = std::mem::replace(&mut self.slots, slots);
        for held in old.into_iter().filter(|&held| held != 0) {
            let mut slot = (held >> 32) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = held;
        }
    }
}

/// Multiply-and-fold over eight bytes at a time; the last eight overlap, so no byte is read alone in texts of eight and more.
#[inline(always)]
fn hash(text: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let mut state = text.len() as u64;
    if let Some(last) = text.last_chunk::<8>() {
        for word in text[..text.len() - 1].as_chunks::<8>().0 {
            state = mix(state, u64::from_le_bytes(*word));
        }
        state = mix(state, u64::from_le_bytes(*last));
    } else {
        let word = match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => text.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        state = mix(state, word);
    }
    (state.wrapping_mul(FACTOR) >> 32) as u32
}

/// True if two texts are equal, eight bytes at a time: texts are short, a call of `memcmp` costs more than the bytes.
#[inline(always)]
pub(crate) fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    match (left.last_chunk::<8>(), right.last_chunk::<8>()) {
        (Some(last), Some(other)) => {
            let (left, right) = (&left[..left.len() - 1], &right[..right.len() - 1]);
            u64::from_le_bytes(*last) == u64::from_le_bytes(*other)
                && left
                    .as_chunks::<8>()
                    .0
                    .iter()
                    .zip(right.as_chunks::<8>().0)
                    .all(|(left, right)| u64::from_le_bytes(*left) == u64::from_le_bytes(*right))
        }
        _ => left.iter().zip(right).all(|(left, right)| left == right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn equal_texts_get_one_number_and_come_back(texts in prop::collection::vec("[ab]{0,20}", 0..400)) {
            let mut dictionary = Dictionary::default();
            let mut naive: HashMap<&str, u32> = HashMap::new();
            let mut together = Vec::new();
            Dictionary::default().intern_all(texts.iter().map(|text| text.as_bytes()), &mut together);
            let mut one_by_one = Vec::new();
            for text in &texts {
                let next = naive.len() as u32;
                let id = dictionary.intern(text.as_bytes());
                prop_assert_eq!(id, *naive.entry(text).or_insert(next));
                prop_assert_eq!(dictionary.get(id), text.as_bytes());
                one_by_one.push(id);
            }
            prop_assert_eq!(together, one_by_one);
            prop_assert_eq!(dictionary.len(), naive.len());
        }
    }

    #[test]
    fn a_column_of_unique_texts_stops_looking_and_frees_the_table() {
        let mut dictionary = Dictionary::default();
        for row in 0..2 * TRIAL_ROWS {
            assert_eq!(dictionary.intern(row.to_string().as_bytes()), row);
        }
        assert!(!dictionary.interning() && dictionary.slots.is_empty());
        assert_eq!(dictionary.intern(b"0"), 2 * TRIAL_ROWS);
        assert_eq!(dictionary.get(2 * TRIAL_ROWS), b"0");
    }

    #[test]
    fn a_column_with_repeats_keeps_looking() {
        let mut dictionary = Dictionary::default();
        for row in 0..200_000u32 {
            assert_eq!(dictionary.intern((row % 50_000).to_string().as_bytes()), row % 50_000);
        }
        assert!(dictionary.interning());
    }

    #[test]
    fn short_numbers_as_text_spread_over_the_hash() {
        let mut low_bits = vec![0u32; 1024];
        for number in 0..102_400u32 {
            low_bits[hash(number.to_string().as_bytes()) as usize % 1024] += 1;
        }
        assert!(low_bits.iter().all(|&count| (40..200).contains(&count)), "{low_bits:?}");
    }
}
