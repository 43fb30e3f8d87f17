//! Sorted keys with the time and row of each: what makes a redraw cheap.
//!
//! New split points are binary searches and one pass over the time buckets; nothing is encoded or sorted again.
//! A table is one or more sorted runs, so that parts made by several workers answer as one.

mod shared;

use crate::base::host::tick;
use crate::bytes::sort::{SortCodes, sorted_rows};
use crate::bytes::strings::ByteStrings;
use crate::design::split::RankedKeys;
use crate::keys::cells::CellCounts;
use crate::keys::encode::{EncodedColumn, EncodedKeys, RefusedRows};
use crate::keys::lengths::KeyLengthSpread;
use std::ops::Range;
use std::sync::OnceLock;

/// Keys in HBase's order, in one or more sorted runs.
pub trait SortedKeys {
    /// Number of runs.
    fn runs(&self) -> usize;

    /// Number of keys of a run.
    fn run_len(&self, run: usize) -> usize;

    /// The key of a run by its place in key order.
    fn key(&self, run: usize, place: usize) -> &[u8];

    /// Bytes of the keys at these places of a run.
    fn bytes(&self, run: usize, places: Range<usize>) -> u64 {
        places.map(|place| self.key(run, place).len() as u64).sum()
    }
}

/// One sorted run: keys in order of arrival, and their order.
#[derive(Clone, Debug, Default)]
struct SortedRun {
    keys: ByteStrings,
    /// Rows of this run in key order, refused ones left out.
    order: Vec<u32>,
    /// Places in `order` whose key is that of the place before.
    repeats: Vec<u32>,
    /// Row number of the run's first record.
    first_row: u32,
    /// Bytes of every key, when all are as long.
    key_length: Option<usize>,
    /// The cells with formulas.
    columns: Vec<EncodedColumn>,
}

impl SortedRun {
    fn key(&self, rank: usize) -> &[u8] {
        self.order.get(rank).map_or(&[], |&row| self.keys.get(row as usize))
    }

    fn lower_bound(&self, key: &[u8]) -> usize {
        self.order.partition_point(|&row| self.keys.get(row as usize) < key)
    }

    fn upper_bound(&self, key: &[u8]) -> usize {
        self.order.partition_point(|&row| self.keys.get(row as usize) <= key)
    }
}

/// Places in `order` whose key is that of the place before.
fn repeats(keys: &ByteStrings, order: &[u32]) -> Vec<u32> {
    let key = |row: u32| keys.get(row as usize);
    let pairs = (1..).zip(order.windows(2));
    pairs.filter(|(_, pair)| matches!(pair, [a, b] if key(*a) == key(*b))).map(|(place, _)| place).collect()
}

/// Bytes of every key but the empty ones, when all are as long.
fn common_length(keys: &ByteStrings) -> Option<usize> {
    let mut lengths = keys.iter().map(<[u8]>::len).filter(|&length| length > 0);
    lengths.next().filter(|&first| lengths.all(|length| length == first))
}

/// The keys of a design in HBase's order.
#[derive(Clone, Debug, Default)]
pub struct KeyTable {
    runs: Vec<SortedRun>,
    /// Places in key order whose key is that of the place before, where there are several runs; found when it is asked for.
    repeats: OnceLock<Vec<u32>>,
    /// The records that got no key, over all runs.
    pub refused: RefusedRows,
}

impl KeyTable {
    /// A table of one run: sorts the keys, whose first belongs to record `first_row`.
    pub fn new(keys: EncodedKeys, first_row: u32) -> Self {
        let (order, repeats) = keys.codes.map_or_else(
            || {
                let mut order = sorted_rows(&keys.keys);
                // The empty key marks a refused record and sorts first.
                let refused = order.partition_point(|&row| keys.keys.get(row as usize).is_empty());
                order.drain(..refused);
                let repeats = repeats(&keys.keys, &order);
                (order, repeats)
            },
            SortCodes::sorted,
        );
        tick(order.len());
        let key_length = common_length(&keys.keys);
        Self {
            runs: vec![SortedRun {
                keys: keys.keys,
                order,
                repeats,
                first_row,
                key_length,
                columns: keys.columns,
            }],
            repeats: OnceLock::new(),
            refused: keys.refused,
        }
    }

    /// Both tables as one; rows of `other` come after those of `self` in order of arrival.
    pub fn merge(mut self, other: Self) -> Self {
        self.runs.extend(other.runs);
        self.repeats = OnceLock::new();
        self.refused.merge(other.refused);
        self
    }

