//! The one sentence: what is wrong, or right, about where the rows land.
//!
//! Judged on the counts alone, never on the design's name or shape. [`RULES`] are tried in order; the first that
//! applies speaks.

use super::counting::CountingValues;
use super::counts::RegionCounts;
use super::following::FollowsBy;
use super::intervals::{Concentration, TypicalInterval, WriteJudgement};
use super::moments::{BucketStats, median};
use super::skew::Skew;
use super::thresholds::{
    DEAD_BAD, DEVIATIONS, MOMENTS, NARROW, OVERWRITTEN, REJECTED, ROWS_FOR_A_SHARE, SKEW_BAD, SKEW_WARNING,
    SkewLimit, rows_to_judge,
};
use super::writes::WritePace;
use crate::base::figures::{in_one_unit, one_decimal, percent};
use crate::base::map::Map;
use crate::base::sentences::Conclusion;
use crate::bytes::row::to_string_binary;
use crate::design::WriteKind;
use crate::design::split::SplitPoints;
use crate::keys::duplicates::Duplicates;
use serde::Serialize;

/// How serious a verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictSeverity {
    /// Nothing to do.
    Good,
    /// Worth a look.
    Warning,
    /// Will hurt.
    Bad,
}

/// A headline with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Stable code, a key of `data/messages/en.json`.
    pub code: &'static str,
    /// How serious it is.
    pub severity: VerdictSeverity,
    /// The evidence: named arguments of the sentence.
    pub args: Map<&'static str, String>,
    /// The headline in English, without a final full stop.
    pub title: String,
    /// The evidence in English, then the cause or the next step.
    pub detail: String,
    /// Headline and detail as one text.
    pub message: String,
}

/// The facts that a verdict is judged on.
pub(super) struct VerdictFacts<'a> {
    /// Rows with a key.
    rows: usize,
    /// Rows without.
    refused: u64,
    points: &'a SplitPoints,
    counts: &'a RegionCounts,
    writing: &'a WriteJudgement,
    skew: &'a Skew,
    duplicates: &'a Duplicates,
}

/// Code, severity, and what the sentence needs besides the arguments common to all.
type RuleVerdict = Option<(&'static str, VerdictSeverity, Vec<(&'static str, String)>)>;

/// The rules, most telling first.
const RULES: [fn(&VerdictFacts) -> RuleVerdict; 20] = [
    no_rows,
    all_refused,
    many_rejected,
    one_region_table,
    too_few_rows,
    all_in_one_region,
    sequential,
    follows,
    counting,
    one_server,
    too_few_rows_a_region,
    many_dead,
    very_skewed,
    bursts,
    narrow,
    skewed,
    some_dead,
    overwritten,
    some_rejected,
    good,
];

/// Bad faults of the keys themselves, whatever the regions, the most telling first.
const FAULTS: [fn(&VerdictFacts) -> RuleVerdict; 2] = [hot_row, negative_bucket];

/// Rules that are mild at a rate that one region or server nearly takes: what is bad all the same is told instead.
const MILD_BY_RATE: [&str; 4] =
    ["verdict.sequential", "verdict.follows", "verdict.counting", "verdict.one-server"];

/// Rules about records without a key.
const OF_REJECTED: [&str; 2] = ["verdict.rejected", "verdict.all-refused"];

