//! Keys for tables with several kinds of records.

use super::{mix, suggested};
use rowscape::design::{parse, parse_request};
use rowscape::records::generate::{Generator, GeneratorSpec};
use rowscape::suggest::{SuggestOptions, Suggestions};
use serde_json::{Value, json};
use std::rc::Rc;

/// Customers, and orders of customers, in one table.
fn shop(queries: &Value, rows: u64) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "type", "type": "text" },
            { "name": "customer", "type": "integer" },
            { "name": "order", "type": "integer" },
            { "name": "ts", "type": "time", "format": "epoch-millis" }
        ],
        "arrival": "ts",
        "kinds": {
            "customer": {
                "when": { "field": "type", "is": ["c"] },
                "fields": ["customer", "ts"],
                "rowkey": "ts.seconds().uint32() + customer.int64()",
                "cells": [{ "family": "d", "qualifier": "name", "bytes": 20 }]
            },
            "order": {
                "when": { "field": "type", "is": ["o"] },
                "fields": ["customer", "order", "ts"],
                "rowkey": "ts.seconds().uint32() + order.int64() + customer.int64()",
                "cells": [{ "family": "d", "qualifier": "total", "bytes": 8 }]
            }
        },
        "table": { "name": "shop", "families": [{ "name": "d" }] },
        "servers": 4,
        "queries": queries,
        "generate": {
            "rows": rows, "seed": 3, "start": "2024-03-01T00:00:00Z", "span": "2d",
            "fields": [
                { "name": "type", "from": { "choice": ["c", "o"] } },
                { "name": "customer", "from": { "number": { "min": 1, "max": 2_000_000_000 } } },
                { "name": "order", "from": { "number": { "min": 1, "max": 2_000_000_000 } } },
                { "name": "ts", "from": "arrival" }
            ]
        }
    })
}

fn found(document: &Value, records: Option<&str>) -> Suggestions {
    let asked = parse_request(&document.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let records = match records {
        Some(csv) => super::study(document.clone(), csv).1,
        None => {
            let spec: GeneratorSpec = serde_json::from_value(document["generate"].clone()).expect("a spec");
            let mut generator = Generator::new(&spec, &asked.document.fields).expect("a generator");
            let mut records = generator.records();
            generator.fill(&mut records, u64::MAX);
            Rc::new(records)
        }
    };
    suggested(&asked, &records, &SuggestOptions::default())
}

#[test]
fn each_kind_gets_a_key_for_its_own_queries() {
    let queries = json!([
        { "name": "a customer and its orders", "where": { "customer": 7 } },
        { "name": "an order", "where": { "customer": 7, "order": 9, "type": "o" } }
    ]);
    let answer = found(&shop(&queries, 6000), None);
    let first = &answer.suggestions[0];
    assert_eq!(first.kinds.len(), 2, "{:?}", first.rowkeys);
    let design = parse(&first.design.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    for (kind, own) in first.kinds.iter().zip(&design.tables[0].kinds) {
        assert_eq!((&kind.kind, &kind.rowkey), (&own.typed.name, &own.rowkey));
        assert!(kind.rowkey.contains("customer"), "{kind:?}");
        assert!(!kind.rowkey.contains("type"), "{kind:?}");
    }
    // Every record has a key of its own, and a query for one kind reads no other.
    assert_eq!(first.scores.repeated_rows, 0);
    let order = &first.queries[1];
    assert!(order.rows_read <= 1 && order.regions == 1, "{order:?}");
    // The key that came, which follows time, is beside it and worse.
    let given = answer.baseline.expect("a baseline");
    assert!(given.rowkey.contains("customer: ts.seconds()"), "{}", given.rowkey);
    assert!(given.scores.hottest_server > 0.9 && first.scores.hottest_server < 0.4, "{:?}", first.scores);
    assert!(given.scores.reads > first.scores.reads);
    assert!(first.reasons.iter().any(|note| note.kind.as_deref() == Some("order")));
}

/// A table has several kinds, and one of them fewer than a hundredth of its records: it gets a key that suits them all the same.
#[test]
fn a_rare_kind_is_not_dropped_and_one_without_records_keeps_its_key() {
    let queries = json!([{ "name": "a customer", "where": { "customer": 7, "type": "c" } }]);
    let mut document = shop(&queries, 0);
    document.as_object_mut().expect("an object").remove("generate");
    let row = |row: u64| {
        let (kind, order) =
            if row.is_multiple_of(150) { ("c", String::new()) } else { ("o", mix(row).to_string()) };
        let order = order.get(..order.len().min(9)).unwrap_or_default().to_owned();
        format!("{kind},{},{order},{}\n", mix(row ^ 5) % 1_000_000_000, 1_709_251_200_000 + 1000 * row)
    };
    let csv: String =
        std::iter::once("type,customer,order,ts\n".to_owned()).chain((0..3000).map(row)).collect();
    let answer = found(&document, Some(&csv));
    assert_eq!(
        answer.suggestions[0].queries[0].rows_read, 0,
        "the customer asked for is not among the records"
    );
    let key = |answer: &Suggestions, kind: usize| answer.suggestions[0].kinds[kind].rowkey.clone();
    assert!(!key(&answer, 0).contains("ts.seconds"), "{}", key(&answer, 0));
    let only: String =
        csv.lines().filter(|line| !line.starts_with("o,")).map(|line| format!("{line}\n")).collect();
    let answer = found(&document, Some(&only));
    assert!(
        key(&answer, 1).ends_with("ts.seconds().uint32() + order.int64() + customer.int64()"),
        "{}",
        key(&answer, 1)
    );
    assert!(answer.notes.iter().any(|note| note.code == "suggest.kind-without-rows"));
}

/// Records of one kind are many, and a query for another wants them in the order of time: the kind that it names is not drawn anew, so
/// the order of its rows decides nothing about the key of the many.
#[test]
fn a_query_stays_with_the_kind_that_it_names() {
    let queries = json!([
        { "name": "a customer", "where": { "customer": 7, "type": "o", "ts": ["2024-03-01T00:00:00Z", "2024-03-01T06:00:00Z"] } },
        { "name": "newest", "where": { "type": "c" }, "order": { "field": "ts", "direction": "descending" }, "limit": 20 }
    ]);
    let mut document = shop(&queries, 0);
    document.as_object_mut().expect("an object").remove("generate");
    document["writesPerSecond"] = json!(30_000);
    let row = |row: u64| {
        let (kind, order) =
            if row.is_multiple_of(16) { ("c", String::new()) } else { ("o", row.to_string()) };
        format!("{kind},{},{order},{}\n", mix(row ^ 5) % 300, 1_709_251_200_000 + 2000 * row)
    };
    let csv: String =
        std::iter::once("type,customer,order,ts\n".to_owned()).chain((0..8000).map(row)).collect();
    let first = &found(&document, Some(&csv)).suggestions[0];
    assert!(first.scores.hottest_server < 0.5, "{:?} {:?}", first.rowkeys, first.scores);
    assert!(first.kinds[1].rowkey.contains("customer") && !first.kinds[1].rowkey.starts_with("x'02' + ts"));
    assert_eq!(first.queries[1].rows_read, 20, "{:?}", first.rowkeys);
}
