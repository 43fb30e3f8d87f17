//! Records held in memory as columns: numbers as numbers, text as indices into a dictionary.

pub mod dictionary;

pub use dictionary::Dictionary;

use crate::field::Field;

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

    /// Whether `row` is marked.
    pub fn get(&self, row: usize) -> bool {
        self.words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Number of marked rows.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Text or bytes: for each row an index into the dictionary.
    Strings {
        /// Entry of the dictionary, a row each.
        ids: Vec<u32>,
        /// The texts.
        dictionary: Dictionary,
    },
    /// Integers, or times in milliseconds since the epoch, a row each.
    Integers(Vec<i64>),
}

/// A column: a declared field and its value in every record.
#[derive(Clone, Debug)]
pub struct Column {
    /// The field as declared.
    pub field: Field,
    /// Its values.
    pub values: Values,
    /// Rows whose text could not be read as the field's kind, or was missing.
    pub invalid: Bitmap,
    /// The first invalid values, for the report: row, text (cut to 200 bytes), message code.
    pub first_invalid: Vec<(u32, String, &'static str)>,
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
}

impl Records {
    /// The column of the field named `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.field.name == name)
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
