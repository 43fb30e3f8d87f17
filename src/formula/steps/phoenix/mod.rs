//! Columns of a Phoenix primary key, by their types in SQL: `phoenix.bigint`, `phoenix.varchar` and so on.
//!
//! The bytes are those that `UPSERT` of Phoenix 5.2.1 writes. What Phoenix would change without a word is refused.

mod column;
mod fixed;
mod varying;

use crate::base::hidden::is_hidden;

/// A column of a key as a formula writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoenixColumn<'a> {
    /// The formula of its value.
    pub value: String,
    /// Its type, by the name of the step without the family.
    pub step: &'a str,
    /// Its order.
    pub descending: bool,
    /// Its width, where it is declared.
    pub width: Option<u32>,
}

impl<'a> PhoenixColumn<'a> {
    /// The column that a part of a key is, by the text of the part.
    pub fn of(text: &'a str) -> Option<Self> {
        let (value, column) = text.rsplit_once(".phoenix.")?;
        let (step, given) = column.split_once('(')?;
        let width = given.trim_end_matches(')').rsplit(", ").next().and_then(|width| width.parse().ok());
        Some(Self { value: value.to_owned(), step, descending: given.contains("'desc'"), width })
    }

    /// Its part of a formula; the last has no separator where it ascends.
    pub fn text(&self, is_last: bool) -> String {
        let Self { value, step, descending, width } = self;
        let order = if *descending { "'desc'" } else { "'asc'" };
        let given = match (width, *step) {
            (Some(width), "char" | "binary") => format!("{order}, {width}"),
            (_, "varchar" | "decimal") if *descending || !is_last => format!("{order}, 'separated'"),
            _ if *descending => order.to_owned(),
            _ => String::new(),
        };
        format!("{value}.phoenix.{step}({given})")
    }
}

/// A name in SQL, in quotes. A quote within a name is nothing that Phoenix's parser takes, and its shell reads lines.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace(|char| char == '"' || is_hidden(char), "_"))
}

/// The name of a table, in its schema: the namespace, or what stands before the point where schemas are no namespaces.
pub fn quoted_table(name: &str) -> String {
    name.splitn(2, [':', '.']).map(quoted).collect::<Vec<_>>().join(".")
}

pub use fixed::*;
pub use varying::*;
