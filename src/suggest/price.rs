//! Prices of the first round: what a query reads of a key follows from the order of its parts and the rows that each of its
//! conditions leaves, without a plan.

use super::cost::QueryCost;
use super::draws::{QueryDraw, unit};
use super::key::{Form, KeyPart, KeyPlan};
use crate::base::units::SECOND;
use crate::design::{Document, OrderDirection, Query};
use crate::records::Records;
use crate::records::field::{Field, Kind};
use crate::scan::{CostModel, FieldDomain, LIMIT, PERIODS, QueryMatcher, RowSize};

/// Rows as bits.
type RowBits = Vec<u64>;

/// The way a query asks for a field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AskedValues {
    /// One value.
    Known,
    /// Some values.
    Listed(usize),
    /// A range of so many values, `length` from the first to the last; texts have no number of values.
    Range { values: Option<u64>, length: u64 },
}

/// A condition of a draw.
struct Condition {
    field: usize,
    values: AskedValues,
    rows: RowBits,
}

/// The conditions of a draw.
struct PricedDraw {
    conditions: Vec<Condition>,
    /// Rows that match all of them.
    matched: f64,
}

/// Draws of queries with the rows that each condition leaves.
pub(super) struct Prices<'a> {
    study: &'a Document,
    model: CostModel,
    draws: Vec<Vec<PricedDraw>>,
    rows: usize,
    factor: f64,
    servers: usize,
}

/// A table to be priced.
pub(super) struct PricedTable<'t> {
    /// The region of each row.
    pub place: &'t [u32],
    /// Its regions.
    pub regions: usize,
    /// Size of a row.
    pub size: RowSize,
}

/// Where the parts of a key lead for a draw.
struct Walked<'w> {
    /// Conditions that narrow the rows.
    used: Vec<&'w Condition>,
    /// Ranges that are read.
    scans: usize,
    /// The part that ended it; none if all are known.
    end: Option<usize>,
    /// Share of the rows that lie in the buckets asked for, of fields that no later part narrows.
    share: f64,
}

/// A part that is asked value by value.
struct SpreadPart {
    /// Its place.
    at: usize,
    /// The field whose range would do instead.
    instead: Option<usize>,
    /// True if a later part narrows the rows.
    narrowed: bool,
}

impl<'w> Walked<'w> {
    /// True if no part narrows the rows by the condition of a field.
    fn is_open(&self, field: usize) -> bool {
        !self.used.iter().any(|of| of.field == field)
    }

    /// Narrows the rows by a condition.
    fn narrow(&mut self, of: &'w Condition, spreads: &mut [SpreadPart]) {
        for spread in spreads {
            spread.narrowed |= spread.instead != Some(of.field);
        }
        self.used.push(of);
    }
}

impl<'a> Prices<'a> {
    /// For some records, each of which stands for `factor`.
    pub fn new(
        study: &'a Document,
        records: &Records,
        (model, factor): (CostModel, f64),
        draws: &[Vec<QueryDraw>],
        servers: usize,
    ) -> Self {
        let of_query = |draws: &Vec<QueryDraw>| {
            let priced = |draw: &QueryDraw| PricedDraw {
                conditions: conditions(study, records, &draw.domains),
                matched: draw.matched,
            };
            draws.iter().map(priced).collect()
        };
        let draws = draws.iter().map(of_query).collect();
        Self { study, model, draws, rows: records.rows, factor, servers }
    }

    /// The cost of each query; `None` for a key that is more than fields, periods, buckets and digests.
    pub fn of(&self, key: &KeyPlan, table: &PricedTable<'_>) -> Option<Vec<QueryCost>> {
        if key.is_given() {
            return None;
        }
        let of_query = |(query, draws): (&Query, &Vec<PricedDraw>)| {
            let mut cost = QueryCost { servers: vec![0.0; self.servers.max(1)], ..QueryCost::default() };
            let share = 1.0 / draws.len().max(1) as f64;
            for draw in draws {
                self.add(query, draw, key, table, (share, &mut cost));
            }
            cost
        };
        Some(self.study.queries.iter().zip(&self.draws).map(of_query).collect())
    }

