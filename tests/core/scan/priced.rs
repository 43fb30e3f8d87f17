//! Prices of plans and pages of results, against a client and a cluster that do it row by row.

use super::study::{query, records};
use proptest::prelude::*;
use rowscape::analysis::{Analysis, PlanPricing, PricedPage};
use rowscape::design::{self, Document, Query};
use rowscape::records::Records;
use rowscape::scan::{self, CostModel, PlanKind, QueryMatcher, QueryPlan, ReadCost};
use serde_json::{Value, json};
use std::rc::Rc;

const KEYS: &[&str] = &[
    "host.terminated() + at.millis().int64() + n.int32()",
    "host.terminated() + at.millis().reverseLong().int64() + n.int32()",
    "host.terminated() + at.seconds().uint32() + n.int32()",
    "bucket(host, 5).decimal(1) + host.terminated() + at.seconds().uint32() + n.int32()",
    "rest.phoenixSalt(4) + at.millis().int64() + n.int32()",
    "rest.phoenixSalt(7) + at.seconds().int32() + n.int32()",
    "bucket(n, 8).decimal(2) + at.millis().int64() + host",
    "n.floorMod(6).decimal(1) + at.millis().reverseLong().int64() + host",
    "bucket(host, at.format('yyyyMMdd'), 6).decimal(1) + at.format('yyyyMMddHHmmss') + n.int32()",
    "at.format('mm') + at.millis().int64() + n.int32()",
    "at.millis().int64() + host + n.int32()",
    "n.int64() + host",
    "host.md5().hex(4) + n.int32()",
];

fn fields() -> Value {
    json!([
        { "name": "host", "type": "text" },
        { "name": "at", "type": "time", "format": "epoch-millis" },
        { "name": "n", "type": "integer" },
    ])
}

/// A table of two families and three cells.
fn document(rowkey: &str, points: &[String]) -> Document {
    let cells = |names: &[&str]| -> Vec<Value> {
        names.iter().map(|name| json!({ "qualifier": name, "bytes": 10 })).collect()
    };
    let families =
        json!([{ "name": "a", "cells": cells(&["x", "y"]) }, { "name": "b", "cells": cells(&["z"]) }]);
    let splits = json!({ "points": points });
    let document = json!({
        "rowscape": 1, "fields": fields(), "rowkey": rowkey, "splits": splits, "table": { "families": families },
    });
    design::parse(&document.to_string()).unwrap_or_else(|problems| panic!("{rowkey}: {problems:?}"))
}

/// A key with the row of its record.
type KeyRow = (Vec<u8>, u32);

/// A table with its rows in order of their keys, a query and how it is answered.
struct Asked {
    study: Document,
    records: Rc<Records>,
    analysis: Analysis,
    query: Query,
    plan: QueryPlan,
    cost: ReadCost,
    next: Option<PricedPage>,
    model: CostModel,
    /// Keys with the rows of their records, each key once.
    rows: Vec<(Vec<u8>, u32)>,
}

impl Asked {
    fn new(
        rowkey: &str,
        lines: &[String],
        members: &Value,
        cuts: &[usize],
        model: CostModel,
    ) -> Option<Self> {
        let plain = document(rowkey, &[]);
        let records = Rc::new(records(&plain, lines));
        let of = |study: &Document| Analysis::of(study, 0, records.clone()).expect("an analysis");
        let keys = of(&plain);
        let mut rows: Vec<(Vec<u8>, u32)> =
            keys.placed().0.iter_from(0).map(|(row, key)| (key.to_vec(), row)).collect();
        rows.dedup_by(|a, b| a.0 == b.0);
        let mut points: Vec<Vec<u8>> =
            cuts.iter().map(|cut| rows[cut % rows.len()].0.clone()).filter(|key| !key.is_empty()).collect();
        points.sort();
        points.dedup();
        let points: Vec<String> = points.iter().map(|key| rowscape::row::to_string_binary(key)).collect();
        let study = document(rowkey, &points);
        let analysis = of(&study);
        // A key that two records share is one row.
        if rows.len() != records.rows {
            return None;
        }
        let query = query(&study, members.clone());
        let pricing = PlanPricing { families: (&study.tables[0]).into(), model, ..PlanPricing::default() };
        let planned = analysis.priced(std::slice::from_ref(&query), &pricing).pop()??;
        let (plan, prices) = (planned.plan, planned.prices?);
        let (cost, next) = (prices.cost, prices.next);
        Some(Self { study, records, analysis, query, plan, cost, next, model, rows })
    }

