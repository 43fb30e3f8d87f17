//! The arrival of rows, counted in equal stretches of time.

use super::interval::{Interval, IntervalWindows};
use super::thresholds::{LASTING, MAX_CELLS, MOMENTS, ROWS_FOR_A_SHARE};
use crate::summary::ladder::STEPS;
use std::borrow::Cow;

/// Stands for "no time, or outside the period" in a column of ticks.
pub const NO_TICK: u32 = u32::MAX;

/// Most ticks of a period: a year in ticks of a minute has half as many.
const MAX_TICKS: i64 = 1 << 20;

/// The arrival of rows, counted in ticks: one step of the ladder each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// Index of the step in [`STEPS`].
    level: usize,
    /// Number of the first tick, counted from 1970.
    first: i64,
    /// Rows of each tick.
    rows: Vec<u32>,
    /// The windows that they lie in, where not all of the period are counted.
    sampled: Option<IntervalWindows>,
}

impl Ticks {
    /// Ticks for times from `first` to `last` milliseconds, none finer than `resolution`; `None` of a period too long for the
    /// ladder.
    pub fn spanning(first: i64, last: i64, resolution: u64) -> Option<Self> {
        let number = |step: i64| last.div_euclid(step).checked_sub(first.div_euclid(step));
        let fits = |&step: &i64| {
            step.unsigned_abs() >= resolution && number(step).is_some_and(|number| number < MAX_TICKS)
        };
        let level = STEPS.iter().position(fits)?;
        let step = *STEPS.get(level)?;
        let length = usize::try_from(number(step)?).ok()? + 1;
        Some(Self { level, first: first.div_euclid(step), rows: vec![0; length], sampled: None })
    }

    /// The ticks of several windows side by side: a step of the ladder each, so many in all.
    pub(super) fn of_windows(level: usize, length: usize, windows: IntervalWindows) -> Self {
        Self { level, first: 0, rows: vec![0; length], sampled: Some(windows) }
    }

    /// The windows that they lie in, where not all of the period are counted.
    pub(super) fn sampled(&self) -> Option<IntervalWindows> {
        self.sampled
    }

    /// The step of the ladder from which intervals are too long.
    pub(super) fn end(&self) -> usize {
        self.sampled.map_or(STEPS.len(), |windows| windows.level)
    }

    /// The longest step of the ladder that all times are whole numbers of, or `resolution` where that is longer: shorter intervals
    /// would be of nothing that was measured.
    pub fn resolution(times: impl Iterator<Item = i64>, resolution: u64) -> u64 {
        let mut level = STEPS.len() - 1;
        let mut last = 0;
        for time in times.filter(|&time| std::mem::replace(&mut last, time) != time) {
            while level > 0 && STEPS.get(level).is_some_and(|step| time % step != 0) {
                level -= 1;
            }
            if level == 0 {
                break;
            }
        }
        STEPS.get(level).map_or(resolution, |step| resolution.max(step.unsigned_abs()))
    }

    /// The tick of a time; [`NO_TICK`] outside the period.
    pub fn of(&self, time: i64) -> u32 {
        let tick = STEPS.get(self.level).map_or(-1, |&step| time.div_euclid(step).saturating_sub(self.first));
        usize::try_from(tick).ok().filter(|&tick| tick < self.rows.len()).map_or(NO_TICK, |tick| tick as u32)
    }

    /// Counts rows in a tick.
    pub fn add(&mut self, tick: u32, rows: u32) {
        if let Some(held) = self.rows.get_mut(tick as usize) {
            *held = held.saturating_add(rows);
        }
    }

    /// The intervals of the finest step of the ladder at which enough of the rows to be told of lie in intervals of at least `least`.
    pub(super) fn finest(&self, least: usize, places: usize) -> Option<Interval> {
        let all: u64 = self.rows.iter().map(|&rows| u64::from(rows)).sum();
        let mut rows = Cow::Borrowed(&self.rows);
        let mut finer = self.level;
        for level in self.level..self.end() {
            let first = Interval::new(self.level, self.first, 0, finer).first;
            rows = Cow::Owned(Interval::new(finer, first, rows.len(), level).folded(&rows));
            finer = level;
            let full = rows.iter().filter(|&&rows| rows as usize >= least).map(|&rows| u64::from(rows));
            if rows.len().saturating_mul(places) <= MAX_CELLS
                && full.sum::<u64>() as f64 >= LASTING * all as f64
            {
                let rows = rows.into_owned();
                return Some(Interval {
                    rows,
                    sampled: self.sampled,
                    ..Interval::new(self.level, self.first, self.rows.len(), level)
                });
            }
        }
        None
    }

    /// Ticks as long as the shortest intervals that any table of these rows is judged by, with the new number of each tick in
    /// `of_rows`: the fewer they are, the faster their rows are counted.
    pub fn coarsened(self, of_rows: &mut [u32]) -> Self {
        let finest = self.finest(ROWS_FOR_A_SHARE, 1);
        // Fewer intervals are not judged.
        let Some(finest) = finest.filter(|finest| finest.together > 1 && finest.length >= MOMENTS) else {
            return self;
        };
        let (lead, together) = (finest.lead as u32, finest.together as u32);
        for tick in of_rows.iter_mut().filter(|tick| **tick != NO_TICK) {
            *tick = tick.saturating_add(lead) / together;
        }
        Self { level: finest.level, first: finest.first, rows: finest.rows, sampled: self.sampled }
    }
}
