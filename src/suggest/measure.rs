//! Designs measured on records: keys encoded, sorted and split, writes counted by interval, queries planned.

use super::aging::{Aging, PlacedRow, aging};
use super::cells::{columns_of, with_columns};
use super::cost::QueryCost;
use super::draws::{QueryDraw, draws};
use super::intervals::{Intervals, NOT_COUNTED};
use super::key::KeyPlan;
use super::price::{PricedTable, Prices};
use super::profile::Profile;
use super::progress::Step;
use super::score::Scoring;
use super::shape::{RowShape, ShapedTable};
use super::shared::{SharedRows, of_all};
use super::table_of_kinds::TableOfKinds;
use crate::analysis::require_columns;
use crate::base::Problem;
use crate::design::split::{RankedKeys, SplitPoints, Splits, equal_shares};
use crate::design::{Design, Document, Query, typed_of};
use crate::formula::typed::TypedFormula;
use crate::hbase::storage::stored::StoredFamilies;
use crate::hbase::storage::table::{KeyLengths, UpdateBytes, storage};
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::keys::figures::ColumnFigures;
use crate::keys::lengths::KeyLengthSpread;
use crate::keys::table::KeyTable;
use crate::records::{ColumnValues, Records};
use crate::scan::{
    CostModel, FieldDomain, KnownRanges, PlanKind, PlannedOn, QueryMatcher, RankedPlan, RowSize, Sending,
    plan_ranges,
};
use std::rc::Rc;

/// Share of the time that split points come from, in hundredths; the rest is scored.
const LEARNED: usize = 80;
/// Fewest rows that are held out.
const HELD_OUT: usize = 50;
/// Records on which a key is measured in one step.
const ROWS_OF_A_STEP: usize = 1 << 12;
/// Records on which a query is asked for all drawn values in one step.
const ROWS_OF_A_DRAW: usize = 1 << 16;

/// Regions more than which are taken only where they make writes cooler by this part.
const WORTH_MORE_REGIONS: f64 = 0.97;

/// How a table is cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SplitChoice {
    /// Equal shares of the keys of the first part of the time.
    Shares(u32),
    /// At the borders of buckets of one byte.
    Buckets(u32),
    /// As a document says.
    Given(Splits),
}

/// A key to be measured.
#[derive(Clone)]
pub(super) struct Candidate {
    /// Its parts.
    pub key: KeyPlan,
    /// Its formula.
    pub rowkey: String,
    /// The formula, checked.
    pub typed: TypedFormula,
    /// How its table may be cut.
    pub split_choices: Vec<SplitChoice>,
    /// The table, where it differs from that of the document in more than its key.
    pub table: Option<CandidateTable>,
}

/// A table that differs from that of the document in more than its key.
#[derive(Clone)]
pub(super) enum CandidateTable {
    /// Records are not rows of their own.
    Shaped(Rc<ShapedTable>),
    /// Each kind of records has a key of its own.
    OfKinds(Rc<TableOfKinds>),
}

impl Candidate {
    /// The table, where records are not rows of their own.
    pub fn shape(&self) -> Option<&ShapedTable> {
        match &self.table {
            Some(CandidateTable::Shaped(table)) => Some(table),
            _ => None,
        }
    }

    /// The table, where each kind of records has a key of its own.
    pub fn kinds(&self) -> Option<&TableOfKinds> {
        match &self.table {
            Some(CandidateTable::OfKinds(table)) => Some(table),
            _ => None,
        }
    }

    /// The table, where it differs from that of the document in more than its key.
    pub fn design(&self) -> Option<&Design> {
        self.shape().map(|of| &of.design).or_else(|| self.kinds().map(|of| &of.design))
    }
}

/// How a round measures.
#[derive(Clone, Copy)]
pub(super) struct RoundOptions {
    /// Values drawn for each query.
    pub draws: usize,
    /// Tells one drawing from another.
    pub seed: u64,
    /// Region servers.
    pub servers: usize,
    /// The constants of the cost model.
    pub model: CostModel,
    /// True if queries are planned, false if they are priced by the order of parts.
    pub planned: bool,
}

