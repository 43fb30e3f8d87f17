//! Cells by row and time in bounded memory.
//!
//! While there is room, each row is counted by itself at a fine step of time. When there is none left, the step becomes the next of
//! [`STEPS`], and once the times are few, rows become ranges of keys with about as many cells each. Counts stay exact at every step; of
//! single rows those with most cells are followed, with bounds.

use super::answer::ObservedCounts;
use crate::base::estimate::Estimate;
use crate::bytes::sort::{sort_by, sort_by_key, sort_distinct, sorted_rows};
use crate::bytes::strings::ByteStrings;
use crate::summary::ladder::STEPS;
use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Intervals that are kept at most once memory is short.
const INTERVALS: i64 = 512;
/// Intervals and ranges that are always kept.
const FEWEST: i64 = 32;
/// Ranges of keys that rows become.
const RANGES: usize = 2048;
/// Rows that are followed once rows are no longer counted one by one.
const FOLLOWED: usize = 4096;
/// Bytes of a count, twice while a list grows, and of a row beside its bytes.
const OF_A_COUNT: u64 = 2 * size_of::<Entry>() as u64;
const OF_A_ROW: u64 = 24;
/// Counts that are added to the list before equal ones are joined.
const JOINED: usize = 1 << 16;
/// Times before and after which a number is no time of a clock: 1990 and 2100.
const CLOCK: std::ops::Range<i64> = 631_152_000_000..4_102_444_800_000;

/// A hash of a few numbers.
#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            self.write_u64(
                word.iter().fold(word.len() as u64, |number, &byte| number << 8 | u64::from(byte)),
            );
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A set of numbers.
pub type MixSet = HashSet<u64, BuildHasherDefault<Mix>>;
/// A map of few numbers.
pub type MixMap<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// The hash of bytes.
pub fn hash_of(bytes: &[u8]) -> u64 {
    let mut mix = Mix::default();
    mix.write_u64(bytes.len() as u64);
    mix.write(bytes);
    mix.finish()
}

/// A cell that is counted.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    pub row: &'a [u8],
    pub time: i64,
    pub bytes: u64,
    pub is_delete: bool,
    /// True for the first cell of its row in a file or a write.
    pub is_first: bool,
}

/// Counts of a key at a time.
#[derive(Clone, Copy, Debug)]
struct Entry {
    slot: i64,
    bytes: u64,
    key: u32,
    cells: u32,
    rows: u32,
    deletes: u32,
}

impl Entry {
    const fn place(&self) -> (u32, i64) {
        (self.key, self.slot)
    }

    /// Takes in another of the same place. False when the sum is too large.
    fn join(&mut self, other: &Self) -> bool {
        let sums = (
            self.cells.checked_add(other.cells),
            self.rows.checked_add(other.rows),
            self.deletes.checked_add(other.deletes),
        );
        let (Some(cells), Some(rows), Some(deletes)) = sums else { return false };
        (self.cells, self.rows, self.deletes) = (cells, rows, deletes);
        self.bytes = self.bytes.saturating_add(other.bytes);
        true
    }

    fn counts(&self) -> ObservedCounts {
        let [cells, rows, deletes] = [self.cells, self.rows, self.deletes].map(u64::from);
        ObservedCounts { cells, rows, bytes: self.bytes, deletes }
    }
}

/// Cells by row and time.
#[derive(Debug)]
pub struct Tally {
    memory: u64,
    /// Keys at which ranges have to begin.
    borders: Vec<Vec<u8>>,
    /// Rows, or where ranges of keys begin.
    keys: ByteStrings,
    /// Rows by their hashes, those of one hash under the next: the first `hashed` ones. While rows ascend none has to be looked up.
    numbers: MixMap<u64, u32>,
    hashed: usize,
    ascend: bool,
    are_ranges: bool,
    /// Place in [`STEPS`].
    step: usize,
    /// Counts as they came, in order and joined up to `joined`.
    grid: Vec<Entry>,
    joined: usize,
    /// Cells without a time of a clock, by key.
    untimed: MixMap<u32, ObservedCounts>,
    /// Counts of the last row and time, which are not in the grid yet.
    pending: Option<Entry>,
    /// The last row and its number.
    last: (Vec<u8>, u32),
    /// Rows followed since rows are ranges: cells at least, and how many more at most.
    followed: MixMap<Vec<u8>, (u64, u64)>,
    /// Cells that a row may have had before it was followed.
    before: u64,
    pub total: ObservedCounts,
    pub times: Option<(i64, i64)>,
}

