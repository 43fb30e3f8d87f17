//! The vocabulary that all rooms share: problems, sentences, JSON, small maps, estimates, units.

pub mod estimate;
pub(crate) mod figures;
pub mod hidden;
pub mod host;
pub mod json;
pub mod limits;
pub mod map;
pub mod memory;
pub mod nearest;
pub mod problem;
mod problems;
pub mod sentences;
pub mod units;
#[cfg(not(target_arch = "wasm32"))]
pub mod workers;

pub use problem::{Place, Problem};
pub use problems::Problems;
