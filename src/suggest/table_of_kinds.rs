//! A table in which each kind of records has a row key of its own.

use super::note::SuggestNote;
use crate::design::{Design, RecordKind};
use serde::Serialize;

/// The row key of a kind of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KindRowKey {
    /// The name of the kind.
    pub kind: String,
    /// Its formula.
    pub rowkey: String,
}

/// A table in which each kind of records has a key of its own.
pub(super) struct TableOfKinds {
    /// The table.
    pub design: Design,
    /// The reasons for the keys.
    pub reasons: Vec<SuggestNote>,
}

impl TableOfKinds {
    /// The table of a document.
    pub fn given(design: &Design) -> Self {
        Self { design: design.clone(), reasons: Vec::new() }
    }

    /// The row keys, by kind.
    pub fn keys(&self) -> Vec<KindRowKey> {
        let key =
            |kind: &RecordKind| KindRowKey { kind: kind.typed.name.clone(), rowkey: kind.rowkey.clone() };
        self.design.kinds.iter().map(key).collect()
    }
}
