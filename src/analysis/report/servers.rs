//! The load of each server when regions lie on them in turn, as HBase assigns those of a new table, and how many regions are
//! written at the same time.

use super::{Report, ServerLoad};
use crate::bytes::sort::{sort, sort_by};
use crate::design::Cluster;
use crate::hbase::sizing::active_bound;
use serde::Serialize;

/// Rows that a stretch of time should have for each server, so that chance says little.
const ROWS: u64 = 64;
/// Servers listed one by one at most, those with rows apart.
const LISTED: u32 = 4096;
/// Fewest stretches of time: fewer would hide a hot spot that moves.
const GROUPS: usize = 16;

/// The rows of a report by region and stretch of time, each of as many neighbouring time buckets as it takes.
struct GroupedRows<'a> {
    heat: &'a [u32],
    buckets: usize,
    /// Time buckets of a stretch.
    pub together: usize,
    /// Number of stretches.
    pub groups: usize,
}

impl<'a> GroupedRows<'a> {
    /// `None` without time, without rows, or when regions are so many that the report counts several as one.
    pub fn of(report: &'a Report, servers: u32) -> Option<Self> {
        let buckets = usize::from(report.time.as_ref()?.buckets);
        let rows: u64 = report.heat.iter().map(|&rows| u64::from(rows)).sum();
        if buckets == 0 || rows == 0 || report.regions_per_heat_row > 1 {
            return None;
        }
        let wanted = u64::from(servers.max(1)).saturating_mul(ROWS);
        let together = wanted.saturating_mul(buckets as u64).div_ceil(rows);
        let together = usize::try_from(together).unwrap_or(buckets).clamp(1, buckets.div_ceil(GROUPS));
        Some(Self { heat: &report.heat, buckets, together, groups: buckets.div_ceil(together) })
    }

    /// The rows of each region in each stretch.
    pub fn regions(&self) -> impl Iterator<Item = impl Iterator<Item = u64> + use<'a>> + use<'a> {
        let together = self.together;
        self.heat.chunks(self.buckets).map(move |row| {
            row.chunks(together).map(|cells| cells.iter().map(|&rows| u64::from(rows)).sum::<u64>())
        })
    }
}

impl Report {
    /// Lays the regions on so many servers in turn.
    pub fn on_servers(mut self, count: Option<u32>) -> Self {
        self.servers = count.and_then(|count| servers(&self, count));
        self
    }
}

/// Regions on servers in turn: the load of each over time. `None` when the report cannot tell.
pub fn servers(report: &Report, servers: u32) -> Option<ServerLoad> {
    let grouped = GroupedRows::of(report, servers)?;
    // Servers without a region take nothing, however many there are.
    let count = usize::try_from(servers.max(1)).ok()?.min(report.region_count.max(1));
    let mut load = vec![vec![0u64; grouped.groups]; count];
    for (index, region) in grouped.regions().enumerate() {
        if let Some(server) = load.get_mut(index % count) {
            server.iter_mut().zip(region).for_each(|(sum, rows)| *sum += rows);
        }
    }
    let mut worth = Vec::with_capacity(grouped.groups);
    let mut busiest = Vec::with_capacity(grouped.groups);
    for group in 0..grouped.groups {
        let rows = load.iter().filter_map(|server| server.get(group)).copied();
        let (all, most) = rows.fold((0, 0), |(all, most): (u64, u64), rows| (all + rows, most.max(rows)));
        busiest.push(most as f64 / all.max(1) as f64);
        worth.extend((most > 0).then(|| all as f64 / most as f64));
    }
    sort_by(&mut worth, f64::total_cmp);
    let throughput = *worth.get(worth.len() / 2)?;
    // Beyond that the idle ones are not listed.
    load.resize(count.max(servers.clamp(1, LISTED) as usize), vec![0; grouped.groups]);
    Some(ServerLoad {
        servers,
        rows: load.iter().map(|server| server.iter().sum()).collect(),
        together: grouped.together,
        stretches: grouped.groups,
        load: load.concat(),
        busiest,
        throughput,
    })
}

/// Regions written in each stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveRegions {
    /// Stretches of time.
    pub groups: usize,
    /// Regions written in the one with fewest.
    pub least: u64,
    /// In the middle one.
    pub median: u64,
    /// In the one with most.
    pub most: u64,
    /// There should be no fewer than these: one a server.
    pub at_least: u64,
    /// There should be no more than these: fewer than write memory ÷ flush size on each server.
    pub up_to: u64,
    /// Share of the stretches with too few.
    pub too_few: f64,
    /// Share of the stretches with too many.
    pub too_many: f64,
}

/// The regions written at the same time on these servers; `None` when the report cannot tell.
pub fn active(report: &Report, servers: u32, cluster: &Cluster) -> Option<ActiveRegions> {
    let grouped = GroupedRows::of(report, servers)?;
    let mut written = vec![0u64; grouped.groups];
    for region in grouped.regions() {
        for (written, rows) in written.iter_mut().zip(region) {
            *written += u64::from(rows > 0);
        }
    }
    let mut written: Vec<u64> = written.into_iter().filter(|&regions| regions > 0).collect();
    sort(&mut written);
    let (at_least, up_to) = (u64::from(servers.max(1)), active_bound(servers, cluster));
    let share = |wrong: &dyn Fn(u64) -> bool| {
        written.iter().filter(|&&regions| wrong(regions)).count() as f64 / written.len().max(1) as f64
    };
    Some(ActiveRegions {
        groups: written.len(),
        least: *written.first()?,
        median: *written.get(written.len() / 2)?,
        most: *written.last()?,
        at_least,
        up_to,
        too_few: share(&|regions| regions < at_least),
        too_many: share(&|regions| regions > up_to),
    })
}
