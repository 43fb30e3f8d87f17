//! Findings for tools that review code: SARIF 2.1.0.

use super::document::RowkeyPlace;
use super::json::lines;
use super::linted::LintedTable;
use crate::analysis::findings::{Finding, FindingSeverity, RULES};
use serde_json::{Value, json};

/// The log of a run.
pub fn log(all: &[LintedTable<'_>]) -> String {
    let found = |code: &str| all.iter().flat_map(|of| of.findings.iter()).any(|found| found.code == code);
    let rules: Vec<_> = RULES.iter().filter(|rule| found(rule.code)).collect();
    let index = |code: &str| rules.iter().position(|rule| rule.code == code);
    let mut results: Vec<Value> = Vec::new();
    // Tables of one document come one after the other.
    for tables in all.chunk_by(|a, b| std::ptr::eq(a.document, b.document)) {
        let numbers: Vec<usize> = tables.iter().map(|of| of.table).collect();
        let places = tables.first().map(|of| of.document.rowkeys(&numbers)).unwrap_or_default();
        for (of, place) in tables.iter().zip(places) {
            results.extend(of.findings.iter().map(|finding| result(of, finding, place, &index)));
        }
    }
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "id": rule.code, "name": pascal(rule.name), "helpUri": rule.reference }))
        .collect();
    lines(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Rowscape",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn result(
    linted: &LintedTable<'_>,
    finding: &Finding,
    rowkey: Option<RowkeyPlace>,
    index: &dyn Fn(&str) -> Option<usize>,
) -> Value {
    let document = linted.document;
    let level = match finding.severity {
        FindingSeverity::Note => "note",
        FindingSeverity::Warning => "warning",
        FindingSeverity::Bad => "error",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&document.path) } });
    if let (Some((line, column, end)), Some(place)) =
        (rowkey.map(|rowkey| rowkey.of(finding.columns)), place.as_object_mut())
    {
        let mut region = json!({ "startLine": line, "startColumn": column });
        if let (Some(end), Some(region)) = (end, region.as_object_mut()) {
            region.insert("endColumn".to_owned(), end.into());
        }
        place.insert("region".to_owned(), region);
    }
    let table = document.table_name(linted.table);
    json!({
        "ruleId": finding.code,
        "ruleIndex": index(finding.code),
        "level": level,
        "message": { "text": format!("{}\n{}\n{}", finding.message, finding.why, finding.remedy) },
        "properties": { "title": finding.title, "detail": finding.detail },
        "locations": [{
            "physicalLocation": place,
            "logicalLocations": [{ "name": table, "kind": "object" }],
        }],
        "partialFingerprints": { "rowscape/v1": format!("{table}/{}/{}", finding.code, finding.message) },
    })
}

/// A path as a relative or absolute URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// `sequential-key` as `SequentialKey`.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    };
    name.split('-').map(word).collect()
}
