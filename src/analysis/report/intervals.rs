//! Writes judged over intervals of several lengths, from the finest that the rows can carry to the whole period.
//!
//! A day's totals hide a region that takes every write of ten minutes, and ten minutes hide nothing of a day. So each length
//! of the ladder is counted, and the finest at which one region takes most of the writes is told, with its length.

use super::chance::may_be_chance;
use super::counting::CountingValues;
use super::counts::for_regions;
use super::moments::median;
use super::thresholds::{
    ALWAYS, LASTING, MAX_CELLS, MOMENT_OVER_WHOLE, MOMENTS, ONE_REGION_SHARE, ONE_WAY, ROWS_FOR_A_SHARE,
    ROWS_OF_A_REGION,
};
use super::writes::WriteTraits;
use crate::design::split::SplitPoints;
use crate::keys::table::SortedKeys;
use crate::summary::ladder::STEPS;
use std::borrow::Cow;

/// Stands for "no time, or outside the period" in a column of ticks.
pub const NO_TICK: u32 = u32::MAX;

/// Most ticks of a period: a year in ticks of a minute has half as many.
const MAX_TICKS: i64 = 1 << 20;

/// The arrival of rows, counted in ticks: one step of the ladder each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ticks {
    /// Index of the step in [`STEPS`].
    level: usize,
    /// Number of the first tick, counted from 1970.
    first: i64,
    /// Rows of each tick.
    rows: Vec<u32>,
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
        Some(Self { level, first: first.div_euclid(step), rows: vec![0; length] })
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
    fn finest(&self, least: usize, places: usize) -> Option<Interval> {
        let all: u64 = self.rows.iter().map(|&rows| u64::from(rows)).sum();
        let mut rows = Cow::Borrowed(&self.rows);
        let mut finer = self.level;
        for level in self.level..STEPS.len() {
            let first = Interval::new(self.level, self.first, 0, finer).first;
            let interval = Interval::new(finer, first, rows.len(), level);
            rows = Cow::Owned(interval.folded(&rows));
            finer = level;
            let full = rows.iter().filter(|&&rows| rows as usize >= least).map(|&rows| u64::from(rows));
            if rows.len().saturating_mul(places) <= MAX_CELLS
                && full.sum::<u64>() as f64 >= LASTING * all as f64
            {
                return Some(Interval::new(self.level, self.first, self.rows.len(), level));
            }
        }
        None
    }
}

/// Intervals of one length, made of several of a finer one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Interval {
    /// Index of the length in [`STEPS`].
    level: usize,
    /// Number of the first, counted from 1970.
    first: i64,
    /// Finer ones that make one.
    together: usize,
    /// Finer ones that the first lacks at its start.
    lead: usize,
    /// Number of intervals.
    length: usize,
    /// Rows of each.
    rows: Vec<u32>,
    /// Rows of the region or server with most.
    largest: Vec<u32>,
    /// Its number.
    hottest: Vec<u32>,
}

impl Interval {
    /// Intervals of the step `level` over `length` of the step `finer`, the first with this number.
    fn new(finer: usize, first: i64, length: usize, level: usize) -> Self {
        let step = |level: usize| STEPS.get(level).copied().unwrap_or(1);
        let together = (step(level) / step(finer)).max(1);
        let lead = first.rem_euclid(together) as usize;
        Self {
            level,
            first: first.div_euclid(together),
            together: together as usize,
            lead,
            length: (lead + length).div_ceil(together as usize),
            ..Self::default()
        }
    }

    /// Counts of finer intervals added up.
    fn folded(&self, finer: &[u32]) -> Vec<u32> {
        let mut sums = vec![0u32; self.length];
        for (at, &rows) in finer.iter().enumerate().filter(|&(_, &rows)| rows > 0) {
            if let Some(sum) = sums.get_mut((self.lead + at) / self.together) {
                *sum = sum.saturating_add(rows);
            }
        }
        sums
    }

