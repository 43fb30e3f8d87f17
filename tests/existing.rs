//! Tables as HBase 2.6.4's shell printed them, and the way from there to other regions.

#[path = "existing/created.rs"]
mod created;
#[path = "existing/reshape.rs"]
mod reshape;
#[path = "existing/transcripts.rs"]
mod transcripts;
