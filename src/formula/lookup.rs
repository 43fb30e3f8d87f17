//! Lookup tables: a number in place of each of the texts that a document lists.

use crate::base::map::Map;
use std::sync::Arc;

/// The lookup tables of a document by name.
pub type Lookups = Map<String, Arc<Lookup>>;

/// Texts, each with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// By text, ascending.
    entries: Vec<(String, i64)>,
    /// Numbers, ascending, each with the index of its text.
    by_number: Vec<(i64, usize)>,
}

impl Lookup {
    /// The table of these entries.
    pub fn new(entries: Map<String, i64>) -> Self {
        let entries: Vec<(String, i64)> = entries.into_iter().collect();
        let mut by_number: Vec<(i64, usize)> =
            entries.iter().enumerate().map(|(index, (_, number))| (*number, index)).collect();
        crate::bytes::sort::sort(&mut by_number);
        Self { entries, by_number }
    }

    /// Its entries, texts ascending.
    pub fn entries(&self) -> &[(String, i64)] {
        &self.entries
    }

    /// Its numbers, ascending; one that several texts have more than once.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        self.by_number.iter().map(|&(number, _)| number)
    }

    /// The number of a text.
    pub fn number(&self, text: &[u8]) -> Option<i64> {
        let found = self.entries.binary_search_by(|(entry, _)| entry.as_bytes().cmp(text)).ok()?;
        self.entries.get(found).map(|&(_, number)| number)
    }

    /// A text of that number.
    pub fn text(&self, number: i64) -> Option<&str> {
        let found = self.by_number.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        let &(_, index) = self.by_number.get(found)?;
        self.entries.get(index).map(|(text, _)| text.as_str())
    }
}
