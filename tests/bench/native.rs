//! The main job through the public Rust API, natively, on one thread: `native CSV`, driven by `tests/bench/run.mjs`.
//!
//! One run for each line of JSON that comes in, its milliseconds by stage out as a line of JSON.

use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{self, Document};
use rowscape::error::Problem;
use rowscape::field::{Field, Kind};
use rowscape::ingest::{FileForm, Input, RecordReader};
use rowscape::report::Report;
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, Read, Write};
use std::rc::Rc;
use std::time::Instant;

const CHUNK_BYTES: usize = 1 << 20;
const PATTERN: &str = "yyyy-MM-dd HH:mm:ss";
const TIME_BUCKETS: u32 = 120;
const TOP: usize = 20;

/// One of the two files of the bench: its fields, and which of them hold phone and time.
struct Shape {
    fields: [(&'static str, Kind); 4],
    phone: &'static str,
    time: &'static str,
}

const CALLS: Shape = Shape {
    fields: [
        ("phone", Kind::Text),
        ("call_time", Kind::Time),
        ("duration", Kind::Integer),
        ("cell_id", Kind::Text),
    ],
    phone: "phone",
    time: "call_time",
};

const REQUOTED: Shape = Shape {
    fields: [
        ("cell", Kind::Text),
        ("placed_at", Kind::Time),
        ("caller", Kind::Text),
        ("seconds", Kind::Integer),
    ],
    phone: "caller",
    time: "placed_at",
};

impl Shape {
    fn fields(&self) -> Vec<Field> {
        let field = |&(name, kind): &(&str, Kind)| {
            let written = (kind == Kind::Time).then(|| (PATTERN.to_owned(), "Z".to_owned()));
            let (format, zone) = written.unzip();
            Field {
                name: name.to_owned(),
                kind,
                format,
                zone,
                width: None,
                from: Vec::new(),
                nullable: false,
            }
        };
        self.fields.iter().map(field).collect()
    }

    fn design(&self, regions: usize) -> Result<Document, Vec<Problem>> {
        let (phone, time) = (self.phone, self.time);
        let rowkey = format!("{phone}.md5().hex(8) + '_' + {phone} + '_' + {time}.format('yyyyMMddHHmmss')");
        let (fields, splits) = (self.fields(), splits(regions));
        let document =
            json!({ "rowscape": 1, "fields": fields, "arrival": time, "rowkey": rowkey, "splits": splits });
        design::parse(&document.to_string())
    }
}

fn splits(regions: usize) -> Value {
    json!({ "algorithm": "HexStringSplit", "regions": regions })
}

/// Milliseconds since the last call.
fn lap(since: &mut Instant) -> f64 {
    let now = Instant::now();
    let elapsed = now.duration_since(*since);
    *since = now;
    elapsed.as_secs_f64() * 1000.0
}

fn job(csv: &str, shape: &Shape, slide: bool) -> Result<Value, Box<dyn Error>> {
    let mut clock = Instant::now();
    let (mut read, mut parse) = (0.0, 0.0);
    let mut file = File::open(csv)?;
    let mut buffer = vec![0; CHUNK_BYTES];
    let fields = shape.fields();
    let input = Input {
        format: FileForm::Csv,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: fields.clone(),
    };
    let mut reader = RecordReader::new(&input).map_err(told)?;
    loop {
        let length = file.read(&mut buffer)?;
        read += lap(&mut clock);
        if length == 0 {
            break;
        }
        reader.push(&buffer[..length]);
        parse += lap(&mut clock);
    }
    reader.finish();
    let records = Rc::new(reader.into_records());
    parse += lap(&mut clock);
    let study = shape.design(16).map_err(|problems| told(problems.into_iter().next()))?;
    let mut analysis = Analysis::of(&study, 0, records).map_err(told)?;
    let keys = lap(&mut clock);
    let mut options =
        ReportOptions { time_buckets: Some(TIME_BUCKETS), top: Some(TOP), ..ReportOptions::default() };
    let report = analysis.report(&options).map_err(told)?;
    let check = check_line(&report, shape.phone);
    let heat = lap(&mut clock);
    let mut redraw = Vec::new();
    for regions in (2..=64).take_while(|_| slide) {
        options.splits = Some(splits(regions).to_string());
        analysis.report(&options).map_err(told)?;
        redraw.push(lap(&mut clock));
    }
    Ok(json!({
        "read": read, "parse": parse, "key+sort": keys, "heat+top": heat, "total": read + parse + keys + heat,
        "check": check, "rows": report.rows, "redraw": redraw, "peakMB": peak_megabytes(),
    }))
}

fn told(problem: impl Into<Option<Problem>>) -> String {
    problem.into().map_or_else(String::new, |problem| problem.to_string())
}

/// First key | last key | weighted heat sum | top phone | 20th phone | median | max | coefficient of variation.
fn check_line(report: &Report, phone: &str) -> String {
    let weighted: u64 = (1..).zip(&report.heat).map(|(place, &rows)| place * u64::from(rows)).sum();
    let busiest = report.busiest.iter().find(|busiest| busiest.field == phone);
    let at = |index: usize| {
        let value = busiest.and_then(|busiest| busiest.values.get(index));
        value.map(|value| format!("{}:{}", value.value, value.rows)).unwrap_or_default()
    };
    let (keys, skew) = (&report.keys, &report.skew);
    format!(
        "{}|{}|{weighted}|{}|{}|{}|{}|{:.6}",
        keys.first,
        keys.last,
        at(0),
        at(TOP - 1),
        skew.median,
        skew.max,
        skew.cv
    )
}

/// Peak resident memory, where Linux tells it.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` and `cargo bench` start this without a file.
    let Some(csv) = std::env::args().nth(1).filter(|argument| !argument.starts_with('-')) else {
        return Ok(());
    };
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({ "version": env!("CARGO_PKG_VERSION") }))?;
    for command in std::io::stdin().lock().lines() {
        let command: Value = serde_json::from_str(&command?)?;
        let shape = if command["shape"] == "requoted" { &REQUOTED } else { &CALLS };
        writeln!(out, "{}", job(&csv, shape, command["slide"] == true)?)?;
    }
    Ok(())
}
