//! Splits of a range of bytes: `Bytes.split`, `UniformSplit` and `Admin.createTable(start, end, n)`.

use super::digits;
use crate::base::Problem;
use crate::bytes::strings::ByteStrings;
use std::borrow::Cow;

const RADIX: u16 = 256;

/// `Bytes.split(start, end, inclusive, between)`: `start`, then `between` equal steps, then `end`.
///
/// The shorter end is padded with zeros on the right; a range with fewer rows than steps gains a zero byte,
/// and then both ends come out longer too. The step is rounded down, so the last one is the widest.
/// `inclusive` counts `end` itself into the range.
pub fn split(start: &[u8], end: &[u8], inclusive: bool, between: u32) -> Result<ByteStrings, Problem> {
    let width = start.len().max(end.len());
    let padded = |row: &[u8]| {
        let mut row = row.to_vec();
        row.resize(width, 0);
        row
    };
    let (mut from, mut to) = (padded(start), padded(end));
    if from >= to {
        return Err(Problem::new("split.equal-when-padded")
            .with("start", crate::bytes::row::to_string_binary(start))
            .with("end", crate::bytes::row::to_string_binary(end)));
    }
    if between == 0 {
        return Err(Problem::new("split.too-few-regions").with("regions", 1).with("least", 2));
    }
    let (mut first, mut last) = (Cow::Borrowed(start), Cow::Borrowed(end));
    let step = loop {
        let mut step = digits::widen(&to, to.len() + 1);
        digits::subtract(&mut step, &digits::widen(&from, from.len() + 1), RADIX);
        if inclusive {
            digits::increment(&mut step, RADIX);
        }
        if digits::value(&step, RADIX) > u64::from(between) {
            digits::divide(&mut step, between + 1, RADIX);
            // The step is no longer than the range, so its extra digit is zero.
            step.remove(0);
            break step;
        }
        from.push(0);
        to.push(0);
        (first, last) = (Cow::Owned(from.clone()), Cow::Owned(to.clone()));
    };
    let mut rows = ByteStrings::default();
    rows.push(&first);
    for _ in 0..between {
        digits::add(&mut from, &step, RADIX);
        rows.push(&from);
    }
    rows.push(&last);
    Ok(rows)
}

/// `RegionSplitter.UniformSplit`: equal shares of the bytes from `first` to `last`, without the two ends.
pub fn uniform(first: &[u8], last: &[u8], regions: u32) -> Result<ByteStrings, Problem> {
    if last <= first {
        return Err(super::limits::reversed(first, last));
    }
    let all = split(first, last, true, regions.saturating_sub(1))?;
    let mut rows = ByteStrings::default();
    for index in 1..all.len() - 1 {
        rows.push(all.get(index));
    }
    Ok(rows)
}

/// `Admin.createTable(start, end, regions)` of three regions or more: the first ends at `start`, the last begins at `end`.
pub fn create_table(start: &[u8], end: &[u8], regions: u32) -> Result<ByteStrings, Problem> {
    if start >= end {
        return Err(Problem::new("split.start-not-below-end")
            .with("start", crate::bytes::row::to_string_binary(start))
            .with("end", crate::bytes::row::to_string_binary(end)));
    }
    if regions > 3 {
        return split(start, end, false, regions - 3);
    }
    let mut rows = ByteStrings::default();
    rows.push(start);
    rows.push(end);
    Ok(rows)
}