    /// Number of keys, duplicates counted.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.order.len()).sum()
    }

    /// True if there is no key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many keys sort below `key`.
    pub fn rank(&self, key: &[u8]) -> usize {
        self.runs.iter().map(|run| run.lower_bound(key)).sum()
    }

    /// Hands on the rows at these places in key order.
    pub fn each_row(&self, places: Range<usize>, mut visit: impl FnMut(u32)) {
        match self.runs.as_slice() {
            [run] => {
                let rows = run.order.get(places).unwrap_or_default();
                rows.iter().for_each(|&row| visit(run.first_row + row));
            }
            _ => self.iter_from(places.start).take(places.len()).for_each(|(row, _)| visit(row)),
        }
    }

    /// Where each run stands when `rank` keys have been taken in order.
    fn cut(&self, rank: usize) -> Vec<usize> {
        if let [run] = self.runs.as_slice() {
            return vec![rank.min(run.order.len())];
        }
        // The key at `rank` lies in some run; it is found there by bisection on the rank over all runs.
        for (index, run) in self.runs.iter().enumerate() {
            let below = |at: usize| -> usize {
                let key = run.key(at);
                let count = |(other, run): (usize, &SortedRun)| match other.cmp(&index) {
                    std::cmp::Ordering::Less => run.upper_bound(key),
                    std::cmp::Ordering::Equal => at,
                    std::cmp::Ordering::Greater => run.lower_bound(key),
                };
                self.runs.iter().enumerate().map(count).sum()
            };
            let (mut low, mut high) = (0, run.order.len());
            while low < high {
                let middle = low + (high - low) / 2;
                if below(middle) < rank {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if low < run.order.len() && below(low) == rank {
                let key = run.key(low);
                let place = |(other, run): (usize, &SortedRun)| match other.cmp(&index) {
                    std::cmp::Ordering::Less => run.upper_bound(key),
                    std::cmp::Ordering::Equal => low,
                    std::cmp::Ordering::Greater => run.lower_bound(key),
                };
                return self.runs.iter().enumerate().map(place).collect();
            }
        }
        self.runs.iter().map(|run| run.order.len()).collect()
    }

    /// Keys in order from `rank` on, with the row of each: the earlier row first among equal keys.
    pub fn iter_from(&self, rank: usize) -> impl Iterator<Item = (u32, &[u8])> {
        let mut at = self.cut(rank);
        std::iter::from_fn(move || {
            let next = (0..self.runs.len())
                .filter(|&run| at[run] < self.runs[run].order.len())
                .min_by_key(|&run| self.runs[run].key(at[run]))?;
            let run = &self.runs[next];
            let row = *run.order.get(at[next])?;
            at[next] += 1;
            Some((run.first_row + row, run.keys.get(row as usize)))
        })
    }

    /// The key at `rank` with its row; `None` past the end.
    pub fn select(&self, rank: usize) -> Option<(u32, &[u8])> {
        self.iter_from(rank).next()
    }

    /// The row of the key at a place in key order.
    fn row_at(&self, place: u32) -> u32 {
        match self.runs.as_slice() {
            [run] => run.order.get(place as usize).map_or(0, |row| run.first_row + row),
            _ => self.select(place as usize).map_or(0, |(row, _)| row),
        }
    }

    /// A column in the order of the runs: what `value` gives for each row.
    pub fn column<T>(&self, value: impl Fn(u32) -> T) -> Vec<Vec<T>> {
        tick(self.len());
        let of = |run: &SortedRun| run.order.iter().map(|&row| value(run.first_row + row)).collect();
        self.runs.iter().map(of).collect()
    }

    fn run_of(&self, row: u32) -> Option<(&SortedRun, usize)> {
        let run = self.runs.iter().rev().find(|run| run.first_row <= row)?;
        Some((run, (row - run.first_row) as usize))
    }

    /// The key of a record; empty of one that has none.
    pub fn key_of(&self, row: u32) -> &[u8] {
        self.run_of(row).map_or(&[], |(run, at)| run.keys.get(at))
    }

    /// The cells with formulas that a record writes, and its place in them.
    pub fn columns_of(&self, row: u32) -> Option<(&[EncodedColumn], usize)> {
        self.run_of(row).map(|(run, at)| (run.columns.as_slice(), at))
    }

    /// True if records of one key can write cells of their own, and so share a row.
    pub fn is_wide(&self) -> bool {
        self.runs.first().is_some_and(|run| run.columns.iter().any(EncodedColumn::is_named))
    }

    /// Rows and cells, where records of one key write cells of their own; `None` where no cell has a formula.
    pub fn cells(&self) -> Option<CellCounts> {
        let columns = self.runs.first().map_or(0, |run| run.columns.len());
        if columns == 0 {
            return None;
        }
        let mut counts = CellCounts::new(columns);
        let mut together: Vec<u32> = Vec::new();
        let mut of_row: &[u8] = &[];
        for (row, key) in self.iter_from(0) {
            if key != of_row {
                counts.add_row(of_row, &together, |row| self.columns_of(row));
                together.clear();
                of_row = key;
            }
            together.push(row);
        }
        counts.add_row(of_row, &together, |row| self.columns_of(row));
        Some(counts)
    }

    /// True for each of so many records that has a key.
    pub fn keyed(&self, records: usize) -> Vec<bool> {
        let mut keyed = vec![self.len() == records; records];
        if self.len() < records {
            self.column(|row| row).into_iter().flatten().for_each(|row| {
                if let Some(keyed) = keyed.get_mut(row as usize) {
                    *keyed = true;
                }
            });
        }
        keyed
    }

    /// Total bytes of the keys, and the shortest and longest.
    pub fn lengths(&self) -> KeyLengthSpread {
        let mut lengths = KeyLengthSpread::default();
        for run in &self.runs {
            for key in run.keys.iter().filter(|key| !key.is_empty()) {
                lengths.add(key.len());
            }
        }
        lengths
    }

    /// Bytes of memory it holds.
    pub fn memory(&self) -> usize {
        let of = |run: &SortedRun| {
            run.keys.bytes.capacity()
                + 4 * (run.keys.ends.capacity() + run.order.capacity() + run.repeats.capacity())
                + run.columns.iter().map(EncodedColumn::memory).sum::<usize>()
        };
        self.runs.iter().map(of).sum()
    }
}

impl RankedKeys for KeyTable {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, rank: usize) -> &[u8] {
        self.select(rank).map_or(&[], |(_, key)| key)
    }

    fn below(&self, key: &[u8]) -> usize {
        self.rank(key)
    }
}

