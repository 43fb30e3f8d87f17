//! Tables whose rows are written again on purpose, and rows of them that take too many increments.

use super::findings::{codes, found, study};
use super::judgement::{document, mixed, rows};
use rowscape::design::parse;
use rowscape::findings::{Finding, FindingSeverity};
use serde_json::{Value, json};

/// The document of counters, with other members too.
fn counters(rowkey: &str, members: Value) -> Value {
    let mut document = document(rowkey, json!({ "sample": 4 }));
    document["writes"] = json!("counter");
    for (name, value) in members.as_object().expect("members") {
        document[name] = value.clone();
    }
    document
}

/// 10,000 increments, of which one of 500 pages takes a share in percent.
fn pages(percent: u64) -> String {
    let page = |row| if mixed(row) % 100 < percent { 0 } else { 1 + mixed(row + 1_000_000) % 499 };
    rows((0..10_000).map(|row| (format!("u{:03}", page(row)), row * 20, row)))
}

fn hot(found: &[Finding]) -> Option<&Finding> {
    found.iter().find(|finding| finding.code == "RS113")
}

#[test]
fn rows_written_again_on_purpose_are_not_overwritten() {
    let text = pages(0);
    for (writes, said) in
        [(None, true), (Some("append"), true), (Some("upsert"), false), (Some("counter"), false)]
    {
        let mut document = document("who", json!({ "sample": 4 }));
        if let Some(writes) = writes {
            document["writes"] = json!(writes);
        }
        let all = found(&document, &text);
        assert_eq!(codes(&all).contains(&"RS301"), said, "{writes:?}");
        let verdict = super::judgement::report(&document, &text).verdict;
        assert_eq!(verdict.code == "verdict.overwritten", said, "{writes:?}: {}", verdict.code);
    }
}

#[test]
fn the_kind_of_writes_is_one_of_three_and_stands_in_the_normal_form() {
    let with = |writes: Value| {
        let mut document = document("who", json!({ "sample": 4 }));
        document["writes"] = writes;
        document
    };
    for wrong in [json!("Append"), json!(1), json!("increment")] {
        let problems = parse(&with(wrong).to_string()).err().unwrap_or_default();
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
        assert_eq!(found, [("json.wrong-type", "writes")]);
        assert!(
            problems[0].sentence().contains("“append”, “bulk”, “upsert” or “counter”"),
            "{}",
            problems[0].sentence()
        );
    }
    let normal = rowscape::design::normal_form(&study(&with(json!("counter"))));
    assert_eq!(normal["tables"][0]["writes"], "counter");
    assert_eq!(rowscape::design::normal_form(&study(&normal)), normal);
    let normal = rowscape::design::normal_form(&study(&with(json!("append"))));
    assert!(normal["tables"][0].get("writes").is_none());
}

#[test]
fn a_row_with_a_large_share_of_the_increments_is_hot_and_sub_rows_divide_it() {
    for (percent, said) in [(0, false), (5, false), (20, true), (60, true)] {
        let all = found(&counters("who", json!({})), &pages(percent));
        assert_eq!(
            hot(&all).map(|finding| finding.severity),
            said.then_some(FindingSeverity::Warning),
            "{percent}%"
        );
        let Some(finding) = hot(&all) else { continue };
        assert_eq!(finding.args["row"], "u000");
        let fix = finding.fix.as_ref().expect("a fix");
        assert_eq!(fix.rowkey.as_deref(), Some("who + '-' + salt(16).decimal(2)"));
        assert!(fix.measured.is_some());
    }
    // The same pages as rows of their own are no counters.
    let mut document = counters("who", json!({}));
    document["writes"] = json!("upsert");
    assert!(hot(&found(&document, &pages(60))).is_none());
}

#[test]
fn a_stated_rate_is_held_against_what_a_row_takes() {
    let at = |rate: u32, cluster: Value| {
        let all = found(&counters("who", json!({ "writesPerSecond": rate, "cluster": cluster })), &pages(20));
        hot(&all).map(|finding| (finding.severity, finding.args["subRows"].clone()))
    };
    assert_eq!(at(1_000, json!({})), None);
    assert_eq!(at(4_000, json!({})), Some((FindingSeverity::Warning, "16".to_owned())));
    assert_eq!(at(40_000, json!({})), Some((FindingSeverity::Bad, "64".to_owned())));
    assert_eq!(at(40_000, json!({ "rowWrites": 100_000 })), None);
}

#[test]
fn a_counter_of_each_hour_is_hot_though_none_is_over_the_day() {
    let text = rows((0..20_000).map(|row| (format!("u{:03}", mixed(row) % 400), row * 4, row)));
    let all = found(&counters("at.format('yyyyMMddHH')", json!({})), &text);
    let finding = hot(&all).expect("found");
    assert!(finding.message.contains("for a time"), "{}", finding.message);
    assert!(hot(&found(&counters("who + at.format('yyyyMMddHH')", json!({})), &text)).is_none());
}

#[test]
fn one_counter_and_a_few_are_hot_and_many_alike_are_not() {
    let of = |pages: u64| {
        let text = rows((0..10_000).map(|row| (format!("u{:03}", mixed(row) % pages), row * 8, row)));
        hot(&found(&counters("who", json!({})), &text)).is_some()
    };
    assert!(of(1) && of(4));
    assert!(!of(11) && !of(40) && !of(500));
}

#[test]
fn the_share_of_a_busy_row_is_that_of_all_stretches_whatever_the_rate() {
    // 25% of the increments of each day; stretches in which it has more by chance once stood for all.
    let text = rows((0..8_000).map(|row| {
        let page = if mixed(row).is_multiple_of(4) { 0 } else { 1 + mixed(row + 1_000_000) % 300 };
        (format!("u{page:03}"), row * 32, row)
    }));
    let of = |members: Value| {
        let all = found(&counters("who + at.format('dd')", members), &text);
        hot(&all).expect("found").args["share"].clone()
    };
    assert_eq!(of(json!({})), of(json!({ "writesPerSecond": 9_000 })));
}
