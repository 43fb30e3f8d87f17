//! Exports: timestamps of cells, requests to the REST gateway, and what jobs and writers refuse. Code that needs another language
//! is run by `tests/npm/emit` and `tests/oracle`.

mod cells;
mod hostile;
mod inert;
mod kinds;
mod rest;
mod settled;

use rowscape::design::{Document, parse};
use rowscape::emit::{EmitSubject, emit};
use rowscape::error::Problem;
use serde_json::{Value, json};

/// A document with a key, families, and more members.
fn document(rowkey: &str, families: Value, more: Value) -> Document {
    let mut document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "host", "type": "text" },
            { "name": "n", "type": "integer" },
            { "name": "at", "type": "time", "format": "epoch-millis" },
            { "name": "made", "type": "time", "format": "epoch-millis" },
        ],
        "rowkey": rowkey,
        "table": { "name": "calls", "families": families },
    });
    let members = more.as_object().expect("members").clone();
    document.as_object_mut().expect("members").extend(members);
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn emitted(name: &str, document: &Document) -> Result<String, Problem> {
    let design = document.tables.first().expect("a table");
    let points = design.splits.points();
    emit(name, &EmitSubject::new(document, design, &points)).map(|emitted| emitted.text)
}

fn text(name: &str, document: &Document) -> String {
    emitted(name, document).unwrap_or_else(|problem| panic!("{problem:?}"))
}

/// Queries of one condition each.
fn asking(conditions: &[Value]) -> Value {
    let queries: Vec<Value> = conditions.iter().map(|one| json!({ "name": "q", "where": one })).collect();
    json!({ "queries": queries })
}
