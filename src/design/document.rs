//! JSON text to [`Document`].

use super::print::normal_form;
use super::table::{SHORT_MEMBERS, Tables};
use super::{Design, Document, Query, VERSION, fields, names, operation, outlook, query};
use crate::base::json::{self, Object, wrong_type};
use crate::base::{Problem, Problems};
use crate::formula::unknown_field;
use crate::records::field::Kind;
use serde_json::Value;
use std::collections::HashSet;
use std::rc::Rc;

/// Members of a document in normal form; the short form has [`SHORT_MEMBERS`] in place of `tables`.
const MEMBERS: [&str; 13] = [
    "rowscape",
    "name",
    "fields",
    "lookup",
    "arrival",
    "identity",
    "operation",
    "tables",
    "queries",
    "growth",
    "writesPerSecond",
    "cluster",
    "generate",
];

/// Stands for the row key that a document asks for.
const NO_KEY: &str = "'-'";

/// Reads a design document.
///
/// # Errors
/// Everything that is wrong with it, each with its JSON path, those of formulas and time patterns with their columns too.
pub fn parse(text: &str) -> Result<Document, Vec<Problem>> {
    of_value(&json::parse(text)?)
}

/// A document that asks for its row key.
#[derive(Clone)]
pub struct SuggestRequest {
    /// The document; its row key is a literal where it gives none.
    pub document: Document,
    /// True if it has a row key or tables of its own.
    pub keyed: bool,
}

/// Reads a document that may lack its row key. Queries that do not say which values they are asked for are asked for those of
/// the records: with no key yet, the values that they name are examples.
///
/// # Errors
/// As [`parse`].
pub fn parse_request(text: &str) -> Result<SuggestRequest, Vec<Problem>> {
    let mut value = json::parse(text)?;
    check_version(&value)?;
    let keyed = ["rowkey", "kinds", "tables"].iter().any(|name| value.get(name).is_some());
    if let Some(members) = value.as_object_mut().filter(|_| !keyed) {
        members.insert("rowkey".to_owned(), NO_KEY.into());
    }
    let queries = value.get_mut("queries").and_then(Value::as_array_mut);
    for query in queries.into_iter().flatten().filter_map(Value::as_object_mut) {
        query.entry("popularity").or_insert_with(|| "rows".into());
    }
    let document = of_value(&value)?;
    Ok(SuggestRequest { document, keyed })
}

/// A table of a document with its formulas checked anew.
///
/// # Errors
/// Problems of the formulas.
pub fn checked_anew(study: &Document, design: &Design) -> Result<Design, Vec<Problem>> {
    let alone = Document { tables: vec![design.clone()], queries: Vec::new(), ..study.clone() };
    let tables = of_value(&normal_form(&alone))?.tables;
    tables.into_iter().next().ok_or_else(|| vec![Problem::new("design.invalid")])
}

fn of_value(value: &Value) -> Result<Document, Vec<Problem>> {
    let mut problems = Problems::new();
    let known = [&MEMBERS[..], &SHORT_MEMBERS].concat();
    check_version(value)?;
    let Some(document) = Object::open(value, "", &known, &mut problems) else {
        return Err(problems.into_told());
    };
    let name = document.name("name", &mut problems).map(str::to_owned);
    let declared = fields::read(&document, &mut problems);
    let arrival = document.text("arrival", &mut problems);
    if let (Some(fields), Some(arrival)) = (&declared, arrival) {
        match fields.iter().find(|field| field.name == arrival) {
            None => problems.push(unknown_field(arrival, fields).at_path("arrival")),
            Some(field) if field.kind != Kind::Time => problems.push(
                Problem::new("design.arrival-not-time")
                    .with("name", arrival)
                    .with("kind", field.kind.name())
                    .at_path("arrival"),
            ),
            Some(_) => {}
        }
    }
    let generate =
        document.typed("generate", "json.object", |value| value.is_object().then_some(value), &mut problems);
    // Without the fields nothing can be said of formulas and queries that would not mislead.
    let fields = declared.unwrap_or_default();
    let checked = (!fields.is_empty()).then_some(fields.as_slice());
    let lookups = names::lookups(&document, &mut problems);
    if !names::check_formulas(&document, &mut problems) {
        return Err(problems.into_told());
    }
    let tables = Tables { document: &document, fields: checked, lookups: &lookups, spent: Rc::default() }
        .read(&mut problems);
    let identity = fields::identity(&document, checked, &mut problems);
    let operation = operation::operation(&document, checked, &mut problems);
    let queries = query::read_all(&document, checked, &mut problems);
    if problems.is_empty() {
        let names: HashSet<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        problems.extend(queries.iter().enumerate().filter_map(|query| elsewhere(query, &names)));
    }
    let growth = outlook::growth(&document, &mut problems);
    let writes_per_second = outlook::writes_per_second(&document, &mut problems);
    let cluster = outlook::cluster(&document, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_told());
    }
    Ok(Document {
        name,
        fields,
        lookups,
        arrival: arrival.map(str::to_owned),
        identity,
        operation,
        tables,
        queries,
        growth,
        writes_per_second,
        cluster,
        generate: generate.cloned(),
    })
}

/// A query put to a table that the document does not have.
fn elsewhere((index, query): (usize, &Query), tables: &HashSet<&str>) -> Option<Problem> {
    let name = query.table.as_ref().filter(|name| !tables.contains(name.as_str()))?;
    let path = format!("{}.table", json::item("queries", index));
    Some(Problem::new("design.no-such-table").with("table", name).at_path(path))
}

/// A document of a later version is not looked at any further: its members may mean something else.
fn check_version(value: &Value) -> Result<(), Vec<Problem>> {
    let Some(document) = value.as_object() else { return Err(vec![wrong_type("", "json.object", value)]) };
    let at = |problem: Problem| Err(vec![problem.with("known", VERSION).at_path("rowscape")]);
    match document.get("rowscape").map(|version| (version, version.as_u64())) {
        Some((_, Some(VERSION))) => Ok(()),
        Some((_, Some(newer))) if newer > VERSION => {
            at(Problem::new("design.newer-version").with("found", newer))
        }
        Some((other, _)) => at(Problem::new("design.unknown-version").with("found", json::text(other))),
        None => at(Problem::new("design.no-version")),
    }
}
