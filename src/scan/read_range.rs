//! The ranges of a plan as they are read: how far in each, and by scanners on which regions.

use super::count::{QueryMatcher, ReadTurn, count_turns};
use super::plan::QueryPlan;
use super::range::{KeyRange, regions};
use crate::design::split::SplitPoints;
use crate::keys::table::KeyTable;

/// Where a plan runs.
pub(crate) struct PlannedOn<'a> {
    /// The keys.
    pub table: &'a KeyTable,
    /// The regions.
    pub points: &'a SplitPoints,
    /// Rows that each key stands for.
    pub factor: f64,
    /// Rows that match.
    pub matched: f64,
}

/// A range with the rows that are read of it.
#[derive(Clone)]
pub(super) struct ReadRange<'r> {
    pub range: &'r KeyRange,
    /// Rank of its first row.
    first: usize,
    /// Rows in the range.
    all: f64,
    /// Rows of it that are read, in the direction of the scan.
    pub rows: f64,
    /// True if reading stops at the last of them.
    pub stops: bool,
}

impl<'r> ReadRange<'r> {
    /// All rows of a range.
    pub fn whole(range: &'r KeyRange, (first, end): (usize, usize), on: &PlannedOn<'_>) -> Self {
        let rows = end.saturating_sub(first) as f64 * on.factor;
        Self { range, first, all: rows, rows, stops: false }
    }

    /// The regions that are touched with the rows read of each: a scan that stops early comes to no others.
    pub fn scanners(&self, plan: &QueryPlan, on: &PlannedOn<'_>) -> Vec<(u32, f64)> {
        let reversed = plan.delivery.reversed;
        let all = || regions(std::slice::from_ref(self.range), on.points);
        let count = (self.all / on.factor).round() as usize;
        let read = ((self.rows / on.factor).ceil() as usize).min(count);
        let (first, end) = match reversed {
            true => (self.first + count - read, self.first + count),
            false => (self.first, self.first + read),
        };
        let touched = match plan.delivery.tied {
            None if self.stops => self.touched((first, end), reversed, on),
            // The row that does not tie with the last one ends the scan.
            Some(_) if self.stops && read < count && reversed => self.touched((first - 1, end), reversed, on),
            Some(_) if self.stops && read < count => self.touched((first, end + 1), reversed, on),
            _ => all(),
        };
        if let [region] = touched.as_slice() {
            return vec![(*region, self.rows)];
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

/// The ranges that are read up to the limit of the query, where reading stops there, and the rows of all of them.
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
    let of_row = on.table.cells().map_or(1.0, |cells| on.table.len() as f64 / cells.rows.max(1) as f64);
    let of_stream = if matched > 0.0 { limit * of_row / matched } else { f64::INFINITY };
    if plan.delivery.merge {
        let mut all = all;
        for of in &mut all {
            of.stops = of.rows >= of_stream;
            of.rows = of.rows.min(of_stream);
        }
        let rows = all.iter().map(|of| of.rows).sum();
        return (all, rows);
    }
    let (rows, stops) = (of_stream.min(sum), of_stream <= sum);
    let mut read: Vec<ReadRange<'r>> = Vec::new();
    let mut left = rows;
    for of in plan.in_turn().into_iter().filter_map(|turn| all.get(turn)) {
        if stops && left <= 0.0 {
            break;
        }
        read.push(ReadRange { rows: of.rows.min(left), stops: stops && left <= of.rows, ..of.clone() });
        left -= of.rows;
    }
    (read, rows)
}

/// The same where every row is known.
fn counted_up_to_limit<'r>(
    plan: &QueryPlan,
    all: &[ReadRange<'r>],
    on: &PlannedOn<'_>,
    matching: &QueryMatcher<'_>,
) -> (Vec<ReadRange<'r>>, f64) {
    let limit = u64::from(plan.stops_after.unwrap_or_default());
    let mut returned = 0;
    let mut of_turn = |ReadTurn { range, rows, limited }: ReadTurn| {
        returned = if plan.delivery.merge { limited } else { returned + limited };
        let of = all.get(range)?.clone();
        Some(ReadRange { rows: rows.read as f64, stops: returned >= limit, ..of })
    };
    let turns = count_turns(plan, on.table, matching).unwrap_or_default();
    let read: Vec<ReadRange<'r>> = turns.into_iter().filter_map(&mut of_turn).collect();
    let rows = read.iter().map(|of| of.rows).sum();
    (read, rows)
}
