//! Records to row keys: every design of a study in one pass, no allocation a row.
//!
//! A formula is a graph of steps over columns. A sub-formula of one dictionary column is computed once for each
//! distinct text and remembered under its printed form, for all designs; the others are computed for a batch of
//! rows at a time. Neighbouring parts that come from one dictionary column, with the literals between them, are
//! joined beforehand into one segment, so that a typical key is written with two or three copies.
//!
//! A refused record gets the empty key, which HBase allows to no row.

mod batch;
mod order;
mod segment;

use crate::base::map::Map;
use crate::bytes::sort::Codes;
use crate::bytes::sort::sort_distinct;
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::{Expression, Part, Typed};
use crate::formula::vector::Vector;
use crate::records::Records;
use batch::Batch;
use segment::{Distinct, Segment};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Rows encoded together: their columns stay in the cache between steps.
const BATCH: usize = 4096;

/// How many refused rows are remembered one by one.
const FIRST_REFUSED: usize = 20;

/// A row that got no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// Its index in the records.
    pub row: u32,
    /// The column whose value could not be taken; `None` when the key as a whole could not.
    pub column: Option<usize>,
    /// Message code that says why.
    pub code: &'static str,
}

/// The rows that got no key, counted by reason, with the first few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusedRows {
    /// Number of rows by message code and column.
    pub reasons: Map<(&'static str, Option<usize>), u64>,
    /// The first of them, in order of arrival.
    pub first: Vec<RefusedRow>,
}

impl RefusedRows {
    /// Number of refused rows.
    pub fn count(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Takes in the rows refused of records that come after.
    pub fn merge(&mut self, other: Self) {
        for (reason, count) in other.reasons {
            self.reasons.change(reason, |counted| *counted += count);
        }
        let room = FIRST_REFUSED.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(room));
    }

    fn add(&mut self, refused: RefusedRow) {
        self.reasons.change((refused.code, refused.column), |count| *count += 1);
        if self.first.len() < FIRST_REFUSED {
            self.first.push(refused);
        }
    }
}

/// The row keys of one design, one a record.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// The key of each record; empty for a refused one.
    pub keys: ByteStrings,
    /// A number for each key that orders as the keys do, when the design allows one.
    pub codes: Option<Codes>,
    /// The records that got none.
    pub refused: RefusedRows,
}

/// The first parts of a key, as far as they follow from one dictionary column.
pub struct Beginning<'e> {
    /// Entry of each record.
    ids: &'e [u32],
    /// The bytes of those parts for each entry.
    pub values: &'e ByteStrings,
    /// How many parts they are.
    pub parts: usize,
}

impl Beginning<'_> {
    /// The entry of each of these records.
    pub fn entries(&self, rows: Range<usize>) -> &[u32] {
        self.ids.get(rows).unwrap_or_default()
    }

    /// What the key of a record begins with.
    pub fn of(&self, row: usize) -> &[u8] {
        self.ids.get(row).map_or(&[], |&id| self.values.get(id as usize))
    }
}

/// Compiled formulas over records.
pub struct Encoder<'a> {
    records: &'a Records,
    /// Column of each field that the formulas speak of.
    columns: Vec<Option<usize>>,
    designs: Vec<Vec<Segment<'a>>>,
    /// How many parts of each design are in its first segment.
    first_parts: Vec<usize>,
    /// Columns that some design reads, with those that have unusable values.
    used: Vec<Vec<usize>>,
    memo: HashMap<String, Rc<Distinct>>,
}

