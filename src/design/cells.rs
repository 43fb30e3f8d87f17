//! The cells that a record has: qualifiers and values, written out or made of its fields.

use super::{Design, Family};
use crate::base::json::{Object, Wanted, item};
use crate::base::{Problem, Problems};
use crate::bytes::row::from_string_binary;
use crate::formula::typed::TypedColumn;
use crate::formula::{self, Formula, Scope, unknown_field};
use crate::records::field::{Field, Kind};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A cell of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordCell {
    /// Column qualifier.
    pub qualifier: Qualifier,
    /// Its value.
    #[serde(flatten)]
    pub value: CellValue,
    /// The time field that is its timestamp in HBase; the time of the write without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

impl RecordCell {
    /// A cell of one qualifier, in `\xNN` notation, with a value of so many bytes.
    pub fn literal(qualifier: impl Into<String>, bytes: u32) -> Self {
        let (qualifier, value) = (Qualifier::Literal(qualifier.into()), CellValue::Bytes(bytes));
        Self { qualifier, value, timestamp: None }
    }

    /// True if it differs between records.
    pub fn has_formula(&self) -> bool {
        self.qualifier.text().is_none() || self.value.bytes().is_none()
    }
}

/// A column qualifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Qualifier {
    /// The same in all records, in `\xNN` notation.
    Literal(String),
    /// Made of the fields of a record.
    Formula {
        /// The formula in canonical form.
        formula: String,
    },
}

impl Qualifier {
    /// Its text, where it is the same in all records.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Formula { .. } => None,
        }
    }

    /// Its bytes, where it is the same in all records; as it is written when it is no `\xNN` notation.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let text = self.text()?;
        Some(from_string_binary(text).unwrap_or_else(|_| text.as_bytes().to_vec()))
    }
}

impl fmt::Display for Qualifier {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) | Self::Formula { formula: text } => to.write_str(text),
        }
    }
}

/// The value of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CellValue {
    /// Its number of bytes.
    Bytes(u32),
    /// Made of the fields of a record.
    Value {
        /// The formula in canonical form.
        formula: String,
    },
}

impl CellValue {
    /// Its bytes, where all records have as many.
    pub fn bytes(&self) -> Option<u32> {
        match self {
            Self::Bytes(bytes) => Some(*bytes),
            Self::Value { .. } => None,
        }
    }
}

/// A cell of which the formulas are read and not checked yet.
pub(super) struct UncheckedCell {
    /// Number of its family, and of the cell in it.
    pub place: (usize, usize),
    path: String,
    qualifier: Option<Formula>,
    value: Option<Formula>,
}

impl UncheckedCell {
    /// Checks the formulas against the fields; one that is wrong is noted.
    pub fn check(&self, scope: &Scope<'_>, problems: &mut Problems) -> TypedColumn {
        let mut check = |formula: &Option<Formula>, member: &str| {
            let note = |wrong: Vec<Problem>| {
                let path = format!("{}.{member}.formula", self.path);
                problems.extend(wrong.into_iter().map(|problem| problem.at_path(path.clone())));
            };
            scope.check(formula.as_ref()?).map_err(note).ok()
        };
        let (qualifier, value) = (check(&self.qualifier, "qualifier"), check(&self.value, "value"));
        TypedColumn { qualifier, value }
    }
}