/// Cells of ranges of keys in intervals.
pub struct Grid {
    /// Counts of each range over all times.
    pub ranges: Vec<ObservedCounts>,
    /// Cells of each range in each interval.
    pub cells: Vec<Vec<u64>>,
    /// Beginning of each interval.
    pub times: Vec<i64>,
    /// Milliseconds of an interval.
    pub step: i64,
}

impl Tally {
    /// Nothing is counted yet; it takes so many bytes of memory. Ranges that rows may become begin at each of `borders`.
    pub fn new(memory: u64, mut borders: Vec<Vec<u8>>) -> Self {
        sort_distinct(&mut borders);
        Self {
            memory,
            borders,
            keys: ByteStrings::default(),
            numbers: MixMap::default(),
            hashed: 0,
            ascend: true,
            are_ranges: false,
            step: 0,
            grid: Vec::new(),
            joined: 0,
            untimed: MixMap::default(),
            pending: None,
            last: (Vec::new(), u32::MAX),
            followed: MixMap::default(),
            before: 0,
            total: ObservedCounts::default(),
            times: None,
        }
    }

    /// True if rows are no longer counted one by one.
    pub fn are_ranges(&self) -> bool {
        self.are_ranges
    }

    /// Cells without a time of a clock.
    pub fn untimed(&self) -> u64 {
        self.untimed.values().map(|counts| counts.cells).sum()
    }

    /// Counts a cell.
    pub fn add(&mut self, cell: Counted<'_>) {
        let counts = ObservedCounts {
            cells: 1,
            rows: u64::from(cell.is_first),
            bytes: cell.bytes,
            deletes: u64::from(cell.is_delete),
        };
        self.total.add(counts);
        if self.last.1 == u32::MAX || cell.is_first && self.last.0 != cell.row {
            self.settle();
            let number = self.number(cell.row);
            self.last.0.clear();
            self.last.0.extend_from_slice(cell.row);
            self.last.1 = number;
        }
        let key = self.last.1;
        if self.are_ranges {
            self.follow(cell.row);
        }
        if !CLOCK.contains(&cell.time) {
            self.untimed.entry(key).or_default().add(counts);
            return;
        }
        let (first, last) = self.times.unwrap_or((cell.time, cell.time));
        self.times = Some((first.min(cell.time), last.max(cell.time)));
        let mut entry = Entry {
            slot: cell.time.div_euclid(self.step()),
            bytes: cell.bytes,
            key,
            cells: 1,
            rows: u32::from(cell.is_first),
            deletes: u32::from(cell.is_delete),
        };
        if let Some(pending) = &mut self.pending
            && pending.place() == entry.place()
            && pending.join(&entry)
        {
            return;
        }
        self.settle();
        // Room may have been made: the row may be in a range now, the step longer.
        if self.last.1 == u32::MAX {
            let number = self.number(cell.row);
            self.last = (cell.row.to_vec(), number);
        }
        entry.key = self.last.1;
        entry.slot = cell.time.div_euclid(self.step());
        self.pending = Some(entry);
    }

    /// Brings what was counted last into the list. Before the counts are looked at, and before the next file.
    pub fn settle(&mut self) {
        let Some(entry) = self.pending.take() else { return };
        self.grid.push(entry);
        if self.grid.len() >= 2 * self.joined.max(JOINED / 2) {
            self.join();
        }
        if self.grid.len() as u64 * OF_A_COUNT > self.memory / 2 && self.used() > self.memory {
            self.join();
            if self.used() > self.memory {
                self.coarsen();
            }
        }
    }

    /// Joins counts of the same place.
    fn join(&mut self) {
        if !self.grid.is_sorted_by_key(Entry::place) {
            self.grid.sort_unstable_by_key(Entry::place);
        }
        self.grid.dedup_by(|next, entry| entry.place() == next.place() && entry.join(next));
        self.joined = self.grid.len();
    }

