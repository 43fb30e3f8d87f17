//! Row key formulas.

pub mod properties;
pub mod vector;
