//! The binary form of a summary: what it refuses, and what later builds must read.

use proptest::prelude::*;
use rowscape::design::parse;
use rowscape::ingest::{Input, RecordReader};
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use serde_json::{Value, json};

const FIELDS: &str = r#"[{"name":"id","type":"text"},{"name":"at","type":"time","format":"epoch-millis"},{"name":"n","type":"integer"}]"#;

/// 300 records, some without a key, counted for two tables and two queries.
fn counted() -> Summary {
    let fields: Value = serde_json::from_str(FIELDS).expect("fields");
    let document = json!({
        "rowscape": 1, "fields": fields, "arrival": "at", "splits": { "points": ["b", "c"] },
        "rowkey": "id + '-' + n.decimal(3)",
        "queries": [{ "name": "one", "where": { "id": "b" } }, { "name": "not held", "where": { "n": 7 } }],
    });
    let study = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let input: Input = serde_json::from_value(json!({ "fields": fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(b"id,at,n\n");
    for row in 0..300u32 {
        let id = ["a", "b", "b", "c", "cc"][row as usize % 5];
        reader.push(
            format!("{id},{},{}\n", 1_700_000_000_000 + u64::from(row) * 61_000, row * 7 % 1_100).as_bytes(),
        );
    }
    reader.finish();
    let mut stream = Stream::new(study, 0).expect("stream");
    stream.add(reader.into_records()).expect("counted");
    stream.summary().expect("summary").clone()
}

fn golden() -> Vec<u8> {
    let path = format!("{}/tests/data/golden/summary-1.bin", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ROWSCAPE_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, counted().to_bytes()).expect("written");
    }
    std::fs::read(path).expect("a summary that an earlier build wrote")
}

fn code(bytes: &[u8]) -> &'static str {
    let problem = Summary::from_bytes(bytes).expect_err("refused");
    assert_ne!(problem.sentence(), problem.code);
    problem.code
}

#[test]
fn a_summary_that_an_earlier_build_wrote_is_read_and_written_as_it_was() {
    let golden = golden();
    let read = Summary::from_bytes(&golden).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(read.to_bytes(), golden);
    assert_eq!(read, counted());
    let design = &read.designs[0];
    // By hand: 300 rows of 0, 7, 14, … modulo 1100 have 28 numbers over 999, which do not fit three digits.
    let wide = (0..300u32).filter(|row| row * 7 % 1_100 > 999).count() as u64;
    assert_eq!((read.rows, design.lengths.count), (300, 300 - wide));
    let of_region = |ids: &[usize]| {
        (0..300usize).filter(|row| ids.contains(&(row % 5)) && row * 7 % 1_100 <= 999).count() as u64
    };
    assert_eq!(design.rows, [of_region(&[0]), of_region(&[1, 2]), of_region(&[3, 4])]);
    let one = design.queries[0].expect("planned");
    assert_eq!((one.read, one.returned), (of_region(&[1, 2]), of_region(&[1, 2])));
    let leading = read.busiest_leading(0, 0, 1);
    assert_eq!((leading[0].0, leading[0].1.value), (&b"b"[..], of_region(&[1, 2]) as f64));
    let fields: Vec<_> =
        read.fields.iter().map(|field| (field.name.as_str(), field.values.distinct().value)).collect();
    assert_eq!(fields, [("id", 4.0), ("at", 300.0), ("n", 300.0)]);
}

#[test]
fn another_version_is_named() {
    let mut bytes = golden();
    bytes[4] = 9;
    assert_eq!(code(&bytes), "summary.other-version");
    assert!(Summary::from_bytes(&bytes).expect_err("refused").sentence().contains("version 9"));
}

#[test]
fn what_is_no_summary_is_called_so() {
    for bytes in [&b""[..], b"id,at\n1,2\n", b"PAR1", &[0; 64]] {
        assert_eq!(code(bytes), "summary.not-one");
    }
}

#[test]
fn a_summary_cut_short_anywhere_says_how_much_is_missing() {
    let bytes = golden();
    for length in 1..bytes.len() {
        assert_eq!(code(&bytes[..length]), "summary.cut-short", "{length} of {}", bytes.len());
    }
}

#[test]
fn a_huge_length_costs_no_memory() {
    let mut bytes = golden();
    bytes[8..16].fill(0xff);
    assert_eq!(code(&bytes), "summary.cut-short");
}

/// The same header around another body.
fn wrapped(body: &[u8]) -> Vec<u8> {
    let mut bytes = golden()[..8].to_vec();
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(rowscape::hash::crc32(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

proptest! {
    #[test]
    fn a_byte_that_changed_on_the_way_is_noticed(at in any::<prop::sample::Index>(), by in 1u8..) {
        let mut bytes = golden();
        let at = 8 + at.index(bytes.len() - 8);
        bytes[at] ^= by;
        prop_assert!(["summary.damaged", "summary.cut-short"].contains(&code(&bytes)));
    }

    /// Past the checksum, as someone would who means harm.
    #[test]
    fn a_body_made_up_is_refused_or_as_good_as_a_counted_one(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut in any::<prop::sample::Index>(),
    ) {
        let mut body = golden()[20..].to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        body.truncate(body.len() - cut.index(body.len()) / 8);
        if let Ok(read) = Summary::from_bytes(&wrapped(&body)) {
            prop_assert_eq!(Summary::from_bytes(&read.to_bytes()), Ok(read.clone()));
            for design in &read.designs {
                let _ = rowscape::report::Report::of_summary(design, Some("at"), Default::default());
            }
            let twice = read.clone().merge(read).expect("one study");
            prop_assert!(Summary::from_bytes(&twice.to_bytes()).is_ok());
        }
    }
}
