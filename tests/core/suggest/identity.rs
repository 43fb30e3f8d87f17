//! What tells the records of a table apart: by how it is made, not by luck.

use super::traps::{found, range};
use super::{at, mix};
use rowscape::suggest::Suggestions;
use serde_json::json;
use std::collections::HashSet;

#[test]
fn an_id_that_is_unique_by_luck_is_not_relied_upon() {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "code", "type": "integer" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" }
        ],
        "arrival": "at",
        "servers": 2,
        "queries": [{ "name": "by code", "where": { "code": 1 } }],
    });
    // 1,000 distinct numbers below 100,000: the next thousand would repeat some.
    let mut seen = HashSet::new();
    let codes = (0..).map(|row| mix(row) % 100_000).filter(|code| seen.insert(*code)).take(1000);
    let row = |(row, code): (u64, u64)| format!("{code},{}\n", at(row));
    let csv: String = std::iter::once("code,at\n".to_owned()).chain((0..).zip(codes).map(row)).collect();
    let found = found(document, &csv);
    assert!(found.profile[0].unique && found.profile[0].unique_by_luck, "{:?}", found.profile[0]);
    assert!(found.suggestions.iter().all(|of| of.rowkeys.iter().all(|key| key.contains("at."))));
    assert!(found.notes.iter().any(|note| note.code == "suggest.luck"));
}

#[test]
fn a_time_that_is_unique_by_luck_is_not_told_apart_by_a_field_that_nobody_asks_for() {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "caller", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "seconds", "type": "integer" }
        ],
        "arrival": "at",
        "servers": 4,
        "queries": [{ "name": "calls of a day", "where": { "caller": "c1", "at": range() } }],
    });
    let row = |row: u64| format!("c{},{},{}\n", mix(row) % 700, at(row * 21), mix(row ^ 9) % 1800);
    let csv: String = std::iter::once("caller,at,seconds\n".to_owned()).chain((0..4000).map(row)).collect();
    let found = found(document, &csv);
    for key in found.suggestions.iter().flat_map(|of| &of.rowkeys) {
        assert!(key.contains("caller"), "another caller at the same second and of the same length: {key}");
    }
}

/// Suggestions for records of an owner at a moment, with their number where they have one.
fn of_moments(moments: impl Iterator<Item = (String, u64)>, numbered: bool) -> Suggestions {
    let mut fields = vec![
        json!({ "name": "owner", "type": "text" }),
        json!({ "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss.SSS" }),
    ];
    let mut csv = "owner,at".to_owned();
    if numbered {
        fields.push(json!({ "name": "number", "type": "integer" }));
        csv.push_str(",number");
    }
    for (number, (owner, moment)) in moments.enumerate() {
        csv.push_str(&format!("\n{owner},{}.{:03}", at(moment / 1000), moment % 1000));
        if numbered {
            csv.push_str(&format!(",{}", 1_000_000 + number));
        }
    }
    let query = json!({ "name": "an owner's", "where": { "owner": "o1", "at": range() } });
    let document =
        json!({ "rowscape": 1, "fields": fields, "arrival": "at", "servers": 4, "queries": [query] });
    found(document, &csv)
}

/// Rows of 8 owners at random milliseconds of an hour, of which no two agree.
fn at_random() -> impl Iterator<Item = (String, u64)> {
    let mut moments: Vec<(u64, u64)> =
        (0..4000).map(|row| (mix(row) % 3_600_000, mix(row ^ 77) % 8)).collect();
    moments.sort_unstable();
    moments.dedup();
    moments.into_iter().map(|(moment, owner)| (format!("o{owner}"), moment))
}

fn keys(found: &Suggestions) -> HashSet<&str> {
    found.suggestions.iter().flat_map(|of| of.rowkeys.iter().map(String::as_str)).collect()
}

#[test]
fn an_owner_and_a_moment_that_are_unique_together_by_luck_are_told_apart_by_a_number() {
    let found = of_moments(at_random(), true);
    assert!(keys(&found).iter().all(|key| key.contains("number")), "{:?}", keys(&found));
}

#[test]
fn without_a_number_a_note_says_how_often_two_rows_will_be_one() {
    let found = of_moments(at_random(), false);
    let note = found.notes.iter().find(|note| note.code == "suggest.nearly-alike").expect("a note");
    // 8 owners with 500 rows each in 3,600,000 ms: 8 · 500² / 2 / 3.6e6 = 0.28 pairs in 4,000 rows.
    let rows: f64 = note.args["rows"].to_string().replace(['"', ','], "").parse().expect("a number");
    assert!((7_000.0..28_000.0).contains(&rows), "{rows}");
}

#[test]
fn an_owner_that_writes_every_half_minute_needs_no_number() {
    let regular = (0..120u64).flat_map(|turn| {
        (0..30u64).map(move |owner| {
            (format!("o{owner}"), 30_000 * turn + 997 * owner + mix(turn ^ owner << 9) % 40)
        })
    });
    let found = of_moments(regular, true);
    let first = &found.suggestions[0].rowkeys;
    assert!(!first.concat().contains("number"), "{first:?}");
    assert!(found.notes.iter().all(|note| note.code != "suggest.nearly-alike"));
}
