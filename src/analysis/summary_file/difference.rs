//! Where two documents differ first.

use crate::base::json::{item, member, text};
use serde_json::Value;

/// Characters shown of a value.
const SHOWN: usize = 60;
/// Stands for a member that one of them lacks, and for the rest of a long value.
const NONE: &str = "—";
const MORE: char = '…';

/// The path of the first difference with both values as JSON, shortened; `None` if the documents are equal.
pub fn difference(one: &Value, other: &Value) -> Option<(String, [String; 2])> {
    at(String::new(), one, other)
}

fn at(path: String, one: &Value, other: &Value) -> Option<(String, [String; 2])> {
    match (one, other) {
        (one, other) if one == other => None,
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            names.into_iter().find_map(|name| both(member(&path, name), one.get(name), other.get(name)))
        }
        (Value::Array(one), Value::Array(other)) => (0..one.len().max(other.len()))
            .find_map(|index| both(item(&path, index), one.get(index), other.get(index))),
        (one, other) => Some((path, [shown(one), shown(other)])),
    }
}

fn both(path: String, one: Option<&Value>, other: Option<&Value>) -> Option<(String, [String; 2])> {
    match (one, other) {
        (Some(one), Some(other)) => at(path, one, other),
        (one, other) => Some((path, [one, other].map(|value| value.map_or(NONE.to_owned(), shown)))),
    }
}

fn shown(value: &Value) -> String {
    let text = text(value);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => text.get(..end).unwrap_or_default().chars().chain([MORE]).collect(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named_with_both_values() {
        let one = json!({ "name": "a", "tables": [{ "rowkey": "x", "splits": { "points": ["1", "2"] } }] });
        let with = |pointer: &str, value: Value| {
            let mut other = one.clone();
            *other.pointer_mut(pointer).expect("a place") = value;
            difference(&one, &other).map(|(path, [one, other])| format!("{path}: {one} {other}"))
        };
        assert_eq!(difference(&one, &one), None);
        assert_eq!(with("/name", json!(null)).as_deref(), Some("name: \"a\" null"));
        assert_eq!(
            with("/tables/0/splits/points/1", json!("3")).as_deref(),
            Some("tables[0].splits.points[1]: \"2\" \"3\"")
        );
        assert_eq!(
            with("/tables/0/splits", json!({ "points": ["1"] })).as_deref(),
            Some("tables[0].splits.points[1]: \"2\" —")
        );
        let long = with("/name", json!("é".repeat(100))).expect("a difference");
        assert!(long.ends_with("éé…"), "{long}");
    }
}
