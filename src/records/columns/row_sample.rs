//! A uniform sample of the records, as records: what-if questions are answered from it when not all fit into memory.

use super::{ColumnValues, Records, SampleOf};
use crate::bytes::position::position_hash;
use std::sync::Arc;

/// A row and the hash of its position.
pub(crate) type HashedRow = (u32, u64);

/// Records whose position hashes below a bound; the bound falls as records come, so that at most a set number is held.
///
/// Which records stay depends on their positions alone, not on how they were cut into portions. The last portion waits as
/// it is until the next one comes: by then half of its share is mostly out again, and is never copied.
#[derive(Clone, Debug)]
pub struct RowSample {
    records: Records,
    /// The hash of the position of each.
    hashes: Vec<u64>,
    /// The last portion, with those of its records that are in: row and hash of each.
    waiting: Option<(Arc<Records>, Vec<HashedRow>)>,
    /// Records that came before that portion.
    before: u64,
    /// Most records held.
    limit: usize,
    /// Records stay whose hash is not above this: all at first, then half as many each time.
    bound: u64,
}

impl RowSample {
    /// A sample of at most `limit` records.
    pub fn new(limit: usize) -> Self {
        Self {
            records: Records::default(),
            hashes: Vec::new(),
            waiting: None,
            before: 0,
            limit,
            bound: u64::MAX,
        }
    }

    /// Takes its share of `more`, which have the same columns as all before.
    pub fn add(&mut self, more: Arc<Records>) {
        let before = self.bound;
        let mut added = more.hashed(before);
        let waiting = self.waiting.iter().flat_map(|(_, rows)| rows).chain(&added).map(|(_, hash)| hash);
        let bound = lowered(before, self.limit, self.hashes.iter().chain(waiting).copied());
        self.bound = bound;
        if bound < before {
            let held = (0..).zip(&self.hashes).filter(|(_, hash)| **hash <= bound).map(|(row, _)| row);
            self.records = self.records.chosen(&held.collect::<Vec<u32>>());
            self.hashes.retain(|hash| *hash <= bound);
            let waiting = self.waiting.iter_mut().map(|(_, rows)| rows).chain([&mut added]);
            waiting.for_each(|rows| rows.retain(|(_, hash)| *hash <= bound));
        }
        self.settle();
        self.waiting = Some((more, added));
    }

    /// The last portion's records that are in, when they are all those that hash to no more than `bound`.
    pub(crate) fn last_up_to(&self, bound: u64) -> Option<&[HashedRow]> {
        self.waiting.as_ref().filter(|_| bound <= self.bound).map(|(_, rows)| rows.as_slice())
    }

    /// Copies what is in of the portion that waits.
    fn settle(&mut self) {
        if let Some((more, rows)) = self.waiting.take() {
            if self.records.columns.is_empty() {
                self.records = Records::like(&more);
            }
            self.hashes.extend(rows.iter().map(|(_, hash)| hash));
            self.records.append(&more, &rows_of(&rows));
            let sample = self.records.sample_of.get_or_insert_default();
            sample.numbers.extend(rows.iter().map(|(row, _)| self.before + u64::from(*row)));
            self.before += more.rows as u64;
            sample.rows = self.before;
        }
    }

    /// Lowers the number of records held to so many rows, and further where they take more than so many bytes.
    pub fn keep_within(&mut self, bytes: usize, rows: usize) {
        self.limit = self.limit.min(rows).max(1);
        let held = self.records.memory();
        if held > bytes {
            let share = self.records.rows as u64 * bytes as u64 / held as u64;
            self.limit = self.limit.min(share as usize).max(1);
        }
    }

    /// The sampled records, in order of arrival.
    pub fn records(&mut self) -> &Records {
        self.settle();
        &self.records
    }
}

/// The bound, halved until at most `limit` of the hashes are not above it. All of its bits below the first are set.
fn lowered(mut bound: u64, limit: usize, hashes: impl Iterator<Item = u64>) -> u64 {
    // A halving leaves out the hashes with as many leading zeros as the bound.
    let mut by_zeros = [0; 65];
    let mut held = 0;
    for hash in hashes.filter(|hash| *hash <= bound) {
        held += 1;
        if let Some(count) = by_zeros.get_mut(hash.leading_zeros() as usize) {
            *count += 1;
        }
    }
    while bound > 0 && held > limit {
        held -= by_zeros.get(bound.leading_zeros() as usize).copied().unwrap_or(0);
        bound /= 2;
    }
    bound
}

