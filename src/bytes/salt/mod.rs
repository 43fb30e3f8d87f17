//! Salts: bytes in front of a key that spread it over buckets, one file a library.

pub mod hbasewd;
pub mod opentsdb;
pub mod phoenix;
pub mod random;

use crate::base::Problem;

/// Most buckets that one byte tells apart.
pub const MAX_BUCKETS: i64 = 256;

fn wrong_buckets(found: i32, most: i64) -> Problem {
    Problem::new("salt.buckets").with("found", found).with("least", 1).with("most", most)
}
