//! Files that hold records of one kind of a table.

use super::{Design, RecordKind};
use crate::base::Problem;
use crate::records::field::Field;
use crate::records::read::FileKind;

impl RecordKind {
    /// The kind for a file that holds its records alone: its first value is that of all of them.
    pub fn of_file(&self, fields: &[Field]) -> FileKind {
        let text =
            |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let used = || {
            let parts = self.formula().into_iter().flat_map(|typed| &typed.parts);
            let used = parts.flat_map(|part| &part.fields).filter_map(|&index| fields.get(index));
            used.map(|field| field.name.clone()).collect()
        };
        FileKind {
            name: self.typed.name.clone(),
            field: self.field.clone(),
            value: self.values.first().map(text).unwrap_or_default(),
            fields: if self.fields.is_empty() { used() } else { self.fields.clone() },
        }
    }
}

impl Design {
    /// The kind and the path of a word such as `order=orders.csv`; `None` where it begins with no kind of the table.
    pub fn kind_file<'w>(&self, word: &'w str) -> Option<(&RecordKind, &'w str)> {
        let (name, path) = word.split_once('=')?;
        Some((self.kind(name)?, path))
    }

    /// The kinds of the table, for files that hold the records of one of them.
    pub fn file_kinds(&self, fields: &[Field]) -> Vec<FileKind> {
        self.kinds.iter().map(|kind| kind.of_file(fields)).collect()
    }

    /// The kind of this name.
    pub fn kind(&self, name: &str) -> Option<&RecordKind> {
        self.kinds.iter().find(|kind| kind.typed.name == name)
    }

    /// The kind of this name, for a file of it.
    ///
    /// # Errors
    /// `design.no-such-kind`.
    pub fn file_kind(&self, name: &str, fields: &[Field]) -> Result<FileKind, Problem> {
        let known = || self.kinds.iter().map(|kind| kind.typed.name.as_str()).collect::<Vec<_>>().join(", ");
        let missing = || Problem::new("design.no-such-kind").with("name", name).with("known", known());
        Ok(self.kind(name).ok_or_else(missing)?.of_file(fields))
    }
}
