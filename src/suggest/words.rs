//! Queries in a few words, such as `host=? at=10m`, made into those of a document with values of the records.

use crate::base::Problem;
use crate::base::units::{DAY, HOUR, MINUTE, SECOND};
use crate::records::field::{Field, Kind, write};
use crate::records::{Column, ColumnValues, Records};
use serde_json::{Map, Value, json};

/// Lengths by their letter.
const UNITS: [(&str, i64); 5] = [("ms", 1), ("s", SECOND), ("m", MINUTE), ("h", HOUR), ("d", DAY)];

/// A query of a document from words: `field=?` a value, `at=10m` a range of that length, `order=at` or `order=-at`, `limit=10`,
/// `rate=5` a second. Values are those of a record in the middle.
///
/// # Errors
/// `suggest.wrong-query`, `suggest.unknown-field`.
pub fn query_of_words(words: &str, fields: &[Field], records: &Records) -> Result<Value, Problem> {
    let mut conditions = Map::new();
    let mut query = Map::new();
    for word in words.split_whitespace() {
        let wrong = || Problem::new("suggest.wrong-query").with("text", word);
        let (name, given) = word.split_once('=').ok_or_else(wrong)?;
        let named = |name: &str| {
            let known = || fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
            let field = fields.iter().find(|field| field.name == name);
            field.ok_or_else(|| {
                Problem::new("suggest.unknown-field").with("text", name).with("known", known())
            })
        };
        match (fields.iter().any(|field| field.name == name), name) {
            (false, "order") => {
                let newest = given.strip_prefix('-');
                let field = named(newest.unwrap_or(given))?;
                let direction = if newest.is_some() { "descending" } else { "ascending" };
                query.insert("order".to_owned(), json!({ "field": field.name, "direction": direction }));
            }
            (false, "limit") => {
                let limit: u32 = given.parse().map_err(|_| wrong())?;
                query.insert("limit".to_owned(), limit.into());
            }
            (false, "rate") => {
                let rate: f64 = given.trim_end_matches("/s").parse().map_err(|_| wrong())?;
                query.insert("rate".to_owned(), rate.into());
            }
            _ => {
                let field = named(name)?;
                let condition = condition(field, given, records).ok_or_else(wrong)?;
                conditions.insert(name.to_owned(), condition);
            }
        }
    }
    query.insert("name".to_owned(), words.into());
    query.insert("where".to_owned(), conditions.into());
    Ok(query.into())
}

fn condition(field: &Field, given: &str, records: &Records) -> Option<Value> {
    let row = records.rows / 2;
    let column = records.column(&field.name)?;
    if field.kind == Kind::Time && given != "?" {
        let at = UNITS.iter().find_map(|(unit, length)| {
            let count: i64 = given.strip_suffix(unit)?.parse().ok()?;
            count.checked_mul(*length)
        });
        let ColumnValues::Integers(values) = &column.values else { return None };
        let start = values.get(row).copied().unwrap_or_default();
        let end = start.checked_add(at.filter(|length| *length > 0)?)?;
        return Some(json!([write::number(field, start), write::number(field, end)]));
    }
    if given == "?" { value_of(column, row) } else { value(field, given.to_owned()) }
}

/// The value of a record as a query has it.
pub(super) fn value_of(column: &Column, row: usize) -> Option<Value> {
    value(&column.field, column.text(row))
}

fn value(field: &Field, text: String) -> Option<Value> {
    match field.kind {
        Kind::Integer => text.parse::<i64>().ok().map(Value::from),
        Kind::Boolean => text.parse::<bool>().ok().map(Value::from),
        _ => Some(text.into()),
    }
}
