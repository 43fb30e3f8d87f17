//! A run of records found in a piece of a file, not yet read: where each field of each record lies.

/// Bytes `start..end` of the window; [`FieldSpan::MISSING`] when the record has no such field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpan {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl FieldSpan {
    /// The record has no such field.
    pub const MISSING: Self = Self { start: u32::MAX, end: 0 };

    /// The same place counted from `origin` bytes earlier.
    pub fn shifted(self, origin: u32) -> Self {
        if self == Self::MISSING { self } else { Self { start: self.start + origin, end: self.end + origin } }
    }

    /// The bytes; `None` for a missing field.
    #[inline]
    pub fn of(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.start as usize..self.end as usize)
    }
}

/// Records found, column by column.
#[derive(Debug, Default)]
pub struct RecordBatch {
    /// For each declared field the place of its value in every record.
    pub spans: Vec<Vec<FieldSpan>>,
    /// Where each record begins.
    pub starts: Vec<u32>,
    /// Records with too few or too many fields: index in this batch, fields found.
    pub ragged: Vec<(u32, u32)>,
    /// Records that could not be read at all: index of the record that follows, message code.
    pub refused: Vec<(u32, &'static str)>,
}

impl RecordBatch {
    /// An empty batch for `columns` declared fields.
    pub fn new(columns: usize) -> Self {
        Self { spans: vec![Vec::new(); columns], ..Self::default() }
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.spans.iter_mut().for_each(Vec::clear);
        self.starts.clear();
        self.ragged.clear();
        self.refused.clear();
    }

    /// Ends the record that began at `start`: fields it did not have are missing.
    pub fn end_short(&mut self, start: u32) {
        self.starts.push(start);
        self.settle();
    }

    /// Drops the fields of a record that is not complete; declared fields that no record has are missing in all.
    pub fn settle(&mut self) {
        let rows = self.starts.len();
        self.spans.iter_mut().for_each(|spans| spans.resize(rows, FieldSpan::MISSING));
    }
}

/// The texts of several columns, blanks around each dropped, joined by a blank, and where each record's lies; it is missing where
/// one of them is.
pub fn joined(bytes: &[u8], columns: &[&[FieldSpan]], records: usize) -> (Vec<u8>, Vec<FieldSpan>) {
    let mut texts = Vec::new();
    let mut join = |record: usize| {
        let start = texts.len();
        for (at, column) in columns.iter().enumerate() {
            let Some(text) = column.get(record).and_then(|span| span.of(bytes)) else {
                texts.truncate(start);
                return FieldSpan::MISSING;
            };
            texts.extend_from_slice(if at == 0 { b"" } else { b" " });
            texts.extend_from_slice(text.trim_ascii());
        }
        FieldSpan { start: start as u32, end: texts.len() as u32 }
    };
    let spans = (0..records).map(&mut join).collect();
    (texts, spans)
}
