//! Numbers that order as the keys do, put together from what is known of the key's segments.
//!
//! A segment of a dictionary column becomes the rank of its bytes among the distinct ones; a computed segment of
//! fixed width becomes those of its bits that differ between rows. One after the other they order as the keys
//! themselves, as long as every segment ends itself: no value of it is the beginning of another. Where that does not
//! hold, or the number would be too long, the keys are sorted by their bytes instead.

use super::segment::KeySegment;
use crate::bytes::sort::{SortCodes, sorted_rows};
use crate::bytes::strings::ByteStrings;
use std::collections::HashMap;

/// The rows with keys and their codes; `None` when no code of at most 64 bits (row number included) can be made.
pub(super) fn codes(segments: &[KeySegment], keys: &ByteStrings) -> Option<SortCodes> {
    let rows = keys.len();
    let row_bits = bits(rows as u64).max(1);
    let last = segments.len().checked_sub(1)?;
    let mut codes = vec![0u64; rows];
    let mut code_bits = 0;
    let mut position = SegmentStart::default();
    for (index, segment) in segments.iter().enumerate() {
        match segment {
            KeySegment::Literal(bytes) => position.fixed += bytes.len(),
            KeySegment::Distinct { ids, values, refused, .. } => {
                let (ranks, distinct) = ranks(values, refused, index == last)?;
                let width = bits(u64::from(distinct));
                code_bits += width;
                for (code, &id) in codes.iter_mut().zip(*ids) {
                    *code = *code << width | u64::from(ranks.get(id as usize).copied().unwrap_or_default());
                }
                position.pass(ids, values);
            }
            KeySegment::Rows { width, .. } => {
                let width = (*width)?;
                let varying = varying_bits(keys, &position, width)?;
                code_bits += varying.iter().map(|byte| byte.mask.count_ones()).sum::<u32>();
                for (row, code) in codes.iter_mut().enumerate() {
                    let start = key_start(keys, row) + position.of(row);
                    let Some(segment) = keys.bytes.get(start..start + width) else { continue };
                    for byte in &varying {
                        let value = segment[byte.index] >> byte.shift & byte.mask;
                        *code = *code << byte.mask.count_ones() | u64::from(value);
                    }
                }
                position.fixed += width;
            }
        }
        if code_bits + row_bits > 64 {
            return None;
        }
    }
    let as_wide_as_said =
        |row: usize| matches!(keys.get(row).len(), 0) || keys.get(row).len() == position.of(row);
    if !(0..rows).all(as_wide_as_said) {
        return None;
    }
    let items = codes.into_iter().enumerate().filter(|&(row, _)| !keys.get(row).is_empty());
    let items = items.map(|(row, code)| code << row_bits | row as u64).collect();
    Some(SortCodes { items, code_bits, row_bits })
}

/// Bits needed to tell `count` things apart.
fn bits(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

/// Where a segment begins in each key: after segments of the same width in all keys and others that vary by entry.
#[derive(Default)]
struct SegmentStart<'a> {
    fixed: usize,
    varying: Vec<(&'a [u32], &'a ByteStrings)>,
}

impl<'a> SegmentStart<'a> {
    fn pass(&mut self, ids: &'a [u32], values: &'a ByteStrings) {
        let width = values.get(0).len();
        if values.iter().all(|value| value.len() == width) {
            self.fixed += width;
        } else {
            self.varying.push((ids, values));
        }
    }

    #[inline]
    fn of(&self, row: usize) -> usize {
        let width = |(ids, values): &(&[u32], &ByteStrings)| {
            ids.get(row).map_or(0, |&id| values.get(id as usize).len())
        };
        self.fixed + self.varying.iter().map(width).sum::<usize>()
    }
}

#[inline]
fn key_start(keys: &ByteStrings, row: usize) -> usize {
    row.checked_sub(1).and_then(|before| keys.ends.get(before)).map_or(0, |&end| end as usize)
}

/// The rank of each value among the distinct ones and their number; `None` when one is the beginning of another
/// (unless it is the last segment, where that does no harm).
fn ranks(values: &ByteStrings, refused: &HashMap<u32, &str>, last: bool) -> Option<(Vec<u32>, u32)> {
    let mut ranks = vec![0; values.len()];
    let (mut rank, mut before) = (0, None);
    for entry in sorted_rows(values).into_iter().filter(|entry| !refused.contains_key(entry)) {
        let value = values.get(entry as usize);
        match before {
            Some(before) if before == value => {}
            Some(before) if !last && value.starts_with(before) => return None,
            Some(_) => rank += 1,
            None => {}
        }
        before = Some(value);
        *ranks.get_mut(entry as usize)? = rank;
    }
    Some((ranks, rank + 1))
}

/// Bits of a byte that are not the same in every key: `byte >> shift & mask`, at `index` of its segment.
struct VaryingByte {
    index: usize,
    shift: u32,
    mask: u8,
}

/// Which bits of a computed segment differ between keys; `None` when a key is too short to have it.
fn varying_bits(keys: &ByteStrings, position: &SegmentStart, width: usize) -> Option<Vec<VaryingByte>> {
    let mut first: Option<&[u8]> = None;
    let mut differing = vec![0u8; width];
    for row in 0..keys.len() {
        let start = key_start(keys, row);
        if keys.ends.get(row).is_some_and(|&end| end as usize == start) {
            continue;
        }
        let start = start + position.of(row);
        let segment = keys.bytes.get(start..start + width)?;
        let first = *first.get_or_insert(segment);
        for ((differing, byte), first) in differing.iter_mut().zip(segment).zip(first) {
            *differing |= byte ^ first;
        }
    }
    let varying = differing.into_iter().enumerate().filter(|&(_, bits)| bits != 0);
    let spans = varying.map(|(index, bits)| {
        let shift = bits.trailing_zeros();
        // From the lowest differing bit to the highest.
        VaryingByte { index, shift, mask: u8::MAX >> (bits.leading_zeros() + shift) }
    });
    Some(spans.collect())
}
