//! Where records land when a field has another value: made-up values are chosen so that the region stays the same.

use crate::bytes::row::to_string_binary;
use crate::design::Design;
use crate::design::split::SplitPoints;
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::records::field::read::FieldReading;
use crate::records::{Column, ColumnValues, Records};

/// The region of a record that has no key.
pub const NOWHERE: u32 = u32::MAX;

/// A table with the region of each record.
pub struct Landing<'a> {
    records: &'a Records,
    names: &'a [&'a str],
    design: &'a Design,
    points: SplitPoints,
    regions: Vec<u32>,
}

impl<'a> Landing<'a> {
    /// The regions of records by their keys; `None` where the split points are wrong or there is one region.
    pub fn new(
        records: &'a Records,
        names: &'a [&'a str],
        design: &'a Design,
        keys: &EncodedKeys,
    ) -> Option<Self> {
        let points = design.splits.points().ok().filter(|points| points.regions() > 1)?;
        let regions = regions(keys, &points);
        Some(Self { records, names, design, points, regions })
    }

    /// Number of regions.
    pub fn count(&self) -> usize {
        self.points.regions()
    }

    /// The region of a record.
    pub fn of(&self, row: u32) -> u32 {
        self.regions.get(row as usize).copied().unwrap_or(NOWHERE)
    }

    /// The characters that a region's start key begins with, as far as they are text.
    pub fn start(&self, region: u32) -> String {
        let (start, _) = self.points.boundaries(region as usize);
        to_string_binary(start).split('\\').next().unwrap_or_default().to_owned()
    }

    /// The regions of records whose value in one column is another text.
    pub fn with(&self, column: usize, changed: &[(u32, String)]) -> Vec<u32> {
        let mut records = Records::like(self.records);
        let columns = records.columns.iter_mut().zip(&self.records.columns).enumerate();
        for (index, (to, from)) in columns {
            let reading = FieldReading::new(&from.field).ok().filter(|_| index == column);
            for (place, (row, text)) in changed.iter().enumerate() {
                let row = *row as usize;
                let invalid = match &reading {
                    Some(reading) => put(to, reading, text.as_bytes()),
                    None => copy(to, from, row),
                };
                if invalid {
                    to.note_invalid(place, b"", "row.value-unusable");
                }
            }
        }
        (0..changed.len() as u32).for_each(|row| records.add_positions(0, 0, &[row]));
        let keys = Encoder::new(&records, self.names, &[&self.design.typed]).encode().pop();
        regions(&keys.unwrap_or_default(), &self.points)
    }
}

fn regions(keys: &EncodedKeys, points: &SplitPoints) -> Vec<u32> {
    let region = |key: &[u8]| if key.is_empty() { NOWHERE } else { points.region_of(key) as u32 };
    keys.keys.iter().map(region).collect()
}

/// Appends a text as the value of a column; true when it is none.
fn put(column: &mut Column, reading: &FieldReading, text: &[u8]) -> bool {
    match &mut column.values {
        ColumnValues::Strings { ids, dictionary } => {
            let mut bytes = Vec::new();
            let read = reading.to_bytes(text, &mut bytes);
            ids.push(dictionary.intern(&bytes));
            read.is_err()
        }
        ColumnValues::Integers(values) => {
            let read = reading.to_number(text);
            values.push(read.unwrap_or_default());
            read.is_err()
        }
    }
}

/// Appends the value of a row of another column; true when it has none.
fn copy(to: &mut Column, from: &Column, row: usize) -> bool {
    match (&mut to.values, &from.values) {
        (
            ColumnValues::Strings { ids, dictionary },
            ColumnValues::Strings { ids: others, dictionary: texts },
        ) => {
            let id = others.get(row).copied().unwrap_or_default();
            ids.push(dictionary.intern(texts.get(id)));
        }
        (ColumnValues::Integers(values), ColumnValues::Integers(others)) => {
            values.push(others.get(row).copied().unwrap_or_default());
        }
        _ => {}
    }
    from.invalid.get(row)
}
