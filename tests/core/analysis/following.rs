//! Keys that follow time are never good without a stated rate, however few or thin the records are.

use super::findings::{codes, found, records, study};
use super::judgement::{document, mixed, report};
use rowscape::analysis::summary_file::{PartPlace, Summarizer, SummarizerOptions};
use rowscape::design::{normal_form, parse};
use rowscape::findings::FindingSeverity;
use rowscape::report::{Report, VerdictSeverity};
use rowscape::stream::Stream;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Lines of who, at (seconds since 2024-06-01) and id.
fn lines(rows: impl IntoIterator<Item = (String, u64, u64)>) -> String {
    let mut text = String::from("who,at,id\n");
    for (who, at, id) in rows {
        let _ = writeln!(text, "{who},{},{id}", 1_717_200_000 + at);
    }
    text
}

fn of_seconds(rowkey: &str, splits: Value) -> Value {
    let mut document = document(rowkey, splits);
    document["fields"][1]["format"] = json!("epoch-seconds");
    document
}

fn verdict(document: &Value, text: &str) -> (&'static str, VerdictSeverity) {
    let verdict = report(document, text).verdict;
    (verdict.code, verdict.severity)
}

const BAD: (&str, VerdictSeverity) = ("verdict.follows", VerdictSeverity::Bad);
const UNSEEN: (&str, VerdictSeverity) = ("verdict.follows-unseen", VerdictSeverity::Warning);

#[test]
fn few_records_of_a_diagonal_are_bad_in_whatever_order_the_file_has_them() {
    let row = |row: u64| ("a".to_owned(), row * 86_400, mixed(row) % 10_000);
    let shuffled = |row: u64| (row * 7_919) % 300;
    for rowkey in
        ["at.format('yyyyMMddHH') + id.decimal(5)", "at.seconds().reverseLong().int64() + id.decimal(5)"]
    {
        let document = of_seconds(rowkey, json!({ "sample": 10 }));
        for text in [lines((0..300).map(row)), lines((0..300).map(|number| row(shuffled(number))))] {
            let told = report(&document, &text).verdict;
            assert_eq!(told.severity, VerdictSeverity::Bad, "{rowkey}: {}", told.message);
            assert_eq!(told.args["limit"], "5000");
            let all = found(&document, &text);
            let said = all.iter().find(|finding| finding.code == "RS101").expect("RS101");
            assert_eq!(said.severity, FindingSeverity::Bad);
        }
    }
    // Numbers given in turn do the same.
    let ids = lines((0..300).map(|row| ("a".to_owned(), row * 3_000, 5_000 + 3 * row)));
    let document = of_seconds("id.decimal(8)", json!({ "sample": 10 }));
    assert_eq!(verdict(&document, &ids).1, VerdictSeverity::Bad);
    // Thirty of them: no interval has enough.
    let thirty = lines((0..30).map(|row| ("a".to_owned(), row * 3_000, 5_000 + 3 * row)));
    assert_eq!(verdict(&document, &thirty), BAD);
}

#[test]
fn a_key_that_goes_round_in_more_than_a_minute_is_never_good_however_thin_the_records() {
    let row = |row: u64| (format!("d{:04}", mixed(row) % 3_000), mixed(row + 9) % (330 * 86_400), row);
    for lead in [
        "at.format('HHmm')",
        "bucket(at.format('yyyyMMdd'), 64).decimal(2)",
        "at.seconds().div(60).floorMod(60).decimal(2)",
    ] {
        for (rows, splits) in [(20_000, 10), (2_000, 10), (200, 10)] {
            let text = lines((0..rows).map(row));
            let document = of_seconds(&format!("{lead} + who + id.decimal(8)"), json!({ "sample": splits }));
            let (code, severity) = verdict(&document, &text);
            assert_ne!(severity, VerdictSeverity::Good, "{lead}, {rows} rows: {code}");
        }
    }
}

#[test]
fn what_spreads_within_a_minute_and_senders_that_report_in_turn_stay_good() {
    let splits = json!({ "sample": 10 });
    let rows = |step: u64| lines((0..4_000).map(move |row| (format!("h{:02}", row % 40), row * step, row)));
    for rowkey in
        ["who + at.seconds().decimal(10)", "at.seconds().floorMod(31).decimal(2) + at.seconds().decimal(10)"]
    {
        let document = of_seconds(&format!("{rowkey} + id.decimal(8)"), splits.clone());
        for step in [1, 5] {
            assert_eq!(
                verdict(&document, &rows(step)),
                ("verdict.good", VerdictSeverity::Good),
                "{rowkey}, {step}"
            );
        }
    }
    let turns = of_seconds("id.floorMod(97).decimal(2) + id.decimal(8)", splits);
    assert_eq!(verdict(&turns, &rows(1)).1, VerdictSeverity::Good);
}

#[test]
fn at_a_low_rate_it_is_good_and_a_table_that_is_bulk_loaded_has_no_verdict_on_writes() {
    let text = lines((0..300).map(|row| ("a".to_owned(), row * 86_400, row)));
    let mut document = of_seconds("at.format('yyyyMMddHH') + id.decimal(5)", json!({ "sample": 10 }));
    document["writes"] = json!("bulk");
    assert_eq!(verdict(&document, &text), ("verdict.good-bulk", VerdictSeverity::Good));
    assert!(!codes(&found(&document, &text)).contains(&"RS101"));
    assert_eq!(normal_form(&study(&document))["tables"][0]["writes"], "bulk");
    document["writes"] = json!("append");
    document["cluster"] = json!({ "regionWrites": 400 });
    assert_eq!(report(&document, &text).verdict.args["limit"], "200");
    document["writesPerSecond"] = json!(40);
    let severities = found(&document, &text);
    assert!(severities.iter().all(|finding| finding.severity != FindingSeverity::Bad), "{severities:?}");
}

