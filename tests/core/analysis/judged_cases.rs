//! Designs and records made up by chance, and what is said of them beside what is true: `docs/judgement.md` has the quantities
//! and thresholds. Truth is counted the plain way from keys, times and split points.
//!
//! `CASES=20000 cargo test --release --test core judged_cases -- --nocapture` prints the table of that document.

use super::findings::study;
use super::random_cases::Case;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::findings::{Finding, FindingSeverity};
use rowscape::ingest::{Input, RecordReader};
use rowscape::report::{Verdict, VerdictSeverity};
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The lengths of intervals that are judged, in milliseconds.
const LENGTHS: [u64; 23] = [
    1,
    5,
    10,
    50,
    100,
    500,
    1_000,
    5_000,
    10_000,
    30_000,
    60_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    10_800_000,
    21_600_000,
    43_200_000,
    86_400_000,
    604_800_000,
    2_419_200_000,
    7_257_600_000,
    29_030_400_000,
];

/// Times and regions of all rows with a key.
struct Landed {
    regions: usize,
    rows: Vec<(u64, usize)>,
}

impl Landed {
    fn of(analysis: &Analysis) -> Self {
        let points: Vec<Vec<u8>> = analysis.points().iter().map(<[u8]>::to_vec).collect();
        let keys = analysis.keys(0, usize::MAX);
        let region = |key: &[u8]| points.iter().filter(|point| point.as_slice() <= key).count();
        let times = keys.times.iter().map(|time| time.expect("a time") as u64);
        let rows = times.zip(keys.keys.iter().map(region)).collect();
        Self { regions: points.len() + 1, rows }
    }

    /// Some interval length has three intervals of 20 rows, and half of the rows in such.
    fn is_dense(&self) -> bool {
        LENGTHS.iter().any(|&length| {
            let mut intervals: BTreeMap<u64, u64> = BTreeMap::new();
            self.rows.iter().for_each(|&(time, _)| *intervals.entry(time / length).or_default() += 1);
            let full: Vec<u64> = intervals.into_values().filter(|&rows| rows >= 20).collect();
            full.len() >= 3 && 2 * full.iter().sum::<u64>() >= self.rows.len() as u64
        })
    }

    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.regions];
        self.rows.iter().for_each(|&(_, region)| counts[region] += 1);
        counts
    }

    /// One place takes most of the writes for a time; `times` as much of share and length as the thresholds ask.
    fn is_hot(&self, places: usize, place: impl Fn(usize) -> usize, times: f64) -> bool {
        let mut whole = vec![0u64; places];
        self.rows.iter().for_each(|&(_, region)| whole[place(region)] += 1);
        let all = self.rows.len() as f64;
        let largest = *whole.iter().max().expect("places") as f64 / all;
        let least = 0.6f64.max(1.5 * largest) * times;
        places > 1
            && LENGTHS.iter().any(|&length| {
                let mut intervals: BTreeMap<u64, BTreeMap<usize, u64>> = BTreeMap::new();
                for &(time, region) in &self.rows {
                    *intervals.entry(time / length).or_default().entry(place(region)).or_default() += 1;
                }
                let hot = |counts: &&BTreeMap<usize, u64>| {
                    let rows: u64 = counts.values().sum();
                    let most = *counts.values().max().expect("rows");
                    rows >= 20 && most as f64 >= least * rows as f64 && luck(most, rows, places) <= 0.01
                };
                let hot: Vec<u64> =
                    intervals.values().filter(hot).map(|counts| counts.values().sum()).collect();
                hot.len() >= 3 && hot.iter().sum::<u64>() as f64 >= 0.1 * times * all
            })
    }
}

/// How likely at most some place gets so many of the rows when all are as likely.
fn luck(most: u64, rows: u64, places: usize) -> f64 {
    let even = 1.0 / places as f64;
    let mut probability = (1.0 - even).powf(rows as f64);
    if probability == 0.0 {
        // So many rows that a share over twice the even one is never luck.
        return if most as f64 > 2.0 * even * rows as f64 { 0.0 } else { 1.0 };
    }
    let mut tail = 0.0;
    for count in 0..=rows {
        if count >= most {
            tail += probability;
        }
        probability *= (rows - count) as f64 / (count + 1) as f64 * even / (1.0 - even);
    }
    places as f64 * tail
}

/// True, false, or too close to a threshold to count.
fn clear(of: impl Fn(f64) -> bool) -> Option<bool> {
    match (of(1.1), of(0.9)) {
        (true, true) => Some(true),
        (false, false) => Some(false),
        _ => None,
    }
}

/// How often something was said, beside how often it was true.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
    close: usize,
    none: usize,
}

impl Tally {
    fn count(&mut self, said: bool, truth: Option<bool>) -> bool {
        match (said, truth) {
            (_, None) => self.close += 1,
            (true, Some(true)) => self.right += 1,
            (true, Some(false)) => self.wrong += 1,
            (false, Some(true)) => self.missed += 1,
            (false, Some(false)) => self.none += 1,
        }
        truth.is_none_or(|truth| truth == said)
    }
}

