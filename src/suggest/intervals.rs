//! How hot the hottest place is, over intervals of several lengths, less what an even deal gives.

use crate::bytes::position::mix;
use crate::summary::ladder::STEPS;
use std::cell::RefCell;

/// Fewest rows of an interval that is looked at.
const ROWS: usize = 50;
/// Stands for a row that is not counted.
pub(super) const NOT_COUNTED: u32 = u32::MAX;
/// Most cells of a matrix of intervals and places.
const CELLS: usize = 1 << 21;

/// Intervals of several lengths over some rows.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    /// The finest interval of each row.
    of_row: Vec<u32>,
    /// Finest intervals.
    count: usize,
    /// By length: how many finest intervals come before the first, and how many make one.
    lengths: Vec<(usize, usize)>,
    /// By number of places: the share of the busiest at each length where rows are dealt evenly.
    even: RefCell<Vec<(usize, Vec<f64>)>>,
}

impl Intervals {
    /// Over the rows that have a time; `places` is the most that they will be counted for.
    pub fn new(times: &[Option<i64>], places: usize) -> Self {
        let known: Vec<i64> = times.iter().flatten().copied().collect();
        let (Some(&first), Some(&last)) = (known.iter().min(), known.iter().max()) else {
            return Self { of_row: vec![NOT_COUNTED; times.len()], ..Self::default() };
        };
        let step = finest(&known, first, last, places);
        let tick = |time: i64| (time.div_euclid(step) - first.div_euclid(step)) as usize;
        let count = tick(last) + 1;
        let of_row = times.iter().map(|time| time.map_or(NOT_COUNTED, |time| tick(time) as u32)).collect();
        let lengths = STEPS.iter().filter(|&&longer| longer >= step).map(|&longer| {
            let together = (longer / step).max(1);
            (first.div_euclid(step).rem_euclid(together) as usize, together as usize)
        });
        let mut lengths: Vec<(usize, usize)> = lengths.collect();
        let several = |&(lead, together): &(usize, usize)| (lead + count).div_ceil(together) > 2;
        lengths.retain(several);
        lengths.push((0, count));
        Self { of_row, count, lengths, even: RefCell::default() }
    }

    /// The share of the hottest of `places`; `place` tells the one of each row.
    pub fn hottest(&self, place: &[u32], places: usize) -> f64 {
        if places < 2 {
            return 1.0;
        }
        let shares = self.shares(place, places);
        let even = self.even(place.len(), places);
        let least = 1.0 / places as f64;
        let beyond = |(&share, &even): (&f64, &f64)| {
            let room = 1.0 - even;
            if room > 1e-9 { least + (share - even).max(0.0) / room * (1.0 - least) } else { share }
        };
        shares.iter().zip(&even).map(beyond).fold(least, f64::max)
    }

    /// The shares when rows are dealt by a hash: what chance alone gives.
    fn even(&self, rows: usize, places: usize) -> Vec<f64> {
        if let Some((_, known)) = self.even.borrow().iter().find(|(of, _)| *of == places) {
            return known.clone();
        }
        let mut sums = vec![0.0; self.lengths.len()];
        const DEALS: u64 = 3;
        for deal in 1..=DEALS {
            let dealt: Vec<u32> =
                (0..rows as u64).map(|row| (mix(mix(row) ^ deal) % places as u64) as u32).collect();
            let shares = self.shares(&dealt, places);
            sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share / DEALS as f64);
        }
        self.even.borrow_mut().push((places, sums.clone()));
        sums
    }

    /// The mean share of the busiest place at each length, weighted by rows.
    fn shares(&self, place: &[u32], places: usize) -> Vec<f64> {
        let mut counts = vec![0u32; self.count * places];
        for (&interval, &place) in self.of_row.iter().zip(place) {
            if interval != NOT_COUNTED
                && let Some(count) = counts.get_mut(interval as usize * places + place as usize)
            {
                *count += 1;
            }
        }
        self.lengths.iter().map(|&(lead, together)| busiest(&counts, places, lead, together)).collect()
    }
}

/// The mean share of the busiest place, of intervals made of several finer ones.
fn busiest(counts: &[u32], places: usize, lead: usize, together: usize) -> f64 {
    let (mut largest, mut rows) = (0u64, 0u64);
    let mut sums = vec![0u64; places];
    let intervals = counts.len() / places;
    for (at, cells) in counts.chunks_exact(places).enumerate() {
        sums.iter_mut().zip(cells).for_each(|(sum, &cell)| *sum += u64::from(cell));
        if (lead + at + 1).is_multiple_of(together) || at + 1 == intervals {
            let all: u64 = sums.iter().sum();
            // Few rows say nothing, unless there are no more.
            if all >= ROWS as u64 || together >= intervals {
                largest += sums.iter().copied().max().unwrap_or(0);
                rows += all;
            }
            sums.fill(0);
        }
    }
    if rows == 0 { 0.0 } else { largest as f64 / rows as f64 }
}

/// The finest step at which half of the rows lie in intervals of enough rows.
fn finest(times: &[i64], first: i64, last: i64, places: usize) -> i64 {
    let fits = |step: i64| {
        let count = (last.div_euclid(step) - first.div_euclid(step)) as usize + 1;
        if count.saturating_mul(places) > CELLS {
            return false;
        }
        let mut rows = vec![0u32; count];
        for time in times {
            if let Some(rows) = rows.get_mut((time.div_euclid(step) - first.div_euclid(step)) as usize) {
                *rows += 1;
            }
        }
        let full: usize = rows.iter().map(|&rows| rows as usize).filter(|&rows| rows >= ROWS).sum();
        2 * full >= times.len()
    };
    STEPS.iter().copied().find(|&step| fits(step)).unwrap_or((last - first).max(1))
}
