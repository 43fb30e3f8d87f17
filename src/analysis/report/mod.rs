//! The report: where the rows of a design land, in figures and in one sentence.
//!
//! Counts are exact; floating point only enters with the last division.

mod axis;
mod busiest;
mod chance;
mod counted;
mod counting;
mod counts;
mod faults;
mod following;
mod interval;
mod intervals;
mod moments;
mod prepared;
pub mod servers;
mod skew;
mod summarised;
mod thresholds;
mod ticks;
mod values;
mod verdict;
mod writes;

pub use axis::{AUTOMATIC_BUCKETS, MAX_BUCKETS, NO_BUCKET, TimeAxis};
pub use busiest::{BusiestValues, ValueRows};
pub(super) use chance::may_be_chance;
pub(crate) use counted::report_of;
pub use counting::CountingValues;
pub use counts::{RegionCounts, count, weighed};
pub use faults::{HotRow, KeyFaults, NegativeRemainder};
pub(super) use faults::{negative_remainders, remainders};
pub use following::{FollowsBy, FollowsTime};
pub use intervals::{Concentration, TypicalInterval, WriteIntervals, WriteJudgement, count_intervals};
pub use moments::BucketStats;
pub use prepared::PreparedReport;
pub use skew::Skew;
pub(super) use thresholds::{DEAD_BAD, REJECTED, ROWS_FOR_A_SHARE, SKEW_BAD, rows_to_judge};
pub use ticks::{NO_TICK, Ticks};
pub use values::{FrequentValue, KnownValues, ValueCounts};
pub use verdict::{Verdict, VerdictSeverity};
pub(super) use writes::pace;
pub use writes::{WritePace, WriteTraits};

use crate::base::map::Map;
use crate::base::{Place, Problem};
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::{sort, sort_by_key};
use crate::design::split::SplitPoints;
use crate::keys::figures::KeyFigures;
use serde::Serialize;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Most regions listed one by one; of a table with more, those with most rows.
pub const LISTED_REGIONS: usize = 10_000;

/// Records that got no key.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RefusedRecords {
    /// How many.
    pub count: u64,
    /// Why, by number of rows.
    pub reasons: Vec<RefusalReason>,
    /// The first of them.
    pub first: Vec<SaidProblem>,
}

/// A reason for which records got no key.
#[derive(Clone, Debug, Serialize)]
pub struct RefusalReason {
    /// Stable code, a key of `data/messages/en.json`.
    pub code: &'static str,
    /// The field concerned.
    pub field: Option<String>,
    /// Records refused for it.
    pub count: u64,
    /// The reason in English.
    pub message: String,
}

/// The sentence for many refused rows at once: what differs from row to row is left open.
fn refusal_sentence(code: &'static str) -> String {
    Problem::new(code).with("found", "…").with("length", "…").sentence()
}

/// A [`Problem`] with its sentence.
#[derive(Clone, Debug, Serialize)]
pub struct SaidProblem {
    /// Stable code.
    pub code: &'static str,
    /// Where it was found.
    pub place: Place,
    /// Named arguments of the sentence.
    pub args: Map<&'static str, String>,
    /// The sentence in English.
    pub message: String,
}

impl From<Problem> for SaidProblem {
    fn from(problem: Problem) -> Self {
        let message = problem.sentence();
        Self { code: problem.code, place: problem.place, args: problem.args, message }
    }
}

/// Problems with their sentences, as JSON.
pub fn said_all(problems: &[Problem]) -> Value {
    problems.iter().map(|problem| json!(SaidProblem::from(problem.clone()))).collect()
}

/// The time axis of a report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportTime {
    /// The field that says when a record arrives.
    pub field: String,
    /// Beginning of the first bucket, milliseconds since the epoch.
    pub start: i64,
    /// Length of a bucket in milliseconds; may be a fraction.
    pub step: f64,
    /// Number of buckets.
    pub buckets: u16,
    /// Rows with a key but in no bucket: their time is unknown, or a stray far from all others.
    pub outside: u64,
    /// The first time in a bucket, milliseconds since the epoch; `None` where times were only counted by bucket, and some of rows without
    /// a key or outside the axis with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<i64>,
    /// The last time in a bucket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<i64>,
}

impl ReportTime {
    /// Takes the first and the last time of all rows for those in a bucket, where they are in one.
    fn set_period(&mut self, times: Option<(i64, i64)>) {
        let end = self.start as f64 + self.step * f64::from(self.buckets);
        let inside = times.filter(|&(first, last)| first >= self.start && (last as f64) < end);
        (self.first, self.last) = inside.unzip();
    }
}

/// A region of the table.
#[derive(Clone, Debug, Serialize)]
pub struct RegionReport {
    /// Number from 0 in key order.
    pub index: usize,
    /// Start row, inclusive, in `\xNN` notation; empty for the first region.
    pub start: String,
    /// Stop row, exclusive; empty for the last region.
    pub stop: String,
    /// Rows in it. Where records share rows (cells with formulas, packed cells, upserts, counters) these are different row keys:
    /// an estimate if the duplicates of [`KeyFigures`] are. Else each record is taken for a row.
    pub rows: u32,
    /// Records written to it.
    pub records: u32,
    /// Share of all records.
    pub share: f64,
    /// Bytes of its row keys.
    pub bytes: u64,
    /// Rows in it that are reads, where the records tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads: Option<u64>,
}

