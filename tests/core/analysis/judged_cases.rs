//! Designs and records made up by chance, and what is said of them beside what is true: `docs/judgement.md` has the quantities
//! and thresholds.
//!
//! `ROWSCAPE_CASES=20000 cargo test --release --test core what_is_said_is_true -- --nocapture` prints the table of that document;
//! `ROWSCAPE_FROM` is the first of these cases, for one of which the test told.

use super::findings::study;
use super::plain::{Plain, keys};
use super::plain_findings::truths;
use super::plain_queries::count_queries;
use super::plain_verdict::{Possible, verdicts};
use super::random_cases::Case;
use super::tally::Tallies;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::Document;
use rowscape::findings::{Evidence, Finding, FindingSeverity, KeyFacts, PlannedQuery, Review, findings};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::report::{Verdict, VerdictSeverity};
use rowscape::scan::PlanKind;
use serde_json::json;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Findings that may be bad.
const CAN_BE_BAD: [&str; 12] = [
    "RS101", "RS102", "RS103", "RS104", "RS105", "RS106", "RS111", "RS112", "RS113", "RS201", "RS302",
    "RS304",
];
/// Verdicts on several records.
const VERDICTS: [&str; 19] = [
    "verdict.all-in-one",
    "verdict.bursts",
    "verdict.bursts-server",
    "verdict.dead-regions",
    "verdict.follows",
    "verdict.follows-unseen",
    "verdict.good",
    "verdict.hot-row",
    "verdict.narrow",
    "verdict.negative-bucket",
    "verdict.one-region",
    "verdict.one-server",
    "verdict.overwritten",
    "verdict.rate-low",
    "verdict.rejected",
    "verdict.sequential",
    "verdict.skewed",
    "verdict.too-few-rows",
    "verdict.too-sparse",
];
/// Cases of the ordinary test.
const CASES: u64 = 300;

pub struct Judged {
    pub study: Document,
    pub records: Rc<Records>,
    pub verdict: Verdict,
    pub found: Vec<Finding>,
    /// Name, scans and rows read of each query.
    pub efforts: Vec<(String, usize, u64)>,
    /// Queries that read the whole table.
    pub full: Vec<String>,
    /// Bytes of a key on average.
    pub key_bytes: f64,
    /// Rows that a later one of their key hides.
    pub hidden: usize,
    /// Records without a key.
    pub rejected: u64,
    /// Rows of the region with most, as a share of all and beside the mean.
    pub largest: (f64, f64),
}

/// The records of a case, for as many documents as one likes.
pub fn records_of(case: &Case, study: &Document) -> Rc<Records> {
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(case.text.as_bytes());
    reader.finish();
    Rc::new(reader.into_records())
}

/// A fresh analysis of a table.
pub fn analysis_of(study: &Document, table: usize, records: &Rc<Records>) -> Analysis {
    Analysis::of(study, table, records.clone()).expect("analysis")
}

/// A case judged as users see it, with fixes that were measured.
pub fn judged(case: &Case) -> Judged {
    judged_table(case, 0)
}

/// The same of any table of the document.
pub fn judged_table(case: &Case, table: usize) -> Judged {
    let study = study(&case.document);
    let records = records_of(case, &study);
    let mut analysis = analysis_of(&study, table, &records);
    let report = analysis.report(&ReportOptions::default()).expect("report");
    let found = analysis.findings(&study, table).expect("findings");
    let (keys, _) = analysis.placed();
    let asked = PlannedQuery::all(&study, &study.tables[table], Some((keys, &records)));
    let effort = |asked: &PlannedQuery| {
        let rows = asked.limited.as_ref().or(asked.counted.as_ref()).expect("rows").read;
        (study.queries[asked.query].name.clone(), asked.plan.ranges.len(), rows)
    };
    let efforts = asked.iter().map(effort).collect();
    let full = asked.iter().filter(|asked| asked.plan.kind == PlanKind::FullScan);
    let full = full.map(|asked| study.queries[asked.query].name.clone()).collect();
    let rows = report.keys.count.max(1) as f64;
    let duplicates = &report.keys.duplicates;
    Judged {
        found,
        efforts,
        full,
        key_bytes: report.keys.bytes as f64 / rows,
        hidden: duplicates.rows - duplicates.keys,
        rejected: report.refused.count,
        largest: (f64::from(report.skew.max) / rows, report.skew.max_over_mean),
        verdict: report.verdict,
        study,
        records,
    }
}

