//! How long the steps are in which files are read.

use crate::base::units::MB;

/// Least bytes of a step, and most.
const STEP: (u64, u64) = (MB, 12 * MB);
/// One in so many bytes of the memory is for a step.
const STEPS: u64 = 64;

/// Bytes of a step of a command that takes so much memory.
pub fn step(memory: u64) -> u64 {
    (memory / STEPS).clamp(STEP.0, STEP.1)
}
