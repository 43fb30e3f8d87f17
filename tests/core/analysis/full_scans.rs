//! Queries that read the whole table come with a key that answers them, here or in a second table.

use super::findings::{codes, edited, found};
use super::judgement::{document, mixed, rows};
use rowscape::findings::{DesignFix, Finding};
use serde_json::{Value, json};

fn text() -> String {
    rows((0..8_000).map(|row| (format!("u{:03}", mixed(row) % 300), row * 10, 1_000_000 + row)))
}

fn with(rowkey: &str, splits: Value, queries: Value) -> Value {
    let mut document = document(rowkey, splits);
    document["queries"] = queries;
    document
}

fn full_scan(found: &[Finding]) -> &Finding {
    found.iter().find(|finding| finding.code == "RS501").unwrap_or_else(|| panic!("{:?}", codes(found)))
}

/// The offered fix, after which no query reads the whole table and nothing bad is new.
fn offered(before: &Value) -> DesignFix {
    let all = found(before, &text());
    let fix = full_scan(&all).fix.clone().unwrap_or_else(|| panic!("no fix: {before}"));
    assert!(fix.measured.is_some());
    let after = edited(before, &fix);
    let left = codes(&found(&after, &text()));
    for code in ["RS501", "RS101"] {
        assert!(!left.contains(&code), "{code} in {after}: {left:?}");
    }
    fix
}

fn costs(fix: &DesignFix) -> Vec<&str> {
    fix.costs.iter().map(|cost| cost.code).collect()
}

const SALTED: &str = "bucket(id, 16).decimal(2) + '-' + id";

fn salts() -> Value {
    json!({ "salts": 16, "digits": 2 })
}

fn hour() -> Value {
    json!({ "from": "2024-05-01 01:00:00", "to": "2024-05-01 02:00:00" })
}

#[test]
fn a_query_by_equality_gets_a_key_that_begins_with_a_bucket_of_it() {
    let before = with(SALTED, salts(), json!([{ "name": "a user", "where": { "who": "u007" } }]));
    let fix = offered(&before);
    assert_eq!(fix.rowkey.as_deref(), Some("bucket(who, 16).decimal(2) + '-' + who + '_' + id"));
}

#[test]
fn a_query_of_a_time_range_gets_a_scan_for_each_bucket_and_says_so() {
    let before = with(SALTED, salts(), json!([{ "name": "an hour", "where": { "at": hour() } }]));
    let fix = offered(&before);
    assert!(costs(&fix).contains(&"finding.cost.time-ranges"), "{:?}", costs(&fix));
    assert!(fix.costs[0].message.contains("16 scans"), "{}", fix.costs[0].message);
}

#[test]
fn a_key_that_another_query_needs_stays_and_a_second_table_is_added() {
    let queries = json!([
        { "name": "an id", "where": { "id": 1_000_500 } },
        { "name": "a user’s hour", "where": { "who": "u007", "at": hour() } },
    ]);
    let before = with(SALTED, salts(), queries);
    let fix = offered(&before);
    assert!(fix.rowkey.is_none(), "{fix:?}");
    let tables = fix.tables.as_ref().and_then(Value::as_array).expect("tables");
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[0]["rowkey"], SALTED);
    let queries = fix.queries.as_ref().expect("queries");
    let of: Vec<_> = queries.iter().map(|query| query.table.as_deref()).collect();
    assert_eq!(of, [tables[0]["name"].as_str(), tables[1]["name"].as_str()]);
    assert_eq!(costs(&fix), ["finding.cost.second-table"]);
    assert!(fix.costs[0].args["bytes"].parse::<u64>().expect("bytes") > 8_000 * 20);
}

#[test]
fn a_query_is_put_to_the_table_that_it_names() {
    let mut document =
        with(SALTED, salts(), json!([{ "name": "q", "where": { "who": "u007" }, "table": "t1" }]));
    assert!(codes(&found(&document, &text())).contains(&"RS501"));
    document["queries"][0]["table"] = json!("t2");
    let problems = rowscape::design::parse(&document.to_string()).err().expect("refused");
    assert_eq!(
        (problems[0].code, problems[0].place.path.as_str()),
        ("design.no-such-table", "queries[0].table")
    );
}
