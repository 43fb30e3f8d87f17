//! Records to row keys: every design of a study in one pass, no allocation a row.
//!
//! A formula is a graph of steps over columns. A sub-formula of one dictionary column is computed once for each
//! distinct text and remembered under its printed form, for all designs; the others are computed for a batch of
//! rows at a time. Neighbouring parts that come from one dictionary column, with the literals between them, are
//! joined beforehand into one segment, so that a typical key is written with two or three copies.
//!
//! A refused record gets the empty key, which HBase allows to no row.

mod batch;
mod column;
mod encoder;
mod first;
mod kinds;
mod order;
mod refused;
mod segment;
mod values;

pub use column::EncodedColumn;
pub use encoder::Encoder;
pub use first::FirstKeys;
pub use refused::{RefusedRow, RefusedRows};
pub use values::RecordValues;

use crate::base::host::tick;
use crate::bytes::sort::SortCodes;
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::formula::vector::Vector;
use batch::KeyBatch;
use segment::KeySegment;
use std::ops::Range;
use std::rc::Rc;

/// Rows encoded together: their columns stay in the cache between steps.
const BATCH: usize = 4096;

/// The row keys of one design, one a record.
#[derive(Clone, Debug, Default)]
pub struct EncodedKeys {
    /// The key of each record; empty for a refused one.
    pub keys: ByteStrings,
    /// A number for each key that orders as the keys do, when the design allows one.
    pub codes: Option<SortCodes>,
    /// The records that got none.
    pub refused: RefusedRows,
    /// The cells with formulas.
    pub columns: Vec<EncodedColumn>,
}

/// The first parts of a key, as far as they follow from one dictionary column.
pub struct KeyBeginning<'e> {
    /// Entry of each record.
    ids: &'e [u32],
    /// The bytes of those parts for each entry.
    pub values: &'e ByteStrings,
    /// How many parts they are.
    pub parts: usize,
}

impl KeyBeginning<'_> {
    /// The entry of each of these records.
    pub fn entries(&self, rows: Range<usize>) -> &[u32] {
        self.ids.get(rows).unwrap_or_default()
    }

    /// The first bytes of the key of a record.
    pub fn of(&self, row: usize) -> &[u8] {
        self.ids.get(row).map_or(&[], |&id| self.values.get(id as usize))
    }
}

