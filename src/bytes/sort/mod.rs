//! Sorting an arena of keys by unsigned bytes, as HBase does, keeping arrival order among equal keys.
//!
//! A most-significant-digit radix sort over windows of eight bytes. Each key's window is loaded once as a
//! big-endian number and travels with the key's row, so that a pass touches the arena only where a group of keys
//! agrees in the whole window; then the bytes all of the group share are skipped in one step.

mod codes;
mod small;

pub use codes::SortCodes;
pub use small::{sort, sort_by, sort_by_key, sort_distinct};

use crate::base::host::tick;
use crate::bytes::strings::ByteStrings;

/// Groups up to this size are sorted by comparison: a counting pass over 2,048 digits would cost more.
const SMALL: usize = 192;

/// Bits of a radix digit.
const DIGIT: u32 = 11;

/// A key on its way: eight of its bytes as a big-endian number, and its row.
#[derive(Clone, Copy, Default)]
struct Item {
    window: u64,
    row: u32,
}

/// Rows in ascending order of their keys; equal keys stay in order of arrival.
pub fn sorted_rows(keys: &ByteStrings) -> Vec<u32> {
    let mut items: Vec<Item> =
        (0..keys.len()).map(|row| Item { window: window(keys.get(row), 0), row: row as u32 }).collect();
    let mut spare = vec![Item::default(); items.len()];
    let mut groups = vec![Group { start: 0, end: items.len(), depth: 0 }];
    while let Some(group) = groups.pop() {
        tick(group.end - group.start);
        group.sort(keys, &mut items, &mut spare, &mut groups);
    }
    items.into_iter().map(|item| item.row).collect()
}

/// Eight bytes of `key` from `depth` on, zero where the key has ended.
#[inline]
fn window(key: &[u8], depth: usize) -> u64 {
    let tail = key.get(depth..).unwrap_or(&[]);
    match tail.first_chunk::<8>() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => {
            let mut bytes = [0; 8];
            bytes[..tail.len()].copy_from_slice(tail);
            u64::from_be_bytes(bytes)
        }
    }
}

/// Items `start..end`, in order of arrival, whose keys agree in their first `depth` bytes and whose windows are loaded from there.
struct Group {
    start: usize,
    end: usize,
    depth: usize,
}

impl Group {
    fn sort(self, keys: &ByteStrings, items: &mut [Item], spare: &mut [Item], groups: &mut Vec<Self>) {
        let (items, spare) = (&mut items[self.start..self.end], &mut spare[self.start..self.end]);
        if items.len() <= SMALL {
            items.sort_unstable_by_key(|item| (item.window, item.row));
            self.split_equal(keys, items, spare, groups);
            return;
        }
        let first = items[0].window;
        let varying = items.iter().fold(0, |bits, item| bits | (item.window ^ first));
        if varying == 0 {
            self.descend(keys, items, spare, groups);
            return;
        }
        let top = 64 - varying.leading_zeros();
        let shift = top.saturating_sub(DIGIT);
        let mask = (1 << (top - shift)) - 1;
        let digit = |item: &Item| (item.window >> shift & mask) as usize;
        let mut starts = [0u32; 1 << DIGIT];
        for item in items.iter() {
            starts[digit(item)] += 1;
        }
        let mut next = 0;
        for start in &mut starts {
            next += std::mem::replace(start, next);
        }
        for item in items.iter() {
            let slot = &mut starts[digit(item)];
            spare[*slot as usize] = *item;
            *slot += 1;
        }
        items.copy_from_slice(spare);
        let mut from = 0;
        for &to in &starts {
            let to = to as usize;
            if to - from > 1 {
                groups.push(Self { start: self.start + from, end: self.start + to, depth: self.depth });
            }
            from = to;
        }
    }

    /// Goes on with the runs of equal windows among sorted items.
    fn split_equal(
        &self,
        keys: &ByteStrings,
        items: &mut [Item],
        spare: &mut [Item],
        groups: &mut Vec<Self>,
    ) {
        let mut from = 0;
        while from < items.len() {
            let window = items[from].window;
            let run = items[from..].iter().take_while(|item| item.window == window).count();
            if run > 1 {
                let group =
                    Self { start: self.start + from, end: self.start + from + run, depth: self.depth };
                group.descend(keys, &mut items[from..from + run], &mut spare[from..from + run], groups);
            }
            from += run;
        }
    }

    /// Goes on with items that agree in the whole window: keys that end in it come first, the shorter before the
    /// longer (they differ in trailing zero bytes only); the rest is loaded again after all the bytes it shares.
    fn descend(&self, keys: &ByteStrings, items: &mut [Item], spare: &mut [Item], groups: &mut Vec<Self>) {
        let depth = self.depth + 8;
        let length = |item: &Item| keys.get(item.row as usize).len();
        let ended = items.iter().filter(|item| length(item) <= depth).count();
        if ended > 0 {
            spare.copy_from_slice(items);
            sort_by_key(spare, |item| length(item).min(depth + 1));
            items.copy_from_slice(spare);
        }
        let rest = &mut items[ended..];
        if rest.len() < 2 {
            return;
        }
        let first = keys.get(rest[0].row as usize).get(depth..).unwrap_or(&[]);
        let shared = rest.iter().skip(1).fold(first.len(), |shared, item| {
            let other = keys.get(item.row as usize).get(depth..).unwrap_or(&[]);
            common_prefix(&first[..shared], other)
        });
        let depth = depth + shared;
        for item in rest.iter_mut() {
            item.window = window(keys.get(item.row as usize), depth);
        }
        groups.push(Self { start: self.start + ended, end: self.end, depth });
    }
}

/// How many leading bytes `a` and `b` share.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let eights = a.chunks_exact(8).zip(b.chunks_exact(8)).take_while(|(x, y)| x == y).count() * 8;
    eights + a[eights..].iter().zip(&b[eights..]).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(keys: &ByteStrings) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..keys.len() as u32).collect();
        rows.sort_by_key(|&row| keys.get(row as usize));
        rows
    }

    fn arena(keys: &[Vec<u8>]) -> ByteStrings {
        let mut arena = ByteStrings::default();
        keys.iter().for_each(|key| arena.push(key));
        arena
    }

    /// Keys that share long prefixes, repeat, end in zero bytes and differ in length.
    fn awkward_key() -> impl Strategy<Value = Vec<u8>> {
        (0usize..40, prop::collection::vec(prop::sample::select(vec![0, 1, b'a', b'b', 0xff]), 0..12))
            .prop_map(|(shared, tail)| {
                let mut key = vec![b'a'; shared];
                key.extend(tail);
                key
            })
    }

    proptest! {
        #[test]
        fn agrees_with_a_stable_comparison_sort(keys in prop::collection::vec(awkward_key(), 0..900)) {
            let keys = arena(&keys);
            prop_assert_eq!(sorted_rows(&keys), naive(&keys));
        }

        #[test]
        fn agrees_on_random_bytes(keys in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..900)) {
            let keys = arena(&keys);
            prop_assert_eq!(sorted_rows(&keys), naive(&keys));
        }
    }

    #[test]
    fn many_equal_keys_keep_their_order_of_arrival() {
        let keys = arena(&vec![vec![7; 30_000]; 300]);
        assert_eq!(sorted_rows(&keys), (0..300).collect::<Vec<_>>());
    }
}
