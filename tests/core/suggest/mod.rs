//! Row keys suggested: what they promise of any study, traps, and every key of a grammar measured beside them.

mod brute_force;
mod forms;
mod gallery;
mod identity;
mod identity_suite;
mod kinds;
mod proposals;
mod scores;
mod shapes;
mod traps;
mod turns;

use crate::common::csv_records;
use crate::common::schema::is_valid;
use rowscape::design::{SuggestRequest, parse, parse_request};
use rowscape::field::Kind;
use rowscape::records::Records;
use rowscape::suggest::{SuggestOptions, Suggestions, suggest};
use serde_json::{Value, json};
use std::rc::Rc;

/// A number made of others, the same in every run.
pub fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ seed;
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 32)
}

/// A time of 2024 in seconds after its beginning, as the studies here write it.
pub fn at(second: u64) -> String {
    let (day, rest) = (second / 86_400, second % 86_400);
    format!("2024-01-{:02} {:02}:{:02}:{:02}", day + 1, rest / 3600, rest / 60 % 60, rest % 60)
}

/// The document and the records of a CSV file.
pub fn study(document: Value, csv: &str) -> (SuggestRequest, Rc<Records>) {
    let asked = parse_request(&document.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let records = csv_records(&asked.document.fields, csv);
    (asked, Rc::new(records))
}

/// The suggestions for a document and records, with whatever holds of all.
pub fn suggested(asked: &SuggestRequest, records: &Rc<Records>, options: &SuggestOptions) -> Suggestions {
    let found = suggest(asked, records, options, &mut |_, _| true).expect("suggestions");
    keep_promises(asked, records, options, &found);
    found
}

/// Promises that hold for the suggestions of any study.
fn keep_promises(
    asked: &SuggestRequest,
    records: &Rc<Records>,
    options: &SuggestOptions,
    found: &Suggestions,
) {
    assert!(found.suggestions.len() <= 7 && found.front.len() <= 60);
    assert!(!found.suggestions.is_empty() || !found.notes.is_empty(), "an empty answer has a reason");
    for of in &found.suggestions {
        let text = of.design.to_string();
        let study = parse(&text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        assert!(!of.reasons.is_empty() && study.tables.len() == of.rowkeys.len());
        for (table, rowkey) in study.tables.iter().zip(&of.rowkeys) {
            assert_eq!(table.rowkeys(), *rowkey);
            assert!(options.allow_random_salt || !rowkey.contains("salt("), "{rowkey}");
            let measured = |kind| matches!(kind, Kind::Float | Kind::Decimal | Kind::Boolean);
            for part in &table.typed.parts {
                for &field in &part.fields {
                    let field = &study.fields[field];
                    let asks = |note: &rowscape::suggest::SuggestNote| note.code == "suggest.measured";
                    let named = study.queries.iter().any(|query| {
                        let orders = query.order.as_ref().is_some_and(|order| order.field == field.name);
                        orders || query.conditions.contains_key(&field.name)
                    });
                    let stated = study.identity.contains(&field.name);
                    let asked = named || stated || found.notes.iter().any(asks);
                    assert!(asked || !measured(field.kind), "{rowkey} holds a measured value");
                }
                let bucket = part.text.starts_with("bucket(");
                assert!(!(bucket && part.text.contains("truncate")), "{rowkey}: a bucket of a period");
            }
        }
        assert!(of.scores.reads.is_finite() && of.scores.hottest_server > 0.0);
        let enough = of.reasons.iter().any(|reason| reason.code == "suggest.one-region");
        assert!(!enough || of.labels.contains(&"one-region"), "one region is enough only for few writes");
    }
    labels_are_true(found);
    let path = format!("{}/data/schema/suggest-1.schema.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect("schema");
    assert!(is_valid(&json!(found), &schema, &schema), "{}", json!(found));
    speak_no_english(asked, found);
    // The same question has the same answer.
    let again = suggest(asked, records, options, &mut |_, _| true).expect("suggestions");
    assert_eq!(json!(again.suggestions), json!(found.suggestions));
}

/// Whatever is said to be the cheapest or the shortest is so, within a thousandth.
fn labels_are_true(found: &Suggestions) {
    type Score = fn(&rowscape::suggest::DesignScores) -> f64;
    let scores: [(&str, Score); 2] =
        [("cheapest-reads", |of| of.reads), ("shortest-keys", |of| of.bytes_per_row)];
    for (label, score) in scores {
        let least = found.suggestions.iter().map(|of| score(&of.scores)).fold(f64::INFINITY, f64::min);
        for of in found.suggestions.iter().filter(|of| of.labels.contains(&label)) {
            assert!(score(&of.scores) <= least * 1.001 + 1e-9, "{label}: {:?}, least {least}", of.scores);
        }
    }
}

/// Nothing that the core puts into a sentence is a word of English: names and formulas of the person, numbers, codes of other
/// sentences, so that a sentence in another language is one.
fn speak_no_english(asked: &SuggestRequest, found: &Suggestions) {
    let study = &asked.document;
    let mut own: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    own.extend(study.queries.iter().map(|query| query.name.as_str()));
    own.extend(study.tables.iter().map(|table| table.name.as_str()));
    own.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let of_suggestion = found
        .suggestions
        .iter()
        .flat_map(|of| of.reasons.iter().chain(of.without.iter().map(|back| &back.choice)));
    let known = found.considered.alternatives.iter().map(|of| &of.reason);
    let catalogs = ["en", "zh", "ko"].map(sentences);
    for note in of_suggestion.chain(known).chain(&found.notes) {
        for catalog in &catalogs {
            let sentence = &catalog[note.code];
            for (name, value) in &note.args {
                let value = value.to_string();
                if sentence.as_str().expect("sentence").contains(&format!("{{>{name}}}")) {
                    assert!(catalog[value.as_str()].is_string(), "{value}");
                } else if !["part", "prefix", "table", "constants"].contains(name) {
                    let rest = own.iter().fold(value.clone(), |rest, name| rest.replace(name, ""));
                    assert!(
                        !rest.contains(|char: char| char.is_ascii_alphabetic()),
                        "{}: {value}",
                        note.code
                    );
                }
            }
        }
    }
}

/// The sentences of a language.
fn sentences(language: &str) -> Value {
    let path = format!("{}/data/messages/{language}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect("sentences")
}

/// A study of logs: hosts, times, lines.
pub fn logs(queries: Value, more: Value) -> Value {
    let mut document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "host", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "line", "type": "integer" }
        ],
        "arrival": "at",
        "servers": 4,
        "queries": queries,
    });
    let (members, more) = (document.as_object_mut().expect("object"), more);
    members.extend(more.as_object().expect("object").clone());
    document
}

