//! `decode`: row keys back into the fields of their records.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::input;
use super::json::line;
use super::shell::{FINE, FOUND, Failure, Shell};
use super::style::harmless;
use super::words::{described, said};
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::keys::decode::{Decoded, decode};
use crate::records::read::shell as scan;
use serde_json::{Map, Value, json};

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let document = DesignDocument::asked(shell, asked)?;
    let given: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).collect();
    let mut text = String::new();
    if given.is_empty() || given == ["-"] {
        text = input::text(shell, "-")?;
    }
    let rows = scan::is_scan(&text).then(|| scan::rows(&text));
    let keys: Vec<&str> = match &rows {
        Some(rows) => rows.iter().map(|(key, _)| key.as_str()).collect(),
        None if text.is_empty() => given.into_iter().filter(|key| *key != "-").collect(),
        None => text.lines().filter(|key| !key.is_empty()).collect(),
    };
    let mut exit = FINE;
    for key in keys {
        if shell.is_closed() {
            break;
        }
        let decoded = read(&document, key, asked.has("hex"));
        match decoded {
            Ok(decoded) if asked.has("json") => shell.write(line(&json(key, &decoded)).as_bytes()),
            Ok(decoded) => print(shell, key, &decoded),
            Err(problem) => {
                exit = FOUND;
                match asked.has("json") {
                    true => {
                        let problem = json!({ "code": problem.code, "message": said(&problem) });
                        shell.write(line(&json!({ "key": key, "problems": [problem] })).as_bytes());
                    }
                    false => {
                        let problem = described(&problem, None, None);
                        shell.note(&format!("rowscape: {}: {problem}", harmless(key)));
                    }
                }
            }
        }
    }
    Ok(exit)
}

/// A key in the notation of the HBase shell or in hexadecimal digits.
pub fn bytes(key: &str, hex: bool) -> Result<Vec<u8>, Problem> {
    if !hex {
        return from_string_binary(key);
    }
    let wrong = || Problem::new("cli.not-hex").with("found", key);
    let digits: Option<Vec<u32>> = key.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.ok_or_else(wrong)?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if rest.is_empty() {
        Ok(pairs.iter().map(|[high, low]| (high * 16 + low) as u8).collect())
    } else {
        Err(wrong())
    }
}

fn read(document: &DesignDocument, key: &str, hex: bool) -> Result<Decoded, Problem> {
    let bytes = bytes(key, hex)?;
    decode(&document.design()?.typed, &document.study.fields, &bytes)
}

fn print(shell: &mut Shell<'_>, key: &str, decoded: &Decoded) {
    let mut fields = Vec::new();
    for field in &decoded.fields {
        let value =
            field.value.as_deref().map_or_else(|| "?".to_owned(), |value| Value::from(value).to_string());
        fields.push(format!("{}={value}", field.name));
    }
    shell.line(&harmless(&format!("{key}\t{}", fields.join(" "))).replace("\\x09", "\t"));
    for problem in &decoded.problems {
        shell.note(&format!("rowscape: {}: {}", harmless(key), harmless(&said(problem))));
    }
}

/// A decoded key as JSON.
pub fn json(key: &str, decoded: &Decoded) -> Value {
    let fields: Map<String, Value> =
        decoded.fields.iter().map(|field| (field.name.clone(), json!(field.value))).collect();
    let lost = decoded
        .fields
        .iter()
        .filter_map(|field| Some((field.name.clone(), json!(said(field.lost.as_ref()?)))));
    let lost: Map<String, Value> = lost.collect();
    let problem = |problem: &Problem| json!({ "code": problem.code, "message": said(problem) });
    json!({
        "key": key,
        "fields": fields,
        "lost": lost,
        "parts": decoded.parts,
        "readings": decoded.readings.len(),
        "problems": decoded.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}
