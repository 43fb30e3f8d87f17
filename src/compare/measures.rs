//! What designs are measured by: one table for all that compares them.

use super::spread::{Spread, over_all_time};
use crate::findings::{Finding, Severity};
use crate::report::Report;
use crate::scan::{Counted, Kind, Plan};
use crate::sizing::servers::servers;
use serde::Serialize;

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The more.
    More,
    /// The less.
    Less,
    /// It only tells.
    Neither,
}

/// A figure of something that is compared.
pub struct Measure<T> {
    /// Stable code, a key of `messages/en.json`.
    pub code: &'static str,
    /// What it counts; `share` is a part of 1, `times` a ratio.
    pub unit: &'static str,
    /// Which way is better.
    pub better: Better,
    /// Whether a uniform sample of the records tells it.
    pub of_sample: bool,
    /// Its value; `None` where it has no meaning or is not known.
    pub of: fn(&T) -> Option<f64>,
}

/// What is known of a design on its records.
pub struct Measured {
    /// Where the rows land.
    pub report: Report,
    /// How evenly those of one moment do.
    pub spread: Option<Spread>,
    /// What is to be said of it; `None` when nobody looked.
    pub findings: Option<Vec<Finding>>,
    /// Region servers that the regions lie on.
    pub servers: Option<u32>,
    /// Bytes of all cells, row keys and names repeated.
    pub bytes: u64,
}

/// How a design answers a query.
pub struct Answer {
    /// The plan.
    pub plan: Plan,
    /// Regions it touches.
    pub regions: usize,
    /// Rows read and returned; `None` when nobody counted.
    pub counted: Option<Counted>,
}

const fn measure<T>(
    code: &'static str,
    unit: &'static str,
    better: Better,
    of: fn(&T) -> Option<f64>,
) -> Measure<T> {
    Measure { code, unit, better, of_sample: true, of }
}

/// A measure that only all records tell.
const fn of_all<T>(
    code: &'static str,
    unit: &'static str,
    better: Better,
    of: fn(&T) -> Option<f64>,
) -> Measure<T> {
    Measure { code, unit, better, of_sample: false, of }
}

use Better::{Less, More, Neither};

/// The measures of a design.
pub static MEASURES: &[Measure<Measured>] = &[
    of_all("measure.refused", "rows", Less, |of| Some(of.report.refused.count as f64)),
    of_all("measure.overwritten", "rows", Less, |of| {
        let duplicates = &of.report.keys.duplicates;
        Some(duplicates.rows.saturating_sub(duplicates.keys) as f64)
    }),
    measure("measure.regions", "regions", Neither, |of| Some(of.report.region_count as f64)),
    of_all("measure.empty-regions", "regions", Less, |of| Some(of.report.skew.empty as f64)),
    measure("measure.largest-share", "share", Less, |of| largest_share(&of.report)),
    measure("measure.max-over-mean", "times", Less, |of| {
        (of.report.keys.count > 0).then_some(of.report.skew.max_over_mean)
    }),
    of_all("measure.gini", "times", Less, |of| (of.report.keys.count > 0).then_some(of.report.skew.gini)),
    measure("measure.effective-regions", "regions", More, |of| over_all_time(&of.report)),
    measure("measure.written-at-once", "regions", More, |of| of.spread.map(|spread| spread.regions)),
    measure("measure.throughput", "servers", More, |of| Some(servers(&of.report, of.servers?)?.throughput)),
    measure("measure.key-bytes", "bytes", Less, |of| {
        (of.report.keys.count > 0).then_some(of.report.keys.mean)
    }),
    of_all("measure.longest-key", "bytes", Less, |of| Some(of.report.keys.max as f64)),
    measure("measure.table-bytes", "bytes", Less, |of| Some(of.bytes as f64)),
    of_all("measure.bad-findings", "findings", Less, |of| findings(of, Severity::Bad)),
    of_all("measure.warnings", "findings", Less, |of| findings(of, Severity::Warning)),
];

/// The measures of an answer to a query.
pub static QUERY_MEASURES: &[Measure<Answer>] = &[
    measure("measure.ranges", "ranges", Less, |of| Some(of.plan.ranges.len() as f64)),
    measure("measure.regions-read", "regions", Less, |of| Some(of.regions as f64)),
    of_all("measure.rows-read", "rows", Less, |of| Some(of.counted?.read as f64)),
    of_all("measure.rows-returned", "rows", Neither, |of| Some(of.counted?.returned as f64)),
    of_all("measure.read-for-returned", "times", Less, |of| {
        let Counted { read, returned } = of.counted?;
        (returned > 0).then(|| read as f64 / returned as f64)
    }),
    measure("measure.full-scan", "queries", Less, |of| yes(of.plan.kind == Kind::FullScan)),
    measure("measure.filtered", "queries", Less, |of| yes(!of.plan.exact)),
    measure("measure.merged", "queries", Less, |of| yes(of.plan.delivery.merge)),
    measure("measure.sorted", "queries", Less, |of| yes(of.plan.delivery.sort)),
];

fn yes(holds: bool) -> Option<f64> {
    Some(f64::from(u8::from(holds)))
}

fn largest_share(report: &Report) -> Option<f64> {
    (report.keys.count > 0).then(|| f64::from(report.skew.max) / report.keys.count as f64)
}

fn findings(of: &Measured, severity: Severity) -> Option<f64> {
    let found = of.findings.as_ref()?.iter().filter(|finding| finding.severity == severity);
    Some(found.count() as f64)
}

/// A figure of one against that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
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

impl Better {
    /// How `other` stands against `first`.
    pub fn change(self, first: Option<f64>, other: Option<f64>) -> Change {
        let (Some(first), Some(other)) = (first, other) else { return Change::Unknown };
        if (other - first).abs() <= NEAR * first.abs().max(other.abs()) {
            return Change::Same;
        }
        match self {
            Neither => Change::Other,
            More if other > first => Change::Better,
            Less if other < first => Change::Better,
            More | Less => Change::Worse,
        }
    }
}

/// A measure of everything that is compared; the first is what the others are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Stable code of the measure.
    pub code: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// Which way is better.
    pub better: Better,
    /// The figure of each.
    pub values: Vec<Option<f64>>,
    /// How each stands against the first.
    pub changes: Vec<Change>,
}

/// All measures of a table over what is compared, those known of none left out, and unless all records were looked at, those
/// that a sample does not tell.
pub fn lines<T>(measures: &[Measure<T>], compared: &[Option<T>], all_records: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for measure in measures.iter().filter(|measure| all_records || measure.of_sample) {
        let values: Vec<Option<f64>> =
            compared.iter().map(|of| of.as_ref().and_then(|of| (measure.of)(of))).collect();
        if values.iter().any(Option::is_some) {
            let first = values.first().copied().flatten();
            let changes = values.iter().map(|&value| measure.better.change(first, value)).collect();
            let Measure { code, unit, better, .. } = *measure;
            lines.push(Line { code, unit, better, values, changes });
        }
    }
    lines
}
