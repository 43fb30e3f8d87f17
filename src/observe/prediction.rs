//! Shares of regions that a design predicts, beside those that were observed.

use super::answer::ObservedTable;
use crate::analysis::report::Report;
use crate::base::Problem;
use crate::base::figures::percent;
use crate::bytes::row::{from_string_binary, to_string_binary};
use crate::bytes::sort::{sort_by, sort_distinct};
use serde::Serialize;

/// Regions compared that are listed: those that differ most.
const LISTED: usize = 1000;
/// The share from which a design explains the load.
const EXPLAINED: f64 = 0.9;
/// Points of a hundred by which a region differs, to be named a cause.
const DIFFERS: f64 = 0.05;
/// Share of cells whose keys another formula made, to be named a cause.
const OTHERS: f64 = 0.01;

/// A region with its predicted and its observed share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRegion {
    /// First row, in `\xNN` notation.
    pub start: String,
    /// Fraction that the design predicts, 0 to 1.
    pub predicted: f64,
    /// Fraction that was observed, 0 to 1.
    pub observed: f64,
}

/// The load of a table as a design predicts it from records, beside the observed one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The load that is compared: `writes`, `reads` or `requests` of counters, or `cells` of logs and files.
    pub metric: &'static str,
    /// Records from which the design predicts.
    pub records: u64,
    /// Fraction of the load that lies where the design predicts it: the sum over regions of the smaller share.
    pub explained: f64,
    /// Rank correlation of both shares (Spearman's), -1 to 1; `None` of fewer than three regions, or of equal shares.
    pub correlation: Option<f64>,
    /// The largest difference of a region's shares, 0 to 1.
    pub error: f64,
    /// The regions, those that differ most first.
    pub regions: Vec<ComparedRegion>,
    /// The conclusion, in a sentence.
    pub headline: Problem,
    /// Likely causes of the difference.
    pub causes: Vec<Problem>,
}

/// The observed load of a table by region.
pub struct ObservedLoad {
    metric: &'static str,
    /// First rows, ascending, the first one empty, and the load from each on.
    regions: Vec<(Vec<u8>, u64)>,
}

impl ObservedLoad {
    /// From a table whose regions are known: its counters, else its cells. `None` where there is no load.
    pub fn of(table: &ObservedTable) -> Option<Self> {
        let (metric, regions) = match &table.requests {
            Some(requests) => {
                let metric = if requests.metric == "size" { "requests" } else { requests.metric };
                let figure = |counts: &super::requests::RequestCounts| match metric {
                    "reads" => counts.reads,
                    "writes" => counts.writes,
                    _ => counts.requests,
                };
                let start = |start: &Option<String>| from_string_binary(start.as_deref()?).ok();
                let of = |gone: bool| {
                    let regions = requests.regions.iter().filter(move |region| region.gone == gone);
                    regions.filter_map(|region| {
                        let range = (start(&region.start)?, start(&region.end)?);
                        Some((range, Seen { load: figure(&region.counts), covered: region.covered }))
                    })
                };
                let mut there: Vec<(Vec<u8>, Seen)> =
                    of(false).map(|((start, _), seen)| (start, seen)).collect();
                sort_by(&mut there, |a, b| a.0.cmp(&b.0));
                for ((start, end), seen) in of(true) {
                    place(&mut there, (&start, &end), seen);
                }
                let longest = there.iter().map(|(_, seen)| seen.covered).max().unwrap_or_default();
                let all = there.into_iter().map(|(start, seen)| (start, seen.in_all(longest)));
                (metric, all.collect::<Vec<(Vec<u8>, u64)>>())
            }
            None if matches!(table.borders, "keys" | "files") || table.source == "index" => return None,
            None => {
                let own = table.regions.iter();
                (
                    "cells",
                    own.filter_map(|region| {
                        Some((from_string_binary(&region.start).ok()?, region.counts.cells))
                    })
                    .collect(),
                )
            }
        };
        let is_whole = regions.first().is_some_and(|(start, _)| start.is_empty()) && regions.len() > 1;
        (is_whole && regions.iter().any(|(_, load)| *load > 0)).then_some(Self { metric, regions })
    }

    /// The split points of the regions.
    pub fn points(&self) -> Vec<Vec<u8>> {
        self.regions.iter().skip(1).map(|(start, _)| start.clone()).collect()
    }

