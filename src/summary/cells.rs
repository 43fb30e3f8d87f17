//! Rows and key bytes by region and time, at the finest step of the ladder that keeps them few.

use super::ladder::STEPS;
use super::windows::{SampledWindows, WINDOWS, Window};
use crate::bytes::position::mix;
use crate::bytes::sort::sort;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most occupied cells of a design.
pub const MAX_CELLS: usize = 1 << 15;

/// A bucket of time (`floor(time / step)`) and a region.
pub(super) type TimeCell = (i64, u32);

/// Contents of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellLoad {
    /// Rows.
    pub rows: u64,
    /// Bytes of their row keys.
    pub bytes: u64,
    /// Rows that are reads, where the records tell.
    pub reads: u64,
}

impl CellLoad {
    #[inline(always)]
    pub(super) fn add(&mut self, more: Self) {
        self.rows = self.rows.saturating_add(more.rows);
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.reads = self.reads.saturating_add(more.reads);
    }
}

pub(super) type Cells = HashMap<TimeCell, CellLoad, BuildHasherDefault<CellHasher>>;

/// Cells by bucket, then region.
pub(super) fn ascending(cells: &Cells) -> Vec<(TimeCell, CellLoad)> {
    let mut cells: Vec<_> = cells.iter().map(|(&cell, &load)| (cell, load)).collect();
    sort(&mut cells);
    cells
}

/// Counts by region and bucket of time. Only occupied cells are held, so one stray timestamp costs one cell.
///
/// The level is the finest of [`STEPS`] at which at most [`MAX_CELLS`] are occupied. Adding rows never empties a cell and a
/// coarser step never splits one, so the level depends on the rows alone and not on their order, and parts merge exactly.
/// A table with so many regions in use that no step suffices has no cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeCells {
    /// Index in [`STEPS`]; its length when no step suffices.
    level: usize,
    cells: Cells,
    /// For each kind of [`WINDOWS`] whose cells are finer than the step: `None` where they are not, or where parts that were merged
    /// did not count them.
    windows: [Option<SampledWindows>; WINDOWS.len()],
}

impl TimeCells {
    /// Length of a bucket in milliseconds; `None` when no step suffices.
    pub fn step(&self) -> Option<i64> {
        STEPS.get(self.level).copied()
    }

    /// Shorter intervals of some windows, by kind.
    pub fn windows(&self) -> &[Option<SampledWindows>; WINDOWS.len()] {
        &self.windows
    }

    /// Takes in the shorter intervals that a file holds.
    pub(super) fn set_windows(&mut self, windows: [Option<SampledWindows>; WINDOWS.len()]) {
        self.windows = windows;
    }

    /// Counts rows of `region` at `time` (milliseconds since the epoch), exact to the step of `level`.
    fn add(&mut self, time: i64, region: u32, load: CellLoad, level: usize) {
        if self.level > level {
            self.sample((time, region, load.rows), level);
        }
        if let Some(step) = self.step() {
            self.cells.entry((time.div_euclid(step), region)).or_default().add(load);
            self.shrink();
        }
    }

