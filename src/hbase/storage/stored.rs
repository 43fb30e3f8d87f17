//! How many cells a table stores, and how long they are.

use super::lengths::KeyLengths;
use super::repeats::NewRows;
use crate::base::figures::share;
use crate::design::{Design, Family, RecordCell, WriteKind};
use crate::formula::typed::{TypedColumn, TypedFormula};
use crate::keys::figures::{ColumnFigures, LengthFigures};
use crate::records::field::shape::Width;
use crate::scan::RowCells;

/// Families with the formulas of their cells.
#[derive(Clone, Copy, Default)]
pub struct StoredFamilies<'a> {
    /// The families.
    pub families: &'a [Family],
    /// Formulas of cells.
    pub columns: &'a [TypedColumn],
    /// Number of the family, and of the cell in it, of each of them.
    pub places: &'a [(usize, usize)],
    /// Name of the table.
    pub table: &'a str,
    /// True if records increment the counters of a row: it is that of all its records.
    pub are_counters: bool,
    /// The versions that remain of the records and the cells that they are of, by family; empty where they are not counted.
    pub versions: &'a [[u64; 2]],
}

impl<'a> From<&'a Design> for StoredFamilies<'a> {
    fn from(design: &'a Design) -> Self {
        Self {
            families: &design.families,
            columns: &design.typed.columns,
            places: &design.columns,
            table: &design.name,
            are_counters: design.writes == WriteKind::Counter,
            versions: &[],
        }
    }
}

impl<'a> From<StoredFamilies<'a>> for RowCells<'a> {
    fn from(of: StoredFamilies<'a>) -> Self {
        Self { families: of.families, columns: of.columns, are_counters: of.are_counters }
    }
}

impl<'a> From<&'a [Family]> for StoredFamilies<'a> {
    fn from(families: &'a [Family]) -> Self {
        Self { families, ..Self::default() }
    }
}

/// A cell over all rows.
#[derive(Clone, Debug)]
pub(super) struct StoredCell {
    /// Its qualifier as the design has it.
    pub name: String,
    /// The bytes of it, where all rows have the same.
    pub literal: Option<Vec<u8>>,
    /// Number of them in the table.
    pub count: u64,
    /// Length of its qualifier: the mean, the longest.
    pub qualifier: [u64; 2],
    /// Length of its value: the mean, the longest.
    pub value: [u64; 2],
    /// Bytes of all its row keys, of its qualifiers, and of its values.
    pub bytes: [u64; 3],
    /// True if lengths are fixed or measured.
    pub exact: bool,
    /// True if the records of a row share it.
    pub packed: bool,
}

