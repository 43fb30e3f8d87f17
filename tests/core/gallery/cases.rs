//! Published HBase schema practice, by the ids of the project's list of cases.

use crate::common::{PlainKeys, algorithm};
use md5::{Digest, Md5};
use rowscape::report::{Report, VerdictSeverity};
use rowscape::row::from_string_binary;
use rowscape::split::Splits;

fn md5(text: &str) -> [u8; 16] {
    Md5::digest(text).into()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A report on keys made of row numbers, with no times.
fn untimed(rows: u32, splits: &Splits, key: impl Fn(u32) -> Vec<u8>) -> Report {
    PlainKeys::new((0..rows).map(|row| (key(row), None))).report(splits)
}

fn shares(report: &Report) -> Vec<String> {
    report.regions.iter().map(|region| format!("{:.1}", region.share * 100.0)).collect()
}

#[test]
fn g2_hex_text_under_bytes_split_fills_three_regions_of_ten() {
    let splits = Splits::Between { start: vec![b'0'; 16], end: vec![b'f'; 16], regions: 10 };
    let points = splits.points().expect("points");
    let run = |first: i8, middle: i8, last: i8| {
        let signed = [vec![first], vec![middle; 14], vec![last]].concat();
        signed.into_iter().map(|byte| byte as u8).collect::<Vec<u8>>()
    };
    let expected = [
        run(48, 48, 48),
        run(54, -10, -10),
        run(61, -67, -68),
        run(68, -124, -126),
        run(75, 75, 72),
        run(82, 18, 14),
        run(88, -40, -44),
        run(95, -97, -102),
        run(102, 102, 102),
    ];
    assert_eq!(points.iter().map(<[u8]>::to_vec).collect::<Vec<_>>(), expected);

    let report = untimed(200_000, &splits, |row| hex(&md5(&row.to_string())).into_bytes());
    let filled: Vec<usize> =
        report.regions.iter().filter(|region| region.rows > 0).map(|region| region.index).collect();
    assert_eq!(filled, [1, 2, 8]);
    // First hex digits: 0 to 6 are below the point at 6 and 0xf6; 7 to 9 above; a to f above `_`.
    for (region, share) in [(1, 7.0 / 16.0), (2, 3.0 / 16.0), (8, 6.0 / 16.0)] {
        assert!((report.regions[region].share - share).abs() < 0.005, "{:?}", shares(&report));
    }
    assert_eq!(
        (report.verdict.code, report.verdict.severity),
        ("verdict.dead-regions", VerdictSeverity::Bad)
    );
    assert!(
        report
            .verdict
            .message
            .starts_with("7 of 10 regions get no rows. Empty: 0, 3–7, 9. Region 1 holds 43.")
    );
}

#[test]
fn c3_bucket_00_ends_before_the_point_00_bar() {
    let points = (0..5).map(|bucket| from_string_binary(&format!("{bucket:02}|")).expect("point")).collect();
    let splits = Splits::Points(points);
    let table = splits.points().expect("points");
    for bucket in 0..6 {
        assert_eq!(table.region_of(format!("{bucket:02}_13412341234_20210907000000").as_bytes()), bucket);
    }
    let report = untimed(6_000, &splits, |row| format!("{:02}_{row:011}", row % 6).into_bytes());
    assert!(report.regions.iter().all(|region| region.rows == 1_000));
    assert_eq!((report.skew.cv, report.skew.gini), (0.0, 0.0));
    assert_eq!(report.verdict.code, "verdict.good-untimed");
}

/// Messages of one day, one every 4.32 s, with keys made of (row, `yyMMdd:HHmmss`).
fn messages(splits: &Splits, key: impl Fn(u32, &str) -> String) -> Report {
    let rows = (0..20_000u32).map(|row| {
        let second = row * 432 / 100;
        let clock = format!("230611:{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60);
        (key(row, &clock).into_bytes(), Some(1_686_441_600_000 + i64::from(second) * 1000))
    });
    PlainKeys::new(rows).report(splits)
}

#[test]
fn f1_rising_keys_write_one_region_at_a_time() {
    // Points inside the day and inside the ids, so that over the day the rows do spread.
    let hours = Splits::Points((1..24).map(|hour| format!("230611:{hour:02}").into_bytes()).collect());
    let by_time = messages(&hours, |row, clock| format!("{clock}:{}", 1_231_231 + row));
    let ids = Splits::Points((1..16).map(|i| (1_231_231 + i * 1_250).to_string().into_bytes()).collect());
    let by_id = messages(&ids, |row, clock| format!("{}:{clock}", 1_231_231 + row));
    for report in [by_time, by_id] {
        assert_eq!(
            (report.verdict.code, report.verdict.severity),
            ("verdict.sequential", VerdictSeverity::Bad)
        );
        assert_eq!(report.verdict.args["momentShare"], "100%");
        assert!(report.skew.max_over_mean < 1.05, "over the day it is even");
    }
    // Under split points made for another kind of key, not even that.
    let foreign = messages(&algorithm("HexStringSplit", 16), |row, clock| format!("{clock}:{row}"));
    assert_eq!(foreign.verdict.code, "verdict.all-in-one");
}

#[test]
fn f2_upper_case_hex_under_hex_string_split_leaves_regions_empty() {
    let hash = |row: u32| hex(&md5(&(1_231_231 + row).to_string()));
    assert_eq!(hash(0).to_uppercase(), "8D4646EB2D7067126EB08ADB0672F7BB");
    let splits = algorithm("HexStringSplit", 16);
    let upper = messages(&splits, |row, clock| format!("{}:{clock}:{row}", hash(row).to_uppercase()));
    assert_eq!((upper.verdict.code, upper.verdict.severity), ("verdict.dead-regions", VerdictSeverity::Bad));
    assert_eq!(upper.verdict.args["list"], "10–15");
    let lower = messages(&splits, |row, clock| format!("{}:{clock}:{row}", hash(row)));
    assert_eq!((lower.verdict.code, lower.verdict.severity), ("verdict.good", VerdictSeverity::Good));
}

#[test]
fn g1_each_alphabet_fits_one_algorithm() {
    const ROWS: u32 = 200_000;
    let report = |name: &str, key: fn(u32) -> Vec<u8>| untimed(ROWS, &algorithm(name, 16), key);
    let largest = |report: &Report| (f64::from(report.skew.max) / f64::from(ROWS) * 100.0).round();
    let lower: fn(u32) -> Vec<u8> = |row| hex(&md5(&row.to_string())).into_bytes();
    let upper: fn(u32) -> Vec<u8> = |row| hex(&md5(&row.to_string())).to_uppercase().into_bytes();
    let raw: fn(u32) -> Vec<u8> = |row| md5(&row.to_string()).to_vec();
    let reversed: fn(u32) -> Vec<u8> = |row| format!("{row:08}").bytes().rev().collect();

    for (name, key) in [("HexStringSplit", lower), ("DecimalStringSplit", reversed), ("UniformSplit", raw)] {
        let even = report(name, key);
        assert!(even.skew.empty == 0 && even.skew.max_over_mean < 1.1, "{name}: {:?}", even.skew);
        assert_eq!(even.verdict.severity, VerdictSeverity::Good, "{name}: {}", even.verdict.message);
    }
    for (name, key, empty, share) in [
        ("DecimalStringSplit", lower, 0, Some(42.0)),
        ("UniformSplit", lower, 14, Some(62.0)),
        ("HexStringSplit", upper, 6, Some(44.0)),
        ("UniformSplit", reversed, 15, None),
    ] {
        let uneven = report(name, key);
        assert_eq!(uneven.skew.empty, empty, "{name}");
        if let Some(share) = share {
            // The table gives whole percents of one sample.
            assert!((largest(&uneven) - share).abs() <= 1.0, "{name}: {}", largest(&uneven));
        }
        assert_eq!(uneven.verdict.severity, VerdictSeverity::Bad, "{name}: {}", uneven.verdict.message);
    }
}
