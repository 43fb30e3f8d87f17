//! One parameter varied: the curves, what of them is exact, and how far a sample may be off.

use super::designs::{generated, tables, values};
use rowscape::compare::{
    Candidate, ComparedSplits, MeasureLine, ParameterSetting, Sweep, compare, parameters, sweep,
};
use rowscape::design::parse;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::Records;
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;

fn swept(slug: &str, table: usize, asked: &str) -> Sweep {
    let (study, records) = generated(slug, None);
    sweep(&records, tables(&study)[table], asked).unwrap_or_else(|problem| panic!("{asked}: {problem}"))
}

#[test]
fn what_can_be_varied_is_read_from_the_design() {
    let (study, _) = generated("e8-bucket-count", Some(1));
    let found: Vec<(&str, Option<usize>, Option<i64>, String)> = parameters(&study.tables[0])
        .expect("parameters")
        .into_iter()
        .map(|one| (one.parameter, one.number, one.value, one.text))
        .collect();
    let expected = [
        ("regions", None, Some(8), r#"{"digits":2,"salts":8}"#),
        ("number", Some(0), Some(8), "bucket(device, 8)"),
        ("number", Some(1), Some(2), "decimal(2)"),
        ("number", Some(2), Some(13), "decimal(13)"),
        ("order", None, None, "bucket(device, 8).decimal(2), device, ts.millis().decimal(13)"),
    ];
    assert_eq!(found, expected.map(|(name, number, value, text)| (name, number, value, text.to_owned())));
}

#[test]
fn more_buckets_spread_writes_over_more_regions_and_cost_a_scan_each_for_a_query_over_all_devices() {
    let found =
        swept("e8-bucket-count", 0, r#"{ "parameter": "number", "number": 0, "values": [1, 2, 4, 16] }"#);
    assert_eq!((found.rows, found.sampled, found.share_error), (20_000, 20_000, 0.0));
    assert!(found.variants.iter().all(|variant| variant.problem.is_none()));
    assert_eq!(found.variants[0].setting, None);
    assert_eq!(found.variants[4].setting, Some(ParameterSetting::Number(16)));
    // A region for each bucket stays that.
    let regions = values(&found.lines, "measure.regions");
    assert_eq!(regions, [8.0, 1.0, 2.0, 4.0, 16.0].map(Some));
    let at_once = values(&found.lines, "measure.written-at-once");
    for (spread, regions) in at_once.iter().zip(&regions) {
        let (spread, regions) = (spread.expect("spread"), regions.expect("regions"));
        assert!(spread > 0.85 * regions && spread <= 1.05 * regions, "{spread} of {regions}");
    }
    assert!(found.lines.iter().all(|line| line.between.is_empty()), "all records were counted");
    // One device is in one bucket, whatever their number.
    assert_eq!(values(&found.queries[0].lines, "measure.ranges"), [Some(1.0); 5]);
    // The key is as long: two digits of bucket.
    assert_eq!(values(&found.lines, "measure.key-bytes"), [Some(26.0); 5]);
}

#[test]
fn salts_that_no_query_knows_are_a_range_each() {
    let text = json!({
        "rowscape": 1,
        "fields": [{ "name": "id", "type": "integer" }],
        "rowkey": "bucket(id, 4).uint8() + id.int64()",
        "splits": { "salts": 4 },
        "queries": [{ "name": "ids", "where": { "id": { "from": 100, "to": 5000 } } }],
    });
    let study = parse(&text.to_string()).expect("a document");
    let spec: GeneratorSpec = serde_json::from_value(
        json!({ "rows": 1000, "fields": [{ "name": "id", "from": { "sequence": { "start": 0 } } }] }),
    )
    .expect("a description");
    let records = Generator::all(&spec, &study.fields).expect("records");
    let candidate = Candidate { study: &study, table: 0 };
    let asked = r#"{ "parameter": "number", "number": 0, "values": [2, 16, 256, 300] }"#;
    let found = sweep(&records, candidate, asked).expect("a sweep");
    let ranges = values(&found.queries[0].lines, "measure.ranges");
    assert_eq!(ranges, [Some(4.0), Some(2.0), Some(16.0), Some(256.0), None]);
    // 300 buckets do not fit into a byte: said, the others stay.
    assert!(found.variants[4].problem.is_some());
}

#[test]
fn every_order_of_three_parts_is_tried_and_answers_a_query_with_its_own_number_of_ranges() {
    let found = swept("e7-migration", 1, r#"{ "parameter": "order" }"#);
    assert_eq!(found.variants.len(), 6);
    let keys: Vec<&str> = found.variants.iter().map(|variant| variant.rowkey.as_str()).collect();
    assert!(
        keys.contains(&"ts.millis().decimal(13) + '-' + device + '-' + bucket(device, 8).decimal(1)"),
        "{keys:?}"
    );
    // The time in front writes one region of those made for buckets; the bucket in front nearly all eight.
    let at_once = values(&found.lines, "measure.written-at-once");
    for (key, spread) in keys.iter().zip(at_once) {
        let spread = spread.expect("spread");
        assert_eq!(key.starts_with("bucket"), spread > 7.0, "{key}: {spread}");
    }
    // Whatever the order, the key has the same bytes.
    assert_eq!(values(&found.lines, "measure.key-bytes"), [Some(25.0); 6]);
}

#[test]
fn the_number_of_regions_is_varied_without_touching_the_key() {
    let found = swept("e8-bucket-count", 0, r#"{ "parameter": "regions", "values": [1, 4, 0] }"#);
    assert_eq!(values(&found.lines, "measure.regions"), [Some(8.0), Some(1.0), Some(4.0), None]);
    assert_eq!(found.variants[3].problem.as_ref().map(|problem| problem.code), Some("split.too-few-regions"));
    assert!(found.variants.iter().all(|variant| variant.rowkey.starts_with("bucket(device, 8)")));
}

#[test]
fn all_records_give_the_figures_that_a_comparison_gives() {
    let (study, records) = generated("e8-bucket-count", Some(3000));
    let one = sweep(&records, tables(&study)[0], r#"{ "parameter": "number", "number": 0, "values": [16] }"#);
    let one = one.expect("a sweep");
    let two = compare(&records, &tables(&study), ComparedSplits::Designed).expect("a comparison");
    for line in &one.lines {
        assert_eq!(values(&two.lines, line.code), line.values, "{}", line.code);
    }
    assert!(one.lines.len() > 8);
}

#[test]
fn what_cannot_be_varied_is_refused() {
    let (study, records) = generated("e8-bucket-count", Some(10));
    let many = format!(r#"{{ "parameter": "regions", "values": {:?} }}"#, Vec::from_iter(1..=65));
    for (asked, code) in [
        (r#"{ "parameter": "salt" }"#, "sweep.no-such-parameter"),
        (r#"{ "parameter": "number", "number": 9 }"#, "sweep.no-such-parameter"),
        (r#"{ "parameter": "regions", "values": ["a"] }"#, "json.wrong-type"),
        (r#"{ "parameter": "regions", "value": [1] }"#, "json.unknown-member-near"),
        ("{", "json.invalid"),
        (&many, "sweep.too-many"),
    ] {
        let refused = sweep(&records, tables(&study)[0], asked).map(|_| ()).map_err(|problem| problem.code);
        assert_eq!(refused, Err(code), "{asked}");
    }
    let asked = r#"{ "parameter": "order", "values": [[0, 1], [2, 1, 0], [0, 0, 1]] }"#;
    let found = sweep(&records, tables(&study)[0], asked).expect("a sweep");
    let codes: Vec<_> =
        found.variants.iter().map(|one| one.problem.as_ref().map(|problem| problem.code)).collect();
    assert_eq!(codes, [None, Some("sweep.not-an-order"), None, Some("sweep.not-an-order")]);
}

/// Records of a hot table: devices by Zipf's law, over ten days.
fn zipf(seed: u64, rows: u64) -> Records {
    let (study, _) = generated("e8-bucket-count", Some(1));
    let mut spec: GeneratorSpec = serde_json::from_value(json!({
        "rows": rows, "seed": seed, "start": "2024-03-01T00:00:00Z", "span": "10d", "rhythm": "flat",
        "fields": [
            { "name": "device", "from": { "entity": { "count": 5000, "prefix": "dev-", "digits": 5, "zipf": 80, "scattered": true } } },
            { "name": "ts", "from": "arrival" },
        ],
    }))
    .expect("a description");
    spec.rows = rows;
    Generator::all(&spec, &study.fields).expect("records")
}

/// Holds what lines of a sample say against the truth: of each measure, how often its interval held it, and how wide it was.
fn hold(held: &mut BTreeMap<String, (u32, f64)>, about: &str, lines: &[MeasureLine], truth: &[MeasureLine]) {
    for line in lines.iter().filter(|line| !line.between.is_empty()) {
        let truths = &truth.iter().find(|other| other.code == line.code).expect(line.code).values;
        for (between, truth) in line.between.iter().zip(truths) {
            let ([low, high], truth) = (between.expect(line.code), truth.expect(line.code));
            let (count, width) = held.entry(format!("{about}{}", line.code)).or_default();
            *count += u32::from(low <= truth + 1e-9 && truth <= high + 1e-9);
            // An interval around zero has no relative width.
            *width += if truth > 0.0 { (high - low) / truth.max(1.0) } else { 0.0 };
        }
    }
}

/// At least 180 of 200 intervals hold the truth, and say something.
fn honest(held: BTreeMap<String, (u32, f64)>, runs: u32, expected: &[&str]) {
    for (name, (count, width)) in &held {
        let width = width / f64::from(runs);
        println!("{name}: {count} of {runs}, interval {:.1}% wide", 100.0 * width);
        assert!(count * 10 >= runs * 9, "{name}: {count} of {runs}");
        assert!(width < 0.5, "{name}: {width}");
    }
    let names: Vec<&str> = held.keys().map(String::as_str).collect();
    for name in expected {
        assert!(names.contains(name), "{name} has no interval: {names:?}");
    }
}

#[test]
fn of_200_samples_the_intervals_of_a_sweep_hold_the_truth_in_at_least_180() {
    let (study, _) = generated("e8-bucket-count", Some(1));
    let candidate = tables(&study)[1];
    let asked = r#"{ "parameter": "regions", "values": [] }"#;
    let mut records = zipf(1, 150_000);
    let truth = compare(&Rc::new(records.clone()), &[candidate, candidate], ComparedSplits::Designed)
        .expect("all records");
    assert!(truth.lines.iter().all(|line| line.between.is_empty()), "what was counted has no interval");
    let mut held = BTreeMap::new();
    for run in 0..200 {
        // Which records are sampled follows from where they stand: in a file of another number, it is others.
        records.pages = vec![(0, run, 0)];
        let found = sweep(&records, candidate, asked).expect("a sweep");
        assert!(found.sampled < 70_000 && found.share_error > 0.0, "{}", found.sampled);
        hold(&mut held, "", &found.lines, &truth.lines);
    }
    honest(held, 200, &["measure.written-at-once", "measure.largest-share", "measure.effective-regions"]);
}

#[test]
fn of_200_samples_the_intervals_of_a_comparison_hold_the_truth_in_at_least_180() {
    let text = json!({
        "rowscape": 1,
        "fields": [{ "name": "device", "type": "text" }, { "name": "ts", "type": "time", "format": "epoch-millis" }],
        "arrival": "ts",
        "tables": [
            { "name": "one", "servers": 6, "rowkey": "bucket(device, 8).decimal(2) + device + ts.millis().decimal()", "splits": { "salts": 8, "digits": 2 } },
            { "name": "two", "servers": 6, "rowkey": "bucket(device, 12).decimal(2) + device + '_' + ts.millis().decimal()", "splits": { "salts": 12, "digits": 2 } },
        ],
        "queries": [{ "name": "a day", "where": { "ts": ["2024-03-03", "2024-03-04"] } }],
    });
    let study = parse(&text.to_string()).expect("a document");
    let candidates = tables(&study);
    let mut records = zipf(3, 30_000);
    // Some have no key; names of devices are not all as long.
    let device = records.columns.iter_mut().find(|column| column.field.name == "device").expect("device");
    (0..30_000).step_by(23).for_each(|row| device.note_invalid(row, b"?", "row.value-unusable"));
    let truth =
        compare(&Rc::new(records.clone()), &candidates, ComparedSplits::Designed).expect("all records");
    let mut held = BTreeMap::new();
    for run in 0..200 {
        records.pages = vec![(0, run, 0)];
        let found = compare(&Rc::new(records.sampled(8_000)), &candidates, ComparedSplits::Designed)
            .expect("a sample");
        assert_eq!(found.rows, 30_000);
        assert!(found.sampled <= 8_000, "{}", found.sampled);
        hold(&mut held, "", &found.lines, &truth.lines);
        hold(&mut held, "query: ", &found.queries[0].lines, &truth.queries[0].lines);
        let (moves, truth) = (&found.designs[1].moves, &truth.designs[1].moves);
        let (moves, truth) = (moves.as_ref().expect("moves"), truth.as_ref().expect("moves"));
        let told = [Some(truth.rewritten), Some(truth.moved), truth.least_moved];
        for (at, (between, truth)) in moves.between.expect("between").into_iter().zip(told).enumerate() {
            let ([low, high], truth) = (between.expect("an interval"), truth.expect("moved") as f64);
            let (count, width) = held.entry(format!("moves {at}")).or_default();
            *count += u32::from(low <= truth && truth <= high);
            *width += (high - low) / truth;
        }
    }
    // Each line has both designs.
    let of_both = held.into_iter().map(|(name, (count, width))| {
        let both = !name.starts_with("moves");
        (name, if both { (count / 2, width / 2.0) } else { (count, width) })
    });
    let expected = [
        "measure.refused",
        "measure.throughput",
        "measure.table-bytes",
        "query: measure.rows-read",
        "moves 2",
    ];
    honest(of_both.collect(), 200, &expected);
}

/// The keys of kinds are varied one at a time, and no two variants are taken for one.
#[test]
fn the_keys_of_kinds_are_varied() {
    let (study, records) = generated("j2-customers-and-orders-in-one-table", Some(4000));
    let known = parameters(&study.tables[0]).expect("parameters");
    let order = known.iter().find(|known| known.parameter == "order").expect("an order");
    assert_eq!((order.kind.as_deref(), order.text.as_str()), (Some("order"), "customer.int64(), order"));
    let asked = r#"{ "parameter": "order", "kind": "order", "values": [[1, 0]] }"#;
    let found = sweep(&records, tables(&study)[0], asked).unwrap_or_else(|problem| panic!("{problem}"));
    let keys: Vec<&str> = found.variants.iter().map(|variant| variant.rowkey.as_str()).collect();
    assert_eq!(keys, ["customer.int64() + x'02' + order", "order + x'02' + customer.int64()"]);
    // Orders by their number no longer lie beside their customer: a query for it reads more regions.
    let regions = values(&found.queries[0].lines, "measure.regions-read");
    assert!(regions[1] > regions[0], "{regions:?}");
    assert!(found.variants.iter().all(|variant| variant.problem.is_none()));
}
