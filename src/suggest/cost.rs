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
            reversed: 10.0,
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

/// The work of plans, counted so that it can be priced under other constants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CountedWork {
    /// Requests to regions.
    pub requests: f64,
    /// Requests for more rows of a scan: under the model, with half of the bytes of a result, with twice as many.
    pub further: [f64; 3],
    /// Seeks in one file of a store, and in each of its files.
    pub seeks: [f64; 2],
    /// Blocks: under the model, with half of the bytes of a block, with twice as many.
    pub blocks: [f64; 3],
    /// Cells read: as they are, behind a filter, in a reversed scan, both.
    pub cells: [f64; 4],
}

impl CountedWork {
    /// Adds other work, `share` of it.
    pub fn add(&mut self, other: &Self, share: f64) {
        fn sum<const N: usize>(own: &mut [f64; N], other: &[f64; N], share: f64) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other * share);
        }
        self.requests += other.requests * share;
        sum(&mut self.further, &other.further, share);
        sum(&mut self.seeks, &other.seeks, share);
        sum(&mut self.blocks, &other.blocks, share);
        sum(&mut self.cells, &other.cells, share);
    }
}

/// How the bytes of a result or a block are changed: a place in the counts of [`CountedWork`].
const SIZES: [f64; 3] = [1.0, 0.5, 2.0];

/// A model with one constant changed.
pub(super) struct ChangedModel {
    /// The constant.
    pub constant: &'static str,
    model: CostModel,
    /// Places of the bytes of a result and of a block in [`SIZES`].
    sizes: [usize; 2],
}

impl ChangedModel {
    /// The price of counted work.
    pub fn price(&self, work: &CountedWork) -> f64 {
        self.model.price(work, self.sizes)
    }
}

/// The cost of one plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PlanCost {
    /// Units in all.
    pub load: f64,
    /// The work that is priced.
    pub work: CountedWork,
    /// Units of the longest scan: the others run beside it.
    pub latency: f64,
    /// Blocks read.
    pub blocks: f64,
    /// Rows read.
    pub rows: f64,
    /// The regions it touches.
    pub regions: Vec<u32>,
}

/// Cost of a query on a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QueryCost {
    /// Units of each draw.
    pub draws: Vec<f64>,
    /// The work of a draw, the mean; none where no query was planned.
    pub work: CountedWork,
    /// Units of the longest scan, the mean over draws.
    pub latency: f64,
    /// Regions touched, the mean.
    pub regions: f64,
    /// Blocks read, the mean.
    pub blocks: f64,
    /// Rows read, the mean.
    pub rows: f64,
    /// Requests to each server, the mean.
    pub servers: Vec<f64>,
}

impl QueryCost {
    /// The mean over draws.
    pub fn load(&self) -> f64 {
        self.draws.iter().sum::<f64>() / self.draws.len().max(1) as f64
    }

    /// The variance of the mean.
    pub fn variance(&self) -> f64 {
        let (count, mean) = (self.draws.len() as f64, self.load());
        let squares: f64 = self.draws.iter().map(|draw| (draw - mean) * (draw - mean)).sum();
        if count > 1.0 { squares / (count - 1.0) / count } else { 0.0 }
    }
}

/// A plan with the ranks of its ranges.
pub(super) struct RankedPlan {
    /// The plan.
    pub plan: QueryPlan,
    /// For each range the rank of its first row, and of the first one beyond.
    ranks: Vec<(usize, usize)>,
}

impl RankedPlan {
    /// A plan on these keys.
    pub fn new(plan: QueryPlan, table: &KeyTable) -> Self {
        let end = |stop: &[u8]| if stop.is_empty() { table.len() } else { table.rank(stop) };
        let ranks = plan.ranges.iter().map(|range| (table.rank(&range.start), end(&range.stop))).collect();
        Self { plan, ranks }
    }

