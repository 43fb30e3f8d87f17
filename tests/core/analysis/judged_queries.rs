//! Conclusions about queries that were once wrong: each is held to the rows that are read and missed.

use super::findings::{found, records, study};
use super::judgement::{document, mixed, rows};
use rowscape::analysis::Analysis;
use rowscape::findings::{Finding, FindingSeverity};
use rowscape::scan::PlanKind;
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_scan_that_misses_no_row_is_not_bad_for_its_bytes() {
    let mut document = document("id.decimal(4)", json!({ "points": [] }));
    document["queries"] =
        json!([{ "name": "some", "where": { "id": { "from": 0, "to": 1_000 } }, "scan": ["0000", "0500"] }]);
    let of = |document: &Value, most: u64| {
        let text = rows((0..most).map(|row| ("a".to_owned(), row, row)));
        found(document, &text).into_iter().find(|finding| finding.code == "RS506")
    };
    let none = of(&document, 400).expect("a note");
    assert_eq!((none.severity, none.args["missed"].as_str()), (FindingSeverity::Note, "0"));
    assert_eq!(none.args["how"], "finding.foreign-scan.can-miss");
    let some = of(&document, 600).expect("rows missed");
    assert_eq!((some.severity, some.args["missed"].as_str()), (FindingSeverity::Bad, "100"));
    // The stop row is another, the rows are the same.
    for stop in ["0999:", "0999\\x00", "1"] {
        document["queries"][0]["scan"] = json!(["", stop]);
        let scanned = of(&document, 1_200);
        assert!(scanned.is_none(), "{stop}: {scanned:?}");
    }
}

#[test]
fn rows_beyond_the_limit_are_not_read() {
    let text = rows((0..4_000).map(|row| (format!("u{}", mixed(row) % 4), row, row)));
    let mut document = document("at.format('yyyyMMddHHmmss') + who + id.decimal(8)", json!({ "points": [] }));
    document["queries"] = json!([{
        "name": "the oldest", "where": { "who": "u1", "at": { "from": "2024-05-01" } }, "order": "at", "limit": 20,
    }]);
    let over_read =
        |document: &Value| found(document, &text).into_iter().find(|finding| finding.code == "RS502");
    let read =
        |found: Option<Finding>| found.map(|found| found.args["read"].parse::<u64>().expect("a number"));
    assert!(read(over_read(&document)).is_some_and(|read| read < 200));
    document["queries"][0]["order"] = json!("id");
    assert!(read(over_read(&document)).is_some_and(|read| read > 3_900));
}

#[test]
fn one_scan_for_each_vehicle_is_priced_beside_the_full_scan() {
    let text = rows((0..60_000).map(|row| (format!("v{:05}", row % 3_000), row, row)));
    let mut document = document("who + '-' + at.format('yyyyMMddHHmmss')", json!({ "points": [] }));
    let hour = json!({ "from": "2024-05-01 02:00:00", "to": "2024-05-01 02:30:00" });
    document["queries"] = json!([{ "name": "half an hour", "where": { "at": hour } }]);
    let study = study(&document);
    let analysis = Analysis::of(&study, 0, Rc::new(records(&text, &study)));
    let planned = analysis.expect("analysis").planned(&study.queries).swap_remove(0).expect("a plan");
    assert_eq!((planned.plan.kind, planned.counted.read), (PlanKind::FullScan, 60_000));
    let short = planned.skipping.expect("short scans");
    assert_eq!((short.fields, short.scans), (vec!["who".to_owned()], 3_000));
    assert_eq!((short.rows.read, short.rows.returned), (1_800, 1_800));
    assert_eq!(planned.counted.returned, 1_800);
}

#[test]
fn a_limit_that_ends_a_scan_makes_no_full_scan() {
    let text = rows((0..4_000).map(|row| (format!("u{:02}", mixed(row) % 40), row, mixed(row) % 1_000)));
    let of = |key: &str, limit: Value| {
        let mut document = document(key, json!({ "points": [] }));
        document["queries"] =
            json!([{ "name": "some", "where": { "id": { "from": 0, "to": 100 } }, "limit": limit }]);
        let all = found(&document, &text);
        let code = |wanted: &str| all.iter().find(|finding| finding.code == wanted).cloned();
        (code("RS501"), code("RS502"))
    };
    let key = "who + at.format('yyyyMMddHHmmss') + id.decimal(8)";
    let (full, over) = of(key, json!(20));
    assert!(full.is_none(), "{full:?}");
    let read: u64 = over.expect("RS502").args["read"].parse().expect("a number");
    assert!((100..400).contains(&read), "{read} read for 20 of a tenth");
    // A limit that is never reached ends nothing.
    let (full, over) = of(key, json!(2_000));
    assert_eq!(full.expect("RS501").severity, FindingSeverity::Bad);
    assert!(over.is_none());
}

#[test]
fn a_date_beside_the_time_of_day_tells_one_day_from_the_next() {
    let text = rows((0..4_000).map(|row| (format!("u{}", mixed(row) % 4), row * 60, row)));
    let of = |key: &str| {
        let mut document = document(key, json!({ "points": [] }));
        document["queries"] = json!([{
            "name": "some hours", "where": { "who": "u1", "at": { "from": "2024-05-01 05:00:00", "to": "2024-05-01 09:00:00" } },
        }]);
        found(&document, &text).iter().any(|finding| finding.code == "RS511")
    };
    assert!(of("who + '_' + at.format('HHmmss') + '_' + id.decimal(8)"));
    assert!(!of("who + '_' + at.format('yyyy-MM-dd') + '|' + at.format('HHmmss')"));
}
