//! How many regions a table may have, and the problems that several ways of splitting share.

use crate::base::{Problem, limits};
use crate::bytes::row::to_string_binary;

/// Most regions of a table.
pub const MAX_REGIONS: u32 = limits::REGIONS.most as u32;

/// Most bytes of all split points together.
pub const MAX_SPLIT_BYTES: u64 = limits::SPLIT_BYTES.most;

/// `regions` as a count that can be made, when each split point has about `width` bytes.
pub(super) fn check_regions(regions: i64, width: usize) -> Result<u32, Problem> {
    if regions < 1 {
        return Err(Problem::new("split.too-few-regions").with("regions", regions).with("least", 1));
    }
    let count = u32::try_from(regions).unwrap_or(u32::MAX);
    check_size(u64::try_from(regions).unwrap_or_default(), u64::from(count) * width as u64)?;
    Ok(count)
}

/// The same for `createTable(start, end, regions)`, which makes at least three.
pub(super) fn check_created(regions: i64, width: usize) -> Result<u32, Problem> {
    match regions {
        ..3 => Err(Problem::new("split.between-too-few-regions").with("regions", regions)),
        _ => check_regions(regions, width),
    }
}

pub(super) fn check_size(regions: u64, bytes: u64) -> Result<(), Problem> {
    if regions > u64::from(MAX_REGIONS) {
        Err(too_many(regions))
    } else if bytes > MAX_SPLIT_BYTES {
        Err(Problem::new("split.too-many-bytes").with("bytes", bytes).with("limit", MAX_SPLIT_BYTES))
    } else {
        Ok(())
    }
}

pub(super) fn too_many(regions: u64) -> Problem {
    Problem::new("split.too-many-regions").with("regions", regions).with("limit", MAX_REGIONS)
}

pub(super) fn reversed(first: &[u8], last: &[u8]) -> Problem {
    Problem::new("split.last-not-above-first")
        .with("first", to_string_binary(first))
        .with("last", to_string_binary(last))
}
