//! Fields: the typed parts of a record, and how their text is read.

pub mod read;
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
}

impl Kind {
    /// Name in a design document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Time => "time",
            Self::Bytes => "bytes",
        }
    }
}

/// A declared field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Column name in the file, and the name used in formulas.
    pub name: String,
    /// What its text means.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// How a time is written: a Java pattern, `iso8601`, `epoch-seconds` or `epoch-millis`; for bytes `hex` or `escaped`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Zone of a time without one: `Z`, `UTC` or an offset such as `+08:00`. Default `Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}
