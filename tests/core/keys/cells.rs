//! Records of one row with cells of their own: rows and cells counted the plain way beside the tables and the summaries.

use crate::common::csv_records;
use proptest::prelude::*;
use rowscape::analysis::{Analysis, PlanPricing, ReportOptions};
use rowscape::design::{Document, normal_form, parse};
use rowscape::keys::figures::{CellFigures, ColumnFigures, KeyFigures, LengthFigures};
use rowscape::storage::table::{KeyLengths, storage};
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

fn document(cells: &Value) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "id", "type": "text" },
            { "name": "n", "type": "integer" },
            { "name": "at", "type": "time", "format": "epoch-millis" }
        ],
        "arrival": "at",
        "rowkey": "id",
        "table": { "families": [{ "name": "v", "cells": cells }] },
    })
}

fn study(cells: &Value) -> Document {
    parse(&document(cells).to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// A qualifier of three digits, refused to greater numbers, beside a value as long as the id, and a cell that all rows have.
fn numbered() -> Value {
    json!([
        { "qualifier": { "formula": "n.decimal(3)" }, "value": { "formula": "id + id" } },
        { "qualifier": "all", "bytes": 4 }
    ])
}

/// Counts of records, one after the other: rows and cells, then the cells written several times and the records that write them.
fn plain(records: &[(String, i64)]) -> (CellFigures, usize, usize) {
    let mut rows: BTreeMap<&str, u64> = BTreeMap::new();
    let mut cells: BTreeMap<(&str, Option<i64>), usize> = BTreeMap::new();
    let mut values: Vec<u64> = Vec::new();
    for (id, n) in records {
        *rows.entry(id).or_default() += 1;
        let n = Some(*n).filter(|n| (0..1000).contains(n));
        *cells.entry((id, n)).or_default() += 1;
        values.extend(n.map(|_| 2 * id.len() as u64));
    }
    let written = values.len() as u64;
    let lengths = |all: &[u64]| LengthFigures {
        count: all.len() as u64,
        bytes: all.iter().sum(),
        min: all.iter().copied().min().unwrap_or(0),
        max: all.iter().copied().max().unwrap_or(0),
    };
    let named = || cells.keys().filter(|(_, n)| n.is_some());
    let column = ColumnFigures {
        cells: named().count() as u64,
        row_bytes: named().map(|(id, _)| id.len() as u64).sum(),
        missing: records.len() as u64 - written,
        qualifiers: lengths(&vec![3; named().count()]),
        values: lengths(&values),
    };
    let figures = CellFigures {
        rows: rows.len() as u64,
        row_bytes: rows.keys().map(|id| id.len() as u64).sum(),
        most: rows.values().copied().max().unwrap_or(0),
        estimated: false,
        columns: vec![column],
    };
    let repeated = || cells.values().filter(|&&records| records > 1);
    (figures, repeated().count(), repeated().sum())
}

fn held(study: Document, csv: &str) -> KeyFigures {
    let records = Rc::new(csv_records(&study.fields, csv));
    let analysis = Analysis::of(&study, 0, records);
    analysis.expect("analysis").report(&ReportOptions::default()).expect("report").keys
}

fn csv(records: &[(String, i64)]) -> String {
    let line = |(number, (id, n)): (usize, &(String, i64))| format!("{id},{n},{}\n", 1000 * number);
    std::iter::once("id,n,at\n".to_owned()).chain(records.iter().enumerate().map(line)).collect()
}

proptest! {
    #[test]
    fn rows_cells_and_records_that_hide_others_are_counted_apart(
        records in prop::collection::vec(("[a-c]{1,3}", -3i64..12), 1..150), portion in 1usize..60,
    ) {
        let (figures, keys, rows) = plain(&records);
        let of_held = held(study(&numbered()), &csv(&records));
        prop_assert_eq!(of_held.cells.as_ref(), Some(&figures));
        prop_assert_eq!((of_held.duplicates.keys, of_held.duplicates.rows), (keys, rows));

        let mut streams = [Stream::new(study(&numbered()), 0).expect("stream"), Stream::new(study(&numbered()), 0).expect("stream")];
        for (number, records) in records.chunks(portion).enumerate() {
            streams[number % 2].add(csv_records(&study(&numbered()).fields, csv(records))).expect("counted");
        }
        let [mut stream, mut other] = streams;
        // A summary that was written and read again is the same, and merges.
        let bytes = other.summary().expect("summary").to_bytes();
        let read = Summary::from_bytes(&bytes).expect("read");
        prop_assert_eq!(read.to_bytes(), bytes);
        stream.merge(read).expect("merged");
        let passed = stream.report().expect("report").keys;
        prop_assert_eq!(passed.cells.as_ref(), Some(&figures));
        prop_assert_eq!((passed.duplicates.keys, passed.duplicates.rows), (keys, rows));
        let examples = |of: &KeyFigures| -> BTreeSet<String> {
            of.duplicates.examples.iter().map(|example| example.key.clone()).collect()
        };
        prop_assert!(examples(&passed).is_subset(&records.iter().map(|(id, _)| id.clone()).collect()));
        // Ten cells are shown of keys in memory, ten keys of a stream.
        prop_assert!(keys > 10 || examples(&passed) == examples(&of_held));

        // Every cell is 20 bytes and its row key, family, qualifier and value.
        let numbers = &figures.columns[0];
        let stored = storage(&study(&numbered()).tables[0], &KeyLengths::from(&of_held), records.len() as u64);
        prop_assert_eq!((stored.rows, stored.cells), (figures.rows, figures.rows + numbers.cells));
        // Each record of a cell has a value as long.
        let values = numbers.row_bytes * 2;
        let numbered = numbers.cells * (20 + 1 + 3) + numbers.row_bytes + values;
        let exact = numbered + figures.rows * (20 + 1 + 3 + 4) + figures.row_bytes;
        // The mean length of the values is one of records.
        let off = values.abs_diff(numbers.values.bytes * numbers.cells / numbers.values.count.max(1));
        prop_assert!(stored.total.abs_diff(exact) <= off + 1, "{} {exact}", stored.total);
        let once = numbers.cells + numbers.missing == records.len() as u64;
        prop_assert!(!stored.exact || stored.total == exact);
        prop_assert_eq!(stored.exact, once);
    }
}

#[test]
fn i6_rows_of_an_hour_hold_the_offset_in_the_qualifier() {
    // 10 hosts that each report every ten seconds of an hour: 3,600 records.
    let records: Vec<String> =
        (0..3600).map(|row| format!("h{},{},{}\n", row % 10, 0, (row / 10) * 10_000)).collect();
    let csv = format!("id,n,at\n{}", records.concat());
    let mut tall = document(&json!([{ "qualifier": "v", "bytes": 8 }]));
    tall["rowkey"] = json!("id + at.seconds().uint32()");
    let mut wide = document(&json!([
        { "qualifier": { "formula": "at.offset('1h').div(1000).uint16()" }, "bytes": 8 }
    ]));
    wide["rowkey"] = json!("id + at.truncate('1h').seconds().uint32()");
    let stored = |document: &Value| {
        let keys = held(parse(&document.to_string()).expect("design"), &csv);
        assert_eq!(keys.duplicates.rows, 0, "no cell hides another");
        let study = parse(&document.to_string()).expect("design");
        let stored = storage(&study.tables[0], &KeyLengths::from(&keys), 3600);
        (stored.rows, stored.cells, stored.total)
    };
    // A cell: 20 bytes, a row key of 6, a family of 1, a qualifier of 1 or 2, a value of 8.
    assert_eq!(stored(&tall), (3600, 3600, 3600 * (20 + 6 + 1 + 1 + 8)));
    assert_eq!(stored(&wide), (10, 3600, 3600 * (20 + 6 + 1 + 2 + 8)));
}

#[test]
fn formulas_of_cells_are_checked_with_their_place() {
    let wrong = |cells: Value| -> Vec<(String, &'static str)> {
        let problems = parse(&document(&cells).to_string()).err().expect("refused");
        let told = problems.into_iter();
        told.map(|problem| (problem.place.path.clone(), problem.code)).collect()
    };
    let at = "table.families[0].cells[0]";
    let cell = |qualifier: Value| json!([{ "qualifier": qualifier, "bytes": 1 }]);
    assert_eq!(
        wrong(cell(json!({ "formula": "other.decimal()" }))),
        [(format!("{at}.qualifier.formula"), "formula.unknown-field")]
    );
    assert_eq!(wrong(cell(json!({ "formula": "n.decimal(" })))[0].0, format!("{at}.qualifier.formula"));
    assert_eq!(wrong(cell(json!({ "text": "n" })))[0].0, format!("{at}.qualifier.text"));
    assert_eq!(
        wrong(json!([{ "qualifier": "q", "bytes": 1, "value": { "formula": "id" } }])),
        [(format!("{at}.bytes"), "design.cell-twice")]
    );
    assert_eq!(wrong(json!([{ "qualifier": "q" }]))[0].0, format!("{at}.bytes"));
}

#[test]
fn the_normal_form_keeps_formulas_of_cells() {
    let cells = json!([
        { "qualifier": { "formula": "n.decimal( 3 )" }, "value": { "formula": "id+id" } },
        { "qualifier": "all", "bytes": 4 }
    ]);
    let normal = normal_form(&study(&cells));
    assert_eq!(normal["tables"][0]["families"][0]["cells"], numbered());
    let again = parse(&normal.to_string()).expect("normal form");
    assert_eq!(normal_form(&again), normal);
    assert_eq!(study(&cells).named_fields(), ["id", "n", "at"]);
}

#[test]
fn a_limit_counts_rows_and_a_page_follows_the_last_of_them() {
    let mut document = document(&numbered());
    document["queries"] = json!([{ "name": "two rows", "where": { "id": { "prefix": "r" } }, "limit": 2 }]);
    let study = parse(&document.to_string()).expect("design");
    // Ten records in each of three rows, and one of another id.
    let records: Vec<(String, i64)> =
        (0..30).map(|n| (format!("r{}", n % 3), n)).chain([("s".to_owned(), 1)]).collect();
    let held = Rc::new(csv_records(&study.fields, csv(&records)));
    let analysis = Analysis::of(&study, 0, held);
    let pricing = PlanPricing { families: (&study.tables[0]).into(), ..PlanPricing::default() };
    let planned = analysis.expect("analysis").priced(&study.queries, &pricing).remove(0).expect("a plan");
    let limited = planned.limited.expect("a limit");
    assert_eq!((limited.read, limited.returned), (2, 2));
    assert_eq!(limited.in_records().read, 20, "all records of two rows");
    let next = planned.prices.expect("prices").next.expect("another page");
    assert_eq!((next.after.as_slice(), next.rows.read, next.rows.returned), (&b"r1"[..], 1, 1));
}

proptest! {
    #[test]
    fn packed_cells_hold_what_all_records_of_a_row_add(
        records in prop::collection::vec(("[a-c]{1,2}", 0i64..50), 1..100), by_formula: bool, named: bool,
    ) {
        let each = if by_formula { json!({ "formula": "n.decimal() + id" }) } else { json!(7) };
        let qualifier = if named { json!({ "formula": "n.mod(3).decimal()" }) } else { json!("q") };
        let study = study(&json!([{ "qualifier": qualifier, "packed": each }]));
        prop_assert!(!study.tables[0].writes.is_append());
        let mut cells: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for (id, n) in &records {
            let qualifier = if named { (n % 3).to_string() } else { "q".to_owned() };
            let added = if by_formula { n.to_string().len() + id.len() } else { 7 };
            *cells.entry((id, qualifier)).or_default() += added;
        }
        let bytes = cells.iter().map(|((id, qualifier), value)| 20 + id.len() + 1 + qualifier.len() + value);
        let exact = bytes.sum::<usize>() as u64;
        let keys = held(study.clone(), &csv(&records));
        let stored = storage(&study.tables[0], &KeyLengths::from(&keys), records.len() as u64);
        prop_assert_eq!(stored.cells, cells.len() as u64);
        // Bytes of keys of one length, or with their own count, are exact.
        prop_assert!(!stored.exact || stored.total == exact, "{} {exact}", stored.total);
        prop_assert!(stored.exact || !named);
        prop_assert!(stored.update.reads > 0 && stored.update.reads == stored.update.writes);
        let normal = normal_form(&study);
        prop_assert_eq!(normal_form(&parse(&normal.to_string()).expect("again")), normal);
    }
}
