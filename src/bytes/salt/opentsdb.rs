//! OpenTSDB's salt: `net.opentsdb.core.RowKey.prefixKeyWithSalt`.

use super::wrong_buckets;
use crate::base::Problem;
use crate::bytes::hash::java::bytes_hash;

/// Bytes of a metric's id (`tsd.storage.uid.width.metric`).
pub const METRIC: usize = 3;
/// Bytes of the base time between metric and tags.
pub const TIMESTAMP: usize = 4;

/// Most bytes of a salt: `Const.setSaltWidth`.
pub const MAX_WIDTH: i64 = 8;

/// The salt of a series: `|hash % buckets|` of its metric and tags, the time left out, so that a series stays in one bucket.
/// `series` is the metric's id and then those of the tags. The metric 0, the row of global annotations, has the salt 0.
///
/// # Errors
/// `salt.buckets` for none, where Java divides by zero.
pub fn bucket(series: &[u8], buckets: i32) -> Result<u32, Problem> {
    if series.get(..METRIC).is_none_or(|metric| metric == [0; METRIC]) {
        return Ok(0);
    }
    let remainder = bytes_hash(series).checked_rem(buckets).or((buckets == -1).then_some(0));
    Ok(remainder.ok_or_else(|| wrong_buckets(buckets, i32::MAX.into()))?.unsigned_abs())
}

/// A bucket in `width` bytes, the highest first; what does not fit is cut off, as in Java.
pub fn salt(bucket: u32, width: usize) -> impl Iterator<Item = u8> {
    // Java shifts by the count modulo 32: beyond four bytes the number begins again.
    (0..width).rev().map(move |place| bucket.wrapping_shr(8 * place as u32) as u8)
}
