//! Regions hold rows, and records write to them: where records are meant to share rows, the two are counted apart.

use crate::common::random::Random;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::{Input, RecordReader};
use rowscape::report::Report;
use rowscape::stream::Stream;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

const POINTS: [&str; 3] = ["d2", "d5", "d8"];

/// A study of one table, with the other members given.
fn study(members: &Value) -> Document {
    let mut table = json!({ "name": "readings", "rowkey": "device + '-' + day.decimal(4)", "splits": { "points": POINTS } });
    for (name, value) in members.as_object().into_iter().flatten() {
        table[name] = value.clone();
    }
    let document = json!({
        "rowscape": 1, "tables": [table],
        "fields": [{ "name": "device", "type": "text" }, { "name": "day", "type": "integer" }, { "name": "hour", "type": "integer" }],
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Reports of records that are held and of records that pass.
fn reports(study: &Document, records: &[(u64, u64, u64)]) -> [Report; 2] {
    let input: Input = serde_json::from_value(json!({ "fields": json!(study.fields) })).expect("input");
    let reader = || {
        let mut reader = RecordReader::new(&input).expect("reader");
        reader.push(b"device,day,hour\n");
        records
            .iter()
            .for_each(|(device, day, hour)| reader.push(format!("d{device},{day},{hour}\n").as_bytes()));
        reader.finish();
        reader.into_records()
    };
    let mut stream = Stream::new(study.clone(), 0).expect("stream");
    stream.add(reader()).expect("counted");
    let mut held = Analysis::of(study, 0, Rc::new(reader())).expect("analysis");
    [held.report(&ReportOptions::default()).expect("report"), stream.report().expect("report")]
}

fn records(number: usize, days: u64) -> Vec<(u64, u64, u64)> {
    let mut random = Random(7);
    // Regions differ in how many records share a row.
    let record = |random: &mut Random| {
        let device = random.below(10);
        (device, random.below(if device < 2 { days } else { days / 3 }), random.below(24))
    };
    (0..number).map(|_| record(&mut random)).collect()
}

/// Different row keys, and records, of each region.
fn counted(records: &[(u64, u64, u64)]) -> Vec<(u32, u32)> {
    let region =
        |device: u64| POINTS.iter().filter(|point| format!("d{device}-").as_str() >= **point).count();
    (0..=POINTS.len())
        .map(|place| {
            let own = || records.iter().filter(|record| region(record.0) == place);
            let rows: BTreeSet<_> = own().map(|&(device, day, _)| (device, day)).collect();
            (rows.len() as u32, own().count() as u32)
        })
        .collect()
}

fn of_regions(report: &Report) -> Vec<(u32, u32)> {
    report.regions.iter().map(|region| (region.rows, region.records)).collect()
}

#[test]
fn e12_rows_of_wide_packed_and_replaced_rows_are_row_keys() {
    let records = records(3_000, 300);
    let cells = |cell: Value| json!({ "families": [{ "name": "f", "cells": [cell] }] });
    let tables = [
        cells(json!({ "qualifier": { "formula": "hour.uint8()" }, "bytes": 8 })),
        cells(json!({ "qualifier": "q", "packed": 8 })),
        json!({ "writes": "upsert" }),
        json!({ "writes": "counter" }),
    ];
    for table in tables {
        let study = study(&table);
        for report in reports(&study, &records) {
            assert_eq!(of_regions(&report), counted(&records), "{table}");
            let share = f64::from(report.regions[1].records) / records.len() as f64;
            assert!((report.regions[1].share - share).abs() < 1e-12);
        }
    }
}

#[test]
fn where_each_record_is_a_row_of_its_own_records_are_counted() {
    let records = records(3_000, 300);
    for report in reports(&study(&json!({})), &records) {
        assert!(of_regions(&report).iter().all(|(rows, records)| rows == records));
    }
}

#[test]
fn rows_of_more_keys_than_are_sampled_are_estimated_for_each_region() {
    let records = records(60_000, 5_000);
    let [held, passed] = reports(&study(&json!({ "writes": "upsert" })), &records);
    assert_eq!(of_regions(&held), counted(&records));
    assert!(passed.keys.duplicates.estimated);
    for ((rows, records), (estimated, of)) in counted(&records).into_iter().zip(of_regions(&passed)) {
        assert_eq!(of, records);
        let off = f64::from(estimated) / f64::from(rows) - 1.0;
        assert!(off.abs() < 0.05, "{rows} rows, estimated {estimated}");
    }
}