/// A table with its keys.
pub(super) struct MeasuredTable {
    /// Its figures.
    pub measured: Measured,
    /// Its keys.
    pub table: KeyTable,
    /// Its split points.
    pub points: SplitPoints,
}

/// A table under a cut.
struct SplitTable {
    splits: Splits,
    points: SplitPoints,
    /// The region of each row.
    place: Vec<u32>,
    hottest: [f64; 2],
    writes: f64,
}

/// Inputs that all designs of a round share.
pub(super) struct RoundInputs<'a> {
    /// The document with fields and queries.
    pub study: &'a Document,
    /// The records.
    pub records: Rc<Records>,
    /// Records that each of them stands for.
    pub factor: f64,
    /// True if the last part of the time is scored, which split points do not come from.
    pub held_out: bool,
    /// The rows that split points come from.
    learned: Vec<bool>,
    times: Vec<Option<i64>>,
    intervals: Intervals,
    /// The draws of each query.
    asked: Vec<Vec<QueryDraw>>,
    /// Prices of a round in which no query is planned.
    prices: Option<Prices<'a>>,
    /// The ranges of fields by which queries order.
    pub known: KnownRanges,
    families: StoredFamilies<'a>,
    /// Its cells with formulas.
    columns: Vec<ColumnFigures>,
    options: RoundOptions,
    /// Rows that agree with another one in all identifying fields.
    pub alike: u64,
}

/// A table as measured.
#[derive(Clone)]
pub(super) struct Measured {
    /// Its split points.
    pub splits: Splits,
    /// Its regions.
    pub regions: usize,
    /// Share of the hottest region.
    pub hottest_region: f64,
    /// Share of the hottest server.
    pub hottest_server: f64,
    /// Bytes of its rows as stored.
    pub stored: StoredRows,
    /// Units that adding a record takes besides its own put.
    pub updates: f64,
    /// Bytes of a row as stored.
    pub bytes: f64,
    /// Approximate bytes after `FAST_DIFF` encoding.
    pub encoded: f64,
    /// Mean bytes of a key.
    pub key_bytes: f64,
    /// Rows without a key.
    pub refused: u64,
    /// Rows that share the key of another.
    pub repeated: u64,
    /// Cost of each query.
    pub queries: Vec<QueryCost>,
}

impl Measured {
    /// With rows without a key, and those that share that of another.
    pub fn with_rows(self, refused: u64, repeated: u64) -> Self {
        Self { refused, repeated, ..self }
    }
}

/// Counts of keys.
#[derive(Clone, Copy)]
pub(super) struct KeyCounts {
    /// Their lengths.
    pub lengths: KeyLengthSpread,
    /// Rows without a key.
    pub refused: u64,
    /// Rows that share the key of another.
    pub repeated: u64,
}

impl KeyCounts {
    /// Counts the keys of a table.
    pub fn of(table: &KeyTable) -> Self {
        let (lengths, duplicates) = (table.lengths(), table.duplicates());
        let repeated = (duplicates.rows - duplicates.keys.min(duplicates.rows)) as u64;
        Self { lengths, refused: table.refused.count(), repeated }
    }
}

/// Bytes of rows as stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredRows {
    /// The lengths of their keys.
    pub lengths: KeyLengthSpread,
    /// Size of a row; of one that records share, the part of each.
    pub size: RowSize,
    /// Approximate bytes of a row after `FAST_DIFF` encoding.
    pub encoded: f64,
    /// The records of a row.
    pub shared: SharedRows,
    /// One more record: bytes that are read before it is written, and written.
    pub update: UpdateBytes,
}

/// Rows in regions.
#[derive(Clone, Copy)]
pub(super) struct PlacedRows<'p> {
    /// The region of each row.
    pub place: &'p [u32],
    /// How many regions there are.
    pub regions: usize,
}

/// Figures of a table that do not depend on how it is cut.
struct Unsplit {
    plans: Vec<Vec<RankedPlan>>,
    /// Rows in the order of their keys.
    order: Vec<u32>,
    stored: StoredRows,
    refused: u64,
    repeated: u64,
}