    /// Compares it with the report on records under a design with these split points. `own`: the split points of the design itself.
    pub fn beside(&self, report: &Report, table: &ObservedTable, own: Option<Vec<Vec<u8>>>) -> Prediction {
        let has_operations = report.regions.iter().any(|region| region.reads.is_some());
        let predicted: Vec<u64> = self
            .regions
            .iter()
            .map(|(start, _)| {
                let start = to_string_binary(start);
                let Some(region) = report.regions.iter().find(|region| region.start == start) else {
                    return 0;
                };
                let reads = region.reads.unwrap_or_default();
                match self.metric {
                    "reads" if has_operations => reads,
                    "requests" => u64::from(region.records),
                    _ => u64::from(region.records).saturating_sub(reads),
                }
            })
            .collect();
        let total = |loads: &mut dyn Iterator<Item = u64>| loads.fold(0, u64::saturating_add).max(1) as f64;
        let of_predicted = total(&mut predicted.iter().copied());
        let of_observed = total(&mut self.regions.iter().map(|(_, load)| *load));
        let mut regions: Vec<ComparedRegion> = self
            .regions
            .iter()
            .zip(&predicted)
            .map(|((start, observed), predicted)| ComparedRegion {
                start: to_string_binary(start),
                predicted: *predicted as f64 / of_predicted,
                observed: *observed as f64 / of_observed,
            })
            .collect();
        let explained: f64 = regions.iter().map(|region| region.predicted.min(region.observed)).sum();
        let correlation = correlation(&regions);
        sort_by(&mut regions, |a, b| b.difference().abs().total_cmp(&a.difference().abs()));
        let error = regions.first().map_or(0.0, |region| region.difference().abs());
        let is_blind = self.metric == "reads" && !has_operations;
        let causes = self.causes(&regions, table, (own, is_blind));
        regions.truncate(LISTED);
        let code = if explained >= EXPLAINED { "observe.explained" } else { "observe.unexplained" };
        let headline = Problem::new(code)
            .with("share", percent(explained))
            .with("metric", format!("observe.metric-{}", self.metric));
        Prediction {
            metric: self.metric,
            records: report.rows,
            explained,
            correlation,
            error,
            regions,
            headline,
            causes,
        }
    }

    fn causes(
        &self,
        regions: &[ComparedRegion],
        table: &ObservedTable,
        (own, is_blind): (Option<Vec<Vec<u8>>>, bool),
    ) -> Vec<Problem> {
        let mut found = Vec::new();
        if is_blind {
            found.push(Problem::new("observe.cause-reads"));
        }
        if let Some(mut own) = own {
            sort_distinct(&mut own);
            let observed = self.points();
            let alike = observed.iter().filter(|point| own.binary_search(point).is_ok()).count();
            if alike < own.len() || alike < observed.len() {
                let (own, observed) = (own.len() as u64 + 1, observed.len() as u64 + 1);
                found.push(Problem::new("observe.cause-splits").with("own", own).with("observed", observed));
            }
        }
        if let Some(keys) = &table.design {
            let share = keys.other_cells as f64 / keys.cells.max(1) as f64;
            if share >= OTHERS {
                found.push(Problem::new("observe.cause-keys").with("share", percent(share)));
            }
        }
        let hotter = regions.iter().filter(|region| region.difference() >= DIFFERS && !is_blind);
        if let Some(most) = hotter.max_by(|a, b| a.difference().total_cmp(&b.difference())) {
            let problem = match most.start.is_empty() {
                true => Problem::new("observe.cause-skew-first"),
                false => Problem::new("observe.cause-skew").with("key", &most.start),
            };
            found.push(
                problem.with("observed", percent(most.observed)).with("predicted", percent(most.predicted)),
            );
        }
        found
    }
}

impl ComparedRegion {
    fn difference(&self) -> f64 {
        self.observed - self.predicted
    }
}

/// The load of a region in a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    load: u64,
    /// Milliseconds in which it was counted.
    covered: i64,
}

impl Seen {
    /// The load that it would have had in all the time, at its pace.
    fn in_all(self, longest: i64) -> u64 {
        if self.covered <= 0 {
            self.load
        } else {
            (self.load as f64 * longest as f64 / self.covered as f64) as u64
        }
    }
}