/// Load by server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerLoad {
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

/// Where the rows of a design land.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Records, those without a key included.
    pub rows: u64,
    /// Records without a key.
    pub refused: RefusedRecords,
    /// The row keys.
    pub keys: KeyFigures,
    /// Rows with a key whose arrival could not be read.
    pub untimed: u64,
    /// The time axis; `None` when no time is known.
    pub time: Option<ReportTime>,
    /// Number of regions.
    pub region_count: usize,
    /// The regions, at most [`LISTED_REGIONS`], by number.
    pub regions: Vec<RegionReport>,
    /// Unevenness over all regions.
    pub skew: Skew,
    /// Regions that share one row of `heat`; 1 but for very many regions.
    pub regions_per_heat_row: usize,
    /// Rows by region and time bucket, region-major.
    #[serde(skip)]
    pub heat: Vec<u32>,
    /// Bytes of the row keys of each cell of `heat`, when they were asked for.
    #[serde(skip)]
    pub key_bytes: Option<Vec<u64>>,
    /// Reads of each cell of `heat`, where the records tell.
    #[serde(skip)]
    pub reads: Option<Vec<u64>>,
    /// Rows of each time bucket.
    #[serde(skip)]
    pub moment_rows: Vec<u32>,
    /// Share of the largest region in each time bucket.
    #[serde(skip)]
    pub moment_largest_share: Vec<f64>,
    /// Effective number of regions written in each time bucket, 1/Σp².
    #[serde(skip)]
    pub moment_effective: Vec<f64>,
    /// Most frequent values of the text fields the key is made of.
    pub busiest: Vec<BusiestValues>,
    /// The load of each server, when their number and the time of the records are known.
    pub servers: Option<ServerLoad>,
    /// How writes gather in one region or server for a time.
    #[serde(skip)]
    pub writing: WriteJudgement,
    /// Faults of the keys themselves.
    #[serde(skip)]
    pub faults: KeyFaults,
    /// The verdict.
    pub verdict: Verdict,
    /// Code of the verdict on the records with a key alone: the others hide nothing that is wrong with these.
    #[serde(skip)]
    pub verdict_of_keys: &'static str,
}

impl Report {
    /// With the reads of each cell and of each region.
    pub(crate) fn with_reads(mut self, (cells, regions): (Vec<u64>, &[u64])) -> Self {
        self.reads = Some(cells);
        for region in &mut self.regions {
            region.reads = regions.get(region.index).copied();
        }
        self
    }

    /// With the rows of each region, where these are fewer than its records.
    pub(crate) fn with_rows(mut self, rows_of: impl Fn(&RegionReport) -> u64) -> Self {
        for region in self.regions.iter_mut().filter(|region| region.records > 0) {
            // An estimate can be off by more than there is.
            region.rows = rows_of(region).clamp(1, region.records.into()) as u32;
        }
        self
    }

    /// Puts together what was counted. `time` is the arrival field's name and the axis of the counts.
    pub fn new(
        points: &SplitPoints,
        counts: RegionCounts,
        keys: KeyFigures,
        time: Option<(&str, TimeAxis)>,
        refused: RefusedRecords,
        busiest: Vec<BusiestValues>,
    ) -> Self {
        let skew = Skew::of(&counts.rows);
        let writing = WriteJudgement::new(&counts.intervals, counts.writes);
        let (verdict, verdict_of_keys) =
            verdict::verdict(points, (&counts, &writing), &skew, &keys.duplicates, refused.count);
        let in_buckets: u64 = counts.moments.rows.iter().map(|&rows| u64::from(rows)).sum();
        let time = time.map(|(field, axis)| ReportTime {
            field: field.to_owned(),
            start: axis.start,
            step: axis.step(),
            buckets: axis.buckets,
            outside: keys.count.saturating_sub(in_buckets),
            first: None,
            last: None,
        });
        Self {
            rows: keys.count + refused.count,
            refused,
            untimed: 0,
            time,
            region_count: points.regions(),
            regions: listed(points, &counts, keys.count),
            skew,
            regions_per_heat_row: counts.regions_per_heat_row,
            moment_largest_share: counts.moments.largest_share(),
            moment_effective: counts.moments.effective(),
            moment_rows: counts.moments.rows,
            heat: counts.heat,
            keys,
            key_bytes: None,
            reads: None,
            busiest,
            servers: None,
            writing,
            faults: counts.faults,
            verdict,
            verdict_of_keys,
        }
    }
}

fn listed(points: &SplitPoints, counts: &RegionCounts, total: u64) -> Vec<RegionReport> {
    let mut chosen: Vec<usize> = (0..counts.rows.len()).collect();
    let rows_of = |region: usize| counts.rows.get(region).copied().unwrap_or(0);
    if chosen.len() > LISTED_REGIONS {
        sort_by_key(&mut chosen, |&region| Reverse(rows_of(region)));
        chosen.truncate(LISTED_REGIONS);
        sort(&mut chosen);
    }
    let region = |index: usize| {
        let (start, stop) = points.boundaries(index);
        RegionReport {
            index,
            start: to_string_binary(start),
            stop: to_string_binary(stop),
            rows: rows_of(index),
            records: rows_of(index),
            share: f64::from(rows_of(index)) / total.max(1) as f64,
            bytes: counts.bytes.get(index).copied().unwrap_or(0),
            reads: None,
        }
    };
    chosen.into_iter().map(region).collect()
}
