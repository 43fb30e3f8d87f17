//! Rows that lie in another region under another design.

use super::sampled::{SampleInterval, SampleSize};
use crate::analysis::report::LISTED_REGIONS;
use crate::base::host::ticking;
use crate::design::split::SplitPoints;
use crate::keys::table::KeyTable;
use serde::Serialize;
use std::collections::HashMap;

/// Most regions that are matched with each other as well as can be; the work grows with the third power.
const MATCHED: usize = 256;

/// A row that got no key.
const NONE: u32 = u32::MAX;

/// Rows of a region that move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RegionMoves {
    /// Number of the region under the first design.
    pub region: usize,
    /// Rows in it.
    pub rows: u64,
    /// Those of them in a region of another number under the other design, or in none.
    pub moved: u64,
}

/// Rows under one design against the same rows under another.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowMoves {
    /// Rows with a key under either design.
    pub rows: u64,
    /// Those whose key is another: they have to be written anew.
    pub rewritten: u64,
    /// Those of them in a region of another number. A row whose key stays is not moved by other split points.
    pub moved: u64,
    /// Those of them in another region when the regions of both tables are matched so that as few rows as possible move;
    /// `None` with more than 256 regions.
    pub least_moved: Option<u64>,
    /// By region of the first design, at most 10,000.
    pub regions: Vec<RegionMoves>,
    /// Where a sample told them: between which numbers of rows the truth lies, 19 times of 20, of those rewritten, moved, and
    /// moved at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[Option<SampleInterval>; 3]>,
}

impl RowMoves {
    /// An estimate for all records from those of a sample.
    pub fn of_all(mut self, sampled: Option<SampleSize>) -> Self {
        let Some(sampled) = sampled else { return self };
        let told = [Some(self.rewritten), Some(self.moved), self.least_moved];
        self.between = Some(told.map(|rows| Some(sampled.all(rows? as f64).1)));
        let up = |rows: &mut u64| *rows = sampled.all(*rows as f64).0.round() as u64;
        let all =
            [&mut self.rows, &mut self.rewritten, &mut self.moved].into_iter().chain(&mut self.least_moved);
        let of_regions = self.regions.iter_mut().flat_map(|region| [&mut region.rows, &mut region.moved]);
        all.chain(of_regions).for_each(up);
        self
    }
}

/// A table with its split points.
pub type PlacedKeys<'a> = (&'a KeyTable, &'a SplitPoints);

/// The key and the region of each of `rows` records.
fn by_row<'a>((table, points): PlacedKeys<'a>, rows: usize) -> Vec<(&'a [u8], u32)> {
    let mut all = vec![(&[][..], NONE); rows];
    for (row, key) in ticking(table.iter_from(0)) {
        if let Some(place) = all.get_mut(row as usize) {
            *place = (key, points.region_of(key) as u32);
        }
    }
    all
}

/// Rows that move from one design to another of the same `rows` records.
pub fn moves(from: PlacedKeys<'_>, to: PlacedKeys<'_>, rows: usize) -> RowMoves {
    let mut found = RowMoves::default();
    let count = from.1.regions();
    found.regions = (0..count.min(LISTED_REGIONS))
        .map(|region| RegionMoves { region, ..RegionMoves::default() })
        .collect();
    let mut pairs: HashMap<(u32, u32), u64> = HashMap::new();
    let mut last = ((NONE, NONE), 0);
    let rows = by_row(from, rows).into_iter().zip(by_row(to, rows));
    for ((key, region), (other_key, other_region)) in ticking(rows) {
        if region == NONE && other_region == NONE {
            continue;
        }
        found.rows += 1;
        if let Some(listed) = found.regions.get_mut(region as usize) {
            listed.rows += 1;
        }
        // Where a region is split or merged its rows stay what they are: HBase moves no row.
        if key == other_key {
            continue;
        }
        found.rewritten += 1;
        // Neighbouring rows often go the same way.
        if last.0 == (region, other_region) {
            last.1 += 1;
        } else {
            *pairs.entry(last.0).or_default() += last.1;
            last = ((region, other_region), 1);
        }
    }
    *pairs.entry(last.0).or_default() += last.1;
    for (&(region, other), &rows) in &pairs {
        let moved = if region == other { 0 } else { rows };
        found.moved += moved;
        if let Some(listed) = found.regions.get_mut(region as usize) {
            listed.moved += moved;
        }
    }
    let size = count.max(to.1.regions());
    found.least_moved = (size <= MATCHED).then(|| {
        let stays = |region: usize, other: usize| {
            pairs.get(&(region as u32, other as u32)).map_or(0, |&rows| rows as i64)
        };
        found.rewritten.saturating_sub(most_matched(size, stays))
    });
    found
}

/// Most that pairs can add up to when each of `size` on one side is paired with one on the other: the Hungarian method with
/// potentials (Kuhn 1955; Jonker and Volgenant 1987), in time of the third power.
fn most_matched(size: usize, worth: impl Fn(usize, usize) -> i64) -> u64 {
    // Places from 1 on; place 0 is the row or column that is being placed.
    let (mut row_potential, mut column_potential) = (vec![0i64; size + 1], vec![0i64; size + 1]);
    let mut row_of = vec![0usize; size + 1];
    let mut before = vec![0usize; size + 1];
    for row in 1..=size {
        row_of[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; size + 1];
        let mut used = vec![false; size + 1];
        while row_of[column] != 0 {
            used[column] = true;
            let (row, mut step, mut next) = (row_of[column], i64::MAX, 0);
            for other in (1..=size).filter(|&other| !used[other]) {
                let cost = -worth(row - 1, other - 1) - row_potential[row] - column_potential[other];
                if cost < least[other] {
                    (least[other], before[other]) = (cost, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=size {
                if used[other] {
                    row_potential[row_of[other]] += step;
                    column_potential[other] -= step;
                } else if least[other] < i64::MAX {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[before[column]];
            column = before[column];
        }
    }
    let matched = (1..=size).map(|column| worth(row_of[column].saturating_sub(1), column - 1));
    matched.sum::<i64>().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn best(worth: &[Vec<i64>], row: usize, free: u32) -> i64 {
        let Some(values) = worth.get(row) else { return 0 };
        let choices = (0..values.len()).filter(|column| free >> column & 1 == 1);
        choices.map(|column| values[column] + best(worth, row + 1, free & !(1 << column))).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn regions_are_matched_as_well_as_can_be(
            worth in (1usize..6).prop_flat_map(|size| prop::collection::vec(prop::collection::vec(0i64..50, size), size)),
        ) {
            let size = worth.len();
            let found = most_matched(size, |row, column| worth[row][column]);
            prop_assert_eq!(found as i64, best(&worth, 0, (1 << size) - 1));
        }
    }
}