/// Reads cell number `place` (of its family, and in it) of records of these fields, when they are sound.
pub(super) fn read_cell(
    value: &Value,
    path: &str,
    place: (usize, usize),
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Option<(RecordCell, UncheckedCell)> {
    let object = Object::open(value, path, &["qualifier", "bytes", "value", "timestamp"], problems)?;
    let mut unchecked = UncheckedCell { place, path: path.to_owned(), qualifier: None, value: None };
    let qualifier = match object.get("qualifier") {
        Some(of @ Value::Object(_)) => {
            unchecked.qualifier = formula_of(of, &object.at("qualifier"), problems);
            unchecked.qualifier.as_ref().map(|formula| Qualifier::Formula { formula: formula.to_string() })
        }
        _ => {
            object.required("qualifier", "json.text", problems);
            let text = object.text("qualifier", problems);
            if let Some(Err(problem)) = text.map(from_string_binary) {
                problems.push(problem.at_path(object.at("qualifier")));
            }
            text.map(|text| Qualifier::Literal(text.to_owned()))
        }
    };
    let value = match object.get("value") {
        Some(of) => {
            if object.get("bytes").is_some() {
                problems.push(Problem::new("design.cell-twice").at_path(object.at("bytes")));
            }
            unchecked.value = formula_of(of, &object.at("value"), problems);
            unchecked.value.as_ref().map(|formula| CellValue::Value { formula: formula.to_string() })
        }
        None => {
            object.required("bytes", "json.whole", problems);
            let bytes = |value: &Value| value.as_u64().and_then(|bytes| u32::try_from(bytes).ok());
            object.typed("bytes", Wanted::whole(0, 4294967295), bytes, problems).map(CellValue::Bytes)
        }
    };
    let timestamp = object.text("timestamp", problems);
    if let (Some(name), Some(fields)) = (timestamp, fields) {
        problems.extend(no_timestamp(name, fields).map(|problem| problem.at_path(object.at("timestamp"))));
    }
    let timestamp = timestamp.map(str::to_owned);
    Some((RecordCell { qualifier: qualifier?, value: value?, timestamp }, unchecked))
}

/// Why the field of this name is no timestamp of cells.
fn no_timestamp(name: &str, fields: &[Field]) -> Option<Problem> {
    match fields.iter().find(|field| field.name == name) {
        None => Some(unknown_field(name, fields)),
        Some(field) if field.kind != Kind::Time => {
            Some(Problem::new("design.timestamp-not-time").with("name", name).with("kind", field.kind.name()))
        }
        Some(_) => None,
    }
}

impl Design {
    /// The time field that is the timestamp of every cell of every row; `None` where a row may have others, or is replaced by
    /// rows of other times.
    pub fn stamped(&self) -> Option<&str> {
        let field = self.families.first()?.cells.first()?.timestamp.as_deref()?;
        let all = |family: &Family| {
            !family.cells.is_empty()
                && family.cells.iter().all(|cell| cell.timestamp.as_deref() == Some(field))
        };
        (self.writes.is_append() && self.families.iter().all(all)).then_some(field)
    }
}

/// Notes a timestamp of a counter: HBase increments at the time of the write.
pub(super) fn check_counters(families: &[Family], path: &str, problems: &mut Problems) {
    for (at, family) in families.iter().enumerate() {
        let stamped = family.cells.iter().position(|cell| cell.timestamp.is_some());
        problems.extend(stamped.map(|cell| {
            let path = format!("{}.timestamp", item(&format!("{}.cells", item(path, at)), cell));
            Problem::new("design.counter-timestamp").at_path(path)
        }));
    }
}

/// The formula of an object `{ "formula": … }`.
fn formula_of(value: &Value, path: &str, problems: &mut Problems) -> Option<Formula> {
    let object = Object::open(value, path, &["formula"], problems)?;
    object.required("formula", "json.text", problems);
    let text = object.text("formula", problems)?;
    let wrong = |problem: Problem| problems.push(problem.at_path(object.at("formula")));
    formula::parse(text).map_err(wrong).ok()
}

/// The formulas in the cells of the families of a table, as text.
pub(super) fn formula_texts(table: &serde_json::Map<String, Value>) -> impl Iterator<Item = &str> {
    fn listed(value: Option<&Value>) -> impl Iterator<Item = &Value> {
        value.and_then(Value::as_array).into_iter().flatten()
    }
    let cells = listed(table.get("families")).flat_map(|family| listed(family.get("cells")));
    let members = cells.flat_map(|cell| [cell.get("qualifier"), cell.get("value")]);
    members.flatten().filter_map(|member| member.get("formula").and_then(Value::as_str))
}
