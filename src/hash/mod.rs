//! Hashes, one file an algorithm.

pub mod md5;