    fn step(&self) -> i64 {
        STEPS.get(self.step).copied().unwrap_or(i64::MAX)
    }

    fn used(&self) -> u64 {
        let counts = (self.grid.len() + self.untimed.len()) as u64;
        counts * OF_A_COUNT + self.keys.bytes.len() as u64 + self.keys.len() as u64 * OF_A_ROW
    }

    /// The number of a row, or of its range.
    fn number(&mut self, row: &[u8]) -> u32 {
        if self.are_ranges {
            return self.range(row);
        }
        if let Some(last) = self.keys.len().checked_sub(1) {
            match self.keys.get(last).cmp(row) {
                Ordering::Less => {}
                Ordering::Equal => return last as u32,
                Ordering::Greater => self.ascend = false,
            }
        }
        if !self.ascend
            && let Some(number) = self.find(row)
        {
            return number;
        }
        let number = self.keys.len() as u32;
        self.keys.push(row);
        if self.used() > self.memory {
            self.settle();
            self.join();
            self.coarsen();
            return self.number(row);
        }
        number
    }

    /// The number of a row that was counted before.
    fn find(&mut self, row: &[u8]) -> Option<u32> {
        for number in self.hashed..self.keys.len() {
            let mut hash = hash_of(self.keys.get(number));
            while self.numbers.contains_key(&hash) {
                hash = hash.wrapping_add(1);
            }
            self.numbers.insert(hash, number as u32);
        }
        self.hashed = self.keys.len();
        let mut hash = hash_of(row);
        loop {
            match self.numbers.get(&hash) {
                Some(&number) if self.keys.get(number as usize) == row => return Some(number),
                Some(_) => hash = hash.wrapping_add(1),
                None => return None,
            }
        }
    }

