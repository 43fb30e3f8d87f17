//! Findings for tools that review code: SARIF 2.1.0.

use super::document::DesignDocument;
use super::json::lines;
use crate::analysis::findings::{Finding, FindingSeverity, RULES};
use serde_json::{Value, json};

/// The log of a run.
pub fn log(all: &[(&DesignDocument, &[Finding])]) -> String {
    let found = |code: &str| all.iter().flat_map(|(_, found)| found.iter()).any(|found| found.code == code);
    let rules: Vec<_> = RULES.iter().filter(|rule| found(rule.code)).collect();
    let index = |code: &str| rules.iter().position(|rule| rule.code == code);
    let results: Vec<Value> = all
        .iter()
        .flat_map(|(document, findings)| findings.iter().map(|finding| result(document, finding, &index)))
        .collect();
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

fn result(document: &DesignDocument, finding: &Finding, index: &dyn Fn(&str) -> Option<usize>) -> Value {
    let level = match finding.severity {
        FindingSeverity::Note => "note",
        FindingSeverity::Warning => "warning",
        FindingSeverity::Bad => "error",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&document.path) } });
    if let (Some((line, column, end)), Some(place)) =
        (document.rowkey_at(finding.columns), place.as_object_mut())
    {
        let mut region = json!({ "startLine": line, "startColumn": column });
        if let (Some(end), Some(region)) = (end, region.as_object_mut()) {
            region.insert("endColumn".to_owned(), end.into());
        }
        place.insert("region".to_owned(), region);
    }
    let table = document.design().map(|design| design.name.clone()).unwrap_or_default();
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
    for byte in super::paths::to_bytes(path) {
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
