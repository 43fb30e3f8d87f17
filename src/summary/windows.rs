//! Rows by region and short intervals, of some windows of time: what cells of a coarse step no longer tell.
//!
//! Bursts are seen only in intervals as short as they are. Where these are too many to be counted, those of some windows are:
//! the windows are chosen by the hash of their number, so whatever rows come in which order, the same are.

use super::cells::{CellLoad, Cells, TimeCell, ascending};
use super::ladder::STEPS;
use crate::bytes::position::mix;
use crate::bytes::sort::sort_distinct;

/// Most occupied cells of the windows of one length.
pub const MAX_SAMPLED_CELLS: usize = 1 << 13;

/// Step of the cells, and length of their windows: indices in [`STEPS`].
pub const WINDOWS: [(usize, usize); 5] = [(0, 3), (3, 6), (6, 10), (10, 14), (14, 18)];

/// Rows by region and interval, in windows of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledWindows {
    /// Windows are counted whose hash begins with so many zero bits: the fewest at which the cells are few enough.
    bits: u32,
    /// With their rows alone.
    cells: Cells,
}

impl SampledWindows {
    /// Empty, for windows whose hash begins with so many zero bits.
    pub(super) fn with_bits(bits: u32) -> Self {
        Self { bits, ..Self::default() }
    }

    /// Zero bits that the hash of a window begins with.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// True if a window of this hash is counted.
    #[inline(always)]
    pub(super) fn admits(&self, hash: u64) -> bool {
        hash.leading_zeros() >= self.bits
    }

    /// Counts rows of a window that is counted.
    pub(super) fn add(&mut self, window: &Window, time: i64, region: u32, rows: u64) {
        self.cells.entry((time.div_euclid(window.step), region)).or_default().add(only(rows));
        self.shrink(window.length / window.step);
    }

    /// Adds a cell; false if it is there, or its window is not counted.
    pub(super) fn push(&mut self, kind: usize, cell: TimeCell, rows: u64) -> bool {
        let [step, length] = lengths(kind);
        self.admits(hash_of(cell.0.div_euclid(length / step)))
            && self.cells.insert(cell, only(rows)).is_none()
    }

    /// Takes in the counts of `other`, of windows of the same kind.
    pub(super) fn merge(&mut self, other: Self, kind: usize) {
        let [step, length] = lengths(kind);
        self.bits = self.bits.max(other.bits);
        for (cell, load) in other.cells {
            self.cells.entry(cell).or_default().add(load);
        }
        self.keep(length / step);
        self.shrink(length / step);
    }

    /// Leaves out windows while too many cells are occupied.
    fn shrink(&mut self, together: i64) {
        while self.cells.len() > MAX_SAMPLED_CELLS {
            self.bits += 1;
            self.keep(together);
        }
    }

    /// Lets go of windows that are not counted.
    fn keep(&mut self, together: i64) {
        let bits = self.bits;
        self.cells.retain(|(bucket, _), _| hash_of(bucket.div_euclid(together)).leading_zeros() >= bits);
    }

    /// Occupied cells by bucket, then region.
    pub fn ascending(&self) -> Vec<(TimeCell, u64)> {
        ascending(&self.cells).into_iter().map(|(cell, load)| (cell, load.rows)).collect()
    }
}

/// The intervals of several windows, put side by side in order of time.
#[derive(Clone, Debug, Default)]
pub struct JoinedWindows {
    /// Index in [`STEPS`] of their length.
    pub level: usize,
    /// Index in [`STEPS`] of the length of a window.
    pub window: usize,
    /// Number of windows.
    pub windows: usize,
    /// Number of the interval, region and rows of each occupied cell, ascending by interval.
    pub cells: Vec<(u32, u32, u64)>,
}

impl JoinedWindows {
    /// Intervals that a window of a kind has.
    pub fn in_each(kind: usize) -> usize {
        let [step, length] = lengths(kind);
        (length / step) as usize
    }

    /// The intervals of at most `most` windows, those with the lowest hashes of all whose times `is_kept` accepts.
    pub fn of(windows: &SampledWindows, kind: usize, most: usize, is_kept: impl Fn(i64) -> bool) -> Self {
        let Some(&(level, window)) = WINDOWS.get(kind) else { return Self::default() };
        let [step, length] = lengths(kind);
        let together = length / step;
        let cells = windows.ascending().into_iter();
        let kept: Vec<_> = cells.filter(|((bucket, _), _)| is_kept(bucket.saturating_mul(step))).collect();
        let number = |(bucket, _): TimeCell| bucket.div_euclid(together);
        let mut hashes: Vec<u64> = kept.iter().map(|(cell, _)| hash_of(number(*cell))).collect();
        sort_distinct(&mut hashes);
        let bound = hashes.get(most).copied();
        let chosen = kept.iter().filter(|(cell, _)| bound.is_none_or(|bound| hash_of(number(*cell)) < bound));
        let (mut windows, mut last) = (0, None);
        let place = |&(cell, rows): &(TimeCell, u64)| {
            if last.replace(number(cell)) != Some(number(cell)) {
                windows += 1;
            }
            let interval = (windows as i64 - 1) * together + cell.0.rem_euclid(together);
            (interval as u32, cell.1, rows)
        };
        let cells = chosen.map(place).collect();
        Self { level, window, windows, cells }
    }

    /// In intervals no shorter than so many milliseconds; `None` if these are as long as a window.
    pub fn at_resolution(mut self, resolution: u64) -> Option<Self> {
        let before = STEPS.get(self.level)?;
        let level = STEPS.iter().position(|step| step.unsigned_abs() >= resolution)?.max(self.level);
        let together = u32::try_from(STEPS.get(level)? / before).ok()?;
        self.cells.iter_mut().for_each(|(interval, ..)| *interval /= together.max(1));
        self.level = level;
        (level < self.window).then_some(self)
    }

    /// Number of intervals.
    pub fn length(&self) -> usize {
        let [step, window] = [self.level, self.window].map(|level| STEPS.get(level).copied().unwrap_or(1));
        self.windows.saturating_mul((window / step) as usize)
    }
}

/// A window that rows come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// First and last time.
    times: (i64, i64),
    hash: u64,
    /// Milliseconds of a cell, and of the window.
    step: i64,
    length: i64,
}

impl Window {
    /// None: no time lies in it.
    pub(super) const NONE: Self = Self { times: (1, 0), hash: 0, step: 1, length: 1 };

    /// The window of a kind that holds a time.
    pub(super) fn of(kind: usize, time: i64) -> Self {
        let [step, length] = lengths(kind);
        let past = time.rem_euclid(length);
        let times = (time.saturating_sub(past), time.saturating_add(length - 1 - past));
        Self { times, hash: hash_of(time.div_euclid(length)), step, length }
    }

    /// Counts rows in the windows of its kind, of which it becomes the one that holds them.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        to: &mut SampledWindows,
        kind: usize,
        (time, region, rows): (i64, u32, u64),
    ) {
        if time < self.times.0 || time > self.times.1 {
            *self = Self::of(kind, time);
        }
        if to.admits(self.hash) {
            to.add(self, time, region, rows);
        }
    }
}

/// Milliseconds of a cell, and of a window, of a kind.
fn lengths(kind: usize) -> [i64; 2] {
    let (step, length) = WINDOWS.get(kind).copied().unwrap_or_default();
    [step, length].map(|level| STEPS.get(level).copied().unwrap_or(1))
}

/// So many rows.
fn only(rows: u64) -> CellLoad {
    CellLoad { rows, ..CellLoad::default() }
}

fn hash_of(window: i64) -> u64 {
    mix(window as u64)
}
