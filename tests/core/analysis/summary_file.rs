//! Summaries as files: parts add up to what one process counts, and what does not belong together is refused.

use proptest::prelude::*;
use rowscape::Problem;
use rowscape::analysis::summary_file::{
    PartPlace, Summarizer, SummarizerOptions, SummaryFile, with_fixed_splits,
};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::stream::Stream;
use serde_json::{Value, json};
use std::rc::Rc;

/// Two tables, one of which draws a random salt; a query; reads among the rows.
fn document(points: &[&str]) -> Value {
    json!({
        "rowscape": 1, "name": "Parts", "arrival": "at",
        "operation": { "field": "kind", "read": ["get"] },
        "fields": [
            { "name": "id", "type": "text" }, { "name": "at", "type": "time", "format": "epoch-millis" },
            { "name": "n", "type": "integer" }, { "name": "kind", "type": "text" },
        ],
        "tables": [
            { "name": "plain", "rowkey": "id + '-' + n.decimal(3)", "splits": { "points": points } },
            { "name": "times", "rowkey": "at.millis().decimal(13) + id", "splits": { "points": ["17000001"] } },
        ],
        "queries": [{ "name": "one", "where": { "id": "b" } }],
    })
}

fn study(document: &Value) -> Document {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Record number `row` as a line: ids with repeats, some numbers that do not fit the key, some times that are none.
fn line(row: u32) -> String {
    let id = ["a", "b", "b", "c", "cc"][row as usize % 5];
    let at = if row.is_multiple_of(17) {
        "?".into()
    } else {
        (1_700_000_000_000 + u64::from(row) * 61_000).to_string()
    };
    let kind = if row.is_multiple_of(3) { "get" } else { "put" };
    format!("{id},{at},{},{kind}\n", row / 2 * 7 % 1_100)
}

fn records(study: &Document, rows: std::ops::Range<u32>) -> Records {
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(b"id,at,n,kind\n");
    rows.for_each(|row| reader.push(line(row).as_bytes()));
    reader.finish();
    reader.into_records()
}

fn options(id: &str) -> SummarizerOptions {
    SummarizerOptions { id: id.into(), name: format!("part {id}"), no_samples: false }
}

/// A part of these records.
fn part(document: &Value, place: PartPlace, id: &str, rows: std::ops::Range<u32>) -> SummaryFile {
    portions(document, place, id, vec![rows])
}

/// A part whose records come in these portions.
fn portions(
    document: &Value,
    place: PartPlace,
    id: &str,
    portions: Vec<std::ops::Range<u32>>,
) -> SummaryFile {
    let study = study(document);
    let mut part = Summarizer::new(study.clone(), place, options(id)).expect("a summarizer");
    portions.into_iter().for_each(|rows| part.add(records(&study, rows)).expect("counted"));
    part.finish()
}

fn merged(parts: Vec<SummaryFile>) -> SummaryFile {
    let mut parts = parts.into_iter();
    let mut whole = parts.next().expect("a part");
    parts.for_each(|part| whole.merge(part).expect("one design"));
    whole
}

fn refused<T>(result: Result<T, Problem>) -> Problem {
    let Err(problem) = result else { panic!("not refused") };
    assert_ne!(problem.sentence(), problem.code);
    problem
}

const POINTS: &[&str] = &["b", "c"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// By values: every count is that of one process, and so is each part when its records come in another order.
    #[test]
    fn parts_cut_anywhere_count_what_one_process_counts(
        cuts in prop::collection::vec(0u32..900, 0..5), turned in any::<bool>(),
    ) {
        let document = document(POINTS);
        let mut ends: Vec<u32> = cuts.into_iter().chain([0, 900]).collect();
        ends.sort_unstable();
        let cut = |(number, pair): (usize, &[u32])| {
            part(&document, PartPlace::Values, &number.to_string(), pair[0]..pair[1])
        };
        let mut parts: Vec<SummaryFile> = ends.windows(2).enumerate().map(cut).collect();
        if turned {
            parts.reverse();
        }
        let whole = merged(parts);
        let one = part(&document, PartPlace::Values, "all", 0..900);
        prop_assert!(whole.summary().clone().without_positions() == one.summary().clone().without_positions());
        prop_assert_eq!(whole.summary().sample.len(), one.summary().sample.len());
        prop_assert!(SummaryFile::from_bytes(&whole.to_bytes()).expect("read").to_bytes() == whole.to_bytes());
        let twice = portions(&document, PartPlace::Values, "all", vec![450..900, 0..450]);
        prop_assert!(twice.parts() == one.parts() && twice.summary().sample == one.summary().sample);
    }
}

/// By files: parts add up to the same bytes of counts, with the random salts and sampled rows too.
#[test]
fn parts_of_files_are_what_one_process_makes_of_all_files() {
    let mut document = document(POINTS);
    document["tables"][1]["rowkey"] = json!("salt(4).decimal(1) + id + n.decimal(4)");
    let study = study(&document);
    let names = || ["a.csv".to_owned(), "b.csv".to_owned()];
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    for (name, rows) in names().iter().zip([0..300u32, 300..700]) {
        reader.next_file(name);
        reader.push(b"id,at,n,kind\n");
        rows.for_each(|row| reader.push(line(row).as_bytes()));
    }
    reader.finish();
    let mut one =
        Summarizer::new(study, PartPlace::Files(names().to_vec()), options("")).expect("a summarizer");
    one.add(reader.into_records()).expect("counted");
    let [a, b] = names();
    let parts = [(a, 0..300u32), (b, 300..700)]
        .map(|(name, rows)| part(&document, PartPlace::Files(vec![name]), "", rows));
    assert!(merged(parts.to_vec()).summary() == one.finish().summary());
}

#[test]
fn the_report_of_a_summary_is_that_of_the_records_as_they_pass() {
    let document = document(POINTS);
    let file = portions(&document, PartPlace::Values, "", vec![0..400, 400..900]);
    for table in 0..2 {
        let study = study(&document);
        let mut stream = Stream::new(study.clone(), table).expect("stream");
        stream.add(records(&study, 0..900)).expect("counted");
        let (of_file, passed) = (file.report(table).expect("report"), stream.report().expect("report"));
        assert_eq!((of_file.heat, of_file.verdict), (passed.heat, passed.verdict));
        assert_eq!(
            format!("{:?}{:?}", of_file.regions, of_file.keys),
            format!("{:?}{:?}", passed.regions, passed.keys)
        );
        assert_eq!(of_file.reads, passed.reads);
        assert_eq!(format!("{:?}", of_file.refused.reasons), format!("{:?}", passed.refused.reasons));
        let all = Rc::new(records(&study, 0..900));
        let mut whole = Analysis::of(&study, table, all).expect("analysis");
        let plain = whole.report(&ReportOptions::default()).expect("report");
        let of_regions = |report: &rowscape::report::Report| {
            report.regions.iter().map(|region| region.rows).collect::<Vec<_>>()
        };
        assert_eq!(of_regions(&plain), of_regions(&file.report(table).expect("report")));
        let codes = |found: Vec<rowscape::findings::Finding>| {
            found.iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        // All records are in the sample, so that its findings are those of the records.
        assert_eq!(
            codes(file.findings(table).expect("findings")),
            codes(whole.findings(&study, table).expect("findings"))
        );
    }
}

#[test]
fn sampled_records_are_records_of_the_file() {
    let document = document(POINTS);
    let study = study(&document);
    let all = records(&study, 0..9_000);
    let mut part = Summarizer::new(study, PartPlace::Values, options("")).expect("a summarizer");
    let texts: std::collections::HashSet<Vec<String>> = (0..all.rows).map(|row| all.row_text(row)).collect();
    part.add(all).expect("counted");
    let sample = part.finish().records();
    assert_eq!((sample.rows, sample.all_rows()), (4_096, 9_000));
    for row in 0..sample.rows {
        assert!(texts.contains(&sample.row_text(row)), "{:?}", sample.row_text(row));
    }
    // A share of half the records: four standard errors are 3.1 percentage points.
    let early = (0..sample.rows).filter(|&row| sample.row_text(row)[0] == "b").count();
    assert!((early as f64 / 4_096.0 - 0.4).abs() < 0.031, "{early}");
}

#[test]
fn a_part_that_comes_twice_is_noticed() {
    let document = document(POINTS);
    let of = |id: &str| part(&document, PartPlace::Values, id, 0..100);
    let mut whole = of("1");
    let before = whole.to_bytes();
    let problem = refused(whole.merge(of("1")));
    assert_eq!((problem.code, problem.args["part"].as_str()), ("summary.part-twice", "part 1"));
    assert!(whole.to_bytes() == before);
    // Without samples it is the same part; read from a file of another name, too.
    assert_eq!(refused(whole.merge(of("1").without_samples())).code, "summary.part-twice");
    let file = |name: &str| part(&document, PartPlace::Files(vec![name.to_owned()]), "", 0..100);
    assert_eq!(refused(file("a").merge(file("b"))).code, "summary.part-twice");
    // Equal records of another partition are others.
    whole.merge(of("2")).expect("another part");
    assert_eq!((whole.summary().rows, whole.parts().len()), (200, 2));
}

#[test]
fn what_does_not_belong_together_is_refused_naming_the_difference() {
    let mut whole = part(&document(POINTS), PartPlace::Values, "1", 0..10);
    let before = whole.to_bytes();
    let mut other_key = document(POINTS);
    other_key["tables"][0]["rowkey"] = json!("id");
    for (other, path, found) in [
        (document(&["b", "d"]), "tables[0].splits.points[1]", "\"d\""),
        (document(&["b"]), "tables[0].splits.points[1]", "—"),
        (other_key, "tables[0].rowkey", "\"id\""),
    ] {
        let problem = refused(whole.merge(part(&other, PartPlace::Values, "2", 10..20)));
        assert_eq!((problem.code, problem.place.path.as_str()), ("summary.other-design", path));
        assert_eq!(problem.args["found"], found);
    }
    assert!(whole.to_bytes() == before);
}

#[test]
fn split_points_that_follow_from_records_are_fixed_beforehand() {
    let mut document = document(POINTS);
    document["tables"][0]["splits"] = json!({ "sample": 4 });
    let study = study(&document);
    let new = |study: &Document| Summarizer::new(study.clone(), PartPlace::Values, options("1"));
    let problem = refused(new(&study).map(|_| ()));
    assert_eq!((problem.code, problem.place.path.as_str()), ("summary.splits-follow", "tables[0].splits"));
    assert_eq!(
        refused(with_fixed_splits(study.clone(), &Records::new(&study.fields)).map(|_| ())).code,
        "input.empty"
    );
    let fixed = with_fixed_splits(study.clone(), &records(&study, 0..50)).expect("fixed");
    assert_eq!(fixed.tables[0].splits.points().expect("points").regions(), 4);
    let mut part = new(&fixed).expect("a summarizer");
    part.add(records(&fixed, 0..900)).expect("counted");
    assert_eq!(part.finish().report(0).expect("report").region_count, 4);
}

#[test]
fn counts_alone_show_no_record() {
    let document = document(POINTS);
    let secret = |bytes: &[u8]| bytes.windows(6).any(|six| six == b"secret");
    let study = study(&document);
    let mut records = records(&study, 0..50);
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(
        b"id,at,n,kind\nsecret,1700000000000,1,put\nb,secret,2,put\nzsecretz,1700000000001,99999,put\n",
    );
    reader.finish();
    let few = reader.into_records();
    let mut with = Summarizer::new(study.clone(), PartPlace::Values, options("1")).expect("a summarizer");
    with.add(std::mem::take(&mut records)).expect("counted");
    with.add(few).expect("counted");
    let with = with.finish();
    assert!(secret(&with.to_bytes()) && with.has_samples());
    let without = with.clone().without_samples();
    assert!(!secret(&without.to_bytes()) && !without.has_samples());
    let read = SummaryFile::from_bytes(&without.to_bytes()).expect("read");
    let (exact, counts) = (with.report(0).expect("report"), read.report(0).expect("report"));
    assert_eq!((exact.heat, exact.refused.count), (counts.heat, counts.refused.count));
    // By hand: of 53 records one has too large a number, and nothing tells which of the others share keys.
    assert_eq!(counts.keys.duplicates.between, Some([[0, 26], [0, 52]]));
    assert!(read.findings(0).is_ok());
    // Merged with others none of their samples stay, whichever comes first.
    let other = || part(&document, PartPlace::Values, "2", 0..10);
    let both = [merged(vec![read.clone(), other()]), merged(vec![other(), read])];
    assert!(both.iter().all(|whole| !whole.has_samples() && whole.summary().rows == 63));
    assert!(both[0].to_bytes() == both[1].to_bytes());
}

fn golden() -> Vec<u8> {
    let path = format!("{}/tests/data/golden/parts-1.rowscape", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ROWSCAPE_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, counted().to_bytes()).expect("written");
    }
    std::fs::read(path).expect("a summary that an earlier build wrote")
}

/// Two parts, one by files and one by values.
fn counted() -> SummaryFile {
    let document = document(POINTS);
    merged(vec![
        part(&document, PartPlace::Files(vec!["a.csv".to_owned()]), "", 0..40),
        part(&document, PartPlace::Values, "7", 40..90),
    ])
}

#[test]
fn a_file_that_an_earlier_build_wrote_is_read_as_it_was() {
    let golden = golden();
    let read = SummaryFile::from_bytes(&golden).unwrap_or_else(|problem| panic!("{problem}"));
    // The design may have another normal form by now.
    assert!(read.to_bytes() == counted().to_bytes() && read.parts() == counted().parts());
    assert_eq!(
        read.parts().iter().map(|part| part.rows).collect::<std::collections::BTreeSet<_>>(),
        [40, 50].into()
    );
    // By hand: ids are a, b, b, c, cc in turn, and no number of the first 90 records has four digits.
    assert_eq!(read.summary().designs[0].rows, [18, 36, 36]);
}

#[test]
fn damage_and_other_versions_are_named() {
    let golden = golden();
    let code = |bytes: &[u8]| refused(SummaryFile::from_bytes(bytes).map(|_| ())).code;
    for length in 1..golden.len() {
        assert_eq!(code(&golden[..length]), "summary.cut-short", "{length}");
    }
    let mut newer = golden.clone();
    newer[4] = 2;
    assert_eq!(code(&newer), "summary.other-version");
    assert_eq!(code(b"id,at\n"), "summary.not-one");
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut body = golden[20..].to_vec();
        change(&mut body);
        let mut bytes = golden[..8].to_vec();
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(rowscape::hash::crc32(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    };
    assert_eq!(code(&with(&|body| body.push(0))), "summary.damaged");
    // Another design than the one that was counted: its split points are others.
    let place = golden[20..].windows(3).position(|three| three == b"\"c\"").expect("a split point");
    assert_eq!(code(&with(&|body| body[place + 1] = b'd')), "summary.damaged");
}

proptest! {
    /// Past the checksum, as someone would who means harm.
    #[test]
    fn a_body_made_up_is_refused_or_as_good_as_a_counted_one(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let golden = golden();
        let mut body = golden[20..].to_vec();
        for (at, byte) in changes {
            let at = at.index(body.len());
            body[at] = byte;
        }
        let mut bytes = golden[..8].to_vec();
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(rowscape::hash::crc32(&body).to_le_bytes());
        bytes.extend(body);
        if let Ok(read) = SummaryFile::from_bytes(&bytes) {
            prop_assert_eq!(SummaryFile::from_bytes(&read.to_bytes()).expect("read again").to_bytes(), read.to_bytes());
            for table in 0..read.study().tables.len() {
                let _ = (read.report(table), read.findings(table), read.known(table, 3));
            }
        }
    }
}
