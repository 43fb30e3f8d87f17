//! One search for all that is asked of where a key lies.

use crate::bytes::sort::sort_distinct;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use crate::scan::{KeyRange, covers};

/// The stretches of keys between the split points of a table and the ends of the ranges of queries, together.
#[derive(Clone)]
pub(super) struct KeyStretches {
    /// Between them.
    points: SplitPoints,
    /// The region that holds each.
    regions: Vec<u32>,
    /// For each query, whether it reads each.
    read: Vec<Vec<bool>>,
}

impl KeyStretches {
    /// The stretches between the split points of a table and the ranges of each query.
    pub fn new(points: &SplitPoints, ranges: &[Vec<KeyRange>]) -> Self {
        let ends = ranges.iter().flatten().flat_map(|range| [&range.start, &range.stop]);
        let ends = ends.map(Vec::as_slice).filter(|end| !end.is_empty());
        let mut all: Vec<&[u8]> = points.iter().chain(ends).collect();
        sort_distinct(&mut all);
        let mut keys = ByteStrings::default();
        all.iter().for_each(|key| keys.push(key));
        all.insert(0, &[]);
        Self {
            regions: all.iter().map(|start| points.region_of(start) as u32).collect(),
            read: ranges
                .iter()
                .map(|ranges| all.iter().map(|start| covers(ranges, start)).collect())
                .collect(),
            points: SplitPoints::of_ascending(keys),
        }
    }

    /// The stretch that holds a key.
    #[inline]
    pub fn of(&self, key: &[u8]) -> usize {
        self.points.region_of(key)
    }

    /// The stretch that holds all keys with this beginning; `None` when there are several.
    pub fn of_all(&self, beginning: &[u8]) -> Option<usize> {
        self.points.region_of_all(beginning)
    }

    /// The region that holds a stretch.
    #[inline]
    pub fn region(&self, stretch: usize) -> u32 {
        self.regions.get(stretch).copied().unwrap_or(0)
    }

    /// True if a query reads each of the stretches.
    pub fn read_by(&self, query: usize) -> &[bool] {
        self.read.get(query).map_or(&[], Vec::as_slice)
    }
}