    /// Adds the cost of a draw.
    fn add(
        &self,
        query: &Query,
        draw: &PricedDraw,
        key: &KeyPlan,
        table: &PricedTable<'_>,
        (share, cost): (f64, &mut QueryCost),
    ) {
        let walked = self.walk(key, draw);
        let (mut touched, all) = self.touched(&walked, table);
        let exact = draw.conditions.iter().all(|of| walked.used.iter().any(|used| used.field == of.field));
        let delivery = self.delivery(query, key, &walked);
        let streams = if delivery.merge { walked.scans as f64 } else { 1.0 };
        let stops = query.limit.filter(|_| !delivery.sort && walked.end.is_some()).map(f64::from);
        let matching = (draw.matched / all.max(1e-9)).min(1.0);
        let read = match stops {
            Some(limit) if matching > 0.0 => all.min(limit * streams / matching),
            _ => all,
        };
        if read < all && !delivery.merge {
            let most = (touched.len() as f64 * read / all).ceil().max(1.0) as usize;
            touched.truncate(most);
        }
        let scans = if read < all && !delivery.merge { 1.0 } else { walked.scans as f64 };
        let scanners = scans.max(touched.len() as f64);
        let families = table.size.families.max(1.0);
        let blocks = (read * table.size.bytes / self.model.block_bytes).ceil().max(scanners);
        let files = if walked.end.is_none() { 1.0 } else { self.model.files };
        let filter = if exact { 1.0 } else { self.model.filter };
        let reversed = if delivery.reversed { self.model.reversed } else { 1.0 };
        let own = scanners * files * families * self.model.seek
            + blocks * families * (1.0 - self.model.hit) * self.model.block
            + read * table.size.cells * self.model.cell * filter * reversed;
        let returned = draw.matched.min(read) * table.size.bytes / self.model.result_bytes;
        let returned = (returned.ceil() - 1.0).max(0.0);
        let requests = touched.len() as f64 + returned;
        cost.draws.push(own + requests * self.model.request);
        let sorting = if delivery.sort { draw.matched * self.model.cell } else { 0.0 };
        let of_scan = (scanners / scans).max(1.0) + returned;
        cost.latency += share * (own / scans + of_scan * self.model.request + sorting);
        cost.regions += share * touched.len() as f64;
        cost.blocks += share * blocks;
        cost.rows += share * read;
        for region in touched {
            if let Some(requests) = cost.servers.get_mut(region as usize % self.servers.max(1)) {
                *requests += share;
            }
        }
    }

