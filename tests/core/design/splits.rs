//! Split points against a real HBase.

use crate::common::{records, unhex, unhex_all};
use proptest::prelude::*;
use rowscape::Problem;
use rowscape::bytes::strings::ByteStrings;
use rowscape::row::{to_bytes_binary, to_string_binary};
use rowscape::split::{
    ALGORITHMS, DateSplits, RegionPeriod, SplitAlgorithm, SplitPoints, Splits, split_bytes,
};
use serde_json::{Value, json};

fn list(strings: &ByteStrings) -> Vec<Vec<u8>> {
    strings.iter().map(<[u8]>::to_vec).collect()
}

fn strings<'a>(list: impl IntoIterator<Item = &'a Vec<u8>>) -> ByteStrings {
    let mut strings = ByteStrings::default();
    list.into_iter().for_each(|string| strings.push(string));
    strings
}

fn expect(line: usize, record: &Value, result: Result<Vec<Vec<u8>>, Problem>) {
    match result {
        Ok(keys) => assert_eq!(json!(keys), json!(unhex_all(&record["out"])), "{line}: {record}"),
        Err(problem) => {
            assert!(record["error"].is_string(), "{line}: {problem}");
            assert_ne!(problem.sentence(), problem.code);
        }
    }
}

fn replay(name: &str) {
    for (line, record) in records(name) {
        let algorithm =
            SplitAlgorithm::named(record["algorithm"].as_str().expect("name")).expect("algorithm");
        match record["op"].as_str() {
            Some("firstRow") => assert_eq!(algorithm.first, unhex(&record["out"])),
            Some("lastRow") => assert_eq!(algorithm.last, unhex(&record["out"])),
            _ => {
                let row = |name: &str| record[name].as_str().map(to_bytes_binary).transpose();
                let keys = row("first").and_then(|first| {
                    let regions = record["n"].as_i64().expect("n");
                    Splits::Algorithm { algorithm, regions, first, last: row("last")? }.keys()
                });
                expect(line, &record, keys.map(|keys| list(&keys)));
            }
        }
    }
}

#[test]
fn hex_string_split_is_that_of_hbase() {
    replay("splits_hex");
}

#[test]
fn decimal_string_split_is_that_of_hbase() {
    replay("splits_decimal");
}

#[test]
fn uniform_split_is_that_of_hbase() {
    replay("splits_uniform");
}

#[test]
fn uniform_split_begins_at_the_empty_row_unless_told_otherwise() {
    // UniformSplit.firstRowBytes is ArrayUtils.EMPTY_BYTE_ARRAY: the width is that of the last row alone.
    let algorithm = SplitAlgorithm::named("UniformSplit").expect("algorithm");
    let splits = Splits::Algorithm { algorithm, regions: 4, first: None, last: Some(vec![0xff]) };
    assert_eq!(list(&splits.keys().expect("keys")), [[0x40], [0x80], [0xc0]]);
}

#[test]
fn bytes_split_and_create_table_between_are_those_of_hbase() {
    for (line, record) in records("splits_bytes") {
        let (start, end) = (unhex(&record["start"]), unhex(&record["end"]));
        if record["op"] == "createTable" {
            let splits = Splits::Between { start, end, regions: record["n"].as_i64().expect("n") };
            expect_regions(line, &record, splits.points());
        } else {
            let num = record["num"].as_i64().expect("num");
            let keys = split_bytes(&start, &end, record["inclusive"] == true, num);
            expect(line, &record, keys.map(|keys| list(&keys)));
        }
    }
}

#[test]
fn create_table_sorts_and_refuses_split_keys_as_hbase_does() {
    for (line, record) in records("create_table") {
        let splits = record["splits"].as_array().cloned().unwrap_or_default();
        let keys = splits.iter().map(|key| if key.is_null() { Vec::new() } else { unhex(key) }).collect();
        expect_regions(line, &record, Splits::Points(keys).points());
    }
}

fn expect_regions(line: usize, record: &Value, points: Result<SplitPoints, Problem>) {
    match points {
        Ok(points) => {
            let regions: Vec<_> = (0..points.regions()).map(|region| points.boundaries(region)).collect();
            let out = record["out"].as_array().unwrap_or_else(|| panic!("{line}: {record}"));
            let expected: Vec<_> = out.iter().map(|r| (unhex(&r["start"]), unhex(&r["end"]))).collect();
            let expected: Vec<_> = expected.iter().map(|(start, end)| (&start[..], &end[..])).collect();
            assert_eq!(regions, expected, "{line}");
        }
        Err(problem) => assert!(record["error"].is_string(), "{line}: {problem}"),
    }
}

