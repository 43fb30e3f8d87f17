//! Intervals of one length, and the largest of several places in each.

use crate::summary::ladder::STEPS;
use wide::u32x4;

/// Intervals of one length, made of several of a finer one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Interval {
    /// Index of the length in [`STEPS`].
    pub level: usize,
    /// Number of the first, counted from 1970.
    pub first: i64,
    /// Finer ones that make one.
    pub together: usize,
    /// Finer ones that the first lacks at its start.
    pub lead: usize,
    /// Number of intervals.
    pub length: usize,
    /// The windows that they lie in, where not all of the period are counted.
    pub sampled: Option<IntervalWindows>,
    /// Rows of each.
    pub rows: Vec<u32>,
    /// Rows of the region or server with most.
    pub largest: Vec<u32>,
    /// Its number.
    pub hottest: Vec<u32>,
}

/// Windows of time, side by side, of which intervals are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IntervalWindows {
    /// Index of the length of a window in [`STEPS`].
    pub level: usize,
    /// Rows of the period for each counted row.
    pub stands_for: f64,
}

impl Interval {
    /// True if two intervals lie in one window of the period.
    pub fn are_together(&self, one: usize, other: usize) -> bool {
        let step = |level: usize| STEPS.get(level).copied().unwrap_or(1);
        self.sampled.is_none_or(|windows| {
            let each = usize::try_from(step(windows.level) / step(self.level)).unwrap_or(usize::MAX).max(1);
            one / each == other / each
        })
    }

    /// True if not all of the period are counted.
    pub fn is_sampled(&self) -> bool {
        self.sampled.is_some_and(|windows| windows.stands_for > 1.0)
    }

    /// Intervals that so many stand for.
    pub fn stand_for(&self, counted: usize) -> usize {
        self.sampled.map_or(counted, |windows| (counted as f64 * windows.stands_for).round() as usize)
    }

    /// Intervals of the step `level` over `length` of the step `finer`, the first with this number.
    pub fn new(finer: usize, first: i64, length: usize, level: usize) -> Self {
        let step = |level: usize| STEPS.get(level).copied().unwrap_or(1);
        let together = (step(level) / step(finer)).max(1);
        // Where addresses have 32 bits, so many are more than there are ticks.
        let [lead, number] =
            [first.rem_euclid(together), together].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let (first, together) = (first.div_euclid(together), number);
        Self {
            level,
            first,
            together,
            lead,
            length: lead.saturating_add(length).div_ceil(together),
            ..Self::default()
        }
    }

    /// Counts of finer intervals added up.
    pub fn folded(&self, finer: &[u32]) -> Vec<u32> {
        let mut sums = vec![0; self.length];
        self.fold(finer, &mut sums);
        sums
    }

    /// Adds them up into `sums`, in place of what these hold.
    pub fn fold(&self, finer: &[u32], sums: &mut [u32]) {
        let first = self.together.saturating_sub(self.lead).min(finer.len());
        let (first, rest) = finer.split_at(first);
        if let Some((sum, sums)) = sums.split_first_mut() {
            *sum = added_up(first);
            // Most steps are 2, 3 or 5 of the one before. A number that is known needs no loop.
            match self.together {
                2 => fold_by(rest, sums, |&[a, b]| a.saturating_add(b)),
                3 => fold_by(rest, sums, |&[a, b, c]| a.saturating_add(b).saturating_add(c)),
                5 => fold_by(rest, sums, |&[a, b, c, d, e]| {
                    a.saturating_add(b).saturating_add(c).saturating_add(d).saturating_add(e)
                }),
                _ => rest.chunks(self.together).zip(sums).for_each(|(cells, sum)| *sum = added_up(cells)),
            }
        }
    }

    /// Adds a region or server by its rows in each interval.
    pub fn add(&mut self, place: u32, cells: &[u32]) {
        let (fours, last) = cells.as_chunks();
        let (largest, last_largest) = self.largest.as_chunks_mut();
        let (hottest, last_hottest) = self.hottest.as_chunks_mut();
        for ((largest, hottest), cells) in largest.iter_mut().zip(hottest).zip(fours) {
            let (cells, before) = (u32x4::new(*cells), u32x4::new(*largest));
            *hottest = cells.simd_gt(before).bitselect(u32x4::splat(place), u32x4::new(*hottest)).to_array();
            *largest = before.max(cells).to_array();
        }
        for ((largest, hottest), &cell) in last_largest.iter_mut().zip(last_hottest).zip(last) {
            *hottest = if cell > *largest { place } else { *hottest };
            *largest = cell.max(*largest);
        }
    }
}

/// Adds cells to others, four at a time.
pub(super) fn add_to(sums: &mut [u32], cells: &[u32]) {
    let (fours, last) = cells.as_chunks();
    let (sums, last_sums) = sums.as_chunks_mut();
    for (sums, cells) in sums.iter_mut().zip(fours) {
        *sums = u32x4::new(*sums).saturating_add(u32x4::new(*cells)).to_array();
    }
    last_sums.iter_mut().zip(last).for_each(|(sum, &rows)| *sum = sum.saturating_add(rows));
}

fn added_up(cells: &[u32]) -> u32 {
    cells.iter().fold(0, |sum, &rows| sum.saturating_add(rows))
}

fn fold_by<const TOGETHER: usize>(finer: &[u32], sums: &mut [u32], add_up: impl Fn(&[u32; TOGETHER]) -> u32) {
    let (whole, rest) = finer.as_chunks();
    whole.iter().zip(sums.iter_mut()).for_each(|(cells, sum)| *sum = add_up(cells));
    if let Some(last) = sums.get_mut(whole.len()).filter(|_| !rest.is_empty()) {
        *last = added_up(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_of_finer_intervals_are_added_up_one_by_one(
            finer in prop::collection::vec(0u32..9, 0..200),
            first in -500i64..500,
            (level, longer) in (0..STEPS.len(), 0usize..4),
        ) {
            let interval = Interval::new(level, first, finer.len(), (level + longer).min(STEPS.len() - 1));
            let together = interval.together as i64;
            let mut naive = vec![0; interval.length];
            for (number, rows) in (first..).zip(&finer) {
                naive[(number.div_euclid(together) - interval.first) as usize] += rows;
            }
            prop_assert_eq!(interval.folded(&finer), naive);
        }

        #[test]
        fn the_first_place_with_most_rows_is_kept(places in prop::collection::vec(prop::collection::vec(0u32..5, 11), 1..6)) {
            let mut interval = Interval { largest: vec![0; 11], hottest: vec![0; 11], ..Interval::default() };
            let mut sums = vec![0; 11];
            for (place, cells) in (0..).zip(&places) {
                interval.add(place, cells);
                add_to(&mut sums, cells);
            }
            for at in 0..11 {
                let most = places.iter().map(|cells| cells[at]).max().expect("a place");
                let first = places.iter().position(|cells| cells[at] == most).expect("a place");
                prop_assert_eq!(interval.largest[at], most);
                prop_assert_eq!(interval.hottest[at] as usize, if most == 0 { 0 } else { first });
                prop_assert_eq!(sums[at], places.iter().map(|cells| cells[at]).sum::<u32>());
            }
        }
    }
}