/// The same without fixes, which take most of the time.
fn judged_alone(case: &Case) -> Judged {
    let study = study(&case.document);
    let records = records_of(case, &study);
    let mut analysis = analysis_of(&study, 0, &records);
    let report = analysis.report(&ReportOptions::default()).expect("report");
    let design = &study.tables[0];
    let (table, points) = analysis.placed();
    let facts = KeyFacts::default();
    let evidence = Some(Evidence::new((&records, table), &report, &facts));
    let asked = PlannedQuery::all(&study, design, Some((table, &records)));
    let review = Review { study: &study, design, points, evidence, asked, fixes: false };
    let found = findings(&review);
    let (study, records, verdict) = (study.clone(), records.clone(), report.verdict.clone());
    let (efforts, full) = (Vec::new(), Vec::new());
    let (hidden, rejected, key_bytes, largest) = (0, 0, 0.0, (0.0, 0.0));
    Judged { verdict, found, records, study, efforts, full, key_bytes, hidden, rejected, largest }
}

/// Compares the findings of a seed's case with the truth.
fn compare(seed: u64, tallies: &mut Tallies) {
    let mut case = Case::new(seed);
    if seed.is_multiple_of(2) {
        case = case.with_queries(seed);
        let plain_study = study(&case.document);
        let (keys, ..) = keys(&plain_study, &records_of(&case, &plain_study));
        case.with_scan(seed, &keys);
    }
    let Judged { study, records, verdict, found, .. } = judged_alone(&case);
    let (keys, points, lengths) = keys(&study, &records);
    let plain = Plain::of(&case, &keys, &points, &lengths);
    let (region, server) = (plain.hot_region(), plain.hot_server());
    let codes: Vec<String> =
        found.iter().map(|finding| format!("{} {:?}", finding.code, finding.severity)).collect();
    let told = || {
        format!(
            "{seed}: {} rows, {:?}, {}, rate {:?}, {} regions; {} {codes:?}",
            plain.rows.len(),
            case.arrival,
            case.document
                .as_object()
                .expect("members")
                .iter()
                .filter(|(name, _)| *name != "fields")
                .map(|(name, value)| format!("{name} {value}"))
                .collect::<Vec<_>>()
                .join(" "),
            plain.rate,
            plain.regions(),
            verdict.code,
        )
    };
    let truths = truths(&plain, &region, &server);
    for (&code, truth) in &truths {
        let says =
            |least: FindingSeverity| found.iter().any(|other| other.code == code && other.severity >= least);
        tallies.count(code, says(FindingSeverity::Note), truth.said, told);
        if CAN_BE_BAD.contains(&code) {
            tallies.count(&format!("{code} bad"), says(FindingSeverity::Bad), truth.bad, told);
        }
    }
    count_queries(&plain, &study, &records, &found, tallies, &told);
    let faults = [("verdict.hot-row", truths["RS113"].bad), ("verdict.negative-bucket", truths["RS106"].bad)];
    let possible = with_faults(verdicts(&plain, (&region, &server), true), &faults);
    let may_be = |is: &dyn Fn(&(&str, VerdictSeverity)) -> bool| {
        let (some, all) = (possible.iter().any(is), possible.iter().all(is));
        if all { Some(true) } else { (!some).then_some(false) }
    };
    for severity in [VerdictSeverity::Bad, VerdictSeverity::Warning, VerdictSeverity::Good] {
        let truth = may_be(&|one| one.1 == severity);
        tallies.count(&format!("verdict {severity:?}"), verdict.severity == severity, truth, told);
    }
    for code in VERDICTS {
        tallies.count(code, verdict.code == code, may_be(&|one| one.0 == code), told);
    }
    for contradiction in contradictions(&verdict, &found) {
        tallies.count(&format!("contradiction {contradiction}"), true, Some(false), told);
    }
    tallies.count("contradiction", false, Some(false), told);
}

