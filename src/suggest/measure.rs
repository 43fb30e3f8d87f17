//! Designs measured on records: keys encoded, sorted and split, writes counted by interval, queries planned.

use super::cost::{CostModel, PlannedOn, RowSize};
use super::draws::draws;
use super::intervals::{Intervals, NOT_COUNTED};
use crate::analysis::check_held;
use crate::base::Problem;
use crate::design::split::{RankedKeys, SplitPoints, Splits, equal_shares};
use crate::design::{Family, Query, Study};
use crate::formula::typed::TypedFormula;
use crate::hbase::storage::table::{KeyLengths, of_families};
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::keys::table::KeyTable;
use crate::records::{ColumnValues, Records};
use crate::scan::{FieldDomain, KnownRanges, QueryMatcher, QueryPlan, plan_known};
use std::rc::Rc;

/// Share of the time that split points come from, in hundredths; the rest is scored.
const LEARNED: usize = 80;
/// Fewest rows that are held out.
const HELD_OUT: usize = 50;

/// How a table is cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cut {
    /// Equal shares of the keys of the first part of the time.
    Shares(u32),
    /// At the borders of buckets of one byte.
    Buckets(u32),
    /// As a document says.
    Given(Splits),
}

/// Inputs that all designs of a round share.
pub(super) struct Ground<'a> {
    /// The document with fields and queries.
    pub study: &'a Study,
    /// The records.
    pub records: Rc<Records>,
    /// Records that each of them stands for.
    pub factor: f64,
    /// True if the last part of the time is scored, which split points do not come from.
    pub held_out: bool,
    /// The rows that split points come from.
    learned: Vec<bool>,
    intervals: Intervals,
    /// The draws of each query with the rows that match.
    asked: Vec<Vec<(Vec<FieldDomain>, f64)>>,
    known: KnownRanges,
    families: &'a [Family],
    servers: usize,
    model: CostModel,
    /// Rows that agree with another one in all identifying fields.
    pub alike: u64,
}

/// Cost of a query on a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QueryCost {
    /// Units of each draw.
    pub draws: Vec<f64>,
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

impl<'a> Ground<'a> {
    /// Some records with `count` draws of each query from `all` of them.
    pub fn new(
        study: &'a Study,
        all: &Records,
        records: Rc<Records>,
        (count, seed): (usize, u64),
        servers: usize,
        model: CostModel,
    ) -> Self {
        let factor = all.all_rows() as f64 / records.rows.max(1) as f64;
        let times = times(&records, study.arrival.as_deref());
        let (learned, held_out) = learned(&times);
        let scored =
            times.iter().zip(&learned).map(|(time, &learned)| time.filter(|_| !held_out || !learned));
        let intervals = Intervals::new(&scored.collect::<Vec<_>>(), 64);
        let asked = study.queries.iter().map(|query| {
            let drawn = draws(query, &study.fields, all, count, seed);
            let matched = drawn.into_iter().map(|domains| {
                let matching = QueryMatcher::new(&records, &study.fields, &domains);
                let matched = (0..records.rows).filter(|&row| matching.matches(row)).count();
                (matched as f64 * factor, domains)
            });
            matched.map(|(matched, domains)| (domains, matched)).collect()
        });
        let asked = asked.collect();
        let known = KnownRanges::of(&records, &study.fields, &study.queries);
        let families = study.tables.first().map(|design| design.families.as_slice()).unwrap_or_default();
        Self {
            study,
            records,
            factor,
            held_out,
            learned,
            intervals,
            asked,
            known,
            families,
            servers,
            model,
            alike: 0,
        }
    }

    /// The keys of several formulas, encoded together.
    pub fn encode(&self, formulas: &[&TypedFormula]) -> Result<Vec<EncodedKeys>, Problem> {
        for typed in formulas {
            check_held(&self.records, &self.study.fields, typed, self.study.arrival.as_deref())?;
        }
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        Ok(Encoder::new(&self.records, &names, formulas).encode())
    }

    /// A table under each of these cuts; those that HBase would refuse are left out.
    pub fn measure(&self, typed: &TypedFormula, keys: EncodedKeys, cuts: &[Cut]) -> Vec<Measured> {
        let table = KeyTable::new(keys, 0);
        let order: Vec<(u32, &[u8])> = table.iter_from(0).collect();
        let learned = |row: u32| self.learned.get(row as usize).copied().unwrap_or(true);
        let past = PastKeys(order.iter().filter(|(row, _)| learned(*row)).map(|&(_, key)| key).collect());
        // Plans do not depend on the cut.
        let planned = |(query, draws): (&Query, &Vec<(Vec<FieldDomain>, f64)>)| {
            let plan = |(domains, _): &(Vec<FieldDomain>, f64)| {
                plan_known(typed, &self.study.fields, query, domains, &self.known)
            };
            draws.iter().map(plan).collect()
        };
        let plans: Vec<Vec<QueryPlan>> = self.study.queries.iter().zip(&self.asked).map(planned).collect();
        let mut measured = Vec::new();
        let mut seen: Vec<SplitPoints> = Vec::new();
        for cut in cuts {
            let Ok(splits) = cut_of(cut, &past) else { continue };
            let Ok(points) = splits.points_for(&table) else { continue };
            if !seen.contains(&points) {
                measured.push(self.cut(&plans, &table, splits, &points));
                seen.push(points);
            }
        }
        measured
    }

