//! Meaning of a write to an existing row key: another record lost, or the row updated on purpose.

use serde::Serialize;

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WriteKind {
    /// Each record is a row of its own; a second one with its key hides it.
    #[default]
    Append,
    /// A record replaces the row of its key on purpose.
    Upsert,
    /// Each record is a row of its own, and files of rows are loaded: no region server takes writes.
    Bulk,
    /// A record increments the counters in the row of its key.
    Counter,
}

impl WriteKind {
    /// By its name in a document.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "append" => Some(Self::Append),
            "upsert" => Some(Self::Upsert),
            "bulk" => Some(Self::Bulk),
            "counter" => Some(Self::Counter),
            _ => None,
        }
    }

    /// True if each record is a row of its own, so that a shared key is a fault.
    pub fn is_append(&self) -> bool {
        matches!(self, Self::Append | Self::Bulk)
    }
}