    /// Adds a region or server by its rows in each interval.
    fn add(&mut self, place: u32, cells: &[u32]) {
        let totals = self.rows.iter_mut().zip(&mut self.largest).zip(&mut self.hottest);
        for (((rows, largest), hottest), &cell) in totals.zip(cells) {
            *rows = rows.saturating_add(cell);
            if cell > *largest {
                (*largest, *hottest) = (cell, place);
            }
        }
    }
}

/// Rows of each interval of several lengths, and those of the region, or server, with most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteIntervals {
    /// Regions, or servers.
    places: usize,
    /// By length, the finest first.
    lengths: Vec<Interval>,
    /// Rows of each place.
    whole: Vec<u64>,
}

/// An interval length at which one region, or server, takes most of the writes for a tenth of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concentration {
    /// The length in milliseconds.
    pub length: i64,
    /// The share of the one that takes most, over the intervals in which it does; over all where it nearly always does, so
    /// that no choice of intervals adds to it.
    pub share: f64,
    /// Those intervals.
    pub intervals: usize,
    /// Their share of the rows.
    pub lasts: f64,
    /// True when one takes most in nearly all intervals.
    pub always: bool,
    /// True when it moves one way through the regions, or round them, as it does for keys that rise.
    pub one_way: bool,
}

impl WriteIntervals {
    /// For rows in these ticks on so many regions or servers.
    fn new(ticks: &Ticks, places: usize) -> Self {
        let mut lengths: Vec<Interval> = ticks.finest(ROWS_FOR_A_SHARE, places).into_iter().collect();
        while let Some(finer) = lengths.last().filter(|finer| finer.level + 1 < STEPS.len()) {
            let next = Interval::new(finer.level, finer.first, finer.length, finer.level + 1);
            if next.length < MOMENTS {
                break;
            }
            lengths.push(next);
        }
        for Interval { length, rows, largest, hottest, .. } in &mut lengths {
            for counts in [rows, largest, hottest] {
                counts.resize(*length, 0);
            }
        }
        Self { places, lengths, whole: vec![0; places] }
    }

    /// Number of the finest intervals.
    fn finest(&self) -> usize {
        self.lengths.first().map_or(0, |finest| finest.length)
    }

    /// The finest interval that a tick lies in.
    #[inline]
    fn interval(&self, tick: u32) -> Option<usize> {
        self.lengths.first().map(|finest| (finest.lead + tick as usize) / finest.together)
    }

    /// Adds a region or server by its rows in each of the finest intervals.
    fn add(&mut self, place: usize, cells: &[u32]) {
        let mut finer: Option<Vec<u32>> = None;
        for interval in &mut self.lengths {
            let folded = finer.as_deref().map(|finer| interval.folded(finer));
            interval.add(place as u32, folded.as_deref().unwrap_or(cells));
            finer = Some(folded.unwrap_or_else(|| cells.to_vec()));
        }
        if let Some(whole) = self.whole.get_mut(place) {
            *whole += cells.iter().map(|&rows| u64::from(rows)).sum::<u64>();
        }
    }