/// The verdict on what was counted, and the code of that on the records with a key alone.
pub(super) fn verdict(
    points: &SplitPoints,
    (counts, writing): (&RegionCounts, &WriteJudgement),
    skew: &Skew,
    duplicates: &Duplicates,
    refused: u64,
) -> (Verdict, &'static str) {
    let rows = counts.rows.iter().map(|&rows| rows as usize).sum();
    // The first of equals.
    let largest = counts.rows.iter().position(|&rows| rows == skew.max).unwrap_or(0);
    let facts = VerdictFacts { rows, refused, points, counts, writing, skew, duplicates };
    let mut told: Vec<_> = RULES.iter().filter_map(|rule| rule(&facts)).collect();
    let is_bad = |&(_, severity, _): &(_, VerdictSeverity, _)| severity == VerdictSeverity::Bad;
    let mild = told.first().is_some_and(|first| MILD_BY_RATE.contains(&first.0) && !is_bad(first));
    let judged = told.iter().take_while(|(code, ..)| *code != "verdict.too-few-rows");
    if let Some(worse) = judged.enumerate().find(|(_, one)| is_bad(one)).filter(|_| mild).map(|(at, _)| at) {
        told.drain(..worse);
    }
    let none = ("verdict.no-rows", VerdictSeverity::Warning, Vec::new());
    let of_keys = told.iter().map(|(code, ..)| *code).find(|code| !OF_REJECTED.contains(code));
    let first = told.into_iter().next().unwrap_or(none);
    let of_keys = of_keys.unwrap_or(first.0);
    // A fault of the keys themselves is worse than all that is not bad.
    let fault = FAULTS.iter().find_map(|rule| rule(&facts)).filter(|_| first.1 != VerdictSeverity::Bad);
    let (code, severity, extra) = fault.unwrap_or(first);
    let (start, stop) = points.boundaries(largest);
    let mut args = Map::new();
    let told = [
        ("rows", rows.to_string()),
        ("refused", refused.to_string()),
        ("regions", points.regions().to_string()),
        ("region", largest.to_string()),
        ("start", to_string_binary(start)),
        ("stop", to_string_binary(stop)),
        ("share", percent(facts.largest_share())),
        ("times", one_decimal(skew.max_over_mean)),
        ("empty", skew.empty.to_string()),
        ("written", (points.regions() - skew.empty).to_string()),
    ];
    for (name, value) in told.into_iter().chain(extra) {
        args.insert(name, value);
    }
    let told = Conclusion::of(code, &args);
    let message = told.message();
    (Verdict { code, severity, message, title: told.title, detail: told.detail, args }, of_keys)
}

impl VerdictFacts<'_> {
    fn regions(&self) -> usize {
        self.points.regions()
    }

    /// Records, those without a key included.
    fn records(&self) -> u64 {
        self.rows as u64 + self.refused
    }

    /// Share of the records that have no key.
    fn rejected_share(&self) -> f64 {
        self.refused as f64 / self.records().max(1) as f64
    }

    fn told_of_rate(&self) -> Vec<(&'static str, String)> {
        let rate = self.counts.writes.rate.map_or((0.0, 0.0), |rate| (rate.per_second, rate.region));
        vec![("perSecond", one_decimal(rate.0)), ("capacity", one_decimal(rate.1))]
    }

    /// How fast rows may come where one region takes them all.
    fn limit(&self) -> (&'static str, String) {
        ("limit", format!("{:.0}", self.counts.writes.least_near()))
    }

    fn told_of_rejected(&self) -> Vec<(&'static str, String)> {
        vec![("records", self.records().to_string()), ("rejectedShare", percent(self.rejected_share()))]
    }

    /// Share of the largest region over the whole period.
    fn largest_share(&self) -> f64 {
        f64::from(self.skew.max) / self.rows.max(1) as f64
    }
}

fn no_rows(facts: &VerdictFacts) -> RuleVerdict {
    (facts.rows == 0 && facts.refused == 0).then(|| ("verdict.no-rows", VerdictSeverity::Warning, Vec::new()))
}

fn all_refused(facts: &VerdictFacts) -> RuleVerdict {
    (facts.rows == 0).then(|| ("verdict.all-refused", VerdictSeverity::Bad, Vec::new()))
}

fn many_rejected(facts: &VerdictFacts) -> RuleVerdict {
    (facts.rejected_share() >= REJECTED)
        .then(|| ("verdict.rejected", VerdictSeverity::Bad, facts.told_of_rejected()))
}

fn some_rejected(facts: &VerdictFacts) -> RuleVerdict {
    (facts.refused > 0).then(|| ("verdict.rejected", VerdictSeverity::Warning, facts.told_of_rejected()))
}

