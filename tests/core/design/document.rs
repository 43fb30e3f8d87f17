//! The design document: what is taken, what is refused and where, and the normal form.

use proptest::prelude::*;
use rowscape::design::{Document, normal_form, parse};
use rowscape::error::Problem;
use rowscape::json::{item, member};
use serde_json::{Value, json};
use std::path::Path;

fn base() -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "phone", "type": "text" },
            { "name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+08:00" },
            { "name": "duration", "type": "integer" },
        ],
        "rowkey": "phone",
    })
}

/// The base with a member set by its JSON pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = base();
    let (parent, name) = pointer.rsplit_once('/').expect("pointer");
    match document.pointer_mut(parent).expect("parent") {
        Value::Object(members) => drop(members.insert(name.to_owned(), value)),
        Value::Array(items) => items.push(value),
        other => panic!("{other}"),
    }
    document
}

/// True if an argument of a sentence was not filled in.
fn has_placeholder(sentence: &str) -> bool {
    let names = sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names.into_iter().any(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic()))
}

fn refused(document: &Value) -> Vec<Problem> {
    let problems = parse(&document.to_string()).err().unwrap_or_default();
    assert!(!problems.is_empty(), "{document}");
    problems
}

fn accepted(document: &Value) -> Document {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn the_example_of_the_guide_expands_to_its_normal_form() {
    let short = json!({
        "rowscape": 1,
        "name": "Call detail records",
        "fields": [
            { "name": "phone", "type": "text" },
            { "name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+08:00" }
        ],
        "arrival": "call_time",
        "identity": ["phone", "call_time"],
        "rowkey": "bucket(phone,call_time.format('yyyyMM'),6).decimal(2)+'_'+phone+'_'+call_time.format('yyyyMMddHHmmss')",
        "table": { "name": "cdr", "families": [
            { "name": "d", "compression": "GZ", "versions": 1, "cells": [ { "qualifier": "dur", "bytes": 4 } ] } ] },
        "splits": { "points": ["00|", "01|", "02|", "03|", "04|"] },
        "servers": 3,
        "queries": [ { "name": "one phone, one month",
            "where": { "phone": "13412341234", "call_time": ["2021-09-01", "2021-10-01"] } } ],
        "generate": { "rows": 10 }
    });
    let normal = json!({
        "rowscape": 1,
        "name": "Call detail records",
        "fields": short["fields"],
        "arrival": "call_time",
        "identity": ["phone", "call_time"],
        "tables": [ {
            "name": "cdr",
            "rowkey": "bucket(phone, call_time.format('yyyyMM'), 6).decimal(2) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')",
            "splits": short["splits"],
            "servers": 3,
            "families": short["table"]["families"],
        } ],
        "queries": [ { "name": "one phone, one month", "where": {
            "phone": { "eq": "13412341234" },
            "call_time": { "from": "2021-09-01", "to": "2021-10-01" } } } ],
        "generate": { "rows": 10 }
    });
    assert_eq!(normal_form(&accepted(&short)), normal);
    assert_eq!(normal_form(&accepted(&normal)), normal, "the normal form is its own normal form");
}

#[test]
fn every_shipped_example_is_a_valid_document_and_so_is_its_normal_form() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/examples");
    let read = |name: &str| std::fs::read_to_string(directory.join(name)).expect(name);
    let index: Value = serde_json::from_str(&read("index.json")).expect("index");
    for example in index.as_array().expect("list") {
        let name = example["design"].as_str().expect("name");
        let study = parse(&read(name)).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        let normal = normal_form(&study);
        assert_eq!(normal_form(&accepted(&normal)), normal, "{name}");
    }
}

