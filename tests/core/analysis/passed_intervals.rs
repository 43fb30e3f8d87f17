//! Bursts are seen in records that pass as they are in records that are held, however many intervals there are.

use crate::common::random::Random;
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::{Input, RecordReader};
use rowscape::report::Report;
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use rowscape::summary::ladder::STEPS;
use rowscape::summary::windows::{MAX_SAMPLED_CELLS, WINDOWS};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

const START: i64 = 1_700_000_000_000;

/// Records of senders that come in bursts: sender and time.
struct Workload {
    records: Vec<(u64, i64)>,
    regions: u64,
    described: String,
}

impl Workload {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let regions = random.of(&[4, 10, 30]);
        // Milliseconds between two bursts, records of one, and milliseconds that it lasts.
        let gap = random.of(&[20, 400, 9_000, 70_000]);
        let size = random.of(&[1, 3, 30, 200]);
        let lasts = random.of(&[1, 40, 2_000]);
        let rounded = random.of(&[1, 1_000]);
        let mut records = Vec::new();
        let mut at = START;
        while records.len() < 120_000 {
            at += (2 * random.below(gap)) as i64;
            let sender = random.below(10_000);
            for _ in 0..size {
                let time = at + random.below(lasts) as i64;
                records.push((sender, time - time % rounded as i64));
            }
        }
        let described = format!(
            "{seed}: {regions} regions, a burst of {size} over {lasts} ms each {gap} ms, to {rounded} ms"
        );
        Self { records, regions, described }
    }

    fn study(&self) -> Document {
        let document = json!({
            "rowscape": 1, "arrival": "at", "splits": { "algorithm": "DecimalStringSplit", "regions": self.regions }, "servers": 3,
            "fields": [{ "name": "sender", "type": "integer" }, { "name": "at", "type": "time", "format": "epoch-millis" }],
            "rowkey": "sender.decimal(4).reverse() + at.millis().int64()",
        });
        parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    fn reader(&self) -> RecordReader {
        let fields: Value = json!(self.study().fields);
        let input: Input = serde_json::from_value(json!({ "fields": fields })).expect("input");
        let mut reader = RecordReader::new(&input).expect("reader");
        reader.push(b"sender,at\n");
        reader
    }

    fn passed(&self) -> (Report, Summary) {
        let mut stream = Stream::new(self.study(), 0).expect("stream");
        let mut reader = self.reader();
        // Not in order of time: half of the file comes after what it lies between.
        let halves = [0, 1].map(|half| self.records.chunks(500).skip(half).step_by(2));
        for portion in halves.into_iter().flatten() {
            portion.iter().for_each(|(sender, at)| reader.push(format!("{sender},{at}\n").as_bytes()));
            stream.add(reader.take_records_so_far()).expect("counted");
        }
        reader.finish();
        stream.add(reader.take_records_so_far()).expect("counted");
        let report = stream.report().expect("report");
        (report, stream.summary().expect("summary").clone())
    }

    fn held(&self) -> Report {
        let mut reader = self.reader();
        self.records.iter().for_each(|(sender, at)| reader.push(format!("{sender},{at}\n").as_bytes()));
        reader.finish();
        let mut held = Analysis::of(&self.study(), 0, Rc::new(reader.into_records())).expect("analysis");
        held.report(&ReportOptions::default()).expect("report")
    }

    /// Rows by number of the interval and region, in intervals of so many milliseconds.
    fn counted(&self, step: i64) -> BTreeMap<(i64, u32), u64> {
        let mut cells = BTreeMap::new();
        for (sender, at) in &self.records {
            let reversed: String = format!("{sender:04}").chars().rev().collect();
            // The digits of a split point itself sort below it: the time's first byte is 0, and the point goes on with digits.
            let below = reversed.parse::<u64>().expect("digits").saturating_sub(1);
            let region = below * self.regions / 10_000;
            *cells.entry((at.div_euclid(step), region as u32)).or_default() += 1;
        }
        cells
    }
}

#[test]
fn intervals_of_sampled_windows_are_counted_whole() {
    let workload = Workload::new(3);
    let (_, summary) = workload.passed();
    let cells = &summary.designs[0].cells;
    let mut seen = 0;
    for (windows, (level, window)) in cells.windows().iter().zip(WINDOWS) {
        assert_eq!(windows.is_some(), Some(STEPS[level]) < cells.step(), "{}", workload.described);
        let Some(windows) = windows else { continue };
        let sampled = windows.ascending();
        let together = STEPS[window] / STEPS[level];
        let numbers: std::collections::BTreeSet<i64> =
            sampled.iter().map(|((bucket, _), _)| bucket.div_euclid(together)).collect();
        let all = workload.counted(STEPS[level]);
        let own = all.into_iter().filter(|((bucket, _), _)| numbers.contains(&bucket.div_euclid(together)));
        assert_eq!(sampled, own.collect::<Vec<_>>(), "{}", workload.described);
        assert!(sampled.len() <= MAX_SAMPLED_CELLS && sampled.len() > MAX_SAMPLED_CELLS / 4);
        seen += 1;
    }
    assert!(seen > 0, "{}", workload.described);
    let read = Summary::from_bytes(&summary.to_bytes()).expect("read back");
    assert!(read == summary && read.to_bytes() == summary.to_bytes());
}

#[test]
fn bursts_of_records_that_pass_are_those_of_records_that_are_held() {
    let number = |name: &str, without: u64| {
        std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(without)
    };
    let (first, cases) = (number("FIRST", 1), number("CASES", 8));
    let (mut alike, mut differ) = (0, Vec::new());
    for seed in first..first + cases {
        let workload = Workload::new(seed);
        let (passed, held) = (workload.passed().0, workload.held());
        let told = |report: &Report| (report.verdict.code, report.writing.regions.map(|found| found.share));
        let ((one, of_one), (other, of_other)) = (told(&passed), told(&held));
        let close = match (of_one, of_other) {
            (Some(one), Some(other)) => (one - other).abs() < 0.1,
            (None, None) => true,
            _ => false,
        };
        alike += u64::from(one == other && close);
        if one != other || !close {
            differ
                .push(format!("{}: passed {one} {of_one:?}, held {other} {of_other:?}", workload.described));
        }
    }
    println!("{alike} of {cases} alike\n{}", differ.join("\n"));
    assert!(differ.len() as u64 * 20 <= cases, "{}", differ.join("\n"));
}
