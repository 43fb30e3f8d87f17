//! Fields that tell the records of a table apart: by how they are made, not by luck.

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

/// A study of these fields and a query, and the suggestions for records.
fn asked(fields: &[(&str, &str)], more: serde_json::Value, csv: &str) -> Suggestions {
    let field = |(name, kind): &(&str, &str)| match *kind {
        "time" => json!({ "name": name, "type": kind, "format": "yyyy-MM-dd HH:mm:ss" }),
        _ => json!({ "name": name, "type": kind }),
    };
    let fields: Vec<_> = fields.iter().map(field).collect();
    let mut document = json!({ "rowscape": 1, "fields": fields, "arrival": "at", "servers": 4 });
    for (name, value) in more.as_object().expect("object") {
        document[name] = value.clone();
    }
    found(document, csv)
}

/// Readings of 20 places at each hour: where, and how warm it was.
fn weather(more: serde_json::Value) -> Suggestions {
    let row =
        |row: u64| format!("{},{}.5,{}.25,{}\n", at(row / 20 * 3600), row % 4, row % 20 / 4, mix(row) % 30);
    let csv: String = std::iter::once("at,lat,lon,warm\n".to_owned()).chain((0..6000).map(row)).collect();
    asked(&[("at", "time"), ("lat", "decimal"), ("lon", "decimal"), ("warm", "integer")], more, &csv)
}

#[test]
fn measured_values_tell_records_apart_only_where_nothing_else_does_stand_last_and_are_asked_about() {
    let queries = json!([{ "name": "an hour", "where": { "at": range() } }]);
    for members in [json!({ "queries": queries }), json!({})] {
        let found = weather(members);
        assert!(found.notes.iter().any(|note| note.code == "suggest.measured"), "{:?}", found.notes);
        for key in keys(&found) {
            let last = |name: &str| key.find(&format!("+ {name}")).unwrap_or(0);
            assert!(last("lat") > last("at") && last("lon") > last("at") && !key.contains("warm"), "{key}");
            assert!(!key.starts_with("lat") && !key.starts_with("lon"), "{key}");
            assert!(!key.contains("bucket(lat") || key.contains("lon"), "{key}");
        }
        assert!(found.suggestions.iter().all(|of| of.scores.repeated_rows == 0));
    }
    let stated = weather(json!({ "queries": queries, "identity": ["at", "lat", "lon"] }));
    assert!(stated.notes.iter().all(|note| note.code != "suggest.measured"), "{:?}", stated.notes);
    assert!(
        keys(&stated).iter().all(|key| key.contains("lat") && key.contains("lon")),
        "{:?}",
        keys(&stated)
    );
}

