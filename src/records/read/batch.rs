//! A run of records found in a piece of a file, not yet read: where each field of each record lies.

/// Bytes `start..end` of the window; [`FieldSpan::MISSING`] when the record has no such field, [`FieldSpan::UNREAD`] when the
/// record could not be read at all.
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
    /// The record could not be read.
    pub const UNREAD: Self = Self { start: u32::MAX - 1, end: 0 };

    /// The same place counted from `origin` bytes earlier.
    pub fn shifted(self, origin: u32) -> Self {
        if self.start > self.end { self } else { Self { start: self.start + origin, end: self.end + origin } }
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
    /// Records that could not be read at all: index in this batch, message code.
    pub unread: Vec<(u32, &'static str)>,
    /// Notes about values that were read: index in this batch, column, message code.
    pub told: Vec<(u32, usize, &'static str)>,
    /// Records that began with a byte order mark, which was dropped: index in this batch.
    pub marked: Vec<u32>,
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
        self.unread.clear();
        self.told.clear();
        self.marked.clear();
    }

    /// Adds a record that began at `start` and could not be read: it has no values, but keeps its place.
    pub fn add_unread(&mut self, start: u32, code: &'static str) {
        self.settle();
        self.unread.push((self.starts.len() as u32, code));
        self.spans.iter_mut().for_each(|spans| spans.push(FieldSpan::UNREAD));
        self.starts.push(start);
    }

    /// Drops the last record, which the end of the file has cut short.
    pub fn drop_last(&mut self) {
        self.starts.pop();
        let rows = self.starts.len() as u32;
        self.ragged.retain(|&(index, _)| index < rows);
        self.told.retain(|&(index, ..)| index < rows);
        self.marked.retain(|&index| index < rows);
        self.settle();
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
            let span = column.get(record).copied().unwrap_or(FieldSpan::MISSING);
            let Some(text) = span.of(bytes) else {
                texts.truncate(start);
                return if span == FieldSpan::UNREAD { span } else { FieldSpan::MISSING };
            };
            texts.extend_from_slice(if at == 0 { b"" } else { b" " });
            texts.extend_from_slice(text.trim_ascii());
        }
        FieldSpan { start: start as u32, end: texts.len() as u32 }
    };
    let spans = (0..records).map(&mut join).collect();
    (texts, spans)
}
