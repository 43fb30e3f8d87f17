//! The cost model: what a plan takes of a cluster, in requests served from cache.

use super::count::QueryMatcher;
use super::plan::{PlanKind, QueryPlan};
use super::range::{KeyRange, regions};
use super::read_range::{PlannedOn, ReadRange, up_to_limit};
use crate::base::Problem;
use crate::design::split::SplitPoints;
use crate::keys::table::KeyTable;
use serde::{Deserialize, Serialize};

/// Rows of a response as HBase is shipped (`hbase.client.scanner.caching`): bytes alone bound it.
const CACHING: f64 = 2_147_483_647.0;

/// The constants of the model. One unit is a request served from cache.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CostModel {
    /// A request to a region.
    pub request: f64,
    /// Bytes after which a scan asks again (`hbase.client.scanner.max.result.size`).
    pub result_bytes: f64,
    /// Rows after which it asks again (`Scan.setCaching`).
    pub caching: f64,
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
            caching: CACHING,
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

/// Bytes of memory that a cell takes beside its own, which HBase counts for a response, too (`KeyValue.FIXED_OVERHEAD`).
const CELL_MEMORY: f64 = 48.0;

/// Size of a row; of one that records share, the part of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RowSize {
    /// Column families.
    pub families: f64,
    /// Cells.
    pub cells: f64,
    /// Bytes as stored.
    pub bytes: f64,
    /// Bytes of a block of its families; 0 where the model says.
    pub block: f64,
    /// Families without a Bloom filter: a get looks into all of their files.
    pub unfiltered: f64,
}

/// The work of plans, counted so that it can be priced under other constants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CountedWork {
    /// Requests to regions.
    pub requests: f64,
    /// Requests for more rows of a scan: as [`SIZES`] has the bytes of a result.
    pub further: [f64; 3],
    /// Seeks in one file of a store, and in each of its files.
    pub seeks: [f64; 2],
    /// Blocks, those of all files of a store as one file: as [`SIZES`] has the bytes of a block.
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
pub(crate) struct ChangedModel {
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
pub(crate) struct PlanCost {
    /// Units in all.
    pub load: f64,
    /// The work that is priced.
    pub work: CountedWork,
    /// Units of the longest scan: the others run beside it.
    pub latency: f64,
    /// Blocks read of all families.
    pub blocks: f64,
    /// Rows read.
    pub rows: f64,
    /// Rows sent to the client; of rows that records share, their records.
    pub sent: f64,
    /// Scanners: each range opens one in every region that it touches.
    pub scanners: f64,
    /// The regions it touches.
    pub regions: Vec<u32>,
}

/// The cost of a plan, for a person: estimates, in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadCost {
    /// Always true: sizes of rows and files are taken from the design and the model.
    pub estimated: bool,
    /// Rows read.
    pub rows: u64,
    /// Requests: at least one for each scanner.
    pub rpcs: u64,
    /// Scanners: each range opens one in every region that it touches.
    pub scanners: u64,
    /// Regions touched.
    pub regions: u64,
    /// Seeks in store files.
    pub seeks: u64,
    /// Blocks of all families and store files.
    pub blocks: u64,
    /// Bytes sent to the client.
    pub bytes: u64,
    /// Units of the model: requests served from cache.
    pub units: f64,
}

/// Requests that a plan takes at least: one for each region that each of its ranges touches, one for each region of gets.
pub fn least_requests(plan: &QueryPlan, points: &SplitPoints) -> usize {
    let of = |ranges: &[KeyRange]| regions(ranges, points).len();
    match plan.kind {
        PlanKind::Get => of(&plan.ranges),
        _ => plan.ranges.iter().map(|range| of(std::slice::from_ref(range))).sum(),
    }
}

/// How the ranges of a plan are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sending {
    /// Those of a region in one request, as a `MultiRowRangeFilter` or a batch of gets does.
    Joined,
    /// A scan for each of them, as exported code does.
    Each,
}