impl<'a> RoundInputs<'a> {
    /// Some records, `rows` of `all`, with draws of each query from all of them.
    pub async fn new(
        study: &'a Document,
        all: &Records,
        (records, rows): (Rc<Records>, &[u32]),
        profile: &Profile,
        (options, step): (RoundOptions, &Step),
    ) -> Result<Self, Problem> {
        let factor = all.all_rows() as f64 / records.rows.max(1) as f64;
        let times = times(&records, study.arrival.as_deref());
        let (learned, held_out) = learned(&times);
        let scored =
            times.iter().zip(&learned).map(|(time, &learned)| time.filter(|_| !held_out || !learned));
        let intervals = Intervals::new(&scored.collect::<Vec<_>>(), 64);
        let mut asked: Vec<Vec<QueryDraw>> = Vec::new();
        for query in &study.queries {
            let mut of_query = Vec::new();
            for domains in draws(query, study, all, (options.draws, options.seed), profile) {
                step.rest().await;
                let matching = QueryMatcher::new(&records, &study.fields, &domains);
                let matched = (0..records.rows).filter(|&row| matching.matches(row)).count();
                of_query.push(QueryDraw { matched: matched as f64 * factor, domains });
            }
            asked.push(of_query);
        }
        step.rest().await;
        let prices = (!options.planned)
            .then(|| Prices::new(study, &records, (options.model, factor), &asked, options.servers));
        let known = KnownRanges::of(&records, &study.fields, &study.queries);
        let families = study.tables.first().map(StoredFamilies::from).unwrap_or_default();
        let alike = profile.alike(rows);
        let mut inputs = Self {
            study,
            records,
            factor,
            held_out,
            learned,
            times,
            intervals,
            asked,
            prices,
            known,
            families,
            columns: Vec::new(),
            options,
            alike,
        };
        if let Some(design) = study.tables.first().filter(|design| !design.typed.columns.is_empty()) {
            step.rest().await;
            let encoded = inputs.encode(&[&design.typed])?.pop().unwrap_or_default();
            inputs.columns = columns_of(&encoded.columns, inputs.records.rows);
        }
        Ok(inputs)
    }

    /// The keys of several formulas, encoded together.
    pub fn encode(&self, formulas: &[&TypedFormula]) -> Result<Vec<EncodedKeys>, Problem> {
        for typed in formulas {
            require_columns(&self.records, &self.study.fields, typed, self.study.arrival.as_deref())?;
        }
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        Ok(Encoder::new(&self.records, &names, formulas).encode())
    }

    /// The keys of a formula; `None` for one that the document does not have.
    pub fn keys_of(&self, rowkey: &str) -> Result<Option<EncodedKeys>, Problem> {
        let typed = self.study.tables.first().and_then(|design| typed_of(self.study, design, rowkey));
        typed.map_or(Ok(None), |typed| Ok(self.encode(&[&typed])?.pop()))
    }

    /// Records that share a key of this formula with an earlier one.
    pub fn repeated_by(&self, typed: &TypedFormula) -> u64 {
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        let keys = Encoder::new(&self.records, &names, &[typed]).encode().pop().unwrap_or_default();
        KeyCounts::of(&KeyTable::new(keys, 0)).repeated
    }

    /// A table under the cut of a key with the coolest writes; none if HBase would refuse all.
    pub async fn measure(
        &self,
        scoring: &Scoring<'_>,
        candidate: &Candidate,
        keys: EncodedKeys,
        step: &Step,
    ) -> Option<Measured> {
        let table = KeyTable::new(keys, 0);
        Box::pin(self.coolest(scoring, candidate, &table, step)).await.map(|(measured, _)| measured)
    }

    /// The same with the keys.
    pub async fn table(
        &self,
        scoring: &Scoring<'_>,
        candidate: &Candidate,
        keys: EncodedKeys,
        step: &Step,
    ) -> Option<MeasuredTable> {
        step.rest().await;
        let table = KeyTable::new(keys, 0);
        let (measured, points) = Box::pin(self.coolest(scoring, candidate, &table, step)).await?;
        Some(MeasuredTable { measured, table, points })
    }

