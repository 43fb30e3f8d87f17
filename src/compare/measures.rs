//! Measures of designs: one table for everything that compares them.

use super::sampled::{SampleInterval, SampleSize};
use super::spread::{WriteSpread, at_once, over_all_time};
use crate::analysis::findings::{Finding, FindingSeverity};
use crate::analysis::report::Report;
use crate::analysis::report::ServerLoad;
use crate::analysis::report::servers::servers;
use crate::base::estimate::DEVIATIONS;
use crate::base::estimate::Estimate;
use crate::design::Design;
use crate::hbase::storage::table::{KeyLengths, storage};
use crate::scan::{PlanKind, QueryPlan, RowsRead};
use serde::Serialize;

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BetterWay {
    /// The more.
    More,
    /// The less.
    Less,
    /// It only tells.
    Neither,
}

/// The reliability of a figure from a uniform sample of the records.
pub enum SampleTells<T> {
    /// Nothing.
    Nothing,
    /// The figure itself: it follows from the design.
    All,
    /// Rows of the sample, for so many of all.
    Rows,
    /// The figure, which may be off: within which figures the truth lies, 19 times of 20.
    About(fn(&T, f64, SampleSize) -> Option<SampleInterval>),
}

/// A figure of something that is compared.
pub struct Measure<T> {
    /// Stable code, a key of `data/messages/en.json`.
    pub code: &'static str,
    /// The unit; `share` is a part of 1, `times` a ratio.
    pub unit: &'static str,
    /// Which way is better.
    pub better: BetterWay,
    /// The reliability of the figure in a sample.
    pub told: SampleTells<T>,
    /// Its value; `None` where it has no meaning or is not known.
    pub of: fn(&T) -> Option<f64>,
}

/// The figures of a design on its records.
pub struct MeasuredDesign {
    /// Where the rows land.
    pub report: Report,
    /// How evenly those of one moment do.
    pub spread: Option<WriteSpread>,
    /// Its findings; `None` when nobody looked.
    pub findings: Option<Vec<Finding>>,
    /// Region servers that the regions lie on.
    pub servers: Option<u32>,
    /// Bytes of all cells, row keys and names repeated.
    pub bytes: u64,
    /// Those of them that are row keys.
    pub key_bytes: u64,
}

impl MeasuredDesign {
    /// A design on all records, or on a sample of them.
    pub fn new(
        design: &Design,
        servers: Option<u32>,
        report: Report,
        findings: Option<Vec<Finding>>,
        sampled: Option<SampleSize>,
    ) -> Self {
        let rows = report.keys.count;
        let rows = sampled.map_or(rows, |sampled| sampled.all(rows as f64).0.round() as u64);
        let storage = storage(design, &KeyLengths::from(&report.keys), rows);
        let (bytes, key_bytes) = (storage.total, storage.bytes.row);
        Self { spread: at_once(&report), servers, report, findings, bytes, key_bytes }
    }
}

/// How a design answers a query.
pub struct QueryAnswer {
    /// The plan.
    pub plan: QueryPlan,
    /// Regions it touches.
    pub regions: usize,
    /// Rows read and returned; `None` when nobody counted.
    pub counted: Option<RowsRead>,
    /// Cells of the rows that are read, where a row of one of the designs compared has cells of many records: rows of such designs are
    /// no measure of work.
    pub cells: Option<u64>,
}

impl QueryAnswer {
    /// Cells of the rows that are read under a design.
    pub fn cells_of(&self, design: &Design) -> Option<u64> {
        let counted = self.counted?;
        let declared: u64 = design.families.iter().map(|family| family.cells.len() as u64).sum();
        let own = design.typed.columns.iter().filter(|column| column.qualifier.is_some()).count() as u64;
        let shared = declared.max(1).saturating_sub(own);
        let of_records = counted.in_records().read.saturating_mul(own);
        Some(of_records.saturating_add(counted.read.saturating_mul(shared)))
    }
}

const fn measure<T>(
    code: &'static str,
    unit: &'static str,
    better: BetterWay,
    told: SampleTells<T>,
    of: fn(&T) -> Option<f64>,
) -> Measure<T> {
    Measure { code, unit, better, told, of }
}

use BetterWay::{Less, More, Neither};
use SampleTells::{About, All, Nothing, Rows};

