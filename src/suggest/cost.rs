//! The cost model: what a plan takes of a cluster, in requests served from cache.

use crate::design::split::SplitPoints;
use crate::keys::table::KeyTable;
use crate::scan::{KeyRange, PlanKind, QueryMatcher, QueryPlan, count_limited, regions};
use serde::{Deserialize, Serialize};

/// The constants of the model. One unit is a request served from cache.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CostModel {
    /// A request to a region.
    pub request: f64,
    /// Bytes after which a scan asks again.
    pub result_bytes: f64,
    /// Store files of a family in a region.
    pub files: f64,
    /// A seek in a cached file.
    pub seek: f64,
    /// A block that is not in the cache.
    pub block: f64,
    /// Bytes of a block.
    pub block_bytes: f64,
    /// Share of the blocks that the cache has.
    pub hit: f64,
    /// A cell read.
    pub cell: f64,
    /// How much more a cell costs behind a filter.
    pub filter: f64,
    /// How much more a row costs in a reversed scan.
    pub reversed: f64,
}

impl Default for CostModel {
    fn default() -> Self {
        Self {
            request: 1.0,
            result_bytes: 2_097_152.0,
            files: 3.0,
            seek: 0.1,
            block: 1.0,
            block_bytes: 65_536.0,
            hit: 0.9,
            cell: 0.001,
            filter: 2.0,
            reversed: 2.0,
        }
    }
}

/// Size of a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowSize {
    /// Column families.
    pub families: f64,
    /// Cells.
    pub cells: f64,
    /// Bytes as stored.
    pub bytes: f64,
}

/// The cost of one plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlanCost {
    /// Units in all.
    pub load: f64,
    /// Units of the longest scan: the others run beside it.
    pub latency: f64,
    /// Blocks read.
    pub blocks: f64,
    /// Rows read.
    pub rows: f64,
    /// The regions it touches.
    pub regions: Vec<u32>,
}

/// Where a plan runs.
pub(super) struct PlannedOn<'a> {
    /// The keys.
    pub table: &'a KeyTable,
    /// The regions.
    pub points: &'a SplitPoints,
    /// Rows that each key stands for.
    pub factor: f64,
    /// Rows that match.
    pub matched: f64,
}

impl CostModel {
    /// The cost of a plan.
    pub(super) fn of<'m>(
        &self,
        plan: &QueryPlan,
        size: RowSize,
        on: &PlannedOn<'_>,
        matching: &dyn Fn() -> QueryMatcher<'m>,
    ) -> PlanCost {
        let touched = regions(&plan.ranges, on.points);
        let read: Vec<f64> = plan.ranges.iter().map(|range| rows_of(range, on)).collect();
        let all: f64 = read.iter().sum();
        let limited = limited_rows(plan, all, on, matching);
        let share = if all > 0.0 { limited / all } else { 1.0 };
        let filter = if plan.exact { 1.0 } else { self.filter };
        let reversed = if plan.delivery.reversed { self.reversed } else { 1.0 };
        let by_row = size.cells * self.cell * filter * reversed;
        let mut cost = PlanCost { rows: limited, ..PlanCost::default() };
        for (range, rows) in plan.ranges.iter().zip(&read) {
            let scanners = regions(std::slice::from_ref(range), on.points).len() as f64;
            let rows = rows * share;
            let blocks = (rows * size.bytes / self.block_bytes).ceil().max(scanners);
            let files = if plan.kind == PlanKind::Get { 1.0 } else { self.files };
            let own = scanners * files * size.families * self.seek
                + blocks * size.families.max(1.0) * (1.0 - self.hit) * self.block
                + rows * by_row;
            cost.load += own;
            cost.blocks += blocks;
            cost.latency = cost.latency.max(own + scanners.max(1.0) * self.request);
        }
        let returned = on.matched.min(limited) * size.bytes / self.result_bytes;
        let returned = (returned.ceil() - 1.0).max(0.0);
        cost.load += (touched.len() as f64 + returned) * self.request;
        cost.latency += returned * self.request;
        if plan.delivery.sort {
            cost.latency += on.matched * self.cell;
        }
        cost.regions = touched;
        cost
    }
}

fn rows_of(range: &KeyRange, on: &PlannedOn<'_>) -> f64 {
    let first = on.table.rank(&range.start);
    let last = if range.stop.is_empty() { on.table.len() } else { on.table.rank(&range.stop) };
    last.saturating_sub(first) as f64 * on.factor
}

/// Rows read up to the limit of the query, where reading stops there.
fn limited_rows<'m>(
    plan: &QueryPlan,
    all: f64,
    on: &PlannedOn<'_>,
    matching: &dyn Fn() -> QueryMatcher<'m>,
) -> f64 {
    let Some(limit) = plan.stops_after else { return all };
    if on.factor == 1.0 {
        return count_limited(plan, on.table, &matching()).map_or(all, |rows| rows.read as f64);
    }
    let streams = if plan.delivery.merge { plan.ranges.len().max(1) as f64 } else { 1.0 };
    let share = if all > 0.0 { (on.matched / all).min(1.0) } else { 1.0 };
    if share > 0.0 { all.min(f64::from(limit) * streams / share) } else { all }
}
