//! Published choices between two designs, side by side on the same records.

use super::designs::{tables, values};
use crate::common;
use rowscape::compare::{ComparedSplits, Comparison, MeasureChange, compare};
use rowscape::design::parse;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::Records;
use serde_json::{Value, json};
use std::rc::Rc;

fn sides(document: &Value, records: impl Fn(&rowscape::design::Document) -> Records) -> Comparison {
    let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let records = Rc::new(records(&study));
    compare(&records, &tables(&study), ComparedSplits::Designed).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Records from lines of CSV, in the order of the fields.
fn csv(study: &rowscape::design::Document, lines: impl Iterator<Item = String>) -> Records {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let text = format!("{}\n{}\n", names.join(","), lines.collect::<Vec<_>>().join("\n"));
    common::csv_records(&study.fields, text)
}

#[test]
fn a1_ids_that_follow_a_pattern_fill_one_bucket_of_ten_and_all_ten_with_the_day_added() {
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "id", "type": "integer" }, { "name": "day", "type": "integer" }],
        "tables": [
            { "name": "by_id", "rowkey": "id.mod(10).decimal(1) + '-' + id.decimal(8) + day.decimal(8)",
              "splits": { "salts": 10, "digits": 1 } },
            { "name": "by_id_and_day", "rowkey": "sum(id, day).mod(10).decimal(1) + '-' + id.decimal(8) + day.decimal(8)",
              "splits": { "salts": 10, "digits": 1 } },
        ],
    });
    // Ids end in 0; ten days, each as often.
    let found = sides(&document, |study| {
        csv(study, (0..5000).map(|row| format!("{},{}", row / 10 * 10, 20_240_301 + row % 10)))
    });
    assert_eq!(values(&found.lines, "measure.empty-regions"), [Some(9.0), Some(0.0)]);
    assert_eq!(values(&found.lines, "measure.largest-share"), [Some(1.0), Some(0.1)]);
    assert_eq!(values(&found.lines, "measure.max-over-mean"), [Some(10.0), Some(1.0)]);
    let effective = values(&found.lines, "measure.effective-regions");
    assert_eq!(effective[0], Some(1.0));
    assert!(effective[1].is_some_and(|regions| (regions - 10.0).abs() < 0.1));
    // One of ten days keeps the bucket: 20240310.
    let moves = found.designs[1].moves.as_ref().expect("moves");
    assert_eq!((moves.rows, moves.moved, moves.rewritten), (5000, 4500, 4500));
}

#[test]
fn a5_the_field_of_few_values_in_front_saves_a_full_scan_and_costs_spread() {
    let table =
        |name: &str, rowkey: &str, splits: Value| json!({ "name": name, "rowkey": rowkey, "splits": splits });
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "country", "type": "text" }, { "name": "device", "type": "text" }],
        "tables": [
            table("country_first", "country.text(2) + device.text(8)", json!({ "points": ["fr", "us"] })),
            table("device_first", "device.text(8) + country.text(2)", json!({ "sample": 3 })),
        ],
        "queries": [
            { "name": "a country", "where": { "country": "de" } },
            { "name": "a device", "where": { "country": "de", "device": "dev-0000" } },
        ],
    });
    // Twelve devices: three in one country, two in the next and seven in the last.
    let country =
        |row: usize| ["de", "de", "de", "fr", "fr", "us", "us", "us", "us", "us", "us", "us"][row % 12];
    let found =
        sides(&document, |study| csv(study, (0..1200).map(|row| format!("{},dev-{row:04}", country(row)))));
    let of = |query: usize, code: &str| values(&found.queries[query].lines, code);
    assert_eq!(of(0, "measure.full-scan"), [Some(0.0), Some(1.0)]);
    assert_eq!(of(0, "measure.rows-read"), [Some(300.0), Some(1200.0)]);
    assert_eq!(of(1, "measure.rows-read"), [Some(1.0), Some(1.0)]);
    // 7 ÷ 12 of the rows in one of three regions: 1.75 times a third.
    let shares = values(&found.lines, "measure.largest-share");
    assert!(shares[0].is_some_and(|share| (share - 7.0 / 12.0).abs() < 1e-9), "{shares:?}");
    assert_eq!(values(&found.lines, "measure.max-over-mean"), [Some(1.75), Some(1.0)]);
}

