//! [`Document`] to JSON: the normal form.

use super::names::lookups_to_json;
use super::{Cluster, Design, Document, Growth, OperationField, VERSION};
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
        ("rowkey", Some(json!(design.rowkey))),
        ("splits", Some(design.splits.to_json())),
        ("servers", design.servers.map(Value::from)),
        ("writes", (!design.writes.is_append()).then(|| json!(design.writes))),
        ("families", (!design.families.is_empty()).then(|| json!(design.families))),
    ])
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
