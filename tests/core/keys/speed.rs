//! Measurements, run by hand: `cargo test --release --test core speed -- --ignored --nocapture`.

use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::ingest::{Generator, RecordReader};
use rowscape::scan;
use rowscape::stream::Stream;
use serde_json::{Value, json};
use std::rc::Rc;
use std::time::{Duration, Instant};

fn document(rowkey: &str, splits: Value) -> Document {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "phone", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "peer", "type": "text" },
        ],
        "arrival": "at", "rowkey": rowkey, "splits": splits, "servers": 6,
        "queries": [
            { "name": "a phone\u{2019}s day", "where": { "phone": "13412341234", "at": ["2024-05-01", "2024-05-02"] } },
            { "name": "an hour", "where": { "at": ["2024-05-01 06:00:00", "2024-05-01 07:00:00"] } },
            { "name": "a peer", "where": { "peer": "13412341234" } },
            { "name": "newest", "where": { "phone": "13412341234" }, "order": { "field": "at", "direction": "descending" }, "limit": 10 },
        ],
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The fastest and the middle of some runs.
fn timed(runs: usize, mut work: impl FnMut()) -> (Duration, Duration) {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    (times[0], times[runs / 2])
}

#[test]
#[ignore = "a measurement"]
fn plans_of_256_salts() {
    for rowkey in [
        "bucket(peer, 256).int8() + phone + at.format('yyyyMMddHHmmss')",
        "rest.md5().raw(1) + phone + at.format('yyyyMMddHHmmss')",
        "salt(256).decimal(3) + phone + '_' + at.format('yyyyMMddHHmmss')",
        "bucket(phone, at.format('yyyyMM'), 6).decimal(2) + '_' + phone + at.format('yyyyMMddHHmmss')",
        "bucket(peer, 256).decimal(3) + at.format('yyyyMMddHHmmss') + phone",
    ] {
        let study = document(rowkey, json!({ "points": [] }));
        for query in &study.queries {
            let domains = scan::read(query, &study.fields, "").expect("query");
            let mut ranges = 0;
            let (best, middle) = timed(50, || {
                ranges = scan::plan(&study.tables[0].typed, &study.fields, query, &domains).ranges.len();
            });
            println!(
                "{rowkey} \u{201c}{}\u{201d}: {ranges} ranges in {best:?}, middle {middle:?}",
                query.name
            );
        }
    }
}

/// Bytes of `CSV`, a file of call records, to region × time counts and to the full Summary, in turns.
#[test]
#[ignore = "a measurement"]
fn counts_and_summary_of_a_file() {
    let Some(path) = std::env::var_os("CSV") else { return };
    let file = std::fs::read(path).expect("CSV");
    let key = "phone.md5().hex(8) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')";
    let study = |queries: Value| {
        let time = json!({ "name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" });
        let text = |name: &str| json!({ "name": name, "type": "text" });
        let document = json!({
            "rowscape": 1, "arrival": "call_time", "rowkey": key, "servers": 6, "queries": queries,
            "splits": { "algorithm": "HexStringSplit", "regions": 16 },
            "fields": [text("phone"), time, { "name": "duration", "type": "integer" }, text("cell_id")],
        });
        parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
    };
    let reader = |study: &Document| {
        let input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
        RecordReader::new(&input).expect("reader")
    };
    let about = json!({ "phone": "13711512527", "call_time": ["2024-05-01", "2024-05-02"] });
    let asked = study(json!([
        { "name": "a day of a phone", "where": about },
        { "name": "the newest", "where": { "phone": "13711512527" }, "order": { "field": "call_time", "direction": "descending" }, "limit": 10 },
        { "name": "an hour", "where": { "call_time": ["2024-05-01 06:00:00", "2024-05-01 07:00:00"] } },
    ]));
    let plain = study(json!([]));
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..7 {
        let [counts, summary] = &mut times;
        counts.push(
            timed(1, || {
                let mut reader = reader(&plain);
                file.chunks(1 << 20).for_each(|chunk| reader.push(chunk));
                reader.finish();
                let analysis = Analysis::of(&plain, 0, Rc::new(reader.into_records()));
                analysis.expect("analysis").report(&ReportOptions::default()).expect("report");
            })
            .0,
        );
        summary.push(
            timed(1, || {
                let mut reader = reader(&asked);
                let mut stream = Stream::new(asked.clone(), 0).expect("stream");
                for chunk in file.chunks(1 << 20) {
                    reader.push(chunk);
                    if reader.records().rows >= 1 << 18 {
                        stream.add(reader.take_records_so_far()).expect("counted");
                    }
                }
                reader.finish();
                stream.add(reader.take_records_so_far()).expect("counted");
                assert!(stream.summary().expect("summary").to_bytes().len() > 1000);
            })
            .0,
        );
    }
    times.iter_mut().for_each(|times| times.sort());
    println!(
        "counts {:?}, summary {:?}: {:.2}",
        times[0],
        times[1],
        times[1][0].as_secs_f64() / times[0][0].as_secs_f64()
    );
}

#[test]
#[ignore = "a measurement"]
fn findings_after_a_million_records() {
    for rowkey in [
        "bucket(peer, 16).decimal(2) + '_' + phone + '_' + at.format('yyyyMMddHHmmss')",
        "at.format('yyyyMMddHHmmss') + phone",
        "phone.md5().hex(4) + phone + at.millis().reverseLong().decimal(19)",
    ] {
        let study = document(rowkey, json!({ "sample": 16 }));
        let spec = GeneratorSpec { rows: 1_000_000, ..GeneratorSpec::default() };
        let records = Rc::new(Generator::all(&spec, &study.fields).expect("records"));
        let mut analysis = Analysis::of(&study, 0, records).expect("analysis");
        let (report, _) = timed(1, || drop(analysis.report(&ReportOptions::default()).expect("report")));
        let mut found = Vec::new();
        let (best, middle) = timed(9, || {
            found =
                analysis.findings(&study, 0).expect("findings").iter().map(|finding| finding.code).collect();
        });
        println!("{rowkey}: report {report:?}, findings {found:?} in {best:?}, middle {middle:?}");
    }
}
