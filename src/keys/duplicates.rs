//! Row keys written more than once: the later row hides the earlier, or becomes another version of its cells.

use super::quarters::QuarterRecords;
use crate::base::figures::share;
use crate::bytes::row::to_string_binary;
use serde::Serialize;

/// Most examples, and most rows shown of each.
const EXAMPLES: usize = 10;
/// Rows of a key from which on keys are counted together: HBase keeps no more versions of a cell that anyone would ask for.
const MOST_REPEATS: usize = 1000;

/// Keys that several rows share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Duplicates {
    /// Different keys written more than once.
    pub keys: usize,
    /// Rows that have such a key.
    pub rows: usize,
    /// How many of the keys have two rows, three, four and so on; the last one counts those with more too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<u64>,
    /// Records of each quarter of them in order of time, and those that are the first of their key; none where keys are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarters: Option<[QuarterRecords; 4]>,
    /// The first of them in key order.
    pub examples: Vec<Duplicate>,
    /// Rows of the key that was noted last.
    #[serde(skip)]
    last: usize,
    /// True if the numbers are estimates from a sample.
    pub estimated: bool,
    /// The least and the most that the keys, then the rows, may be of an estimate, 19 times of 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[[usize; 2]; 2]>,
}

/// A key that several rows share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Duplicate {
    /// The key in `\xNN` notation.
    pub key: String,
    /// Its first rows, in order of arrival, counted from 0 over all records.
    pub rows: Vec<u64>,
}

impl Duplicates {
    /// From a sample of keys with the number of rows of each, and estimates of all keys and rows of them that have several.
    pub fn estimated(sample: impl Iterator<Item = u64>, [keys, rows]: [usize; 2]) -> Self {
        let mut found = Self { keys, rows, ..Self::default() };
        let mut sampled = 0u64;
        for rows in sample.filter(|&rows| rows > 1) {
            sampled += 1;
            found.count(usize::try_from(rows).unwrap_or(usize::MAX), |keys| keys + 1);
        }
        found.repeats.iter_mut().for_each(|count| *count = share(*count, keys as u64, sampled.max(1)));
        found
    }

    /// From (row, key) in key order, equal keys in order of arrival.
    pub fn of<'a>(keys: impl Iterator<Item = (u32, &'a [u8])>) -> Self {
        let mut found = Self::default();
        let mut before: Option<(u32, &[u8])> = None;
        let mut repeated = false;
        for (row, key) in keys {
            match before {
                Some((first, same)) if same == key => {
                    found.note(first, row, key, repeated);
                    repeated = true;
                }
                _ => repeated = false,
            }
            before = Some((row, key));
        }
        found
    }

    /// From the places in key order whose key is that of the place before, and what gives row and key of a place.
    pub fn of_repeats<'a>(
        places: impl Iterator<Item = usize>,
        at: impl Fn(usize) -> (u32, &'a [u8]),
    ) -> Self {
        let mut found = Self::default();
        let mut before = None;
        for place in places {
            let (row, key) = at(place);
            let first = place.checked_sub(1).map_or(row, |first| at(first).0);
            found.note(first, row, key, before == place.checked_sub(1));
            before = Some(place);
        }
        found
    }

    /// Takes in rows that have one key and write the same cells, in order of arrival.
    pub(super) fn add(&mut self, key: &[u8], mut rows: impl Iterator<Item = u32>) {
        let Some(mut before) = rows.next() else { return };
        for (index, row) in rows.enumerate() {
            self.note(before, row, key, index > 0);
            before = row;
        }
    }

    /// Changes the number of keys with so many rows.
    fn count(&mut self, rows: usize, change: impl FnOnce(u64) -> u64) {
        let place = rows.min(MOST_REPEATS) - 2;
        if self.repeats.len() <= place {
            self.repeats.resize(place + 1, 0);
        }
        if let Some(keys) = self.repeats.get_mut(place) {
            *keys = change(*keys);
        }
    }

    /// `row` has the key of the row `before`, which is itself a repetition when `repeated`.
    fn note(&mut self, before: u32, row: u32, key: &[u8], repeated: bool) {
        self.rows += 1 + usize::from(!repeated);
        self.last = if repeated { self.last + 1 } else { 2 };
        if repeated {
            self.count(self.last - 1, |keys| keys.saturating_sub(1));
        }
        self.count(self.last, |keys| keys + 1);
        if !repeated {
            self.keys += 1;
            if self.keys <= EXAMPLES {
                self.examples.push(Duplicate { key: to_string_binary(key), rows: vec![before.into()] });
            }
        }
        if self.keys <= EXAMPLES
            && let Some(example) = self.examples.last_mut().filter(|example| example.rows.len() < EXAMPLES)
        {
            example.rows.push(row.into());
        }
    }
}