impl SortedKeys for KeyTable {
    fn runs(&self) -> usize {
        self.runs.len()
    }

    fn run_len(&self, run: usize) -> usize {
        self.runs.get(run).map_or(0, |run| run.order.len())
    }

    fn key(&self, run: usize, place: usize) -> &[u8] {
        self.runs.get(run).map_or(&[], |run| run.key(place))
    }

    fn bytes(&self, run: usize, places: Range<usize>) -> u64 {
        let Some(run) = self.runs.get(run) else { return 0 };
        match run.key_length {
            Some(length) => (places.len() * length) as u64,
            None => places.map(|place| run.key(place).len() as u64).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::report::count;
    use crate::design::split::Splits;
    use proptest::prelude::*;

    fn table(keys: &[Vec<u8>], first_row: u32) -> KeyTable {
        let mut all = EncodedKeys::default();
        keys.iter().for_each(|key| all.keys.push(key));
        KeyTable::new(all, first_row)
    }

    fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
        prop::collection::vec(
            prop::collection::vec(prop::sample::select(vec![0, b'a', b'b', 0xff]), 1..4),
            0..60,
        )
    }

    proptest! {
        #[test]
        fn several_runs_answer_as_one(parts in prop::collection::vec(keys(), 1..4), point in keys()) {
            let all: Vec<Vec<u8>> = parts.concat();
            let whole = table(&all, 0);
            let mut first = 0;
            let mut merged = KeyTable::default();
            for part in &parts {
                merged = merged.merge(table(part, first));
                first += part.len() as u32;
            }
            prop_assert_eq!(merged.len(), whole.len());
            for rank in 0..=all.len() {
                prop_assert_eq!(merged.select(rank), whole.select(rank));
            }
            prop_assert_eq!(merged.duplicates(), whole.duplicates());
            let of_keys = |table: &KeyTable| {
                let mut rows: Vec<Vec<u32>> = Vec::new();
                table.each_key(|own| rows.push(own.to_vec()));
                rows
            };
            let each = of_keys(&whole);
            prop_assert_eq!(&of_keys(&merged), &each);
            let mut expected: Vec<Vec<u32>> = Vec::new();
            let mut before: Option<&[u8]> = None;
            for (row, key) in whole.iter_from(0) {
                match expected.last_mut().filter(|_| before == Some(key)) {
                    Some(rows) => rows.push(row),
                    None => expected.push(vec![row]),
                }
                before = Some(key);
            }
            prop_assert_eq!(&each, &expected);
            let mut shared: Vec<u32> = expected.into_iter().filter(|rows| rows.len() > 1).flatten().collect();
            shared.sort_unstable();
            prop_assert_eq!(merged.shared_rows(usize::MAX), shared);
            for (from, to) in (0..=all.len()).flat_map(|from| (from..=all.len()).map(move |to| (from, to))) {
                let mut keys: Vec<&[u8]> = whole.iter_from(from).take(to - from).map(|(_, key)| key).collect();
                keys.dedup();
                prop_assert_eq!(whole.rows_at(from..to), keys.len());
                prop_assert_eq!(merged.rows_at(from..to), keys.len());
                for reversed in [false, true] {
                    let some = merged.first_rows(from..to, keys.len() / 2, reversed);
                    prop_assert_eq!(whole.rows_at(some.clone()), keys.len() / 2);
                    let more = if reversed { some.start.max(from + 1) - 1..to } else { from..(some.end + 1).min(to) };
                    prop_assert!(whole.rows_at(more.clone()) > keys.len() / 2 || more == some);
                }
            }
            let points: std::collections::BTreeSet<Vec<u8>> = point.into_iter().collect();
            let points = Splits::Points(points.into_iter().collect()).points().expect("points");
            let bucket = |row: u32| (row % 5) as u16;
            prop_assert_eq!(
                count(&merged, &points, &merged.column(bucket), 5),
                count(&whole, &points, &whole.column(bucket), 5)
            );
        }
    }
}
