//! Reads beside writes, where the records are both.

use proptest::prelude::*;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::report::Report;
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use serde_json::{Value, json};
use std::rc::Rc;

const FIELDS: &str = r#"[{"name":"id","type":"text"},{"name":"at","type":"time","format":"epoch-millis"},{"name":"op","type":"text"}]"#;

fn study(operation: Option<Value>) -> Document {
    let fields: Value = serde_json::from_str(FIELDS).expect("fields");
    let mut document = json!({
        "rowscape": 1, "fields": fields, "arrival": "at", "splits": { "points": ["b", "c"] }, "rowkey": "id.text(2) + at.millis().int64()",
    });
    if let Some(operation) = operation {
        document["operation"] = operation;
    }
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn told() -> Document {
    study(Some(json!({ "field": "op", "read": ["GET", "SCAN"] })))
}

/// Records of (id, time, operation).
fn records(rows: &[(&str, i64, &str)]) -> Records {
    let fields: Value = serde_json::from_str(FIELDS).expect("fields");
    let input: Input = serde_json::from_value(json!({ "fields": fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(b"id,at,op\n");
    rows.iter().for_each(|(id, at, op)| reader.push(format!("{id},{at},{op}\n").as_bytes()));
    reader.finish();
    reader.into_records()
}

fn summary(study: Document, rows: &[(&str, i64, &str)]) -> Summary {
    let mut stream = Stream::new(study, 0).expect("stream");
    stream.add(records(rows)).expect("counted");
    stream.summary().expect("summary").clone()
}

/// The report of records that are held.
fn held(study: Document, rows: &[(&str, i64, &str)]) -> Report {
    let mut analysis = Analysis::of(&study, 0, Rc::new(records(rows))).expect("analysis");
    analysis.report(&ReportOptions::default()).expect("report")
}

const MINUTE: i64 = 60_000;

fn five() -> Vec<(&'static str, i64, &'static str)> {
    vec![
        ("a", 0, "PUT"),
        ("b", 0, "GET"),
        ("b", MINUTE, "SCAN"),
        ("b", MINUTE, "DELETE"),
        // Values are taken as they are: HBase has no “get”.
        ("c", MINUTE, "get"),
    ]
}

#[test]
fn reads_are_told_from_writes_by_the_values_that_the_document_lists() {
    let report = held(told(), &five());
    let of_regions = |report: &Report| report.regions.iter().map(|region| region.reads).collect::<Vec<_>>();
    assert_eq!(of_regions(&report), [Some(0), Some(2), Some(0)]);
    let reads = report.reads.as_ref().expect("told");
    assert_eq!((reads.len(), reads.iter().sum::<u64>()), (report.heat.len(), 2));
    assert!(reads.iter().zip(&report.heat).all(|(&reads, &rows)| reads <= u64::from(rows)));
    let streamed = Report::of_summary(&summary(told(), &five()).designs[0], Some("at"), Default::default())
        .expect("report");
    assert_eq!(of_regions(&streamed), of_regions(&report));
    assert_eq!(streamed.reads.as_ref().map(|reads| reads.iter().sum::<u64>()), Some(2));
}

#[test]
fn without_the_member_nothing_is_said_of_reads_and_the_binary_form_is_that_of_version_1() {
    let report = held(study(None), &five());
    assert!(report.reads.is_none() && report.regions.iter().all(|region| region.reads.is_none()));
    assert_eq!(summary(study(None), &five()).to_bytes()[4], 1);
    let with = summary(told(), &five()).to_bytes();
    assert_eq!(with[4], 2);
    assert_eq!(Summary::from_bytes(&with).expect("read"), summary(told(), &five()));
}

#[test]
fn more_reads_than_rows_are_no_summary() {
    let bytes = summary(told(), &five()).to_bytes();
    // The last byte is the reads of the last cell: region 2 in the second minute, one row.
    let mut body = bytes[20..].to_vec();
    *body.last_mut().expect("a byte") = 2;
    let mut wrong = bytes[..16].to_vec();
    wrong.extend(rowscape::hash::crc32(&body).to_le_bytes());
    wrong.extend(body);
    assert_eq!(Summary::from_bytes(&wrong).expect_err("refused").code, "summary.damaged");
}

#[test]
fn an_operation_that_cannot_tell_is_refused_at_its_path() {
    for (operation, code, path) in [
        (json!({ "field": "op" }), "json.missing", "operation.read"),
        (json!({ "field": "op", "read": [] }), "design.operation-no-reads", "operation.read"),
        (json!({ "field": "op", "read": ["GET", 1] }), "json.wrong-type", "operation.read[1]"),
        (json!({ "field": "at", "read": ["GET"] }), "design.operation-not-text", "operation.field"),
        (json!({ "field": "opp", "read": ["GET"] }), "formula.unknown-field-near", "operation.field"),
        (json!({ "field": "op", "reads": ["GET"] }), "json.unknown-member-near", "operation.reads"),
    ] {
        let fields: Value = serde_json::from_str(FIELDS).expect("fields");
        let document = json!({ "rowscape": 1, "fields": fields, "rowkey": "id", "operation": operation });
        let problems = parse(&document.to_string()).err().unwrap_or_default();
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
        assert!(found.contains(&(code, path)), "{document}: {found:?}");
    }
}

proptest! {
    #[test]
    fn the_reads_of_parts_add_up_to_those_of_the_whole(
        rows in prop::collection::vec((0usize..5, 0i64..40_000_000, 0usize..4), 0..80), cut in any::<prop::sample::Index>(),
    ) {
        let ids = ["a", "b", "bb", "c", "d"];
        let ops = ["GET", "PUT", "SCAN", "DELETE"];
        let rows: Vec<_> = rows.into_iter().map(|(id, at, op)| (ids[id], at, ops[op])).collect();
        let whole = summary(told(), &rows);
        let (first, second) = rows.split_at(cut.index(rows.len() + 1));
        let merged = summary(told(), first).merge(summary(told(), second)).expect("one study");
        let (whole, merged) = (&whole.designs[0], &merged.designs[0]);
        prop_assert_eq!(&whole.reads, &merged.reads);
        prop_assert_eq!(whole.cells.iter().collect::<Vec<_>>(), merged.cells.iter().collect::<Vec<_>>());
    }
}
