//! Wide rows and pages suggested beside keys with a row for each record.

use super::*;
use rowscape::scan::PlanKind;
use rowscape::suggest::{RowShape, Suggestion};
use std::collections::BTreeMap;

/// Readings of 40 sensors, one every ten minutes each, in the order of time.
fn readings(rows: u64) -> String {
    let line = |row: u64| format!("s{:02},{},{}\n", row % 40, at(row / 40 * 600), mix(row) % 1000);
    format!("sensor,at,v\n{}", (0..rows).map(line).collect::<String>())
}

/// A study of readings with these cells and other members.
fn of_readings(cells: Value, members: Value) -> Value {
    let mut document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "sensor", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "v", "type": "integer" }
        ],
        "arrival": "at", "servers": 4,
        "table": { "name": "readings", "families": [{ "name": "d", "cells": cells }] },
        "queries": [{
            "name": "a day of a sensor", "rate": 50,
            "where": { "sensor": "s01", "at": ["2024-01-02 00:00:00", "2024-01-03 00:00:00"] }
        }]
    });
    document.as_object_mut().expect("object").extend(members.as_object().expect("members").clone());
    document
}

/// Items that users have: 300 users, some 20 each.
fn items(rows: u64) -> (Value, String) {
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "user", "type": "text" }, { "name": "item", "type": "text" }],
        "servers": 4,
        "table": { "name": "items", "families": [{ "name": "d", "cells": [{ "qualifier": "n", "bytes": 4 }] }] },
        "queries": [{ "name": "items of a user", "rate": 100, "where": { "user": "u001" } }]
    });
    let item = |row: u64| (row / 300 * 7 + row % 300 * 13) % 2000;
    let line = |row: u64| format!("u{:03},i{:05}\n", row % 300, item(row));
    (document, format!("user,item\n{}", (0..rows).map(line).collect::<String>()))
}

fn found_in(document: Value, csv: &str) -> Suggestions {
    let (asked, records) = study(document, csv);
    suggested(&asked, &records, &SuggestOptions::default())
}

fn of_shape(found: &Suggestions, shape: RowShape) -> &Suggestion {
    let of = found.suggestions.iter().find(|of| of.shape == Some(shape));
    of.unwrap_or_else(|| panic!("{shape:?}: {}", json!(found.front)))
}

fn cells(of: &Suggestion) -> &Value {
    &of.design["tables"][0]["families"][0]["cells"]
}

/// The lines of a CSV file as fields.
fn lines(csv: &str) -> impl Iterator<Item = Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect())
}

#[test]
fn readings_can_be_pages() {
    let csv = readings(24_000);
    let found = found_in(of_readings(json!([{ "qualifier": "v", "bytes": 8 }]), json!({})), &csv);
    let pages = of_shape(&found, RowShape::Pages);
    assert_eq!(pages.rowkeys, ["sensor.terminated() + at.truncate('1d').seconds().uint32()"]);
    let expected = json!([
        { "qualifier": "at", "packed": { "formula": "at.offset('1d').div(1000).uint24()" } },
        { "qualifier": "v", "packed": 8 }
    ]);
    assert_eq!(*cells(pages), expected);
    assert_eq!(pages.design["tables"][0]["writes"], "upsert");
    // A page has the readings of a sensor and a day: 144, in two cells.
    let mut rows: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    lines(&csv).for_each(|line| *rows.entry((line[0], &line[1][..10])).or_default() += 1);
    let key = 4 + 4;
    let cell = |name: u64, each: u64, records: u64| key + 20 + 1 + name + each * records;
    let bytes: u64 = rows.values().map(|&records| cell(2, 3, records) + cell(1, 8, records)).sum();
    assert!((pages.scores.bytes_per_row - bytes as f64 / 24_000.0).abs() < 0.01, "{:?}", pages.scores);
    // As many updates as queries, each a get of a request, a seek and a block of which a tenth is missed, and the page written.
    let page = bytes as f64 / rows.len() as f64;
    let update = 1.0 + 0.1 + 0.1 + page / 65_536.0;
    assert!((pages.scores.updates - 50.0 * update).abs() < 0.01, "{:?}", pages.scores);
    let said: Vec<&str> = pages.reasons.iter().map(|reason| reason.code).collect();
    assert!(said.ends_with(&["suggest.pages", "suggest.page-update", "suggest.page-rate"]), "{said:?}");
    assert!(pages.labels.contains(&"pages") && pages.labels.contains(&"shortest-keys"), "{:?}", pages.labels);
    // The balanced one stays a row for each record, and what the page saves of it is told.
    assert!(found.suggestions[0].shape.is_none() && found.suggestions[0].labels.contains(&"balanced"));
    let [instead] = pages.without.as_slice() else { panic!("{:?}", pages.without) };
    assert_eq!(instead.rowkey, "sensor.terminated() + at.seconds().uint32()");
    assert!(instead.change.bytes_per_row > 20.0, "{:?}", instead.change);
}

#[test]
fn the_rate_of_writes_is_what_updates_cost() {
    let cells = json!([{ "qualifier": "v", "bytes": 8 }]);
    let updates = |rate: u64| {
        let found =
            found_in(of_readings(cells.clone(), json!({ "writesPerSecond": rate })), &readings(12_000));
        let pages = of_shape(&found, RowShape::Pages);
        assert!(!pages.reasons.iter().any(|reason| reason.code == "suggest.page-rate"));
        pages.scores.updates / rate as f64
    };
    let [few, many] = [100, 9_000].map(updates);
    assert!((few - many).abs() < 0.02 && few > 1.2, "{few} {many}");
}

