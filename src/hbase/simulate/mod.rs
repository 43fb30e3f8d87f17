//! Months in the life of a table: rows arrive, regions split, rows expire, compactions take them away.
//!
//! Whole numbers only, so every machine gives the same. One column family is looked at: HBase checks sizes for each
//! store. Splits cut where half of the bytes lie below; both halves are compacted at once, as HBase rewrites them.
//! HBase cuts in the middle of the largest file of a store: the same for keys that come everywhere alike; for rising keys
//! it lies a little below, where 46 to 48% of the bytes do (docs/oracle.md).

mod region;
mod spec;

pub use region::SimulatedDay;
pub use spec::{MOST_REGIONS, SimulationSpec};

use crate::base::Problem;
use crate::design::Arrivals;
use region::{SimulatedRegion, SimulatedTable};
use serde::Serialize;
use spec::{DAY, PORTION, PORTIONS};

/// With more regions than this, rows that go to all of them come once a day.
const FEW: usize = 256;

/// A simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simulation {
    /// Day after day.
    pub days: Vec<SimulatedDay>,
    /// Why it ended before its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Problem>,
}

/// Runs a simulation.
///
/// # Errors
/// `simulate.wrong-figure` for each figure out of bounds.
pub fn simulate(spec: &SimulationSpec) -> Result<Simulation, Vec<Problem>> {
    spec.check()?;
    let mut tables = vec![SimulatedTable::new(spec, 0)];
    let mut days = Vec::with_capacity(spec.days as usize);
    let mut stopped = None;
    for day in 0..spec.days {
        let today = live_day(spec, &mut tables, day);
        days.push(today);
        if today.regions > MOST_REGIONS as u64 {
            let problem =
                Problem::new("simulate.too-many-regions").with("regions", today.regions).with("day", day + 1);
            stopped = Some(problem);
            break;
        }
    }
    Ok(Simulation { days, stopped })
}

/// The day of a period, and whether it is the first of one.
fn day_of(spec: &SimulationSpec, day: u32) -> u32 {
    match spec.arrivals {
        Arrivals::Loop(days) | Arrivals::TablePerPeriod(days) => day % days.max(1),
        Arrivals::Rising | Arrivals::Spread => day,
    }
}

fn live_day(spec: &SimulationSpec, tables: &mut Vec<SimulatedTable>, day: u32) -> SimulatedDay {
    let mut today = SimulatedDay::default();
    let place = u64::from(day_of(spec, day));
    if matches!(spec.arrivals, Arrivals::TablePerPeriod(_)) && place == 0 && day > 0 {
        tables.push(SimulatedTable::new(spec, day));
    }
    if let Some(table) = tables.last_mut() {
        let spread = spec.arrivals == Arrivals::Spread;
        let portions = if spread && table.regions.len() > FEW { 1 } else { PORTIONS };
        for portion in 0..portions {
            let upto = |portion: u64| crate::base::figures::share(spec.bytes_on(day), portion, portions);
            let bytes = upto(portion + 1) - upto(portion);
            let range = if spread {
                (0, table.end())
            } else {
                (place * DAY + portion * PORTION, place * DAY + (portion + 1) * PORTION)
            };
            table.write(spec, range, bytes, day, &mut today);
        }
    }
    let hour = (u64::from(day) + 1) * PORTIONS;
    for table in tables.iter_mut() {
        table.regions.iter_mut().for_each(|region| region.compact_when_due(spec, day, hour));
    }
    // A table of a period is dropped once nothing in it lives; the one being written stays.
    if matches!(spec.arrivals, Arrivals::TablePerPeriod(_)) {
        let last = tables.len().saturating_sub(1);
        let mut index = 0;
        tables.retain(|table| {
            index += 1;
            index > last || table.regions.iter().any(|region| region.lives(spec, day))
        });
    }
    let regions = || tables.iter().flat_map(|table| &table.regions);
    let stored = regions().map(SimulatedRegion::bytes).fold(0, u64::saturating_add);
    today.regions = regions().count() as u64;
    today.empty = regions().filter(|region| !region.lives(spec, day)).count() as u64;
    today.largest = regions().map(SimulatedRegion::bytes).max().unwrap_or(0);
    today.live = spec.alive(day);
    today.stale = stored.saturating_sub(today.live);
    today
}
