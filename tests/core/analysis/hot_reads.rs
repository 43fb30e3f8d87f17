//! Reads that gather in one region or on one server, by which values queries are asked for.

use super::findings::{codes, found};
use super::judgement::{document, mixed, rows};
use rowscape::findings::{Finding, FindingSeverity};
use serde_json::{Value, json};

/// Users of whom the first 40 of 400 have most rows, evenly spread by a bucket or lying together.
fn text() -> String {
    let user = |row| if mixed(row) % 10 < 8 { mixed(row + 7) % 40 } else { mixed(row + 7) % 400 };
    rows((0..10_000).map(|row| (format!("u{:03}", user(row)), row * 8, row)))
}

fn asked(rowkey: &str, splits: Value, query: Value) -> Value {
    let mut document = document(rowkey, splits);
    let mut whole = json!({ "name": "a user", "where": { "who": "u001" } });
    for (name, value) in query.as_object().expect("members") {
        whole[name] = value.clone();
    }
    document["queries"] = json!([whole]);
    document
}

/// Ten users a region.
fn points() -> Value {
    json!({ "points": ["u040", "u080", "u120", "u160", "u200", "u240", "u280", "u320"] })
}

fn hot(found: &[Finding]) -> Option<&Finding> {
    found.iter().find(|finding| finding.code == "RS512")
}

#[test]
fn a_region_that_takes_most_reads_is_told_and_other_splits_divide_it() {
    let all = found(&asked("who + at.millis().int64()", points(), json!({ "popularity": "rows" })), &text());
    let finding = hot(&all).unwrap_or_else(|| panic!("{:?}", codes(&all)));
    assert_eq!(finding.severity, FindingSeverity::Warning);
    assert_eq!((finding.args["place"].as_str(), finding.args["places"].as_str()), ("0", "9"));
    assert_eq!(finding.args["pace"], "finding.hot-reads.unknown");
    let fix = finding.fix.as_ref().expect("a fix");
    assert!(fix.splits.is_some() && fix.measured.is_some());
}

#[test]
fn values_asked_for_alike_and_values_only_named_are_not_hot() {
    for query in [json!({ "popularity": "values" }), json!({}), json!({ "popularity": "named" })] {
        let all = found(&asked("who + at.millis().int64()", points(), query.clone()), &text());
        assert!(hot(&all).is_none(), "{query}");
    }
    let spread = asked(
        "bucket(who, 8).decimal(2) + who",
        json!({ "salts": 8, "digits": 2 }),
        json!({ "popularity": "rows" }),
    );
    assert!(hot(&found(&spread, &text())).is_none());
}

#[test]
fn a_stated_rate_is_held_against_what_a_region_serves() {
    let at = |rate: f64, cluster: Value| {
        let query = json!({ "popularity": "rows", "rate": rate });
        let mut document = asked("who + at.millis().int64()", points(), query);
        document["cluster"] = cluster;
        hot(&found(&document, &text())).map(|finding| finding.severity)
    };
    assert_eq!(at(100.0, json!({})), None);
    assert_eq!(at(10_000.0, json!({})), Some(FindingSeverity::Warning));
    assert_eq!(at(100_000.0, json!({})), Some(FindingSeverity::Bad));
    assert_eq!(at(100_000.0, json!({ "regionReads": 1_000_000 })), None);
}

#[test]
fn regions_far_apart_may_lie_on_one_server() {
    // 160 users with one region each; every tenth is popular.
    let user = |row| if mixed(row) % 10 < 9 { mixed(row + 7) % 16 * 10 } else { mixed(row + 7) % 160 };
    let text = rows((0..10_000).map(|row| (format!("u{:03}", user(row)), row * 8, row)));
    let points: Vec<String> = (1..160).map(|user| format!("u{user:03}")).collect();
    let mut document =
        asked("who + at.millis().int64()", json!({ "points": points }), json!({ "popularity": "rows" }));
    document["servers"] = json!(10);
    let all = found(&document, &text);
    let finding = hot(&all).unwrap_or_else(|| panic!("{:?}", codes(&all)));
    assert_eq!(finding.args["what"], "finding.hot-reads.server");
    document["servers"] = json!(11);
    assert!(hot(&found(&document, &text)).is_none());
}
