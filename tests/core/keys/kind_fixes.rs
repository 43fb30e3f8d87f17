//! Edits offered for the row key of one kind of a table: each is made and judged on the same records.

use crate::common::csv_records;
use rowscape::analysis::Analysis;
use rowscape::design::{Document, normal_form, parse};
use rowscape::findings::{DesignFix, Finding, FindingSeverity};
use serde_json::{Value, json};
use std::rc::Rc;

fn document(order: &str, customer: &str) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "type", "type": "text" }, { "name": "customer", "type": "text" },
            { "name": "order", "type": "integer" }, { "name": "at", "type": "time", "format": "epoch-millis" },
        ],
        "arrival": "at", "servers": 4, "writesPerSecond": 40_000,
        "kinds": {
            "customer": { "when": { "field": "type", "is": ["c"] }, "fields": ["customer", "at"], "rowkey": customer },
            "order": { "when": { "field": "type", "is": ["o"] }, "rowkey": order },
        },
        "splits": { "sample": 8 },
    })
}

/// Orders of customers, one a second.
fn csv() -> String {
    let line = |at: u64| {
        let customer = at * 7919 % 500;
        match at % 5 {
            0 => format!("c,k{customer:03},,{}\n", 1_700_000_000_000 + at * 1000),
            _ => format!("o,k{customer:03},{at},{}\n", 1_700_000_000_000 + at * 1000),
        }
    };
    let lines: String = (0..4_000).map(line).collect();
    format!("type,customer,order,at\n{lines}")
}

fn parsed(document: &Value) -> Document {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn found(document: &Value) -> Vec<Finding> {
    let study = parsed(document);
    let records = Rc::new(csv_records(&study.fields, csv()));
    let analysis = Analysis::of(&study, 0, records);
    analysis.expect("an analysis").findings(&study, 0).expect("findings")
}

/// The document with an edit made.
fn edited(document: &Value, fix: &DesignFix) -> Value {
    let mut edited = normal_form(&parsed(document));
    let kind = fix.kind.as_ref().expect("a kind");
    edited["tables"][0]["kinds"][kind]["rowkey"] = json!(fix.rowkey.as_ref().expect("a row key"));
    edited
}

fn count(found: &[Finding], code: &str, least: FindingSeverity) -> usize {
    found.iter().filter(|other| other.code == code && other.severity >= least).count()
}

#[test]
fn each_edit_of_a_kind_leaves_less_of_its_finding() {
    let orders = [
        "at.millis().int64() + order.int32()",
        "order.int32()",
        "customer + at.format('yyyyMMdd')",
        "at.format('yyyyMMddHHmmss') + '|' + order.decimal(6)",
    ];
    let customers = ["customer + '|c'", "at.millis().int64() + customer", "customer"];
    let (mut offered, mut of) = (0, 0);
    for (order, customer) in orders.iter().flat_map(|order| customers.map(|customer| (*order, customer))) {
        let document = document(order, customer);
        let before = found(&document);
        for finding in before.iter().filter(|finding| finding.kind.is_some()) {
            of += 1;
            let Some(fix) = &finding.fix else { continue };
            offered += 1;
            assert_eq!(fix.kind, finding.kind, "{order}, {customer}: {}", finding.code);
            let after = found(&edited(&document, fix));
            let (code, severity) = (finding.code, finding.severity);
            assert!(
                count(&after, code, severity) < count(&before, code, severity),
                "{order}, {customer}: {code} {fix:?}"
            );
        }
    }
    assert!(offered >= 10 && of >= offered, "{offered} of {of}");
}
