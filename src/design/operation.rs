//! The `operation` of a document: which records are reads, where a log holds what was read beside what was written.

use crate::base::json::{Object, item, wrong_type};
use crate::base::limits::READ_VALUES;
use crate::base::{Problem, Problems};
use crate::formula::unknown_field;
use crate::records::field::{Field, Kind};
use crate::records::{Column, ColumnValues, Records};
use serde_json::{Value, json};

/// The field that tells a read from a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationField {
    /// Its name; a field of text.
    pub field: String,
    /// Its values that mean a read; all others are writes.
    pub read: Vec<String>,
}

impl OperationField {
    /// As in the document.
    pub fn to_json(&self) -> Value {
        json!({ "field": self.field, "read": self.read })
    }

    /// Tells the reads among records; `None` when they do not hold the field as text.
    pub fn of<'a>(&self, records: &'a Records) -> Option<ReadRecords<'a>> {
        let column = records.column(&self.field)?;
        let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
        let is_read = |value: &[u8]| self.read.iter().any(|read| read.as_bytes() == value);
        Some(ReadRecords { column, ids, read: dictionary.entries.iter().map(is_read).collect() })
    }
}

/// The reads among records.
pub struct ReadRecords<'a> {
    column: &'a Column,
    ids: &'a [u32],
    /// By number of the dictionary.
    read: Vec<bool>,
}

impl ReadRecords<'_> {
    /// True if a record is a read.
    pub fn is_read(&self, row: usize) -> bool {
        let id = self.ids.get(row).filter(|_| !self.column.invalid.get(row));
        id.and_then(|&id| self.read.get(id as usize)).copied().unwrap_or(false)
    }
}

/// The `operation` of a document; its field is looked for among `fields` when those are sound.
pub(super) fn operation(
    document: &Object<'_>,
    fields: Option<&[Field]>,
    problems: &mut Problems,
) -> Option<OperationField> {
    let operation = Object::open(document.get("operation")?, "operation", &["field", "read"], problems)?;
    operation.required("field", "json.text", problems);
    operation.required("read", "json.list", problems);
    let name = operation.text("field", problems)?;
    if let Some(fields) = fields {
        let at = operation.at("field");
        match fields.iter().find(|field| field.name == name) {
            None => problems.push(unknown_field(name, fields).at_path(at)),
            Some(field) if field.kind != Kind::Text => {
                let problem = Problem::new("design.operation-not-text").with("name", name);
                problems.push(problem.with("kind", field.kind.name()).at_path(at));
            }
            Some(_) => {}
        }
    }
    let mut read = Vec::new();
    for (index, value) in operation.limited("read", &READ_VALUES, problems)?.iter().enumerate() {
        match value.as_str() {
            Some(text) => read.push(text.to_owned()),
            None => problems.push(wrong_type(&item(&operation.at("read"), index), "json.text", value)),
        }
    }
    if read.is_empty() {
        problems.push(Problem::new("design.operation-no-reads").at_path(operation.at("read")));
    }
    Some(OperationField { field: name.to_owned(), read })
}
