//! A problem, where it was met, and how to solve it: a code with typed arguments.
//!
//! A [`Problem`] carries a stable code and its evidence; [`super::sentences`] has the sentence of the code.

use super::map::Map;
use super::sentences::render;
use serde::Serialize;
use std::fmt;

/// Most bytes of an argument: what a person gave may be of any length.
const LONGEST: usize = 2000;

/// Where in the person's input a problem lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// JSON path in the design document, such as `fields[2].format`; empty when the document is not concerned.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// First column of the offending text in a formula or pattern, counted in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Column after the last offending character, so that `end - column` characters are underlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// Name of the input file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line or record number in the input file, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Byte of the input file where the record begins, when its number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Name of the field concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A refusal that says what was found, where, and (through its sentence) what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Stable code, a key of `data/messages/en.json`, such as `formula.unknown-step`.
    pub code: &'static str,
    /// Where it was found.
    pub place: Place,
    /// Named arguments of the sentence.
    pub args: Map<&'static str, String>,
}

impl Problem {
    /// A problem of this code with no place and no arguments yet.
    pub fn new(code: &'static str) -> Self {
        Self { code, place: Place::default(), args: Map::new() }
    }

    /// Adds a named argument of the sentence.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.add(name, value.to_string());
        self
    }

    /// The body of [`Problem::with`], compiled once for all types.
    fn add(&mut self, name: &'static str, mut value: String) {
        if value.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|&end| value.is_char_boundary(end)).unwrap_or(0);
            value.truncate(end);
            value.push('…');
        }
        self.args.insert(name, value);
    }

    /// Sets the JSON path of the design document.
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.place.path = path.into();
        self
    }

    /// Sets the columns (characters from 1, end exclusive) in a formula or pattern.
    pub fn at_columns(mut self, column: usize, end: usize) -> Self {
        self.place.column = Some(column);
        self.place.end = Some(end);
        self
    }

    /// Sets the field concerned.
    pub fn at_field(mut self, field: impl Into<String>) -> Self {
        self.place.field = Some(field.into());
        self
    }

    /// The English sentence, without the place.
    pub fn sentence(&self) -> String {
        render(self.code, &self.args)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        let mut parts = Vec::new();
        parts.extend(place.file.clone());
        parts.extend((!place.path.is_empty()).then(|| place.path.clone()));
        // Rows of records have fields in place of columns.
        let row = if place.column.is_some() { "line" } else { "row" };
        parts.extend(place.row.map(|at| format!("{row} {at}")));
        parts.extend(place.column.map(|column| format!("column {column}")));
        parts.extend(place.field.as_ref().map(|field| format!("field {field}")));
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        f.write_str(&self.sentence())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Problem};

    #[test]
    fn what_a_person_gave_is_cut_where_a_character_ends() {
        let of = |text: &str| {
            Problem::new("input.empty").with("found", text).args.get("found").cloned().unwrap_or_default()
        };
        assert_eq!(of("short"), "short");
        let cut = of(&format!("a{}", "é".repeat(LONGEST)));
        assert!(cut.len() <= LONGEST + '…'.len_utf8() && cut.ends_with("é…"));
    }
}
