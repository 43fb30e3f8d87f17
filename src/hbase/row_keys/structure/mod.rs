//! The parts of row keys, found in their bytes alone: where each begins and ends, and what it is.
//!
//! The division is taken in which all parts together take the fewest bits.

mod bits;
mod derived;
mod form;
mod named;
mod search;

pub(super) use derived::{remainder_steps, steps};
pub(super) use form::FORMATS;
pub use form::{Form, Sign, Unit};
pub(super) use named::literal_in_formula;
pub use named::{NamedPart, named_parts};
pub use search::{FoundPart, parts_of};
