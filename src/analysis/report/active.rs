//! Regions written at the same time, against what servers need and bear.

use super::servers::Grouped;
use crate::analysis::report::Report;
use crate::bytes::sort::sort;
use crate::design::Cluster;
use crate::hbase::sizing::active_bound;
use serde::Serialize;

/// Regions written in each stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Active {
    /// Stretches of time.
    pub groups: usize,
    /// Regions written in the one with fewest.
    pub least: u64,
    /// In the middle one.
    pub median: u64,
    /// In the one with most.
    pub most: u64,
    /// There should be more than these: one a server.
    pub above: u64,
    /// There should be no more than these: fewer than write memory ÷ flush size on each server.
    pub up_to: u64,
    /// Share of the stretches with too few.
    pub too_few: f64,
    /// Share of the stretches with too many.
    pub too_many: f64,
}

/// The regions written at the same time on these servers; `None` when the report cannot tell.
pub fn active(report: &Report, servers: u32, cluster: &Cluster) -> Option<Active> {
    let grouped = Grouped::of(report, servers)?;
    let mut written = vec![0u64; grouped.groups];
    for region in grouped.regions() {
        for (written, rows) in written.iter_mut().zip(region) {
            *written += u64::from(rows > 0);
        }
    }
    let mut written: Vec<u64> = written.into_iter().filter(|&regions| regions > 0).collect();
    sort(&mut written);
    let (above, up_to) = (u64::from(servers.max(1)), active_bound(servers, cluster));
    let share = |wrong: &dyn Fn(u64) -> bool| {
        written.iter().filter(|&&regions| wrong(regions)).count() as f64 / written.len().max(1) as f64
    };
    Some(Active {
        groups: written.len(),
        least: *written.first()?,
        median: *written.get(written.len() / 2)?,
        most: *written.last()?,
        above,
        up_to,
        too_few: share(&|regions| regions <= above),
        too_many: share(&|regions| regions > up_to),
    })
}