fn one_region_table(facts: &VerdictFacts) -> RuleVerdict {
    (facts.regions() == 1).then(|| match facts.counts.writes.of_region(1.0) {
        WritePace::Low => ("verdict.rate-low", VerdictSeverity::Good, facts.told_of_rate()),
        _ => ("verdict.one-region", VerdictSeverity::Warning, Vec::new()),
    })
}

fn too_few_rows(facts: &VerdictFacts) -> RuleVerdict {
    (facts.rows < ROWS_FOR_A_SHARE).then(|| {
        ("verdict.too-few-rows", VerdictSeverity::Warning, vec![("needed", ROWS_FOR_A_SHARE.to_string())])
    })
}

/// No rate makes up for split points that leave most regions empty. Of two regions one takes what one region can.
fn all_in_one_region(facts: &VerdictFacts) -> RuleVerdict {
    let by_pace = by_pace(facts.counts.writes.of_region(1.0)).unwrap_or(VerdictSeverity::Warning);
    let severity = if facts.regions() > 2 { VerdictSeverity::Bad } else { by_pace };
    (facts.skew.empty + 1 == facts.regions()).then(|| ("verdict.all-in-one", severity, Vec::new()))
}

fn sequential(facts: &VerdictFacts) -> RuleVerdict {
    let found = facts.writing.regions.filter(|found| facts.writing.is_by_time(found))?;
    let severity = by_pace(facts.counts.writes.of_region(found.share))?;
    let mut args = told_of_intervals(&found);
    let leads = facts.writing.leads_by_time();
    args.push((
        "cause",
        if leads { "verdict.sequential.leads" } else { "verdict.sequential.moves" }.to_owned(),
    ));
    let when = if found.always { "verdict.sequential.always" } else { "verdict.sequential.at-times" };
    args.push(("when", when.to_owned()));
    args.push(facts.limit());
    Some(("verdict.sequential", severity, args))
}

/// Rows may be too few to see it in where they land: the next ones all sort beside the last.
fn follows(facts: &VerdictFacts) -> RuleVerdict {
    let severity = by_pace(facts.counts.writes.of_region(1.0))?;
    facts.writing.follows.filter(|found| found.fills_one_region(facts.regions()))?;
    Some(("verdict.follows", severity, vec![facts.limit()]))
}

/// Without a time of arrival, numbers given in turn are what tells that new keys sort last.
fn counting(facts: &VerdictFacts) -> RuleVerdict {
    let CountingValues { step, share } = facts.writing.counting?;
    let severity = by_pace(facts.counts.writes.of_region(1.0))?;
    let evidence = vec![("step", step.to_string()), ("inOrder", percent(share)), facts.limit()];
    Some(("verdict.counting", severity, evidence))
}

fn one_server(facts: &VerdictFacts) -> RuleVerdict {
    let found = facts.writing.servers.filter(|found| facts.writing.is_by_time(found))?;
    let mut args = told_of_intervals(&found);
    args.push(("servers", facts.writing.server_count.to_string()));
    Some(("verdict.one-server", by_pace(facts.counts.writes.of_server(found.share))?, args))
}

fn bursts(facts: &VerdictFacts) -> RuleVerdict {
    let writes = &facts.counts.writes;
    let of_region =
        facts.writing.regions.map(|found| ("verdict.bursts", found, writes.of_region(found.share)));
    let of_server =
        || facts.writing.servers.map(|found| ("verdict.bursts-server", found, writes.of_server(found.share)));
    let (code, found, pace) = of_region.or_else(of_server)?;
    let severity = match pace {
        WritePace::Low => return None,
        WritePace::High => VerdictSeverity::Bad,
        WritePace::Near | WritePace::Unknown => VerdictSeverity::Warning,
    };
    Some((code, severity, told_of_intervals(&found)))
}

/// One row takes more increments than HBase does of a row.
fn hot_row(facts: &VerdictFacts) -> RuleVerdict {
    let hot = facts.counts.faults.hot_row.as_ref()?;
    let rate = facts.counts.writes.rate?;
    let told = || {
        vec![
            ("row", hot.row.clone()),
            ("hotShare", percent(hot.share())),
            ("writes", one_decimal(hot.share() * rate.per_second)),
            ("capacity", one_decimal(rate.row)),
        ]
    };
    (facts.counts.writes.of_row(hot.share()) == WritePace::High)
        .then(|| ("verdict.hot-row", VerdictSeverity::Bad, told()))
}

