//! Equal values among rows.

use crate::base::host::beating;
use crate::bytes::position::mix;
use crate::bytes::strings::ByteStrings;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// The distinct values of some rows. Empty values are those of rows that are refused, and do not count.
pub struct EqualValues {
    /// The number of each row's value.
    ids: Vec<u32>,
    /// The values by number, each once.
    values: ByteStrings,
    /// Rows of each.
    rows: Vec<usize>,
}

impl EqualValues {
    /// Among the values of some rows.
    pub fn of(all: &ByteStrings) -> Self {
        let mut ids = Vec::with_capacity(all.len());
        let (mut values, mut rows) = (ByteStrings::default(), Vec::new());
        // By hash, so that no value is looked at again when the table grows.
        let mut known: HashMap<u64, u32, BuildHasherDefault<SameHash>> = HashMap::default();
        for value in beating(all.iter()) {
            let mut hash = hash_of(value);
            let id = loop {
                match known.entry(hash) {
                    Entry::Occupied(known) if values.get(*known.get() as usize) == value => {
                        break *known.get();
                    }
                    // Another value with the same hash.
                    Entry::Occupied(_) => hash = hash.wrapping_add(1),
                    Entry::Vacant(new) => {
                        values.push(value);
                        rows.push(0);
                        break *new.insert(rows.len() as u32 - 1);
                    }
                }
            };
            if let Some(rows) = rows.get_mut(id as usize) {
                *rows += 1;
            }
            ids.push(id);
        }
        Self { ids, values, rows }
    }

    fn counted(&self) -> impl Iterator<Item = (u32, &[u8], usize)> {
        let all = (0..).zip(self.values.iter()).zip(&self.rows);
        all.map(|((id, value), &rows)| (id, value, rows)).filter(|(_, value, _)| !value.is_empty())
    }

    /// The number of different values.
    pub fn distinct(&self) -> usize {
        self.counted().count()
    }

    /// The number of different values among all rows when these are a sample of them, after Chao (1984): from the values
    /// seen once and those seen twice. At least those seen, at most `all_rows`.
    pub fn distinct_among(&self, all_rows: f64) -> f64 {
        let seen = |times: usize| self.counted().filter(|&(.., rows)| rows == times).count() as f64;
        let (once, twice) = (seen(1), seen(2));
        // The form for small counts: without a value seen twice the other divides by nothing.
        let unseen = once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0));
        (self.distinct() as f64 + unseen).min(all_rows)
    }

    /// Number of rows whose value an earlier row has too.
    pub fn repeated(&self) -> usize {
        self.counted().map(|(.., rows)| rows - 1).sum()
    }

    /// The number of the value with most rows, the value, and its rows.
    pub fn most(&self) -> Option<(u32, &[u8], usize)> {
        self.counted().max_by_key(|&(_, value, rows)| (rows, value))
    }

    /// True when a row has the value of this number.
    pub fn has(&self, row: usize, id: u32) -> bool {
        self.ids.get(row) == Some(&id)
    }
}

/// Quick for short values: those of a person's own records are no attack.
fn hash_of(value: &[u8]) -> u64 {
    let mut hash = value.len() as u64;
    let mut add = |word: u64| hash = (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (words, rest) = value.as_chunks::<8>();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    if !rest.is_empty() {
        add(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    mix(hash)
}

/// Numbers that are hashes themselves.
#[derive(Default)]
struct SameHash(u64);

impl Hasher for SameHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash_of(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl Iterator<Item = u64>) -> EqualValues {
        let mut all = ByteStrings::default();
        values.for_each(|value| all.push(&value.to_be_bytes()));
        EqualValues::of(&all)
    }

    #[test]
    fn every_value_is_counted_once_however_many_there_are() {
        // More than a dictionary of records takes in.
        let values = of((0..300_000).map(|row| row % 155_848));
        assert_eq!((values.distinct(), values.repeated()), (155_848, 300_000 - 155_848));
        assert!(values.has(155_848, 0) && !values.has(155_848, 1));
    }

    #[test]
    fn a_sample_tells_about_how_many_values_there_are() {
        let mixed = |row: u64| crate::bytes::position::mix(row);
        for (values, rows) in [(155_848, 1_469_307), (1_000, 1_000_000), (3_000_000, 2_000_000_000)] {
            let sample = of((0..262_144).map(|row| mixed(row) % values));
            let found = sample.distinct_among(rows as f64);
            let off = found / values as f64 - 1.0;
            assert!(off.abs() < 0.03, "{values} values are taken for {found}");
        }
        assert_eq!(of(0..1000).distinct_among(5000.0), 5000.0);
    }
}
