//! What a cluster makes of a table: cells, regions, months of its life, and what its shell prints.

pub mod existing;
pub mod simulate;
pub mod sizing;
pub mod storage;