    /// Rows in the ranges.
    pub fn rows(&self) -> u64 {
        self.ranks.iter().map(|(first, end)| end.saturating_sub(*first) as u64).sum()
    }
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

/// Changes one constant of a model by a factor.
type Change = fn(&mut CostModel, f64);

/// The constants by name, each with what changes it. A filter and a reversed scan never make a row cheaper, and the blocks that
/// the cache lacks are changed in place of those that it has.
const CONSTANTS: [(&str, Change); 10] = [
    ("request", |model, by| model.request *= by),
    ("resultBytes", |model, by| model.result_bytes *= by),
    ("files", |model, by| model.files *= by),
    ("seek", |model, by| model.seek *= by),
    ("block", |model, by| model.block *= by),
    ("blockBytes", |model, by| model.block_bytes *= by),
    ("hit", |model, by| model.hit = (1.0 - (1.0 - model.hit) * by).clamp(0.0, 1.0)),
    ("cell", |model, by| model.cell *= by),
    ("filter", |model, by| model.filter = (model.filter * by).max(1.0)),
    ("reversed", |model, by| model.reversed = (model.reversed * by).max(1.0)),
];

impl CostModel {
    /// The model with each constant halved, then doubled.
    pub(super) fn changed(&self) -> Vec<ChangedModel> {
        let of = |(constant, change): &(&'static str, Change)| {
            [1, 2].map(|size| {
                let mut model = *self;
                let by = SIZES.get(size).copied().unwrap_or(1.0);
                change(&mut model, by);
                let sizes =
                    ["resultBytes", "blockBytes"].map(|bytes| if bytes == *constant { size } else { 0 });
                ChangedModel { constant, model, sizes }
            })
        };
        CONSTANTS.iter().flat_map(of).collect()
    }

    /// The price of counted work, with the bytes of a result and of a block at these places of [`SIZES`].
    fn price(&self, work: &CountedWork, [result, block]: [usize; 2]) -> f64 {
        let [further, blocks] = [(work.further, result), (work.blocks, block)]
            .map(|(of, size)| of.get(size).copied().unwrap_or_default());
        let [once, each_file] = work.seeks;
        let [plain, filtered, reversed, both] = work.cells;
        let cells =
            plain + filtered * self.filter + reversed * self.reversed + both * self.filter * self.reversed;
        (work.requests + further) * self.request
            + (once + each_file * self.files) * self.seek
            + blocks * (1.0 - self.hit) * self.block
            + cells * self.cell
    }

    /// The cost of a plan.
    pub(super) fn of<'m>(
        &self,
        ranked: &RankedPlan,
        size: RowSize,
        on: &PlannedOn<'_>,
        matching: &dyn Fn() -> QueryMatcher<'m>,
    ) -> PlanCost {
        let plan = &ranked.plan;
        let ranges = plan.ranges.iter().zip(&ranked.ranks);
        let all = ranges.map(|(range, &(first, end))| ReadRange::whole(range, (first, end), on)).collect();
        let (read, limited) = up_to_limit(plan, all, on, matching);
        let kind = usize::from(!plan.exact) + 2 * usize::from(plan.delivery.reversed);
        let mut cost = PlanCost { rows: limited, ..PlanCost::default() };
        let mut touched: Vec<u32> = Vec::new();
        for of in &read {
            let regions = of.regions(plan.delivery.reversed, on);
            let scanners = regions.len() as f64;
            let mut own = CountedWork::default();
            let families = size.families.max(1.0);
            own.blocks = SIZES
                .map(|by| families * (of.rows * size.bytes / (self.block_bytes * by)).ceil().max(scanners));
            own.seeks[usize::from(plan.kind != PlanKind::Get)] = scanners * size.families;
            own.cells[kind] = of.rows * size.cells;
            cost.blocks += own.blocks[0] / families;
            cost.latency = cost.latency.max(self.price(&own, [0, 0]) + scanners.max(1.0) * self.request);
            cost.work.add(&own, 1.0);
            touched.extend(regions);
        }
        touched.sort_unstable();
        touched.dedup();
        let returned = on.matched.min(limited) * size.bytes / self.result_bytes;
        cost.work.further = SIZES.map(|by| ((returned / by).ceil() - 1.0).max(0.0));
        cost.work.requests = touched.len() as f64;
        cost.load = self.price(&cost.work, [0, 0]);
        cost.latency += cost.work.further[0] * self.request;
        if plan.delivery.sort {
            cost.latency += on.matched * self.cell;
        }
        cost.regions = touched;
        cost
    }
}

