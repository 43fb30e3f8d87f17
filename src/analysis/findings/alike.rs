//! Equal values among rows.

use crate::base::host::tick;
use crate::bytes::strings::ByteStrings;
use crate::keys::encode::RecordValues;
use crate::records::Dictionary;

/// The distinct values of some rows. Empty values are those of rows that are refused, and do not count.
pub struct EqualValues {
    /// The number of each row's value.
    ids: Vec<u32>,
    /// The values by number, each once.
    values: ByteStrings,
    /// Rows of each.
    rows: Vec<usize>,
    /// How many they are.
    distinct: usize,
    /// The number of the one with most rows.
    most: Option<u32>,
}

impl EqualValues {
    /// Among the values of some rows. A value that several are known to share is looked up once.
    pub fn of(all: &RecordValues) -> Self {
        tick(all.len());
        let mut values = Dictionary::of_every_text();
        let mut ids = Vec::with_capacity(all.held().count());
        values.intern_all(all.held().map(|(value, _)| value), &mut ids);
        let mut rows = vec![0; values.len()];
        for (&id, (_, more)) in ids.iter().zip(all.held()) {
            if let Some(rows) = rows.get_mut(id as usize) {
                *rows += more;
            }
        }
        let ids = all.by_row(ids);
        let mut found = Self { ids, values: values.entries, rows, distinct: 0, most: None };
        found.distinct = found.counted().count();
        found.most = found.counted().max_by_key(|&(_, value, rows)| (rows, value)).map(|(id, ..)| id);
        found
    }

    fn counted(&self) -> impl Iterator<Item = (u32, &[u8], usize)> {
        let all = (0..).zip(self.values.iter()).zip(&self.rows);
        let all = all.map(|((id, value), &rows)| (id, value, rows));
        all.filter(|(_, value, rows)| !value.is_empty() && *rows > 0)
    }

    /// The number of different values.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// The number of different values among all rows when these are a sample of them, after Chao (1984): from the values
    /// seen once and those seen twice. At least those seen, at most `all_rows`.
    pub fn distinct_among(&self, all_rows: f64) -> f64 {
        let seen = |times: usize| self.counted().filter(|&(.., rows)| rows == times).count() as f64;
        let (once, twice) = (seen(1), seen(2));
        // The form for small counts: without a value seen twice the other divides by nothing.
        let unseen = once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0));
        (self.distinct() as f64 + unseen).min(all_rows)
    }

    /// Number of rows whose value an earlier row has too.
    pub fn repeated(&self) -> usize {
        self.counted().map(|(.., rows)| rows - 1).sum()
    }

    /// The number of the value with most rows, the value, and its rows.
    pub fn most(&self) -> Option<(u32, &[u8], usize)> {
        let id = self.most?;
        Some((id, self.values.get(id as usize), self.rows.get(id as usize).copied()?))
    }

    /// True when a row has the value of this number.
    pub fn has(&self, row: usize, id: u32) -> bool {
        self.ids.get(row) == Some(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl Iterator<Item = u64>) -> EqualValues {
        let mut all = ByteStrings::default();
        values.for_each(|value| all.push(&value.to_be_bytes()));
        EqualValues::of(&all.into())
    }

    #[test]
    fn every_value_is_counted_once_however_many_there_are() {
        // More than a dictionary of records takes in.
        let values = of((0..300_000).map(|row| row % 155_848));
        assert_eq!((values.distinct(), values.repeated()), (155_848, 300_000 - 155_848));
        assert!(values.has(155_848, 0) && !values.has(155_848, 1));
    }

    #[test]
    fn a_sample_tells_about_how_many_values_there_are() {
        let mixed = |row: u64| crate::bytes::position::mix(row);
        for (values, rows) in [(155_848, 1_469_307), (1_000, 1_000_000), (3_000_000, 2_000_000_000)] {
            let sample = of((0..262_144).map(|row| mixed(row) % values));
            let found = sample.distinct_among(rows as f64);
            let off = found / values as f64 - 1.0;
            assert!(off.abs() < 0.03, "{values} values are taken for {found}");
        }
        assert_eq!(of(0..1000).distinct_among(5000.0), 5000.0);
    }
}
