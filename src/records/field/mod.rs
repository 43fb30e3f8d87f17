//! Fields: the typed parts of a record, and how their text is read.

pub mod float;
pub mod read;
pub mod shape;
pub mod time;
pub mod write;

use serde::{Deserialize, Serialize};

/// The kinds of value that a field, a step and an encoding speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Unicode text, held as UTF-8.
    Text,
    /// A signed 64-bit number.
    Integer,
    /// A moment, in milliseconds since 1970-01-01T00:00:00Z, with the zone it is written in.
    Time,
    /// Bytes as they are.
    Bytes,
    /// Java's `double`, in columns its bits.
    Float,
    /// Java's `BigDecimal`, in columns its text (`toString`), which keeps the scale.
    Decimal,
    /// Java's `boolean`, in columns 0 or 1.
    Boolean,
}

impl Kind {
    /// All kinds, as a design document lists them.
    pub const ALL: [Self; 7] =
        [Self::Text, Self::Integer, Self::Time, Self::Bytes, Self::Float, Self::Decimal, Self::Boolean];

    /// True if a column of it holds numbers of 64 bits; else it holds byte strings.
    pub const fn is_fixed(self) -> bool {
        matches!(self, Self::Integer | Self::Time | Self::Float | Self::Boolean)
    }

    /// Name in a design document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Time => "time",
            Self::Bytes => "bytes",
            Self::Float => "float",
            Self::Decimal => "decimal",
            Self::Boolean => "boolean",
        }
    }
}

/// A declared field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Column name in the file, and the name used in formulas.
    pub name: String,
    /// How its text is read.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// How a time is written: a Java pattern, `iso8601`, or `epoch-seconds`, `epoch-millis` and the like; for bytes `hex`, `escaped` or `uuid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Zone of a time without one: `Z`, `UTC` or an offset such as `+08:00`. Default `Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Bytes of every value of a text or of bytes, when that never varies; records with others are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Columns of a file whose texts, joined by a blank, are its text: a date and a time of day. Without any, the column of its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// True if records may lack it, which is NULL and no value: no range holds it. Only of text, bytes and decimals.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Field {
    /// The columns of a file that it is read from.
    pub fn columns(&self) -> &[String] {
        if self.from.is_empty() { std::slice::from_ref(&self.name) } else { &self.from }
    }
}