/// The measures of a design.
pub static MEASURES: &[Measure<MeasuredDesign>] = &[
    measure("measure.refused", "rows", Less, Rows, |of| Some(of.report.refused.count as f64)),
    measure("measure.overwritten", "rows", Less, Nothing, |of| {
        let duplicates = &of.report.keys.duplicates;
        Some(duplicates.rows.saturating_sub(duplicates.keys) as f64)
    }),
    measure("measure.regions", "regions", Neither, All, |of| Some(of.report.region_count as f64)),
    measure("measure.empty-regions", "regions", Less, Nothing, |of| Some(of.report.skew.empty as f64)),
    measure("measure.largest-share", "share", Less, About(of_largest), |of| largest_share(&of.report)),
    measure("measure.max-over-mean", "times", Less, About(of_largest), |of| {
        (of.report.keys.count > 0).then_some(of.report.skew.max_over_mean)
    }),
    measure("measure.gini", "times", Less, Nothing, |of| {
        (of.report.keys.count > 0).then_some(of.report.skew.gini)
    }),
    measure("measure.hottest-share", "share", Less, Nothing, |of| hottest_share(&of.report)),
    measure("measure.effective-regions", "regions", More, About(of_all_time), |of| {
        Some(over_all_time(&of.report)?.regions)
    }),
    measure("measure.written-at-once", "regions", More, About(of_moments), |of| {
        of.spread.map(|spread| spread.regions)
    }),
    measure("measure.throughput", "servers", More, About(of_busiest), |of| {
        Some(servers(&of.report, of.servers?)?.throughput)
    }),
    measure("measure.key-bytes", "bytes", Less, About(of_keys), |of| {
        (of.report.keys.count > 0).then_some(of.report.keys.mean)
    }),
    measure("measure.longest-key", "bytes", Less, Nothing, |of| Some(of.report.keys.max as f64)),
    measure("measure.table-bytes", "bytes", Less, About(of_bytes), |of| Some(of.bytes as f64)),
    measure("measure.bad-findings", "findings", Less, All, |of| findings(of, FindingSeverity::Bad)),
    measure("measure.warnings", "findings", Less, All, |of| findings(of, FindingSeverity::Warning)),
];

/// The measures of an answer to a query.
pub static QUERY_MEASURES: &[Measure<QueryAnswer>] = &[
    measure("measure.ranges", "ranges", Less, All, |of| Some(of.plan.ranges.len() as f64)),
    measure("measure.regions-read", "regions", Less, All, |of| Some(of.regions as f64)),
    measure("measure.cells-read", "cells", Less, Rows, |of| of.cells.map(|cells| cells as f64)),
    measure("measure.rows-read", "rows", Less, Rows, |of| {
        of.counted.filter(|_| of.cells.is_none()).map(|counted| counted.read as f64)
    }),
    measure("measure.wide-rows-read", "rows", Neither, Rows, |of| {
        of.counted.filter(|_| of.cells.is_some()).map(|counted| counted.read as f64)
    }),
    measure("measure.rows-returned", "rows", Neither, Rows, |of| Some(of.counted?.returned as f64)),
    measure("measure.read-for-returned", "times", Less, About(of_returned), |of| {
        let RowsRead { read, returned, .. } = of.counted?;
        (returned > 0).then(|| read as f64 / returned as f64)
    }),
    measure("measure.full-scan", "queries", Less, All, |of| yes(of.plan.kind == PlanKind::FullScan)),
    measure("measure.filtered", "queries", Less, All, |of| yes(!of.plan.exact)),
    measure("measure.merged", "queries", Less, All, |of| yes(of.plan.delivery.merge)),
    measure("measure.sorted", "queries", Less, All, |of| yes(of.plan.delivery.sort)),
];

/// By how many standard deviations the largest of several may be off: chance lifts it the more, the more they are (the
/// largest of n normal deviates lies near √(2 ln n)).
fn of_most(among: usize) -> f64 {
    (2.0 * (among.max(1) as f64).ln()).sqrt()
}

fn of_largest(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    let deviations = DEVIATIONS + of_most(of.report.region_count);
    let share = Estimate::share_within(of.report.skew.max.into(), of.report.keys.count, deviations);
    // The share itself, or so many times the mean.
    (share.value > 0.0).then(|| sampled.narrowed(share).map(|end| end * value / share.value))
}

fn of_all_time(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    Some(sampled.around(value, over_all_time(&of.report)?.error))
}

fn of_moments(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    Some(sampled.around(value, of.spread?.error))
}

/// The busiest server of each stretch of time is the one that chance lifts; the middle of many stretches errs less than one.
fn of_busiest(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    let ServerLoad { stretches, .. } = servers(&of.report, of.servers?)?;
    let stretches = stretches.max(1) as f64;
    let most = of.report.keys.count as f64 / stretches / value;
    let servers = of.servers?.max(1);
    let part = (of_most(servers as usize) + 2.5 / stretches.sqrt()) / most.sqrt();
    let [low, high] = sampled.around(value, part);
    Some([low.max(1.0), high.min(f64::from(servers))])
}

/// For lengths between two bounds the variance is at most (most - mean) (mean - least).
fn of_keys(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    let keys = &of.report.keys;
    let variance = (keys.max as f64 - keys.mean) * (keys.mean - keys.min as f64);
    let deviation = (variance.max(0.0) / keys.count.max(1) as f64).sqrt();
    Some(sampled.around(value, DEVIATIONS * deviation / keys.mean.max(1.0)))
}

