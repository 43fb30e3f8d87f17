//! Values as bytes and back, exactly as Java and HBase write them; knows nothing of formulas.

pub mod decimal;
mod digits;
pub mod phoenix;

/// Why a value cannot be written or bytes cannot be read: a message code.
pub type Refusal = &'static str;