#[test]
fn a_stated_identity_is_in_every_key_and_records_that_agree_in_it_are_one_row() {
    let row = |row: u64| format!("u{},{},{}\n", row % 40, at(row * 7 % 1000), row);
    let csv: String = std::iter::once("user,at,line\n".to_owned()).chain((0..4000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("line", "integer")];
    let queries = json!([{ "name": "a user", "where": { "user": "u1" } }]);
    let found = asked(&fields, json!({ "identity": ["user", "at"], "queries": queries }), &csv);
    assert!(!found.suggestions.is_empty());
    for key in keys(&found) {
        assert!(key.contains("user") && key.contains("at.") && !key.contains("line"), "{key}");
    }
}

#[test]
fn an_id_and_a_natural_key_are_both_suggested() {
    let row = |row: u64| {
        let (meter, turn) = (row % 60, row / 60);
        format!("m{meter:03},{},{:016x}{:016x}\n", at(turn * 900), mix(row), mix(row ^ 1 << 40))
    };
    let csv: String = std::iter::once("meter,at,message\n".to_owned()).chain((0..6000).map(row)).collect();
    let fields = [("meter", "text"), ("at", "time"), ("message", "text")];
    let queries = json!([{ "name": "a meter", "where": { "meter": "m001", "at": range() } }]);
    let found = asked(&fields, json!({ "queries": queries }), &csv);
    let (with, without): (Vec<&str>, Vec<&str>) =
        keys(&found).into_iter().partition(|key| key.contains("message"));
    assert!(!with.is_empty() && !without.is_empty(), "{with:?} {without:?}");
}

#[test]
fn a_tested_field_is_in_the_key_or_in_a_cell() {
    let row = |row: u64| format!("u{},{},{},k{}\n", mix(row) % 40, at(row), row, mix(row ^ 5) % 9);
    let csv: String = std::iter::once("user,at,line,kind\n".to_owned()).chain((0..4000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("line", "integer"), ("kind", "text")];
    let queries = json!([
        { "name": "a user", "rate": 50, "where": { "user": "u1" } },
        { "name": "a kind", "where": { "user": "u1", "kind": "k1", "at": range() } }
    ]);
    let found = |cells: serde_json::Value| {
        let table = json!({ "name": "t", "families": [{ "name": "d", "cells": cells }] });
        asked(&fields, json!({ "queries": queries, "table": table }), &csv)
    };
    let opaque = found(json!([{ "qualifier": "v", "bytes": 8 }]));
    assert!(
        opaque
            .suggestions
            .iter()
            .all(|of| of.shape.is_some() || of.rowkeys.iter().all(|key| key.contains("kind")))
    );
    // Arrival is the timestamp of cells where the key lacks it.
    for of in opaque.suggestions.iter().filter(|of| of.shape.is_none()) {
        let text = of.design.to_string();
        assert!(
            of.rowkeys.iter().all(|key| key.contains("at.")) || text.contains("\"timestamp\":\"at\""),
            "{text}"
        );
    }
    let held = found(json!([{ "qualifier": "k", "value": { "formula": "kind" } }]));
    assert!(keys(&held).iter().any(|key| !key.contains("kind")), "{:?}", keys(&held));
}

#[test]
fn one_value_that_does_not_fit_bars_no_column() {
    let row = |row: u64| match row {
        77 => "u1,,units\n".to_owned(),
        _ => format!("u{},{},{row}\n", mix(row) % 40, at(row)),
    };
    let csv: String = std::iter::once("user,at,line\n".to_owned()).chain((0..4000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("line", "integer")];
    let queries = json!([{ "name": "a user", "where": { "user": "u1", "at": range() } }]);
    let found = asked(&fields, json!({ "queries": queries }), &csv);
    assert!(keys(&found).iter().all(|key| key.contains("line")), "{:?}", keys(&found));
    let note = found.notes.iter().find(|note| note.code == "suggest.rejected").expect("a note");
    assert_eq!(note.args["rows"], "1");
}

#[test]
fn a_query_without_rows_counts_for_nothing_and_is_named() {
    let row = |row: u64| format!("u{},{},{row}\n", mix(row) % 40, at(row));
    let csv: String = std::iter::once("user,at,line\n".to_owned()).chain((0..2000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("line", "integer")];
    let queries = json!([
        { "name": "a user", "where": { "user": "u1" } },
        { "name": "nobody", "rate": 900, "where": { "user": { "prefix": "x" } } }
    ]);
    let found = asked(&fields, json!({ "queries": queries }), &csv);
    let note = found.notes.iter().find(|note| note.code == "suggest.empty-query").expect("a note");
    assert_eq!(note.args["queries"], "“nobody”");
    assert_eq!(found.suggestions[0].design["queries"][1]["rate"], json!(900.0));
}

#[test]
fn the_range_of_floats_is_told_in_numbers() {
    let row = |row: u64| format!("u{},{},{}.25\n", mix(row) % 40, at(row), row % 9);
    let csv: String = std::iter::once("user,at,warm\n".to_owned()).chain((0..1000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("warm", "float")];
    let found = asked(&fields, json!({ "queries": [{ "name": "a user", "where": { "user": "u1" } }] }), &csv);
    assert_eq!(json!(found.profile[2])["range"], json!([0.25, 8.25]));
    assert_eq!(json!(found.profile[1])["range"], json!([1_704_067_200_000_u64, 1_704_068_199_000_u64]));
}

#[test]
fn a_tested_field_of_which_all_records_have_one_value_is_in_the_key() {
    let row = |row: u64| format!("u{},{},k1,x\n", mix(row) % 40, at(row));
    let csv: String = std::iter::once("user,at,kind,other\n".to_owned()).chain((0..2000).map(row)).collect();
    let fields = [("user", "text"), ("at", "time"), ("kind", "text"), ("other", "text")];
    let query = json!({ "name": "a kind", "where": { "user": "u1", "kind": "k1", "at": range() } });
    let found = asked(&fields, json!({ "queries": [query] }), &csv);
    assert!(
        keys(&found).iter().all(|key| key.contains("kind") && !key.contains("other")),
        "{:?}",
        keys(&found)
    );
    let of = |code: &str| {
        found.notes.iter().find(|note| note.code == code).map(|note| note.args["fields"].clone())
    };
    assert_eq!(of("suggest.constant-tested"), Some("kind".to_owned()));
    assert_eq!(of("suggest.constant"), Some("other".to_owned()));
}

#[test]
fn an_order_that_a_query_needs_is_kept_where_records_have_few_rows_of_it() {
    let row = |row: u64| {
        let user = mix(row) % 3000;
        format!(
            "{user},c{:08x},{},{:016x}{:016x}\n",
            mix(user + row % 3),
            at(row),
            mix(row),
            mix(row ^ 1 << 40)
        )
    };
    let csv: String =
        std::iter::once("user,talk,at,message\n".to_owned()).chain((0..4000).map(row)).collect();
    let fields = [("user", "integer"), ("talk", "text"), ("at", "time"), ("message", "text")];
    let newest = json!({ "field": "at", "direction": "descending" });
    let queries = json!([
        { "name": "newest of a user", "rate": 400, "where": { "user": 7 }, "order": newest, "limit": 20 },
        { "name": "newest of a talk", "rate": 150, "where": { "user": 7, "talk": "c1" }, "order": newest, "limit": 50 }
    ]);
    let found = asked(&fields, json!({ "queries": queries }), &csv);
    for of in found.suggestions.iter().filter(|of| of.rowkeys.len() == 1 && of.shape.is_none()) {
        assert!(of.queries.iter().all(|query| query.sorted == Some(true)), "{:?}", of.rowkeys);
    }
}

#[test]
fn a_number_that_counts_up_has_room_for_the_life_of_the_table() {
    let csv: String = std::iter::once("topic,at,lsn\n".to_owned())
        .chain((0..6_000).map(|row: u64| format!("t{},{},{}\n", row % 3, at(row), 1_000 + row / 3)))
        .collect();
    let more = json!({
        "writesPerSecond": 36_000,
        "queries": [{ "name": "one topic", "where": { "topic": "t1" } }],
    });
    let found = asked(&[("topic", "text"), ("at", "time"), ("lsn", "integer")], more, &csv);
    // Three topics at 12,000 a second each: 24 bits last for 23 minutes.
    let keys = found.suggestions.iter().flat_map(|of| &of.rowkeys);
    for key in keys.filter(|key| key.contains("lsn")) {
        assert!(key.contains("lsn.int64()") || key.contains("lsn.decimal(1"), "{key}");
    }
}

#[test]
fn a_key_of_rows_that_are_written_again_holds_nothing_that_changes() {
    let row =
        |row: u64| format!("g{},p{:03},{},{}\n", row % 3, mix(row) % 200, mix(row ^ 5) % 10_000, at(row));
    let csv: String =
        std::iter::once("game,player,score,at\n".to_owned()).chain((0..3_000).map(row)).collect();
    let more = json!({
        "identity": ["game", "player"],
        "writes": "upsert",
        "rowkey": "game + player",
        "queries": [{ "name": "top", "where": { "game": "g1" }, "order": { "field": "score", "direction": "descending" }, "limit": 10 }],
    });
    let fields = [("game", "text"), ("player", "text"), ("score", "integer"), ("at", "time")];
    let found = asked(&fields, more, &csv);
    for key in found.suggestions.iter().flat_map(|of| &of.rowkeys) {
        assert!(!key.contains("score") && !key.contains("at."), "{key}");
    }
    assert!(found.notes.iter().all(|note| note.code != "suggest.alike"));
}
