//! Files that hold records of one kind, which their columns do not tell.

use super::batch::{FieldSpan, RecordBatch};

/// The kind of all records of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// Its name.
    pub name: String,
    /// The field that tells the kind.
    pub field: String,
    /// Its value in all records, as a file would have it; what the file itself has there is not read.
    pub value: String,
    /// The fields that records of the kind have. The file may lack the others.
    pub fields: Vec<String>,
}

/// The kind that the name of a file begins with, as `orders-2024.csv` begins with `order`; of several the longest.
pub(super) fn named_by<'k>(file: &str, kinds: &'k [FileKind]) -> Option<&'k FileKind> {
    let stem = file.rsplit(['/', '\\']).next()?.to_lowercase();
    let begins = |kind: &&FileKind| {
        let Some(rest) = stem.strip_prefix(&kind.name.to_lowercase()) else { return false };
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        !kind.name.is_empty() && !rest.starts_with(char::is_alphanumeric)
    };
    kinds.iter().filter(begins).max_by_key(|kind| kind.name.len())
}

/// The same for a reader.
#[derive(Clone, Debug)]
pub(super) struct GivenField {
    /// Number of the field.
    pub field: usize,
    /// Its value.
    pub value: Vec<u8>,
    /// For each column that is read whether the file may lack it.
    pub optional: Vec<bool>,
}

impl GivenField {
    /// Where the value of each record of a batch lies in `value`; records that could not be read have none.
    pub fn spans(&self, batch: &RecordBatch) -> Vec<FieldSpan> {
        let mut spans = vec![FieldSpan { start: 0, end: self.value.len() as u32 }; batch.starts.len()];
        for &(index, _) in &batch.unread {
            if let Some(span) = spans.get_mut(index as usize) {
                *span = FieldSpan::UNREAD;
            }
        }
        spans
    }
}
