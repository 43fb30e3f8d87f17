//! Answers as JSON, for programs.

use super::analysed::AnalysedDocument;
use super::linted::LintedTable;
use super::style::is_hidden;
use serde_json::{Value, json};

/// A value as lines that a person can read, too.
pub fn lines(value: &Value) -> String {
    in_order(value)
}

/// The same with members in the order of a type.
pub fn in_order(value: &impl serde::Serialize) -> String {
    shown(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

/// A value on one line.
pub fn line(value: &Value) -> String {
    shown(&value.to_string()) + "\n"
}

/// The same JSON with everything escaped that a terminal would obey or hide.
fn shown(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for char in json.chars() {
        match char {
            // Between values; within texts it is escaped already.
            '\n' => text.push(char),
            _ if is_hidden(char) => {
                char.encode_utf16(&mut [0; 2])
                    .iter()
                    .for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
            }
            _ => text.push(char),
        }
    }
    text
}

/// Results of `analyze`.
pub fn analysed(analysed: &AnalysedDocument<'_>) -> String {
    let AnalysedDocument { document, report, findings, held } = *analysed;
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
        "findingsOfSample": held.evidence.is_sample(),
        "estimated": held.evidence.is_sample(),
        "generated": held.generated,
        "summary": held.evidence.summary().map(|summary| json!({ "parts": summary.parts().len(), "samples": summary.has_samples() })),
        "files": held.problems.files,
        "problems": held.problems,
        "report": whole,
    }))
}

/// Results of `lint`.
pub fn linted(all: &[LintedTable<'_>]) -> String {
    let of = |LintedTable { document, table, findings }: &LintedTable<'_>| json!({ "design": document.path, "table": document.table_name(*table), "findings": findings });
    lines(&all.iter().map(of).collect())
}