#[test]
fn a_key_is_in_the_region_the_cluster_says() {
    for (line, record) in records("region_of") {
        let points = SplitPoints::new(strings(&unhex_all(&record["boundaries"]))).expect("points");
        assert_eq!(json!(points.region_of(&unhex(&record["row"]))), record["out"], "{line}");
    }
}

proptest! {
    #[test]
    fn region_of_agrees_with_counting(
        points in prop::collection::btree_set(prop::collection::vec(0u8..3, 1..12), 0..40),
        key in prop::collection::vec(0u8..3, 0..12),
    ) {
        let index = SplitPoints::new(strings(&points)).expect("points");
        let region = index.region_of(&key);
        prop_assert_eq!(region, points.iter().filter(|point| **point <= key).count());
        let (start, stop) = index.boundaries(region);
        prop_assert!(start <= &key[..] && (stop.is_empty() || &key[..] < stop));
    }

    #[test]
    fn splits_survive_being_written_and_read(
        form in 0usize..10, regions: i64, a: Vec<u8>, b in prop::option::of(any::<Vec<u8>>()), short: (u16, u16),
        from in -700_000i64..2_900_000, days in 0i64..30_000, count in 1u32..10_000,
    ) {
        let splits = match form {
            5 => Splits::HexRange { start: a, end: b.unwrap_or_default(), regions },
            6 => Splits::ShortRange { first: short.0, last: short.1, regions },
            7 => Splits::Salts { count: regions, digits: b.map(|digits| digits.len().clamp(1, 9) as u32) },
            8 => Splits::Sample { regions },
            9 => {
                let every = RegionPeriod::parse(&format!("{count}{}", ["d", "w", "M", "y"][short.0 as usize % 4]));
                let (every, format) = (every.expect("every"), "yyyy-MM".to_owned());
                Splits::Dates(DateSplits { from, to: from + days, every, format })
            }
            0 => Splits::Points([a, b.unwrap_or_default()].into_iter().filter(|key| !key.is_empty()).collect()),
            1 => Splits::Between { start: a, end: b.unwrap_or_default(), regions },
            other => Splits::Algorithm { algorithm: &ALGORITHMS[other - 2], regions, first: Some(a), last: b },
        };
        prop_assert_eq!(Splits::from_json(&splits.to_json(), "splits"), Ok(splits));
    }
}

#[test]
fn a_document_says_where_its_splits_are_wrong() {
    for (splits, code, path) in [
        (json!([]), "json.wrong-type", "splits"),
        (json!({}), "split.no-form", "splits"),
        (json!({ "points": "a" }), "json.wrong-type", "splits.points"),
        (json!({ "points": ["a", 1] }), "json.wrong-type", "splits.points[1]"),
        (json!({ "points": ["a", "\\xff"] }), "row.lower-case-hex", "splits.points[1]"),
        (json!({ "points": ["a", ""] }), "split.empty-key", "splits.points[1]"),
        (json!({ "points": ["a"], "regions": 2 }), "json.unknown-member", "splits.regions"),
        (
            json!({ "algorithm": "hexStringSplit", "regions": 2 }),
            "split.unknown-algorithm",
            "splits.algorithm",
        ),
        (json!({ "algorithm": "HexStringSplit" }), "json.missing", "splits.regions"),
        (json!({ "algorithm": "HexStringSplit", "regions": 2.5 }), "json.wrong-type", "splits.regions"),
        (json!({ "between": ["a"], "regions": 4 }), "split.two-ends", "splits.between"),
        (json!({ "hexRange": ["0", 1], "regions": 4 }), "json.wrong-type", "splits.hexRange[1]"),
        (json!({ "shortRange": [0, 65536], "regions": 4 }), "json.wrong-type", "splits.shortRange[1]"),
        (json!({ "salts": 16, "regions": 4 }), "json.unknown-member", "splits.regions"),
        (json!({ "salts": 16, "digits": 0 }), "json.wrong-type", "splits.digits"),
        (
            json!({ "dates": ["2021-09-01", "2021-13-01"], "every": "1M" }),
            "json.wrong-type",
            "splits.dates[1]",
        ),
        (json!({ "dates": ["2021-09-01", "2021-12-01"], "every": "month" }), "split.every", "splits.every"),
        (json!({ "sample": "16" }), "json.wrong-type", "splits.sample"),
    ] {
        let problem = Splits::from_json(&splits, "splits").expect_err(code);
        assert_eq!((problem.code, problem.place.path.as_str()), (code, path), "{splits}");
        assert!(!problem.sentence().contains('{'), "{problem}");
    }
}

