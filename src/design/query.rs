//! The `queries` of a document: their shape is checked here, how they are answered is planned elsewhere.

use super::{Condition, OrderBy, OrderDirection, Popularity, Query};
use crate::base::json::{Object, item, wrong_type};
use crate::base::limits::{CONDITIONS, IN_VALUES, QUERIES};
use crate::base::map::Map;
use crate::base::{Problem, Problems};
use crate::design::Constant;
use crate::formula::unknown_field;
use crate::records::field::{Field, Kind};
use serde_json::Value;

/// The members of a query.
const KNOWN: [&str; 9] =
    ["name", "table", "where", "order", "limit", "rate", "popularity", "deletes", "scan"];

/// The queries; values are checked against `fields` when those are sound.
pub(super) fn read_all(
    document: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Vec<Query> {
    let list = document.limited("queries", &QUERIES, problems).unwrap_or_default();
    let listed = |query: &Value| {
        let conditions = query.get("where").and_then(Value::as_object);
        let lists =
            conditions.into_iter().flatten().filter_map(|(_, condition)| condition.get("in")?.as_array());
        lists.map(Vec::len).sum::<usize>()
    };
    if !document.within("queries", &IN_VALUES, list.iter().map(listed).sum(), problems) {
        return Vec::new();
    }
    let queries = list.iter().enumerate().filter_map(|(index, value)| {
        let path = item("queries", index);
        let query = Object::open(value, &path, &KNOWN, problems)?;
        query.required("name", "json.text", problems);
        let name = query.name("name", problems);
        let order = query.get("order").and_then(|order| read_order(order, &query, fields, problems));
        let rate = |value: &Value| value.as_f64().filter(|&rate| rate > 0.0);
        let popularity = |value: &Value| match value.as_str() {
            Some("named") => Some(Popularity::Named),
            Some("rows") => Some(Popularity::Rows),
            Some("values") => Some(Popularity::Values),
            _ => None,
        };
        Some(Query {
            table: query.text("table", problems).map(str::to_owned),
            conditions: conditions(&query, fields, problems),
            order,
            limit: query.count("limit", problems),
            rate: query.typed("rate", "json.above-zero", rate, problems),
            popularity: query
                .typed("popularity", "json.popularity", popularity, problems)
                .unwrap_or_default(),
            deletes: query.typed("deletes", "json.boolean", Value::as_bool, problems).unwrap_or_default(),
            scan: query.get("scan").and_then(|scan| read_scan(scan, &query.at("scan"), problems)),
            name: name?.to_owned(),
        })
    });
    queries.collect()
}

/// A query by itself, as JSON text; it needs no name.
///
/// # Errors
/// All that is wrong with it, each at its path within `queries[0]`.
pub fn read_query(text: &str, fields: &[Field]) -> Result<Query, Vec<Problem>> {
    let mut query = crate::base::json::parse(text)?;
    if let Some(members) = query.as_object_mut() {
        members.entry("name").or_insert_with(|| "query".into());
    }
    let mut problems = Problems::new();
    let document = Value::Object([("queries".to_owned(), vec![query].into())].into_iter().collect());
    let opened = Object::open(&document, "", &["queries"], &mut problems);
    let mut queries =
        opened.map_or_else(Vec::new, |document| read_all(&document, Some(fields), &mut problems));
    queries.pop().filter(|_| problems.is_empty()).ok_or_else(|| problems.into_told())
}

/// `["start", "stop"]`, rows in HBase's notation; an empty stop row is the table's end.
fn read_scan(value: &Value, path: &str, problems: &mut Problems) -> Option<[String; 2]> {
    let mut rows = [String::new(), String::new()];
    let Some([start, stop]) = value.as_array().map(Vec::as_slice) else {
        problems.push(wrong_type(path, "json.two-rows", value));
        return None;
    };
    for (index, (row, value)) in rows.iter_mut().zip([start, stop]).enumerate() {
        let path = item(path, index);
        match value.as_str() {
            None => problems.push(wrong_type(&path, "json.text", value)),
            Some(text) => match crate::bytes::row::from_string_binary(text) {
                Ok(_) => text.clone_into(row),
                Err(problem) => problems.push(problem.at_path(path)),
            },
        }
    }
    Some(rows)
}

fn named<'a>(
    name: &str,
    path: &str,
    fields: Option<&'a [Field]>,
    problems: &mut Problems,
) -> Option<&'a Field> {
    let fields = fields?;
    let field = fields.iter().find(|field| field.name == name);
    if field.is_none() {
        problems.note(|| unknown_field(name, fields).at_path(path));
    }
    field
}