#[test]
fn items_of_a_user_can_be_cells_of_its_row() {
    let (document, csv) = items(6_000);
    let found = found_in(document, &csv);
    let wide = of_shape(&found, RowShape::Wide);
    assert_eq!(wide.scores.repeated_rows, 0);
    // One get instead of a scan.
    assert!(wide.queries[0].kind == PlanKind::Get && wide.queries[0].rows_read == 1, "{:?}", wide.queries);
    assert!(wide.scores.reads < found.suggestions[0].scores.reads);
    // Every record is a cell of its own: keys, qualifiers and values are those of the records.
    let names: Vec<u64> = wide.rowkeys.iter().map(|key| if key.contains("number") { 2 } else { 4 }).collect();
    let qualifier = if cells(wide)[0]["qualifier"].to_string().contains("number") { 3 } else { 6 };
    let bytes = names[0] + 20 + 1 + qualifier + 4;
    assert!((wide.scores.bytes_per_row - bytes as f64).abs() < 0.01, "{} {:?}", wide.design, wide.scores);
}

#[test]
fn several_cells_of_a_record_keep_their_names() {
    let several = json!([{ "qualifier": "v", "bytes": 8 }, { "qualifier": "\\x01", "value": { "formula": "v.int32()" } }]);
    let found = found_in(of_readings(several, json!({})), &readings(12_000));
    for of in found.suggestions.iter().filter(|of| of.shape == Some(RowShape::Wide)) {
        let text = cells(of).to_string();
        assert!(text.contains(" + 'v'") && text.contains(" + x'01'"), "{text}");
    }
    let pages = of_shape(&found, RowShape::Pages);
    assert_eq!(cells(pages)[2]["packed"], json!({ "formula": "v.int32()" }));
}

#[test]
fn what_grows_shares_a_row_only_within_a_period() {
    let line = |row: u64| format!("u{:02},{}\n", mix(row) % 20, row);
    let csv = format!("user,id\n{}", (0..20_000).map(line).collect::<String>());
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "user", "type": "text" }, { "name": "id", "type": "integer" }],
        "servers": 4,
        "table": { "name": "t", "families": [{ "name": "d", "cells": [{ "qualifier": "v", "bytes": 8 }] }] },
        "queries": [{ "name": "values", "where": { "user": "u01", "id": { "from": 1000, "to": 3000 } } }]
    });
    let found = found_in(document, &csv);
    let shaped: Vec<&Suggestion> = found.suggestions.iter().filter(|of| of.shape.is_some()).collect();
    assert!(!shaped.is_empty());
    for of in shaped {
        assert!(of.rowkeys[0].contains("id.div("), "{:?}", of.rowkeys);
        assert!(cells(of).to_string().contains("id.mod("), "{}", cells(of));
        let said: Vec<&str> = of.reasons.iter().map(|reason| reason.code).collect();
        assert!(said.contains(&"suggest.numbers") && !said.contains(&"suggest.given"), "{said:?}");
    }
}

#[test]
fn records_that_replace_each_other_or_say_no_cells_have_no_shapes() {
    let csv = readings(4_000);
    let cells = json!([{ "qualifier": "v", "bytes": 8 }]);
    for members in [json!({ "writes": "upsert" }), json!({ "writes": "counter" })] {
        let found = found_in(of_readings(cells.clone(), members), &csv);
        assert!(found.suggestions.iter().all(|of| of.shape.is_none()));
        assert!(!found.notes.iter().any(|note| note.code == "suggest.no-cells"));
    }
    let found = found_in(of_readings(json!([]), json!({})), &csv);
    assert!(found.suggestions.iter().all(|of| of.shape.is_none()));
    assert!(found.notes.iter().any(|note| note.code == "suggest.no-cells"));
}

#[test]
fn a_sample_tells_how_many_records_share_a_row_of_all() {
    let csv = readings(60_000);
    let found = found_in(of_readings(json!([{ "qualifier": "v", "bytes": 8 }]), json!({})), &csv);
    // The front is measured on a third of the records, suggestions on all.
    for (place, of) in found.suggestions.iter().enumerate().filter(|(_, of)| of.shape.is_some()) {
        let on_sample =
            found.front.iter().find(|other| other.suggestion == Some(place)).expect("on the front");
        let (sample, all) = (&on_sample.scores, &of.scores);
        assert!((sample.bytes_per_row / all.bytes_per_row - 1.0).abs() < 0.02, "{sample:?} {all:?}");
        assert!((sample.updates - all.updates).abs() <= 0.02 * all.updates, "{sample:?} {all:?}");
    }
    assert!(found.suggestions.iter().any(|of| of.shape == Some(RowShape::Pages)));
}

#[test]
fn a_field_that_is_to_be_kept_stays_in_the_key() {
    let (asked, records) =
        study(of_readings(json!([{ "qualifier": "v", "bytes": 8 }]), json!({})), &readings(24_000));
    let options = SuggestOptions { keep: vec!["at".to_owned()], ..SuggestOptions::default() };
    let found = suggested(&asked, &records, &options);
    assert!(found.front.iter().all(|of| of.shape.is_none()));
}

#[test]
fn a_page_is_called_after_its_field_in_any_script() {
    let mut document = of_readings(json!([{ "qualifier": "v", "bytes": 8 }]), json!({}));
    let text = document.to_string().replace("\"at\"", "\"时间\"");
    document = serde_json::from_str(&text).expect("a document");
    let found = found_in(document, &readings(24_000).replacen("at", "时间", 1));
    let pages = of_shape(&found, RowShape::Pages);
    assert_eq!(cells(pages)[0]["qualifier"], "\\xE6\\x97\\xB6\\xE9\\x97\\xB4");
}
