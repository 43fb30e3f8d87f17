//! Row keys: made from records, sorted, counted, and read back.

pub mod cells;
pub mod decode;
pub mod duplicates;
pub mod encode;
pub mod figures;
pub mod lengths;
pub mod quarters;
pub mod reader;
pub mod table;