/// `"call_time"`, or `{ "field": "call_time", "direction": "descending" }`.
fn read_order(
    value: &Value,
    query: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Option<OrderBy> {
    let path = query.at("order");
    if let Some(name) = value.as_str() {
        named(name, &path, fields, problems);
        return Some(OrderBy { field: name.to_owned(), direction: OrderDirection::Ascending });
    }
    let order = Object::open(value, &path, &["field", "direction"], problems)?;
    order.required("field", "json.text", problems);
    let name = order.text("field", problems)?;
    named(name, &order.at("field"), fields, problems);
    let direction = |value: &Value| match value.as_str() {
        Some("ascending") => Some(OrderDirection::Ascending),
        Some("descending") => Some(OrderDirection::Descending),
        _ => None,
    };
    let direction = order.typed("direction", "json.direction", direction, problems);
    Some(OrderBy { field: name.to_owned(), direction: direction.unwrap_or(OrderDirection::Ascending) })
}

fn conditions(
    query: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Map<String, Condition> {
    let path = query.at("where");
    let Some(members) = query.typed("where", "json.object", Value::as_object, problems) else {
        return Map::new();
    };
    if !query.within("where", &CONDITIONS, members.len(), problems) {
        return Map::new();
    }
    let mut conditions = Map::new();
    for (name, value) in members {
        let path = crate::base::json::member(&path, name);
        let field = named(name, &path, fields, problems);
        if let Some(condition) = field.and_then(|field| condition(value, &path, field, problems)) {
            conditions.insert(name.clone(), condition);
        }
    }
    conditions
}

/// `"a"` is short for `{ "eq": "a" }`, and for a time `[from, to]` for `{ "from": …, "to": … }`.
fn condition(value: &Value, path: &str, field: &Field, problems: &mut Problems) -> Option<Condition> {
    if !value.is_object() && !value.is_array() {
        check_value(value, path, field, problems);
        return Some(Condition::Eq(value.clone()));
    }
    if let (Some(list), Kind::Time) = (value.as_array(), field.kind) {
        let [from, to] = list.as_slice() else {
            problems.push(wrong_type(path, "json.two-times", value));
            return None;
        };
        return range(Some((from, item(path, 0))), Some((to, item(path, 1))), path, field, problems);
    }
    const WANTED: &str = "a value, or an object with eq, in, prefix, or from and to,";
    if value.is_array() {
        problems.push(wrong_type(path, WANTED, value));
        return None;
    }
    let object = Object::open(value, path, &["eq", "in", "prefix", "from", "to"], problems)?;
    let forms = ["eq", "in", "prefix"].iter().filter(|name| object.get(name).is_some()).count();
    let (from, to) = (object.get("from"), object.get("to"));
    if forms + usize::from(from.or(to).is_some()) != 1 {
        problems.push(wrong_type(path, WANTED, value));
        return None;
    }
    if let Some(value) = object.get("eq") {
        check_value(value, &object.at("eq"), field, problems);
        return Some(Condition::Eq(value.clone()));
    }
    if object.get("in").is_some() {
        let list = object.list("in", problems)?;
        for (index, value) in list.iter().enumerate() {
            check_value(value, &item(&object.at("in"), index), field, problems);
        }
        return Some(Condition::In(list.to_vec()));
    }
    if let Some(given) = object.get("prefix") {
        return prefixes(given, &object.at("prefix"), field, problems).map(Condition::Prefix);
    }
    let end = |name: &str| object.get(name).map(|value| (value, object.at(name)));
    range(end("from"), end("to"), path, field, problems)
}

/// The prefix, or each of a list of them.
// Seldom needed: what loads before the first picture is without it.
#[inline(never)]
fn prefixes(given: &Value, path: &str, field: &Field, problems: &mut Problems) -> Option<Vec<String>> {
    if !matches!(field.kind, Kind::Text | Kind::Bytes) {
        let problem = Problem::new("design.prefix-of-number").with("name", &field.name);
        problems.push(problem.with("kind", field.kind.name()).at_path(path));
        return None;
    }
    let one = |(value, path): (&Value, String)| {
        let Some(prefix) = value.as_str() else {
            problems.push(wrong_type(&path, "json.text", value));
            return None;
        };
        if field.kind == Kind::Bytes {
            check_value(value, &path, field, problems);
        }
        Some(prefix.to_owned())
    };
    match given.as_array() {
        Some(list) if !list.is_empty() => {
            list.iter().enumerate().map(|(index, value)| (value, item(path, index))).map(one).collect()
        }
        _ => [(given, path.to_owned())].into_iter().map(one).collect(),
    }
}

fn range(
    from: Option<(&Value, String)>,
    to: Option<(&Value, String)>,
    path: &str,
    field: &Field,
    problems: &mut Problems,
) -> Option<Condition> {
    let mut read = |end: &Option<(&Value, String)>| {
        end.as_ref().and_then(|(value, path)| check_value(value, path, field, problems))
    };
    let ends = read(&from).zip(read(&to));
    let empty = |(low, high): (Constant, Constant)| low.compare(&high, field.kind).is_ge();
    if let (Some((from, _)), Some((to, _)), true) = (&from, &to, ends.is_some_and(empty)) {
        problems.push(Problem::new("design.empty-range").with("from", from).with("to", to).at_path(path));
    }
    Some(Condition::Range {
        from: from.map(|(value, _)| value.clone()),
        to: to.map(|(value, _)| value.clone()),
    })
}

/// The value of a field, when it can be one.
fn check_value(value: &Value, path: &str, field: &Field, problems: &mut Problems) -> Option<Constant> {
    Constant::read(value, path, field).map_err(|problem| problems.push(problem)).ok()
}
