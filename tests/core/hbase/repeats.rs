//! Rows of records to come, where records repeat row keys: held against what becomes of the records.

use crate::common;
use rowscape::analysis::{Analysis, MeasuredTable, ReportOptions};
use rowscape::bytes::position::mix;
use rowscape::design::{Arrivals, Cluster, Design, Document, Growth, GrowthAmount, parse};
use rowscape::encode::EncodedKeys;
use rowscape::key_table::KeyTable;
use rowscape::outlook::{Outlook, OutlookNeed, arrivals_of, outlook};
use rowscape::sizing::bytes_at_most;
use rowscape::storage::table::{KeyLengths, storage};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::rc::Rc;

/// Records that are measured; the estimates are of four times as many.
const MEASURED: u64 = 20_000;

/// A table of keys of 4 bytes with a cell of 100 bytes: 20 + 4 + 1 + 1 + 74.
fn study(family: Value) -> Document {
    let mut table = json!({ "families": [{ "name": "f", "cells": [{ "qualifier": "q", "bytes": 74 }] }] });
    for (name, value) in family.as_object().expect("members") {
        table["families"][0][name] = value.clone();
    }
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "at", "type": "time", "format": "epoch-seconds" },
            { "name": "id", "type": "integer" },
        ],
        "arrival": "at", "rowkey": "id.uint32()", "table": table,
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn design(family: Value) -> Design {
    study(family).tables.remove(0)
}

/// The keys of the first records, in any order in the file.
fn measured(ids: &[u64]) -> KeyLengths {
    let study = study(json!({}));
    let mut rows: Vec<String> =
        ids.iter().enumerate().map(|(at, id)| format!("{},{id}\n", 1_700_000_000 + at)).collect();
    rows.sort_by_key(|row| row.bytes().fold(7, |hash, byte| mix(hash ^ u64::from(byte))));
    let records = Rc::new(common::csv_records(&study.fields, format!("at,id\n{}", rows.concat())));
    let analysis = Analysis::of(&study, 0, records);
    let report = analysis.expect("analysis").report(&ReportOptions::default()).expect("report");
    (&report.keys).into()
}

fn distinct(ids: &[u64]) -> u64 {
    ids.iter().collect::<std::collections::HashSet<_>>().len() as u64
}

fn drawn(record: u64, of: u64) -> u64 {
    mix(record ^ 0x5eed) % of
}

/// Rows of all records as estimated from the first ones, and as they are.
fn estimated(id: impl Fn(u64) -> u64) -> (f64, f64) {
    let ids: Vec<u64> = (0..4 * MEASURED).map(id).collect();
    let keys = measured(&ids[..MEASURED as usize]);
    let design = design(json!({}));
    assert_eq!(storage(&design, &keys, MEASURED).rows, distinct(&ids[..MEASURED as usize]));
    (storage(&design, &keys, 4 * MEASURED).rows as f64, distinct(&ids) as f64)
}

#[test]
fn rows_of_a_fixed_set_of_keys_saturate() {
    for keys in [100, 2_000, 8_000, 20_000, 60_000] {
        let (rows, truth) = estimated(|record| drawn(record, keys));
        println!("{keys} keys: {rows} rows, really {truth}");
        assert!((rows / truth - 1.0).abs() < 0.08, "{keys} keys: {rows} rows, really {truth}");
    }
}

#[test]
fn rows_that_come_steadily_go_on() {
    // Five records each, one after the other; and records of the last 1,000 entities, of which a new one comes every ten records.
    for id in [|record| record / 5, |record: u64| (record / 10).saturating_sub(drawn(record, 1000))] {
        let (rows, truth) = estimated(id);
        println!("{rows} rows, really {truth}");
        assert!((rows / truth - 1.0).abs() < 0.1, "{rows} rows, really {truth}");
    }
}

#[test]
fn quarters_count_the_first_record_of_each_key_whatever_their_order() {
    for case in 0..300u64 {
        let count = mix(case) % 60;
        let mut records: Vec<(Vec<u8>, u32, Option<i64>)> = (0..count as u32)
            .map(|row| {
                let random = mix(case << 32 | u64::from(row));
                let time = (!random.is_multiple_of(11)).then_some((random >> 8) as i64 % 40);
                (vec![(random >> 40) as u8 % 9], row, time)
            })
            .collect();
        records.sort();
        let by_row: HashMap<u32, Vec<u8>> = records.iter().map(|(key, row, _)| (*row, key.clone())).collect();
        let times: HashMap<u32, Option<i64>> = records.iter().map(|(_, row, time)| (*row, *time)).collect();
        let cut = if case % 3 == 0 { 0 } else { count as u32 / 3 };
        let parts = [0..cut, cut..count as u32];
        let table = parts.into_iter().map(|rows| {
            let mut keys = EncodedKeys::default();
            rows.clone().for_each(|row| keys.keys.push(&by_row[&row]));
            KeyTable::new(keys, rows.start)
        });
        let table = table.reduce(KeyTable::merge).expect("table");
        let known = times.values().copied().flatten().collect();
        let found = table.quarters(known, |row| times[&row]);
        let mut timed: Vec<(i64, &[u8])> =
            records.iter().filter_map(|(key, _, time)| Some(((*time)?, key.as_slice()))).collect();
        timed.sort_unstable();
        if timed.len() < 4 {
            assert_eq!(found, None);
            continue;
        }
        let borders = [1, 2, 3].map(|quarter| timed[timed.len() * quarter / 4].0);
        let mut seen: Vec<&[u8]> = Vec::new();
        let mut expected = [[0; 2]; 4];
        for (time, key) in timed {
            let quarter = borders.iter().filter(|&&border| border <= time).count();
            expected[quarter][0] += 1;
            if !seen.contains(&key) {
                seen.push(key);
                expected[quarter][1] += 1;
            }
        }
        assert_eq!(found, Some(expected), "case {case}");
    }
}