    fn value(&self, row: u32) -> i64 {
        let order = self.query.order.as_ref().map_or("n", |order| order.field.as_str());
        let column = self.records.column(order).expect("a column");
        let rowscape::records::ColumnValues::Integers(values) = &column.values else { return 0 };
        let value = values[row as usize];
        let descending = self
            .query
            .order
            .as_ref()
            .is_some_and(|order| order.direction == design::OrderDirection::Descending);
        if descending { -value } else { value }
    }

    fn skipped(&self) -> Option<usize> {
        scan::prefix_length(&self.study.tables[0].typed, &self.domains())
    }

    fn domains(&self) -> Vec<scan::FieldDomain> {
        scan::read(&self.query, &self.study.fields, "").expect("conditions")
    }

    /// The rows that a client returns for a plan, in the order in which it does.
    fn returned(&self, plan: &QueryPlan) -> Vec<(Vec<u8>, u32)> {
        let domains = self.domains();
        let matching = QueryMatcher::new(&self.records, &self.study.fields, &domains);
        let stream = |range: &scan::KeyRange| -> Vec<(Vec<u8>, u32)> {
            let within =
                self.rows.iter().filter(|(key, row)| range.contains(key) && matching.matches(*row as usize));
            let mut rows: Vec<_> = within.cloned().collect();
            if plan.delivery.reversed {
                rows.reverse();
            }
            rows
        };
        let sorted = |mut rows: Vec<(Vec<u8>, u32)>| {
            rows.sort_by_key(|(key, row)| (self.value(*row), key.clone()));
            rows
        };
        let skipped = self.skipped();
        if plan.delivery.sort || (plan.delivery.merge && skipped.is_none()) {
            return sorted(plan.ranges.iter().flat_map(stream).collect());
        }
        let tie =
            |key: &[u8]| plan.delivery.tied.map(|tied| key[skipped.unwrap_or(0).min(tied)..tied].to_vec());
        let rows: Vec<(Vec<u8>, u32)> = match plan.delivery.merge {
            false => plan.in_turn().into_iter().flat_map(|turn| stream(&plan.ranges[turn])).collect(),
            true => {
                let streams = plan.ranges.iter().enumerate();
                let mut all: Vec<(Vec<u8>, usize, KeyRow)> = streams
                    .flat_map(|(at, range)| stream(range).into_iter().map(move |row| (at, row)))
                    .map(|(at, row)| (row.0[skipped.unwrap_or(0)..].to_vec(), at, row))
                    .collect();
                all.sort_by(|a, b| {
                    let order = a.0.cmp(&b.0);
                    if plan.delivery.reversed { order.reverse() } else { order }.then(a.1.cmp(&b.1))
                });
                all.into_iter().map(|(.., row)| row).collect()
            }
        };
        // Rows that tie are sorted among themselves.
        rows.chunk_by(|a, b| plan.delivery.tied.is_some() && tie(&a.0) == tie(&b.0))
            .flat_map(|same| if plan.delivery.tied.is_some() { sorted(same.to_vec()) } else { same.to_vec() })
            .collect()
    }

