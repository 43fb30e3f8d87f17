//! Records held in memory as columns: numbers as numbers, text as indices into a dictionary.

pub mod dictionary;
mod places;
mod row_sample;

pub use dictionary::Dictionary;
pub use places::ValuePlaces;
pub(crate) use row_sample::HashedRow;
pub use row_sample::RowSample;

use crate::records::field::{Field, write};
use std::ops::Range;

/// Bytes of an invalid value that are kept for the report.
const SHOWN_BYTES: usize = 200;
/// Invalid values of a column that are kept for the report.
const SHOWN_INVALID: usize = 20;

/// Which rows of a column hold no usable value. Empty while every row does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    count: u64,
}

impl Bitmap {
    /// Marks `row`.
    pub fn set(&mut self, row: usize) {
        let word = row / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (row % 64);
        self.count += u64::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    /// True if `row` is marked.
    pub fn get(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The marked rows, ascending.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let marked = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        marked.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        })
    }

    /// Number of marked rows.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum ColumnValues {
    /// Text, bytes or decimals: for each row an index into the dictionary.
    Strings {
        /// Entry of the dictionary, a row each.
        ids: Vec<u32>,
        /// The texts.
        dictionary: Dictionary,
    },
    /// Integers, times in milliseconds since the epoch, bits of floats or booleans, a row each.
    Integers(Vec<i64>),
}

/// A column: a declared field and its value in every record.
#[derive(Clone, Debug)]
pub struct Column {
    /// The field as declared.
    pub field: Field,
    /// Its values.
    pub values: ColumnValues,
    /// Rows whose text could not be read as the field's kind, or was missing.
    pub invalid: Bitmap,
    /// The first invalid values, for the report: row, text (cut to 200 bytes), message code.
    pub first_invalid: Vec<(u32, String, &'static str)>,
}

impl Column {
    /// An empty column of this field.
    pub fn new(field: &Field) -> Self {
        let values = match field.kind.is_fixed() {
            true => ColumnValues::Integers(Vec::new()),
            false => ColumnValues::Strings { ids: Vec::new(), dictionary: Dictionary::default() },
        };
        Self { field: field.clone(), values, invalid: Bitmap::default(), first_invalid: Vec::new() }
    }

    /// Marks the value in `row` as unusable and keeps the first few for the report. `code`: a message code.
    pub fn note_invalid(&mut self, row: usize, text: &[u8], code: &'static str) {
        self.invalid.set(row);
        if self.first_invalid.len() < SHOWN_INVALID {
            let shown = String::from_utf8_lossy(text.get(..SHOWN_BYTES).unwrap_or(text)).into_owned();
            self.first_invalid.push((row as u32, shown, code));
        }
    }

    /// The text of a value that was refused, as far as it is still known.
    pub fn refused_text(&self, row: u32) -> String {
        match self.first_invalid.iter().find(|(invalid, ..)| *invalid == row) {
            Some((_, text, _)) => text.clone(),
            None => self.text(row as usize).chars().take(200).collect(),
        }
    }

    /// The value in `row` as text, a time in its own format; empty when it is invalid.
    pub fn text(&self, row: usize) -> String {
        if self.invalid.get(row) {
            return String::new();
        }
        match &self.values {
            ColumnValues::Strings { ids, dictionary } => {
                write::string(&self.field, ids.get(row).map(|&id| dictionary.get(id)).unwrap_or_default())
            }
            ColumnValues::Integers(values) => {
                write::number(&self.field, values.get(row).copied().unwrap_or_default())
            }
        }
    }
}

/// Records in memory, in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// One column a declared field.
    pub columns: Vec<Column>,
    /// Number of records.
    pub rows: usize,
    /// Where each record begins: byte offset in its file, low 32 bits.
    pub offsets: Vec<u32>,
    /// Ascending (first row, file ordinal, high 32 bits of the offset): which file and 4 GiB page the rows from there on belong to.
    pub pages: Vec<(u32, u32, u32)>,
    /// Records that could not be read at all: they have no values and get no key, but keep their place among the others.
    pub unread: Bitmap,
    /// The records that these are a sample of; `None` when they are all there are.
    pub sample_of: Option<SampleOf>,
}

/// The records that a sample was taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleOf {
    /// Number of all records.
    pub rows: u64,
    /// The number of each sampled one among them, from 0; none where a summary has merged them.
    pub numbers: Vec<u64>,
}

impl Records {
    /// Number of all records, be these a sample of them.
    pub fn all_rows(&self) -> u64 {
        self.sample_of.as_ref().map_or(self.rows as u64, |sample| sample.rows)
    }

    /// The number of a record among all, from 1, as a person counts the rows of a file; `None` where that is not known of a sample.
    pub fn number(&self, row: usize) -> Option<u64> {
        let number = match &self.sample_of {
            Some(sample) => *sample.numbers.get(row)?,
            None => row as u64,
        };
        Some(number + 1)
    }

    /// No records yet, of these fields.
    pub fn new(fields: &[Field]) -> Self {
        Self { columns: fields.iter().map(Column::new).collect(), ..Self::default() }
    }

