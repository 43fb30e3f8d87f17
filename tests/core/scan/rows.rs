//! Records that share a row: plans count rows as HBase does, held to brute force.

use super::study::{query, records};
use proptest::prelude::*;
use rowscape::analysis::{Analysis, PlanPricing};
use rowscape::design::{self, Document};
use rowscape::scan::{self, KeyRange, QueryMatcher, QueryPlan, RecordsRead, RowsRead};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Keys that many records share.
const KEYS: &[&str] = &[
    "id",
    "id + n.floorMod(3).decimal(1)",
    "n.floorMod(4).decimal(1) + id",
    "at.truncate('1h').millis().int64() + id",
    "id.terminated() + at.millis().div(7200000).reverseLong().int64()",
    "bucket(id, 3).decimal(1) + at.truncate('1h').millis().int64()",
];

/// The way of records of one row and cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Written {
    Replaced,
    Counted,
    Packed,
}

/// `held`: a cell has the number of a record.
fn document(rowkey: &str, (wide, written): (bool, Written), stamped: bool, held: bool) -> Document {
    let plain = if held { "n" } else { "q" };
    let qualifier = if wide { json!({ "formula": "n.decimal()" }) } else { json!(plain) };
    let value = if written == Written::Packed { "packed" } else { "bytes" };
    let mut cell = json!({ "qualifier": qualifier, value: 4 });
    if stamped {
        cell["timestamp"] = json!("changed");
    }
    let writes = if written == Written::Counted { "counter" } else { "upsert" };
    let document = json!({
        "rowscape": 1, "rowkey": rowkey, "writes": writes, "arrival": "at",
        "fields": [
            { "name": "id", "type": "text" },
            { "name": "n", "type": "integer" },
            { "name": "at", "type": "time", "format": "epoch-millis" },
            { "name": "changed", "type": "time", "format": "epoch-millis" },
        ],
        "table": { "families": [{ "name": "f", "cells": [cell] }] },
    });
    design::parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn asked() -> impl Strategy<Value = Value> {
    let condition = prop_oneof![
        Just(json!({})),
        "[ab]".prop_map(|id| json!({ "id": id })),
        (0i64..20).prop_map(|from| json!({ "n": { "from": from } })),
        ("[ab]", 0i64..10)
            .prop_map(|(id, n)| json!({ "id": { "prefix": id }, "n": { "from": n, "to": n + 9 } })),
        (0i64..4).prop_map(|hour| json!({ "at": { "from": (hour * 3_600_000).to_string() } })),
        Just(json!({ "id": { "in": ["a", "bb"] }, "n": 3 })),
    ];
    let order = prop::option::of((prop::sample::select(vec!["id", "at"]), any::<bool>()));
    (condition, order, prop::option::of(1u32..6)).prop_map(|(condition, order, limit)| {
        let mut asked = json!({ "where": condition });
        if let Some((field, ascending)) = order {
            let direction = if ascending { "ascending" } else { "descending" };
            asked["order"] = json!({ "field": field, "direction": direction });
        }
        if let Some(limit) = limit {
            asked["limit"] = json!(limit);
        }
        asked
    })
}

/// A row of the table by brute force.
struct Row {
    key: Vec<u8>,
    matches: bool,
    records: RecordsRead,
}

/// The rows of a range in the direction of a plan.
fn rows_in<'r>(rows: &'r [Row], range: &KeyRange, plan: &QueryPlan) -> Vec<&'r Row> {
    let mut within: Vec<&Row> = rows.iter().filter(|row| range.contains(&row.key)).collect();
    if plan.delivery.reversed {
        within.reverse();
    }
    within
}

fn sum<'r>(rows: impl IntoIterator<Item = &'r Row>) -> RowsRead {
    let (mut counted, mut records) = ((0, 0), RecordsRead::default());
    for row in rows {
        counted = (counted.0 + 1, counted.1 + u64::from(row.matches));
        records.read += row.records.read;
        records.returned += row.records.returned;
    }
    RowsRead::new(counted.0, counted.1, records)
}

