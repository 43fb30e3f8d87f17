//! Keys that come round again, such as those that begin with month and day: how long their rows may live.
//!
//! Rows that expired hide from reads at once, but take space until a major compaction drops them. For the next round to
//! find its place empty, the period has to be at least the time to live and two major compactions: one may just have run
//! when the rows expire, and the next is late by its jitter. HBase may drop a file sooner when all of it has expired
//! (`hbase.store.delete.expired.storefile`); the rule does not rely on that.

use crate::base::units::DAY_SECONDS;

/// `hbase.hregion.majorcompaction.jitter` as shipped: up to half of the period sooner or later.
pub const JITTER_PERCENT: u64 = 50;

/// The longest time to live, in seconds, for a period and major compactions this far apart at most; `None` when the
/// period has no room for two of them.
pub fn longest_ttl(period: u64, major_compaction: u64) -> Option<u64> {
    period.checked_sub(major_compaction.checked_mul(2)?).filter(|&ttl| ttl > 0)
}

/// Days between two major compactions at most, in seconds, jitter included.
pub fn latest_compaction(days: u32) -> u64 {
    u64::from(days) * DAY_SECONDS * (100 + JITTER_PERCENT) / 100
}
