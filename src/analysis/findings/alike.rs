//! Equal values among sampled rows.

use crate::bytes::strings::ByteStrings;
use crate::records::Dictionary;

/// Which values are equal. Those of refused records are empty, and no values.
pub struct EqualValues {
    /// The number of each row's value.
    ids: Vec<u32>,
    /// The values by number.
    values: ByteStrings,
    /// Rows of each.
    rows: Vec<usize>,
}

impl EqualValues {
    /// Among the values of some rows: so few that a dictionary holds each once.
    pub fn of(values: &ByteStrings) -> Self {
        let (mut dictionary, mut ids) = (Dictionary::default(), Vec::new());
        dictionary.intern_all(values.iter(), &mut ids);
        let mut rows = vec![0; dictionary.len()];
        for &id in &ids {
            if let Some(rows) = rows.get_mut(id as usize) {
                *rows += 1;
            }
        }
        Self { ids, values: dictionary.entries, rows }
    }

    fn counted(&self) -> impl Iterator<Item = (u32, &[u8], usize)> {
        let all = (0..).zip(self.values.iter()).zip(&self.rows);
        all.map(|((id, value), &rows)| (id, value, rows)).filter(|(_, value, _)| !value.is_empty())
    }

    /// How many different values there are.
    pub fn distinct(&self) -> usize {
        self.counted().count()
    }

    /// How many rows have a value that another row had before.
    pub fn repeated(&self) -> usize {
        self.counted().map(|(.., rows)| rows - 1).sum()
    }

    /// The number of the value with most rows, the value, and its rows.
    pub fn most(&self) -> Option<(u32, &[u8], usize)> {
        self.counted().max_by_key(|&(_, value, rows)| (rows, value))
    }

    /// Whether a row has the value of this number.
    pub fn has(&self, row: usize, id: u32) -> bool {
        self.ids.get(row) == Some(&id)
    }
}