    /// The finest length at which one place takes most of the writes in nearly all intervals, or else for a tenth of the rows: of
    /// few rows, chance alone makes some intervals hotter than they are.
    pub(super) fn concentration(&self) -> Option<Concentration> {
        if self.places < 2 {
            return None;
        }
        let all: u64 = self.whole.iter().sum();
        let of_whole = self.whole.iter().max().map_or(0.0, |&most| most as f64 / all.max(1) as f64);
        let least = ONE_REGION_SHARE.max(MOMENT_OVER_WHOLE * of_whole);
        let hot = |interval: &Interval| {
            let each = interval.rows.iter().zip(&interval.largest).zip(&interval.hottest);
            let judged: Vec<(u32, u32, u32)> = each
                .filter(|((rows, _), _)| **rows as usize >= ROWS_FOR_A_SHARE)
                .map(|((&rows, &largest), &place)| (rows, largest, place))
                .collect();
            let is_hot = |&&(rows, largest, _): &&(u32, u32, u32)| {
                // Two places that share the writes evenly are not one.
                f64::from(largest) >= least * f64::from(rows) && !may_be_chance(largest, rows, 2)
            };
            let hot: Vec<(u32, u32, u32)> = judged.iter().filter(is_hot).copied().collect();
            let rows = |of: &[(u32, u32, u32)]| of.iter().map(|one| u64::from(one.0)).sum::<u64>() as f64;
            let lasting = hot.len() >= MOMENTS && rows(&hot) >= LASTING * all as f64;
            let always = rows(&hot) >= ALWAYS * rows(&judged);
            let told = if always { &judged } else { &hot };
            let largest = told.iter().map(|one| u64::from(one.1)).sum::<u64>() as f64;
            lasting.then(|| Concentration {
                length: STEPS.get(interval.level).copied().unwrap_or(0),
                share: largest / rows(told),
                intervals: told.len(),
                lasts: rows(told) / all as f64,
                always,
                one_way: one_way(self.places, hot.iter().map(|one| one.2)),
            })
        };
        let found = || self.lengths.iter().filter_map(hot);
        found().find(|found| found.always).or_else(|| found().next())
    }

    /// The share of the busiest place in a typical interval: of the finest length with so many rows that chance says little.
    fn typical(&self) -> Option<TypicalInterval> {
        let many = ROWS_OF_A_REGION.saturating_mul(self.places);
        [many, ROWS_FOR_A_SHARE].into_iter().find_map(|least| {
            self.lengths.iter().find_map(|interval| {
                let all: u64 = interval.rows.iter().map(|&rows| u64::from(rows)).sum();
                let counted = interval.rows.iter().zip(&interval.largest);
                let counted: Vec<(u32, u32)> = counted
                    .filter(|&(&rows, _)| rows as usize >= least)
                    .map(|(&rows, &largest)| (rows, largest))
                    .collect();
                let rows: u64 = counted.iter().map(|&(rows, _)| u64::from(rows)).sum();
                let share = |&(rows, largest): &(u32, u32)| f64::from(largest) / f64::from(rows);
                let share = median(counted.iter().map(share).collect())?;
                let length = STEPS.get(interval.level).copied()?;
                let intervals = counted.len();
                (intervals >= MOMENTS && 2 * rows >= all).then_some(TypicalInterval {
                    share,
                    intervals,
                    length,
                })
            })
        })
    }
}

/// An interval that stands for the period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypicalInterval {
    /// Median share of the region with most rows.
    pub share: f64,
    /// Intervals that it is the median of.
    pub intervals: usize,
    /// Their length in milliseconds.
    pub length: i64,
}

/// How the writes of a table gather in one region, or on one server, for a time. Both verdict and findings read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteJudgement {
    /// One region takes most.
    pub regions: Option<Concentration>,
    /// One server takes most, with its regions together.
    pub servers: Option<Concentration>,
    /// The number of servers; 0 where it is not known, or not lower than that of the regions.
    pub server_count: usize,
    /// A typical interval; `None` where no time is known, or rows are too few to be judged by interval.
    pub typical: Option<TypicalInterval>,
    /// The first part of the key that differs counts up, in a table whose records have no known time.
    pub counting: Option<CountingValues>,
    by_time: bool,
    unique: bool,
}

impl WriteJudgement {
    /// The judgement of the intervals of a table's regions and servers.
    pub(super) fn new(
        (regions, servers): &(WriteIntervals, Option<WriteIntervals>),
        writes: WriteTraits,
    ) -> Self {
        Self {
            regions: regions.concentration(),
            servers: servers.as_ref().and_then(WriteIntervals::concentration),
            server_count: servers.as_ref().map_or(0, |servers| servers.places),
            typical: regions.typical(),
            counting: writes.counting,
            by_time: writes.by_time,
            unique: writes.unique,
        }
    }

    /// True when the first part of the key that differs follows from the time of arrival alone.
    pub fn leads_by_time(&self) -> bool {
        self.by_time
    }