    /// Under the cut with the coolest writes, of fewer regions where more bring little.
    async fn coolest(
        &self,
        scoring: &Scoring<'_>,
        candidate: &Candidate,
        table: &KeyTable,
        step: &Step,
    ) -> Option<(Measured, SplitPoints)> {
        let unsplit = self.unsplit(candidate, table, step).await;
        let learned = |row: u32| self.learned.get(row as usize).copied().unwrap_or(true);
        let past: Vec<usize> =
            (0..).zip(&unsplit.order).filter(|(_, row)| learned(**row)).map(|(rank, _)| rank).collect();
        let past = PastKeys { table, ranks: past };
        let mut best: Option<SplitTable> = None;
        for cut in &candidate.split_choices {
            self.rest(step).await;
            let Ok(splits) = splits_of(cut, &past) else { continue };
            let Ok(points) = splits.points_for(table) else { continue };
            let place = self.places(&unsplit.order, table, &points);
            let hottest = self.hottest(&place, points.regions());
            let writes = scoring.writes_of(hottest);
            let better = best.as_ref().is_none_or(|best| {
                writes < best.writes * WORTH_MORE_REGIONS
                    || (writes * WORTH_MORE_REGIONS <= best.writes
                        && points.regions() < best.points.regions())
            });
            if better {
                best = Some(SplitTable { splits, points, place, hottest, writes });
            }
        }
        let SplitTable { splits, points, place, hottest, .. } = best?;
        let rows = PlacedRows { place: &place, regions: points.regions() };
        let queries = match self.priced(candidate, rows, unsplit.stored.size) {
            Some(priced) => priced,
            None => self.ask_all(candidate, &unsplit, (table, &points), step).await,
        };
        let measured = self.measured(splits, (points.regions(), hottest), unsplit.stored, queries);
        Some((measured.with_rows(unsplit.refused, unsplit.repeated), points))
    }

    /// Rests after work of many records; one step measures a key on a few.
    async fn rest(&self, step: &Step) {
        if self.records.rows > ROWS_OF_A_STEP {
            step.rest().await;
        }
    }

    async fn unsplit(&self, candidate: &Candidate, table: &KeyTable, step: &Step) -> Unsplit {
        self.rest(step).await;
        let unpriced = self.prices.as_ref().is_none_or(|_| candidate.key.is_given());
        let queries = if unpriced { self.study.queries.as_slice() } else { &[] };
        let mut plans: Vec<Vec<RankedPlan>> = Vec::with_capacity(queries.len());
        for (query, draws) in queries.iter().zip(&self.asked) {
            let plan = |draw: &QueryDraw| {
                let fields = &self.study.fields;
                let plan = plan_ranges(&candidate.typed, fields, query, &draw.domains, &self.known);
                RankedPlan::new(plan, table)
            };
            plans.push(draws.iter().map(plan).collect());
            self.rest(step).await;
        }
        let counts = KeyCounts::of(table);
        // Pages hold all records of a row.
        let is_packed = candidate.shape().is_some_and(|of| of.shape == RowShape::Pages);
        Unsplit {
            plans,
            order: table.column(|row| row).concat(),
            stored: match candidate.design().zip(table.cells()) {
                Some((of, cells)) => {
                    stored(of.into(), counts.lengths, of_all(counts.lengths, cells, self.factor))
                }
                None => self.stored(counts.lengths),
            },
            refused: counts.refused,
            repeated: if is_packed { 0 } else { counts.repeated },
        }
    }

    /// Bytes of rows with keys of these lengths, a row for each record.
    pub fn stored(&self, lengths: KeyLengthSpread) -> StoredRows {
        stored(self.families, lengths, (with_columns(lengths, &self.columns), SharedRows::ALONE))
    }

    /// The prices of the queries, in a round in which none is planned.
    pub fn priced(
        &self,
        candidate: &Candidate,
        rows: PlacedRows<'_>,
        size: RowSize,
    ) -> Option<Vec<QueryCost>> {
        let table = PricedTable { place: rows.place, regions: rows.regions, size };
        self.prices.as_ref()?.of(&candidate.key, &table)
    }

