//! Columns of a Phoenix primary key, by their types in SQL: `phoenix.bigint`, `phoenix.varchar` and so on.
//!
//! The bytes are those that `UPSERT` of Phoenix 5.2.1 writes. What Phoenix would change without a word is refused.

mod column;
mod fixed;
mod varying;

pub use fixed::*;
pub use varying::*;
