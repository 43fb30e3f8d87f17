//! Reading the vectors; sorted keys the plain way.

#![allow(dead_code)]

pub mod formula;
pub mod random;
pub mod schema;

use rowscape::field::Field;
use rowscape::ingest::{FileForm, Input, RecordReader};
use rowscape::keys::duplicates::Duplicates;
use rowscape::keys::figures::KeyFigures;
use rowscape::keys::table::SortedKeys;
use rowscape::records::Records;
use rowscape::report::*;
use rowscape::split::{SplitAlgorithm, Splits};
use serde_json::Value;

/// The records of `tests/data/vectors/{name}.jsonl`, with their line numbers.
pub fn records(name: &str) -> Vec<(usize, Value)> {
    let path = format!("{}/tests/data/vectors/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let records: Vec<_> =
        (1..).zip(text.lines().map(|line| serde_json::from_str(line).expect(line))).collect();
    assert!(!records.is_empty(), "{path} holds records");
    records
}

/// Bytes from lower-case hex.
pub fn unhex(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("hex text");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex")).collect()
}

/// A list of bytes from a list of hex texts.
pub fn unhex_all(value: &Value) -> Vec<Vec<u8>> {
    value.as_array().expect("list").iter().map(unhex).collect()
}

/// The records of CSV with a header, read as these fields.
pub fn csv_records(fields: &[Field], csv: impl AsRef<[u8]>) -> Records {
    let input = Input {
        format: FileForm::Csv,
        separator: None,
        quote: None,
        header: None,
        encoding: None,
        stated: Vec::new(),
        keys: None,
        fields: fields.to_vec(),
    };
    let mut reader = RecordReader::new(&input).expect("input");
    reader.push(csv.as_ref());
    reader.finish();
    reader.into_records()
}

/// Sorted keys with their times, the plain way: the twin of the key table.
#[derive(Default)]
pub struct PlainKeys(pub Vec<(Vec<u8>, Option<i64>, u32)>);

impl PlainKeys {
    /// From keys and times in order of arrival.
    pub fn new(rows: impl IntoIterator<Item = (Vec<u8>, Option<i64>)>) -> Self {
        let mut keys: Vec<_> = (0..).zip(rows).map(|(row, (key, time))| (key, time, row)).collect();
        keys.sort_by(|a, b| (&a.0, a.2).cmp(&(&b.0, b.2)));
        Self(keys)
    }

    /// The report on these splits; the axis picks its own step.
    pub fn report(&self, splits: &Splits) -> Report {
        let points = splits.points().expect("points");
        let times: Vec<i64> = self.0.iter().filter_map(|row| row.1).collect();
        let axis = TimeAxis::automatic(times, 1);
        let buckets = axis.map(|axis| self.0.iter().map(|row| axis.bucket(row.1)).collect());
        let width = axis.map_or(0, |axis| axis.buckets.into());
        let mut counts = count(self, &points, &[buckets.unwrap_or_default()], width);
        let times = || self.0.iter().filter_map(|row| row.1);
        if let Some((first, last)) = times().min().zip(times().max()) {
            let mut ticks = Ticks::spanning(first, last, 1).expect("ticks");
            let of_keys: Vec<u32> =
                self.0.iter().map(|row| row.1.map_or(NO_TICK, |time| ticks.of(time))).collect();
            of_keys.iter().for_each(|&tick| ticks.add(tick, 1));
            counts.intervals = count_intervals(self, &points, (&ticks, &[of_keys]), None);
        }
        let duplicates = Duplicates::of(self.0.iter().map(|row| (row.2, &row.0[..])));
        let bytes = self.0.iter().map(|row| row.0.len() as u64).sum();
        let figures = KeyFigures::new(self.0.len() as u64, bytes, (0, 0), (b"", b""), duplicates);
        let time = axis.map(|axis| ("time", axis));
        Report::new(&points, counts, figures, time, RefusedRecords::default(), Vec::new())
    }
}

impl SortedKeys for PlainKeys {
    fn runs(&self) -> usize {
        1
    }

    fn run_len(&self, _: usize) -> usize {
        self.0.len()
    }

    fn key(&self, _: usize, place: usize) -> &[u8] {
        self.0.get(place).map_or(&[], |row| &row.0)
    }
}

/// Split by an algorithm with its own first and last row.
pub fn algorithm(name: &str, regions: i64) -> Splits {
    let algorithm = SplitAlgorithm::named(name).expect("algorithm");
    Splits::Algorithm { algorithm, regions, first: None, last: None }
}