/// Adds the load of a region that is gone to those in its place, by what they took themselves.
fn place(there: &mut [(Vec<u8>, Seen)], (start, end): (&[u8], &[u8]), gone: Seen) {
    let from = there.partition_point(|(other, _)| other.as_slice() <= start).saturating_sub(1);
    let to =
        if end.is_empty() { there.len() } else { there.partition_point(|(other, _)| other.as_slice() < end) };
    let Some(rows) = there.get_mut(from..to.max(from + 1)) else { return };
    let own: u64 = rows.iter().map(|(_, own)| own.load).fold(0, u64::saturating_add);
    let count = rows.len() as u64;
    let mut left = gone.load;
    for (at, (_, known)) in rows.iter_mut().enumerate() {
        let share = match own {
            0 => gone.load / count,
            _ => (u128::from(gone.load) * u128::from(known.load) / u128::from(own)) as u64,
        };
        let share = if at as u64 + 1 == count { left } else { share.min(left) };
        left -= share;
        known.load = known.load.saturating_add(share);
        known.covered = known.covered.saturating_add(gone.covered);
    }
}

/// Spearman's rank correlation.
fn correlation(regions: &[ComparedRegion]) -> Option<f64> {
    let a = ranks(&regions.iter().map(|region| region.predicted).collect::<Vec<_>>());
    let b = ranks(&regions.iter().map(|region| region.observed).collect::<Vec<_>>());
    let mean = (regions.len() as f64 + 1.0) / 2.0;
    let sum = |pairs: &mut dyn Iterator<Item = (f64, f64)>| -> f64 {
        pairs.map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let both = sum(&mut a.iter().copied().zip(b.iter().copied()));
    let of_a = sum(&mut a.iter().map(|&a| (a, a)));
    let of_b = sum(&mut b.iter().map(|&b| (b, b)));
    (regions.len() > 2 && of_a > 0.0 && of_b > 0.0).then(|| both / (of_a * of_b).sqrt())
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let value = |at: usize| values.get(at).copied().unwrap_or_default();
    sort_by(&mut order, |&a, &b| value(a).total_cmp(&value(b)));
    let mut found = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let first = order.get(from).map(|&at| value(at)).unwrap_or_default();
        let alike = order.iter().skip(from).take_while(|&&at| value(at) <= first).count().max(1);
        let rank = from as f64 + (alike as f64 + 1.0) / 2.0;
        for &at in order.iter().skip(from).take(alike) {
            if let Some(place) = found.get_mut(at) {
                *place = rank;
            }
        }
        from += alike;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(shares: &[(f64, f64)]) -> Vec<ComparedRegion> {
        let region = |&(predicted, observed): &(f64, f64)| ComparedRegion {
            start: String::new(),
            predicted,
            observed,
        };
        shares.iter().map(region).collect()
    }

    #[test]
    fn ranks_of_equal_values_are_shared() {
        assert_eq!(ranks(&[0.5, 0.1, 0.5, 0.2]), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn the_correlation_is_spearmans() {
        assert_eq!(correlation(&regions(&[(0.1, 0.2), (0.3, 0.3), (0.6, 0.5)])), Some(1.0));
        assert_eq!(correlation(&regions(&[(0.1, 0.5), (0.3, 0.3), (0.6, 0.2)])), Some(-1.0));
        // By hand: ranks 1, 2, 3, 4 and 2, 1, 4, 3.
        let found = correlation(&regions(&[(0.1, 0.2), (0.2, 0.1), (0.3, 0.4), (0.4, 0.3)])).unwrap();
        assert!((found - 0.6).abs() < 1e-12, "{found}");
        assert_eq!(correlation(&regions(&[(0.5, 0.5), (0.5, 0.5)])), None);
    }

    #[test]
    fn the_load_of_a_region_that_is_gone_goes_to_those_in_its_place() {
        let seen = |load, covered| Seen { load, covered };
        let mut there =
            vec![(b"".to_vec(), seen(5, 10)), (b"g".to_vec(), seen(15, 10)), (b"m".to_vec(), seen(7, 50))];
        place(&mut there, (b"", b"m"), seen(100, 30));
        let found: Vec<Seen> = there.iter().map(|(_, seen)| *seen).collect();
        assert_eq!(found, [seen(30, 40), seen(90, 40), seen(7, 50)]);
        // They were counted for 40 of 50 milliseconds.
        assert_eq!(found.iter().map(|seen| seen.in_all(50)).collect::<Vec<_>>(), [37, 112, 7]);
    }
}
