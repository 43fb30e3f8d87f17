//! The monoid: what is known of any number of records in bounded memory.

pub mod ladder;