#[test]
fn the_figures_of_hbase_are_in_the_refusals() {
    let refusal = |splits: Value| {
        Splits::from_json(&splits, "").and_then(|splits| splits.points()).expect_err("refused").sentence()
    };
    let hex = |first: &str, last: &str, n: u32| json!({ "algorithm": "HexStringSplit", "first": first, "last": last, "regions": n });
    assert!(refusal(hex("0", "f", 17)).contains("split granularity (17) is greater than the range (16)"));
    assert!(refusal(hex("ff", "00", 3)).contains("last row (00) is configured less than first row (ff)"));
    assert!(refusal(json!({ "points": ["a", "a"] })).contains("must be unique, found duplicate: a, a"));
    assert!(
        refusal(json!({ "between": ["a", "b"], "regions": 2 }))
            .contains("must create at least three regions")
    );
}

#[test]
fn a_million_regions_work_and_one_more_is_a_clear_error() {
    for algorithm in &ALGORITHMS {
        let splits = Splits::Algorithm { algorithm, regions: 16, first: None, last: None };
        let million = splits.with_regions(1_000_000).expect("can be re-counted").points().expect("points");
        assert_eq!(million.regions(), 1_000_000);
        let (start, _) = million.boundaries(999_999);
        assert_eq!(million.region_of(start), 999_999);
        let refused = splits.with_regions(1_000_001).expect("can be re-counted").points().expect_err("over");
        assert_eq!(refused.code, "split.too-many-regions");
    }
    let long = Splits::Between { start: vec![1; 30_000], end: vec![2; 30_000], regions: 1_000_000 };
    assert_eq!(long.points().expect_err("too long").code, "split.too-many-bytes");
    assert_eq!(Splits::Points(vec![b"a".to_vec()]).with_regions(3), None);
}

#[test]
fn signed_numbers_are_taken_as_java_takes_them() {
    let splits = |first: &str, last: &str| Splits::Algorithm {
        algorithm: &ALGORITHMS[0],
        regions: 4,
        first: Some(first.into()),
        last: Some(last.into()),
    };
    // The range -0x10..=0x1f in steps of 0xc: -4, 8, 14.
    let keys = splits("-10", "+1f").keys().expect("keys");
    assert_eq!(keys.iter().map(to_string_binary).collect::<Vec<_>>(), ["0-4", "008", "014"]);
    // The range -0x20..=-0x11 in steps of 4.
    let keys = splits("-20", "-11").keys().expect("keys");
    assert_eq!(keys.iter().map(to_string_binary).collect::<Vec<_>>(), ["-1c", "-18", "-14"]);
}

/// The split points of a `splits` member.
fn points(splits: Value) -> Result<Vec<String>, &'static str> {
    let points = Splits::from_json(&splits, "splits").and_then(|splits| splits.points());
    points.map(|points| points.iter().map(to_string_binary).collect()).map_err(|problem| problem.code)
}

#[test]
fn hex_ranges_are_those_of_get_hex_splits() {
    // increment = 0xffffffffffffffff / 4 = 0x3fffffffffffffff; point i = (i + 1) * increment, printed %016x.
    assert_eq!(
        points(json!({ "hexRange": ["0000000000000000", "ffffffffffffffff"], "regions": 4 })),
        Ok(["3fffffffffffffff", "7ffffffffffffffe", "bffffffffffffffd"].map(String::from).to_vec())
    );
    // Run in Java: getHexSplits("0", "f", 16) is 15 times 0000000000000000, which createTable refuses as duplicates.
    assert_eq!(points(json!({ "hexRange": ["0", "f"], "regions": 16 })), Err("split.duplicate-key"));
    let text = |json| points(json).map(|points| points.join(" "));
    assert_eq!(text(json!({ "hexRange": ["0", "1"], "regions": 2 })), Ok("0000000000000000".to_owned()));
    assert_eq!(text(json!({ "hexRange": ["7", "7"], "regions": 2 })), Ok("0000000000000007".to_owned()));
    // Java's division is towards zero, and createTable sorts: getHexSplits("f", "0", 4) counts down by three.
    let down = "0000000000000006 0000000000000009 000000000000000c";
    assert_eq!(text(json!({ "hexRange": ["f", "0"], "regions": 4 })), Ok(down.to_owned()));
    let signs = "-000000000000004 -000000000000008 0000000000000000";
    assert_eq!(text(json!({ "hexRange": ["4", "-c"], "regions": 4 })), Ok(signs.to_owned()));
    assert_eq!(points(json!({ "hexRange": ["x", "f"], "regions": 4 })), Err("split.not-a-number"));
    let long = points(json!({ "hexRange": ["0", "fffffffffffffffff"], "regions": 2 }));
    assert_eq!(long, Ok(vec!["7ffffffffffffffff".to_owned()]), "wider than 16 stays whole");
}

