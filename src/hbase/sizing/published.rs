//! The rule of thumb that gives regions by the size of the table, with what it leaves out and where it contradicts HBase.

use super::Answer;
use crate::base::units::GB;

/// Below this a table is called small.
const SMALL: u64 = 50 * GB;
/// From this on a table is called large, up to [`LARGEST`].
const LARGE: u64 = 500 * GB;
/// The largest table it speaks of.
const LARGEST: u64 = 10 * 1024 * GB;
/// Bytes of a region of a large table.
const REGION: u64 = 10 * GB;
/// Most regions of a large table.
const CAP: u64 = 120;

/// A small table 5 to 10 regions, a large one its size ÷ 10 GB, at most 120.
pub fn by_table_size(bytes: u64, max_region: u64) -> Answer {
    match bytes {
        0..SMALL => Answer::Regions { least: 5, most: Some(10) },
        LARGE..=LARGEST => {
            let regions = bytes.div_ceil(REGION).min(CAP);
            let bytes_each = bytes / regions.max(1);
            if bytes_each > max_region {
                Answer::Contradiction { regions, bytes_each, splits_at: max_region }
            } else {
                Answer::Regions { least: regions, most: Some(regions) }
            }
        }
        _ => Answer::NotCovered,
    }
}
