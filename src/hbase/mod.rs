//! A table on a cluster: cells, regions, months of its life, and the shell's output about it.

pub mod existing;
pub mod log_line;
pub mod outlook;
pub mod phoenix;
pub mod row_keys;
pub mod simulate;
pub mod sizing;
pub mod storage;
