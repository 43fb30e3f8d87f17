//! Hashes, one file an algorithm.

pub mod crc32;
pub mod java;
pub mod jenkins;
pub mod md5;
pub mod murmur;
pub mod murmur3;
pub mod sha;

/// The seed of HBase's own hashes when none is given: `Hash.hash(byte[])` of HBase 1.
pub const SEED: i32 = -1;

/// Up to four bytes as a number, the lowest byte first.
fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}
