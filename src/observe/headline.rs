//! The conclusion about a table, in a sentence.

use super::answer::{HotKey, ObservedRegion, ObservedTable};
use super::heat::HeatObserved;
use crate::base::Problem;
use crate::base::figures::percent;
use crate::base::units::MINUTE;
use crate::records::field::time::civil::moment;

/// A row that takes this share of all cells is what matters.
const HOT_ROW: f64 = 0.2;
/// A region that takes this many times its even share is hot, and one that takes this share.
const HOT_TIMES: f64 = 2.0;
const HOT_SHARE: f64 = 0.25;
/// Prefixes that hold this share between them leave no other to compare them with.
const NEARLY_ALL: f64 = 0.95;
/// Cells of an interval that lie in one range of keys.
const MOVING: f64 = 0.5;
/// Times are told to the minute.
const MINUTES: f64 = MINUTE as f64;
/// Cells below which nothing is said of how they are spread.
const FEW: u64 = 100;

/// The headline of a table.
pub fn headline(table: &ObservedTable) -> Problem {
    let cells = table.counts.cells;
    if cells == 0 && table.source != "index" {
        return Problem::new("observe.empty");
    }
    if cells < FEW && table.source != "index" {
        return Problem::new("observe.few").with("cells", cells);
    }
    if let Some(row) = table.hot_rows.first().filter(|row| row.cells.low / cells.max(1) as f64 >= HOT_ROW) {
        return hot("observe.hot-row", row);
    }
    let value = table.design.as_ref().and_then(|design| design.values.first());
    if let Some(value) = value.filter(|value| value.share >= HOT_SHARE) {
        let problem = Problem::new("observe.hot-value").with("field", &value.field);
        return problem.with("value", &value.value).with("share", percent(value.share));
    }
    let regions = table.regions.len();
    if let Some(heat) = &table.heat
        && let Some(share) = moving(heat)
    {
        return Problem::new("observe.moving").with("share", percent(share));
    }
    let most = table.regions.iter().max_by(|a, b| a.share.total_cmp(&b.share));
    let Some(most) = most.filter(|_| regions > 1) else {
        return Problem::new("observe.one-region").with("cells", cells);
    };
    let prefix =
        table.prefixes.first().filter(|prefix| prefix.share >= HOT_SHARE && stands_out(&table.prefixes));
    if table.borders == "keys" {
        return match prefix {
            Some(prefix) => hot("observe.hot-prefix", prefix),
            None => Problem::new("observe.no-borders").with("cells", cells),
        };
    }
    if most.share >= HOT_SHARE && most.share * regions as f64 >= HOT_TIMES {
        return region(table, most);
    }
    Problem::new("observe.even").with("share", percent(most.share)).with("regions", regions)
}

/// False where prefixes with a like share hold nearly all cells: ten of forty devices take a quarter by their number alone.
fn stands_out(prefixes: &[HotKey]) -> bool {
    let most = prefixes.first().map_or(0.0, |prefix| prefix.share);
    let alike = prefixes.iter().map(|prefix| prefix.share).filter(|share| share * HOT_TIMES >= most);
    alike.sum::<f64>() < NEARLY_ALL
}

fn hot(code: &'static str, key: &HotKey) -> Problem {
    Problem::new(code).with("key", &key.key).with("share", percent(key.share))
}

fn region(table: &ObservedTable, region: &ObservedRegion) -> Problem {
    let code = match (table.source, region.start.is_empty()) {
        ("index", true) => "observe.large-first",
        ("index", false) => "observe.large-region",
        (_, true) => "observe.hot-first",
        (_, false) => "observe.hot-region",
    };
    let problem = Problem::new(code).with("share", percent(region.share));
    let problem = if region.start.is_empty() {
        problem.with("key", &region.end)
    } else {
        problem.with("key", &region.start)
    };
    // When it was written most, if that is a short time.
    let Some((from, to)) = table.heat.as_ref().and_then(|heat| busy_time(heat, &region.start)) else {
        return problem;
    };
    let code = match region.start.is_empty() {
        true => "observe.hot-first-time",
        false => "observe.hot-region-time",
    };
    Problem { code, ..problem }
        .with("from", moment(from as f64, MINUTES))
        .with("to", moment(to as f64, MINUTES))
}

/// The time in which at least four fifths of the cells of a range lie, where that is at most a third of all.
fn busy_time(heat: &HeatObserved, start: &str) -> Option<(i64, i64)> {
    let at = heat.starts.iter().position(|of| of == start)?;
    let next = heat.starts.len();
    let mut cells = vec![0u64; heat.times.len()];
    for row in heat.counts.get(at..next.min(at + 1))? {
        cells.iter_mut().zip(row).for_each(|(sum, cells)| *sum += cells);
    }
    let all: u64 = cells.iter().sum();
    let mut best: Option<(usize, usize)> = None;
    let (mut from, mut held) = (0, 0);
    for (to, more) in cells.iter().enumerate() {
        held += more;
        while held - cells.get(from)? > all * 4 / 5 && from < to {
            held -= cells.get(from)?;
            from += 1;
        }
        if held > all * 4 / 5 && best.is_none_or(|(a, b)| to - from < b - a) {
            best = Some((from, to));
        }
    }
    let (from, to) = best?;
    (3 * (to + 1 - from) <= heat.times.len())
        .then_some((*heat.times.get(from)?, heat.times.get(to)? + heat.step))
}

/// The mean share of the busiest range of each interval, where that range only moves up from one interval to the next.
fn moving(heat: &HeatObserved) -> Option<f64> {
    let ranges = heat.starts.len();
    if ranges < 4 {
        return None;
    }
    let mut before = None;
    let (mut steps, mut ups, mut downs) = (0u32, 0u32, 0u32);
    let (mut cells, mut all) = (0u64, 0u64);
    for interval in 0..heat.times.len() {
        let of = |range: usize| {
            heat.counts.get(range).and_then(|row| row.get(interval)).copied().unwrap_or_default()
        };
        let total: u64 = (0..ranges).map(of).sum();
        let Some(most) = (0..ranges).max_by_key(|&range| of(range)).filter(|_| total > 0) else { continue };
        (cells, all) = (cells + of(most), all + total);
        if let Some(before) = before {
            steps += 1;
            ups += u32::from(most > before);
            downs += u32::from(most < before);
        }
        before = Some(most);
    }
    let share = cells as f64 / all.max(1) as f64;
    (steps >= 4 && ups >= 3 && downs * 20 <= steps && share >= MOVING).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::estimate::Estimate;

    fn stands(shares: &[f64]) -> bool {
        let prefixes: Vec<HotKey> = shares
            .iter()
            .map(|&share| HotKey { key: String::new(), cells: Estimate::exact(share * 1e4), share })
            .collect();
        stands_out(&prefixes)
    }

    #[test]
    fn a_prefix_stands_out_only_beside_smaller_ones() {
        assert!(!stands(&[0.255, 0.254, 0.247, 0.244]));
        assert!(stands(&[0.4, 0.15, 0.15, 0.15, 0.15]));
        assert!(stands(&[0.3]));
    }
}