fn negative_bucket(facts: &VerdictFacts) -> RuleVerdict {
    let n = facts.counts.faults.negative.first()?.divisor;
    let told = vec![("n", n.to_string()), ("least", (1 - n.abs()).to_string())];
    Some(("verdict.negative-bucket", VerdictSeverity::Bad, told))
}

fn told_of_intervals(found: &Concentration) -> Vec<(&'static str, String)> {
    let measured = if found.sampled { "verdict.measured-sample" } else { "verdict.measured" };
    vec![
        ("momentShare", percent(found.share)),
        ("moments", found.intervals.to_string()),
        ("interval", in_one_unit(found.length)),
        ("lasts", percent(found.lasts)),
        ("measured", measured.to_owned()),
    ]
}

fn too_few_rows_a_region(facts: &VerdictFacts) -> RuleVerdict {
    let needed = rows_to_judge(facts.regions());
    (facts.rows < needed)
        .then(|| ("verdict.too-few-rows", VerdictSeverity::Warning, vec![("needed", needed.to_string())]))
}

fn many_dead(facts: &VerdictFacts) -> RuleVerdict {
    let applies = facts.skew.empty as f64 >= DEAD_BAD * facts.regions() as f64;
    applies.then(|| ("verdict.dead-regions", VerdictSeverity::Bad, empty_regions(&facts.counts.rows)))
}

fn very_skewed(facts: &VerdictFacts) -> RuleVerdict {
    let severity = by_pace(facts.counts.writes.of_region(facts.largest_share()))?;
    skew_over(facts, SKEW_BAD).then(|| ("verdict.skewed", severity, Vec::new()))
}

fn skewed(facts: &VerdictFacts) -> RuleVerdict {
    skew_over(facts, SKEW_WARNING).then(|| ("verdict.skewed", VerdictSeverity::Warning, Vec::new()))
}

/// How bad it is that one region or server takes too much; `None` where so few rows a second are no problem.
fn by_pace(pace: WritePace) -> Option<VerdictSeverity> {
    match pace {
        WritePace::Low => None,
        WritePace::Near => Some(VerdictSeverity::Warning),
        WritePace::Unknown | WritePace::High => Some(VerdictSeverity::Bad),
    }
}

/// True when the largest region is so much too large, and that is neither an accident nor little.
fn skew_over(facts: &VerdictFacts, limit: SkewLimit) -> bool {
    is_skewed(facts, limit) && facts.counts.writes.of_region(facts.largest_share()) != WritePace::Low
}

fn is_skewed(facts: &VerdictFacts, limit: SkewLimit) -> bool {
    let Skew { mean, max, .. } = *facts.skew;
    facts.skew.is_over(limit, facts.regions()) && f64::from(max) - mean > DEVIATIONS * mean.sqrt()
}

fn some_dead(facts: &VerdictFacts) -> RuleVerdict {
    (facts.skew.empty > 0)
        .then(|| ("verdict.dead-regions", VerdictSeverity::Warning, empty_regions(&facts.counts.rows)))
}

fn narrow(facts: &VerdictFacts) -> RuleVerdict {
    let rows_wanted = u32::try_from(rows_to_judge(facts.regions()) / 2).unwrap_or(u32::MAX);
    let (effective, moments) = median_over(&facts.counts.wide, rows_wanted, BucketStats::effective)?;
    let whole = whole_effective(&facts.counts.rows);
    let args = || vec![("effective", one_decimal(effective)), ("moments", moments.to_string())];
    let low = facts.counts.writes.kind == WriteKind::Bulk
        || facts.counts.writes.of_region(1.0 / effective.max(1.0)) == WritePace::Low;
    (effective * NARROW <= whole && !low).then(|| ("verdict.narrow", VerdictSeverity::Warning, args()))
}