fn rows_of(hashed: &[HashedRow]) -> Vec<u32> {
    hashed.iter().map(|(row, _)| *row).collect()
}

impl Records {
    /// Those whose position does not hash above a bound.
    pub(crate) fn hashed(&self, bound: u64) -> Vec<HashedRow> {
        let mut hashed = Vec::new();
        (0..).zip(self.positions(0..self.rows)).for_each(|(row, position)| {
            let hash = position_hash(position);
            if hash <= bound {
                hashed.push((row, hash));
            }
        });
        hashed
    }

    /// At most `limit` of them, as a [`RowSample`] would hold them.
    pub fn sampled(&self, limit: usize) -> Self {
        if self.rows <= limit {
            return self.chosen(&(0..self.rows as u32).collect::<Vec<_>>());
        }
        // Far fewer rows than all lie below a bound that is sure to be lowered further.
        let likely = u64::MAX >> (self.rows / limit.max(1) / 4).max(1).ilog2();
        let (likely, mut hashed) = match self.hashed(likely) {
            few if few.len() <= limit => (u64::MAX, self.hashed(u64::MAX)),
            hashed => (likely, hashed),
        };
        let bound = lowered(likely, limit, hashed.iter().map(|(_, hash)| *hash));
        hashed.retain(|(_, hash)| *hash <= bound);
        self.chosen(&rows_of(&hashed))
    }

    /// At most `limit` of `rows`, both ascending: those whose positions have the lowest hashes.
    pub fn sampled_rows(&self, mut rows: Vec<u32>, limit: usize) -> Vec<u32> {
        if rows.len() > limit {
            let hashed = || {
                let mut wanted = rows.iter().copied().peekable();
                let all = (0..).zip(self.positions(0..self.rows));
                let wanted = all.filter(move |(row, _)| wanted.next_if_eq(row).is_some());
                wanted.map(|(row, position)| (row, position_hash(position)))
            };
            let bound = lowered(u64::MAX, limit, hashed().map(|(_, hash)| hash));
            rows = hashed().filter(|(_, hash)| *hash <= bound).map(|(row, _)| row).collect();
        }
        rows
    }

    /// These rows, which ascend, as a sample.
    pub fn chosen(&self, rows: &[u32]) -> Self {
        self.chosen_of(rows, self.all_rows())
    }

    /// These records, all of some sort that there are.
    pub fn part(&self, rows: &[u32]) -> Self {
        let of_all = self.all_rows() as f64 / self.rows.max(1) as f64;
        self.chosen_of(rows, (rows.len() as f64 * of_all).round() as u64)
    }

    /// These records, as a sample of so many.
    fn chosen_of(&self, rows: &[u32], all: u64) -> Self {
        let mut chosen = Self::like(self);
        chosen.append(self, rows);
        let numbers = rows.iter().filter_map(|&row| Some(self.number(row as usize)? - 1)).collect();
        chosen.sample_of = Some(SampleOf { rows: all, numbers });
        chosen
    }

    /// No records yet, of the same fields.
    pub fn like(other: &Self) -> Self {
        Self {
            columns: other.columns.iter().map(|column| super::Column::new(&column.field)).collect(),
            ..Self::default()
        }
    }

    /// Appends the values of these rows of records that have the same columns.
    pub(super) fn append_values(&mut self, other: &Self, rows: &[u32]) {
        for (column, from) in self.columns.iter_mut().zip(&other.columns) {
            let before = self.rows;
            match (&mut column.values, &from.values) {
                (ColumnValues::Integers(values), ColumnValues::Integers(more)) => {
                    values
                        .extend(rows.iter().map(|&row| more.get(row as usize).copied().unwrap_or_default()));
                }
                (
                    ColumnValues::Strings { ids, dictionary },
                    ColumnValues::Strings { ids: more, dictionary: texts },
                ) => {
                    let entries = rows.iter().filter_map(|&row| more.get(row as usize));
                    dictionary.intern_entries(entries.copied(), texts, ids);
                }
                _ => {}
            }
            if from.invalid.count() == 0 {
                continue;
            }
            for (index, &row) in rows.iter().enumerate().filter(|(_, row)| from.invalid.get(**row as usize)) {
                if other.unread.get(row as usize) {
                    column.invalid.set(before + index);
                    continue;
                }
                let known = from.first_invalid.iter().find(|(invalid, ..)| *invalid == row);
                let (text, code) = known.map_or(("", "row.value-unusable"), |(_, text, code)| (text, *code));
                column.note_invalid(before + index, text.as_bytes(), code);
            }
        }
    }

