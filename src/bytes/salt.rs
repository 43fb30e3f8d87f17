//! Salts: bytes in front of a key that spread it over buckets, as Phoenix, HBaseWD and OpenTSDB make them, and random ones.

use super::hash::java_bytes;
use super::position::{Position, mix};
use crate::base::Problem;

/// Most buckets that one byte tells apart.
pub const MAX_BUCKETS: i64 = 256;

fn wrong_buckets(found: i32, most: i64) -> Problem {
    Problem::new("salt.buckets").with("found", found).with("least", 1).with("most", most)
}

/// The byte that Phoenix's `SaltingUtil` puts in front of `key`, the whole of what follows it: `|hash % buckets|`. Phoenix's DDL takes 1 to 256 buckets;
/// `SaltingUtil` itself takes any number but 0 and keeps the low byte.
///
/// # Errors
/// `salt.buckets` for none, where Java divides by zero.
pub fn phoenix(key: &[u8], buckets: i32) -> Result<u8, Problem> {
    let remainder = java_bytes(key).checked_rem(buckets).or((buckets == -1).then_some(0));
    let remainder = remainder.ok_or_else(|| wrong_buckets(buckets, MAX_BUCKETS))?;
    Ok(remainder.unsigned_abs() as u8)
}

/// Where Phoenix splits a table of so many buckets: one byte each, 1 up to the last.
///
/// # Errors
/// `salt.buckets` below 1, where Java throws `NegativeArraySizeException`.
pub fn phoenix_split_points(buckets: i32) -> Result<Vec<[u8; 1]>, Problem> {
    if buckets < 1 {
        return Err(wrong_buckets(buckets, MAX_BUCKETS));
    }
    Ok((1..buckets).map(|bucket| [bucket as u8]).collect())
}

/// The byte that HBaseWD's `RowKeyDistributorByHashPrefix.OneByteSimpleHash` puts in front of `key`: `Math.abs(hash) % buckets`. `Math.abs` leaves the hash −2^31 negative: such a key goes
/// outside the buckets, where a distributed scan does not look for it.
///
/// # Errors
/// `salt.buckets` outside 1 to 256.
pub fn hbasewd(key: &[u8], buckets: i32) -> Result<u8, Problem> {
    if !(1..=MAX_BUCKETS).contains(&buckets.into()) {
        return Err(wrong_buckets(buckets, MAX_BUCKETS));
    }
    Ok((java_bytes(key).wrapping_abs() % buckets) as u8)
}

/// Bytes of a metric's id (`tsd.storage.uid.width.metric`).
pub const OPENTSDB_METRIC: usize = 3;
/// Bytes of the base time between metric and tags.
pub const OPENTSDB_TIMESTAMP: usize = 4;

/// Most bytes of a salt: `Const.setSaltWidth`.
pub const OPENTSDB_MAX_WIDTH: i64 = 8;

/// The salt of a series as `net.opentsdb.core.RowKey.prefixKeyWithSalt` has it: `|hash % buckets|` of its metric and tags,
/// the time left out, so that a series stays in one bucket.
/// `series` is the metric's id and then those of the tags. The metric 0, the row of global annotations, has the salt 0.
///
/// # Errors
/// `salt.buckets` for none, where Java divides by zero.
pub fn opentsdb_bucket(series: &[u8], buckets: i32) -> Result<u32, Problem> {
    if series.get(..OPENTSDB_METRIC).is_none_or(|metric| metric == [0; OPENTSDB_METRIC]) {
        return Ok(0);
    }
    let remainder = java_bytes(series).checked_rem(buckets).or((buckets == -1).then_some(0));
    Ok(remainder.ok_or_else(|| wrong_buckets(buckets, i32::MAX.into()))?.unsigned_abs())
}

/// A bucket in `width` bytes, the highest first; what does not fit is cut off, as in Java.
pub fn opentsdb(bucket: u32, width: usize) -> impl Iterator<Item = u8> {
    // Java shifts by the count modulo 32: beyond four bytes the number begins again.
    (0..width).rev().map(move |place| bucket.wrapping_shr(8 * place as u32) as u8)
}

/// A number from 0 to `buckets` − 1 for the record at this position, the same in every part of a pass and on every machine. Different seeds give independent numbers.
pub fn random(position: Position, seed: i64, buckets: i64) -> i64 {
    let (file, offset) = position;
    // Not the hash by which records are sampled: a sample would see few of the salts.
    let hash = mix(mix(mix(offset) ^ u64::from(file)) ^ mix(!seed as u64));
    ((u128::from(hash) * u128::from(buckets.max(1) as u64)) >> 64) as i64
}
