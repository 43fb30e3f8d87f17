//! Storage, sizing, growth and existing tables on a cluster.

mod existing;
mod judge;
mod key_structure;
mod key_value;
mod phoenix;
mod repeats;
mod row_keys;
mod simulate;
mod sizing;
mod storage;
