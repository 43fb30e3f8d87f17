//! Keys that several records share, and rows: different keys.

use super::KeyTable;
use crate::bytes::sort::sort;
use crate::keys::duplicates::Duplicates;
use crate::keys::quarters::{QuarterRecords, quarters};
use std::ops::Range;

impl KeyTable {
    /// Places in key order whose key is that of the place before.
    fn repeats(&self) -> &[u32] {
        match self.runs.as_slice() {
            [run] => &run.repeats,
            _ => self.repeats.get_or_init(|| {
                let mut before: Option<&[u8]> = None;
                let keys = (0..).zip(self.iter_from(0).map(|(_, key)| key));
                keys.filter(|(_, key)| before.replace(*key) == Some(*key)).map(|(place, _)| place).collect()
            }),
        }
    }

    /// Hands on the rows of each key, keys in order: the earlier row first.
    pub fn each_key(&self, mut visit: impl FnMut(&[u32])) {
        let mut repeats = self.repeats().iter().copied().peekable();
        let mut rows: Vec<u32> = Vec::new();
        let mut add = |(place, row): (u32, u32)| {
            if repeats.next_if_eq(&place).is_none() && !rows.is_empty() {
                visit(&rows);
                rows.clear();
            }
            rows.push(row);
        };
        match self.runs.as_slice() {
            [run] => (0..).zip(run.order.iter().map(|row| run.first_row + row)).for_each(&mut add),
            _ => (0..).zip(self.iter_from(0).map(|(row, _)| row)).for_each(&mut add),
        }
        if !rows.is_empty() {
            visit(&rows);
        }
    }

    /// The rows, in order, whose key another row has too: of more than so many, those of the first keys.
    pub fn shared_rows(&self, most: usize) -> Vec<u32> {
        let mut rows = Vec::new();
        self.each_shared(0..self.len(), |own| {
            if rows.len() < most {
                rows.extend_from_slice(own);
            }
        });
        sort(&mut rows);
        rows
    }

    /// Hands on the rows of each key that several of the records at these places have, keys in order: the earlier row first.
    pub fn each_shared(&self, places: Range<usize>, mut visit: impl FnMut(&[u32])) {
        let repeats = self.repeats();
        let from = |place: usize| repeats.partition_point(|&repeat| (repeat as usize) < place);
        let within = from(places.start + 1)..from(places.end);
        let mut rows: Vec<u32> = Vec::new();
        // Neighbours are of one key, and so is the place before the first of them.
        for own in repeats.get(within).unwrap_or_default().chunk_by(|one, other| one + 1 == *other) {
            let first = own.first().map(|first| first.saturating_sub(1));
            rows.clear();
            rows.extend(first.iter().chain(own).map(|&place| self.row_at(place)));
            visit(&rows);
        }
    }

    /// Number of rows: different keys.
    pub fn rows(&self) -> usize {
        self.rows_at(0..self.len())
    }

    /// Number of different keys at these places in key order.
    pub fn rows_at(&self, places: Range<usize>) -> usize {
        let repeats = self.repeats();
        let before = |end: usize| repeats.partition_point(|&place| (place as usize) < end);
        // The first key counts, even if it is that of the place before.
        let repeated = before(places.end).saturating_sub(before(places.start + 1));
        places.len() - repeated.min(places.len())
    }

    /// The part of these places that holds the first `rows` different keys; in the other direction the last.
    pub fn first_rows(&self, places: Range<usize>, rows: usize, reversed: bool) -> Range<usize> {
        let (mut low, mut high) = (0, places.len());
        let first = |count: usize| match reversed {
            true => places.end - count..places.end,
            false => places.start..places.start + count,
        };
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match self.rows_at(first(middle)) <= rows {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        first(low)
    }

    /// Keys that several records share; where qualifiers differ between records, those of records that write the same cells.
    pub fn duplicates(&self) -> Duplicates {
        if let Some(cells) = self.cells() {
            return cells.hidden;
        }
        match self.runs.as_slice() {
            [run] => {
                let repeats = run.repeats.iter().map(|&place| place as usize);
                Duplicates::of_repeats(repeats, |place| (self.row_at(place as u32), run.key(place)))
            }
            _ => Duplicates::of(self.iter_from(0)),
        }
    }

    /// The quarters of the records in order of time, and how many of each are the first of their key; `None` where fewer than four
    /// have a time. `times` are those of the records that have a key, in any order, and `time` gives that of a record.
    pub fn quarters(
        &self,
        times: Vec<i64>,
        time: impl Fn(u32) -> Option<i64>,
    ) -> Option<[QuarterRecords; 4]> {
        let row = |place: u32| self.row_at(place);
        let (mut again, mut first, mut last) = (Vec::new(), None, None);
        for &place in self.repeats() {
            let before = place.checked_sub(1);
            // The earliest record of a key is its first, wherever it stands among them.
            if last != before {
                first = before.and_then(|before| time(row(before)));
            }
            last = Some(place);
            let Some(time) = time(row(place)) else { continue };
            again.extend(first.map(|first: i64| first.max(time)));
            first = Some(first.map_or(time, |first| first.min(time)));
        }
        quarters(times, &again)
    }
}
