//! The ranges of a plan as they are read: how far in each, and by scanners on which regions.

use super::count::{QueryMatcher, ReadTurn, count_turns};
use super::plan::QueryPlan;
use super::range::{KeyRange, regions};
use crate::design::split::SplitPoints;
use crate::keys::table::KeyTable;
use std::ops::Range;

/// Where a plan runs.
pub(crate) struct PlannedOn<'a> {
    /// The keys.
    pub table: &'a KeyTable,
    /// The regions.
    pub points: &'a SplitPoints,
    /// Records that each key stands for.
    pub factor: f64,
    /// Records that match.
    pub matched: f64,
}

/// A range with the records that are read of it: HBase reads them all, also where a row has several.
#[derive(Clone)]
pub(super) struct ReadRange<'r> {
    pub range: &'r KeyRange,
    /// Rank of its first key.
    first: usize,
    /// Records in the range.
    all: f64,
    /// Records of it that are read, in the direction of the scan.
    pub records: f64,
    /// True if reading stops at the last of them.
    pub stops: bool,
}

impl<'r> ReadRange<'r> {
    /// All records of a range.
    pub fn whole(range: &'r KeyRange, (first, end): (usize, usize), on: &PlannedOn<'_>) -> Self {
        let records = end.saturating_sub(first) as f64 * on.factor;
        Self { range, first, all: records, records, stops: false }
    }

    /// Number of keys in the range, and the places in key order of those that are read.
    fn places(&self, plan: &QueryPlan, on: &PlannedOn<'_>) -> (usize, Range<usize>) {
        let count = (self.all / on.factor).round() as usize;
        let read = ((self.records / on.factor).ceil() as usize).min(count);
        let read = match plan.delivery.reversed {
            true => self.first + count - read..self.first + count,
            false => self.first..self.first + read,
        };
        (count, read)
    }

    /// Rows that are read: different keys.
    pub fn rows(&self, plan: &QueryPlan, on: &PlannedOn<'_>) -> f64 {
        let (_, places) = self.places(plan, on);
        let records = places.len().max(1) as f64;
        self.records * on.table.rows_at(places) as f64 / records
    }

    /// The regions that are touched with the records read of each: a scan that stops early comes to no others.
    pub fn scanners(&self, plan: &QueryPlan, on: &PlannedOn<'_>) -> Vec<(u32, f64)> {
        let reversed = plan.delivery.reversed;
        let all = || regions(std::slice::from_ref(self.range), on.points);
        let (count, Range { start: first, end }) = self.places(plan, on);
        let read = end - first;
        let touched = match plan.delivery.tied {
            None if self.stops => self.touched((first, end), reversed, on),
            // The row that does not tie with the last one ends the scan.
            Some(_) if self.stops && read < count && reversed => self.touched((first - 1, end), reversed, on),
            Some(_) if self.stops && read < count => self.touched((first, end + 1), reversed, on),
            _ => all(),
        };
        if let [region] = touched.as_slice() {
            return vec![(*region, self.records)];
        }
        let of_region = |&region: &u32| {
            let (start, stop) = on.points.boundaries(region as usize);
            let stop = if stop.is_empty() { end } else { on.table.rank(stop).min(end) };
            (region, stop.saturating_sub(on.table.rank(start).max(first)) as f64 * on.factor)
        };
        touched.iter().map(of_region).collect()
    }

    /// The regions from where the scan begins to the last row that it reads, if to no more than one row.
    fn touched(&self, (first, end): (usize, usize), reversed: bool, on: &PlannedOn<'_>) -> Vec<u32> {
        let last = if reversed { first.min(end.saturating_sub(1)) } else { end.saturating_sub(1).max(first) };
        let key = on.table.select(last).map(|(_, key)| key.to_vec()).unwrap_or_default();
        let read = match reversed {
            true => KeyRange { start: key, stop: self.range.stop.clone() },
            false => KeyRange { start: self.range.start.clone(), stop: [key.as_slice(), &[0]].concat() },
        };
        regions(std::slice::from_ref(&read), on.points)
    }
}

/// The ranges that are read up to the limit of the query, where reading stops there, and the records of all of them.
pub(super) fn up_to_limit<'m, 'r>(
    plan: &QueryPlan,
    all: Vec<ReadRange<'r>>,
    (sum, matched): (f64, f64),
    on: &PlannedOn<'_>,
    matching: &dyn Fn() -> QueryMatcher<'m>,
) -> (Vec<ReadRange<'r>>, f64) {
    let Some(limit) = plan.stops_after.map(f64::from) else { return (all, sum) };
    if on.factor == 1.0 {
        return counted_up_to_limit(plan, &all, on, &matching());
    }
    let of_row = on.table.len() as f64 / on.table.rows().max(1) as f64;
    let of_stream = if matched > 0.0 { limit * of_row / matched } else { f64::INFINITY };
    if plan.delivery.merge {
        let mut all = all;
        for of in &mut all {
            of.stops = of.records >= of_stream;
            of.records = of.records.min(of_stream);
        }
        let records = all.iter().map(|of| of.records).sum();
        return (all, records);
    }
    let (records, stops) = (of_stream.min(sum), of_stream <= sum);
    let mut read: Vec<ReadRange<'r>> = Vec::new();
    let mut left = records;
    for of in plan.in_turn().into_iter().filter_map(|turn| all.get(turn)) {
        if stops && left <= 0.0 {
            break;
        }
        read.push(ReadRange {
            records: of.records.min(left),
            stops: stops && left <= of.records,
            ..of.clone()
        });
        left -= of.records;
    }
    (read, records)
}

/// The same where every record is known.
fn counted_up_to_limit<'r>(
    plan: &QueryPlan,
    all: &[ReadRange<'r>],
    on: &PlannedOn<'_>,
    matching: &QueryMatcher<'_>,
) -> (Vec<ReadRange<'r>>, f64) {
    let limit = u64::from(plan.stops_after.unwrap_or_default());
    let mut returned = 0;
    let mut of_turn = |ReadTurn { range, rows }: ReadTurn| {
        returned = if plan.delivery.merge { rows.returned } else { returned + rows.returned };
        let of = all.get(range)?.clone();
        Some(ReadRange { records: rows.in_records().read as f64, stops: returned >= limit, ..of })
    };
    let turns = count_turns(plan, on.table, matching).unwrap_or_default();
    let read: Vec<ReadRange<'r>> = turns.into_iter().filter_map(&mut of_turn).collect();
    let records = read.iter().map(|of| of.records).sum();
    (read, records)
}
