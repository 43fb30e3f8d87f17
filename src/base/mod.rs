//! The ground all other modules stand on.

pub mod host;