    /// Requests and rows of an exact plan, response by response.
    fn simulated(&self) -> (u64, u64, u64) {
        let (limit, tied) = (self.plan.stops_after.map(|limit| limit as usize), self.plan.delivery.tied);
        let (mut requests, mut scanners, mut read, mut returned) = (0, 0, 0, 0);
        let points = self.analysis.points();
        for turn in self.plan.in_turn() {
            if limit.is_some_and(|limit| !self.plan.delivery.merge && returned >= limit) {
                break;
            }
            let mut own = if self.plan.delivery.merge { 0 } else { returned };
            let range = &self.plan.ranges[turn];
            let mut regions = scan::regions(std::slice::from_ref(range), points);
            if self.plan.delivery.reversed {
                regions.reverse();
            }
            let mut last: Option<Vec<u8>> = None;
            for region in regions {
                let (start, stop) = points.boundaries(region as usize);
                let inside =
                    |key: &[u8]| range.contains(key) && start <= key && (stop.is_empty() || key < stop);
                let mut rows: Vec<&Vec<u8>> =
                    self.rows.iter().map(|(key, _)| key).filter(|key| inside(key)).collect();
                if self.plan.delivery.reversed {
                    rows.reverse();
                }
                let (mut bytes, mut in_response, mut stopped) = (0.0, 0.0, false);
                (requests, scanners) = (requests + 1, scanners + 1);
                for key in rows {
                    if last.as_ref().is_some_and(|last| tied.is_none_or(|tied| key[..tied] != last[..tied])) {
                        stopped = true;
                        break;
                    }
                    for cell in 0..3 {
                        if bytes >= self.model.result_bytes
                            || (cell == 0 && in_response >= self.model.caching)
                        {
                            (bytes, in_response) = (0.0, 0.0);
                            requests += 1;
                        }
                        // Two families and qualifiers of a letter, values of ten bytes.
                        bytes += self.bytes_per_cell();
                    }
                    in_response += 1.0;
                    (read, own) = (read + 1, own + 1);
                    if limit.is_some_and(|limit| own >= limit) {
                        last = last.or(Some(key.clone()));
                    }
                }
                if stopped || (last.is_some() && tied.is_none()) {
                    break;
                }
            }
            returned = if self.plan.delivery.merge { 0 } else { own };
        }
        (requests, scanners, read)
    }

    fn bytes_per_cell(&self) -> f64 {
        let keys: usize = self.rows.iter().map(|(key, _)| key.len()).sum();
        keys as f64 / self.rows.len() as f64 + 20.0 + 1.0 + 1.0 + 10.0 + 48.0
    }
}

fn line() -> BoxedStrategy<(usize, i64)> {
    (0..4usize, 0i64..240).boxed()
}

fn asked() -> BoxedStrategy<Value> {
    let host = prop_oneof![
        2 => Just(json!(null)),
        3 => Just(json!({ "eq": "web1" })),
        1 => Just(json!({ "in": ["web0", "web2"] })),
        1 => Just(json!({ "prefix": "web" })),
        1 => Just(json!({ "prefix": ["web1", "web2"] })),
    ];
    let at = prop_oneof![
        2 => Just(json!(null)),
        3 => (0i64..60, 1i64..60).prop_map(|(from, minutes)| {
            json!({ "from": (from * 60_000).to_string(), "to": ((from + minutes) * 60_000).to_string() })
        }),
    ];
    let n = prop_oneof![4 => Just(json!(null)), 1 => (0i64..100).prop_map(|from| json!({ "from": from, "to": from + 60 }))];
    let order = (prop::sample::select(&["at", "n", ""][..]), any::<bool>());
    (host, at, n, order, prop::option::of(1u32..12))
        .prop_map(|(host, at, n, (order, descending), limit)| {
            let given = [("host", host), ("at", at), ("n", n)];
            let given = given.into_iter().filter(|(_, condition)| !condition.is_null());
            let given: serde_json::Map<String, Value> =
                given.map(|(name, condition)| (name.to_owned(), condition)).collect();
            let mut members = json!({ "where": given });
            if !order.is_empty() {
                let direction = if descending { "descending" } else { "ascending" };
                members["order"] = json!({ "field": order, "direction": direction });
            }
            if let Some(limit) = limit {
                members["limit"] = json!(limit);
            }
            members
        })
        .boxed()
}

