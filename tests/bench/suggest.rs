//! Row keys suggested natively, on one thread: a study of 150,000 records and a large one of 200,000, a line of JSON for each, with
//! milliseconds to the first shortlist, to the answer, and the longest between two reports of progress.
//!
//! With a folder the studies and records are written there instead, for the same in wasm.

use rowscape::design::parse_request;
use rowscape::ingest::{FileForm, Input, RecordReader};
use rowscape::suggest::{SearchPhase, SuggestOptions, suggest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::rc::Rc;
use std::time::Instant;

/// A number made of others, the same in every run.
fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ seed;
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 32)
}

/// A time of January 2024, in seconds after its beginning.
fn at(second: u64) -> String {
    let (day, rest) = (second / 86_400, second % 86_400);
    format!("2024-01-{:02} {:02}:{:02}:{:02}", day + 1, rest / 3600, rest / 60 % 60, rest % 60)
}

/// A range of time of some minutes.
fn minutes(count: u64) -> Value {
    json!([at(86_400), at(86_400 + 60 * count)])
}

fn document(fields: &[(&str, &str)], queries: &[Value]) -> Value {
    let field = |(name, kind): &(&str, &str)| match *kind {
        "time" => json!({ "name": name, "type": kind, "format": "yyyy-MM-dd HH:mm:ss" }),
        _ => json!({ "name": name, "type": kind }),
    };
    let fields: Vec<Value> = fields.iter().map(field).collect();
    json!({ "rowscape": 1, "fields": fields, "arrival": "at", "servers": 4, "queries": queries })
}

/// 150,000 log lines of four fields, and two queries.
fn logs() -> (Value, String) {
    let fields = [("host", "text"), ("at", "time"), ("level", "text"), ("line", "integer")];
    let queries = [
        json!({ "name": "an hour of a host", "rate": 100, "where": { "host": "web-0001", "at": minutes(60) } }),
        json!({ "name": "a day of a level", "where": { "level": "ERROR", "at": minutes(1440) } }),
    ];
    let mut csv = "host,at,level,line\n".to_owned();
    for row in 0..150_000u64 {
        // The first of 900 hosts has a sixth of the lines.
        let host = if mix(row).is_multiple_of(6) { 0 } else { mix(row ^ 1 << 40) % 900 };
        let level = ["DEBUG", "INFO", "WARN", "ERROR"].get(mix(row ^ 1 << 41) as usize % 4).unwrap_or(&"");
        let _ = writeln!(csv, "web-{host:04},{},{level},{}", at(row * 4), row % 5000);
    }
    (document(&fields, &queries), csv)
}

/// 200,000 records of twelve fields, and twenty queries.
fn wide() -> (Value, String) {
    let names: Vec<String> = (1..12).map(|field| format!("f{field}")).collect();
    let mut fields = vec![("at", "time")];
    fields.extend(names.iter().map(|name| (name.as_str(), "text")));
    let query = |index: usize| {
        let (one, other) = (index % 11 + 1, index * 3 % 11 + 1);
        let mut query = json!({ "name": format!("q{index}"), "rate": 1 + index % 5 });
        query["where"] = json!({ format!("f{one}"): "v1", format!("f{other}"): "v1" });
        match index % 4 {
            3 => {
                query["order"] = json!({ "field": "at", "direction": "descending" });
                query["limit"] = json!(20);
            }
            of => query["where"]["at"] = minutes([10, 60, 1440][of]),
        }
        query
    };
    let queries: Vec<Value> = (0..20).map(query).collect();
    let mut csv = format!("at,{}\n", names.join(","));
    for row in 0..200_000u64 {
        csv += &at(row * 3);
        for field in 1..12 {
            let _ = write!(csv, ",v{}", mix(row * 12 + field) % (3 + field * field * field));
        }
        csv.push('\n');
    }
    (document(&fields, &queries), csv)
}

fn measured(name: &str, (document, csv): (Value, String)) -> Result<Value, Box<dyn Error>> {
    let asked = parse_request(&document.to_string()).map_err(|wrong| format!("{wrong:?}"))?;
    let fields = asked.document.fields.clone();
    let input = Input {
        format: FileForm::Csv,
        separator: None,
        quote: None,
        header: Some(true),
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields,
    };
    let mut reader = RecordReader::new(&input).map_err(|wrong| format!("{wrong:?}"))?;
    reader.push(csv.as_bytes());
    reader.finish();
    let records = Rc::new(reader.into_records());
    let begun = Instant::now();
    let millis = |from: Instant| from.elapsed().as_secs_f64() * 1000.0;
    let (mut shortlist, mut longest, mut last) = (0.0, (0.0f64, "profile", 0.0), begun);
    let mut phases: BTreeMap<&str, f64> = BTreeMap::new();
    let mut told = |phase: &SearchPhase, done: f64| {
        if longest.0 < millis(last) {
            longest = (millis(last), phase.name(), done);
        }
        *phases.entry(phase.name()).or_default() += millis(last);
        last = Instant::now();
        if matches!(phase, SearchPhase::Shortlist(_)) {
            shortlist = millis(begun);
        }
        true
    };
    let found = suggest(&asked, &records, &SuggestOptions::default(), &mut told)
        .map_err(|wrong| format!("{wrong:?}"))?;
    Ok(json!({
        "name": name,
        "shortlist": shortlist,
        "total": millis(begun),
        "silent": longest.0,
        "before": [longest.1, longest.2.to_string()],
        "phases": phases,
        "suggestions": found.suggestions.len(),
        "reads": found.suggestions.iter().map(|of| of.scores.reads).fold(f64::INFINITY, f64::min),
    }))
}

/// A study by its name, and what makes its records.
type BenchStudy = (&'static str, fn() -> (Value, String));

const STUDIES: [BenchStudy; 2] =
    [("150,000 records, 4 fields, 2 queries", logs), ("200,000 records, 12 fields, 20 queries", wide)];

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo adds a flag of its own.
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    for (index, (name, study)) in STUDIES.iter().enumerate() {
        let Some(folder) = &folder else {
            println!("{}", measured(name, study())?);
            continue;
        };
        let (document, csv) = study();
        std::fs::write(format!("{folder}/suggest-{index}.json"), document.to_string())?;
        std::fs::write(format!("{folder}/suggest-{index}.csv"), csv)?;
    }
    Ok(())
}
