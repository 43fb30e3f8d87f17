//! [`Document`] to JSON: the normal form.

use super::names::lookups_to_json;
use super::{Cluster, Design, Document, Family, Growth, OperationField, RecordKind, VERSION, WriteKind};
use serde_json::{Map, Value, json};

/// The document in normal form: tables listed, defaults written out, formulas in canonical form. Reading it again gives
/// the same study.
pub fn normal_form(study: &Document) -> Value {
    let tables: Vec<Value> = study.tables.iter().map(table).collect();
    object([
        ("rowscape", Some(VERSION.into())),
        ("name", study.name.as_ref().map(|name| json!(name))),
        ("fields", Some(json!(study.fields))),
        ("lookup", lookups_to_json(&study.lookups)),
        ("arrival", study.arrival.as_ref().map(|arrival| json!(arrival))),
        ("identity", (!study.identity.is_empty()).then(|| json!(study.identity))),
        ("operation", study.operation.as_ref().map(OperationField::to_json)),
        ("tables", Some(tables.into())),
        ("queries", (!study.queries.is_empty()).then(|| json!(study.queries))),
        ("growth", study.growth.map(Growth::to_json)),
        ("writesPerSecond", study.writes_per_second.map(Value::from)),
        ("cluster", study.cluster.map(Cluster::to_json)),
        ("generate", study.generate.clone()),
    ])
}

fn table(design: &Design) -> Value {
    object([
        ("name", Some(json!(design.name))),
        ("let", (!design.lets.is_empty()).then(|| json!(design.lets))),
        ("rowkey", design.kinds.is_empty().then(|| json!(design.rowkey))),
        ("kinds", (!design.kinds.is_empty()).then(|| kinds(design))),
        ("splits", Some(design.splits.to_json())),
        ("servers", design.servers.map(Value::from)),
        ("writes", (design.writes != WriteKind::default()).then(|| json!(design.writes))),
        ("families", (!design.families.is_empty()).then(|| json!(shared(design)))),
    ])
}

/// The families with the cells that all records write.
fn shared(design: &Design) -> Vec<Family> {
    let of_all = |family: &Family| {
        let cells = family.cells.iter().filter(|cell| cell.kind.is_none()).cloned().collect();
        Family { cells, ..family.clone() }
    };
    design.families.iter().map(of_all).collect()
}

/// The kinds of a table by name.
fn kinds(design: &Design) -> Value {
    let of = |(number, kind): (usize, &RecordKind)| {
        let cells = design.families.iter().flat_map(|family| {
            let own = family.cells.iter().filter(move |cell| cell.kind == Some(number));
            own.map(|cell| {
                let mut members = json!(cell);
                members["family"] = json!(family.name);
                members
            })
        });
        let cells: Vec<Value> = cells.collect();
        let value = object([
            ("when", Some(json!({ "field": kind.field, "is": kind.values }))),
            ("fields", (!kind.fields.is_empty()).then(|| json!(kind.fields))),
            ("rowkey", Some(json!(kind.rowkey))),
            ("cells", (!cells.is_empty()).then(|| json!(cells))),
        ]);
        (kind.typed.name.clone(), value)
    };
    design.kinds.iter().enumerate().map(of).collect()
}

fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let mut object = Map::new();
    for (name, value) in members {
        if let Some(value) = value {
            object.insert(name.to_owned(), value);
        }
    }
    object.into()
}