#[test]
fn every_refusal_names_its_path_and_has_a_sentence() {
    let field = |field: Value| with("/fields/-", field);
    let query = |conditions: Value| with("/queries", json!([{ "name": "q", "where": conditions }]));
    let family = |family: Value| with("/table", json!({ "families": [family] }));
    let mut unversioned = base();
    unversioned.as_object_mut().expect("object").remove("rowscape");
    let mut keyless = base();
    keyless.as_object_mut().expect("object").remove("rowkey");
    for (document, code, path) in [
        (json!([]), "json.wrong-type", ""),
        (unversioned, "design.no-version", "rowscape"),
        (with("/rowscape", json!(2)), "design.newer-version", "rowscape"),
        (with("/rowscape", json!("1")), "design.unknown-version", "rowscape"),
        (keyless, "json.missing", "rowkey"),
        (with("/rowkeys", json!("phone")), "json.unknown-member-near", "rowkeys"),
        (with("/a b", json!(1)), "json.unknown-member", "[\"a b\"]"),
        (with("/kinds", json!({})), "design.rowkey-and-kinds", "rowkey"),
        (with("/growth", json!({})), "json.missing", "growth.rowsPerDay"),
        (with("/growth", json!({ "rowsPerDay": 0 })), "json.wrong-type", "growth.rowsPerDay"),
        (with("/growth", json!({ "rowsPerDay": -5 })), "json.wrong-type", "growth.rowsPerDay"),
        (with("/growth", json!({ "rowsPerDay": 5, "months": 121 })), "json.wrong-type", "growth.months"),
        (with("/growth", json!({ "rowsPerDay": 5, "bytesPerDay": 5 })), "design.growth-in-two", "growth"),
        (
            with("/growth", json!({ "bytesPerDay": 9e15 as u64, "months": 12 })),
            "growth.beyond",
            "growth.bytesPerDay",
        ),
        (with("/cluster", json!({ "heapGB": 0 })), "json.wrong-type", "cluster.heapGB"),
        (with("/cluster", json!({ "memstoreFraction": 0.9 })), "json.wrong-type", "cluster.memstoreFraction"),
        (
            with("/cluster", json!({ "heapGB": 1, "memstoreFraction": 0.1 })),
            "cluster.memory-below-flush",
            "cluster",
        ),
        (
            with("/cluster", json!({ "flushMB": 2048, "maxRegionGB": 1 })),
            "cluster.flush-above-region",
            "cluster",
        ),
        (with("/splits", json!({ "points": [], "sample": 4 })), "json.unknown-member", "splits.sample"),
        (with("/name", json!(1)), "json.wrong-type", "name"),
        (with("/fields", json!([])), "design.no-fields", "fields"),
        (with("/fields", json!("phone")), "json.wrong-type", "fields"),
        (field(json!({ "name": "a" })), "json.missing", "fields[3].type"),
        (field(json!({ "name": "", "type": "text" })), "design.empty-name", "fields[3].name"),
        (field(json!({ "name": "phone", "type": "text" })), "design.field-twice", "fields[3].name"),
        (field(json!({ "name": "a", "type": "string" })), "design.unknown-type", "fields[3].type"),
        (field(json!({ "name": "a", "type": "time" })), "field.time-without-format", "fields[3].format"),
        (
            field(json!({ "name": "a", "type": "time", "format": "yyyy-MM-dd QQQ" })),
            "time.unknown-letter",
            "fields[3].format",
        ),
        (
            field(json!({ "name": "a", "type": "time", "format": "yyyy", "zone": "Asia/Shanghai" })),
            "time.unknown-zone",
            "fields[3].zone",
        ),
        (
            field(json!({ "name": "a", "type": "bytes", "format": "base64" })),
            "field.unknown-format",
            "fields[3].format",
        ),
        (
            field(json!({ "name": "a", "type": "text", "zone": "Z" })),
            "design.unused-notation",
            "fields[3].zone",
        ),
        (field(json!({ "name": "a", "type": "text", "from": "b" })), "json.wrong-type", "fields[3].from"),
        (field(json!({ "name": "a", "type": "text", "from": [] })), "json.wrong-type", "fields[3].from"),
        (field(json!({ "name": "a", "type": "text", "from": [""] })), "json.wrong-type", "fields[3].from"),
        (
            field(json!({ "name": "a", "type": "text", "from": ["b", "b"] })),
            "json.wrong-type",
            "fields[3].from",
        ),
        (with("/arrival", json!("called")), "formula.unknown-field", "arrival"),
        (with("/arrival", json!("call_tiem")), "formula.unknown-field-near", "arrival"),
        (with("/arrival", json!("phone")), "design.arrival-not-time", "arrival"),
        (with("/identity", json!("phone")), "json.wrong-type", "identity"),
        (with("/identity", json!(["phone", "phone"])), "json.wrong-type", "identity"),
        (with("/identity", json!(["phone", "called"])), "formula.unknown-field", "identity[1]"),
        (with("/rowkey", json!("phone + ")), "formula.ends-too-early", "rowkey"),
        (with("/servers", json!(0)), "json.wrong-type", "servers"),
        (with("/tables", json!([])), "design.short-and-tables", "rowkey"),
        (with("/table", json!({ "name": "a b" })), "design.table-name", "table.name"),
        (family(json!({ "name": "a:b" })), "design.family-name", "table.families[0].name"),
        (
            family(json!({ "name": "d", "compression": "gz" })),
            "design.unknown-compression",
            "table.families[0].compression",
        ),
        (
            family(json!({ "name": "d", "cells": [{ "qualifier": "\\xab", "bytes": 1 }] })),
            "row.lower-case-hex",
            "table.families[0].cells[0].qualifier",
        ),
        (with("/splits", json!({ "points": ["a", "\\xff"] })), "row.lower-case-hex", "splits.points[1]"),
        (with("/splits", json!({ "points": ["a", "a"] })), "split.duplicate-key", "splits"),
        (query(json!({ "phon": "1" })), "formula.unknown-field-near", "queries[0].where.phon"),
        (query(json!({ "phone": 1 })), "json.wrong-type", "queries[0].where.phone"),
        (query(json!({ "phone": { "eq": "1", "in": [] } })), "json.wrong-type", "queries[0].where.phone"),
        (query(json!({ "call_time": ["2021"] })), "json.wrong-type", "queries[0].where.call_time"),
        (
            query(json!({ "call_time": ["2021-09-31", "2021-10-01"] })),
            "design.not-a-time",
            "queries[0].where.call_time[0]",
        ),
        (
            query(json!({ "call_time": { "from": "2021-10-01", "to": "2021-10-01 00:00:00" } })),
            "design.empty-range",
            "queries[0].where.call_time",
        ),
        (
            query(json!({ "duration": { "prefix": "1" } })),
            "design.prefix-of-number",
            "queries[0].where.duration.prefix",
        ),
        (with("/generate", json!(1)), "json.wrong-type", "generate"),
    ] {
        let problems = refused(&document);
        let found: Vec<_> =
            problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
        assert!(found.contains(&(code, path)), "{document}: {found:?}");
        for problem in &problems {
            let sentence = problem.sentence();
            assert!(sentence != problem.code && !has_placeholder(&sentence), "{problem}");
        }
    }
}