    fn cut(
        &self,
        plans: &[Vec<QueryPlan>],
        table: &KeyTable,
        splits: Splits,
        points: &SplitPoints,
    ) -> Measured {
        let mut place = vec![NOT_COUNTED; self.records.rows];
        let regions = points.regions();
        let mut borders: Vec<usize> = points.iter().map(|point| table.rank(point)).collect();
        borders.push(table.len());
        let mut region = 0u32;
        for (rank, (row, _)) in table.iter_from(0).enumerate() {
            while borders.get(region as usize).is_some_and(|&border| rank >= border) {
                region += 1;
            }
            if let Some(place) = place.get_mut(row as usize) {
                *place = region;
            }
        }
        let hottest_region = self.intervals.hottest(&place, regions);
        let servers = self.servers.min(regions);
        let modulo =
            |place: u32| if place == NOT_COUNTED { place } else { place % self.servers.max(1) as u32 };
        let on_servers: Vec<u32> = place.into_iter().map(modulo).collect();
        // Servers without a region take nothing: an even deal is over those that have one.
        let hottest_server = self.intervals.hottest(&on_servers, servers);
        let lengths = table.lengths();
        let stored = of_families(
            self.families,
            KeyLengths {
                count: lengths.count,
                bytes: lengths.total,
                min: lengths.min as u64,
                max: Some(lengths.max as u64),
            },
            lengths.count,
        );
        let duplicates = table.duplicates();
        let rows = lengths.count.max(1) as f64;
        let encoded: u64 =
            stored.families.iter().map(|of| (of.fast_diff.least + of.fast_diff.most) / 2).sum();
        let size = RowSize {
            families: stored.families.iter().filter(|of| !of.columns.is_empty()).count().max(1) as f64,
            cells: stored.cells as f64 / rows,
            bytes: stored.total as f64 / rows,
        };
        Measured {
            splits,
            regions,
            hottest_region,
            hottest_server,
            bytes: size.bytes,
            encoded: encoded as f64 / rows,
            key_bytes: lengths.total as f64 / rows,
            refused: table.refused.count(),
            repeated: (duplicates.rows - duplicates.keys.min(duplicates.rows)) as u64,
            queries: (0..self.asked.len())
                .map(|query| self.ask(query, plans, (table, points), size))
                .collect(),
        }
    }

    fn ask(
        &self,
        query: usize,
        plans: &[Vec<QueryPlan>],
        (table, points): (&KeyTable, &SplitPoints),
        size: RowSize,
    ) -> QueryCost {
        let mut cost = QueryCost { servers: vec![0.0; self.servers.max(1)], ..QueryCost::default() };
        let (Some(plans), Some(draws)) = (plans.get(query), self.asked.get(query)) else { return cost };
        let share = 1.0 / draws.len().max(1) as f64;
        for ((domains, matched), plan) in draws.iter().zip(plans) {
            let matching = || QueryMatcher::new(&self.records, &self.study.fields, domains);
            let on = PlannedOn { table, points, factor: self.factor, matched: *matched };
            let of = self.model.of(plan, size, &on, &matching);
            cost.draws.push(of.load);
            cost.latency += of.latency * share;
            cost.regions += of.regions.len() as f64 * share;
            cost.blocks += of.blocks * share;
            cost.rows += of.rows * share;
            for region in of.regions {
                let server = region as usize % self.servers.max(1);
                if let Some(requests) = cost.servers.get_mut(server) {
                    *requests += share;
                }
            }
        }
        cost
    }
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

fn cut_of(cut: &Cut, past: &PastKeys<'_>) -> Result<Splits, Problem> {
    Ok(match cut {
        Cut::Shares(regions) => {
            Splits::Points(equal_shares(past, *regions).iter().map(<[u8]>::to_vec).collect())
        }
        Cut::Buckets(count) => Splits::Points((1..*count).map(|bucket| vec![bucket as u8]).collect()),
        Cut::Given(splits) => splits.clone(),
    })
}

/// Sorted keys of the past.
struct PastKeys<'k>(Vec<&'k [u8]>);

impl RankedKeys for PastKeys<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn at(&self, rank: usize) -> &[u8] {
        self.0.get(rank).copied().unwrap_or_default()
    }

    fn below(&self, key: &[u8]) -> usize {
        self.0.partition_point(|other| *other < key)
    }
}

/// Queries with a rate of 1 where they have none.
pub(super) fn rate(query: &Query) -> f64 {
    query.rate.unwrap_or(1.0)
}
