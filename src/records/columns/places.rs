//! Places for records that have none in a file, by their values; and records that come later in their file than they were read.

use super::{ColumnValues, Records};
use crate::base::host::tick;
use crate::bytes::position::mix;
use std::collections::HashMap;

/// Different records that are told from their equals: beyond them a record counts as the first of its kind.
const TOLD_APART: usize = 1 << 22;
/// Stands for a value that cannot be used.
const UNUSABLE: u64 = 0x5bd1_e995_9e37_79b9;

/// Gives records a place by the hash of their values and their count among equals, whatever the order they come in.
#[derive(Clone, Debug, Default)]
pub struct ValuePlaces {
    seen: HashMap<u64, u32>,
}

impl ValuePlaces {
    /// Places these records in a file of this ordinal.
    pub fn place(&mut self, records: &mut Records, file: u32) {
        records.offsets.clear();
        records.pages.clear();
        let hashes = hashes(records);
        records.offsets.reserve(hashes.len());
        for (row, hash) in (0..).zip(hashes) {
            let full = self.seen.len() >= TOLD_APART;
            let equals = match self.seen.get_mut(&hash) {
                Some(seen) => {
                    *seen = seen.saturating_add(1);
                    *seen
                }
                None if full => 0,
                None => self.seen.insert(hash, 0).unwrap_or_default(),
            };
            let place = mix(hash ^ u64::from(equals));
            let page = (place >> 32) as u32;
            records.offsets.push(place as u32);
            records.pages.push((row, file, page));
        }
    }
}

impl Records {
    /// At most so many of these rows in the order of a column's numbers, whatever their order in a file: equals by their other values,
    /// and of too many those with the lowest hashes of all values.
    pub fn in_order_of(&self, column: &str, mut rows: Vec<u32>, most: usize) -> Self {
        let hashes = hashes(self);
        let hash = |row: u32| hashes.get(row as usize).copied().unwrap_or_default();
        tick(self.rows);
        // As signed numbers in the order of unsigned ones.
        rows = sorted_by(rows, |row| (hash(row) ^ 1 << 63) as i64);
        rows.truncate(most);
        tick(self.rows);
        if let Some(ColumnValues::Integers(values)) = self.column(column).map(|of| &of.values) {
            rows = sorted_by(rows, |row| values.get(row as usize).copied().unwrap_or_default());
        }
        let mut ordered = Self::like(self);
        ordered.append_values(self, &rows);
        ordered.rows = rows.len();
        ordered.sample_of = (self.all_rows() > rows.len() as u64)
            .then(|| super::SampleOf { rows: self.all_rows(), numbers: Vec::new() });
        ValuePlaces::default().place(&mut ordered, 0);
        ordered
    }

    /// Moves the place of each record on by so many bytes of its file.
    pub fn move_on(&mut self, bytes: u64) {
        let places: Vec<(u32, u64)> = self.positions(0..self.rows).collect();
        self.pages.clear();
        self.offsets.clear();
        for (row, (file, place)) in places.into_iter().enumerate() {
            let place = place + bytes;
            self.begin_page(row, file, (place >> 32) as u32);
            self.offsets.push(place as u32);
        }
    }
}

/// These rows in ascending order of their numbers, equals in the order they had.
fn sorted_by(rows: Vec<u32>, number: impl Fn(u32) -> i64) -> Vec<u32> {
    let mut numbered: Vec<(i64, u32)> = rows.iter().map(|&row| number(row)).zip(0..).collect();
    numbered.sort_unstable();
    numbered.into_iter().filter_map(|(_, place)| rows.get(place as usize).copied()).collect()
}

/// The hash of the values of each record.
fn hashes(records: &Records) -> Vec<u64> {
    let mut hashes = vec![0u64; records.rows];
    for column in &records.columns {
        let mut add = |row: usize, value: u64| {
            let value = if column.invalid.get(row) { UNUSABLE } else { value };
            if let Some(hash) = hashes.get_mut(row) {
                *hash = mix(hash.rotate_left(1) ^ value);
            }
        };
        match &column.values {
            ColumnValues::Integers(values) => {
                values.iter().enumerate().for_each(|(row, &value)| add(row, mix(value as u64)));
            }
            ColumnValues::Strings { ids, dictionary } => {
                let entries: Vec<u64> = dictionary.entries.iter().map(of_bytes).collect();
                let of = |id: u32| entries.get(id as usize).copied().unwrap_or_default();
                ids.iter().enumerate().for_each(|(row, &id)| add(row, of(id)));
            }
        }
    }
    hashes
}

/// A well-mixed hash of bytes.
fn of_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |hash: u64, word: u64| mix(hash.rotate_left(29) ^ word);
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    step(hash, rest.iter().fold(0, |rest, &byte| rest << 8 | u64::from(byte)))
}

impl Records {
    /// Gives files other ordinals.
    pub fn renumber_files(&mut self, ordinal: impl Fn(u32) -> u32) {
        self.pages.iter_mut().for_each(|(_, file, _)| *file = ordinal(*file));
    }
}