    /// Counts rows in the intervals that are no shorter than the step of `level`.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn sample(&mut self, rows: (i64, u32, u64), level: usize) {
        for (kind, windows) in self.windows.iter_mut().enumerate() {
            if let (Some(windows), true) =
                (windows, WINDOWS.get(kind).is_some_and(|(step, _)| *step >= level))
            {
                Window::of(kind, rows.0).add(windows, kind, rows);
            }
        }
    }

    /// The windows of what is counted by the steps from `before` up to `level`, from cells of the step of `before`.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn sample_all(&mut self, finer: &Cells, (before, level): (usize, usize)) {
        let Some(step) = STEPS.get(before) else { return };
        for (kind, windows) in self.windows.iter_mut().enumerate() {
            if WINDOWS.get(kind).is_some_and(|(step, _)| (before..level).contains(step)) {
                let windows = windows.insert(SampledWindows::default());
                for (&(bucket, region), load) in finer {
                    let time = bucket.saturating_mul(*step);
                    Window::of(kind, time).add(windows, kind, (time, region, load.rows));
                }
            }
        }
    }

    /// Takes in the windows of other cells of the same step.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn merge_windows(&mut self, other: [Option<SampledWindows>; WINDOWS.len()]) {
        for (kind, (own, more)) in self.windows.iter_mut().zip(other).enumerate() {
            match (own.as_mut(), more) {
                (Some(own), Some(more)) => own.merge(more, kind),
                _ => *own = None,
            }
        }
    }

    /// Contents of cells, with their regions, by bucket, then region.
    pub(super) fn loads_mut(&mut self) -> Vec<(u32, &mut CellLoad)> {
        let mut cells: Vec<(TimeCell, &mut CellLoad)> =
            self.cells.iter_mut().map(|(&cell, load)| (cell, load)).collect();
        crate::bytes::sort::sort_by_key(&mut cells, |(cell, _)| *cell);
        cells.into_iter().map(|((_, region), load)| (region, load)).collect()
    }

    /// Index of the step in [`STEPS`].
    pub(super) fn level(&self) -> usize {
        self.level
    }

    /// Empty, at a step.
    pub(super) fn at_level(level: usize) -> Self {
        Self { level, ..Self::default() }
    }

    /// Adds a cell; whether it was not there.
    pub(super) fn push(&mut self, cell: TimeCell, load: CellLoad) -> bool {
        self.cells.insert(cell, load).is_none()
    }

    /// Occupied cells by bucket, then region.
    pub(super) fn ascending(&self) -> Vec<(TimeCell, CellLoad)> {
        ascending(&self.cells)
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, mut other: Self) {
        let level = self.level.max(other.level);
        for finer in [&mut *self, &mut other] {
            if finer.level < level {
                finer.coarsen(level);
            }
        }
        if level > 0 {
            self.merge_windows(other.windows);
        }
        // At most twice the limit for a moment.
        self.cells.reserve(other.cells.len());
        for (cell, load) in other.cells {
            self.cells.entry(cell).or_default().add(load);
        }
        self.shrink();
    }

    /// Goes to the next coarser step while too many cells are occupied.
    fn shrink(&mut self) {
        while self.cells.len() > MAX_CELLS {
            self.coarsen(self.level_of_beginnings() + 1);
        }
    }

    /// The coarsest step all beginnings of buckets are multiples of: up to it no two cells become one. Times in whole
    /// seconds have their cells moved once in place of seven times.
    fn level_of_beginnings(&self) -> usize {
        let Some(step) = self.step() else { return self.level };
        let coarser = STEPS.get(self.level + 1..).unwrap_or_default();
        let whole = |next: &&i64| self.cells.keys().all(|(bucket, _)| bucket % (**next / step) == 0);
        self.level + coarser.iter().take_while(whole).count()
    }

    /// Goes to a coarser step.
    fn coarsen(&mut self, level: usize) {
        let (step, before) = (self.step(), self.level);
        self.level = level;
        let finer = std::mem::take(&mut self.cells);
        let Some(step) = step else { return };
        self.sample_all(&finer, (before, level));
        let Some(next) = self.step() else { return };
        // Growing while taken from another table's order would make long probe runs.
        self.cells.reserve(finer.len());
        for ((bucket, region), load) in finer {
            self.cells.entry((bucket.div_euclid(next / step), region)).or_default().add(load);
        }
    }

    /// Occupied cells as (beginning of the bucket, region, what it holds), by time, then region.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u32, CellLoad)> {
        let step = self.step().unwrap_or(1);
        self.ascending()
            .into_iter()
            .map(move |((bucket, region), load)| (bucket.saturating_mul(step), region, load))
    }
}

/// Most regions of which the rows of a bucket are counted together.
const TOGETHER: usize = 4096;

/// Rows on their way into cells. Those that come one after the other are mostly of one bucket: they are counted by region
/// alone until a row of another comes.
pub(super) struct ArrivingCells<'a> {
    cells: &'a mut TimeCells,
    /// First and last time of the bucket; none when the first is above the last.
    bucket: (i64, i64),
    /// Index of its step in [`STEPS`].
    level: usize,
    /// The windows of the last row, by kind.
    windows: [Window; WINDOWS.len()],
    /// The result, by region.
    loads: Vec<CellLoad>,
    /// The regions something came of.
    touched: Vec<u32>,
}

impl<'a> ArrivingCells<'a> {
    /// Into the cells of a table of so many regions.
    pub(super) fn new(cells: &'a mut TimeCells, regions: usize) -> Self {
        let loads = vec![CellLoad::default(); regions.min(TOGETHER)];
        let windows = [Window::NONE; WINDOWS.len()];
        Self { cells, bucket: (1, 0), level: 0, windows, loads, touched: Vec::new() }
    }

    /// Counts a row of `region` at `time`.
    #[inline(always)]
    pub(super) fn add(&mut self, time: i64, region: u32, load: CellLoad) {
        if time < self.bucket.0 || time > self.bucket.1 {
            self.settle();
            self.bucket = self.cells.step().map_or((i64::MIN, i64::MAX), |step| {
                let past = time.rem_euclid(step);
                (time.saturating_sub(past), time.saturating_add(step - 1 - past))
            });
            self.level = self.cells.level;
        }
        let together = (region as usize) < self.loads.len();
        if self.cells.level > 0 {
            // Rows that are counted together come into intervals as long as their bucket with it.
            self.sample((time, region, load.rows), if together { self.level } else { self.cells.level });
        }
        let Some(held) = self.loads.get_mut(region as usize) else {
            return self.cells.add(time, region, load, self.cells.level);
        };
        if held.rows == 0 {
            self.touched.push(region);
        }
        held.add(load);
    }

    /// Counts rows in the intervals shorter than the step of `level`.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn sample(&mut self, rows: (i64, u32, u64), level: usize) {
        let held = self.cells.windows.iter_mut().zip(&mut self.windows).zip(WINDOWS).enumerate();
        for (kind, ((windows, window), (step, _))) in held {
            if let (Some(windows), true) = (windows, step < level) {
                window.add(windows, kind, rows);
            }
        }
    }

    /// Counts what came of the bucket in the cells, the step of which may be coarser by now.
    pub(super) fn settle(&mut self) {
        for region in self.touched.drain(..) {
            if let Some(load) = self.loads.get_mut(region as usize) {
                self.cells.add(self.bucket.0, region, std::mem::take(load), self.level);
            }
        }
    }
}

/// Quick; cells come from counts and not from an attacker's choice.
#[derive(Default)]
pub(super) struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        mix(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(32) ^ value;
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }
}