    /// Appends these rows, which ascend, of records that have the same columns.
    pub fn append(&mut self, other: &Self, rows: &[u32]) {
        self.append_values(other, rows);
        if other.unread.count() > 0 {
            let unread = rows.iter().enumerate().filter(|(_, row)| other.unread.get(**row as usize));
            unread.for_each(|(index, _)| self.unread.set(self.rows + index));
        }
        let page = |row: u32| other.pages.partition_point(|&(first, ..)| first <= row);
        let mut rest = rows;
        while let Some(&first) = rest.first() {
            let end = other.pages.get(page(first)).map_or(u32::MAX, |&(next, ..)| next);
            let (here, after) = rest.split_at(rest.partition_point(|&row| row < end));
            let (file, offset) = other.position(first as usize);
            let offsets = here.iter().filter_map(|&row| other.offsets.get(row as usize).copied());
            self.add_positions(file, offset & !u64::from(u32::MAX), &offsets.collect::<Vec<u32>>());
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::field::{Field, Kind};
    use proptest::prelude::*;

    fn field(name: &str, kind: Kind) -> Field {
        Field {
            name: name.to_owned(),
            kind,
            format: None,
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: false,
        }
    }

    /// Records that hold their number as text and as a number; every fifth number is invalid.
    fn records(numbers: std::ops::Range<u32>) -> Records {
        let mut records = Records::new(&[field("text", Kind::Text), field("number", Kind::Integer)]);
        for number in numbers {
            let row = records.rows;
            for column in &mut records.columns {
                match &mut column.values {
                    ColumnValues::Strings { ids, dictionary } => {
                        ids.push(dictionary.intern(number.to_string().as_bytes()))
                    }
                    ColumnValues::Integers(values) => values.push(number.into()),
                }
                if column.field.kind == Kind::Integer && number % 5 == 0 {
                    column.note_invalid(row, b"bad", "field.not-an-integer");
                }
            }
            records.add_positions(0, u64::from(number) << 28, &[7]);
        }
        records
    }

    proptest! {
        #[test]
        fn the_sample_is_the_same_however_the_records_are_cut(
            rows in 0u32..500, limit in 1usize..200, cuts in prop::collection::vec(0u32..500, 0..5),
        ) {
            let mut whole = RowSample::new(limit);
            whole.add(Arc::new(records(0..rows)));
            let mut parts = RowSample::new(limit);
            let mut ends: Vec<u32> = cuts.into_iter().filter(|&cut| cut < rows).chain([0, rows]).collect();
            ends.sort_unstable();
            ends.windows(2).for_each(|cut| parts.add(Arc::new(records(cut[0]..cut[1]))));
            let (whole, parts) = (whole.records(), parts.records());
            prop_assert_eq!(whole.rows, parts.rows);
            prop_assert_eq!((whole.all_rows(), parts.all_rows()), (u64::from(rows), u64::from(rows)));
            prop_assert!(whole.rows <= limit && (rows == 0 || whole.rows > 0 || limit < 20));
            for row in 0..whole.rows {
                prop_assert_eq!(whole.row_text(row), parts.row_text(row));
                prop_assert_eq!(whole.position(row), parts.position(row));
                let number = whole.position(row).1 >> 28;
                prop_assert_eq!((whole.number(row), parts.number(row)), (Some(number + 1), Some(number + 1)));
                let shown = if number % 5 == 0 { String::new() } else { number.to_string() };
                prop_assert_eq!(whole.row_text(row), vec![number.to_string(), shown]);
            }
        }
    }
}
