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
/// Bytes of a GiB, HBase's own unit.
pub const GB: u64 = 1 << 30;
/// Bytes of a MiB, HBase's own unit.
pub const MB: u64 = 1 << 20;
/// Bytes of a KiB.
pub const KB: u64 = 1 << 10;
