//! The values that an expression, or parts of a key, have for records.

use super::batch::KeyBatch;
use super::encoder::Encoder;
use super::reserve;
use super::segment::KeySegment;
use crate::bytes::row;
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::Expression;
use crate::formula::vector::Vector;

/// The values of records. Where they follow from one dictionary column, each is held once for each of its entries.
#[derive(Clone, Debug, Default)]
pub struct RecordValues {
    /// The place in `values` of each record's; `None` where each record has one of its own.
    ids: Option<Vec<u32>>,
    values: ByteStrings,
    /// Records of each value; empty where each record has one of its own.
    rows: Vec<usize>,
}

impl From<ByteStrings> for RecordValues {
    /// A value for each record.
    fn from(values: ByteStrings) -> Self {
        Self { ids: None, values, rows: Vec::new() }
    }
}

impl RecordValues {
    fn of_entries(ids: &[u32], values: ByteStrings) -> Self {
        let mut rows = vec![0; values.len()];
        for &id in ids {
            if let Some(rows) = rows.get_mut(id as usize) {
                *rows += 1;
            }
        }
        Self { ids: Some(ids.to_vec()), values, rows }
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.ids.as_ref().map_or(self.values.len(), Vec::len)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a record.
    pub fn get(&self, row: usize) -> &[u8] {
        match &self.ids {
            Some(ids) => ids.get(row).map_or(&[], |&id| self.values.get(id as usize)),
            None => self.values.get(row),
        }
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> usize {
        self.held().map(|(value, rows)| value.len() * rows).sum()
    }

    /// The values that are held, with the number of records that each stands for: 0 for an entry that no record has. Equal ones
    /// may come several times.
    pub fn held(&self) -> impl Iterator<Item = (&[u8], usize)> {
        let rows = |at: usize| if self.ids.is_some() { self.rows.get(at).copied().unwrap_or(0) } else { 1 };
        self.values.iter().enumerate().map(move |(at, value)| (value, rows(at)))
    }

    /// The same of values that some record has.
    pub fn used(&self) -> impl Iterator<Item = (&[u8], usize)> {
        self.held().filter(|(_, rows)| *rows > 0)
    }

    /// From what each held value has, what each record has.
    pub fn by_row(&self, of_held: Vec<u32>) -> Vec<u32> {
        match &self.ids {
            Some(ids) => ids.iter().map(|&id| of_held.get(id as usize).copied().unwrap_or(0)).collect(),
            None => of_held,
        }
    }
}

impl Encoder<'_> {
    /// The values of an expression for all records; numbers as eight bytes. Those that are refused are left out.
    pub fn values_of(&mut self, expression: &Expression) -> RecordValues {
        let found = self.dictionary(expression).map(|column| self.distinct(expression, column));
        let bytes = |values: Vector| match values {
            Vector::Strings(values) => values,
            Vector::Integers(values) => {
                let mut all = ByteStrings::default();
                values.iter().for_each(|value| all.push(&value.to_be_bytes()));
                all
            }
        };
        match found.filter(|found| found.refused.is_empty()) {
            Some(found) => RecordValues::of_entries(self.ids(found.column), bytes(found.values.clone())),
            None => bytes(self.values(expression)).into(),
        }
    }

    /// The keys of a design for all records; empty ones for those that are refused.
    pub fn keys_of(&self, design: usize) -> RecordValues {
        let mut keys = ByteStrings::default();
        let Some(formula) = self.designs.get(design) else { return keys.into() };
        if let [KeySegment::Distinct { ids, values, refused, .. }] = formula.segments.as_slice()
            && refused.is_empty()
            && formula.used.is_empty()
            && self.records.unread.count() == 0
            && values.iter().all(|key| row::check_length(key.len()).is_ok())
        {
            return RecordValues::of_entries(ids, values.clone());
        }
        for rows in self.batches() {
            let is_first = rows.start == 0;
            KeyBatch::new(self, rows).write(formula, &mut keys, &mut |_| ());
            if is_first {
                reserve(&mut keys, self.records.rows);
            }
        }
        keys.into()
    }
}
