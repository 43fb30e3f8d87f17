//! Versions of cells that are left of records, beside the plain way.

use crate::common::csv_records;
use proptest::prelude::*;
use rowscape::analysis::{Analysis, FamilyLeft};
use rowscape::design::{Document, parse};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn study(families: Value, arrival: bool) -> Document {
    let mut document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "id", "type": "text" },
            { "name": "n", "type": "integer" },
            { "name": "at", "type": "time", "format": "epoch-millis" }
        ],
        "rowkey": "id",
        "table": { "families": families },
    });
    if arrival {
        document["arrival"] = json!("at");
    }
    parse(&document.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn left(study: &Document, records: &[(String, i64, i64)]) -> (Vec<FamilyLeft>, Option<i64>) {
    let lines = records.iter().map(|(id, n, at)| format!("{id},{n},{at}\n"));
    let csv: String = std::iter::once("id,n,at\n".to_owned()).chain(lines).collect();
    let held = Rc::new(csv_records(&study.fields, &csv));
    let left = Analysis::of(study, 0, held).expect("analysis").left(&study.tables[0]);
    (left.families, left.at)
}

proptest! {
    #[test]
    fn what_is_left_is_counted_cell_by_cell(
        records in prop::collection::vec(("[ab]", 0i64..3, 0i64..9), 1..60),
        versions in 1usize..5, least in 1usize..4, ttl in prop::option::of(1i64..8), has_least: bool, arrival: bool,
    ) {
        let least = has_least.then_some(least.min(versions));
        let mut family = json!({
            "name": "d", "versions": versions,
            "cells": [{ "qualifier": "a", "bytes": 1 }, { "qualifier": { "formula": "n.decimal()" }, "bytes": 1 }]
        });
        least.iter().for_each(|least| family["minVersions"] = json!(least));
        ttl.iter().for_each(|ttl| family["ttl"] = json!(ttl));
        let records: Vec<_> = records.into_iter().map(|(id, n, at)| (id, n, 1000 * at)).collect();
        let mut cells: BTreeMap<(&str, String), BTreeSet<i64>> = BTreeMap::new();
        for (row, (id, n, at)) in records.iter().enumerate() {
            let time = if arrival { *at } else { row as i64 };
            for qualifier in ["a".to_owned(), n.to_string()] {
                cells.entry((id, qualifier)).or_default().insert(time);
            }
        }
        let now = records.iter().map(|(.., at)| *at).max().expect("records");
        let kept = |times: &BTreeSet<i64>| {
            let newest = times.iter().rev().take(versions).enumerate();
            let lives = |time: i64| !arrival || ttl.is_none_or(|ttl| time >= now - 1000 * ttl);
            newest.filter(|&(place, &time)| place < least.unwrap_or(0) || lives(time)).count() as u64
        };
        let (families, at) = left(&study(json!([family]), arrival), &records);
        prop_assert_eq!(at, arrival.then_some(now));
        let plain = FamilyLeft {
            name: "d".to_owned(),
            written: 2 * records.len() as u64,
            cells: cells.len() as u64,
            left: cells.values().map(kept).sum(),
        };
        prop_assert_eq!(families, vec![plain]);
    }
}

#[test]
fn a10_what_is_left_of_six_records() {
    // Five readings of one sensor a second apart, and one of another: at most 3 versions, at least 1, kept for 2 seconds.
    let records: Vec<_> = [("7", 0), ("7", 1), ("7", 2), ("7", 3), ("7", 4), ("8", 0)]
        .map(|(id, second)| (id.to_owned(), 0, 1000 * second))
        .to_vec();
    let of = |family: Value| left(&study(json!([family]), true), &records).0[0].left;
    assert_eq!(of(json!({ "name": "d" })), 2);
    assert_eq!(of(json!({ "name": "d", "versions": 100 })), 6);
    assert_eq!(of(json!({ "name": "d", "versions": 100, "ttl": 2 })), 3);
    assert_eq!(of(json!({ "name": "d", "versions": 100, "ttl": 2, "minVersions": 1 })), 4);
    assert_eq!(of(json!({ "name": "d", "versions": 100, "ttl": 2, "minVersions": 4 })), 5);
    assert_eq!(of(json!({ "name": "d", "versions": 2, "ttl": 2 })), 2);
}
