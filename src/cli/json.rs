//! Answers as JSON, for programs.

use super::analysed::Analysed;
use super::document::Document;
use crate::analysis::findings::Finding;
use serde_json::{Value, json};

/// A value as lines that a person can read, too.
pub fn lines(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A value on one line.
pub fn line(value: &Value) -> String {
    value.to_string() + "\n"
}

/// What `analyze` found.
pub fn analysed(analysed: &Analysed<'_>) -> String {
    let Analysed { document, report, findings, held } = *analysed;
    let mut whole = json!(report);
    if let Value::Object(members) = &mut whole {
        members.insert("heat".to_owned(), json!(report.heat));
        let moments = json!({
            "rows": report.moment_rows,
            "largestShare": report.moment_largest_share,
            "effective": report.moment_effective,
        });
        members.insert("moments".to_owned(), moments);
    }
    lines(&json!({
        "table": document.design().map(|design| design.name.as_str()).unwrap_or_default(),
        "verdict": report.verdict,
        "findings": findings,
        "findingsOfSample": held.is_sample(),
        "generated": held.generated,
        "problems": held.problems,
        "report": whole,
    }))
}

/// What `lint` found.
pub fn linted(all: &[(&Document, &[Finding])]) -> String {
    let of = |(document, findings): &(&Document, &[Finding])| {
        let table = document.design().map(|design| design.name.as_str()).unwrap_or_default();
        json!({ "design": document.path, "table": table, "findings": findings })
    };
    lines(&all.iter().map(of).collect())
}
