//! Months ahead of a table, from its design: what comes a day, and what becomes of it.

use super::simulate::{SimulatedDay, SimulationSpec, simulate};
use super::storage::table::{KeyLengths, storage};
use crate::base::Problem;
use crate::base::figures::share;
use crate::base::units::DAY_SECONDS;
use crate::design::{Arrivals, Cluster, Design, Document, Family, Growth, GrowthAmount};
use crate::records::field::shape::Order;
use serde::Serialize;

/// Days that can be simulated.
const LONGEST: u32 = 3660;

/// A table, and what will come into it.
#[derive(Clone)]
pub struct OutlookNeed<'a> {
    /// The table.
    pub design: &'a Design,
    /// Lengths of its row keys.
    pub keys: KeyLengths,
    /// How much there is and will be.
    pub growth: Growth,
    /// Where it comes in the key space.
    pub arrivals: Arrivals,
    /// The cluster's settings.
    pub cluster: Cluster,
    /// Region servers.
    pub servers: u32,
    /// Regions that the table is made with.
    pub regions: u32,
}

/// Months ahead of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outlook {
    /// Bytes that come a day.
    pub bytes_per_day: u64,
    /// Days of the past that rows at the start are taken to have come in, at the same rate.
    pub before: u32,
    /// Day after day, from the start on.
    pub days: Vec<SimulatedDay>,
    /// Why it ended before its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Problem>,
}

/// Simulates the months that the growth looks ahead. Rows that are there at the start are simulated as well, so that regions hold
/// rows of all ages.
///
/// # Errors
/// `simulate.wrong-figure` for each figure out of bounds.
pub fn outlook(need: &OutlookNeed<'_>) -> Result<Outlook, Vec<Problem>> {
    let Growth { amount, now, per_day, .. } = need.growth;
    let rows = if amount == GrowthAmount::Rows { per_day.max(1) } else { 1 };
    let sample = storage(need.design, &need.keys, rows);
    let (bytes_per_day, bytes_now) = match amount {
        GrowthAmount::Bytes => (per_day, now),
        GrowthAmount::Rows => (if per_day == 0 { 0 } else { sample.total }, share(now, sample.total, rows)),
    };
    let days = need.growth.days();
    let past = u32::try_from(bytes_now / bytes_per_day.max(1)).unwrap_or(LONGEST);
    let before = past.min(LONGEST.saturating_sub(days));
    let spec = SimulationSpec {
        ttl_days: ttl_days(&need.design.families),
        compaction_days: need.cluster.major_compaction_days,
        policy: need.cluster.split_policy,
        max_region: need.cluster.max_region(),
        flush: need.cluster.flush(),
        servers: need.servers,
        regions: need.regions,
        ..SimulationSpec::new(before + days, bytes_per_day, need.arrivals)
    };
    let mut whole = simulate(&spec)?;
    whole.days.drain(..whole.days.len().min(before as usize));
    Ok(Outlook { bytes_per_day, before, days: whole.days, stopped: whole.stopped })
}

/// A table expires as its longest-lived family does.
fn ttl_days(families: &[Family]) -> Option<u32> {
    let lives: Option<Vec<u32>> = families.iter().map(Family::lives).collect();
    lives?.into_iter().max().map(|seconds| seconds.div_ceil(DAY_SECONDS as u32))
}

/// Where the rows of a table come in its key space: as the document says, else behind all others if the key begins with the time of
/// arrival, else everywhere alike.
pub fn arrivals_of(study: &Document, design: &Design) -> Arrivals {
    if let Some(told) = study.growth.and_then(|growth| growth.arrivals) {
        return told;
    }
    let first = design.typed.parts.iter().find(|part| !part.fields.is_empty());
    let of_arrival = |field: &usize| {
        let name = study.fields.get(*field).map(|field| &field.name);
        name.is_some() && name == study.arrival.as_ref()
    };
    let rises = first.is_some_and(|part| {
        part.fields.first().is_some_and(of_arrival) && matches!(part.shape.order, Order::Strict | Order::Weak)
    });
    if rises { Arrivals::Rising } else { Arrivals::Spread }
}
