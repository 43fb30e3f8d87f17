//! The JSON Schema and the parser say the same of a document, and so do FORMAT.md and the shipped examples.

use crate::common::schema::is_valid;
use proptest::prelude::*;
use rowscape::design::{normal_form, parse};
use rowscape::error::Problem;
use serde_json::{Value, json};
use std::path::Path;

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name)
}

fn schema() -> Value {
    serde_json::from_str(&file("data/schema/design-1.schema.json")).expect("schema")
}

/// The document that FORMAT.md begins with.
fn documented() -> Value {
    let format = file("docs/FORMAT.md");
    let (_, block) = format.split_once("```json\n").expect("a JSON block");
    let (text, _) = block.split_once("```").expect("its end");
    serde_json::from_str(text).expect("JSON")
}

/// True if a problem concerns the shape of the document, which a schema can express: not what a formula, a pattern
/// or a row says, nor what one member says of another.
fn is_of_shape(problem: &Problem) -> bool {
    const OTHERS: [&str; 20] = [
        "design.arrival-not-time",
        "design.counter-timestamp",
        "design.empty-range",
        "design.family-name",
        "design.family-twice",
        "design.kind-field",
        "design.kind-lacks-field",
        "design.kind-told-twice",
        "design.field-twice",
        "design.let-cycle",
        "design.let-is-field",
        "design.min-versions",
        "design.not-a-time",
        "design.operation-not-text",
        "design.prefix-of-number",
        "design.no-such-family",
        "design.no-such-table",
        "design.table-name",
        "design.table-twice",
        "design.timestamp-not-time",
    ];
    const SPLITS: [&str; 3] = ["split.no-form", "split.unknown-algorithm", "split.two-ends"];
    let area = problem.code.split('.').next().unwrap_or_default();
    let by_field = problem.place.path.contains(".where.");
    !by_field
        && (matches!(area, "json" | "design" | "field") && !OTHERS.contains(&problem.code)
            || SPLITS.contains(&problem.code))
}

/// The parser and the schema reject the same documents, as far as their shape is concerned.
fn agree(document: &Value, schema: &Value) -> Result<(), String> {
    let problems = parse(&document.to_string()).err().unwrap_or_default();
    let valid = is_valid(document, schema, schema);
    if valid && problems.iter().any(is_of_shape) {
        return Err(format!("only the parser refuses {document}: {problems:?}"));
    }
    if !valid && problems.is_empty() {
        return Err(format!("only the schema refuses {document}"));
    }
    Ok(())
}

/// Pointers to every value of a document.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| pointers(value, &format!("{at}/{name}"), all))
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| pointers(value, &format!("{at}/{index}"), all))
        }
        _ => {}
    }
}

/// Full documents in both forms.
fn documents() -> Vec<Value> {
    let mut short = documented();
    short["generate"] = json!({ "rows": 10 });
    short["growth"] = json!({ "rowsNow": 5, "rowsPerDay": 1000, "months": 6, "arrivals": { "loop": 28 } });
    short["operation"] = json!({ "field": "phone", "read": ["GET", "SCAN"] });
    short["cluster"] = json!({ "heapGB": 31, "memstoreFraction": 0.4, "flushMB": 256, "maxRegionGB": 10, "majorCompactionDays": 1, "splitPolicy": "Disabled" });
    short["splits"] = json!({ "algorithm": "HexStringSplit", "regions": 16, "first": "00", "last": "ff" });
    short["queries"][0]["order"] = json!({ "field": "call_time", "direction": "descending" });
    short["queries"][0]["limit"] = json!(30);
    short["queries"][0]["rate"] = json!(0.5);
    short["queries"][0]["popularity"] = json!("rows");
    short["queries"][0]["deletes"] = json!(true);
    short["table"]["families"][0]["minVersions"] = json!(1);
    short["table"]["families"][0]["cells"][0]["timestamp"] = json!("call_time");
    short["let"] = json!({ "month": "call_time.format('yyyyMM')", "key": "phone + '_' + month" });
    short["lookup"] = json!({ "HOSTS": { "host1": 1, "host2": -2 } });
    let mut between = short.clone();
    between["splits"] = json!({ "between": ["a", "z"], "regions": 4 });
    between["fields"][0] = json!({ "name": "phone", "type": "bytes", "format": "hex" });
    between["queries"][0]["where"]["phone"] = json!("134123");
    between["growth"] = json!({ "bytesPerDay": 1 << 30, "arrivals": "rising" });
    between["operation"] = Value::Null;
    between.as_object_mut().expect("members").remove("operation");
    between["let"] = json!({ "key": "phone.hex()" });
    between["rowkey"] = json!("phone.hex()");
    let mut kinds = documented();
    kinds.as_object_mut().expect("members").remove("rowkey");
    kinds["kinds"] = json!({
        "call": {
            "when": { "field": "phone", "is": ["a", "b"] },
            "fields": ["phone", "call_time"],
            "rowkey": "phone + call_time.millis().int64()",
            "cells": [{ "family": "d", "qualifier": "n", "bytes": 4 }, { "family": "d", "qualifier": { "formula": "phone" }, "value": { "formula": "phone" } }]
        },
        "other": { "when": { "field": "phone", "is": ["c"] }, "rowkey": "phone" }
    });
    [documented(), short, between, kinds]
        .into_iter()
        .flat_map(|document| {
            let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
            [normal_form(&study), document]
        })
        .collect()
}

#[test]
fn the_schema_takes_every_shipped_example() {
    let schema = schema();
    let index: Value = serde_json::from_str(&file("www/examples/index.json")).expect("index");
    for example in index.as_array().expect("list") {
        let name = example["design"].as_str().expect("name");
        let document: Value = serde_json::from_str(&file(&format!("www/examples/{name}"))).expect(name);
        assert!(is_valid(&document, &schema, &schema), "{name}");
        assert_eq!(agree(&document, &schema), Ok(()), "{name}");
    }
}

#[test]
fn the_schema_takes_the_documented_example_and_every_normal_form() {
    let schema = schema();
    for document in documents() {
        assert!(is_valid(&document, &schema, &schema), "{document}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn schema_and_parser_refuse_the_same_slips(
        which in 0usize..6,
        place in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        slip in 0..4,
        name in prop::sample::select(vec!["name", "tables", "rowkey", "rowkeys", "splits", "format", "zone", "eq", "regions", "table", "from", "let", "lookup", "growth", "months", "rowsNow", "bytesPerDay", "heapGB"]),
        value in prop::sample::select(vec![json!(null), json!(true), json!(0), json!(1), json!(-1), json!("text"), json!("time"), json!(""), json!([]), json!({})]),
    ) {
        let mut document = documents().swap_remove(which);
        let mut all = Vec::new();
        pointers(&document, "", &mut all);
        let source = document.pointer(other.get(&all[..]).as_str()).cloned();
        if let Some(target) = document.pointer_mut(place.get(&all[..]).as_str()) {
            match (slip, target) {
                (0, Value::Object(members)) => {
                    let names: Vec<String> = members.keys().cloned().collect();
                    if !names.is_empty() {
                        members.remove(other.get(&names[..]).as_str());
                    }
                }
                (1, Value::Object(members)) => {
                    members.insert(name.to_owned(), value);
                }
                (2, target) => *target = source.unwrap_or_default(),
                (_, target) => *target = value,
            }
        }
        prop_assert_eq!(agree(&document, &schema()), Ok(()));
    }
}
