//! Bytes as HBase and Java write them, and sorting them.

pub mod codec;
pub mod hash;
pub mod position;
pub mod row;
pub mod salt;
pub mod sort;
pub mod strings;
