//! Equal values of many rows counted together before they are counted in [`Values`]: most rows then cost a comparison.

use super::Values;
use super::sample::hash;

/// Values that are counted at the same time.
const SLOTS: usize = 256;

#[derive(Clone, Copy, Default)]
struct Slot<V> {
    hash: u64,
    value: V,
    rows: u64,
}

/// Counts rows by value: each value being counted has a place that its hash decides.
#[inline(never)]
pub fn tally<V: AsRef<[u8]> + Copy + Default + PartialEq>(
    rows: impl Iterator<Item = V>,
    values: &mut Values,
) {
    let mut slots = [Slot::<V>::default(); SLOTS];
    let (mut run, mut length) = (V::default(), 0);
    let mut place = |value: V, rows: u64| {
        let hash = hash(value.as_ref());
        let Some(slot) = slots.get_mut(hash as usize % SLOTS) else { return };
        if slot.rows == 0 || slot.hash != hash || slot.value != value {
            if slot.rows > 0 {
                values.add_hashed(slot.hash, slot.value.as_ref(), slot.rows);
            }
            *slot = Slot { hash, value, rows: 0 };
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
