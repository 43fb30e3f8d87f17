//! Writes judged over intervals of several lengths, from the finest that the rows can carry to the whole period.
//!
//! A day's totals hide a region that takes every write of ten minutes, and ten minutes hide nothing of a day. So each length
//! of the ladder is counted, and the finest at which one region takes most of the writes is told, with its length.

use super::chance::may_be_chance;
use super::counting::CountingValues;
use super::counts::for_regions;
use super::following::FollowsTime;
use super::interval::{Interval, add_to};
use super::moments::median;
use super::thresholds::{
    ALWAYS, LASTING, MOMENT_OVER_WHOLE, MOMENTS, ONE_REGION_SHARE, ONE_WAY, ROWS_FOR_A_SHARE,
    ROWS_OF_A_REGION,
};
use super::ticks::{NO_TICK, Ticks};
use super::writes::WriteTraits;
use crate::design::WriteKind;
use crate::design::split::SplitPoints;
use crate::keys::table::SortedKeys;
use crate::summary::ladder::STEPS;

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
    /// Number of those intervals, an estimate if `sampled`.
    pub intervals: usize,
    /// True if they are those of a sample of the time.
    pub sampled: bool,
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
        while let Some(finer) = lengths.last().filter(|finer| finer.level + 1 < ticks.end()) {
            let next = Interval::new(finer.level, finer.first, finer.length, finer.level + 1);
            if next.length < MOMENTS {
                break;
            }
            let rows = next.folded(&finer.rows);
            lengths.push(Interval { rows, sampled: ticks.sampled(), ..next });
        }
        for Interval { length, largest, hottest, .. } in &mut lengths {
            largest.resize(*length, 0);
            hottest.resize(*length, 0);
        }
        Self { places, lengths, whole: vec![0; places] }
    }

    /// These intervals of some of the time, and all of the longer ones.
    pub(super) fn with_longer(mut self, longer: Self) -> Self {
        let from = longer.lengths.first().map_or(STEPS.len(), |longer| longer.level);
        self.lengths.retain(|interval| interval.level < from);
        self.lengths.extend(longer.lengths);
        Self { lengths: self.lengths, ..longer }
    }

    /// True if the finest intervals of both are the same.
    fn is_like(&self, other: &Self) -> bool {
        let finest = |all: &Self| all.lengths.first().map(|finest| (finest.level, finest.length));
        finest(self) == finest(other)
    }

    /// No rows yet of each interval, by length.
    fn cells(&self) -> Vec<Vec<u32>> {
        self.lengths.iter().map(|interval| vec![0; interval.length]).collect()
    }

    /// Counts rows of one region or server in the finest intervals.
    fn count(&mut self, place: usize, rows: impl Iterator<Item = (u32, u32)>, cells: &mut [u32]) {
        let (Some(finest), Some(whole)) = (self.lengths.first(), self.whole.get_mut(place)) else { return };
        let mut add = |at: usize, rows: u32| {
            if let Some(cell) = cells.get_mut(at) {
                *cell = cell.saturating_add(rows);
                *whole += u64::from(rows);
            }
        };
        if finest.together == 1 {
            // `NO_TICK` lies past the last cell.
            rows.for_each(|(tick, rows)| add(tick as usize, rows));
        } else {
            let known = rows.filter(|(tick, _)| *tick != NO_TICK);
            known.for_each(|(tick, rows)| add((finest.lead + tick as usize) / finest.together, rows));
        }
    }

    /// Adds a region or server by its rows in each of the finest intervals, which stand first in `cells`.
    fn add(&mut self, place: usize, cells: &mut [Vec<u32>]) {
        for (level, interval) in self.lengths.iter_mut().enumerate() {
            let (finer, own) = cells.split_at_mut(level);
            let Some(own) = own.first_mut() else { break };
            if let Some(finer) = finer.last() {
                interval.fold(finer, own);
            }
            interval.add(place as u32, own);
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
            let each = interval.rows.iter().zip(&interval.largest).zip(&interval.hottest).enumerate();
            let judged: Vec<BusyInterval> = each
                .filter(|(_, ((rows, _), _))| **rows as usize >= ROWS_FOR_A_SHARE)
                .map(|(number, ((&rows, &largest), &place))| BusyInterval { number, rows, largest, place })
                .collect();
            let is_hot = |&&BusyInterval { rows, largest, .. }: &&BusyInterval| {
                // Two places that share the writes evenly are not one.
                f64::from(largest) >= least * f64::from(rows) && !may_be_chance(largest, rows, 2)
            };
            let hot: Vec<BusyInterval> = judged.iter().filter(is_hot).copied().collect();
            let rows = |of: &[BusyInterval]| of.iter().map(|one| u64::from(one.rows)).sum::<u64>() as f64;
            let all: u64 = interval.rows.iter().map(|&rows| u64::from(rows)).sum();
            let lasting = hot.len() >= MOMENTS && rows(&hot) >= LASTING * all as f64;
            let always = rows(&hot) >= ALWAYS * rows(&judged);
            let told = if always { &judged } else { &hot };
            let largest = told.iter().map(|one| u64::from(one.largest)).sum::<u64>() as f64;
            lasting.then(|| Concentration {
                length: STEPS.get(interval.level).copied().unwrap_or(0),
                share: largest / rows(told),
                intervals: interval.stand_for(told.len()),
                sampled: interval.is_sampled(),
                lasts: rows(told) / all as f64,
                always,
                one_way: one_way(self.places, interval, &hot),
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
                (counted.len() >= MOMENTS && 2 * rows >= all).then_some(TypicalInterval {
                    share,
                    intervals: counted.len(),
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
    /// The first part of the key that differs follows time.
    pub follows: Option<FollowsTime>,
    by_time: bool,
    unique: bool,
}

impl WriteJudgement {
    /// The judgement of the intervals of a table's regions and servers.
    pub(super) fn new(
        (regions, servers): &(WriteIntervals, Option<WriteIntervals>),
        writes: WriteTraits,
    ) -> Self {
        // Files are loaded into all regions at once, in whatever order rows came.
        if writes.kind == WriteKind::Bulk {
            return Self::default();
        }
        Self {
            regions: regions.concentration(),
            servers: servers.as_ref().and_then(WriteIntervals::concentration),
            server_count: servers.as_ref().map_or(0, |servers| servers.places),
            typical: regions.typical(),
            counting: writes.counting,
            follows: writes.follows,
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
        self.by_time || self.unique || found.one_way || self.follows.is_some_and(|found| !found.is_constant)
    }
}

/// An interval with rows enough to be judged.
#[derive(Clone, Copy)]
struct BusyInterval {
    number: usize,
    rows: u32,
    /// Rows of the place with most, and its number.
    largest: u32,
    place: u32,
}

/// True when the places of these intervals nearly always change in one direction, the last followed by the first. Between two
/// sampled windows they may have gone round: such changes only count where there are no others.
fn one_way(places: usize, interval: &Interval, hot: &[BusyInterval]) -> bool {
    let changes = |within: bool| {
        let (mut up, mut all) = (0usize, 0usize);
        for pair in hot.windows(2) {
            let [before, after] = pair else { continue };
            let (from, to) = (before.place, after.place);
            if from == to || within && !interval.are_together(before.number, after.number) {
                continue;
            }
            let ahead = (to as usize + places).saturating_sub(from as usize) % places.max(1);
            all += 1;
            // With two places, the direction around the circle is undefined.
            up += usize::from(if places > 2 { 2 * ahead <= places } else { from < to });
        }
        (up, all)
    };
    let (up, all) = Some(changes(true)).filter(|(_, all)| *all > 0).unwrap_or_else(|| changes(false));
    up.max(all - up) as f64 >= ONE_WAY * all as f64
}

/// Takes in one region after another.
pub(super) struct IntervalCounter {
    regions: WriteIntervals,
    /// Rows of the region that comes in, by length and interval.
    cells: Vec<Vec<u32>>,
    /// Region i lies on server i mod n, as HBase assigns those of a new table. Rows of each server in each of its finest
    /// intervals.
    servers: Option<(WriteIntervals, Vec<Vec<u32>>)>,
}

impl IntervalCounter {
    /// For a table of so many regions, on so many servers where that is known.
    pub fn new(ticks: &Ticks, regions: usize, servers: Option<u32>) -> Self {
        let intervals = WriteIntervals::new(ticks, regions);
        let few = servers.map(|servers| servers.max(1) as usize).filter(|&servers| servers < regions);
        let servers = few.map(|servers| {
            let intervals = WriteIntervals::new(ticks, servers);
            let finest = intervals.lengths.first().map_or(0, |finest| finest.length);
            (intervals, vec![vec![0; finest]; servers])
        });
        Self { cells: intervals.cells(), regions: intervals, servers }
    }

    /// Adds rows of a region by the tick of each, with their number.
    pub fn add(&mut self, region: usize, rows: impl Iterator<Item = (u32, u32)> + Clone) {
        if let Some((intervals, servers)) = &mut self.servers
            && !intervals.is_like(&self.regions)
        {
            let server = region % intervals.places.max(1);
            let cells = servers.get_mut(server).into_iter();
            cells.for_each(|cells| intervals.count(server, rows.clone(), cells));
        }
        if let Some(cells) = self.cells.first_mut() {
            self.regions.count(region, rows, cells);
        }
    }

    /// Ends the region whose rows have come in since the last one.
    pub fn end_region(&mut self, region: usize) {
        let rows = self.regions.whole.get(region).copied().unwrap_or(0);
        if rows == 0 {
            return;
        }
        if let Some((intervals, servers)) = &mut self.servers
            && intervals.is_like(&self.regions)
        {
            let server = region % intervals.places.max(1);
            let whole = intervals.whole.get_mut(server).zip(servers.get_mut(server));
            if let Some(((whole, of_server), cells)) = whole.zip(self.cells.first()) {
                *whole += rows;
                add_to(of_server, cells);
            }
        }
        self.regions.add(region, &mut self.cells);
        self.cells.first_mut().into_iter().for_each(|cells| cells.fill(0));
    }

    /// The intervals of the regions, and of the servers where their number is known and lower.
    pub fn finish(self) -> (WriteIntervals, Option<WriteIntervals>) {
        let servers = self.servers.map(|(mut intervals, servers)| {
            let mut cells = intervals.cells();
            for (server, own) in servers.into_iter().enumerate() {
                cells.first_mut().into_iter().for_each(|finest| finest.clone_from(&own));
                intervals.add(server, &mut cells);
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
            counter.add(region, of_keys.get(range.clone()).unwrap_or(&[]).iter().map(|&tick| (tick, 1)));
        }
        counter.end_region(region);
    });
    counter.finish()
}
