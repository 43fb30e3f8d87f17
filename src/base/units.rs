//! Units of time and size, as seconds and bytes.

/// Seconds of a day.
pub const DAY_SECONDS: u64 = 24 * 60 * 60;
/// Bytes of a gigabyte, as HBase counts them.
pub const GB: u64 = 1 << 30;
/// Bytes of a megabyte, as HBase counts them.
pub const MB: u64 = 1 << 20;
