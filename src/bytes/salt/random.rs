//! Random salts that are the same in every part of a pass and on every machine.

use crate::bytes::position::Position;
use crate::bytes::position::mix;

/// A number from 0 to `buckets` − 1 for the record at this position. Different seeds give independent numbers.
pub fn bucket(position: Position, seed: i64, buckets: i64) -> i64 {
    let (file, offset) = position;
    // Not the hash by which records are sampled: a sample would see few of the salts.
    let hash = mix(mix(mix(offset) ^ u64::from(file)) ^ mix(!seed as u64));
    ((u128::from(hash) * u128::from(buckets.max(1) as u64)) >> 64) as i64
}