fn of_bytes(of: &MeasuredDesign, value: f64, sampled: SampleSize) -> Option<SampleInterval> {
    let keys = of.key_bytes as f64;
    let [low, high] = of_keys(of, keys, sampled)?.map(|of_keys| value - keys + of_keys);
    // The number of rows without a key varies, too.
    let refused = of.report.refused.count > 0;
    let (rows, [least, most]) = sampled.all(of.report.keys.count as f64);
    Some(if refused { [low * least / rows, high * most / rows] } else { [low, high] })
}

fn of_returned(of: &QueryAnswer, _: f64, sampled: SampleSize) -> Option<SampleInterval> {
    let RowsRead { read, returned, .. } = of.counted?;
    let [low, high] = sampled.narrowed(Estimate::share(returned, read));
    Some([1.0 / high, 1.0 / low])
}

fn yes(holds: bool) -> Option<f64> {
    Some(f64::from(u8::from(holds)))
}

fn largest_share(report: &Report) -> Option<f64> {
    (report.keys.count > 0).then(|| f64::from(report.skew.max) / report.keys.count as f64)
}

/// Share of the rows that come while most go where they go: what the busiest region takes at any one time.
fn hottest_share(report: &Report) -> Option<f64> {
    report.time.as_ref()?;
    let rows: f64 = report.moment_rows.iter().map(|&rows| f64::from(rows)).sum();
    let shares = report.moment_largest_share.iter().zip(&report.moment_rows);
    (rows > 0.0).then(|| shares.map(|(share, &rows)| share * f64::from(rows)).sum::<f64>() / rows)
}

fn findings(of: &MeasuredDesign, severity: FindingSeverity) -> Option<f64> {
    let found = of.findings.as_ref()?.iter().filter(|finding| finding.severity == severity);
    Some(found.count() as f64)
}

/// A figure of one against that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasureChange {
    /// As good, or as near as makes no difference.
    Same,
    /// Better.
    Better,
    /// Worse.
    Worse,
    /// Different, and neither better nor worse.
    Other,
    /// Not known of both.
    Unknown,
}

/// Ratios nearer than this are taken for the same: half a percent.
const NEAR: f64 = 0.005;

impl BetterWay {
    /// How `other` stands against `first`.
    pub fn change(self, first: Option<f64>, other: Option<f64>) -> MeasureChange {
        let (Some(first), Some(other)) = (first, other) else { return MeasureChange::Unknown };
        if (other - first).abs() <= NEAR * first.abs().max(other.abs()) {
            return MeasureChange::Same;
        }
        match self {
            Neither => MeasureChange::Other,
            More if other > first => MeasureChange::Better,
            Less if other < first => MeasureChange::Better,
            More | Less => MeasureChange::Worse,
        }
    }
}

/// A measure of everything that is compared; the first is what the others are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureLine {
    /// Stable code of the measure.
    pub code: &'static str,
    /// The unit of a measure.
    pub unit: &'static str,
    /// Which way is better.
    pub better: BetterWay,
    /// The figure of each.
    pub values: Vec<Option<f64>>,
    /// How each stands against the first.
    pub changes: Vec<MeasureChange>,
    /// Between which figures the truth of each lies, 19 times of 20, where a sample told them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<Option<SampleInterval>>,
}

/// All measures of a table over what is compared, those known of none left out, and where a sample was looked at, those that it
/// tells nothing of.
pub fn lines<T>(
    measures: &[Measure<T>],
    compared: &[Option<T>],
    sampled: Option<SampleSize>,
) -> Vec<MeasureLine> {
    let mut lines = Vec::new();
    for Measure { code, unit, better, told, of } in measures {
        let mut values: Vec<Option<f64>> = compared.iter().map(|one| one.as_ref().and_then(of)).collect();
        let mut between = Vec::new();
        match (sampled, told) {
            (Some(_), Nothing) => continue,
            (None, _) | (_, All) => {}
            (Some(sampled), told) => {
                for (one, value) in compared.iter().zip(&mut values) {
                    between.push(one.as_ref().zip(value.as_mut()).and_then(|(one, value)| match told {
                        About(between) => between(one, *value, sampled),
                        _ => {
                            let (all, between) = sampled.all(*value);
                            *value = all;
                            Some(between)
                        }
                    }));
                }
            }
        }
        if values.iter().any(Option::is_some) {
            let first = values.first().copied().flatten();
            let sure = |at: usize| {
                let ends = |at: usize| between.get(at).copied().flatten();
                !ends(0).zip(ends(at)).is_some_and(|(a, b)| a[0] <= b[1] && b[0] <= a[1])
            };
            let change = |(at, &value): (usize, &Option<f64>)| match better.change(first, value) {
                MeasureChange::Unknown => MeasureChange::Unknown,
                change if sure(at) => change,
                _ => MeasureChange::Same,
            };
            let changes = values.iter().enumerate().map(change).collect();
            lines.push(MeasureLine { code, unit, better: *better, values, changes, between });
        }
    }
    lines
}
