//! Tables as HBase 2.6.4's shell printed them, and the way from there to other regions.

mod created;
mod reshape;
mod transcripts;
