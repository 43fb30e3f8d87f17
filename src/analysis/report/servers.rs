//! What each server takes when regions lie on them in turn, as HBase assigns those of a new table.

use crate::analysis::report::Report;
use crate::bytes::sort::sort_by;
use serde::Serialize;

/// Rows that a stretch of time should have for each server, so that chance says little.
const ROWS: u64 = 64;
/// Servers listed one by one at most, those with rows apart.
const LISTED: u32 = 4096;
/// Fewest stretches of time: fewer would hide a hot spot that moves.
const GROUPS: usize = 16;

/// The rows of a report by region and stretch of time, each of as many neighbouring time buckets as it takes.
pub(super) struct Grouped<'a> {
    heat: &'a [u32],
    buckets: usize,
    /// Time buckets of a stretch.
    pub together: usize,
    /// Number of stretches.
    pub groups: usize,
}

impl<'a> Grouped<'a> {
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

/// Load by server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Servers {
    /// Number of servers.
    pub servers: u32,
    /// Rows that each takes over all time.
    pub rows: Vec<u64>,
    /// Time buckets of a stretch.
    pub together: usize,
    /// Number of stretches of time.
    pub stretches: usize,
    /// Rows that each takes in each stretch, server after server.
    #[serde(skip)]
    pub load: Vec<u64>,
    /// Share of the busiest server in each stretch of time; 0 where nothing is written.
    pub busiest: Vec<f64>,
    /// Servers' worth of throughput: all rows ÷ those of the busiest server, which is n × mean ÷ most, in the middle
    /// stretch of time. 1 when one server takes everything, n when all take the same.
    pub throughput: f64,
}

/// Regions on servers in turn: the load of each over time. `None` when the report cannot tell.
pub fn servers(report: &Report, servers: u32) -> Option<Servers> {
    let grouped = Grouped::of(report, servers)?;
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
    Some(Servers {
        servers,
        rows: load.iter().map(|server| server.iter().sum()).collect(),
        together: grouped.together,
        stretches: grouped.groups,
        load: load.concat(),
        busiest,
        throughput,
    })
}