#[test]
fn members_given_twice_are_refused_with_their_path() {
    let text =
        r#"{ "rowscape": 1, "fields": [{ "name": "a", "type": "text", "type": "bytes" }], "rowkey": "a" }"#;
    let problems = parse(text).err().expect("refused");
    let found: Vec<_> = problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
    assert_eq!(found, [("json.member-twice", "fields[0].type")]);
}

#[test]
fn problems_of_formulas_and_patterns_keep_their_columns_under_the_path() {
    let mut document = with(
        "/tables",
        json!([{ "name": "a", "rowkey": "phone" }, { "name": "b", "rowkey": "phone + phone.format('yyyy')" }]),
    );
    document.as_object_mut().expect("object").remove("rowkey");
    let problems = refused(&document);
    assert_eq!(problems.len(), 1);
    let place = &problems[0].place;
    assert_eq!((place.path.as_str(), place.column, place.end), ("tables[1].rowkey", Some(15), Some(29)));
    assert!(
        problems[0]
            .to_string()
            .starts_with("tables[1].rowkey, column 15: format takes time, but this is text")
    );
    let problems = refused(&with("/fields/1/format", json!("yyyy-MM-dd QQQ")));
    let place = &problems[0].place;
    assert_eq!((place.path.as_str(), place.column), ("fields[1].format", Some(12)));
}