fn lines(rows: &[(usize, i64)]) -> Vec<String> {
    // A quarter of a second to a minute apart, so that seconds tie.
    rows.iter()
        .enumerate()
        .map(|(n, (host, at))| format!("web{host},{},{n}", at * 15_000 + (n as i64 % 4) * 250))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn pages_put_together_are_the_whole_result_with_each_row_once(
        rowkey in prop::sample::select(KEYS),
        rows in prop::collection::vec(line(), 1..120),
        members in asked(),
        limit in 1usize..9,
    ) {
        let mut members = members;
        members["limit"] = json!(limit);
        let Some(asked) = Asked::new(rowkey, &lines(&rows), &members, &[], CostModel::default()) else {
            return Ok(());
        };
        prop_assume!(asked.plan.kind != PlanKind::Nothing);
        let whole = asked.returned(&asked.plan);
        let mut pages: Vec<(Vec<u8>, u32)> = whole.iter().take(limit).cloned().collect();
        let told = asked.next.as_ref().map(|next| next.after.clone());
        if asked.plan.stops_after.is_some() {
            prop_assert_eq!(told.is_some(), whole.len() > limit);
        }
        if let (Some(told), None) = (told, asked.plan.delivery.tied) {
            prop_assert_eq!(&told, &whole[limit - 1].0, "{:?}", asked.plan);
        }
        while let Some((last, _)) = pages.last().filter(|_| pages.len().is_multiple_of(limit)).cloned() {
            let next = scan::next_page(&asked.plan, asked.skipped(), &last).expect("a page");
            let mut rows = asked.returned(&next.plan);
            if let Some(at) = rows.iter().position(|(key, _)| *key == last).filter(|_| next.repeats) {
                rows.drain(..=at);
            }
            if rows.is_empty() {
                break;
            }
            pages.extend(rows.into_iter().take(limit));
            prop_assert!(pages.len() <= whole.len(), "{:?}", asked.plan);
        }
        prop_assert_eq!(&pages, &whole, "{:?}", asked.plan);
    }

    #[test]
    fn requests_are_those_of_a_cluster_response_by_response(
        rowkey in prop::sample::select(KEYS),
        rows in prop::collection::vec(line(), 1..120),
        members in asked(),
        cuts in prop::collection::vec(0usize..120, 0..6),
        (by_rows, caching, result) in (any::<bool>(), 1u32..30, 100u32..6_000),
    ) {
        let model = match by_rows {
            true => CostModel { caching: f64::from(caching), ..CostModel::default() },
            false => CostModel { result_bytes: f64::from(result), ..CostModel::default() },
        };
        let Some(asked) = Asked::new(rowkey, &lines(&rows), &members, &cuts, model) else { return Ok(()) };
        let (plan, cost) = (&asked.plan, asked.cost);
        let least = scan::least_requests(plan, asked.analysis.points()) as u64;
        if plan.stops_after.is_none() {
            prop_assert!(cost.rpcs >= least, "{cost:?} for {least} at least");
        } else {
            let limit = u64::from(plan.stops_after.unwrap_or_default());
            let streams = if plan.delivery.merge { plan.ranges.len() as u64 } else { 1 };
            prop_assert!(!plan.exact || plan.delivery.tied.is_some() || cost.rows <= limit * streams);
        }
        prop_assert!(cost.blocks >= cost.scanners, "{cost:?}");
        if plan.exact && plan.kind != PlanKind::Get && plan.kind != PlanKind::Nothing {
            let (requests, scanners, read) = asked.simulated();
            prop_assert_eq!((cost.rpcs, cost.scanners, cost.rows), (requests, scanners, read), "{:?}", plan);
        }
    }
}