    /// The range of a row: the last one that begins at it or before.
    fn range(&self, row: &[u8]) -> u32 {
        let (mut from, mut to) = (0, self.keys.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if self.keys.get(middle) <= row {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from.saturating_sub(1) as u32
    }

    /// Makes room: longer intervals while there are many, then ranges of keys, then fewer of both.
    fn coarsen(&mut self) {
        if self.lengthen(INTERVALS) {
            return;
        }
        if !self.are_ranges {
            self.fold();
        }
        if self.used() <= self.memory / 2 || self.lengthen(FEWEST) {
            return;
        }
        while self.used() > self.memory / 2 && self.keys.len() > FEWEST as usize {
            let before = self.keys.len();
            self.thin();
            if self.keys.len() == before {
                return;
            }
        }
    }

    /// Makes intervals longer while there are more than so many. True once half of the memory is free.
    fn lengthen(&mut self, intervals: i64) -> bool {
        let (first, last) = self.times.unwrap_or_default();
        while self.step + 1 < STEPS.len() && (last - first) / self.step() >= intervals {
            let before = self.step();
            self.step += 1;
            let many = self.step() / before;
            self.grid.iter_mut().for_each(|entry| entry.slot = entry.slot.div_euclid(many));
            self.join();
            if self.used() <= self.memory / 2 {
                return true;
            }
        }
        false
    }

    /// Joins every second range with the one before, unless it begins at a border.
    fn thin(&mut self) {
        let mut starts = ByteStrings::default();
        let mut ranges = Vec::with_capacity(self.keys.len());
        let mut joined = false;
        for range in 0..self.keys.len() {
            let start = self.keys.get(range);
            let is_border = self.borders.binary_search_by(|border| border.as_slice().cmp(start)).is_ok();
            joined = !joined && range > 0 && !is_border;
            if !joined {
                starts.push(start);
            }
            ranges.push(starts.len() as u32 - 1);
        }
        self.replace(starts, &ranges);
    }

    /// Counts by other keys: each of the old ones is a part of the new one that `ranges` has for it.
    fn replace(&mut self, starts: ByteStrings, ranges: &[u32]) {
        let range = |key: u32| ranges.get(key as usize).copied().unwrap_or_default();
        self.grid.iter_mut().for_each(|entry| entry.key = range(entry.key));
        let mut untimed: MixMap<u32, ObservedCounts> = MixMap::default();
        for (key, counts) in self.untimed.drain() {
            untimed.entry(range(key)).or_default().add(counts);
        }
        (self.untimed, self.keys) = (untimed, starts);
        self.join();
        self.grid.shrink_to_fit();
        self.last = (Vec::new(), u32::MAX);
    }

    /// Makes ranges of rows.
    fn fold(&mut self) {
        let cells = self.by_key();
        let order = sorted_rows(&self.keys);
        // The rows with most cells are followed from now on.
        let mut most: Vec<u32> = order.clone();
        sort_by_key(&mut most, |&key| Reverse(cells.get(key as usize).copied().unwrap_or_default()));
        self.before =
            most.get(FOLLOWED).and_then(|&key| cells.get(key as usize).copied()).unwrap_or_default();
        for &key in most.iter().take(FOLLOWED) {
            let of = cells.get(key as usize).copied().unwrap_or_default();
            self.followed.insert(self.keys.get(key as usize).to_vec(), (of, 0));
        }
        let all: u64 = cells.iter().sum();
        let each = (all / RANGES as u64).max(1);
        let mut starts = ByteStrings::default();
        starts.push(b"");
        let mut ranges = vec![0u32; self.keys.len()];
        let mut held = 0;
        let mut borders =
            self.borders.iter().map(Vec::as_slice).filter(|border| !border.is_empty()).peekable();
        for &key in &order {
            let row = self.keys.get(key as usize);
            let mut passed = None;
            while let Some(border) = borders.next_if(|border| *border <= row) {
                passed = Some(border);
            }
            if let Some(start) = passed.or_else(|| (held >= each).then_some(row)) {
                starts.push(start);
                held = 0;
            }
            held += cells.get(key as usize).copied().unwrap_or_default();
            if let Some(of) = ranges.get_mut(key as usize) {
                *of = starts.len() as u32 - 1;
            }
        }
        self.replace(starts, &ranges);
        self.numbers = MixMap::default();
        (self.are_ranges, self.ascend) = (true, true);
    }

    /// Counts a cell of a row that may be one of those with most.
    fn follow(&mut self, row: &[u8]) {
        if let Some((cells, _)) = self.followed.get_mut(row) {
            *cells += 1;
            return;
        }
        self.followed.insert(row.to_vec(), (1, self.before));
        if self.followed.len() < 2 * FOLLOWED {
            return;
        }
        let mut counts: Vec<u64> = self.followed.values().map(|(cells, more)| cells + more).collect();
        sort_by_key(&mut counts, |&count| Reverse(count));
        let least = counts.get(FOLLOWED).copied().unwrap_or_default();
        self.before = self.before.max(least);
        self.followed.retain(|_, (cells, more)| *cells + *more > least);
    }

    /// Cells of each key, of all times.
    fn by_key(&self) -> Vec<u64> {
        let mut cells = vec![0u64; self.keys.len()];
        let timed = self.grid.iter().map(|entry| (entry.key, u64::from(entry.cells)));
        for (key, more) in timed.chain(self.untimed.iter().map(|(key, counts)| (*key, counts.cells))) {
            if let Some(of) = cells.get_mut(key as usize) {
                *of += more;
            }
        }
        cells
    }

    /// The keys in order, with their cells: made once, looked at from all sides.
    pub fn view(&self) -> TallyView<'_> {
        let order = if self.ascend { (0..self.keys.len() as u32).collect() } else { sorted_rows(&self.keys) };
        TallyView { tally: self, order, cells: self.by_key() }
    }
}

/// Keys of a tally in order, with their cells.
pub struct TallyView<'a> {
    tally: &'a Tally,
    order: Vec<u32>,
    /// By the number of the key.
    cells: Vec<u64>,
}

impl<'a> TallyView<'a> {
    /// Keys in order, with their cells.
    fn keys(&self) -> impl Iterator<Item = (&'a [u8], u64)> + Clone {
        self.order.iter().map(|&key| {
            let cells = self.cells.get(key as usize).copied().unwrap_or_default();
            (self.tally.keys.get(key as usize), cells)
        })
    }

    /// Rows in order with their cells; none once they are ranges.
    pub fn rows(&self) -> Vec<(&'a [u8], u64)> {
        if self.tally.are_ranges { Vec::new() } else { self.keys().collect() }
    }