    /// Walks the parts of a key as the planner does. What is asked value by value to no avail is not.
    fn walk<'w>(&self, key: &KeyPlan, draw: &'w PricedDraw) -> Walked<'w> {
        let mut whole: Vec<usize> = Vec::new();
        loop {
            let (walked, useless) = self.walk_but(key, draw, &whole);
            match useless {
                Some(part) if !whole.contains(&part) => whole.push(part),
                _ => return walked,
            }
        }
    }

    fn walk_but<'w>(
        &self,
        key: &KeyPlan,
        draw: &'w PricedDraw,
        whole: &[usize],
    ) -> (Walked<'w>, Option<usize>) {
        let mut walked = Walked { used: Vec::new(), scans: 1, end: None, share: 1.0 };
        let mut spreads: Vec<SpreadPart> = Vec::new();
        // Buckets whose fields are asked for: these, and the share of the rows that is left.
        let mut bucketed: Vec<(&[usize], f64)> = Vec::new();
        for (at, part) in key.parts.iter().enumerate() {
            let later = key.parts.get(at + 1..).unwrap_or_default();
            let open = |field: usize| draw.asks(field).filter(|_| walked.is_open(field));
            let narrowed = later.iter().any(|part| part.made_of().iter().any(|&field| open(field).is_some()));
            let count = self.values(part, draw).filter(|count| {
                let spread = count.spread && (!narrowed || whole.contains(&at));
                walked.scans.saturating_mul(count.values) <= LIMIT && !spread
            });
            let Some(count) = count else {
                let ranged = match part {
                    KeyPart::Field { form: Form::Reversed, .. } => None,
                    KeyPart::Field { field, .. } | KeyPart::Period { field, .. } => draw.asks(*field),
                    _ => None,
                };
                let ranged = ranged.filter(|of| matches!(of.values, AskedValues::Range { .. }));
                ranged.into_iter().for_each(|of| walked.narrow(of, &mut spreads));
                walked.end = Some(at);
                break;
            };
            if let KeyPart::Field { field, .. } = part {
                open(*field).into_iter().for_each(|of| walked.narrow(of, &mut spreads));
            }
            if count.spread && count.values > 1 {
                let instead = match part {
                    KeyPart::Field { field, .. } | KeyPart::Period { field, .. } => Some(*field),
                    _ => None,
                };
                let instead = instead.filter(|field| draw.asks(*field).is_some());
                spreads.push(SpreadPart { at, instead, narrowed: false });
            }
            walked.scans *= count.values.max(1);
            if let KeyPart::Bucket { count: all, .. } | KeyPart::Second { count: all, .. } = part {
                bucketed.push((part.made_of(), count.values as f64 / f64::from(*all)));
            }
        }
        let shares = bucketed.iter().filter(|(fields, _)| fields.iter().any(|&field| walked.is_open(field)));
        walked.share = shares.map(|(_, share)| share.min(1.0)).product();
        let useless = spreads.iter().rev().find(|of| !of.narrowed).map(|of| of.at);
        (walked, useless)
    }

    /// The values of a part that are asked one by one, where there are few.
    fn values(&self, part: &KeyPart, draw: &PricedDraw) -> Option<PartValues> {
        let listed = |values: usize| Some(PartValues { values, spread: false });
        let spread = |values: usize| Some(PartValues { values, spread: true });
        let periods = |values: u64| usize::try_from(values).ok().filter(|&values| values <= PERIODS);
        match part {
            KeyPart::Field { field, .. } => match draw.asks(*field).map(|of| of.values) {
                Some(AskedValues::Known) => listed(1),
                Some(AskedValues::Listed(values)) => listed(values),
                Some(AskedValues::Range { values, .. }) => spread(periods(values?)?),
                None => match self.study.fields.get(*field).map(|field| field.kind) {
                    Some(Kind::Boolean) => spread(2),
                    _ => None,
                },
            },
            KeyPart::Period { field, length } => match draw.asks(*field)?.values {
                AskedValues::Known => listed(1),
                AskedValues::Listed(values) => listed(values),
                AskedValues::Range { length: asked, .. } => {
                    spread(periods(asked / length.unsigned_abs() + 2)?)
                }
            },
            KeyPart::Bucket { of, count } => {
                let values =
                    of.iter().map(|&field| draw.asks(field).map(|of| of.values)).try_fold(1, |all, of| {
                        Some(match of? {
                            AskedValues::Known => all,
                            AskedValues::Listed(values) => all * values,
                            AskedValues::Range { .. } => return None,
                        })
                    });
                values.map_or_else(|| spread(*count as usize), |values| listed(values.min(*count as usize)))
            }
            KeyPart::Second { field, count } => {
                let count = *count as usize;
                match draw.asks(*field).map(|of| of.values) {
                    Some(AskedValues::Known) => listed(1),
                    Some(AskedValues::Listed(values)) => listed(values.min(count)),
                    Some(AskedValues::Range { length, .. }) => {
                        let seconds = usize::try_from(length / SECOND.unsigned_abs()).unwrap_or(count);
                        spread(count.min(seconds.saturating_add(2)))
                    }
                    None => spread(count),
                }
            }
            KeyPart::Hash { field, .. } => match draw.asks(*field)?.values {
                AskedValues::Known => listed(1),
                AskedValues::Listed(values) => listed(values),
                AskedValues::Range { .. } => None,
            },
            KeyPart::Random { count } | KeyPart::Salt { count } => spread(*count as usize),
            KeyPart::Numbers { .. } | KeyPart::Given { .. } => None,
        }
    }

    /// The regions that hold the rows of the ranges, ascending, and how many rows there are.
    fn touched(&self, walked: &Walked<'_>, table: &PricedTable<'_>) -> (Vec<u32>, f64) {
        let (touched, rows) = self.in_ranges(walked, table);
        if walked.share >= 1.0 {
            return (touched, rows);
        }
        // Rows of a bucket lie beside each other: so much of the table is touched.
        let fewest = walked.scans.min(touched.len());
        let few = (touched.len() as f64 * walked.share).ceil() as usize;
        (touched.into_iter().take(few.max(fewest)).collect(), rows * walked.share)
    }

    /// The same, of the conditions that narrow the rows.
    fn in_ranges(&self, walked: &Walked<'_>, table: &PricedTable<'_>) -> (Vec<u32>, f64) {
        let Some((first, others)) = walked.used.split_first() else {
            return ((0..table.regions as u32).collect(), self.rows as f64 * self.factor);
        };
        let mut seen = vec![false; table.regions];
        let (mut count, mut left) = (0u32, table.regions);
        for (word, &bits) in first.rows.iter().enumerate() {
            let and = |bits: u64, of: &&Condition| bits & of.rows.get(word).copied().unwrap_or(0);
            let mut bits = others.iter().fold(bits, and);
            count += bits.count_ones();
            while bits != 0 && left > 0 {
                let row = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let region = table.place.get(row).and_then(|&region| seen.get_mut(region as usize));
                if let Some(seen) = region.filter(|seen| !**seen) {
                    *seen = true;
                    left -= 1;
                }
            }
        }
        // A range without rows of the sample lies somewhere, too.
        let least = walked.scans.min(table.regions);
        let mut touched: Vec<u32> =
            (0..).zip(&seen).filter(|(_, seen)| **seen).map(|(region, _)| region).collect();
        let unseen = (0..).zip(&seen).filter(|(_, seen)| !**seen).map(|(region, _)| region);
        touched.extend(unseen.take(least.saturating_sub(touched.len())));
        touched.sort_unstable();
        (touched, f64::from(count) * self.factor)
    }

    /// How rows come in the order that is asked for.
    fn delivery(&self, query: &Query, key: &KeyPlan, walked: &Walked<'_>) -> PricedDelivery {
        let Some(order) = &query.order else { return PricedDelivery::default() };
        let asked =
            |field: usize| self.study.fields.get(field).is_some_and(|of: &Field| of.name == order.field);
        let known = |of: &&Condition| asked(of.field) && of.values == AskedValues::Known;
        let Some(end) = walked.end.filter(|_| !walked.used.iter().any(known)) else {
            return PricedDelivery::default();
        };
        let descending = order.direction == OrderDirection::Descending;
        match key.parts.get(end) {
            Some(KeyPart::Field { field, form }) if asked(*field) && *form != Form::Reversed => {
                PricedDelivery {
                    reversed: descending != (*form == Form::NewestFirst),
                    merge: walked.scans > 1,
                    sort: false,
                }
            }
            _ => PricedDelivery { sort: true, ..PricedDelivery::default() },
        }
    }
}

