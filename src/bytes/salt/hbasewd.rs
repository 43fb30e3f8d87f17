//! HBaseWD's `RowKeyDistributorByHashPrefix.OneByteSimpleHash`.

use super::{MAX_BUCKETS, wrong_buckets};
use crate::base::Problem;
use crate::bytes::hash::java::bytes_hash;

/// The byte in front of `key`: `Math.abs(hash) % buckets`. `Math.abs` leaves the hash −2^31 negative: such a key goes
/// outside the buckets, where a distributed scan does not look for it.
///
/// # Errors
/// `salt.buckets` outside 1 to 256.
pub fn prefix(key: &[u8], buckets: i32) -> Result<u8, Problem> {
    if !(1..=MAX_BUCKETS).contains(&buckets.into()) {
        return Err(wrong_buckets(buckets, MAX_BUCKETS));
    }
    Ok((bytes_hash(key).wrapping_abs() % buckets) as u8)
}