    /// The rows with most cells.
    pub fn busiest(&self, most: usize) -> Vec<(Vec<u8>, Estimate)> {
        let mut rows: Vec<(Vec<u8>, Estimate)> = if self.tally.are_ranges {
            let followed = self.tally.followed.iter();
            let estimate = |cells: u64, more: u64| Estimate {
                value: cells as f64,
                low: cells as f64,
                high: (cells + more) as f64,
            };
            followed.map(|(row, (cells, more))| (row.clone(), estimate(*cells, *more))).collect()
        } else {
            let key = |number: u32| self.tally.keys.get(number as usize);
            let mut counts: Vec<(u64, u32)> = Vec::new();
            for (number, &cells) in (0u32..).zip(&self.cells) {
                let is_before =
                    |&(other, row): &(u64, u32)| other > cells || other == cells && key(row) < key(number);
                if counts.len() == most && counts.last().is_none_or(is_before) {
                    continue;
                }
                counts.insert(counts.partition_point(is_before), (cells, number));
                counts.truncate(most);
            }
            counts
                .into_iter()
                .map(|(cells, row)| (key(row).to_vec(), Estimate::exact(cells as f64)))
                .collect()
        };
        sort_by(&mut rows, |a, b| b.1.value.total_cmp(&a.1.value).then_with(|| a.0.cmp(&b.0)));
        rows.truncate(most);
        rows
    }

    /// Where `count` ranges of about as many cells begin, with the first at the lowest key.
    pub fn quantiles(&self, count: usize) -> Vec<Vec<u8>> {
        quantiles(self.keys(), count)
    }

    /// Split points of so many regions with about as many cells each.
    pub fn split_points(&self, count: usize) -> Vec<Vec<u8>> {
        split_points(self.keys(), count)
    }

    /// Cells by range of keys, where each range begins at one of `starts`, which ascend, and at most so many intervals.
    pub fn grid(&self, starts: &[Vec<u8>], intervals: i64) -> Grid {
        let tally = self.tally;
        let (first, last) = tally.times.unwrap_or_default();
        let fits = |step: &&i64| {
            **step >= tally.step() && last.div_euclid(**step) - first.div_euclid(**step) < intervals
        };
        let step = STEPS.iter().find(fits).copied().unwrap_or(i64::MAX / 4);
        let begin = first.div_euclid(step);
        let count = if tally.times.is_some() { (last.div_euclid(step) - begin + 1) as usize } else { 0 };
        let mut found = Grid {
            ranges: vec![ObservedCounts::default(); starts.len()],
            cells: vec![vec![0; count]; starts.len()],
            times: (0..count as i64).map(|at| (begin + at) * step).collect(),
            step,
        };
        let many = (step / tally.step()).max(1);
        let mut ranges = vec![0u32; self.order.len()];
        let mut range = 0;
        for &key in &self.order {
            let row = tally.keys.get(key as usize);
            while starts.get(range + 1).is_some_and(|start| start.as_slice() <= row) {
                range += 1;
            }
            if let Some(of) = ranges.get_mut(key as usize) {
                *of = range as u32;
            }
        }
        let of = |key: u32| ranges.get(key as usize).map_or(0, |&range| range as usize);
        for entry in &tally.grid {
            let range = of(entry.key);
            if let Some(of) = found.ranges.get_mut(range) {
                of.add(entry.counts());
            }
            let interval = usize::try_from(entry.slot.div_euclid(many) - begin).unwrap_or(usize::MAX);
            if let Some(cells) = found.cells.get_mut(range).and_then(|cells| cells.get_mut(interval)) {
                *cells += u64::from(entry.cells);
            }
        }
        for (key, counts) in &tally.untimed {
            if let Some(of) = found.ranges.get_mut(of(*key)) {
                of.add(*counts);
            }
        }
        found
    }
}

/// Where `count` ranges of about the same weight begin, of keys in order with their weights; the first begins at the lowest key.
pub fn quantiles<'a>(keys: impl Iterator<Item = (&'a [u8], u64)> + Clone, count: usize) -> Vec<Vec<u8>> {
    let all: u64 = keys.clone().map(|(_, weight)| weight).sum();
    let mut starts = vec![Vec::new()];
    let mut held = 0u64;
    for (key, weight) in keys {
        let due = u128::from(all) * starts.len() as u128 / count.max(1) as u128;
        let is_next = starts.last().is_some_and(|last| last.as_slice() < key);
        if u128::from(held) >= due && held > 0 && is_next && starts.len() < count {
            starts.push(key.to_vec());
        }
        held += weight;
    }
    starts
}

