//! The cells that a record has: qualifiers and values, written out or made of its fields.

use super::{Design, Family};
use crate::base::json::{Object, Wanted, item, wrong_type};
use crate::base::{Problem, Problems};
use crate::bytes::row::from_string_binary;
use crate::formula::typed::TypedColumn;
use crate::formula::{self, Formula, Scope, unknown_field};
use crate::records::field::{Field, Kind};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// Most bytes that a record adds to a packed cell.
const MOST_PACKED: u32 = 1 << 20;

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
    /// Number of the kind of records that write it; all do without one.
    #[serde(skip)]
    pub kind: Option<usize>,
}

impl RecordCell {
    /// A cell of one qualifier, in `\xNN` notation, with a value of so many bytes.
    pub fn literal(qualifier: impl Into<String>, bytes: u32) -> Self {
        let (qualifier, value) = (Qualifier::Literal(qualifier.into()), CellValue::Bytes(bytes));
        Self { qualifier, value, timestamp: None, kind: None }
    }

    /// True if it differs between records.
    pub fn has_formula(&self) -> bool {
        self.qualifier.text().is_none() || self.value.is_formula()
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
    /// Shared by all records of a row, each of which adds to it: a page of values, or a serialized object.
    Packed(PackedValue),
}

/// The part that a record adds to a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PackedValue {
    /// So many bytes.
    Bytes(u32),
    /// Bytes made of its fields.
    Formula {
        /// The formula in canonical form.
        formula: String,
    },
}

impl CellValue {
    /// True if its bytes follow from the fields of a record.
    pub fn is_formula(&self) -> bool {
        matches!(self, Self::Value { .. } | Self::Packed(PackedValue::Formula { .. }))
    }

    /// True if the records of a row share it.
    pub fn is_packed(&self) -> bool {
        matches!(self, Self::Packed(_))
    }

    /// Bytes that every record writes, or adds to what others write.
    pub fn each(&self) -> Option<u32> {
        match self {
            Self::Bytes(bytes) | Self::Packed(PackedValue::Bytes(bytes)) => Some(*bytes),
            Self::Value { .. } | Self::Packed(_) => None,
        }
    }
}

/// A cell of which the formulas are read and not checked yet.
pub(super) struct UncheckedCell {
    /// Number of its family, and of the cell in it.
    pub place: (usize, usize),
    /// Number of the kind of records that write it.
    pub kind: Option<usize>,
    path: String,
    qualifier: Option<Formula>,
    /// The member that holds the formula of the value, and that formula.
    value: Option<(&'static str, Formula)>,
}

impl UncheckedCell {
    /// The same as records of one kind write it.
    pub fn of_kind(self, kind: usize) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Checks the formulas against the fields; one that is wrong is noted.
    pub fn check(&self, scope: &Scope<'_>, problems: &mut Problems) -> TypedColumn {
        let mut check = |formula: Option<&Formula>, member: &str| {
            let note = |wrong: Vec<Problem>| {
                let path = format!("{}.{member}.formula", self.path);
                problems.extend(wrong.into_iter().map(|problem| problem.at_path(path.clone())));
            };
            scope.check(formula?).map_err(note).ok()
        };
        let qualifier = check(self.qualifier.as_ref(), "qualifier");
        let value = self.value.as_ref().and_then(|(member, formula)| check(Some(formula), member));
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
    let known = ["qualifier", "bytes", "value", "packed", "timestamp"];
    let object = Object::open(value, path, &known, problems)?;
    let path = path.to_owned();
    let mut unchecked = UncheckedCell { place, kind: None, path, qualifier: None, value: None };
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
    let value = read_value(&object, &mut unchecked.value, problems);
    let timestamp = object.text("timestamp", problems);
    if let (Some(name), Some(fields)) = (timestamp, fields) {
        problems.extend(no_timestamp(name, fields).map(|problem| problem.at_path(object.at("timestamp"))));
    }
    let timestamp = timestamp.map(str::to_owned);
    Some((RecordCell { qualifier: qualifier?, value: value?, timestamp, kind: None }, unchecked))
}

/// The value of a cell, from the one member that says it; its formula goes to `formula`.
fn read_value(
    object: &Object<'_>,
    formula: &mut Option<(&'static str, Formula)>,
    problems: &mut Problems,
) -> Option<CellValue> {
    let mut said = ["value", "packed", "bytes"].into_iter().filter(|name| object.get(name).is_some());
    let first = said.next().unwrap_or("bytes");
    problems.extend(said.map(|name| Problem::new("design.cell-twice").at_path(object.at(name))));
    let of = object.get(first);
    if let Some(of @ Value::Object(_)) = of.filter(|_| first != "bytes") {
        let read = formula_of(of, &object.at(first), problems)?;
        let text = read.to_string();
        *formula = Some((first, read));
        let formula = text;
        return Some(match first {
            "packed" => CellValue::Packed(PackedValue::Formula { formula }),
            _ => CellValue::Value { formula },
        });
    }
    if first == "value" {
        problems.push(wrong_type(&object.at(first), "json.object", of.unwrap_or(&Value::Null)));
        return None;
    }
    if first == "bytes" {
        object.required("bytes", "json.whole", problems);
    }
    let most = if first == "packed" { MOST_PACKED } else { u32::MAX };
    let bytes = |value: &Value| {
        value.as_u64().and_then(|bytes| u32::try_from(bytes).ok()).filter(|&bytes| bytes <= most)
    };
    let bytes = object.typed(first, Wanted::whole(0, most.into()), bytes, problems)?;
    Some(if first == "packed" {
        CellValue::Packed(PackedValue::Bytes(bytes))
    } else {
        CellValue::Bytes(bytes)
    })
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
        stamp(&self.families).filter(|_| self.writes.is_append())
    }
}

/// The time field that is the timestamp of every cell of these families.
fn stamp(families: &[Family]) -> Option<&str> {
    let field = families.first()?.cells.first()?.timestamp.as_deref()?;
    let all = |family: &Family| {
        !family.cells.is_empty() && family.cells.iter().all(|cell| cell.timestamp.as_deref() == Some(field))
    };
    families.iter().all(all).then_some(field)
}

/// True if a cell of these families may hold a value of one of the fields with these numbers: families without cells may hold all.
pub fn holds_any(families: &[Family], columns: &[TypedColumn], fields: &[Field], asked: &[usize]) -> bool {
    let cells = || families.iter().flat_map(|family| &family.cells);
    let named = |index: usize| {
        let name = fields.get(index).map(|field| field.name.as_str());
        cells().any(|cell| cell.qualifier.text() == name || cell.timestamp.as_deref() == name)
    };
    let made = |index: usize| {
        let formulas = columns.iter().flat_map(|column| [&column.qualifier, &column.value]).flatten();
        formulas.flat_map(|typed| &typed.parts).any(|part| part.fields.contains(&index))
    };
    cells().next().is_none() || asked.iter().any(|&index| named(index) || made(index))
}

/// The time field that tells which of two records of one row replaces the other: the timestamp of all cells of these families, or
/// else when records are written.
pub fn replaced_by<'a>(families: &'a [Family], arrival: Option<&'a str>) -> Option<&'a str> {
    stamp(families).or(arrival)
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
    let kinds = table.get("kinds").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
    let cells = listed(table.get("families")).chain(kinds).flat_map(|of| listed(of.get("cells")));
    let members = cells.flat_map(|cell| [cell.get("qualifier"), cell.get("value"), cell.get("packed")]);
    members.flatten().filter_map(|member| member.get("formula").and_then(Value::as_str))
}