impl StoredFamilies<'_> {
    /// Rows of so many records.
    pub fn rows(&self, keys: &KeyLengths, records: u64) -> u64 {
        let measured = keys.cells.as_ref().filter(|_| keys.count > 0 && self.is_named());
        match measured {
            Some(cells) => share(records, cells.rows, keys.count),
            None if records > keys.count => match NewRows::of(keys) {
                Some(new) => new.rows(records),
                None => Self::scaled(keys, records),
            },
            None => Self::scaled(keys, records),
        }
    }

    /// Rows of so many records where as many share a key as of those that were measured.
    fn scaled(keys: &KeyLengths, records: u64) -> u64 {
        match keys.count {
            0 => records,
            _ => share(records, keys.duplicates.kept(keys.count, 1), keys.count),
        }
    }

    /// Bytes of so many row keys, each once.
    fn row_bytes(&self, keys: &KeyLengths, rows: u64) -> u64 {
        let measured = keys.cells.as_ref().filter(|_| keys.count > 0 && self.is_named());
        measured.map_or_else(|| keys.of_rows(rows), |cells| share(rows, cells.row_bytes, cells.rows))
    }

    /// True if records of one row key can write other cells.
    pub(super) fn is_named(&self) -> bool {
        self.columns.iter().any(|column| column.qualifier.is_some())
    }

    /// The versions that remain of the cells of a family, of so many records, and those cells, as counted.
    fn kept(&self, family: usize, keys: &KeyLengths, records: u64) -> [u64; 2] {
        let counted = self.versions.get(family).filter(|_| records == keys.count);
        match counted {
            Some(&[kept, cells]) if cells > 0 => [kept, cells],
            _ => [1, 1],
        }
    }

    /// The cells of a family, of so many records.
    pub(super) fn cells(&self, family: usize, keys: &KeyLengths, records: u64) -> Vec<StoredCell> {
        let cells = self.families.get(family).into_iter().flat_map(|family| &family.cells).enumerate();
        cells.map(|(place, cell)| self.cell((family, place), cell, keys, records)).collect()
    }

    fn cell(&self, place: (usize, usize), cell: &RecordCell, keys: &KeyLengths, records: u64) -> StoredCell {
        let index = self.places.iter().position(|other| *other == place);
        let formulas = index.and_then(|index| self.columns.get(index));
        let measured = index.and_then(|index| keys.cells.as_ref()?.columns.get(index));
        let measured = measured.filter(|_| keys.count > 0);
        let rows = self.rows(keys, records);
        let named = formulas.and_then(|column| column.qualifier.as_ref());
        let (count, row_bytes) = match (measured, named) {
            (Some(of), Some(_)) => {
                let count = share(records, of.cells, keys.count);
                (count, share(count, of.row_bytes, of.cells))
            }
            (Some(of), None) => {
                let count = share(rows, keys.count.saturating_sub(of.missing), keys.count);
                (count, self.row_bytes(keys, count))
            }
            (None, Some(_)) => (records, keys.of_rows(records)),
            (None, None) => (rows, self.row_bytes(keys, rows)),
        };
        // A family of few rows does not tell which: their keys are taken to be as long as all are.
        let held = self.families.get(place.0).map_or(rows, |family| family.rows.of(rows));
        let some = held < rows;
        let [count, row_bytes] = match some {
            true => [count, row_bytes].map(|all| share(all, held, rows)),
            false => [count, row_bytes],
        };
        // The last record that writes a cell tells how long it is.
        let once = measured.is_none_or(|of| match named {
            Some(_) => of.cells == of.values.count,
            None => of.missing == 0 && rows == records,
        });
        let estimated = keys.cells.as_ref().is_some_and(|cells| cells.estimated);
        let lengths = |of: fn(&ColumnFigures) -> LengthFigures| measured.map(of);
        let literal = cell.qualifier.bytes();
        let fixed = literal.as_ref().map_or(0, |bytes| bytes.len() as u64);
        let qualifier = CellLength::new(named, lengths(|of| of.qualifiers), fixed);
        let sized = formulas.and_then(|column| column.value.as_ref());
        let fixed = cell.value.each().unwrap_or(0).into();
        let mut value = CellLength::new(sized, lengths(|of| of.values), fixed);
        if cell.value.is_packed() {
            let written = measured.filter(|_| sized.is_some()).map(|of| of.values.count);
            let written = written.map_or(records, |written| share(records, written, keys.count));
            value = value.packed(written, count, keys.most());
        }
        let [kept, of] = self.kept(place.0, keys, records);
        // Which cells of several have how many versions is not known, nor how long those are that remain.
        let alone = self.families.get(place.0).is_some_and(|family| family.cells.len() == 1);
        let fixed = alone && named.is_none() && sized.is_none() && keys.max == Some(keys.min);
        let [count, row_bytes] = [count, row_bytes].map(|all| share(all, kept, of));
        StoredCell {
            name: cell.qualifier.to_string(),
            literal,
            count,
            qualifier: [qualifier.mean(), qualifier.longest],
            value: [value.mean(), value.longest],
            bytes: [row_bytes, qualifier.all(count), value.all(count)],
            packed: cell.value.is_packed(),
            exact: qualifier.exact
                && value.exact
                && !(some && (sized.is_some() || named.is_some() || keys.max != Some(keys.min)))
                && !estimated
                && (kept == of || fixed)
                && (sized.is_none() || once || cell.value.is_packed()),
        }
    }
}

/// Lengths of qualifiers or values: `bytes` for `of` of them.
struct CellLength {
    bytes: u64,
    of: u64,
    longest: u64,
    exact: bool,
}

impl CellLength {
    /// As measured, as the formula has it, or the same in all rows.
    fn new(typed: Option<&TypedFormula>, measured: Option<LengthFigures>, fixed: u64) -> Self {
        match (typed, measured) {
            (Some(_), Some(LengthFigures { count, bytes, max, .. })) => {
                Self { bytes, of: count.max(1), longest: max, exact: true }
            }
            (Some(typed), None) => {
                let Width { min, max } = typed.shape.width;
                let (longest, exact) = (max.unwrap_or(min), max == Some(min));
                Self { bytes: min.saturating_add(longest), of: 2, longest, exact }
            }
            (None, _) => Self { bytes: fixed, of: 1, longest: fixed, exact: true },
        }
    }

    /// The bytes that so many records add to so many cells, at most `most` of them to one.
    fn packed(self, records: u64, cells: u64, most: u64) -> Self {
        let longest = self.longest.saturating_mul(most);
        Self { bytes: self.all(records), of: cells.max(1), longest, exact: self.exact }
    }

    fn mean(&self) -> u64 {
        self.bytes / self.of.max(1)
    }

    fn all(&self, count: u64) -> u64 {
        share(count, self.bytes, self.of)
    }
}