/// How rows come.
#[derive(Default)]
struct PricedDelivery {
    reversed: bool,
    merge: bool,
    sort: bool,
}

/// The values of a part.
struct PartValues {
    values: usize,
    /// True if they are worth asking only where a later part narrows the rows.
    spread: bool,
}

impl PricedDraw {
    fn asks(&self, field: usize) -> Option<&Condition> {
        self.conditions.iter().find(|of| of.field == field)
    }
}

fn conditions(study: &Document, records: &Records, domains: &[FieldDomain]) -> Vec<Condition> {
    let restricted = domains.iter().enumerate().filter(|(_, domain)| domain.is_restricted());
    let condition = |(field, domain): (usize, &FieldDomain)| {
        let alone: Vec<FieldDomain> = (0..domains.len())
            .map(|other| if other == field { domain.clone() } else { FieldDomain::Any })
            .collect();
        let matching = QueryMatcher::new(records, &study.fields, &alone);
        let mut rows = vec![0u64; records.rows.div_ceil(64)];
        for row in (0..records.rows).filter(|&row| matching.matches(row)) {
            if let Some(word) = rows.get_mut(row / 64) {
                *word |= 1 << (row % 64);
            }
        }
        let unit = study.fields.get(field).map_or(1, unit).unsigned_abs().max(1);
        let values = match domain {
            FieldDomain::Values(values) if values.len() == 1 => AskedValues::Known,
            FieldDomain::Values(values) => AskedValues::Listed(values.len()),
            FieldDomain::Numbers(first, last) => {
                let length = last.abs_diff(*first);
                AskedValues::Range { values: Some(length / unit + 1), length }
            }
            _ => AskedValues::Range { values: None, length: u64::MAX },
        };
        Condition { field, values, rows }
    };
    restricted.map(condition).collect()
}
