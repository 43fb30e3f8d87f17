//! Input of a simulation.

use crate::base::Problem;
use crate::design::{Arrivals, Cluster, SplitPolicy};
use serde::Deserialize;

/// Portions of a day.
pub(super) const PORTIONS: u64 = 24;
/// Positions of the key space in a portion of a day.
pub(super) const PORTION: u64 = 1 << 24;
/// Positions of a day.
pub(super) const DAY: u64 = PORTIONS * PORTION;
/// Regions at which a simulation stops.
pub const MOST_REGIONS: usize = 10_000;

/// A table, what comes into it, and how HBase is set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename = "Spec", rename_all = "camelCase", deny_unknown_fields)]
pub struct SimulationSpec {
    /// Days to look ahead.
    pub days: u32,
    /// Bytes that come a day.
    pub bytes_per_day: u64,
    /// Where they go.
    pub arrivals: Arrivals,
    /// Days that a row lives; for ever without.
    #[serde(default)]
    pub ttl_days: Option<u32>,
    /// Days between major compactions, 0 for never.
    #[serde(default = "compaction_days")]
    pub compaction_days: u32,
    /// How much sooner or later they come, in percent.
    #[serde(default = "fifty")]
    pub compaction_jitter: u32,
    /// When regions split.
    #[serde(default)]
    pub policy: SplitPolicy,
    /// Bytes at which a region splits at the latest.
    #[serde(default = "max_region")]
    pub max_region: u64,
    /// How far regions differ in that, in percent, half of it down and half up.
    #[serde(default = "quarter")]
    pub split_jitter: u32,
    /// Bytes at which a region is flushed.
    #[serde(default = "flush")]
    pub flush: u64,
    /// Region servers.
    #[serde(default = "one")]
    pub servers: u32,
    /// Regions that a table is made with.
    #[serde(default = "one")]
    pub regions: u32,
    /// Bytes of each day's new rows, where not all records bring one; the last goes on. Otherwise as much comes every day.
    #[serde(skip)]
    pub new_bytes: Vec<u64>,
}

fn compaction_days() -> u32 {
    Cluster::default().major_compaction_days
}

fn fifty() -> u32 {
    50
}

fn quarter() -> u32 {
    25
}

fn one() -> u32 {
    1
}

fn max_region() -> u64 {
    Cluster::default().max_region()
}

fn flush() -> u64 {
    Cluster::default().flush()
}

impl SimulationSpec {
    /// With HBase as shipped, on one server, one region at first.
    pub fn new(days: u32, bytes_per_day: u64, arrivals: Arrivals) -> Self {
        Self {
            days,
            bytes_per_day,
            arrivals,
            ttl_days: None,
            compaction_days: compaction_days(),
            compaction_jitter: fifty(),
            policy: SplitPolicy::default(),
            max_region: max_region(),
            split_jitter: quarter(),
            flush: flush(),
            servers: one(),
            regions: one(),
            new_bytes: Vec::new(),
        }
    }

    /// Bytes that come on a day.
    pub(super) fn bytes_on(&self, day: u32) -> u64 {
        let of_day = self.new_bytes.get(day as usize).or(self.new_bytes.last());
        of_day.copied().unwrap_or(self.bytes_per_day)
    }

    /// Bytes of the days up to this one in which rows came that live.
    pub(super) fn alive(&self, day: u32) -> u64 {
        let days = self.ttl_days.map_or(day + 1, |ttl| ttl.min(day + 1));
        if self.new_bytes.is_empty() {
            return self.bytes_per_day.saturating_mul(days.into());
        }
        (day + 1 - days..=day).map(|day| self.bytes_on(day)).fold(0, u64::saturating_add)
    }

    /// True if every figure can be.
    pub(super) fn check(&self) -> Result<(), Vec<Problem>> {
        let period = match self.arrivals {
            Arrivals::Loop(days) | Arrivals::TablePerPeriod(days) => days,
            Arrivals::Rising | Arrivals::Spread => 1,
        };
        let most = (1 << 53) - 1;
        let figures = [
            ("days", u64::from(self.days), 1, 3660),
            ("bytesPerDay", self.bytes_per_day, 0, most),
            ("arrivals", u64::from(period), 1, 3660),
            ("ttlDays", u64::from(self.ttl_days.unwrap_or(1)), 1, 36_600),
            ("compactionDays", u64::from(self.compaction_days), 0, 3660),
            ("compactionJitter", u64::from(self.compaction_jitter), 0, 100),
            ("maxRegion", self.max_region, 1, most),
            ("splitJitter", u64::from(self.split_jitter), 0, 100),
            ("flush", self.flush, 1, most),
            ("servers", u64::from(self.servers), 1, 100_000),
            ("regions", u64::from(self.regions), 1, MOST_REGIONS as u64),
        ];
        let wrong = figures.into_iter().filter(|(_, found, least, most)| !(least..=most).contains(&found));
        let problem = |(name, found, least, most): (&str, u64, u64, u64)| {
            let problem = Problem::new("simulate.wrong-figure").with("name", name).with("found", found);
            problem.with("least", least).with("most", most).at_path(name)
        };
        let problems: Vec<Problem> = wrong.map(problem).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Positions of a table's key space.
    pub(super) fn space(&self) -> u64 {
        let days = match self.arrivals {
            Arrivals::Loop(days) | Arrivals::TablePerPeriod(days) => days,
            Arrivals::Rising | Arrivals::Spread => self.days,
        };
        u64::from(days) * DAY
    }

    /// Rows of so many days are told apart only from others when they expire.
    pub(super) fn cohort(&self) -> u32 {
        match (self.ttl_days, self.arrivals) {
            (None, _) => u32::MAX,
            (Some(ttl), Arrivals::Spread) => ttl / 64 + 1,
            (Some(_), _) => 1,
        }
    }
}