/// Rows read up to a limit, row by row.
fn limited(rows: &[Row], plan: &QueryPlan) -> Option<RowsRead> {
    let limit = plan.stops_after? as usize;
    let (mut read, mut returned) = (Vec::new(), 0);
    for turn in plan.in_turn() {
        let left = if plan.delivery.merge { limit } else { limit - limit.min(returned) };
        let (mut found, mut last) = (0, None);
        for row in rows_in(rows, &plan.ranges[turn], plan) {
            let tie = plan.delivery.tied.map(|tied| &row.key[..tied.min(row.key.len())]);
            if left == 0 || last.is_some_and(|last| tie.is_none() || last != tie) {
                break;
            }
            read.push(row);
            found += usize::from(row.matches);
            if found >= left && last.is_none() {
                last = Some(tie);
            }
        }
        returned += found;
    }
    let counted = sum(read);
    Some(RowsRead { returned: counted.returned.min(limit as u64), ..counted })
}

proptest! {
    #[test]
    fn rows_are_counted_as_a_scan_returns_them(
        lines in prop::collection::vec(("[ab]{1,2}", 0i64..20, 0i64..5 * 3_600_000, 0i64..1000), 1..80),
        key in prop::sample::select(KEYS),
        wide: bool,
        written_as in prop::sample::select(vec![Written::Replaced, Written::Counted, Written::Packed]),
        stamped: bool,
        held_in_cells: bool,
        asked in asked(),
    ) {
        // Counters have no timestamps of their own.
        let stamped = stamped && written_as != Written::Counted;
        let study = document(key, (wide, written_as), stamped, held_in_cells);
        let design = &study.tables[0];
        let text: Vec<String> = lines.iter().map(|(id, n, at, changed)| format!("{id},{n},{at},{changed}")).collect();
        let held = Rc::new(records(&study, &text));
        let query = query(&study, asked);
        let domains = scan::read(&query, &study.fields, "").expect("conditions");
        // Tests of single records hold the matcher itself to the truth.
        let matching = QueryMatcher::new(&held, &study.fields, &domains);
        let keys = super::study::keys(&study, &held);
        let mut by_key: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for row in (0..held.rows).filter(|&row| !keys.get(row).is_empty()) {
            by_key.entry(keys.get(row).to_vec()).or_default().push(row);
        }
        let written = |row: usize| (if stamped { lines[row].3 } else { lines[row].2 }, row);
        let rows: Vec<Row> = by_key.into_iter().map(|(key, of_row)| {
            let last = of_row.iter().copied().max_by_key(|&row| written(row)).expect("a record");
            let returned = of_row.iter().filter(|&&row| matching.matches(row)).count() as u64;
            let asks_cells = held_in_cells && query.conditions.get("n").is_some();
            let all_count = wide || written_as != Written::Replaced || !asks_cells;
            let matches = if all_count { returned > 0 } else { matching.matches(last) };
            Row { key, matches, records: RecordsRead { read: of_row.len() as u64, returned } }
        }).collect();
        let analysis = Analysis::of(&study, 0, held.clone()).expect("an analysis");
        let pricing = PlanPricing { families: design.into(), ..PlanPricing::default() };
        let planned = analysis.priced(std::slice::from_ref(&query), &pricing).remove(0).expect("a plan");
        let plan = &planned.plan;
        let all = sum(plan.ranges.iter().flat_map(|range| rows_in(&rows, range, plan)));
        prop_assert_eq!(planned.counted, all, "{:?}", plan);
        prop_assert_eq!(planned.limited, limited(&rows, plan), "{:?}", plan);
        let cost = planned.prices.as_ref().expect("prices").cost;
        prop_assert_eq!(cost.rows, planned.limited.unwrap_or(planned.counted).read);
    }
}

#[test]
fn a_row_matches_as_the_last_record_written_to_it() {
    let study = document("id", (false, Written::Replaced), false, true);
    let text = ["a,1,2000,0", "a,2,1000,0", "b,2,1000,0"].map(str::to_owned);
    let held = records(&study, &text);
    let counted = super::study::counted(&study, &held, json!({ "where": { "n": 2 } }));
    assert_eq!((counted.read, counted.returned), (2, 1), "the other record of a was written before");
    assert_eq!(counted.in_records(), RecordsRead { read: 3, returned: 2 });
}
