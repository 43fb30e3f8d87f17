//! Equal values of a batch counted together before they are counted in [`Values`]: most rows then cost a comparison.

use super::Values;
use super::sample::hash;
use crate::formula::vector::ByteStrings;

/// Values that are counted at the same time.
const SLOTS: usize = 256;

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    /// A string of the batch that begins with the value, and where the value ends in it.
    at: (usize, usize),
    rows: u64,
}

/// The values being counted, each at a place its hash decides.
pub struct Tally([Slot; SLOTS]);

impl Default for Tally {
    fn default() -> Self {
        Self([Slot::default(); SLOTS])
    }
}

impl Tally {
    /// Counts the beginning of each string up to `end` of its index in `values`. Empty strings count nothing.
    pub fn add_all(mut self, strings: &ByteStrings, end: impl Fn(usize) -> usize, values: &mut Values) {
        let value = |(index, end): (usize, usize)| strings.get(index).get(..end).unwrap_or_default();
        for (index, string) in strings.iter().enumerate().filter(|(_, string)| !string.is_empty()) {
            let at = (index, end(index).min(string.len()));
            let hash = hash(value(at));
            let Some(slot) = self.0.get_mut(hash as usize % SLOTS) else { continue };
            if slot.hash != hash || slot.rows == 0 || value(slot.at) != value(at) {
                if slot.rows > 0 {
                    values.add_hashed(slot.hash, value(slot.at), slot.rows);
                }
                *slot = Slot { hash, at, rows: 0 };
            }
            slot.rows += 1;
        }
        for slot in self.0.iter().filter(|slot| slot.rows > 0) {
            values.add_hashed(slot.hash, value(slot.at), slot.rows);
        }
    }
}
