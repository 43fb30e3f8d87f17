//! Columns as a file states them, so that nothing of it is guessed.

use super::FileForm;
use crate::base::Problem;
use crate::base::limits::COLUMNS;
use crate::records::field::{Field, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Columns named that are left out.
const NAMED: usize = 10;

/// A column as its file states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedColumn {
    /// Its name; within a record the path to it.
    pub name: String,
    /// The name of its type, as the format has it.
    pub kind: String,
    /// The type of a field for it.
    pub field_kind: Kind,
    /// How its times or bytes are written on their way in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// The columns of a file that states them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedFile {
    /// Its form.
    pub format: FileForm,
    /// Its flat columns, in order.
    pub columns: Vec<StatedColumn>,
    /// Columns that are not read, each with its type.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Columns that are not read as there are too many.
    #[serde(default)]
    pub beyond: u64,
    /// Its records, where their number is stated.
    #[serde(default)]
    pub rows: Option<u64>,
    /// Its row groups, where it has some.
    #[serde(default)]
    pub groups: Option<u64>,
    /// By the names of columns, what it states of their values.
    #[serde(default)]
    pub ranges: BTreeMap<String, StatedRange>,
}

/// The range of a column, as its file states it. Nothing is computed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedRange {
    /// The least value, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<String>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<String>,
    /// How many are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
}

impl StatedFile {
    /// The problems of columns that are not read: of types that are not, and too many.
    pub fn left_out(&self) -> impl Iterator<Item = Problem> {
        let shown = self.left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let problem = Problem::new("input.columns-left-out").with("count", self.left_out.len());
        let of_type = (!self.left_out.is_empty()).then(|| problem.with("columns", shown));
        let too_many = COLUMNS.check(self.columns.len() + self.beyond as usize).err();
        of_type.into_iter().chain(too_many)
    }
}

impl StatedColumn {
    /// The field that reads it, when nothing else is declared.
    pub fn field(&self) -> Field {
        let zone = (self.field_kind == Kind::Time).then(|| "Z".to_owned());
        let (name, kind, format) = (self.name.clone(), self.field_kind, self.format.clone());
        Field { name, kind, format, zone, width: None, from: Vec::new(), nullable: false }
    }

    /// A declared field that reads it: times and bytes are written as the file has them, whatever is declared.
    pub fn read_by(&self, field: &Field) -> Field {
        let is_own = field.kind == self.field_kind && matches!(field.kind, Kind::Time | Kind::Bytes);
        let format = if is_own { self.format.clone() } else { field.format.clone() };
        Field { format, ..field.clone() }
    }
}

/// A field as it is read where these columns are stated.
pub fn as_stated(field: &Field, columns: &[StatedColumn]) -> Field {
    let [name] = field.columns() else { return field.clone() };
    let stated = columns.iter().find(|column| column.name == *name);
    stated.map_or_else(|| field.clone(), |column| column.read_by(field))
}
