//! Records that pass are counted as records that are held.

use proptest::prelude::*;
use rowscape::analysis::{Analysis, PlanPricing, ReportOptions};
use rowscape::design::{Document, parse};
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::Records;
use rowscape::stream::Stream;
use serde_json::{Value, json};
use std::rc::Rc;

const FIELDS: &str = r#"[{"name":"id","type":"text"},{"name":"at","type":"time","format":"epoch-millis"},{"name":"n","type":"integer"}]"#;

fn study(splits: &Value) -> Document {
    let fields: Value = serde_json::from_str(FIELDS).expect("fields");
    let document = json!({
        "rowscape": 1, "fields": fields, "arrival": "at", "splits": splits,
        "rowkey": "id + '-' + n.decimal(3)", "servers": 3,
        "queries": [
            { "name": "one", "where": { "id": "a" } }, { "name": "some", "where": { "id": { "prefix": "b" }, "n": { "from": 10, "to": 500 } } },
            { "name": "all", "where": {} }, { "name": "not in front", "where": { "n": 7 } },
        ],
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn reader() -> RecordReader {
    let fields: Value = serde_json::from_str(FIELDS).expect("fields");
    let input: Input = serde_json::from_value(json!({ "fields": fields })).expect("input");
    RecordReader::new(&input).expect("reader")
}

fn analysis(records: Records, study: &Document) -> Analysis {
    Analysis::of(study, 0, Rc::new(records)).expect("analysis")
}

/// Lines; with `slips` some numbers are negative or too wide, and some times are none.
fn line(slips: bool) -> impl Strategy<Value = String> {
    if !slips {
        return ("[a-d]{1,2}", 0i64..40_000_000, 0i64..1_000)
            .prop_map(|(id, time, n)| format!("{id},{time},{n}\n"))
            .boxed();
    }
    let time =
        prop_oneof![9 => (0i64..40_000_000).prop_map(|time| time.to_string()), 1 => Just("late".to_owned())];
    ("[a-d]{1,2}", time, -2i64..1_010).prop_map(|(id, time, n)| format!("{id},{time},{n}\n")).boxed()
}

proptest! {
    #[test]
    fn the_report_of_a_stream_is_that_of_the_records_held_at_once(
        lines in any::<bool>().prop_flat_map(|slips| prop::collection::vec(line(slips), 0..120)), portion in 1usize..50,
        splits in prop::sample::select(vec![json!({ "points": ["a|", "b", "c-5"] }), json!({ "points": [] }), json!({ "algorithm": "UniformSplit", "regions": 300 })]),
    ) {
        let mut whole = reader();
        let mut parts = reader();
        let mut stream = Stream::new(study(&splits), 0).expect("stream");
        for reader in [&mut whole, &mut parts] {
            reader.push(b"id,at,n\n");
        }
        for lines in lines.chunks(portion) {
            let text = lines.concat();
            whole.push(text.as_bytes());
            parts.push(text.as_bytes());
            stream.add(parts.take_records_so_far()).expect("counted");
        }
        whole.finish();
        parts.finish();
        stream.add(parts.take_records_so_far()).expect("counted");
        let mut analysis_of_all = analysis(whole.into_records(), &study(&splits));
        let whole = analysis_of_all.report(&ReportOptions { key_bytes: true, ..ReportOptions::default() }).expect("report");
        let passed = stream.report().expect("report");
        prop_assert_eq!(stream.rows(), lines.len() as u64);
        prop_assert_eq!(stream.sample().rows, lines.len());
        let figures = |report: &rowscape::report::Report| {
            let regions: Vec<_> = report.regions.iter().map(|region| (region.start.clone(), region.rows, region.bytes)).collect();
            let reasons: Vec<_> = report.refused.reasons.iter().map(|reason| (reason.code, reason.field.clone(), reason.count)).collect();
            let keys = &report.keys;
            let repeated: Vec<_> = keys.duplicates.examples.iter().map(|example| example.key.clone()).collect();
            let time = report.time.as_ref().map(|time| (time.start, time.step.to_bits(), time.buckets, time.outside));
            (
                (report.rows, keys.count, keys.bytes, keys.min, keys.max, keys.first.clone(), keys.last.clone()),
                (keys.duplicates.keys, keys.duplicates.rows, repeated, keys.duplicates.estimated),
                (regions, reasons),
                (time, report.heat.clone(), report.moment_rows.clone(), report.key_bytes.clone()),
                (report.verdict.code, report.skew, report.busiest.clone(), report.servers.clone()),
            )
        };
        prop_assert_eq!(figures(&passed), figures(&whole));
        let (held, known) = (analysis_of_all.known(&study(&splits), 5), stream.known(5).expect("known"));
        prop_assert_eq!(&held, &known);
        let counted = analysis_of_all.counted(&study(&splits).queries);
        for (known, counted) in known.queries.iter().zip(counted) {
            let (known, counted) = (known.expect("planned"), counted.expect("planned"));
            prop_assert_eq!((known.read, known.in_records()), (counted.read, counted.in_records()));
            prop_assert!(known.estimated || known.returned == counted.returned);
        }
    }
}

#[test]
fn only_the_columns_kept_are_held_and_a_design_on_another_is_refused() {
    let mut reader = reader();
    reader.push(b"id,at,n\na,1,1\n");
    reader.keep_only(&["id".to_owned(), "n".to_owned()]);
    reader.push(b"b,2,2\n");
    reader.finish();
    let records = reader.into_records();
    assert_eq!((records.rows, records.row_text(1)), (2, vec!["b".to_owned(), "2".to_owned()]));
    assert_eq!(records.row_text(0), ["a", "1"]);
    let study = study(&json!({ "points": [] }));
    assert_eq!(study.named_fields(), ["id", "at", "n"]);
    let refused = Analysis::of(&study, 0, Rc::new(records));
    let problem = refused.err().expect("refused");
    assert_eq!((problem.code, problem.place.field.as_deref()), ("records.field-not-held", Some("at")));
}

#[test]
fn equal_shares_of_a_stream_are_those_of_its_first_portion() {
    let mut reader = reader();
    let mut stream = Stream::new(study(&json!({ "sample": 4 })), 0).expect("stream");
    reader.push(b"id,at,n\n");
    for id in ["a", "b", "c", "d"] {
        reader.push(format!("{id},1,1\n").repeat(10).as_bytes());
    }
    stream.add(reader.take_records_so_far()).expect("counted");
    let regions = stream.report().expect("report").regions;
    let starts: Vec<_> = regions.iter().map(|region| (region.start.as_str(), region.rows)).collect();
    assert_eq!(starts, [("", 10), ("b", 10), ("c", 10), ("d", 10)]);
}

#[test]
fn rows_of_a_sample_are_called_by_their_numbers_in_the_file() {
    let mut reader = reader();
    reader.push(b"id,at,n\n");
    for row in 0..3_000 {
        let number = if row % 7 == 3 { "none".to_owned() } else { (row % 900).to_string() };
        reader.push(format!("{},{row},{number}\n", ["a", "b", "c", "d"][row % 4]).as_bytes());
    }
    reader.finish();
    let all = reader.into_records();
    for limit in [1, 7, 60, 300, 800, 1_500, 2_999, 3_000, 4_000] {
        let numbers = all.sampled(limit).sample_of.map(|sample| sample.numbers);
        let rows = all.sampled_rows((0..3_000).collect(), limit);
        assert_eq!(numbers, Some(rows.into_iter().map(u64::from).collect()), "{limit}");
    }
    let sample = all.sampled(300);
    assert!((100..=300).contains(&sample.rows) && sample.all_rows() == 3_000, "{}", sample.rows);
    let mut analysis = analysis(sample.clone(), &study(&json!({ "points": ["b"] })));
    let keys = analysis.keys(0, 50);
    for (&row, &number) in keys.rows.iter().zip(&keys.numbers) {
        assert_eq!(all.row_text(number as usize - 1), sample.row_text(row as usize));
    }
    let refused = analysis.report(&ReportOptions::default()).expect("report").refused.first;
    assert!(refused.len() > 10);
    assert!(refused.iter().all(|problem| problem.place.row.is_some_and(|row| row % 7 == 4)), "{refused:?}");
}

#[test]
fn a_busy_entity_of_a_sample_is_as_busy_as_among_all_records() {
    let mut reader = reader();
    reader.push(b"id,at,n\n");
    for row in 0..40_000 {
        let id = if row % 2 == 0 { "a" } else { &"bcdefghijk"[row / 2 % 10..][..1] };
        reader.push(format!("{id},{},{row}\n", row * 10).as_bytes());
    }
    reader.finish();
    let all = reader.into_records();
    let document = json!({
        "rowscape": 1, "fields": serde_json::from_str::<Value>(FIELDS).expect("fields"), "arrival": "at",
        "rowkey": "id + '-' + at.millis().decimal(13)", "servers": 6,
        "splits": { "points": ["a-0000000100000", "a-0000000200000", "a-0000000300000", "b", "f"] },
    });
    let study = || parse(&document.to_string()).expect("a document");
    let rate = |records: Records| {
        let found = analysis(records, &study()).findings(&study(), 0).expect("findings");
        let busy = found.into_iter().find(|finding| finding.code == "RS109").expect("a busy entity");
        busy.args.get("rate").expect("a rate").parse::<f64>().expect("a number")
    };
    // 100 rows a second, each second one of the first.
    let (counted, sampled) = (rate(all.clone()), rate(all.sampled(12_000)));
    assert!((counted - 50.0).abs() < 10.0, "{counted}");
    assert!((30.0..90.0).contains(&sampled), "{sampled} of a sample, {counted} of all");
}

#[test]
fn what_is_estimated_says_so_by_one_flag_and_one_phrase() {
    let mut reader = reader();
    reader.push(b"id,at,n\n");
    for row in 0..40_000 {
        reader.push(format!("{},{},{row}\n", row % 3, row * 10).as_bytes());
    }
    reader.finish();
    let all = reader.into_records();
    let document = json!({
        "rowscape": 1, "fields": serde_json::from_str::<Value>(FIELDS).expect("fields"), "arrival": "at",
        "rowkey": "at.millis().decimal(13) + id", "splits": { "sample": 6 },
    });
    let study = || parse(&document.to_string()).expect("a document");
    let found = |records: Records| analysis(records, &study()).findings(&study(), 0).expect("findings");
    let phrase = "Estimated from a sample of";
    let sample = all.sampled(12_000);
    let of_sample = found(sample.clone());
    assert!(of_sample.iter().any(|finding| finding.sampled));
    for finding in &of_sample {
        let told = serde_json::to_value(finding).expect("JSON");
        assert_eq!(finding.message.contains(phrase), finding.sampled, "{}", finding.message);
        assert_eq!(told["estimated"] == json!(true), finding.sampled, "{told}");
    }
    for finding in found(all) {
        let told = serde_json::to_value(&finding).expect("JSON");
        assert!(!finding.message.contains(phrase) && told["estimated"].is_null(), "{told}");
    }
}

#[test]
fn rows_that_queries_read_of_more_records_than_are_held_are_those_counted() {
    let study = study(&json!({ "points": ["b"] }));
    let mut lines: Vec<String> =
        (0..30_000).map(|row| format!("{},{row},{}\n", ["a", "b", "bc"][row % 3], row * 7 % 600)).collect();
    lines.insert(0, "id,at,n\n".to_owned());
    let mut reader = reader();
    reader.push(lines.concat().as_bytes());
    reader.finish();
    let all = reader.into_records();
    let mut stream = Stream::new(study.clone(), 0).expect("stream");
    stream.add(all.clone()).expect("counted");
    let sample = all.sampled(3_000);
    let exact = analysis(all, &study).priced(&study.queries, &Default::default());
    let known = stream.known(0).expect("known").queries;
    let sampled = analysis(sample, &study);
    let families = &study.tables[0];
    let pricing = PlanPricing { families: families.into(), known: &known, ..PlanPricing::default() };
    for (known, exact) in sampled.priced(&study.queries, &pricing).into_iter().zip(&exact) {
        let (known, exact) = (known.expect("a plan"), exact.as_ref().expect("a plan"));
        // 600 keys of each id are all in the sample of keys; which records match the last one is not.
        assert_eq!(
            (known.counted.read, known.counted.in_records()),
            (exact.counted.read, exact.counted.in_records())
        );
        assert_eq!(known.counted.records.is_some(), exact.counted.records.is_some());
    }
    for (scaled, exact) in sampled.planned(&study.queries).into_iter().zip(&exact) {
        let (scaled, exact) = (scaled.expect("a plan").counted, exact.as_ref().expect("a plan").counted);
        assert!(scaled.estimated && scaled.at_most && scaled.read >= exact.read, "{scaled:?} {exact:?}");
        let (near, truth) = (scaled.in_records().read as f64, exact.in_records().read as f64);
        assert!((near - truth).abs() <= truth * 0.1, "{scaled:?} {exact:?}");
    }
}
