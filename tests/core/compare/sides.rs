//! Every figure of every design, and what moves between them.

use super::designs::{generated, tables, values};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::compare::{
    BetterWay, ComparedSplits, Comparison, MEASURES, MeasureChange, QUERY_MEASURES, compare,
};
use rowscape::design::{Document, parse};
use rowscape::error::messages;
use rowscape::ingest::Generator;
use rowscape::split::Splits;
use serde_json::json;
use std::rc::Rc;

fn compared(slug: &str) -> Comparison {
    let (study, records) = generated(slug, None);
    compare(&records, &tables(&study), ComparedSplits::Designed).expect(slug)
}

#[test]
fn e7_the_successor_of_an_unbalanced_table_writes_more_regions_and_asks_more_of_a_scan_over_all_devices() {
    let found = compared("e7-migration");
    assert_eq!(found.rows, 20_000);
    // Times first: all writes of a moment in one region. Eight buckets over five hundred devices: nearly eight regions.
    let at_once = values(&found.lines, "measure.written-at-once");
    assert!(at_once[0].is_some_and(|regions| regions < 1.5), "{at_once:?}");
    assert!(at_once[1].is_some_and(|regions| regions > 7.0 && regions <= 8.1), "{at_once:?}");
    // 13 digits, a dash, dev-00042; and two bytes of bucket and dash more.
    assert_eq!(values(&found.lines, "measure.key-bytes"), [Some(23.0), Some(25.0)]);
    assert!(found.designs[1].better.contains(&"measure.written-at-once"));
    assert!(found.designs[1].worse.contains(&"measure.key-bytes"));
    assert!(found.designs[0].better.is_empty() && found.designs[0].worse.is_empty());
    // One device in a day: a day of everyone's rows against a range of its own.
    let device = &found.queries[0];
    assert_eq!(values(&device.lines, "measure.ranges"), [Some(1.0), Some(1.0)]);
    let returned = values(&device.lines, "measure.rows-returned");
    assert_eq!(returned[0], returned[1]);
    assert_eq!(values(&device.lines, "measure.rows-read"), [Some(2000.0), returned[1]]);
    // All devices of an hour: one range against the whole table.
    let hour = &found.queries[1];
    assert_eq!(values(&hour.lines, "measure.full-scan"), [Some(0.0), Some(1.0)]);
    let full = hour.lines.iter().find(|line| line.code == "measure.full-scan").expect("full scan");
    assert_eq!(full.changes, [MeasureChange::Same, MeasureChange::Worse]);
    let moves = found.designs[1].moves.as_ref().expect("moves");
    assert_eq!((moves.rows, moves.rewritten), (20_000, 20_000));
}

#[test]
fn e8_with_twice_the_buckets_half_the_rows_keep_their_key() {
    let found = compared("e8-bucket-count");
    let moves = found.designs[1].moves.as_ref().expect("moves");
    // h mod 16 is h mod 8, or 8 more: which of them is a toss-up for each of 500 devices.
    assert!((moves.rewritten as f64 / 20_000.0 - 0.5).abs() < 0.07, "{}", moves.rewritten);
    assert_eq!(moves.rewritten, moves.moved);
    assert_eq!(moves.regions.iter().map(|region| region.rows).sum::<u64>(), 20_000);
    assert_eq!(moves.regions.iter().map(|region| region.moved).sum::<u64>(), moves.moved);
}

#[test]
fn a9_twice_the_buckets_move_half_of_the_rows_to_another_region() {
    let found = compared("a9-rows-that-move");
    let moves = found.designs[1].moves.as_ref().expect("moves");
    // A bucket is a region in both tables; of h mod 4 and h mod 8 half are equal.
    assert_eq!((moves.rows, moves.moved), (20_000, moves.rewritten));
    assert!((moves.moved as f64 / 20_000.0 - 0.5).abs() < 0.05, "{}", moves.moved);
}

