//! Hashes, one file an algorithm.

pub mod java;
pub mod md5;
