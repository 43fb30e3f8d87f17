//! Counters of regions in what a cluster prints, any number of times, and the requests between the dumps.

mod dump;
mod headline;
mod history;
mod intervals;
mod json;
mod lines;
mod metric;
mod names;
mod picture;
mod requests;
mod when;

pub use dump::{DumpReader, HISTORY};
pub use history::History;
pub use metric::Metric;
pub use names::RegionName;
