//! Bytes as HBase and Java write them, and sorting them.

mod base64;
pub mod codec;
pub(crate) mod columns;
pub mod hash;
pub mod position;
pub mod row;
pub mod salt;
pub mod sort;
pub mod strings;

pub use base64::{base64, from_base64};