fn ahead(keys: &KeyLengths, family: Value, growth: Growth) -> Outlook {
    let design = design(family);
    let need = OutlookNeed {
        design: &design,
        keys: keys.clone(),
        growth,
        arrivals: Arrivals::Spread,
        cluster: Cluster::default(),
        servers: 3,
        regions: 4,
    };
    outlook(&need).expect("outlook")
}

#[test]
fn a_table_that_is_written_again_and_again_stops_growing() {
    let keys = measured(&(0..MEASURED).map(|record| drawn(record, 2_000)).collect::<Vec<u64>>());
    let growth = Growth { amount: GrowthAmount::Rows, now: 0, per_day: MEASURED, months: 12, arrivals: None };
    let found = ahead(&keys, json!({}), growth);
    let rows = found.ahead.expect("rows");
    assert_eq!((rows.records, rows.falling), (365 * MEASURED, true));
    assert!((1_995..=2_005).contains(&rows.rows), "{rows:?}");
    let design = design(json!({}));
    let bytes = 100 * rows.rows;
    assert_eq!(bytes_at_most(&growth, &design, &keys), bytes);
    let live: Vec<u64> = found.days.iter().map(|day| day.live).collect();
    assert_eq!((live[0], live[364]), (storage(&design, &keys, MEASURED).total, bytes));
    // Twelve days lie behind the start; rows that expire are written again before.
    let growth = Growth { now: 12 * MEASURED, months: 3, ..growth };
    let found = ahead(&keys, json!({ "ttl": 86_400 * 5 }), growth);
    assert_eq!((found.before, found.days.len()), (12, 91));
    assert!(found.days.iter().all(|day| day.live == bytes), "{:?}", found.days);
    // Without keys that repeat every record is a row, as before.
    let keys = measured(&(0..MEASURED).collect::<Vec<u64>>());
    let found = ahead(&keys, json!({}), Growth { now: 0, ..growth });
    assert_eq!((found.ahead, found.days[1].live), (None, 2 * 100 * MEASURED));
}

#[test]
fn a10_versions_that_are_kept_take_their_bytes() {
    // Ids 0 to 99 are written ten times, 100 to 199 once.
    let rows: Vec<String> = (0..1_100)
        .map(|record| {
            format!(
                "{},{}\n",
                1_700_000_000 + record,
                if record < 1_000 { record % 100 } else { record - 900 }
            )
        })
        .collect();
    let size = |versions: u32| {
        let study = study(json!({ "versions": versions }));
        let records = Rc::new(common::csv_records(&study.fields, format!("at,id\n{}", rows.concat())));
        let mut analysis = Analysis::of(&study, 0, records).expect("analysis");
        let report = analysis.report(&ReportOptions::default()).expect("report");
        let left = analysis.left(&study.tables[0]);
        let table = MeasuredTable {
            study: &study,
            design: &study.tables[0],
            report: Some(&report),
            left: Some(&left),
        };
        let found = table.size(None).expect("size").storage;
        (found.rows, found.cells, found.total, found.exact)
    };
    assert_eq!(size(1), (200, 200, 100 * 200, true));
    assert_eq!(size(4), (200, 500, 100 * 500, true));
    assert_eq!(size(50), (200, 1_100, 100 * 1_100, true));
}

#[test]
fn d2_rows_come_at_one_end_or_round_and_round_as_the_key_begins() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery/d2-loop-key.json");
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("an entry")).expect("JSON");
    let of = |document: &Value, table: usize| {
        let study = parse(&document.to_string()).expect("a design");
        arrivals_of(&study, &study.tables[table])
    };
    assert_eq!(of(&document, 0), Arrivals::Rising);
    assert_eq!(of(&document, 1), Arrivals::Loop(365));
    for (rowkey, arrivals) in [
        ("day.millis().int64() + url", Arrivals::Rising),
        ("day.millis().reverseLong().int64() + url", Arrivals::Rising),
        ("'a' + day.format('dd') + url", Arrivals::Loop(28)),
        ("day.format('HH') + url", Arrivals::Spread),
        ("ts.millis().int64() + url", Arrivals::Spread),
        ("bucket(url, 4).decimal(1) + day.format('yyyyMMdd')", Arrivals::Spread),
        ("bucket(url, day.format('MM'), 4).decimal(1) + url", Arrivals::Spread),
    ] {
        document["tables"][1]["rowkey"] = json!(rowkey);
        document["tables"][1]["splits"] = json!({ "points": [] });
        assert_eq!(of(&document, 1), arrivals, "{rowkey}");
    }
}

#[test]
fn values_in_mob_files_make_no_region_grow() {
    let cells = json!([{ "qualifier": "q", "bytes": 200_000 }]);
    let keys = measured(&(0..100).collect::<Vec<u64>>());
    let growth = Growth { amount: GrowthAmount::Rows, now: 0, per_day: 100, months: 1, arrivals: None };
    let whole = ahead(&keys, json!({ "cells": cells }), growth);
    assert_eq!(whole.bytes_per_day, 100 * 200_026);
    let family = json!({ "cells": cells, "mob": 102_400 });
    let found = ahead(&keys, family.clone(), growth);
    // A reference of 109 bytes in place of the value, and tags of 8 bytes with the name of the table.
    let design = design(family);
    let each = 26 + 109 + 8 + design.name.len() as u64;
    assert_eq!(found.bytes_per_day, 100 * each);
    assert_eq!(bytes_at_most(&growth, &design, &keys), 30 * 100 * each);
    let stored = storage(&design, &keys, 100);
    assert_eq!((stored.total, stored.in_regions), (100 * 200_026, 100 * each));
}