/// The findings that a bad verdict stands for.
const SAID_BY: [(&str, &[&str]); 11] = [
    ("verdict.all-in-one", &["RS103"]),
    ("verdict.bursts", &["RS111", "RS112"]),
    ("verdict.bursts-server", &["RS111", "RS112"]),
    ("verdict.dead-regions", &["RS103"]),
    ("verdict.follows", &["RS101"]),
    ("verdict.hot-row", &["RS113"]),
    ("verdict.negative-bucket", &["RS106"]),
    ("verdict.one-server", &["RS112"]),
    ("verdict.rejected", &["RS304"]),
    ("verdict.sequential", &["RS101"]),
    ("verdict.skewed", &["RS102", "RS104"]),
];

/// Findings about keys that are written, as opposed to their order, their bytes and queries: a bad one needs a bad verdict.
fn is_of_writes(code: &str) -> bool {
    code < "RS200" || code == "RS304"
}

/// Verdicts that say themselves that they judge no spread: too few rows for that, or one region that takes every write.
pub const UNDECIDED: [&str; 3] = ["verdict.one-region", "verdict.too-few-rows", "verdict.too-sparse"];

/// Bad findings about writes beside a verdict that is not bad, by code, and bad verdicts without their finding.
fn contradictions(verdict: &Verdict, found: &[Finding]) -> Vec<&'static str> {
    let bad = |finding: &&Finding| finding.severity == FindingSeverity::Bad;
    if verdict.severity != VerdictSeverity::Bad {
        if UNDECIDED.contains(&verdict.code) {
            return Vec::new();
        }
        return found
            .iter()
            .filter(bad)
            .map(|finding| finding.code)
            .filter(|code| is_of_writes(code))
            .collect();
    }
    let said_by = SAID_BY.iter().filter(|(code, _)| *code == verdict.code);
    let unsaid = |codes: &[&str]| !found.iter().filter(bad).any(|finding| codes.contains(&finding.code));
    said_by.filter(|(_, codes)| unsaid(codes)).map(|(code, _)| *code).collect()
}

/// Verdicts with what a bad fault of the keys makes of those that are not bad.
fn with_faults(possible: Vec<Possible>, faults: &[(&'static str, Option<bool>)]) -> Vec<Possible> {
    let mut all = Vec::new();
    for verdict in possible {
        let bad = verdict.1 == VerdictSeverity::Bad;
        let certain = faults.iter().position(|(_, is)| *is == Some(true)).filter(|_| !bad);
        let tried = if bad { 0 } else { certain.map_or(faults.len(), |last| last + 1) };
        let maybe = faults.iter().take(tried).filter(|(_, is)| *is != Some(false));
        all.extend(maybe.map(|&(code, _)| (code, VerdictSeverity::Bad)));
        all.extend(certain.is_none().then_some(verdict));
    }
    all
}

fn asked(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// How many cases are asked for.
pub fn cases() -> u64 {
    asked("ROWSCAPE_CASES").unwrap_or(CASES)
}

/// Does something for each of so many seeds, on all processors.
pub fn for_seeds(cases: u64, work: impl Fn(u64, &mut Tallies) + Sync) -> Tallies {
    let next = AtomicU64::new(asked("ROWSCAPE_FROM").unwrap_or(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = || {
        let mut own = Tallies::default();
        while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&seed| seed < cases) {
            work(seed, &mut own);
        }
        own
    };
    let mut all = Tallies::default();
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        running.into_iter().for_each(|thread| all.add(thread.join().expect("a case")));
    });
    all.trouble.sort();
    all
}

#[test]
fn what_is_said_is_true() {
    let tallies = for_seeds(cases(), compare);
    tallies.print();
    println!("{}", tallies.trouble.join("\n"));
    for (name, tally) in &tallies.all {
        let told = || {
            let own = tallies.trouble.iter().filter(|told| told.starts_with(&format!("{name}: ")));
            format!("{name}\n{}", own.map(String::as_str).collect::<Vec<_>>().join("\n"))
        };
        let (wrong, missed) = (tally.wrong as f64, tally.missed as f64);
        assert!(wrong <= (0.01 * (tally.right + tally.wrong) as f64).max(1.0), "{}", told());
        assert!(missed <= (0.03 * (tally.right + tally.missed) as f64).max(1.0), "{}", told());
        assert!(tally.neither() <= 0.15, "{name}: {:.1}% neither", 100.0 * tally.neither());
    }
    let contradictions: Vec<&String> =
        tallies.all.keys().filter(|name| name.starts_with("contradiction ")).collect();
    assert!(contradictions.is_empty(), "{contradictions:?}");
}