#[test]
fn records_that_come_late_leave_what_is_too_few_to_see() {
    // A third comes up to four days late, of half a year with a record every three days.
    let late = |row: u64| if mixed(row).is_multiple_of(3) { mixed(row + 1) % 345_600 } else { 0 };
    let text = lines((0..60).map(|row| ("a".to_owned(), row * 259_200 + late(row), row)));
    let document = of_seconds("id.decimal(8)", json!({ "sample": 4 }));
    let told = verdict(&document, &text);
    assert!([BAD, UNSEEN].contains(&told), "{told:?}");
    // Without a time nothing is known of the order in which rows came.
    let mut untimed = of_seconds("at.format('yyyyMMdd') + id.decimal(8)", json!({ "sample": 4 }));
    untimed.as_object_mut().expect("members").remove("arrival");
    assert_eq!(verdict(&untimed, &text), UNSEEN);
}

#[test]
fn each_way_of_counting_comes_to_the_same() {
    let row = |row: u64| (format!("d{:04}", mixed(row) % 3_000), mixed(row + 9) % (30 * 86_400), row);
    let text = lines((0..6_000).map(row));
    for lead in ["at.format('HHmm')", "who", "id.decimal(8)", "at.seconds().decimal(10)"] {
        let points: Vec<String> = (1..8).map(|point| format!("{point}")).collect();
        let document = of_seconds(&format!("{lead} + '-' + id.decimal(8)"), json!({ "points": points }));
        let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let held = report(&document, &text);
        let mut stream = Stream::new(study.clone(), 0).expect("stream");
        stream.add(records(&text, &study)).expect("counted");
        let options = SummarizerOptions { id: String::new(), name: "part".into(), no_samples: false };
        let place = PartPlace::Files(vec!["a.csv".into()]);
        let mut summarizer = Summarizer::new(study.clone(), place, options).expect("summarizer");
        summarizer.add(records(&text, &study)).expect("counted");
        let summary = summarizer.finish();
        let told = |report: &Report| (report.verdict.code, report.verdict.message.clone());
        assert_eq!(told(&stream.report().expect("report")), told(&held), "{lead}, counted");
        assert_eq!(told(&summary.report(0).expect("report")), told(&held), "{lead}, summarized");
    }
}

#[test]
fn of_kinds_those_that_follow_time_with_most_records_are_judged() {
    let kind = |is: &str, rowkey: &str| json!({ "when": { "field": "who", "is": [is] }, "fields": ["at", "id"], "rowkey": rowkey });
    let told = |rows: u64, share: u64, rowkeys: [&str; 2]| {
        let mut document = of_seconds("", json!({ "sample": 10 }));
        document.as_object_mut().expect("members").remove("rowkey");
        document["kinds"] = json!({ "a": kind("a", rowkeys[0]), "b": kind("b", rowkeys[1]) });
        let who = |row| if mixed(row) % 100 < share { "a" } else { "b" };
        let text = lines((0..rows).map(|row| (who(row).to_owned(), row * 86_400, mixed(row + 7) % 100_000)));
        verdict(&document, &text)
    };
    let [day, spread] = ["at.format('yyyyMMdd') + id.decimal(5)", "id.decimal(5) + at.format('yyyyMMdd')"];
    let of = |mark: char, rowkey: &str| format!("'{mark}' + {rowkey}");
    let mostly_by_day = [of('a', day), of('b', spread)];
    let mostly_by_day = [&*mostly_by_day[0], &mostly_by_day[1]];
    // Both begin with the day.
    let by_day = [day, "at.format('yyyyMMdd') + 'b' + id.decimal(5)"];
    assert_eq!(told(50, 85, mostly_by_day), BAD);
    assert_eq!(told(50, 50, by_day), BAD);
    for (share, rowkeys) in [(85, mostly_by_day), (50, by_day)] {
        assert_eq!(told(300, share, rowkeys).1, VerdictSeverity::Bad);
    }
    // A few records of one kind leave the others spread.
    for rows in [50, 300, 3_000] {
        assert_ne!(told(rows, 15, mostly_by_day).1, VerdictSeverity::Bad);
    }
}

#[test]
fn a_day_that_all_records_share_is_not_good_in_front() {
    let row = |row: u64| (format!("d{:04}", mixed(row) % 3_000), row * 20, row);
    for rows in [300, 3_000] {
        let text = lines((0..rows).map(row));
        let document = of_seconds("at.format('yyyyMMdd') + who + id.decimal(8)", json!({ "sample": 8 }));
        let (code, severity) = verdict(&document, &text);
        assert_ne!(severity, VerdictSeverity::Good, "{rows} rows: {code}");
        let said = found(&document, &text);
        assert!(said.iter().any(|finding| finding.code == "RS101"), "{code}");
        // A year outlasts what is planned.
        let document = of_seconds("at.format('yyyy') + who + id.decimal(8)", json!({ "sample": 8 }));
        assert_ne!(verdict(&document, &text).0, UNSEEN.0);
    }
}

#[test]
fn a_remainder_is_negative_where_a_number_is_or_a_hash_can_be() {
    let text = lines((0..2_000).map(|row| (format!("d{row:04}"), row * 7, row)));
    let of = |rowkey: &str| {
        let document = of_seconds(rowkey, json!({ "sample": 8 }));
        codes(&found(&document, &text)).contains(&"RS106")
    };
    assert!(!of("at.millis().div(1000).mod(8).uint8() + who"), "times since 1970");
    assert!(of("who.javaHash().mod(8).decimal() + who"));
}