/// Lines of hosts, one a second; `host` tells the host of a line.
pub fn lines(count: u64, host: impl Fn(u64) -> String) -> String {
    let rows = (0..count).map(|row| format!("{},{},{row}\n", host(row), at(row)));
    std::iter::once("host,at,line\n".to_owned()).chain(rows).collect()
}

#[test]
fn a_document_without_a_key_has_one_place_for_it_and_asks_for_the_values_of_the_records() {
    let asked =
        parse_request(&logs(json!([{ "name": "q", "where": { "host": "a" } }]), json!({})).to_string());
    let asked = asked.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert!(!asked.keyed);
    assert_eq!(asked.document.queries[0].popularity, rowscape::design::Popularity::Rows);
    let keyed = logs(json!([]), json!({ "rowkey": "host" }));
    assert!(parse_request(&keyed.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}")).keyed);
    let wrong =
        parse_request(&logs(json!([{ "name": "q", "where": { "hosts": "a" } }]), json!({})).to_string());
    assert_eq!(wrong.err().expect("unknown field")[0].place.path, "queries[0].where.hosts");
}

#[test]
fn a_search_stops_when_it_is_told_to_and_says_how_far_it_is() {
    let (asked, records) = study(
        logs(json!([{ "name": "q", "where": { "host": "h1" } }]), json!({})),
        &lines(500, |row| format!("h{}", row % 7)),
    );
    let mut seen = Vec::new();
    let stopped = suggest(&asked, &records, &SuggestOptions::default(), &mut |_, done| {
        seen.push(done);
        seen.len() < 5
    });
    assert_eq!(stopped.expect_err("cancelled").code, "suggest.cancelled");
    assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]) && seen.len() == 5, "{seen:?}");
}

#[test]
fn what_is_missing_is_said() {
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "a", "type": "text" }, { "name": "same", "type": "text" }, { "name": "n", "type": "integer" }],
    });
    let csv: String = (0..40).map(|row| format!("x{row},k,{}\n", if row == 3 { "" } else { "5" })).collect();
    let (asked, records) = study(document, &format!("a,same,n\n{csv}"));
    let found = suggested(&asked, &records, &SuggestOptions::default());
    let codes: Vec<&str> = found.notes.iter().map(|note| note.code).collect();
    for code in [
        "suggest.no-queries",
        "suggest.no-arrival",
        "suggest.no-servers",
        "suggest.no-write-rate",
        "suggest.few-rows",
        "suggest.constant",
        "suggest.missing",
        "suggest.not-held-out",
    ] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
    assert!(!found.suggestions.is_empty());
    assert!(found.suggestions.iter().all(|of| !of.rowkeys[0].contains("same")));
}

#[test]
fn without_records_or_usable_fields_the_reason_is_told() {
    let document = || logs(json!([]), json!({}));
    let (asked, records) = study(document(), "host,at,line\n");
    let found = suggested(&asked, &records, &SuggestOptions::default());
    assert_eq!((found.suggestions.len(), found.notes[0].code), (0, "suggest.no-rows"));
    let (asked, records) = study(document(), "host,at,line\na,2024-01-01 00:00:00,1\n");
    let found = suggested(&asked, &records, &SuggestOptions::default());
    assert_eq!((found.suggestions.len(), found.notes[0].code), (0, "suggest.no-fields"));
}