/// A plan with the ranks of its ranges.
pub(crate) struct RankedPlan {
    /// The plan.
    pub plan: QueryPlan,
    /// For each range the rank of its first key, and of the first one beyond.
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
    pub fn rows(&self, table: &KeyTable) -> u64 {
        self.ranks.iter().map(|&(first, end)| table.rows_at(first..end.max(first)) as u64).sum()
    }
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
    /// Reads it as JSON text: members that are left out are those of the default.
    ///
    /// # Errors
    /// `plan.wrong-cost`: unknown members, and figures that no cluster has.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |error: String| Problem::new("plan.wrong-cost").with("error", error);
        let model: Self = crate::base::json::members(text).map_err(|error| wrong(error.to_string()))?;
        let [least, most] = [1.0, 1e12];
        for (name, value) in [
            ("resultBytes", model.result_bytes),
            ("caching", model.caching),
            ("files", model.files),
            ("blockBytes", model.block_bytes),
        ] {
            if !(least..=most).contains(&value) {
                return Err(wrong(format!("{name}: 1–10¹²")));
            }
        }
        Ok(model)
    }

    /// The model with each constant halved, then doubled.
    pub(crate) fn changed(&self) -> Vec<ChangedModel> {
        let of = |(constant, change): &(&'static str, Change)| {
            [1, 2].map(|size| {
                let mut model = *self;
                let by = SIZES.get(size).copied().unwrap_or(1.0);
                change(&mut model, by);
                let sizes = match *constant {
                    "resultBytes" => [size, 0],
                    "blockBytes" => [0, size],
                    _ => [0, 0],
                };
                ChangedModel { constant, model, sizes }
            })
        };
        CONSTANTS.iter().flat_map(of).collect()
    }

    /// The price of counted work, with the bytes of a result and of a block at these places of [`SIZES`].
    fn price(&self, work: &CountedWork, [result, block]: [usize; 2]) -> f64 {
        let further = work.further.get(result).copied().unwrap_or_default();
        let blocks = work.blocks.get(block).copied().unwrap_or_default();
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
    pub(crate) fn of<'m>(
        &self,
        ranked: &RankedPlan,
        (size, sending): (RowSize, Sending),
        on: &PlannedOn<'_>,
        matching: &dyn Fn() -> QueryMatcher<'m>,
    ) -> PlanCost {
        let plan = &ranked.plan;
        let ranges = plan.ranges.iter().zip(&ranked.ranks);
        let all: Vec<ReadRange<'_>> =
            ranges.map(|(range, &(first, end))| ReadRange::whole(range, (first, end), on)).collect();
        let whole: f64 = all.iter().map(|of| of.records).sum();
        let matched = if whole > 0.0 { (on.matched / whole).min(1.0) } else { 1.0 };
        let (read, limited) = up_to_limit(plan, all, (whole, matched), on, matching);
        let mut cost = PlanCost::default();
        let is_wide = on.table.is_wide();
        for of in &read {
            let rows = of.rows(plan, on);
            cost.rows += rows;
            let scanners = of.scanners(plan, on);
            let own = self.work(plan, of, (&scanners, matched), (size, sending));
            let opening = if own.requests > 0.0 { 0.0 } else { scanners.len().max(1) as f64 };
            cost.latency = cost.latency.max(self.price(&own, [0, 0]) + opening * self.request);
            cost.blocks += self.blocks(plan, &scanners, size);
            cost.work.add(&own, 1.0);
            cost.scanners += scanners.len() as f64;
            // Records that another replaces are read and not sent.
            cost.sent += matched * if is_wide { of.records } else { rows };
            cost.regions.extend(scanners.iter().map(|&(region, _)| region));
        }
        cost.regions.sort_unstable();
        cost.regions.dedup();
        if sending == Sending::Joined {
            let returned = on.matched.min(limited) * size.bytes / self.result_bytes;
            cost.work.further = SIZES.map(|by| ((returned / by).ceil() - 1.0).max(0.0));
            cost.latency += cost.work.further[0] * self.request;
        }
        if sending == Sending::Joined || plan.kind == PlanKind::Get {
            // The client sends gets together, at most one request to a region.
            cost.work.requests = cost.regions.len() as f64;
        }
        cost.load = self.price(&cost.work, [0, 0]);
        if plan.delivery.sort {
            cost.latency += on.matched * self.cell;
        }
        cost
    }

    /// The same for a person.
    pub(crate) fn read_cost<'m>(
        &self,
        ranked: &RankedPlan,
        size: RowSize,
        on: &PlannedOn<'_>,
        matching: &dyn Fn() -> QueryMatcher<'m>,
    ) -> ReadCost {
        let cost = self.of(ranked, (size, Sending::Each), on, matching);
        let [once, each_file] = cost.work.seeks;
        ReadCost {
            estimated: true,
            rows: cost.rows.round() as u64,
            rpcs: (cost.work.requests + cost.work.further[0]).round() as u64,
            scanners: cost.scanners as u64,
            regions: cost.regions.len() as u64,
            seeks: (once + each_file * self.files).round() as u64,
            blocks: cost.blocks.round() as u64,
            bytes: (cost.sent * size.bytes).round() as u64,
            units: cost.load,
        }
    }

    /// The work of a range, with the rows that its scanners read and the share of them that is sent.
    fn work(
        &self,
        plan: &QueryPlan,
        of: &ReadRange<'_>,
        (scanners, matched): (&[(u32, f64)], f64),
        (size, sending): (RowSize, Sending),
    ) -> CountedWork {
        let get = plan.kind == PlanKind::Get;
        let kind = usize::from(!plan.exact) + 2 * usize::from(plan.delivery.reversed);
        let families = size.families.max(1.0);
        let mut own = CountedWork::default();
        if !get && sending == Sending::Each {
            own.requests = scanners.len() as f64;
            own.further =
                SIZES.map(|by| scanners.iter().map(|of| self.further(of.1 * matched, size, by)).sum());
        }
        // The price of a seek has the block that it leads to; those of one file are left.
        let blocks = of.records * size.bytes / self.block_of(size);
        own.blocks = SIZES.map(|by| families * (blocks / by).ceil().max(scanners.len() as f64));
        let unfiltered = if get { size.unfiltered.min(families) } else { families };
        own.seeks = [families - unfiltered, unfiltered].map(|stores| scanners.len() as f64 * stores);
        own.cells[kind] = of.records * size.cells;
        own
    }

    /// Units that adding a record takes besides its own put, by the bytes that are read for it and written: the cells that it shares with
    /// others are read with a get, and written whole. Written blocks are in no cache.
    pub(crate) fn update(&self, bytes: [u64; 2], size: RowSize) -> f64 {
        if bytes[0] == 0 {
            return 0.0;
        }
        let families = size.families.max(1.0);
        let [read, written] = bytes.map(|bytes| bytes as f64 / self.block_of(size));
        let missed = read.ceil().max(families) * (1.0 - self.hit);
        self.request + families * self.seek + (missed + written) * self.block
    }

    /// Bytes of a block: those of the families, unless the model states others.
    fn block_of(&self, size: RowSize) -> f64 {
        let stated = self.block_bytes != Self::default().block_bytes;
        if stated || size.block < 1.0 { self.block_bytes } else { size.block }
    }

    /// Blocks that scanners read: at least one of each family in every store file, of which a Bloom filter spares a get those
    /// without its row.
    fn blocks(&self, plan: &QueryPlan, scanners: &[(u32, f64)], size: RowSize) -> f64 {
        let families = size.families.max(1.0);
        let unfiltered = if plan.kind == PlanKind::Get { size.unfiltered.min(families) } else { families };
        let stores = families - unfiltered + unfiltered * self.files;
        let of_file = |rows: f64| (rows * size.bytes / stores / self.block_of(size)).ceil().max(1.0);
        scanners.iter().map(|of| stores * of_file(of.1)).sum()
    }

    /// Requests of a scanner beyond the first, to send so many rows: a response ends with the cell or row that fills it.
    fn further(&self, rows: f64, size: RowSize, by: f64) -> f64 {
        let cells = size.cells.max(1.0);
        let cell = (size.bytes / cells + CELL_MEMORY).max(1.0);
        let by_bytes = rows * cells / (self.result_bytes * by / cell).ceil().max(1.0);
        let responses = by_bytes.max(rows / self.caching.max(1.0));
        (responses.ceil() - 1.0).max(0.0)
    }
}
