//! Row key formulas.

pub mod properties;
pub mod typed;
pub mod vector;
