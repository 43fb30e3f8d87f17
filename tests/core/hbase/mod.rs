//! Storage, sizing, growth and existing tables on a cluster.

mod existing;
mod judge;
mod key_structure;
mod key_value;
mod keys_of_records;
mod phoenix;
mod repeats;
mod row_keys;
mod simulate;
mod sizing;
mod storage;
