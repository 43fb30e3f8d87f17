//! Everything that a person has open: records on their way in, which are held, sampled or counted as memory allows, and the evidence that they are.
//!
//! Hosts bring records and show answers; how many are held, and when they are counted and dropped, is decided here for all of them.

mod evidence;
mod intake;
mod policy;

pub use evidence::Evidence;
pub use intake::{CountingIntake, SamplingIntake};
pub use policy::{GENERATED_ROWS, HEAD, MemoryUse, OWN, PORTION_ROWS, SUMMARY_PORTIONS};
