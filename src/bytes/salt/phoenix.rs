//! Phoenix's `SALT_BUCKETS`: `org.apache.phoenix.schema.SaltingUtil`.

use super::wrong_buckets;
use crate::base::Problem;
use crate::bytes::hash::java::bytes_hash;

/// The byte in front of `key`, the whole of what follows it: `|hash % buckets|`. Phoenix's DDL takes 1 to 256 buckets;
/// `SaltingUtil` itself takes any number but 0 and keeps the low byte.
///
/// # Errors
/// `salt.buckets` for none, where Java divides by zero.
pub fn salting_byte(key: &[u8], buckets: i32) -> Result<u8, Problem> {
    let remainder = bytes_hash(key).checked_rem(buckets).or((buckets == -1).then_some(0));
    let remainder = remainder.ok_or_else(|| wrong_buckets(buckets, super::MAX_BUCKETS))?;
    Ok(remainder.unsigned_abs() as u8)
}

/// Where Phoenix splits a table of so many buckets: one byte each, 1 up to the last.
///
/// # Errors
/// `salt.buckets` below 1, where Java throws `NegativeArraySizeException`.
pub fn split_points(buckets: i32) -> Result<Vec<[u8; 1]>, Problem> {
    if buckets < 1 {
        return Err(wrong_buckets(buckets, super::MAX_BUCKETS));
    }
    Ok((1..buckets).map(|bucket| [bucket as u8]).collect())
}