/// A range with the rows that are read of it.
#[derive(Clone)]
struct ReadRange<'r> {
    range: &'r KeyRange,
    /// Rank of its first row.
    first: usize,
    /// Rows in the range.
    all: f64,
    /// Rows of it that are read, in the direction of the scan.
    rows: f64,
}

impl<'r> ReadRange<'r> {
    fn whole(range: &'r KeyRange, (first, end): (usize, usize), on: &PlannedOn<'_>) -> Self {
        let rows = end.saturating_sub(first) as f64 * on.factor;
        Self { range, first, all: rows, rows }
    }

    /// The regions that are touched: a scan that stops early comes to no others.
    fn regions(&self, reversed: bool, on: &PlannedOn<'_>) -> Vec<u32> {
        if self.rows >= self.all {
            return regions(std::slice::from_ref(self.range), on.points);
        }
        let first = self.first;
        let (count, read) =
            ((self.all / on.factor) as usize, (self.rows / on.factor).ceil().max(1.0) as usize);
        let last = if reversed { first + count.saturating_sub(read) } else { first + read - 1 };
        let key = on.table.select(last.min(first + count.saturating_sub(1)));
        let key = key.map(|(_, key)| key.to_vec()).unwrap_or_default();
        let read = match reversed {
            true => KeyRange { start: key, stop: self.range.stop.clone() },
            false => KeyRange { start: self.range.start.clone(), stop: [key.as_slice(), &[0]].concat() },
        };
        regions(std::slice::from_ref(&read), on.points)
    }
}

/// The ranges that are read up to the limit of the query, where reading stops there, and the rows of all of them.
fn up_to_limit<'m, 'r>(
    plan: &QueryPlan,
    all: Vec<ReadRange<'r>>,
    on: &PlannedOn<'_>,
    matching: &dyn Fn() -> QueryMatcher<'m>,
) -> (Vec<ReadRange<'r>>, f64) {
    let sum: f64 = all.iter().map(|of| of.rows).sum();
    let Some(limit) = plan.stops_after.map(f64::from) else { return (all, sum) };
    let matched = if sum > 0.0 { (on.matched / sum).min(1.0) } else { 1.0 };
    let of_stream = if matched > 0.0 { limit / matched } else { f64::INFINITY };
    let counted = (on.factor == 1.0).then(|| count_limited(plan, on.table, &matching())).flatten();
    if plan.delivery.merge {
        let mut all = all;
        all.iter_mut().for_each(|of| of.rows = of.rows.min(of_stream));
        let rows = counted.map_or_else(|| all.iter().map(|of| of.rows).sum(), |counted| counted.read as f64);
        return (all, rows);
    }
    let rows = counted.map_or(of_stream, |counted| counted.read as f64).min(sum);
    let turns: Vec<usize> = match plan.turns.as_slice() {
        [] if plan.delivery.reversed => (0..all.len()).rev().collect(),
        [] => (0..all.len()).collect(),
        turns => turns.to_vec(),
    };
    let mut read: Vec<ReadRange<'r>> = Vec::new();
    let mut left = rows;
    for of in turns.into_iter().filter_map(|turn| all.get(turn)) {
        if left <= 0.0 && !read.is_empty() {
            break;
        }
        read.push(ReadRange { rows: of.rows.min(left), ..of.clone() });
        left -= of.rows;
    }
    (read, rows)
}
