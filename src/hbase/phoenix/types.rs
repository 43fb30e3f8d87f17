//! The types of Phoenix, and how a column of each stands in a row key.

use super::statement::ColumnDefinition;
use crate::base::Problem;
use crate::formula::name_in_formula;
use crate::formula::steps::PhoenixColumn;
use crate::records::field::{Field, Kind};

/// A type: its names in SQL, the kind of its values, its step, the bytes of its value where they are always as many.
struct SqlType {
    names: &'static [&'static str],
    kind: Kind,
    step: &'static str,
    bytes: Option<u32>,
}

const fn sql_type(names: &'static [&'static str], kind: Kind, step: &'static str, bytes: u32) -> SqlType {
    SqlType { names, kind, step, bytes: if bytes > 0 { Some(bytes) } else { None } }
}

const TYPES: &[SqlType] = &[
    sql_type(&["VARCHAR"], Kind::Text, "varchar", 0),
    // As wide as it is declared.
    sql_type(&["CHAR"], Kind::Text, "char", 1),
    sql_type(&["BINARY"], Kind::Bytes, "binary", 1),
    sql_type(&["VARBINARY"], Kind::Bytes, "varbinary", 0),
    sql_type(&["DECIMAL", "NUMERIC"], Kind::Decimal, "decimal", 0),
    sql_type(&["TINYINT"], Kind::Integer, "tinyint", 1),
    sql_type(&["SMALLINT"], Kind::Integer, "smallint", 2),
    sql_type(&["INTEGER", "INT"], Kind::Integer, "integer", 4),
    sql_type(&["BIGINT", "LONG"], Kind::Integer, "bigint", 8),
    sql_type(&["UNSIGNED_TINYINT"], Kind::Integer, "unsignedTinyint", 1),
    sql_type(&["UNSIGNED_SMALLINT"], Kind::Integer, "unsignedSmallint", 2),
    sql_type(&["UNSIGNED_INT"], Kind::Integer, "unsignedInt", 4),
    sql_type(&["UNSIGNED_LONG"], Kind::Integer, "unsignedLong", 8),
    sql_type(&["FLOAT"], Kind::Float, "float", 4),
    sql_type(&["DOUBLE"], Kind::Float, "double", 8),
    sql_type(&["UNSIGNED_FLOAT"], Kind::Float, "unsignedFloat", 4),
    sql_type(&["UNSIGNED_DOUBLE"], Kind::Float, "unsignedDouble", 8),
    sql_type(&["BOOLEAN"], Kind::Boolean, "boolean", 1),
    sql_type(&["DATE"], Kind::Time, "date", 8),
    sql_type(&["TIME"], Kind::Time, "time", 8),
    sql_type(&["TIMESTAMP"], Kind::Time, "timestamp", 12),
    sql_type(&["UNSIGNED_DATE"], Kind::Time, "unsignedDate", 8),
    sql_type(&["UNSIGNED_TIME"], Kind::Time, "unsignedTime", 8),
    sql_type(&["UNSIGNED_TIMESTAMP"], Kind::Time, "unsignedTimestamp", 12),
];

/// Endings of the names of columns of whole numbers that are times in milliseconds.
const TIMES: [&str; 8] = ["TIME", "TIMESTAMP", "TS", "_MS", "MILLIS", "_AT", "_DATE", "EPOCH"];

/// A column of a table with its type.
#[derive(Clone)]
pub(super) struct SqlColumn {
    pub family: Option<String>,
    pub name: String,
    pub kind: Kind,
    step: &'static str,
    /// Bytes of its values, where they are always as many.
    pub bytes: Option<u32>,
    /// Whole numbers that are read as milliseconds since 1970.
    pub is_millis: bool,
    pub nullable: bool,
    /// The number that stands for it in qualifiers.
    pub qualifier: Option<u32>,
}

impl SqlColumn {
    /// A column as it is declared.
    ///
    /// # Errors
    /// A type that is not read; CHAR and BINARY without a length.
    pub fn of(definition: &ColumnDefinition) -> Result<Self, Problem> {
        let ColumnDefinition { family, name, type_name, sizes, at, .. } = definition;
        let problem = |code| at.tell(Problem::new(code).with("type", type_name).with("column", name));
        let found = TYPES.iter().find(|known| known.names.contains(&type_name.as_str()));
        let found = found.filter(|_| !definition.is_array).ok_or_else(|| problem("sql.unknown-type"))?;
        let is_padded = matches!(found.step, "char" | "binary");
        let bytes = match sizes.first() {
            Some(&size) if is_padded && size > 0 => Some(size),
            _ if is_padded => return Err(problem("sql.type-without-length")),
            _ => found.bytes,
        };
        let is_millis = found.bytes == Some(8)
            && found.kind == Kind::Integer
            && TIMES.iter().any(|ending| name.to_uppercase().ends_with(ending));
        Ok(Self {
            family: family.clone(),
            name: name.clone(),
            kind: if is_millis { Kind::Time } else { found.kind },
            step: found.step,
            bytes,
            is_millis,
            nullable: definition.nullable.unwrap_or(true),
            qualifier: definition.qualifier,
        })
    }

    /// True of texts that a key fills up with blanks.
    pub fn is_char(&self) -> bool {
        self.step == "char"
    }

    /// True of texts of any length.
    pub fn is_varchar(&self) -> bool {
        self.step == "varchar"
    }

    /// True if its values have all one width in a key.
    pub fn is_fixed(&self) -> bool {
        self.bytes.is_some()
    }

    /// The type that an index has no like of where it may be NULL: another one with other values.
    pub fn lacks_nullable_type(&self) -> Option<&'static str> {
        Some(self.step).filter(|step| self.nullable && matches!(*step, "char" | "binary" | "boolean"))
    }

    /// The same column in an index: where it may be NULL, it has a type that can be.
    pub fn in_index(&self) -> Self {
        let (kind, step) = match self.step {
            _ if !self.nullable || !self.is_fixed() => return self.clone(),
            // Milliseconds as a number.
            _ if self.kind == Kind::Time => (Kind::Time, "decimal"),
            _ => (Kind::Decimal, "decimal"),
        };
        Self { kind, step, bytes: None, ..self.clone() }
    }

    /// The field that it is read from.
    pub fn field(&self) -> Field {
        let format = match self.kind {
            Kind::Time if self.is_millis => Some("epoch-millis".to_owned()),
            Kind::Time => Some("iso8601".to_owned()),
            _ => None,
        };
        Field {
            name: self.name.clone(),
            kind: self.kind,
            format,
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: self.nullable && !self.kind.is_fixed(),
        }
    }

    /// Its part of a row key.
    pub fn part(&self, descending: bool, is_last: bool) -> String {
        let name = name_in_formula(&self.name);
        let is_number = self.is_millis || self.kind == Kind::Time && self.step == "decimal";
        let value = if is_number { format!("{name}.millis()") } else { name };
        PhoenixColumn { value, step: self.step, descending, width: self.bytes }.text(is_last)
    }

    /// The formula of its value in a cell.
    pub fn value(&self) -> String {
        self.part(false, true)
    }
}
