//! A uniform sample of the records, as records: what-if questions are answered from it when not all fit into memory.

use super::{Records, Values};
use crate::summary::sample::position_hash;

/// Records whose position hashes below a bound; the bound falls as records come, so that at most a set number is held.
///
/// Which records stay depends on their positions alone, not on how they were cut into portions.
#[derive(Clone, Debug)]
pub struct RowSample {
    records: Records,
    /// Most records held.
    limit: usize,
    /// Records stay whose hash is not above this: all at first, then half as many each time.
    bound: u64,
}

impl RowSample {
    /// Of at most `limit` records.
    pub fn new(limit: usize) -> Self {
        Self { records: Records::default(), limit, bound: u64::MAX }
    }

    /// Takes its share of `more`, which have the same columns as all before.
    pub fn add(&mut self, more: &Records) {
        if self.records.columns.is_empty() {
            self.records = Records::like(more);
        }
        let before = self.bound;
        let mut kept = chosen(&self.records, self.bound);
        let mut added = chosen(more, self.bound);
        while kept.len() + added.len() > self.limit && self.bound > 0 {
            self.bound /= 2;
            (kept, added) = (chosen(&self.records, self.bound), chosen(more, self.bound));
        }
        if self.bound < before {
            let all = std::mem::take(&mut self.records);
            self.records = Records::like(&all);
            self.records.append(&all, &kept);
        }
        self.records.append(more, &added);
    }

    /// The sampled records, in order of arrival.
    pub fn records(&self) -> &Records {
        &self.records
    }
}

fn chosen(records: &Records, bound: u64) -> Vec<u32> {
    let stays = |&row: &u32| position_hash(records.position(row as usize)) <= bound;
    (0..records.rows as u32).filter(stays).collect()
}

impl Records {
    /// No records yet, of the same fields.
    pub fn like(other: &Self) -> Self {
        Self {
            columns: other.columns.iter().map(|column| super::Column::new(&column.field)).collect(),
            ..Self::default()
        }
    }

    /// Appends these rows of records that have the same columns.
    pub fn append(&mut self, other: &Self, rows: &[u32]) {
        for (column, from) in self.columns.iter_mut().zip(&other.columns) {
            let before = self.rows;
            match (&mut column.values, &from.values) {
                (Values::Integers(values), Values::Integers(more)) => {
                    values
                        .extend(rows.iter().map(|&row| more.get(row as usize).copied().unwrap_or_default()));
                }
                (Values::Strings { ids, dictionary }, Values::Strings { ids: more, dictionary: texts }) => {
                    let text = |&row: &u32| more.get(row as usize).map_or(&[][..], |&id| texts.get(id));
                    dictionary.intern_all(rows.iter().map(text), ids);
                }
                _ => {}
            }
            for (index, &row) in rows.iter().enumerate().filter(|(_, row)| from.invalid.get(**row as usize)) {
                let known = from.first_invalid.iter().find(|(invalid, ..)| *invalid == row);
                let (text, code) = known.map_or(("", "row.value-unusable"), |(_, text, code)| (text, *code));
                column.note_invalid(before + index, text.as_bytes(), code);
            }
        }
        for &row in rows {
            let (file, offset) = other.position(row as usize);
            let high = offset & !u64::from(u32::MAX);
            self.add_positions(file, high, &[offset as u32]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Field, Kind};
    use proptest::prelude::*;

    fn field(name: &str, kind: Kind) -> Field {
        Field { name: name.to_owned(), kind, format: None, zone: None, width: None }
    }

    /// Records that hold their number as text and as a number; every fifth number is invalid.
    fn records(numbers: std::ops::Range<u32>) -> Records {
        let mut records = Records::new(&[field("text", Kind::Text), field("number", Kind::Integer)]);
        for number in numbers {
            let row = records.rows;
            for column in &mut records.columns {
                match &mut column.values {
                    Values::Strings { ids, dictionary } => {
                        ids.push(dictionary.intern(number.to_string().as_bytes()))
                    }
                    Values::Integers(values) => values.push(number.into()),
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
            whole.add(&records(0..rows));
            let mut parts = RowSample::new(limit);
            let mut ends: Vec<u32> = cuts.into_iter().filter(|&cut| cut < rows).chain([0, rows]).collect();
            ends.sort_unstable();
            ends.windows(2).for_each(|cut| parts.add(&records(cut[0]..cut[1])));
            let (whole, parts) = (whole.records(), parts.records());
            prop_assert_eq!(whole.rows, parts.rows);
            prop_assert!(whole.rows <= limit && (rows == 0 || whole.rows > 0 || limit < 20));
            for row in 0..whole.rows {
                prop_assert_eq!(whole.row_text(row), parts.row_text(row));
                prop_assert_eq!(whole.position(row), parts.position(row));
                let number = whole.position(row).1 >> 28;
                let shown = if number % 5 == 0 { String::new() } else { number.to_string() };
                prop_assert_eq!(whole.row_text(row), vec![number.to_string(), shown]);
            }
        }
    }
}
