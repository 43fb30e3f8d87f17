//! The values of a field, or of the leading parts of a key: how many different ones, and which have most rows.
//!
//! Up to [`VALUES`] different values are counted one by one. With more of them those of the lowest hashes are still counted
//! one by one, by which their number is estimated, and all are counted in [`CountMinSketch`]. Whether there are more depends on
//! the values alone, so parts merge exactly.

use super::counters::CountMinSketch;
use super::sample::{HashSample, SampledKey, hash};
use crate::base::estimate::Estimate;
use crate::bytes::sort::sort_by;

/// Different values that are counted one by one. The number of more is estimated with a standard error of 3.1%.
pub const VALUES: usize = 1024;
/// Values that are counted at the same time.
const SLOTS: usize = 256;

/// Rows by value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSummary {
    /// Rows that have a value.
    pub rows: u64,
    pub(super) sample: HashSample<SampledKey, u64>,
    /// Present when there are more than [`VALUES`] different ones.
    pub(super) counters: Option<CountMinSketch>,
}

impl Default for ValueSummary {
    fn default() -> Self {
        Self { rows: 0, sample: HashSample::new(VALUES), counters: None }
    }
}

impl ValueSummary {
    /// Counts rows of a value.
    pub fn add(&mut self, value: &[u8], rows: u64) {
        self.add_hashed(hash(value), value, rows);
    }

    /// Counts rows of a value, the [`hash`] of which is known.
    pub fn add_hashed(&mut self, hash: u64, value: &[u8], rows: u64) {
        self.rows = self.rows.saturating_add(rows);
        if self.counters.is_some() && !self.sample.admits(hash) {
            return self.count(hash, rows);
        }
        let key = SampledKey::new(value);
        if self.counters.is_none() && self.sample.is_full() && !self.sample.holds(hash, &key) {
            self.start_counters();
        }
        self.count(hash, rows);
        self.sample.add(hash, key, rows, add);
    }

    fn count(&mut self, hash: u64, rows: u64) {
        if let Some(counters) = &mut self.counters {
            counters.add(hash, rows);
        }
    }

    /// Counts in counters what was counted one by one so far: all of it.
    fn start_counters(&mut self) {
        let sample = &self.sample;
        self.counters.get_or_insert_with(|| {
            let mut counters = CountMinSketch::default();
            sample.iter_hashed().for_each(|(hash, _, &rows)| counters.add(hash, rows));
            counters
        });
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, mut other: Self) {
        let many = self.counters.is_some() || other.counters.is_some();
        if many || self.sample.len() + self.sample.missing(&other.sample) > VALUES {
            self.start_counters();
            other.start_counters();
        }
        if let (Some(counters), Some(more)) = (&mut self.counters, &other.counters) {
            counters.merge(more);
        }
        self.rows = self.rows.saturating_add(other.rows);
        self.sample.merge(other.sample, add);
    }

    /// How many different values there are.
    pub fn distinct(&self) -> Estimate {
        match self.counters {
            Some(_) => self.sample.distinct(),
            None => Estimate::exact(self.sample.len() as f64),
        }
    }

    /// The rows of a value; an estimate is its upper bound.
    pub fn rows_of(&self, value: &[u8]) -> Estimate {
        let hash = hash(value);
        let counted = self.sample.get(hash, &SampledKey::new(value)).copied();
        match (&self.counters, counted) {
            (Some(counters), None) => {
                let most = counters.at_most(hash) as f64;
                Estimate { value: most, low: (most - CountMinSketch::error(self.rows)).max(0.0), high: most }
            }
            _ => Estimate::exact(counted.unwrap_or(0) as f64),
        }
    }

    /// The `most` values with most rows, of those that were counted one by one and the `candidates`.
    pub fn busiest<'a>(
        &'a self,
        candidates: impl Iterator<Item = &'a [u8]>,
        most: usize,
    ) -> Vec<(&'a [u8], Estimate)> {
        let mut values: Vec<&[u8]> = self.sample.iter().filter_map(|(value, _)| value.whole()).collect();
        if self.counters.is_some() {
            values.extend(candidates);
            crate::bytes::sort::sort_distinct(&mut values);
        }
        let mut values: Vec<_> = values.into_iter().map(|value| (value, self.rows_of(value))).collect();
        sort_by(&mut values, |a, b| b.1.value.total_cmp(&a.1.value).then_with(|| a.0.cmp(b.0)));
        values.truncate(most);
        values
    }
}

fn add(rows: &mut u64, more: u64) {
    *rows = rows.saturating_add(more);
}

/// A value being counted, with its rows so far.
#[derive(Clone, Copy, Default)]
struct TallySlot<V> {
    hash: u64,
    value: V,
    rows: u64,
}

/// Counts rows by value: equal values of many rows together before they are counted in [`ValueSummary`], so that most rows cost a
/// comparison. Each value being counted has a place that its hash decides.
#[inline(never)]
pub fn tally<V: AsRef<[u8]> + Copy + Default + PartialEq>(
    rows: impl Iterator<Item = V>,
    values: &mut ValueSummary,
) {
    let mut slots = [TallySlot::<V>::default(); SLOTS];
    let (mut run, mut length) = (V::default(), 0);
    let mut place = |value: V, rows: u64| {
        let hash = hash(value.as_ref());
        let Some(slot) = slots.get_mut(hash as usize % SLOTS) else { return };
        if slot.rows == 0 || slot.hash != hash || slot.value != value {
            if slot.rows > 0 {
                values.add_hashed(slot.hash, slot.value.as_ref(), slot.rows);
            }
            *slot = TallySlot { hash, value, rows: 0 };
        }
        slot.rows += rows;
    };
    for value in rows {
        if length > 0 && value != run {
            place(run, length);
            length = 0;
        }
        (run, length) = (value, length + 1);
    }
    if length > 0 {
        place(run, length);
    }
    for slot in slots.iter().filter(|slot| slot.rows > 0) {
        values.add_hashed(slot.hash, slot.value.as_ref(), slot.rows);
    }
}