#[test]
fn all_problems_are_reported_at_once() {
    let mut document = with("/servers", json!("3"));
    document["arrival"] = json!("phone");
    document["rowkey"] = json!("phone.md5().hex(40) + call_time + nobody");
    let codes: Vec<_> = refused(&document).iter().map(|problem| problem.code).collect();
    let expected = [
        "design.arrival-not-time",
        "json.wrong-type",
        "step.asks-for-too-much",
        "formula.time-needs-format",
        "formula.unknown-field",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn text_that_is_no_json_is_refused_with_its_line() {
    let problems = parse("{\n  \"rowscape\": 1,\n}").err().expect("refused");
    assert_eq!(problems[0].code, "json.invalid");
    assert!(problems[0].sentence().contains("line 3"), "{}", problems[0]);
    assert_eq!((problems[0].args["line"].as_str(), problems[0].args["column"].as_str()), ("3", "1"));
}

/// Any JSON, in the words of design documents so that it gets past the first check.
fn any_json() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 26] = [
        "rowscape", "fields", "arrival", "tables", "rowkey", "splits", "servers", "table", "queries",
        "generate", "name", "type", "format", "zone", "families", "cells", "where", "eq", "in", "from", "to",
        "regions", "points", "time", "text", "a.b",
    ];
    let word = || prop::sample::select(WORDS.to_vec());
    let leaf = prop_oneof![
        word().prop_map(Value::from),
        (-1i64..4).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(word().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The paths of a value and of all it holds.
fn paths(value: &Value, at: String, all: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| paths(value, member(&at, name), all));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| paths(value, item(&at, index), all));
        }
        _ => {}
    }
    all.push(at);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_json_is_read_or_refused_at_a_path_it_has_or_lacks_one_member_of(
        members in any_json(), whole in any_json(), alone in any::<bool>(), at in any::<prop::sample::Index>(),
    ) {
        let mut document = base();
        if alone {
            document = whole;
        } else if let (Value::Object(document), Value::Object(members)) = (&mut document, members) {
            document.extend(members);
            document["rowscape"] = json!(1);
        } else {
            let names: Vec<String> = document.as_object().expect("object").keys().cloned().collect();
            document[at.get(&names[..]).as_str()] = whole;
        }
        let mut known = Vec::new();
        paths(&document, String::new(), &mut known);
        match parse(&document.to_string()) {
            Ok(study) => prop_assert!(parse(&normal_form(&study).to_string()).is_ok(), "{}", document),
            Err(problems) => for problem in problems {
                let path = &problem.place.path;
                let missing = || {
                    let parent = &path[..path.rfind('.').unwrap_or(0)];
                    known.iter().any(|known| known == parent)
                };
                prop_assert!(known.contains(path) || missing(), "{} in {}", problem, document);
                prop_assert_ne!(problem.sentence(), problem.code);
            },
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}|[{}\\[\\]\":,a-c0-9 ]{0,60}") {
        prop_assert!(parse(&text).is_err());
    }
}

#[test]
fn growth_and_cluster_are_printed_with_what_holds_without_a_word() {
    let mut document = with("/growth", json!({ "rowsPerDay": 1000 }));
    document["cluster"] = json!({ "maxRegionGB": 20 });
    let study = accepted(&document);
    let form = normal_form(&study);
    assert_eq!(form["growth"], json!({ "rowsNow": 0, "rowsPerDay": 1000, "months": 12 }));
    assert_eq!(
        form["cluster"],
        json!({ "heapGB": 16, "memstoreFraction": 0.4, "flushMB": 128, "maxRegionGB": 20, "majorCompactionDays": 7 })
    );
    assert_eq!(normal_form(&accepted(&form)), form);
}

#[test]
fn the_columns_a_field_is_read_from_are_part_of_the_normal_form() {
    let joined =
        json!({ "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss", "from": ["date", "time"] });
    let study = accepted(&with("/fields/-", joined.clone()));
    assert_eq!(study.fields[3].columns(), ["date", "time"]);
    assert_eq!(study.fields[0].columns(), ["phone"]);
    let normal = normal_form(&study);
    assert_eq!(normal["fields"][3], joined);
    assert_eq!(normal_form(&accepted(&normal)), normal);
}