impl Encoder<'_> {
    /// The keys of all records, one set a design.
    pub fn encode(&self) -> Vec<EncodedKeys> {
        let mut all: Vec<EncodedKeys> = self.designs.iter().map(|_| EncodedKeys::default()).collect();
        for rows in self.batches() {
            let mut batch = KeyBatch::new(self, rows.clone());
            for (formula, EncodedKeys { keys, refused, .. }) in self.designs.iter().zip(&mut all) {
                batch.write(formula, keys, &mut |row| refused.add(row));
                if rows.start == 0 {
                    reserve(keys, self.records.rows);
                }
            }
            for (cells, EncodedKeys { columns, .. }) in self.cells.iter().zip(&mut all) {
                columns.resize_with(cells.len(), EncodedColumn::default);
                cells.iter().zip(columns).for_each(|(cell, column)| column.add(cell, &mut batch));
            }
        }
        for (keys, formula) in all.iter_mut().zip(&self.designs) {
            keys.codes = order::codes(&formula.segments, &keys.keys);
        }
        all
    }

    /// Rows in the portions they are encoded in.
    pub fn batches(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        self.batches_from(0)
    }

    /// The same of the rows from `first` on.
    fn batches_from(&self, first: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.records.rows;
        (first..rows).step_by(BATCH).map(move |start| {
            tick(BATCH);
            start..(start + BATCH).min(rows)
        })
    }

    /// Appends the keys of the records `rows`, one set a design; tells `refused` of each row that gets none, with its design.
    pub fn encode_rows(
        &self,
        rows: Range<usize>,
        all: &mut [ByteStrings],
        mut refused: impl FnMut(usize, RefusedRow),
    ) {
        let mut batch = KeyBatch::new(self, rows);
        for (design, (formula, keys)) in self.designs.iter().zip(all).enumerate() {
            batch.write(formula, keys, &mut |row| refused(design, row));
        }
    }

    /// The cells with formulas of the records `rows`, for each design.
    pub fn columns(&self, rows: Range<usize>) -> Vec<Vec<EncodedColumn>> {
        let mut batch = KeyBatch::new(self, rows);
        let mut of = |cell| {
            let mut column = EncodedColumn::default();
            column.add(cell, &mut batch);
            column
        };
        self.cells.iter().map(|cells| cells.iter().map(&mut of).collect()).collect()
    }

    /// The values of an expression for all records, those that are refused left out.
    pub fn values(&self, expression: &Expression) -> Vector {
        let evaluated = KeyBatch::new(self, 0..self.records.rows).evaluate(expression);
        let (values, refused) = Rc::unwrap_or_clone(evaluated);
        if refused.is_empty() {
            return values;
        }
        let mut refused = refused.iter().map(|&(index, _)| index).peekable();
        let mut kept = |index: usize| refused.next_if_eq(&(index as u32)).is_none();
        match values {
            Vector::Integers(all) => Vector::Integers(
                all.into_iter()
                    .enumerate()
                    .filter(|(index, _)| kept(*index))
                    .map(|(_, value)| value)
                    .collect(),
            ),
            Vector::Strings(all) => {
                let mut strings = ByteStrings::default();
                all.iter()
                    .enumerate()
                    .filter(|(index, _)| kept(*index))
                    .for_each(|(_, value)| strings.push(value));
                Vector::Strings(strings)
            }
        }
    }

    /// The values of an expression for each record; `false` where a field has no usable value or a step rejects it.
    pub fn held_values(&self, expression: &Expression) -> (Vector, Vec<bool>) {
        let evaluated = KeyBatch::new(self, 0..self.records.rows).evaluate(expression);
        let (values, refused) = Rc::unwrap_or_clone(evaluated);
        let mut held = vec![true; self.records.rows];
        let mut fields = Vec::new();
        expression.fields(&mut fields);
        for column in fields.iter().filter_map(|&field| self.records.columns.get(self.column(field)?)) {
            (0..).zip(&mut held).for_each(|(row, held)| *held &= !column.invalid.get(row));
        }
        for (row, _) in refused {
            held.get_mut(row as usize).into_iter().for_each(|held| *held = false);
        }
        (values, held)
    }

    /// The first bytes of the keys of a design, where they follow from one dictionary column.
    pub fn beginning(&self, design: usize) -> Option<KeyBeginning<'_>> {
        let formula = self.designs.get(design)?;
        match formula.segments.first()? {
            KeySegment::Distinct { ids, values, .. } => {
                Some(KeyBeginning { ids, values, parts: formula.first_parts })
            }
            _ => None,
        }
    }

    /// The length in bytes of each of these parts of a formula in the keys of `rows`.
    pub fn part_lengths(&self, parts: &[TypedPart], rows: Range<usize>) -> Vec<Vec<u32>> {
        let mut batch = KeyBatch::new(self, rows.clone());
        let lengths = parts.iter().map(|part| match &batch.evaluate(&part.expression).0 {
            Vector::Strings(values) => values.iter().map(|value| value.len() as u32).collect(),
            Vector::Integers(_) => vec![0; rows.len()],
        });
        lengths.collect()
    }

    /// The bytes of each part of the keys of these records, one set of strings a part.
    pub fn parts(&self, typed: &TypedFormula, rows: &[u32]) -> Vec<ByteStrings> {
        let mut parts = vec![ByteStrings::default(); typed.parts.len()];
        for &row in rows {
            let mut batch = KeyBatch::new(self, row as usize..row as usize + 1);
            for (part, strings) in typed.parts.iter().zip(&mut parts) {
                match &batch.evaluate(&part.expression).0 {
                    Vector::Strings(values) => strings.push(values.get(0)),
                    Vector::Integers(_) => strings.push(&[]),
                }
            }
        }
        parts
    }
}

/// Reserves for `all` rows what those written so far have needed in proportion, with a little to spare.
fn reserve(keys: &mut ByteStrings, all: usize) {
    let (done, rest) = (keys.len().max(1), all.saturating_sub(keys.len()));
    let bytes = (keys.bytes.len() as u64 * rest as u64 / done as u64) as usize;
    // A failed reservation is no error: the arena then grows as it is filled.
    let _ = keys.bytes.try_reserve_exact(bytes + bytes / 64);
    let _ = keys.ends.try_reserve_exact(rest);
}