impl<'a> Encoder<'a> {
    /// Compiles `designs` over `records`; `fields` are the names the formulas' field indices stand for.
    pub fn new(records: &'a Records, fields: &[&str], designs: &[&'a Typed]) -> Self {
        let columns = fields
            .iter()
            .map(|name| records.columns.iter().position(|column| column.field.name == *name))
            .collect();
        let mut encoder = Self {
            records,
            columns,
            designs: Vec::new(),
            first_parts: Vec::new(),
            used: Vec::new(),
            memo: HashMap::new(),
        };
        for typed in designs {
            let (segments, first_parts) = encoder.segments(typed);
            encoder.designs.push(segments);
            encoder.first_parts.push(first_parts);
            let mut used: Vec<usize> = typed
                .parts
                .iter()
                .flat_map(|part| &part.fields)
                .filter_map(|&field| encoder.column(field))
                .filter(|&column| records.columns[column].invalid.count() > 0)
                .collect();
            sort_distinct(&mut used);
            encoder.used.push(used);
        }
        encoder
    }

    fn column(&self, field: usize) -> Option<usize> {
        self.columns.get(field).copied().flatten()
    }

    /// The keys of all records, one set a design.
    pub fn encode(&self) -> Vec<Keys> {
        let designs = self.designs.iter().zip(&self.used);
        let mut all: Vec<Keys> = designs.clone().map(|_| Keys::default()).collect();
        for rows in self.batches() {
            let mut batch = Batch::new(self, rows.clone());
            for ((segments, used), Keys { keys, refused, .. }) in designs.clone().zip(&mut all) {
                batch.write(segments, used, keys, &mut |row| refused.add(row));
                if rows.start == 0 {
                    reserve(keys, self.records.rows);
                }
            }
        }
        for (keys, segments) in all.iter_mut().zip(&self.designs) {
            keys.codes = order::codes(segments, &keys.keys);
        }
        all
    }

    /// Rows in the portions they are encoded in.
    pub fn batches(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.records.rows;
        (0..rows).step_by(BATCH).map(move |start| start..(start + BATCH).min(rows))
    }

    /// Appends the keys of the records `rows`, one set a design; tells `refused` of each row that gets none, with its design.
    pub fn encode_rows(
        &self,
        rows: Range<usize>,
        all: &mut [ByteStrings],
        mut refused: impl FnMut(usize, RefusedRow),
    ) {
        let mut batch = Batch::new(self, rows);
        let designs = self.designs.iter().zip(&self.used).zip(all).enumerate();
        for (design, ((segments, used), keys)) in designs {
            batch.write(segments, used, keys, &mut |row| refused(design, row));
        }
    }

    /// The values of an expression for all records, those that are refused left out.
    pub fn values(&self, expression: &Expression) -> Vector {
        let mut batch = Batch::new(self, 0..self.records.rows);
        let evaluated = batch.evaluate(expression);
        let (values, refused) = &*evaluated;
        let mut refused = refused.iter().map(|&(index, _)| index).peekable();
        let mut kept = |index: usize| refused.next_if_eq(&(index as u32)).is_none();
        match values {
            Vector::Integers(all) => Vector::Integers(
                all.iter().enumerate().filter(|(index, _)| kept(*index)).map(|(_, &value)| value).collect(),
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

    /// The bytes of each part of the keys of all records, one set of strings a part; empty where they are refused.
    pub fn all_parts(&self, typed: &Typed) -> Vec<ByteStrings> {
        let mut batch = Batch::new(self, 0..self.records.rows);
        let parts = typed.parts.iter().map(|part| match &batch.evaluate(&part.expression).0 {
            Vector::Strings(values) => values.clone(),
            Vector::Integers(_) => ByteStrings::default(),
        });
        parts.collect()
    }

    /// What the keys of a design begin with, where that follows from one dictionary column.
    pub fn beginning(&self, design: usize) -> Option<Beginning<'_>> {
        match self.designs.get(design)?.first()? {
            Segment::Distinct { ids, values, .. } => {
                Some(Beginning { ids, values, parts: self.first_parts.get(design).copied()? })
            }
            _ => None,
        }
    }

    /// The length in bytes of each of these parts of a formula in the keys of `rows`.
    pub fn part_lengths(&self, parts: &[Part], rows: Range<usize>) -> Vec<Vec<u32>> {
        let mut batch = Batch::new(self, rows.clone());
        let lengths = parts.iter().map(|part| match &batch.evaluate(&part.expression).0 {
            Vector::Strings(values) => values.iter().map(|value| value.len() as u32).collect(),
            Vector::Integers(_) => vec![0; rows.len()],
        });
        lengths.collect()
    }

    /// The bytes of each part of the keys of these records, one set of strings a part.
    pub fn parts(&self, typed: &Typed, rows: &[u32]) -> Vec<ByteStrings> {
        let mut parts = vec![ByteStrings::default(); typed.parts.len()];
        for &row in rows {
            let mut batch = Batch::new(self, row as usize..row as usize + 1);
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
