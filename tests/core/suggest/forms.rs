//! How values are written: in the fewest bytes that the records prove to lose nothing, and in order where a query needs it.

use super::{at, logs, mix, study, suggested};
use crate::common::csv_records;
use rowscape::analysis::Analysis;
use rowscape::design::parse;
use rowscape::suggest::{SuggestOptions, Suggestion, Suggestions};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A study of one text and a time, and the suggestions for 3,000 records of it.
fn of_text(condition: Value, value: impl Fn(u64) -> String) -> (Suggestions, String) {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "id", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" }
        ],
        "arrival": "at",
        "servers": 4,
        "queries": [{ "name": "by id", "where": { "id": condition } }],
    });
    let rows = (0..3000).map(|row| format!("{},{}\n", value(row), at(row)));
    let csv: String = std::iter::once("id,at\n".to_owned()).chain(rows).collect();
    let (asked, records) = study(document, &csv);
    let found = suggested(&asked, &records, &SuggestOptions::default());
    for of in &found.suggestions {
        loses_nothing(of, &csv);
    }
    (found, csv)
}

/// Under the fields that a suggestion declares, each record of the file has a key of its own.
fn loses_nothing(of: &Suggestion, csv: &str) {
    let study = parse(&of.design.to_string()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let records = Rc::new(csv_records(&study.fields, csv));
    for (index, table) in study.tables.iter().enumerate() {
        let analysis = Analysis::of(&study, index, records.clone());
        let keys = analysis.expect("analysis").keys(0, records.rows).keys;
        let distinct: BTreeSet<&[u8]> = (0..keys.len()).map(|index| keys.get(index)).collect();
        assert_eq!(distinct.len(), records.rows, "{}", table.rowkey);
    }
}

/// The row key of the suggestion with the fewest bytes.
fn shortest(found: &Suggestions) -> &str {
    let of = found.suggestions.iter().find(|of| of.labels.contains(&"shortest-keys"));
    &of.expect("shortest keys").rowkeys[0]
}

fn reasons(found: &Suggestions, code: &str) -> bool {
    found.suggestions.iter().any(|of| of.reasons.iter().any(|reason| reason.code == code))
}

fn field(found: &Suggestions) -> &Value {
    &found.suggestions[0].design["fields"][0]
}

#[test]
fn hex_in_text_is_declared_as_bytes_where_every_value_comes_back() {
    let hex = |row: u64| format!("{:016x}{:016x}", mix(row), mix(row ^ 1 << 50));
    let (found, _) = of_text(json!(hex(7)), hex);
    assert_eq!((&field(&found)["type"], &field(&found)["format"]), (&json!("bytes"), &json!("hex")));
    assert!(found.notes.iter().any(|note| note.code == "suggest.as-bytes"), "{:?}", found.notes);
    // 16 bytes and a time of four, nothing between them, one family and qualifier, 20 bytes of a cell.
    let least = found.suggestions.iter().map(|of| of.scores.key_bytes).fold(f64::INFINITY, f64::min);
    assert!(least <= 20.0, "{least}");
    let (mixed, _) =
        of_text(json!(hex(7)), |row| if row == 2999 { hex(row).to_uppercase() } else { hex(row) });
    assert_eq!(field(&mixed)["type"], json!("text"), "uppercase digits would come back in lowercase");
    let (begun, _) = of_text(json!({ "prefix": "abc" }), hex);
    assert_eq!(field(&begun)["type"], json!("text"), "half a byte is no prefix of bytes");
}

#[test]
fn uuids_in_text_take_sixteen_bytes() {
    let uuid = |row: u64| {
        let (high, low) = (mix(row), mix(row ^ 1 << 50));
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    };
    let (found, _) = of_text(json!(uuid(7)), uuid);
    assert_eq!(field(&found)["format"], json!("uuid"));
    assert!(found.suggestions.iter().all(|of| of.scores.key_bytes < 36.0));
}

#[test]
fn digits_in_text_are_numbers_where_no_two_values_become_one() {
    let phone = |row: u64| format!("134{:08}", mix(row) % 400);
    let (found, _) = of_text(json!(phone(7)), phone);
    assert!(shortest(&found).contains("id.number().int64()"), "{}", shortest(&found));
    assert!(reasons(&found, "suggest.as-number"));
    let codes = |row: u64| format!("{:04}", mix(row) % 900);
    let (found, _) = of_text(json!(codes(7)), codes);
    assert!(shortest(&found).contains("id.number().uint16()"), "{}", shortest(&found));
    // 0123 and 123 are two values.
    let (found, _) = of_text(json!("1234"), |row| {
        format!("{}{:04}", if row % 2 == 0 { "0" } else { "" }, 1000 + mix(row) % 900)
    });
    assert!(!shortest(&found).contains("number()"), "{}", shortest(&found));
    let (found, _) = of_text(json!({ "from": "0100", "to": "0200" }), codes);
    assert!(!shortest(&found).contains("number()"), "a range of texts is asked for: {}", shortest(&found));
}

#[test]
fn a_prefix_stays_and_a_number_in_place_of_a_text_is_a_variant_that_states_its_limit() {
    let host = |row: u64| format!("web-{:04}", mix(row) % 700);
    let (found, _) = of_text(json!(host(7)), host);
    let keys: Vec<&String> = found.suggestions.iter().flat_map(|of| &of.rowkeys).collect();
    assert!(keys.iter().all(|key| !key.contains("substring") && !key.contains("number()")), "{keys:?}");
    let code = |row: u64| format!("{:08}", 40_000_000 + mix(row) % 700);
    let (found, _) = of_text(json!(code(7)), code);
    assert!(!found.suggestions[0].rowkeys[0].contains("number()"), "{:?}", found.suggestions[0].rowkeys);
    let variant = found.suggestions.iter().find(|of| of.rowkeys[0].contains("id.number().uint32()"));
    let variant = variant.expect("a variant");
    let limit = variant.reasons.iter().find(|reason| reason.code == "suggest.as-number").expect("its limit");
    assert_eq!(limit.args["most"], u32::MAX.to_string());
    let whole = |back: &rowscape::suggest::TakenBack| {
        back.choice.code == "suggest.whole-text" && back.change.bytes_per_row > 3.0
    };
    assert!(variant.without.iter().any(whole), "{:?}", variant.without);
}

fn letter(row: u64) -> char {
    char::from(b'a' + (row % 26) as u8)
}

#[test]
fn few_long_names_are_numbers_of_a_lookup_table_of_the_document() {
    let name =
        |row: u64| format!("{}.requests.latency.{}", letter(row), ["mean", "p99"][row as usize / 26 % 2]);
    let (found, _) = of_text(json!(name(7)), name);
    assert!(shortest(&found).contains("id.lookup('ID').uint8()"), "{}", shortest(&found));
    assert!(reasons(&found, "suggest.as-id"));
    let with = found.suggestions.iter().find(|of| of.rowkeys[0].contains("lookup")).expect("lookup");
    assert_eq!(with.design["lookup"]["ID"].as_object().expect("table").len(), 52);
    // One name comes for the first time near the end: there will be more.
    let (found, _) =
        of_text(json!(name(7)), |row| if row == 2900 { "z.responses.latency".to_owned() } else { name(row) });
    assert!(!shortest(&found).contains("lookup"), "{}", shortest(&found));
}

#[test]
fn numbers_take_the_smallest_unsigned_width_that_holds_a_thousand_times_the_greatest() {
    for (most, width) in
        [(60, "uint16"), (200, "uint24"), (16_000, "uint24"), (1_000_000, "uint32"), (9_000_000, "int64")]
    {
        let document = logs(json!([{ "name": "q", "where": { "line": 5 } }]), json!({}));
        let rows = (0..2000).map(|row| {
            format!("h{},{},{}\n", row % 7, at(row), mix(row) % most + row % 2 * (most - mix(row) % most))
        });
        let csv: String = std::iter::once("host,at,line\n".to_owned()).chain(rows).collect();
        let (asked, records) = study(document, &csv);
        let found = suggested(&asked, &records, &SuggestOptions::default());
        let written = |of: &&Suggestion| of.rowkeys[0].contains(&format!("line.{width}()"));
        let keys: Vec<&str> = found.suggestions.iter().map(|of| of.rowkeys[0].as_str()).collect();
        assert!(found.suggestions.iter().any(|of| written(&of)), "{most}: {keys:?}");
    }
}

#[test]
fn a_key_of_the_document_keeps_the_fields_as_they_are_declared() {
    let hex = |row: u64| format!("{:016x}{:016x}", mix(row), mix(row ^ 1 << 50));
    let document = logs(
        json!([{ "name": "q", "where": { "host": hex(3) } }]),
        json!({ "rowkey": "host.reverse() + at.seconds().uint32()" }),
    );
    let rows = (0..2000).map(|row| format!("{},{},{row}\n", hex(row), at(row)));
    let csv: String = std::iter::once("host,at,line\n".to_owned()).chain(rows).collect();
    let (asked, records) = study(document, &csv);
    let found = suggested(&asked, &records, &SuggestOptions::default());
    assert!(found.suggestions.iter().all(|of| of.design["fields"][0]["type"] == json!("text")));
    assert!(found.baseline.is_some());
}