#[test]
fn short_ranges_are_those_of_create_table_between_shares() {
    // start = 0x7FFF / 16 = 0x07FF, end = 0x7FFF - 0x07FF = 0x7800, then 13 steps of (0x7800 - 0x07FF) / 14 = 0x0800.
    let steps = (0..14).map(|step| 0x07ff + 0x0800 * step).chain([0x7800u16]);
    let expected: Vec<String> = steps.map(|point| to_string_binary(&point.to_be_bytes())).collect();
    assert_eq!(points(json!({ "shortRange": [0, 32767], "regions": 16 })), Ok(expected));
    assert_eq!(
        points(json!({ "shortRange": [0, 32767], "regions": 2 })),
        Err("split.between-too-few-regions")
    );
    assert_eq!(points(json!({ "shortRange": [9, 9], "regions": 3 })), Err("split.last-not-above-first"));
}

#[test]
fn salts_have_a_region_each_in_bytes_or_digits() {
    let bytes: Vec<String> = (1..16u8).map(|salt| to_string_binary(&[salt])).collect();
    assert_eq!(points(json!({ "salts": 16 })), Ok(bytes));
    assert_eq!(points(json!({ "salts": 256 })).map(|points| points.len()), Ok(255));
    assert_eq!(points(json!({ "salts": 257 })), Err("split.too-many-salts"));
    let text = points(json!({ "salts": 100, "digits": 2 })).expect("salts");
    assert_eq!((text.len(), text[0].as_str(), text[98].as_str()), (99, "01", "99"));
    assert_eq!(points(json!({ "salts": 101, "digits": 2 })), Err("split.too-many-salts"));
    assert_eq!(points(json!({ "salts": 1 })), Ok(vec![]));
    for record in records("phoenix_salt").into_iter().map(|(_, record)| record) {
        if record["op"] == "getSalteByteSplitPoints" && record["out"].is_array() {
            let given = SplitPoints::new(strings(&unhex_all(&record["out"]))).expect("points");
            let given: Vec<String> = given.iter().map(to_string_binary).collect();
            assert_eq!(points(json!({ "salts": record["buckets"] })), Ok(given), "{record}");
        }
    }
}

#[test]
fn dates_step_by_the_calendar() {
    let dates = |from: &str, to: &str, every: &str, format: &str| {
        points(json!({ "dates": [from, to], "every": every, "format": format }))
    };
    let strings = |points: &[&str]| Ok(points.iter().map(|point| (*point).to_owned()).collect::<Vec<_>>());
    assert_eq!(dates("2021-11-01", "2022-02-01", "1M", "yyyyMM"), strings(&["202111", "202112", "202201"]));
    assert_eq!(
        dates("2024-01-31", "2024-05-01", "1M", "yyyy-MM-dd"),
        strings(&["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"])
    );
    assert_eq!(
        dates("2023-12-25", "2024-01-09", "1w", "yyyyMMdd"),
        strings(&["20231225", "20240101", "20240108"])
    );
    assert_eq!(
        dates("2020-02-29", "2023-01-01", "1y", "yyyyMMdd"),
        strings(&["20200229", "20210228", "20220228"])
    );
    assert_eq!(dates("2021-01-01", "2021-01-04", "1d", "yyyyMM"), Err("split.duplicate-key"));
    assert_eq!(dates("2021-01-01", "2021-01-01", "1d", "yyyyMMdd"), Err("split.last-not-above-first"));
    assert_eq!(dates("2021-01-01", "2021-02-01", "1d", "QQ"), Err("time.unknown-letter"));
}