/// Split points of so many regions with about as much of the weight each: of each key only what sets it apart from the one before.
pub fn split_points<'a>(keys: impl Iterator<Item = (&'a [u8], u64)> + Clone, count: usize) -> Vec<Vec<u8>> {
    let wanted = quantiles(keys.clone(), count);
    let mut wanted = wanted.iter().skip(1).peekable();
    let mut found = Vec::new();
    let mut before: &[u8] = &[];
    for (key, _) in keys {
        if wanted.next_if(|next| next.as_slice() == key).is_some() {
            let alike = key.iter().zip(before).take_while(|(a, b)| a == b).count();
            found.push(key.get(..=alike).unwrap_or(key).to_vec());
        }
        before = key;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_points_are_as_short_as_they_can_be() {
        let keys = [(b"aa1".as_slice(), 5), (b"aa2", 5), (b"ab7", 5), (b"c", 5)];
        assert_eq!(split_points(keys.iter().copied(), 4), [b"aa2".to_vec(), b"ab".to_vec(), b"c".to_vec()]);
        assert_eq!(split_points(keys.iter().copied(), 2), [b"ab".to_vec()]);
        assert_eq!(split_points(keys.iter().copied(), 1), Vec::<Vec<u8>>::new());
    }

    fn cell(row: &[u8], time: i64) -> Counted<'_> {
        Counted { row, time, bytes: 10, is_delete: false, is_first: true }
    }

    const BEGIN: i64 = 1_700_000_000_000;

    #[test]
    fn counts_are_the_same_however_little_memory_there_is() {
        let rows: Vec<String> =
            (0..20_000u32).map(|row| format!("{:05}", row.wrapping_mul(7919) % 20_000)).collect();
        let starts: Vec<Vec<u8>> = vec![b"".to_vec(), b"05000".to_vec(), b"10000".to_vec()];
        let of = |memory: u64| {
            let mut tally = Tally::new(memory, starts.clone());
            for (at, row) in rows.iter().enumerate() {
                tally.add(cell(row.as_bytes(), BEGIN + at as i64 * 1000));
                if at % 10 == 0 {
                    tally.add(cell(b"00000", BEGIN + at as i64 * 1000));
                }
            }
            tally.settle();
            tally
        };
        let (exact, bounded) = (of(1 << 30), of(400_000));
        assert!(!exact.are_ranges() && bounded.are_ranges());
        assert!(bounded.used() <= 400_000, "{}", bounded.used());
        let sums =
            |tally: &Tally| tally.view().grid(&starts, 60).ranges.iter().map(|of| of.cells).sum::<u64>();
        assert_eq!((sums(&exact), sums(&bounded)), (22_000, 22_000));
        let counted: Vec<u64> = exact.view().grid(&starts, 60).ranges.iter().map(|of| of.cells).collect();
        assert_eq!(counted, [7_000, 5_000, 10_000]);
        let ranges: Vec<u64> = bounded.view().grid(&starts, 60).ranges.iter().map(|of| of.cells).collect();
        assert_eq!(ranges, counted);
        let (row, cells) = &bounded.view().busiest(1)[0];
        assert_eq!(row, b"00000");
        assert!(cells.low <= 2001.0 && 2001.0 <= cells.high, "{cells:?}");
        assert_eq!(exact.view().busiest(1)[0].1, Estimate::exact(2001.0));
    }

    #[test]
    fn numbers_that_are_no_times_are_counted_apart() {
        let mut tally = Tally::new(1 << 20, Vec::new());
        tally.add(cell(b"a", 1));
        tally.add(cell(b"b", i64::MAX));
        tally.add(cell(b"c", BEGIN));
        tally.settle();
        assert_eq!((tally.untimed(), tally.times), (2, Some((BEGIN, BEGIN))));
        let grid = tally.view().grid(&[Vec::new()], 60);
        assert_eq!((grid.ranges[0].cells, grid.cells[0].iter().sum::<u64>()), (3, 1));
    }
}
