//! Units of time and size.

/// Milliseconds of a second.
pub const SECOND: i64 = 1_000;
/// Milliseconds of a minute.
pub const MINUTE: i64 = 60 * SECOND;
/// Milliseconds of an hour.
pub const HOUR: i64 = 60 * MINUTE;
/// Milliseconds of a day.
pub const DAY: i64 = 24 * HOUR;
/// Seconds of a day.
pub const DAY_SECONDS: u64 = 24 * 60 * 60;
/// Bytes of a gigabyte, as HBase counts them.
pub const GB: u64 = 1 << 30;
/// Bytes of a megabyte, as HBase counts them.
pub const MB: u64 = 1 << 20;