    /// True if `rows` more records with `bytes` of text in all can be held: rows and bytes of a column are counted in 32 bits.
    pub fn has_room(&self, rows: usize, bytes: usize) -> bool {
        let most = u32::MAX as usize;
        let texts = self.columns.iter().filter_map(|column| match &column.values {
            ColumnValues::Strings { dictionary, .. } => Some(dictionary.entries.bytes.len()),
            ColumnValues::Integers(_) => None,
        });
        rows < most - self.rows && bytes < most - texts.max().unwrap_or(0).min(most)
    }

    /// Counts records that were added to the columns; they begin at `starts` (ascending) after byte `base` of the file of this ordinal.
    pub fn add_positions(&mut self, file: u32, base: u64, starts: &[u32]) {
        let high = |start: u32| ((base + u64::from(start)) >> 32) as u32;
        let mut first = 0;
        while let Some(&start) = starts.get(first) {
            let page = high(start);
            self.begin_page(self.rows, file, page);
            let here = starts.get(first..).unwrap_or_default();
            let here = here.get(..here.partition_point(|&start| high(start) == page)).unwrap_or_default();
            self.offsets.extend(here.iter().map(|&start| (base as u32).wrapping_add(start)));
            self.rows += here.len();
            first += here.len();
        }
    }

    /// Notes the file and the high bits of the place of the records from this row on, unless those before have the same.
    fn begin_page(&mut self, row: usize, file: u32, high: u32) {
        if self.pages.last().is_none_or(|&(_, last_file, last)| (last_file, last) != (file, high)) {
            self.pages.push((row as u32, file, high));
        }
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        let columns = self.columns.iter().map(|column| match &column.values {
            ColumnValues::Strings { ids, dictionary } => 4 * ids.capacity() + dictionary.memory(),
            ColumnValues::Integers(values) => 8 * values.capacity(),
        });
        columns.sum::<usize>() + 4 * self.offsets.capacity()
    }

    /// Bytes that so many values take in columns that have doubled as they grew, about. By it decisions are made that must not
    /// depend on how the records came.
    pub fn size(&self) -> usize {
        let columns = self.columns.iter().map(|column| match &column.values {
            ColumnValues::Strings { ids, dictionary } => 4 * ids.len() + dictionary.size(),
            ColumnValues::Integers(values) => 8 * values.len(),
        });
        let held = columns.sum::<usize>() + 4 * self.offsets.len();
        held + held / 2
    }

    /// Makes room for so many more records, as far as there is any.
    pub fn reserve(&mut self, rows: usize) {
        for column in &mut self.columns {
            let _ = match &mut column.values {
                ColumnValues::Strings { ids, .. } => ids.try_reserve_exact(rows),
                ColumnValues::Integers(values) => values.try_reserve_exact(rows),
            };
        }
        let _ = self.offsets.try_reserve_exact(rows);
    }

    /// Appends all records of `other`, which have the same columns: the same as if they had been read here.
    pub fn append_all(&mut self, other: Self) {
        if self.rows == 0 && self.sample_of.is_none() {
            *self = other;
            return;
        }
        let before = self.rows;
        for (column, from) in self.columns.iter_mut().zip(&other.columns) {
            match (&mut column.values, &from.values) {
                (ColumnValues::Integers(values), ColumnValues::Integers(more)) => values.extend(more),
                (
                    ColumnValues::Strings { ids, dictionary },
                    ColumnValues::Strings { ids: more, dictionary: texts },
                ) => dictionary.intern_entries(more.iter().copied(), texts, ids),
                _ => {}
            }
            from.invalid.rows().for_each(|row| column.invalid.set(before + row));
            let room = SHOWN_INVALID.saturating_sub(column.first_invalid.len());
            let first = from.first_invalid.iter().take(room);
            column
                .first_invalid
                .extend(first.map(|(row, text, code)| (before as u32 + row, text.clone(), *code)));
        }
        other.unread.rows().for_each(|row| self.unread.set(before + row));
        for &(first, file, high) in &other.pages {
            self.begin_page(before + first as usize, file, high);
        }
        self.offsets.extend(&other.offsets);
        self.rows += other.rows;
    }

    /// Each field of a record as text, a time in its own format; empty where the value is invalid.
    pub fn row_text(&self, row: usize) -> Vec<String> {
        self.columns.iter().map(|column| column.text(row)).collect()
    }

    /// The column of the field named `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field.name == name)
    }

    /// Position of each of these records, as [`Records::position`] gives it.
    pub fn positions(&self, rows: Range<usize>) -> impl Iterator<Item = (u32, u64)> {
        let mut next = self.pages.partition_point(|&(first, ..)| first as usize <= rows.start);
        let mut page = next.checked_sub(1).and_then(|at| self.pages.get(at)).copied().unwrap_or_default();
        rows.map(move |row| {
            while let Some(&other) = self.pages.get(next).filter(|(first, ..)| *first as usize <= row) {
                (page, next) = (other, next + 1);
            }
            let low = self.offsets.get(row).copied().unwrap_or_default();
            (page.1, u64::from(page.2) << 32 | u64::from(low))
        })
    }

    /// Position of a record: file ordinal and byte offset. Everything random or tie-breaking derives from it.
    pub fn position(&self, row: usize) -> (u32, u64) {
        let page = self.pages.partition_point(|&(first, ..)| first as usize <= row);
        let (_, file, high) =
            page.checked_sub(1).and_then(|i| self.pages.get(i)).copied().unwrap_or_default();
        let low = self.offsets.get(row).copied().unwrap_or_default();
        (file, u64::from(high) << 32 | u64::from(low))
    }
}
