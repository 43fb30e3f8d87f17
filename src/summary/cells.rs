//! Rows by region and time, at the finest step of the ladder that keeps them few.

use super::ladder::STEPS;
use super::sample::mix;
use crate::sort::sort;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Most occupied cells of a design.
pub const MAX_CELLS: usize = 1 << 15;

/// A bucket of time (`floor(time / step)`) and a region.
type Cell = (i64, u32);

type Cells = HashMap<Cell, u64, BuildHasherDefault<CellHasher>>;

/// Counts by region and bucket of time. Only occupied cells are held, so one stray timestamp costs one cell.
///
/// The level is the finest of [`STEPS`] at which at most [`MAX_CELLS`] are occupied. Adding rows never empties a cell and a
/// coarser step never splits one, so the level depends on the rows alone and not on their order, and parts merge exactly.
/// A table with so many regions in use that no step suffices has no cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimeCells {
    /// Index in [`STEPS`]; its length when no step suffices.
    level: usize,
    #[serde(serialize_with = "sorted")]
    cells: Cells,
}

impl TimeCells {
    /// Length of a bucket in milliseconds; `None` when no step suffices.
    pub fn step(&self) -> Option<i64> {
        STEPS.get(self.level).copied()
    }

    /// Counts a row of `region` at `time` (milliseconds since the epoch).
    #[inline]
    pub fn add(&mut self, time: i64, region: u32) {
        if let Some(step) = self.step() {
            *self.cells.entry((time.div_euclid(step), region)).or_default() += 1;
            self.shrink();
        }
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, mut other: Self) {
        while self.level != other.level {
            let finer = if self.level < other.level { &mut *self } else { &mut other };
            finer.coarsen();
        }
        // At most twice the limit for a moment.
        self.cells.reserve(other.cells.len());
        for (cell, rows) in other.cells {
            *self.cells.entry(cell).or_default() += rows;
        }
        self.shrink();
    }

    /// Goes to the next coarser step while too many cells are occupied.
    fn shrink(&mut self) {
        while self.cells.len() > MAX_CELLS {
            self.coarsen();
        }
    }

    /// Goes to the next coarser step.
    fn coarsen(&mut self) {
        let step = self.step();
        self.level += 1;
        let finer = std::mem::take(&mut self.cells);
        let Some((step, next)) = step.zip(self.step()) else { return };
        // Growing while taken from another table's order would make long probe runs.
        self.cells.reserve(finer.len());
        for ((bucket, region), rows) in finer {
            *self.cells.entry((bucket.div_euclid(next / step), region)).or_default() += rows;
        }
    }

    /// Occupied cells as (beginning of the bucket, region, rows), by time, then region.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u32, u64)> {
        let step = self.step().unwrap_or(1);
        ascending(&self.cells)
            .into_iter()
            .map(move |((bucket, region), rows)| (bucket.saturating_mul(step), region, rows))
    }
}

fn ascending(cells: &Cells) -> Vec<(Cell, u64)> {
    let mut cells: Vec<_> = cells.iter().map(|(&cell, &rows)| (cell, rows)).collect();
    sort(&mut cells);
    cells
}

fn sorted<S: Serializer>(cells: &Cells, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(ascending(cells))
}

/// Quick; cells come from counts and not from an attacker's choice.
#[derive(Default)]
struct CellHasher(u64);

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