#[test]
fn d1_each_of_two_orders_answers_its_own_query_and_both_together_cost_twice_the_bytes() {
    let table =
        |name: &str, rowkey: &str, points: Value| json!({ "name": name, "rowkey": rowkey, "splits": points });
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "day", "type": "time", "format": "yyyyMMdd" }, { "name": "url", "type": "text" }],
        "arrival": "day",
        "tables": [
            table("date_url", "day.format('yyyyMMdd') + '-' + url", json!({ "points": ["20240303", "20240305", "20240307", "20240309"] })),
            table("url_date", "url + '-' + day.format('yyyyMMdd')", json!({ "sample": 5 })),
        ],
        "queries": [
            { "name": "all of a day", "where": { "day": ["20240304", "20240305"] } },
            { "name": "one over time", "where": { "url": "shop-0042.example" } },
            { "name": "newest three", "where": { "url": "shop-0042.example" }, "limit": 3,
              "order": { "field": "day", "direction": "descending" } },
        ],
    });
    // A hundred pages, each once in each of ten days.
    let found = sides(&document, |study| {
        csv(study, (0..1000).map(|row| format!("{},shop-{:04}.example", 20_240_301 + row / 100, row % 100)))
    });
    let of = |query: usize, code: &str| values(&found.queries[query].lines, code);
    assert_eq!(of(0, "measure.rows-returned"), [Some(100.0); 2]);
    assert_eq!(of(0, "measure.rows-read"), [Some(100.0), Some(1000.0)]);
    assert_eq!(of(0, "measure.full-scan"), [Some(0.0), Some(1.0)]);
    assert_eq!(of(1, "measure.rows-returned"), [Some(10.0); 2]);
    assert_eq!(of(1, "measure.rows-read"), [Some(1000.0), Some(10.0)]);
    assert_eq!(of(1, "measure.full-scan"), [Some(1.0), Some(0.0)]);
    // Back from the last of a hundred pages: 58 of the last day, then a hundred of each day before.
    assert_eq!(of(2, "measure.rows-read"), [Some(258.0), Some(3.0)]);
    assert_eq!(of(2, "measure.rows-returned"), [Some(3.0); 2]);
    // `date-URL` writes one region at a time, five in all.
    let at_once = values(&found.lines, "measure.written-at-once");
    assert_eq!(at_once[0], Some(1.0));
    assert!(at_once[1].is_some_and(|regions| regions > 4.5), "{at_once:?}");
    // 8 + 1 + 17 bytes of key, 20 of lengths, time and type, a letter each of family and qualifier: 48 a row in each table.
    assert_eq!(values(&found.lines, "measure.table-bytes"), [Some(48_000.0); 2]);
    let reads =
        found.queries[0].lines.iter().find(|line| line.code == "measure.rows-read").expect("rows read");
    assert_eq!(reads.changes, [MeasureChange::Same, MeasureChange::Worse]);
}

#[test]
fn e6_a_salt_and_a_reversal_both_spread_writes_and_only_the_salt_costs_a_scan_for_each() {
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "id", "type": "text" }, { "name": "ts", "type": "time", "format": "epoch-millis" }],
        "arrival": "ts",
        "tables": [
            { "name": "plain", "rowkey": "id", "splits": { "sample": 10 } },
            { "name": "salted", "rowkey": "bucket(id, 10).decimal(1) + id", "splits": { "salts": 10, "digits": 1 } },
            { "name": "reversed", "rowkey": "id.reverse()", "splits": { "salts": 10, "digits": 1 } },
        ],
        "queries": [{ "name": "one", "where": { "id": "0000000042" } }, { "name": "begin", "where": { "id": { "prefix": "00000000" } } }],
    });
    let spec: GeneratorSpec = serde_json::from_value(json!({
        "rows": 20_000, "start": "2024-03-01T00:00:00Z", "span": "10d", "rhythm": "flat",
        "fields": [
            { "name": "id", "from": { "sequence": { "digits": 10 } } },
            { "name": "ts", "from": "arrival" },
        ],
    }))
    .expect("a description");
    let found = sides(&document, |study| Generator::all(&spec, &study.fields).expect("records"));
    let at_once = values(&found.lines, "measure.written-at-once");
    assert!(at_once[0].is_some_and(|regions| regions < 2.0), "{at_once:?}");
    assert!(at_once[1..].iter().all(|regions| regions.is_some_and(|regions| regions > 9.0)), "{at_once:?}");
    assert_eq!(values(&found.queries[0].lines, "measure.rows-read"), [Some(1.0); 3]);
    assert_eq!(values(&found.queries[1].lines, "measure.ranges"), [Some(1.0), Some(10.0), Some(1.0)]);
    assert_eq!(values(&found.queries[1].lines, "measure.full-scan"), [Some(0.0), Some(0.0), Some(1.0)]);
}
