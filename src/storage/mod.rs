//! How HBase stores rows: what a cell takes.

pub mod key_value;