#[test]
fn a9_regions_in_another_order_move_every_row_by_number_and_none_once_they_are_matched() {
    let (mut study, records) = generated("e8-bucket-count", None);
    study.tables.truncate(1);
    let document = rowscape::design::normal_form(&study).to_string();
    let words = |from: &str| {
        document.replace("bucket(device, 8).decimal(2)", &format!("bucket(device, 8).words({from})"))
    };
    let splits = |document: String| {
        let points = r#"{"points":["b","c","d","e","f","g","h"]}"#;
        document.replace(r#"{"digits":2,"salts":8}"#, points)
    };
    let read = |document: String| rowscape::design::parse(&splits(document)).expect("a document");
    let up = read(words("'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'"));
    let down = read(words("'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'"));
    let found =
        compare(&records, &[tables(&up)[0], tables(&down)[0]], ComparedSplits::Designed).expect("compared");
    let moves = found.designs[1].moves.as_ref().expect("moves");
    assert_eq!((moves.rewritten, moves.moved, moves.least_moved), (20_000, 20_000, Some(0)));
    let same = compare(&records, &[tables(&up)[0], tables(&up)[0]], ComparedSplits::Designed)
        .expect("the same twice");
    let moves = same.designs[1].moves.as_ref().expect("moves");
    assert_eq!((moves.rewritten, moves.moved, moves.least_moved), (0, 0, Some(0)));
    assert!(same.designs[1].better.is_empty() && same.designs[1].worse.is_empty());
}

#[test]
fn figures_are_those_of_each_design_by_itself() {
    let (study, records) = generated("e7-migration", Some(3000));
    let found = compare(&records, &tables(&study), ComparedSplits::Designed).expect("compared");
    for index in 0..study.tables.len() {
        let mut alone = Analysis::of(&study, index, Rc::clone(&records)).expect("analysis");
        let report = alone.report(&ReportOptions::default()).expect("report");
        let of = |code: &str| values(&found.lines, code)[index];
        assert_eq!(of("measure.max-over-mean"), Some(report.skew.max_over_mean));
        assert_eq!(of("measure.empty-regions"), Some(report.skew.empty as f64));
        assert_eq!(of("measure.key-bytes"), Some(report.keys.mean));
        let findings: Vec<&str> =
            alone.findings(&study, index).expect("findings").iter().map(|finding| finding.code).collect();
        assert_eq!(found.designs[index].findings, findings);
        let counted = alone.counted(&study.queries);
        for (query, counted) in found.queries.iter().zip(counted) {
            let counted = counted.expect("counted");
            assert_eq!(values(&query.lines, "measure.rows-read")[index], Some(counted.read as f64));
        }
    }
}

#[test]
fn every_measure_is_named_and_says_which_way_is_better() {
    let codes = MEASURES.iter().map(|measure| (measure.code, measure.better));
    let all: Vec<_> =
        codes.chain(QUERY_MEASURES.iter().map(|measure| (measure.code, measure.better))).collect();
    for (index, (code, _)) in all.iter().enumerate() {
        assert!(messages().contains_key(*code), "{code}");
        assert!(all[..index].iter().all(|(other, _)| other != code), "{code} twice");
    }
    assert_eq!(BetterWay::Less.change(Some(2.0), Some(1.0)), MeasureChange::Better);
    assert_eq!(BetterWay::More.change(Some(2.0), Some(1.0)), MeasureChange::Worse);
    assert_eq!(BetterWay::More.change(Some(1000.0), Some(1001.0)), MeasureChange::Same);
    assert_eq!(BetterWay::Neither.change(Some(2.0), Some(1.0)), MeasureChange::Other);
    assert_eq!(BetterWay::Less.change(None, Some(1.0)), MeasureChange::Unknown);
}

#[test]
fn j4_rows_of_many_cells_are_held_against_others_by_cells() {
    let found = compared("j4-tall-wide-or-middle");
    let day = &found.queries[1];
    let line = |code: &str| day.lines.iter().find(|line| line.code == code).expect(code);
    // A day of a user, of which the widest row has all days.
    let cells = line("measure.cells-read");
    assert_eq!(cells.values, [Some(76.0), Some(76.0), Some(1833.0)]);
    assert_eq!(cells.changes, [MeasureChange::Same, MeasureChange::Same, MeasureChange::Worse]);
    let rows = line("measure.wide-rows-read");
    assert_eq!(rows.values, [Some(76.0), Some(1.0), Some(1.0)]);
    assert_eq!(rows.changes[2], MeasureChange::Other);
    let leading: Vec<&str> = found.designs[2].leading.iter().map(|figure| figure.code).collect();
    assert!(
        leading.contains(&"measure.cells-read") && !leading.contains(&"measure.wide-rows-read"),
        "{leading:?}"
    );
    // Where no row has cells of several records, rows tell.
    let rows_alone = compared("e7-migration");
    assert!(rows_alone.queries[0].lines.iter().all(|line| line.code != "measure.cells-read"));
}

#[test]
fn fewer_than_two_designs_are_not_compared() {
    let (study, records) = generated("e8-bucket-count", Some(10));
    let refused = compare(&records, &tables(&study)[..1], ComparedSplits::Designed)
        .map(|_| ())
        .map_err(|problem| problem.code);
    assert_eq!(refused, Err("compare.too-few"));
}

/// Calls in order of time, in days of a month, and behind sixteen buckets, both with the split points of the first.
fn before_and_after_the_fix() -> Document {
    let days: Vec<String> = (2..17).map(|day| format!("202405{day:02}")).collect();
    let table =
        |name: &str, rowkey: &str| json!({ "name": name, "rowkey": rowkey, "splits": { "points": days } });
    let fields = json!([{ "name": "phone", "type": "text" }, { "name": "at", "type": "time", "format": "epoch-millis" }]);
    let by_time = "at.format('yyyyMMddHHmmss') + phone";
    let fixed = format!("bucket(phone, 16).decimal(2) + {by_time}");
    let document = json!({
        "rowscape": 1, "fields": fields, "arrival": "at",
        "tables": [table("hot", by_time), table("fixed", &fixed)],
        "queries": [{ "name": "a day", "where": { "at": ["2024-05-03", "2024-05-04"] } }],
        "generate": { "rows": 20_000, "span": "16d", "rhythm": "flat" },
    });
    parse(&document.to_string()).expect("a document")
}

#[test]
fn a_fix_of_one_hot_region_leads_with_its_hottest_share_and_is_judged_under_splits_of_its_own() {
    let study = before_and_after_the_fix();
    let spec = serde_json::from_value(study.generate.clone().expect("generate")).expect("a description");
    let records = Rc::new(Generator::all(&spec, &study.fields).expect("records"));
    let found = compare(&records, &tables(&study), ComparedSplits::EqualShares).expect("compared");
    assert!(found.equal_shares);
    let [hottest, day, bytes] = found.designs[1].leading.as_slice() else { panic!("{found:?}") };
    assert_eq!((hottest.code, hottest.query.as_deref()), ("measure.hottest-share", None));
    assert!(hottest.before > 0.9 && hottest.now < 0.2, "{hottest:?}");
    assert_eq!((day.code, day.query.as_deref()), ("measure.ranges", Some("a day")));
    assert_eq!((day.before, day.now, bytes.code), (1.0, 16.0, "measure.table-bytes"));
    assert!(found.designs[0].leading.is_empty());
    // The days of the old key hold all of the new one in their first region.
    let designed = compare(&records, &tables(&study), ComparedSplits::Designed).expect("compared");
    let hottest = designed.lines.iter().find(|line| line.code == "measure.hottest-share").expect("a line");
    assert_eq!((designed.equal_shares, hottest.values[1]), (false, Some(1.0)));
}

#[test]
fn other_splits_of_one_key_are_compared_as_designed_and_move_no_row() {
    let mut study = before_and_after_the_fix();
    study.tables[1] = study.tables[0].clone();
    study.tables[1].splits = Splits::Sample { regions: 4 };
    let spec = serde_json::from_value(study.generate.clone().expect("generate")).expect("a description");
    let records = Rc::new(Generator::all(&spec, &study.fields).expect("records"));
    let found = compare(&records, &tables(&study), ComparedSplits::EqualShares).expect("compared");
    assert!(!found.equal_shares);
    let moves = found.designs[1].moves.as_ref().expect("moves");
    assert_eq!((moves.rewritten, moves.moved, moves.least_moved), (0, 0, Some(0)));
}
