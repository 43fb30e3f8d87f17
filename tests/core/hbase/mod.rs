//! What a cluster makes of a table.

mod existing;
mod key_value;
mod simulate;
mod sizing;
mod storage;
