//! Values that tell records apart, alone or together: by design or by luck.

use super::profile::{FieldProfile, NONE};
use crate::base::map::Map;
use crate::bytes::position::mix;
use crate::records::field::Kind;
use crate::records::{ColumnValues, Records};

/// Rows, one after the other in time, in which near moments are looked for.
const LOOKED_AT: usize = 1 << 14;
/// Farthest that two moments are near each other, in units of the time.
const NEAR: usize = 255;
/// Fewest near pairs from which a number of equal pairs is expected.
const LEAST_PAIRS: usize = 4;
/// Most equal pairs that are expected where there is none: more, and something keeps the moments apart.
const MOST_EXPECTED: f64 = 7.0;

/// True if distinct values drawn from the room that these have would soon repeat. Dense numbers and those that follow time are
/// counters, and no luck.
pub(super) fn is_luck(kind: Kind, profile: &FieldProfile) -> bool {
    let rows = profile.distinct as f64;
    let room = match (kind, profile.range) {
        (Kind::Integer, Some([least, most])) => most as f64 - least as f64 + 1.0,
        (Kind::Text | Kind::Bytes, _) => {
            let free = profile.lengths[1].saturating_sub(profile.constant_prefix.len());
            (0..free.min(20)).fold(1.0, |room, _| room * 10.0)
        }
        // Another record of the same moment comes some day.
        (Kind::Time, _) => return true,
        _ => return false,
    };
    let counter = profile.follows_arrival || room < 1.5 * rows;
    // Half a repeat is expected among so many rows at n² = room.
    !counter && room < 100.0 * rows * rows
}

/// Moments of a time field: rows that follow each other in time.
pub(super) struct Moments {
    /// Row and moment in units, ascending by moment.
    window: Vec<(u32, i64)>,
    /// How many times as many rows there are.
    share: f64,
}

impl Moments {
    /// Those of a column, from the middle of its time. `codes` are the ranks of its values.
    pub fn new(records: &Records, of: &FieldProfile, codes: &[u32]) -> Option<Self> {
        let ColumnValues::Integers(values) = &records.column(&of.name)?.values else { return None };
        let unit = of.unit.max(1);
        let mut rows: Vec<u32> = (0..codes.len() as u32).collect();
        rows.retain(|&row| codes.get(row as usize).is_some_and(|&code| code != NONE));
        rows.sort_unstable_by_key(|&row| (codes.get(row as usize).copied(), row));
        let all = rows.len();
        let from = all.saturating_sub(LOOKED_AT) / 2;
        let moment = |&row: &u32| Some((row, values.get(row as usize)? / unit));
        let window: Vec<_> = rows.iter().skip(from).take(LOOKED_AT).filter_map(moment).collect();
        let share = all as f64 / window.len().max(1) as f64;
        Some(Self { window, share })
    }

    /// Pairs of rows expected to agree in the moment and in these columns, where none does: as many as for any other distance
    /// at which pairs of them are near. None if something keeps their moments apart, or if they are never near.
    pub fn expected(&self, beside: &[&[u32]]) -> Option<f64> {
        let mut last: std::collections::HashMap<u64, i64> = std::collections::HashMap::new();
        let mut pairs = [0usize; NEAR + 1];
        for &(row, moment) in &self.window {
            let code = |column: &&[u32]| column.get(row as usize).copied().unwrap_or(NONE);
            let group = beside.iter().map(code).fold(1, |hash, code| mix(hash ^ u64::from(code) << 8));
            let Some(before) = last.insert(group, moment) else { continue };
            if let Some(count) = pairs.get_mut(usize::try_from(moment - before).unwrap_or(usize::MAX)) {
                *count += 1;
            }
        }
        let within = |distance: usize| pairs.iter().take(distance + 1).skip(1).sum::<usize>();
        let widths = (2..=8).map(|bits| (1usize << bits) - 1);
        let width = widths.into_iter().find(|&width| within(width) >= LEAST_PAIRS)?;
        let spread = within(width / 2) > 0;
        let expected = within(width) as f64 / width as f64 * self.share;
        (spread && expected <= MOST_EXPECTED).then_some(expected)
    }
}

/// The moments of each field that is a time.
pub(super) fn moments(records: &Records, fields: &[FieldProfile], codes: &[Vec<u32>]) -> Map<usize, Moments> {
    let of = |(index, (of, codes)): (usize, (&FieldProfile, &Vec<u32>))| {
        let is_time = of.kind == Kind::Time.name() && of.is_usable();
        Some((index, is_time.then(|| Moments::new(records, of, codes))??))
    };
    fields.iter().zip(codes).enumerate().filter_map(of).collect()
}