    /// Shares of the hottest region and server of a table whose rows lie in these regions.
    pub fn hottest(&self, place: &[u32], regions: usize) -> [f64; 2] {
        let servers = self.options.servers.max(1);
        let modulo = |&place: &u32| if place == NOT_COUNTED { place } else { place % servers as u32 };
        let on_servers: Vec<u32> = place.iter().map(modulo).collect();
        // Servers without a region take nothing: an even deal is over those that have one.
        [(place, regions), (&on_servers, servers.min(regions))]
            .map(|(of, places)| self.intervals.hottest(of, places))
    }

    /// The figures of a table with so many regions and these shares of the hottest.
    pub fn measured(
        &self,
        splits: Splits,
        (regions, [hottest_region, hottest_server]): (usize, [f64; 2]),
        stored: StoredRows,
        queries: Vec<QueryCost>,
    ) -> Measured {
        Measured {
            splits,
            regions,
            hottest_region,
            hottest_server,
            stored,
            updates: self.options.model.update([stored.update.reads, stored.update.writes], stored.size),
            bytes: stored.size.bytes,
            encoded: stored.encoded,
            key_bytes: stored.lengths.total as f64 / stored.lengths.count.max(1) as f64,
            refused: 0,
            repeated: 0,
            queries,
        }
    }

    /// The rows that match these domains: those that records replace or share, as their cells have them.
    pub fn matcher<'m>(&'m self, candidate: &'m Candidate, domains: &'m [FieldDomain]) -> QueryMatcher<'m> {
        let (records, fields) = (&*self.records, self.study.fields.as_slice());
        let families = candidate.design().map_or(self.families, StoredFamilies::from);
        let matcher = QueryMatcher::new(records, fields, domains);
        matcher.in_cells(families, (records, fields), domains, self.study.arrival.as_deref())
    }

    /// True if queries are priced by the order of parts, not planned.
    pub fn is_priced(&self) -> bool {
        self.prices.is_some()
    }

    /// When the split points of a table need to be renewed; `None` where no time is known.
    pub fn aging(&self, of: &MeasuredTable) -> Option<Aging> {
        self.study.arrival.as_ref().filter(|_| self.held_out && of.measured.regions > 1)?;
        let place = self.places(&of.table.column(|row| row).concat(), &of.table, &of.points);
        let rows = self.times.iter().zip(&self.learned).zip(place);
        let placed =
            rows.filter_map(|((time, &learned), region)| Some(PlacedRow { time: (*time)?, region, learned }));
        aging(placed.collect())
    }

    /// The region of each row.
    fn places(&self, order: &[u32], table: &KeyTable, points: &SplitPoints) -> Vec<u32> {
        let mut place = vec![NOT_COUNTED; self.records.rows];
        let mut from = 0;
        let ends = points.iter().map(|point| table.rank(point)).chain([order.len()]);
        for (region, end) in (0..).zip(ends) {
            for &row in order.get(from..end).unwrap_or_default() {
                if let Some(place) = place.get_mut(row as usize) {
                    *place = region;
                }
            }
            from = from.max(end);
        }
        place
    }

    async fn ask_all(
        &self,
        candidate: &Candidate,
        unsplit: &Unsplit,
        of: (&KeyTable, &SplitPoints),
        step: &Step,
    ) -> Vec<QueryCost> {
        let mut costs = Vec::with_capacity(self.asked.len());
        for query in 0..self.asked.len() {
            self.rest(step).await;
            costs.push(self.ask((candidate, query), unsplit, of, step).await);
        }
        costs
    }

    async fn ask(
        &self,
        (candidate, query): (&Candidate, usize),
        unsplit: &Unsplit,
        (table, points): (&KeyTable, &SplitPoints),
        step: &Step,
    ) -> QueryCost {
        let servers = self.options.servers.max(1);
        let mut cost = QueryCost { servers: vec![0.0; servers], ..QueryCost::default() };
        let (Some(plans), Some(draws)) = (unsplit.plans.get(query), self.asked.get(query)) else {
            return cost;
        };
        let share = 1.0 / draws.len().max(1) as f64;
        for (draw, plan) in draws.iter().zip(plans) {
            // Counting up to a limit may go through all records.
            if self.records.rows > ROWS_OF_A_DRAW {
                step.rest().await;
            }
            let matching = || self.matcher(candidate, &draw.domains);
            let on = PlannedOn { table, points, factor: self.factor, matched: draw.matched };
            let of = self.options.model.of(plan, (unsplit.stored.size, Sending::Joined), &on, &matching);
            cost.draws.push(of.load);
            cost.full += if plan.plan.kind == PlanKind::FullScan { share } else { 0.0 };
            cost.sorted += if plan.plan.delivery.sort { share } else { 0.0 };
            cost.work.add(&of.work, share);
            cost.latency += of.latency * share;
            cost.regions += of.regions.len() as f64 * share;
            cost.blocks += of.blocks * share;
            cost.rows += of.rows * share;
            for region in of.regions {
                if let Some(requests) = cost.servers.get_mut(region as usize % servers) {
                    *requests += share;
                }
            }
        }
        cost
    }
}

