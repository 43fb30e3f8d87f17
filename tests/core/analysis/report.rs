//! A report from records and their key table.

use crate::common::{PlainKeys, algorithm};
use rowscape::encode::{EncodedKeys, RefusedRow};
use rowscape::field::{Field, Kind};
use rowscape::key_table::KeyTable;
use rowscape::records::{Bitmap, Column, ColumnValues, Dictionary, Records};
use rowscape::report::{PreparedReport, Report};

const ROWS: u32 = 3_000;
const START: i64 = 1_700_000_000_000;

fn field(name: &str, kind: Kind, format: Option<&str>) -> Field {
    Field {
        name: name.to_owned(),
        kind,
        format: format.map(str::to_owned),
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    }
}

fn time(row: u32) -> i64 {
    START + i64::from(row / 2) * 1_000
}

fn key(row: u32) -> Vec<u8> {
    // Rows 5 and 10 get the key of row 0.
    let number = if [0, 5, 10].contains(&row) { 0 } else { row };
    (u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15)).to_be_bytes().to_vec()
}

/// Row 7 is refused; row 9 has no time.
fn records_and_table() -> (Records, KeyTable) {
    let mut dictionary = Dictionary::default();
    let ids = (0..ROWS).map(|row| dictionary.intern(format!("user{}", row % 3).as_bytes())).collect();
    let mut invalid = Bitmap::default();
    invalid.set(9);
    let columns = vec![
        Column {
            field: field("user", Kind::Text, None),
            values: ColumnValues::Strings { ids, dictionary },
            invalid: Bitmap::default(),
            first_invalid: Vec::new(),
        },
        Column {
            field: field("at", Kind::Time, Some("yyyy-MM-dd HH:mm:ss")),
            values: ColumnValues::Integers((0..ROWS).map(time).collect()),
            invalid,
            first_invalid: vec![(9, "yesterday".to_owned(), "field.not-a-time")],
        },
    ];
    let mut keys = EncodedKeys::default();
    for row in 0..ROWS {
        let own = key(row);
        keys.keys.push(if row == 7 { &[] } else { &own });
    }
    keys.refused.reasons.insert(("field.not-a-time", Some(1)), 1);
    keys.refused.first.push(RefusedRow { row: 7, column: Some(0), code: "field.not-utf8" });
    (Records { columns, rows: ROWS as usize, ..Records::default() }, KeyTable::new(keys, 0))
}

fn report(buckets: Option<u32>) -> Report {
    let (records, table) = records_and_table();
    let mut prepared = PreparedReport::new(&table, &records);
    prepared.set_time(&table, &records, Some("at"), buckets, None);
    prepared.set_busiest(&records, &["user", "at"], 2);
    prepared.report(&table, &algorithm("UniformSplit", 16).points().expect("points"))
}

#[test]
fn a_report_from_a_key_table_is_that_of_looking_at_every_row() {
    let report = report(None);
    let rows = (0..ROWS).filter(|&row| row != 7).map(|row| (key(row), (row != 9).then(|| time(row))));
    let plain = PlainKeys::new(rows).report(&algorithm("UniformSplit", 16));
    assert_eq!(report.heat, plain.heat);
    assert_eq!(report.skew, plain.skew);
    assert_eq!(report.keys.duplicates.keys, 1);
    assert_eq!(report.keys.duplicates.examples[0].rows, [0, 5, 10]);
    assert_eq!((report.rows, report.refused.count, report.keys.count), (3_000, 1, 2_999));
    assert_eq!((report.keys.min, report.keys.max, report.keys.mean), (8, 8, 8.0));
    assert_eq!(report.keys.bytes, report.regions.iter().map(|region| region.bytes).sum::<u64>());
    assert_eq!(report.time.as_ref().map(|time| time.outside), Some(1));
    // One record of 3,000 has no key: the spread is good, and not all of it is known.
    assert_eq!(report.verdict.code, "verdict.rejected");
    let busiest: Vec<_> =
        report.busiest.iter().map(|busiest| (busiest.field.as_str(), busiest.values.len())).collect();
    assert_eq!(busiest, [("user", 2)]);
    let first = &report.refused.first[0];
    assert_eq!((first.place.row, first.place.field.as_deref()), (Some(8), Some("user")));
}

#[test]
fn asked_for_time_buckets_divide_the_period_to_the_end_of_its_last_second() {
    let report = report(Some(120));
    let time = report.time.as_ref().expect("time");
    assert_eq!((time.start, time.buckets), (START, 120));
    let mut heat = vec![0; 16 * 120];
    let points = algorithm("UniformSplit", 16).points().expect("points");
    for row in (0..ROWS).filter(|row| ![7, 9].contains(row)) {
        let second = (row / 2) as usize;
        heat[points.region_of(&key(row)) * 120 + second * 120 / 1_500] += 1;
    }
    assert_eq!(report.heat, heat);
}

#[test]
fn a_report_has_the_members_the_page_reads() {
    let json = serde_json::to_value(report(None)).expect("json");
    for pointer in [
        "/rows",
        "/refused/count",
        "/refused/reasons/0/code",
        "/refused/reasons/0/message",
        "/refused/first/0/message",
        "/keys/count",
        "/keys/bytes",
        "/keys/min",
        "/keys/max",
        "/keys/mean",
        "/keys/first",
        "/keys/last",
        "/keys/duplicates/keys",
        "/keys/duplicates/rows",
        "/keys/duplicates/examples/0/key",
        "/keys/duplicates/examples/0/rows/0",
        "/time/field",
        "/time/start",
        "/time/step",
        "/time/buckets",
        "/regions/0/index",
        "/regions/0/start",
        "/regions/0/stop",
        "/regions/0/rows",
        "/regions/0/share",
        "/regions/0/bytes",
        "/skew/mean",
        "/skew/median",
        "/skew/max",
        "/skew/maxOverMean",
        "/skew/cv",
        "/skew/gini",
        "/skew/empty",
        "/busiest/0/field",
        "/busiest/0/values/0/value",
        "/busiest/0/values/0/rows",
        "/verdict/code",
        "/verdict/severity",
        "/verdict/args",
        "/verdict/message",
    ] {
        assert!(json.pointer(pointer).is_some(), "{pointer}");
    }
    assert!(json.get("heat").is_none(), "typed arrays cross by themselves");
}
