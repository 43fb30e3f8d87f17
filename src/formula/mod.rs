//! Row key formulas: one line a person can read, compiled to steps with known properties.

mod check;
mod compose;
pub mod describe;
mod lexer;
mod nearest;
pub mod parse;
pub mod properties;
pub mod steps;
pub mod syntax;
pub mod typed;
pub mod vector;

pub(crate) use check::unknown_field;
pub use check::{CallSource, SOURCES, check};
pub(crate) use compose::sequence;
pub use nearest::nearest;
pub use parse::parse;
pub use syntax::Formula;
