//! Numbers that order as the keys do, put together from what is known of the key's segments.
//!
//! A segment of a dictionary column becomes the rank of its bytes among the distinct ones; a computed segment of
//! fixed width becomes those of its bits that differ between rows. One after the other they order as the keys
//! themselves, as long as every segment ends itself: no value of it is the beginning of another. Where that does not
//! hold, or the number would be too long, the keys are sorted by their bytes instead.

use super::Keys;
use super::segment::Segment;
use crate::formula::vector::ByteStrings;
use crate::sort::{Codes, sorted_rows};
use std::collections::HashMap;

/// How a segment of the key adds to the code.
enum Digits<'a> {
    /// Nothing: the same in every key. Bytes to pass over.
    Constant(usize),
    /// The rank of the entry's bytes.
    Rank { ids: &'a [u32], values: &'a ByteStrings, ranks: Vec<u32>, bits: u32 },
    /// Some bits of some bytes of a segment `width` bytes wide.
    Bits { width: usize, bytes: Vec<VaryingByte> },
}

/// Bits of a byte that are not the same in every key: `byte >> shift & mask`, at `index` of its segment.
struct VaryingByte {
    index: usize,
    shift: u32,
    mask: u8,
}

/// The rows with keys and their codes; `None` when no code of at most 64 bits (row number included) can be made.
pub(super) fn codes(segments: &[Segment], keys: &Keys) -> Option<Codes> {
    let rows = keys.keys.len();
    let last = segments.len().checked_sub(1)?;
    let mut digits = Vec::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        digits.push(match segment {
            Segment::Literal(bytes) => Digits::Constant(bytes.len()),
            Segment::Rows { width, .. } => Digits::Bits { width: (*width)?, bytes: Vec::new() },
            Segment::Distinct { ids, values, refused, .. } => {
                let (ranks, distinct) = ranks(values, refused, index == last)?;
                Digits::Rank { ids, values, ranks, bits: bits(u64::from(distinct)) }
            }
        });
    }
    find_varying_bytes(&mut digits, keys)?;
    let code_bits: u32 = digits.iter().map(Digits::bits).sum();
    let row_bits = bits(rows as u64).max(1);
    if code_bits + row_bits > 64 {
        return None;
    }
    let mut items = Vec::with_capacity(rows);
    for (row, key) in keys.keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
        let (mut code, mut position) = (0u64, 0);
        for digits in &digits {
            match digits {
                Digits::Constant(width) => position += width,
                Digits::Rank { ids, values, ranks, bits } => {
                    let id = *ids.get(row)? as usize;
                    code = code << bits | u64::from(*ranks.get(id)?);
                    position += values.get(id).len();
                }
                Digits::Bits { width, bytes } => {
                    let segment = key.get(position..position + width)?;
                    for varying in bytes {
                        let value = segment[varying.index] >> varying.shift & varying.mask;
                        code = code << varying.mask.count_ones() | u64::from(value);
                    }
                    position += width;
                }
            }
        }
        items.push(code << row_bits | row as u64);
    }
    Some(Codes { items, code_bits, row_bits })
}

impl Digits<'_> {
    fn bits(&self) -> u32 {
        match self {
            Self::Constant(_) => 0,
            Self::Rank { bits, .. } => *bits,
            Self::Bits { bytes, .. } => bytes.iter().map(|byte| byte.mask.count_ones()).sum(),
        }
    }
}

/// Bits needed to count up to `count` things.
fn bits(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
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

/// Finds which bits of the computed segments differ between keys; `None` when a key is not as wide as its segments say.
fn find_varying_bytes(digits: &mut [Digits], keys: &Keys) -> Option<()> {
    let widths: usize =
        digits.iter().map(|digits| if let Digits::Bits { width, .. } = digits { *width } else { 0 }).sum();
    let (mut first, mut differing) = (Vec::with_capacity(widths), vec![0u8; widths]);
    for (row, key) in keys.keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
        let (mut position, mut seen) = (0, 0);
        for digits in digits.iter() {
            match digits {
                Digits::Constant(width) => position += width,
                Digits::Rank { ids, values, .. } => position += values.get(*ids.get(row)? as usize).len(),
                Digits::Bits { width, .. } => {
                    let segment = key.get(position..position + width)?;
                    if first.len() < widths {
                        first.extend_from_slice(segment);
                    }
                    let (first, differing) =
                        (first.get(seen..seen + width)?, differing.get_mut(seen..seen + width)?);
                    for ((differing, byte), first) in differing.iter_mut().zip(segment).zip(first) {
                        *differing |= byte ^ first;
                    }
                    position += width;
                    seen += width;
                }
            }
        }
        if position != key.len() {
            return None;
        }
    }
    let mut differing = differing.into_iter();
    for digits in digits.iter_mut() {
        if let Digits::Bits { width, bytes } = digits {
            let varying = differing.by_ref().take(*width).enumerate().filter(|&(_, bits)| bits != 0);
            bytes.extend(varying.map(|(index, bits)| {
                let shift = bits.trailing_zeros();
                // From the lowest differing bit to the highest.
                let mask = u8::MAX >> (bits.leading_zeros() + shift);
                VaryingByte { index, shift, mask }
            }));
        }
    }
    Some(())
}