pub struct Judged {
    pub verdict: Verdict,
    pub found: Vec<Finding>,
    landed: Landed,
}

pub fn judged(case: &Case) -> Judged {
    let study = study(&case.document);
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(case.text.as_bytes());
    reader.finish();
    let records = Rc::new(reader.into_records());
    let table = &study.tables[0];
    let (fields, arrival) = (study.fields.clone(), study.arrival.clone());
    let mut analysis =
        Analysis::new(records, fields, table.typed.clone(), &table.splits, arrival).expect("analysis");
    analysis.set_servers(table.servers);
    let verdict = analysis.report(&ReportOptions::default()).expect("report").verdict;
    let found = analysis.findings(&study, 0).expect("findings");
    let landed = Landed::of(&analysis);
    Judged { verdict, found, landed }
}

#[test]
fn what_is_said_is_true() {
    let cases = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300u64);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut trouble = Vec::new();
    for seed in 0..cases {
        let case = Case::new(seed);
        let Judged { verdict, found, landed } = judged(&case);
        if landed.rows.len() < 20 {
            continue;
        }
        let says = |code: &str| found.iter().any(|finding| finding.code == code);
        let bad = |code: &str| {
            found.iter().any(|finding| finding.code == code && finding.severity == FindingSeverity::Bad)
        };
        let regions = landed.regions;
        // Too few rows for any interval say nothing, but what the formula says.
        let dense = landed.is_dense();
        let hot = clear(|times| landed.is_hot(regions, |region| region, times)).filter(|_| dense);
        let servers = case.document["servers"].as_u64().map(|servers| servers as usize);
        let hot_server = match servers.filter(|&servers| servers < regions) {
            Some(servers) => clear(|times| landed.is_hot(servers, |region| region % servers, times)),
            None => Some(false),
        };
        let counts = landed.counts();
        let mean = landed.rows.len() as f64 / regions as f64;
        let most = *counts.iter().max().expect("regions") as f64;
        let skewed = clear(|times| {
            regions > 1 && most >= 4.0 * times * mean && most - mean > 6.0 * times * mean.sqrt()
        });
        let refused = case.refused as f64 / case.rows as f64;
        let mut count = |name: &'static str, said: bool, truth: Option<bool>| {
            if !tallies.entry(name).or_default().count(said, truth) {
                let all: Vec<_> = found.iter().map(|finding| finding.code).collect();
                trouble.push(format!(
                    "{seed} {name}: said {said}: {} rows, {:?}, {} {}; {} {all:?}",
                    case.rows, case.arrival, case.document["rowkey"], case.document["splits"], verdict.code,
                ));
            }
        };
        count("RS101 or RS111: one region takes most for a time", says("RS101") || says("RS111"), hot);
        count(
            "RS112: one server takes most for a time",
            says("RS112"),
            hot_server.and_then(|server| hot.map(|hot| server && !hot)),
        );
        count("RS304: rejected records", says("RS304"), Some(case.refused > 0));
        count("RS304 bad: many rejected records", bad("RS304"), clear(|times| refused >= 0.01 * times));
        let dead = counts.iter().filter(|&&rows| rows == 0).count() as f64;
        let enough = mean >= 1.1 * (5.0 + f64::from(regions.ilog2()));
        let judge_dead = |times: f64| regions > 2 && dead >= 0.25 * times * regions as f64;
        count(
            "bad: many regions empty, or one takes most, or far too much",
            verdict.severity == VerdictSeverity::Bad,
            {
                let by_refusal = clear(|times| refused >= 0.01 * times);
                // One sender after the other is a warning.
                let of_sender = case.document["rowkey"].as_str().is_some_and(|key| key.contains("who"));
                let hot = if of_sender { hot.filter(|hot| !hot) } else { hot };
                let all_in_one = Some(most as usize == landed.rows.len() && regions > 1);
                let any = [hot, hot_server, skewed, clear(judge_dead), by_refusal, all_in_one];
                if !enough || any.iter().any(Option::is_none) {
                    None
                } else {
                    Some(any.contains(&Some(true)))
                }
            },
        );
        let good = verdict.severity == VerdictSeverity::Good;
        let contradicts = good
            && found.iter().any(|finding| finding.severity == FindingSeverity::Bad && finding.code < "RS200");
        count("contradiction", contradicts, Some(false));
    }
    for (name, Tally { right, wrong, missed, close, none }) in &tallies {
        println!(
            "{name}: precision {:.2}%, recall {:.2}% ({right} right, {wrong} wrong, {missed} missed, {none} neither), too close {:.1}%",
            100.0 * *right as f64 / (right + wrong).max(1) as f64,
            100.0 * *right as f64 / (right + missed).max(1) as f64,
            100.0 * *close as f64 / cases as f64
        );
    }
    let wrong = trouble.len() as f64 / (cases as f64 * tallies.len() as f64);
    assert!(wrong < 0.01, "{}", trouble.join("\n"));
}
