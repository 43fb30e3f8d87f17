//! The values of a field and how often each comes.

use crate::bytes::sort::sort_distinct;
use crate::bytes::sort::sorted_rows;
use crate::records::field::write;
use crate::records::{Column, ColumnValues};

/// In place of a value where a record has none.
pub const NONE: u32 = u32::MAX;

/// The different values of a field in ascending order.
pub struct Values {
    /// Each as text.
    pub texts: Vec<String>,
    /// Each as a number, where the column holds numbers.
    pub numbers: Vec<i64>,
    /// Records that have it.
    pub counts: Vec<u32>,
    /// The value of each record, or [`NONE`].
    pub of_row: Vec<u32>,
    /// Records that have one.
    pub rows: u32,
    /// The lengths of all values in bytes, ascending.
    lengths: Vec<usize>,
}

impl Values {
    /// The values of a column.
    pub fn of(column: &Column) -> Self {
        let (texts, numbers, mut of_row) = match &column.values {
            ColumnValues::Strings { ids, dictionary } => {
                let mut texts: Vec<String> = Vec::new();
                let mut place_of = vec![NONE; dictionary.len()];
                let mut before = None;
                for entry in sorted_rows(&dictionary.entries) {
                    let bytes = dictionary.get(entry);
                    if before != Some(bytes) {
                        texts.push(write::string(&column.field, bytes));
                        before = Some(bytes);
                    }
                    if let Some(place) = place_of.get_mut(entry as usize) {
                        *place = texts.len() as u32 - 1;
                    }
                }
                let of_row = ids.iter().map(|&id| place_of.get(id as usize).copied().unwrap_or(NONE));
                (texts, Vec::new(), of_row.collect::<Vec<u32>>())
            }
            ColumnValues::Integers(values) => {
                let mut numbers: Vec<i64> =
                    (0..).zip(values).filter(|(row, _)| !column.invalid.get(*row)).map(|(_, v)| *v).collect();
                sort_distinct(&mut numbers);
                let texts = numbers.iter().map(|&number| write::number(&column.field, number)).collect();
                let place = |value: &i64| numbers.binary_search(value).map_or(NONE, |place| place as u32);
                let of_row = values.iter().map(place).collect();
                (texts, numbers, of_row)
            }
        };
        let mut counts = vec![0; texts.len()];
        let mut rows = 0;
        for (row, place) in of_row.iter_mut().enumerate() {
            if column.invalid.get(row) {
                *place = NONE;
            }
            if let Some(count) = counts.get_mut(*place as usize) {
                *count += 1;
                rows += 1;
            }
        }
        let mut lengths: Vec<usize> = texts.iter().map(String::len).collect();
        sort_distinct(&mut lengths);
        Self { texts, numbers, counts, of_row, rows, lengths }
    }

    /// True if a text is a value, or has one of four bytes or more within it.
    pub fn within(&self, text: &str) -> bool {
        let is_value = |part: &str| self.texts.binary_search_by(|value| value.as_str().cmp(part)).is_ok();
        let lengths = self.lengths.iter().filter(|&&length| length >= 4 && length < text.len());
        let mut parts = lengths.flat_map(|&length| {
            (0..=text.len() - length).filter_map(move |start| text.get(start..start + length))
        });
        is_value(text) || parts.any(is_value)
    }

    /// Number of different values.
    pub fn distinct(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// The most frequent values, at most `most`, none rarer than one record of 400 unless these are all.
    pub fn top(&self, most: usize) -> Vec<usize> {
        let all = self.distinct() <= most;
        let is_frequent =
            |count: u32| count > 0 && (all || count > 1 && u64::from(count) * 400 >= u64::from(self.rows));
        let counts = self.counts.iter().enumerate();
        let mut top: Vec<(u32, usize)> =
            counts.filter(|(_, count)| is_frequent(**count)).map(|(place, count)| (*count, place)).collect();
        top.sort_unstable_by(|a, b| b.cmp(a));
        top.into_iter().take(most).map(|(_, place)| place).collect()
    }

    /// Records per 10,000 with the value of the one before, beyond what chance brings.
    pub fn repeats(&self, order: &[u32]) -> u32 {
        let of = |row: &u32| self.of_row.get(*row as usize).copied().filter(|&place| place != NONE);
        let (mut pairs, mut same) = (0u32, 0u32);
        for pair in order.windows(2) {
            let [before, after] = pair else { continue };
            let (Some(before), Some(after)) = (of(before), of(after)) else { continue };
            pairs += 1;
            same += u32::from(before == after);
        }
        let squares: f64 = self.counts.iter().map(|&count| f64::from(count) * f64::from(count)).sum();
        let rows = f64::from(self.rows.max(1));
        let chance = squares / rows / rows;
        let share = f64::from(same) / f64::from(pairs.max(1));
        let noise = 3.0 * (chance * (1.0 - chance) / f64::from(pairs.max(1))).sqrt();
        if share - chance <= noise.max(0.01) || chance >= 1.0 {
            return 0;
        }
        ((share - chance) / (1.0 - chance) * 10_000.0) as u32
    }

    /// Share of neighboring records whose value rises, and of those whose value does not fall.
    pub fn rising(&self, order: &[u32]) -> (f64, f64) {
        let of = |row: &u32| self.of_row.get(*row as usize).copied().unwrap_or(NONE);
        let pairs = order.windows(2).filter_map(|pair| Some((of(pair.first()?), of(pair.last()?))));
        let (mut all, mut up, mut level) = (0u32, 0u32, 0u32);
        for (before, after) in pairs {
            all += 1;
            up += u32::from(after > before);
            level += u32::from(after == before);
        }
        let all = f64::from(all.max(1));
        (f64::from(up) / all, f64::from(up + level) / all)
    }
}
