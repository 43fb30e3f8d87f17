//! Which region holds a key: start row inclusive, stop row exclusive.

use super::limits::MAX_REGIONS;
use crate::base::Problem;
use crate::bytes::row::{MAX_ROW_LENGTH, to_string_binary};
use crate::bytes::sort::sort;
use crate::bytes::strings::ByteStrings;

/// Bytes of a region's row in `hbase:meta` (`TABLE,KEY,13-digit-time.32-hex.`) besides the table's name and the key.
const META_ROW_EXTRA: usize = 49;

/// Most bytes of a split key in a table whose name has `table_name_length` bytes: the key is part of a row of
/// `hbase:meta`. With one byte more HBase fails half-way and leaves a broken table.
pub const fn longest_split_key(table_name_length: usize) -> usize {
    (MAX_ROW_LENGTH - META_ROW_EXTRA).saturating_sub(table_name_length)
}

/// The split points of a table: ascending, unique, none empty. Region `i` begins at point `i - 1` and ends
/// before point `i`; the first begins, and the last ends, at the empty row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitPoints {
    keys: ByteStrings,
    /// First eight bytes of each point as a number, zeros behind a shorter one: most searches need no more.
    heads: Vec<u64>,
}

impl SplitPoints {
    /// Sorts `keys` as HBase does and checks them.
    ///
    /// # Errors
    /// An empty key, a key twice, a key too long for `hbase:meta`, or more than [`MAX_REGIONS`] regions.
    pub fn new(keys: ByteStrings) -> Result<Self, Problem> {
        if keys.len() >= MAX_REGIONS as usize {
            return Err(super::limits::too_many(keys.len() as u64 + 1));
        }
        for key in keys.iter() {
            check_key(key)?;
        }
        let keys = sorted(keys);
        let ordered = keys.iter().zip(keys.iter().skip(1));
        if let Some((key, _)) = ordered.into_iter().find(|(a, b)| a == b) {
            return Err(Problem::new("split.duplicate-key").with("key", to_string_binary(key)));
        }
        let heads = keys.iter().map(head).collect();
        Ok(Self { keys, heads })
    }

    /// From ascending keys, each once, which need not be such as HBase takes.
    pub(crate) fn of_ascending(keys: ByteStrings) -> Self {
        let heads = keys.iter().map(head).collect();
        Self { keys, heads }
    }

    /// Number of split points, one less than regions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True if the table is one region.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Number of regions.
    pub fn regions(&self) -> usize {
        self.len() + 1
    }

    /// The points, ascending.
    pub fn keys(&self) -> &ByteStrings {
        &self.keys
    }

    /// The points, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.keys.iter()
    }

    /// Start row (inclusive) and stop row (exclusive) of a region; an empty row is the table's beginning or end.
    pub fn boundaries(&self, region: usize) -> (&[u8], &[u8]) {
        let start = region.checked_sub(1).map_or(&[][..], |before| self.keys.get(before));
        (start, self.keys.get(region))
    }

    /// The region that holds `key`. The empty row is in region 0.
    #[inline]
    pub fn region_of(&self, key: &[u8]) -> usize {
        let target = head(key);
        let low = self.heads.partition_point(|&head| head < target);
        let equal = self.heads.get(low..).unwrap_or(&[]);
        if equal.first() != Some(&target) {
            return low;
        }
        let (mut low, mut high) = (low, low + equal.partition_point(|&head| head == target));
        while low < high {
            let middle = low.midpoint(high);
            if self.keys.get(middle) <= key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The region of all keys that begin with `prefix`; `None` when a point lies among them.
    pub(crate) fn region_of_all(&self, prefix: &[u8]) -> Option<usize> {
        let region = self.region_of(prefix);
        (region == self.len() || !self.keys.get(region).starts_with(prefix)).then_some(region)
    }
}

/// First eight bytes as a big-endian number, zeros behind a shorter key: a lesser head is a lesser key.
#[inline(always)]
pub(crate) fn head(key: &[u8]) -> u64 {
    if let Some(bytes) = key.first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    let shift = 64 - 8 * key.len() as u32;
    key.iter().fold(0, |head: u64, &byte| head << 8 | u64::from(byte)).checked_shl(shift).unwrap_or(0)
}

/// Refuses a split key that no table can have, whatever its name.
pub(super) fn check_key(key: &[u8]) -> Result<(), Problem> {
    let limit = longest_split_key(1);
    if key.is_empty() {
        Err(Problem::new("split.empty-key"))
    } else if key.len() > limit {
        Err(Problem::new("split.key-too-long").with("length", key.len()).with("limit", limit))
    } else {
        Ok(())
    }
}

fn sorted(keys: ByteStrings) -> ByteStrings {
    if keys.iter().zip(keys.iter().skip(1)).all(|(a, b)| a <= b) {
        return keys;
    }
    let mut order: Vec<&[u8]> = keys.iter().collect();
    sort(&mut order);
    let mut sorted = ByteStrings::default();
    for key in order {
        sorted.push(key);
    }
    sorted
}
