//! Ranges of row keys.

use crate::bytes::row::prefix_stop_row;
use crate::design::split::SplitPoints;

/// Rows from `start`, inclusive, to `stop`, exclusive; an empty row is the table's beginning or end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyRange {
    /// First row.
    pub start: Vec<u8>,
    /// First row beyond.
    pub stop: Vec<u8>,
}

impl KeyRange {
    /// All rows that begin with `prefix`.
    pub fn prefix(prefix: &[u8]) -> Self {
        Self { start: prefix.to_vec(), stop: prefix_stop_row(prefix) }
    }

    /// The row `key`.
    pub fn row(key: &[u8]) -> Self {
        Self { start: key.to_vec(), stop: [key, &[0]].concat() }
    }

    /// True if it is the whole table.
    pub fn is_all(&self) -> bool {
        self.start.is_empty() && self.stop.is_empty()
    }

    /// True if `key` is in it.
    pub fn contains(&self, key: &[u8]) -> bool {
        self.start.as_slice() <= key && (self.stop.is_empty() || key < self.stop.as_slice())
    }

    /// The bytes that all of its rows begin with.
    pub(super) fn common_prefix(&self) -> &[u8] {
        let begins = |length: &usize| {
            let prefix = self.start.get(..*length).unwrap_or_default();
            let stop = prefix_stop_row(prefix);
            stop.is_empty() || !self.stop.is_empty() && self.stop <= stop
        };
        let length = (0..=self.start.len()).rev().find(begins).unwrap_or(0);
        self.start.get(..length).unwrap_or_default()
    }

    /// True if no row is in it.
    pub(super) fn is_empty(&self) -> bool {
        !self.stop.is_empty() && self.start >= self.stop
    }
}

/// True if a key is in one of these ranges, which ascend and do not overlap.
#[inline]
pub fn covers(ranges: &[KeyRange], key: &[u8]) -> bool {
    let after = ranges.partition_point(|range| range.start.as_slice() <= key);
    let range = after.checked_sub(1).and_then(|last| ranges.get(last));
    range.is_some_and(|range| range.stop.is_empty() || key < range.stop.as_slice())
}

/// The ranges in order, those that touch or overlap made one.
pub(super) fn merged(mut ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    ranges.retain(|range| !range.is_empty());
    crate::bytes::sort::sort(&mut ranges);
    let mut merged: Vec<KeyRange> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.stop.is_empty() || range.start <= last.stop => {
                if !last.stop.is_empty() && (range.stop.is_empty() || range.stop > last.stop) {
                    last.stop = range.stop;
                }
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// The regions that ascending ranges touch, ascending, each once.
pub fn regions(ranges: &[KeyRange], points: &SplitPoints) -> Vec<u32> {
    let mut regions: Vec<u32> = Vec::new();
    for range in ranges {
        let first = points.region_of(&range.start) as u32;
        let last = match range.stop.as_slice() {
            [] => points.len() as u32,
            stop => {
                let region = points.region_of(stop);
                // A region that begins at the stop row is not touched.
                let begins = region > 0 && points.boundaries(region).0 == stop;
                (region - usize::from(begins)) as u32
            }
        };
        let next = regions.last().map_or(first, |&last| first.max(last + 1));
        regions.extend(next..=last);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_range_begin_with_what_its_ends_tell() {
        let common = |start: &[u8], stop: &[u8]| {
            let range = KeyRange { start: start.to_vec(), stop: stop.to_vec() };
            range.common_prefix().to_vec()
        };
        assert_eq!(common(b"ab", b"ac"), b"ab");
        assert_eq!(common(b"ab", b"ab\0"), b"ab");
        assert_eq!(common(b"aa", b"ac"), b"a");
        assert_eq!(common(b"a", b"c"), b"");
        assert_eq!(common(b"a\xff", b"b"), b"a\xff");
        assert_eq!(common(b"\xff", b""), b"\xff");
        assert_eq!(common(b"a", b""), b"");
    }
}
