//! One parameter varied: the curves, what of them is exact, and how far a sample may be off.

use super::designs::{generated, tables, values};
use rowscape::compare::{Candidate, Setting, Sweep, compare, parameters, sweep};
use rowscape::design::parse;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::Spec;
use rowscape::records::Records;
use serde_json::json;
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
    assert_eq!(found.variants[4].setting, Some(Setting::Number(16)));
    // A region for each bucket stays that.
    let regions = values(&found.lines, "measure.regions");
    assert_eq!(regions, [8.0, 1.0, 2.0, 4.0, 16.0].map(Some));
    let at_once = values(&found.lines, "measure.written-at-once");
    for (spread, regions) in at_once.iter().zip(&regions) {
        let (spread, regions) = (spread.expect("spread"), regions.expect("regions"));
        assert!(spread > 0.85 * regions && spread <= 1.05 * regions, "{spread} of {regions}");
    }
    assert!(found.variants.iter().all(|variant| variant.spread_error == Some(0.0)));
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
    let spec: Spec = serde_json::from_value(
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
    let two = compare(&records, &tables(&study)).expect("a comparison");
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
    let mut spec: Spec = serde_json::from_value(json!({
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

#[test]
fn of_200_samples_the_errors_hold_the_truth_in_at_least_180() {
    let (study, _) = generated("e8-bucket-count", Some(1));
    let candidate = tables(&study)[1];
    let asked = r#"{ "parameter": "regions", "values": [] }"#;
    let mut records = zipf(1, 150_000);
    let truth = compare(&Rc::new(records.clone()), &[candidate, candidate]).expect("all records");
    let (mut spread, mut share) = (0, 0);
    for run in 0..200 {
        // Which records are sampled follows from where they stand: in a file of another number, it is others.
        records.pages = vec![(0, run, 0)];
        let found = sweep(&records, candidate, asked).expect("a sweep");
        assert!(found.sampled < 70_000 && found.share_error > 0.0, "{}", found.sampled);
        let within = |code: &str, error: Option<f64>| {
            let (told, truth) = (values(&found.lines, code)[0], values(&truth.lines, code)[0]);
            let (told, truth) = (told.expect(code), truth.expect(code));
            (told - truth).abs() <= told * error.expect("error")
        };
        spread += u32::from(within("measure.written-at-once", found.variants[0].spread_error));
        share += u32::from(within("measure.largest-share", found.variants[0].largest_error));
    }
    assert!(spread >= 180 && share >= 180, "{spread}, {share}");
}