/// Bytes of rows with keys of these lengths; of rows that records share, with their cells.
fn stored(
    families: StoredFamilies<'_>,
    lengths: KeyLengthSpread,
    (keys, shared): (KeyLengths, SharedRows),
) -> StoredRows {
    let stored = storage(families, &keys, keys.count);
    let records = keys.count.max(1) as f64;
    let encoded: u64 = stored.families.iter().map(|of| (of.fast_diff.least + of.fast_diff.most) / 2).sum();
    let encoded = encoded as f64 / records;
    StoredRows { lengths, size: stored.row_size(), encoded, shared, update: stored.update }
}

/// The time of each row; where no arrival is known, its place in the file stands for it.
fn times(records: &Records, arrival: Option<&str>) -> Vec<Option<i64>> {
    let column = arrival.and_then(|arrival| records.column(arrival));
    match column.map(|column| (&column.values, &column.invalid)) {
        Some((ColumnValues::Integers(times), invalid)) => {
            times.iter().enumerate().map(|(row, &time)| Some(time).filter(|_| !invalid.get(row))).collect()
        }
        _ => (0..records.rows as i64).map(Some).collect(),
    }
}

/// The rows of the first part of the time, and whether enough are left to be scored.
fn learned(times: &[Option<i64>]) -> (Vec<bool>, bool) {
    let mut known: Vec<i64> = times.iter().flatten().copied().collect();
    known.sort_unstable();
    let border = known.get(known.len() * LEARNED / 100).copied();
    let learned: Vec<bool> =
        times.iter().map(|time| time.zip(border).is_none_or(|(time, border)| time < border)).collect();
    let left = learned.iter().filter(|learned| !**learned).count();
    if left >= HELD_OUT && left < times.len() { (learned, true) } else { (vec![true; times.len()], false) }
}

fn splits_of(cut: &SplitChoice, past: &PastKeys<'_>) -> Result<Splits, Problem> {
    Ok(match cut {
        SplitChoice::Shares(regions) => {
            Splits::Points(equal_shares(past, *regions).iter().map(<[u8]>::to_vec).collect())
        }
        SplitChoice::Buckets(count) => Splits::Points((1..*count).map(|bucket| vec![bucket as u8]).collect()),
        SplitChoice::Given(splits) => splits.clone(),
    })
}

/// Sorted keys of the past, by their ranks among all.
struct PastKeys<'k> {
    table: &'k KeyTable,
    ranks: Vec<usize>,
}

impl RankedKeys for PastKeys<'_> {
    fn count(&self) -> usize {
        self.ranks.len()
    }

    fn at(&self, rank: usize) -> &[u8] {
        let found = self.ranks.get(rank).and_then(|&rank| self.table.select(rank));
        found.map(|(_, key)| key).unwrap_or_default()
    }

    fn below(&self, key: &[u8]) -> usize {
        let below = self.table.rank(key);
        self.ranks.partition_point(|&rank| rank < below)
    }
}

/// Queries with a rate of 1 where they have none.
pub(super) fn rate(query: &Query) -> f64 {
    query.rate.unwrap_or(1.0)
}
