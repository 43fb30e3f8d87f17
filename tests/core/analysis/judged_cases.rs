//! Designs and records made up by chance, and what is said of them beside what is true: `docs/judgement.md` has the quantities
//! and thresholds.
//!
//! `ROWSCAPE_CASES=20000 cargo test --release --test core what_is_said_is_true -- --nocapture` prints the table of that document.

use super::findings::study;
use super::plain::{Plain, keys};
use super::plain_findings::truths;
use super::plain_queries::count_queries;
use super::plain_verdict::verdicts;
use super::random_cases::Case;
use super::tally::Tallies;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::Study;
use rowscape::findings::{Evidence, Finding, FindingSeverity, PlannedQuery, Review, findings};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::report::{Verdict, VerdictSeverity};
use serde_json::json;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Findings that may be bad.
const CAN_BE_BAD: [&str; 11] =
    ["RS101", "RS102", "RS103", "RS105", "RS106", "RS111", "RS112", "RS113", "RS201", "RS302", "RS304"];
/// Verdicts on several records.
const VERDICTS: [&str; 14] = [
    "verdict.all-in-one",
    "verdict.bursts",
    "verdict.dead-regions",
    "verdict.good",
    "verdict.narrow",
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
    pub study: Study,
    pub records: Rc<Records>,
    pub verdict: Verdict,
    pub found: Vec<Finding>,
}

/// The records of a case, for as many documents as one likes.
pub fn records_of(case: &Case, study: &Study) -> Rc<Records> {
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(case.text.as_bytes());
    reader.finish();
    Rc::new(reader.into_records())
}

fn analysis_of(study: &Study, records: &Rc<Records>) -> Analysis {
    let table = &study.tables[0];
    let (fields, arrival) = (study.fields.clone(), study.arrival.clone());
    let analysis = Analysis::new(records.clone(), fields, table.typed.clone(), &table.splits, arrival);
    let mut analysis = analysis.expect("analysis");
    analysis.set_servers(table.servers);
    analysis.set_rate(study.write_rate());
    analysis.set_kind(table.writes);
    analysis
}

/// A case judged as users see it, with fixes that were measured.
pub fn judged(case: &Case) -> Judged {
    let study = study(&case.document);
    let records = records_of(case, &study);
    let mut analysis = analysis_of(&study, &records);
    let verdict = analysis.report(&ReportOptions::default()).expect("report").verdict;
    let found = analysis.findings(&study, 0).expect("findings");
    Judged { study, records, verdict, found }
}

/// The same without fixes, which take most of the time.
fn judged_alone(case: &Case) -> Judged {
    let study = study(&case.document);
    let records = records_of(case, &study);
    let mut analysis = analysis_of(&study, &records);
    let report = analysis.report(&ReportOptions::default()).expect("report");
    let design = &study.tables[0];
    let (table, points) = analysis.placed();
    let evidence = Some(Evidence::new(design, &records, table, &report));
    let asked = PlannedQuery::all(&study, design, Some((table, &records)));
    let review = Review { study: &study, design, points, evidence, asked, fixes: false };
    let found = findings(&review);
    Judged { verdict: report.verdict.clone(), found, records: records.clone(), study: study.clone() }
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
    let Judged { study, records, verdict, found } = judged_alone(&case);
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
    for (code, truth) in truths(&plain, &region, &server) {
        let says =
            |least: FindingSeverity| found.iter().any(|other| other.code == code && other.severity >= least);
        tallies.count(code, says(FindingSeverity::Note), truth.said, told);
        if CAN_BE_BAD.contains(&code) {
            tallies.count(&format!("{code} bad"), says(FindingSeverity::Bad), truth.bad, told);
        }
    }
    count_queries(&plain, &study, &records, &found, tallies, &told);
    let possible = verdicts(&plain, (&region, &server), true);
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
    tallies.count("contradiction", contradict(&verdict, &found), Some(false), told);
}

/// A good verdict beside a bad finding about writes or regions, or a bad one of writes without any finding as bad.
fn contradict(verdict: &Verdict, found: &[Finding]) -> bool {
    let bad = |code: &str| {
        found.iter().any(|finding| finding.code == code && finding.severity == FindingSeverity::Bad)
    };
    // Faults of a modulo or of one row do not concern regions.
    let of_regions = |code: &str| code < "RS200" && !["RS106", "RS113"].contains(&code);
    let spread =
        found.iter().any(|finding| of_regions(finding.code) && finding.severity == FindingSeverity::Bad);
    let is = |code: &str, severity: VerdictSeverity| verdict.code == code && verdict.severity == severity;
    verdict.severity == VerdictSeverity::Good && spread
        || is("verdict.sequential", VerdictSeverity::Bad) && !bad("RS101")
        || is("verdict.one-server", VerdictSeverity::Bad) && !bad("RS112")
        || is("verdict.dead-regions", VerdictSeverity::Bad) && !bad("RS103")
        || is("verdict.bursts", VerdictSeverity::Bad) && !bad("RS111") && !bad("RS112")
        || is("verdict.rejected", VerdictSeverity::Bad) && !bad("RS304")
}

/// How many cases are asked for.
pub fn cases() -> u64 {
    std::env::var("ROWSCAPE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

/// Does something for each of so many seeds, on all processors.
pub fn for_seeds(cases: u64, work: impl Fn(u64, &mut Tallies) + Sync) -> Tallies {
    let next = AtomicU64::new(0);
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
    assert_eq!(tallies.all["contradiction"].wrong, 0);
}
