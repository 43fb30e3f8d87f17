//! One design on records: what is counted, what is found, and the ways to run it: in memory, in portions, on a sample.

pub mod findings;
mod memory;
pub mod pass;
pub mod report;
pub mod settings;
pub mod stream;

pub(crate) use memory::check_held;
pub use memory::{Analysis, ReportOptions};