fn overwritten(facts: &VerdictFacts) -> RuleVerdict {
    let Duplicates { keys, rows, .. } = *facts.duplicates;
    let args = || vec![("duplicateKeys", keys.to_string()), ("duplicateRows", rows.to_string())];
    let meant = !facts.counts.writes.kind.is_append();
    (!meant && rows as f64 >= OVERWRITTEN * facts.rows as f64)
        .then(|| ("verdict.overwritten", VerdictSeverity::Warning, args()))
}

fn good(facts: &VerdictFacts) -> RuleVerdict {
    let writing = facts.writing;
    let low = facts.counts.writes.of_region(1.0) == WritePace::Low;
    if let Some(found) = writing.follows.filter(|_| !low) {
        let how = if found.by == FollowsBy::OwnTime {
            "finding.sequential.untimed"
        } else {
            "verdict.follows.time"
        };
        let told = vec![("how", how.to_owned()), facts.limit()];
        return Some(("verdict.follows-unseen", VerdictSeverity::Warning, told));
    }
    let gathered = writing.regions.or(writing.servers).is_some()
        || writing.counting.is_some()
        || writing.follows.is_some();
    if facts.counts.writes.rate.is_some() && (gathered || is_skewed(facts, SKEW_WARNING)) {
        return Some(("verdict.rate-low", VerdictSeverity::Good, facts.told_of_rate()));
    }
    // With fewer, it is not seen that some of the regions take the writes of a time.
    let each = rows_to_judge(facts.regions());
    let sparse = |needed: usize| {
        ("verdict.too-sparse", VerdictSeverity::Warning, vec![("needed", needed.to_string())])
    };
    Some(match facts.writing.typical {
        Some(_) if !low && facts.rows < MOMENTS * each => sparse(each),
        None if facts.counts.writes.kind == WriteKind::Bulk => {
            ("verdict.good-bulk", VerdictSeverity::Good, Vec::new())
        }
        None if !facts.counts.moments.rows.is_empty() => sparse(ROWS_FOR_A_SHARE),
        None => ("verdict.good-untimed", VerdictSeverity::Good, Vec::new()),
        Some(TypicalInterval { share, intervals, length }) => (
            "verdict.good",
            VerdictSeverity::Good,
            vec![
                ("momentShare", percent(share)),
                ("moments", intervals.to_string()),
                ("interval", in_one_unit(length)),
            ],
        ),
    })
}

/// Median of a figure over the moments with at least `least` rows, and their number; `None` when they are too few.
fn median_over(
    moments: &BucketStats,
    least: u32,
    figure: impl Fn(&BucketStats) -> Vec<f64>,
) -> Option<(f64, usize)> {
    let figures = figure(moments).into_iter().zip(&moments.rows).filter(|&(_, &rows)| rows >= least);
    let figures: Vec<f64> = figures.map(|(figure, _)| figure).collect();
    let count = figures.len();
    median(figures).filter(|_| count >= MOMENTS).map(|median| (median, count))
}

/// Effective number of regions written over the whole period.
fn whole_effective(rows: &[u32]) -> f64 {
    let total: u128 = rows.iter().map(|&rows| u128::from(rows)).sum();
    let squares: u128 = rows.iter().map(|&rows| u128::from(rows) * u128::from(rows)).sum();
    (total * total) as f64 / squares.max(1) as f64
}

/// The empty regions as ranges, the first few, and how many more there are: `0, 3–7`.
fn empty_regions(rows: &[u32]) -> Vec<(&'static str, String)> {
    const RANGES: usize = 4;
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for (region, _) in rows.iter().enumerate().filter(|&(_, &rows)| rows == 0) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == region => *last = region,
            _ => ranges.push((region, region)),
        }
    }
    let print = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}–{last}"),
    };
    let shown: Vec<String> = ranges.iter().take(RANGES).map(print).collect();
    let more: usize = ranges.iter().skip(RANGES).map(|(first, last)| last - first + 1).sum();
    let mut told = vec![("list", shown.join(", "))];
    if more > 0 {
        told.extend([("more", "verdict.dead-regions.more".to_owned()), ("others", more.to_string())]);
    }
    told
}
