//! Months ahead of a table, from its design: what comes a day, and what becomes of it.

use super::simulate::{SimulatedDay, SimulationSpec, simulate};
use super::storage::repeats::{NewRows, RowsAhead};
use super::storage::table::{KeyLengths, storage};
use crate::base::Problem;
use crate::base::figures::share;
use crate::base::units::{DAY, DAY_SECONDS};
use crate::design::{Arrivals, Cluster, Design, Document, Family, Growth, GrowthAmount};
use crate::formula::typed::TypedPart;
use crate::records::field::shape::Order;
use crate::scan::{natural_order, period};
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
    /// Bytes that come a day; where records repeat row keys, on the first.
    pub bytes_per_day: u64,
    /// Days of the past that rows at the start are taken to have come in, at the same rate.
    pub before: u32,
    /// Day after day, from the start on.
    pub days: Vec<SimulatedDay>,
    /// Why it ended before its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Problem>,
    /// Rows at the end, where records repeat row keys.
    #[serde(rename = "rows", skip_serializing_if = "Option::is_none")]
    pub ahead: Option<RowsAhead>,
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
        GrowthAmount::Rows => {
            (if per_day == 0 { 0 } else { sample.in_regions }, share(now, sample.in_regions, rows))
        }
    };
    let days = need.growth.days();
    let past = match amount {
        GrowthAmount::Bytes => bytes_now / bytes_per_day.max(1),
        GrowthAmount::Rows => now / per_day.max(1),
    };
    let before = u32::try_from(past).unwrap_or(LONGEST).min(LONGEST.saturating_sub(days));
    let ttl_days = ttl_days(&need.design.families);
    let ahead = new_rows(need).map(|new| new.ahead(need.growth.after(days)));
    let new_bytes = if ahead.is_some() { new_bytes(need, before, ttl_days) } else { Vec::new() };
    let bytes_per_day = new_bytes.get(before as usize).copied().unwrap_or(bytes_per_day);
    let spec = SimulationSpec {
        ttl_days,
        compaction_days: need.cluster.major_compaction_days,
        policy: need.cluster.split_policy,
        max_region: need.cluster.max_region(),
        flush: need.cluster.flush(),
        servers: need.servers,
        regions: need.regions,
        new_bytes,
        ..SimulationSpec::new(before + days, bytes_per_day, need.arrivals)
    };
    let mut whole = simulate(&spec)?;
    whole.days.drain(..whole.days.len().min(before as usize));
    Ok(Outlook { bytes_per_day, before, days: whole.days, stopped: whole.stopped, ahead })
}

/// How many records bring a new row, where that has to be estimated. Under keys that come round, the rows of a period are as many
/// in each.
fn new_rows(need: &OutlookNeed<'_>) -> Option<NewRows> {
    let steady = matches!(need.arrivals, Arrivals::Loop(_) | Arrivals::TablePerPeriod(_));
    NewRows::of(&need.keys).filter(|_| need.growth.amount == GrowthAmount::Rows && !steady)
}

/// Bytes of the new rows of each day. A row that is written again lives on: once rows expire, as many come as go.
fn new_bytes(need: &OutlookNeed<'_>, before: u32, ttl_days: Option<u32>) -> Vec<u64> {
    let Growth { now, per_day, .. } = need.growth;
    let start = now.saturating_sub(per_day.saturating_mul(before.into()));
    let size = |day: u32| {
        let records = start.saturating_add(per_day.saturating_mul(day.into()));
        storage(need.design, &need.keys, records).in_regions
    };
    let mut held = size(0);
    let mut bytes: Vec<u64> = Vec::new();
    for day in 0..before + need.growth.days() {
        let expired = ttl_days.and_then(|ttl| bytes.get(day.checked_sub(ttl)? as usize).copied());
        bytes.push(expired.unwrap_or_else(|| {
            let all = size(day + 1);
            all.saturating_sub(std::mem::replace(&mut held, all))
        }));
    }
    bytes
}

/// A table expires as its longest-lived family does.
fn ttl_days(families: &[Family]) -> Option<u32> {
    let lives: Option<Vec<u32>> = families.iter().map(Family::lives).collect();
    lives?.into_iter().max().map(|seconds| seconds.div_ceil(DAY_SECONDS as u32))
}

/// Where the rows of a table come in its key space: as the document says, else at one end if the key begins with the time of arrival,
/// round and round if that comes again after some days, else everywhere alike.
pub fn arrivals_of(study: &Document, design: &Design) -> Arrivals {
    if let Some(told) = study.growth.and_then(|growth| growth.arrivals) {
        return told;
    }
    let is_arrival = |field: usize| {
        let name = study.fields.get(field).map(|field| &field.name);
        name.is_some() && name == study.arrival.as_ref()
    };
    let leads = |part: &&TypedPart| !part.fields.is_empty() && part.shape.distinct != Some(1);
    let first = design.typed.parts.iter().find(leads);
    let Some(part) = first.filter(|part| matches!(part.fields.as_slice(), [field] if is_arrival(*field)))
    else {
        return Arrivals::Spread;
    };
    let turn = || period(&part.expression).map(|(_, turn)| turn / DAY.unsigned_abs());
    match natural_order(&part.expression) {
        // At the beginning as many regions take them as at the end.
        Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed => Arrivals::Rising,
        _ => match turn() {
            Some(days) if days > LONGEST.into() => Arrivals::Rising,
            Some(days @ 2..) => Arrivals::Loop(days as u32),
            _ => Arrivals::Spread,
        },
    }
}
