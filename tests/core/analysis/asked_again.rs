//! Findings asked for again: what is kept from one review to the next changes none of them.

use super::findings::study;
use super::judged_cases::{analysis_of, records_of};
use super::random_cases::Case;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::Document;
use rowscape::records::Records;
use serde_json::{Value, json};
use std::rc::Rc;

/// Cases looked at, each by several documents.
const CASES: u64 = 12;
/// Most records of a case.
const ROWS: f64 = 6000.0;

/// A document under which nothing of the row key differs, and the one before again at the end.
fn variants(document: &Value, seed: u64) -> Vec<Value> {
    let with = |name: &str, value: Value| {
        let mut other = document.clone();
        other[name] = value;
        other
    };
    let asked = json!([{ "name": "a day", "where": { "at": { "from": "2024-01-02T00:00:00Z", "to": "2024-01-03T00:00:00Z" } } }]);
    let stored =
        json!({ "families": [{ "name": "d", "versions": 3, "cells": [{ "qualifier": "id", "bytes": 8 }] }] });
    vec![
        document.clone(),
        with("splits", json!({ "sample": 3 + seed % 9 })),
        with("servers", json!(3)),
        with("queries", asked),
        with("table", stored),
        with("writes", json!("counter")),
        with("writesPerSecond", json!(1_000_000)),
        document.clone(),
    ]
}

fn found(analysis: &mut Analysis, study: &Document) -> Vec<String> {
    let found = analysis.findings(study, 0).expect("findings");
    found.iter().map(|finding| json!(finding).to_string()).collect()
}

fn same_as_fresh(documents: &[Value], records: &Rc<Records>, what: &str) -> usize {
    let mut kept: Option<Analysis> = None;
    let mut told = 0;
    for (turn, document) in documents.iter().enumerate() {
        let study = study(document);
        let kept = kept.get_or_insert_with(|| analysis_of(&study, 0, records));
        let again = found(kept, &study);
        assert_eq!(again, found(&mut analysis_of(&study, 0, records), &study), "{what}, document {turn}");
        told += again.len();
    }
    told
}

#[test]
fn findings_asked_for_again_are_those_of_a_fresh_analysis() {
    let mut told = 0;
    for seed in 0..CASES {
        let case = Case::of_at_most(seed, ROWS);
        let records = records_of(&case, &study(&case.document));
        let documents = variants(&case.document, seed);
        told += same_as_fresh(&documents, &records, &format!("case {seed}"));
        let sample = Rc::new(records.sampled(records.rows / 2));
        told += same_as_fresh(&documents, &sample, &format!("sample of case {seed}"));
    }
    assert!(told > 200, "{told} findings are too few to say anything");
}

#[test]
fn a_fix_that_was_measured_on_all_records_is_proven() {
    let mut proven = 0;
    for seed in 0..CASES {
        let case = Case::of_at_most(seed, ROWS);
        let own = study(&case.document);
        let mut analysis = analysis_of(&own, 0, &records_of(&case, &own));
        let findings = analysis.findings(&own, 0).expect("findings");
        for (place, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.kind.is_none()) {
            let fix = analysis.proven_fix(&own, 0, place).expect("findings");
            assert_eq!(json!(fix), json!(finding.fix), "case {seed}, {}", finding.code);
            proven += usize::from(fix.is_some());
        }
    }
    assert!(proven > 10, "{proven} fixes are too few to say anything");
}

#[test]
fn asking_for_findings_changes_no_report() {
    let report = |analysis: &mut Analysis| {
        json!(analysis.report(&ReportOptions::default()).expect("report")).to_string()
    };
    for seed in 0..CASES {
        let case = Case::of_at_most(seed, ROWS);
        let own = study(&case.document);
        let records = records_of(&case, &own);
        let mut analysis = analysis_of(&own, 0, &records);
        let before = report(&mut analysis);
        for document in variants(&case.document, seed) {
            let other = study(&document);
            found(&mut analysis, &other);
            assert_eq!(report(&mut analysis), before, "case {seed}");
            // Under another document it is that of a fresh analysis.
            let of = analysis.report_of(&other, 0, &ReportOptions::default()).expect("report");
            assert_eq!(json!(of).to_string(), report(&mut analysis_of(&other, 0, &records)), "case {seed}");
        }
    }
}
