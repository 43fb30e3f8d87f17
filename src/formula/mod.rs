//! Row key formulas: one line a person can read, compiled to steps with known properties.

mod check;
pub mod code;
mod compose;
pub mod describe;
mod lets;
mod lexer;
pub mod lookup;
mod meant;
pub mod parse;
mod refused;
mod scope;
pub mod steps;
pub mod syntax;
pub mod typed;
pub mod vector;

pub use check::{CallSource, SOURCES, check};
pub(crate) use compose::sequence;
pub use lookup::{Lookup, Lookups};
pub use parse::parse;
pub(crate) use refused::unknown_field;
pub use scope::Scope;
pub use syntax::{Formula, name_in_formula, text_in_formula};
