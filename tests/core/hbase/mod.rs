//! Storage, sizing, growth and existing tables on a cluster.

mod existing;
mod key_value;
mod simulate;
mod sizing;
mod storage;