    /// True when time itself gathers the writes: that does not end. A sender of many rows is done some time.
    pub fn is_by_time(&self, found: &Concentration) -> bool {
        self.by_time || self.unique || found.one_way
    }
}

/// True when numbers below `places` nearly always change in one direction, the last followed by the first.
fn one_way(places: usize, hottest: impl Iterator<Item = u32>) -> bool {
    let hottest: Vec<u32> = hottest.collect();
    let (mut up, mut all) = (0usize, 0usize);
    for pair in hottest.windows(2) {
        let (&[from, to] | &[from, to, ..]) = pair else { continue };
        let ahead = (to as usize + places).saturating_sub(from as usize) % places.max(1);
        all += usize::from(from != to);
        // With two places, the direction around the circle is undefined.
        up += usize::from(from != to && if places > 2 { 2 * ahead <= places } else { from < to });
    }
    up.max(all - up) as f64 >= ONE_WAY * all as f64
}

/// Takes in rows by region and tick, region after region.
pub(super) struct IntervalCounter {
    regions: WriteIntervals,
    /// The region whose rows come in, and its rows in each of the finest intervals.
    current: (usize, Vec<u32>),
    /// Region i lies on server i mod n, as HBase assigns those of a new table. Rows of each server in each of its finest
    /// intervals, server after server.
    servers: Option<(WriteIntervals, Vec<u32>)>,
}

impl IntervalCounter {
    /// For a table of so many regions, on so many servers where that is known.
    pub fn new(ticks: &Ticks, regions: usize, servers: Option<u32>) -> Self {
        let intervals = WriteIntervals::new(ticks, regions);
        let few = servers.map(|servers| servers.max(1) as usize).filter(|&servers| servers < regions);
        let servers = few.map(|servers| {
            let intervals = WriteIntervals::new(ticks, servers);
            let cells = vec![0; servers * intervals.finest()];
            (intervals, cells)
        });
        let current = (0, vec![0; intervals.finest()]);
        Self { regions: intervals, current, servers }
    }

    /// Adds rows of a region, not below the last one, in a tick.
    #[inline]
    pub fn add(&mut self, region: usize, tick: u32, rows: u32) {
        if tick == NO_TICK {
            return;
        }
        if region != self.current.0 {
            self.end_region(region);
        }
        let add = |cell: Option<&mut u32>| {
            if let Some(cell) = cell {
                *cell = cell.saturating_add(rows);
            }
        };
        add(self.regions.interval(tick).and_then(|at| self.current.1.get_mut(at)));
        if let Some((intervals, cells)) = &mut self.servers {
            let own = region % intervals.places.max(1) * intervals.finest();
            add(intervals.interval(tick).and_then(|at| cells.get_mut(own + at)));
        }
    }

    fn end_region(&mut self, next: usize) {
        let (region, cells) = &mut self.current;
        self.regions.add(*region, cells);
        cells.fill(0);
        *region = next;
    }

    /// The intervals of the regions, and of the servers where their number is known and lower.
    pub fn finish(mut self) -> (WriteIntervals, Option<WriteIntervals>) {
        self.end_region(0);
        let servers = self.servers.map(|(mut intervals, cells)| {
            for (server, cells) in cells.chunks(intervals.finest().max(1)).enumerate() {
                intervals.add(server, cells);
            }
            intervals
        });
        (self.regions, servers)
    }
}

/// Counts the keys of `keys` by region and interval. `of_keys` holds, a run each in key order, the tick of each key.
pub fn count_intervals(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    (ticks, of_keys): (&Ticks, &[Vec<u32>]),
    servers: Option<u32>,
) -> (WriteIntervals, Option<WriteIntervals>) {
    let mut counter = IntervalCounter::new(ticks, points.regions(), servers);
    for_regions(keys, points, |region, ranges| {
        for (of_keys, range) in of_keys.iter().zip(ranges) {
            for &tick in of_keys.get(range.clone()).unwrap_or(&[]) {
                counter.add(region, tick, 1);
            }
        }
    });
    counter.finish()
}
