//! Conclusions that were once wrong where the counts were right: each is held to what is true of the records.

use super::findings::{codes, found, records, study};
use super::judged_cases::analysis_of;
use rowscape::analysis::ReportOptions;
use rowscape::findings::{Finding, FindingSeverity};
use rowscape::ingest::guess::{SaidOfFile, guess_for};
use rowscape::report::{Report, VerdictSeverity};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::rc::Rc;

/// A document with a text `who`, a time `at` and a whole number `id`.
pub(super) fn document(rowkey: &str, splits: Value) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "who", "type": "text" },
            { "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "id", "type": "integer" },
        ],
        "arrival": "at", "rowkey": rowkey, "splits": splits,
    })
}

/// Rows of who, at (seconds of a day) and id.
pub(super) fn rows(rows: impl IntoIterator<Item = (String, u64, u64)>) -> String {
    let mut text = String::from("who,at,id\n");
    for (who, at, id) in rows {
        let (day, hour, minute, second) = (1 + at / 86_400, at / 3_600 % 24, at / 60 % 60, at % 60);
        let _ = writeln!(text, "{who},2024-05-{day:02} {hour:02}:{minute:02}:{second:02},{id}");
    }
    text
}

pub(super) fn mixed(row: u64) -> u64 {
    let z = row.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ z >> 31).wrapping_mul(0x94D0_49BB_1331_11EB) ^ z >> 29
}

fn finding<'f>(found: &'f [Finding], code: &str) -> &'f Finding {
    found.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{code}: {:?}", codes(found)))
}

pub(super) fn report(document: &Value, text: &str) -> Report {
    let study = study(document);
    let mut analysis = analysis_of(&study, 0, &Rc::new(records(text, &study)));
    analysis.report(&ReportOptions::default()).expect("report")
}

#[test]
fn ids_given_in_turn_reach_every_remainder() {
    // Every second or seventh row once stood for all: its ids were multiples of 2, of 7.
    for (count, salts) in [(12_000, 8), (50_000, 7)] {
        let text = rows((0..count).map(|row| ("a".to_owned(), row, row)));
        let document = document(
            &format!("id.floorMod({salts}).decimal(2) + '-' + id.decimal(8)"),
            json!({ "salts": salts, "digits": 2 }),
        );
        let found = found(&document, &text);
        assert!(!codes(&found).contains(&"RS105") && !codes(&found).contains(&"RS101"), "{found:#?}");
    }
    let tens = rows((0..20_000).map(|row| ("a".to_owned(), row, 10 * row)));
    let document =
        document("id.floorMod(8).decimal(2) + '-' + id.decimal(8)", json!({ "salts": 8, "digits": 2 }));
    assert_eq!(finding(&found(&document, &tens), "RS105").args["step"], "10");
}

#[test]
fn colliding_pairs_are_those_of_values_and_not_of_rows() {
    let text = rows((0..60_000).map(|row| (format!("u{}", mixed(row) % 20_000), row, row)));
    let document = document("who.md5().hex(6)", json!({ "algorithm": "HexStringSplit", "regions": 8 }));
    let hit = finding(&found(&document, &text), "RS302").args.clone();
    let values: std::collections::BTreeSet<u64> = (0..60_000).map(|row| mixed(row) % 20_000).collect();
    assert_eq!(hit["values"], values.len().to_string());
    let pairs = (values.len() as f64).powi(2) / 2.0 / 2f64.powi(24);
    assert_eq!(hit["pairs"], format!("{pairs:.0}"));
}

#[test]
fn records_without_a_key_are_nobody_and_the_headline_says_so() {
    let mut text = rows((0..3_000).map(|row| (format!("u{:03}", mixed(row) % 200), row, row)));
    for row in 0..7_000 {
        let _ = writeln!(text, ",unknown,{row}");
    }
    let document =
        document("who + '_' + at.format('yyyyMMddHHmmss')", json!({ "points": ["u050", "u100", "u150"] }));
    let found = found(&document, &text);
    assert!(!codes(&found).contains(&"RS109") && !codes(&found).contains(&"RS102"), "{:?}", codes(&found));
    let rejected = finding(&found, "RS304");
    assert_eq!(rejected.severity, FindingSeverity::Bad);
    let told = ["rows", "all", "share", "field", "example"].map(|name| rejected.args[name].as_str());
    assert_eq!(told, ["7000", "10000", "70%", "at", "unknown"]);
    let verdict = report(&document, &text).verdict;
    assert_eq!((verdict.code, verdict.severity), ("verdict.rejected", VerdictSeverity::Bad));
    assert!(verdict.message.contains("70%"), "{}", verdict.message);
}

#[test]
fn a_few_rejected_records_are_a_warning() {
    let mut text = rows((0..3_000).map(|row| (format!("u{:03}", mixed(row) % 200), row, row)));
    text.push_str("u001,unknown,1\n");
    let document =
        document("who + '_' + at.format('yyyyMMddHHmmss')", json!({ "points": ["u050", "u100", "u150"] }));
    assert_eq!(finding(&found(&document, &text), "RS304").severity, FindingSeverity::Warning);
    assert_ne!(report(&document, &text).verdict.severity, VerdictSeverity::Good);
}

#[test]
fn binary_keys_do_not_begin_with_text() {
    let text = rows((0..5_000).map(|row| ("a".to_owned(), row, row)));
    let document = document("id.int64()", json!({ "algorithm": "UniformSplit", "regions": 16 }));
    let found = found(&document, &text);
    assert_ne!(finding(&found, "RS103").args["cause"], "finding.dead-regions.text");
}

#[test]
fn the_period_is_that_of_the_records_and_not_of_the_axis() {
    let text = rows((0..1_000).map(|row| ("a".to_owned(), 30_000 + 300 * row, row)));
    let time = report(&document("who + id.decimal(8)", json!({ "points": [] })), &text).time.expect("time");
    let day = 1_714_521_600_000;
    assert_eq!((time.first, time.last), (Some(day + 30_000_000), Some(day + 329_700_000)));
    assert!(time.start <= day + 30_000_000);
}

#[test]
fn an_unpadded_id_matters_where_rows_are_ranged_over() {
    let text = rows((0..2_000).map(|row| (format!("u{}", row % 50), row, row)));
    let mut document = document("who + '-' + id.decimal()", json!({ "points": [] }));
    assert_eq!(finding(&found(&document, &text), "RS202").severity, FindingSeverity::Note);
    document["queries"] =
        json!([{ "name": "some", "where": { "who": { "eq": "u1" }, "id": { "from": 1, "to": 20 } } }]);
    assert_eq!(finding(&found(&document, &text), "RS202").severity, FindingSeverity::Warning);
}

#[test]
fn numbers_given_out_in_turn_are_no_telephone_numbers() {
    let found_of = |who: &dyn Fn(u64) -> u64| {
        let text = rows((0..2_000).map(|row| (who(row).to_string(), row, row)));
        found(&document("who + id.decimal(8)", json!({ "points": [] })), &text)
    };
    // Orders of a day, orders counted, and orders counted that come in any order.
    let orders: [&dyn Fn(u64) -> u64; 3] =
        [&|row| 20_240_501_000_000 + mixed(row) % 1_000_000, &|row| 7_400_000_000 + 37 * row, &|row| {
            7_400_000_000 + mixed(row) % 9_000
        }];
    for order in orders {
        assert!(!codes(&found_of(order)).contains(&"RS701"), "{}", order(1));
    }
    assert!(codes(&found_of(&|row| 13_400_000_000 + mixed(row) % 99_999_999)).contains(&"RS701"));
}

fn said<'a>(header: Option<bool>, declared: &'a [&'a str]) -> SaidOfFile<'a> {
    SaidOfFile { header, declared, ..SaidOfFile::default() }
}

#[test]
fn a_first_row_that_names_a_declared_field_is_a_header() {
    let text = b"a\nfoo\nbar\n";
    assert_eq!(guess_for(text, "some.csv", &said(None, &[])).input.header, Some(false));
    assert_eq!(guess_for(text, "some.csv", &said(None, &["a"])).input.header, Some(true));
    assert_eq!(guess_for(text, "some.csv", &said(Some(false), &["a"])).input.header, Some(false));
}

#[test]
fn few_rows_read_in_vain_are_told_where_they_are_most_of_what_is_read() {
    // Two hours of one of fifty, time first: 120 rows read for a few.
    let text = rows((0..1_000).map(|row| (format!("u{}", mixed(row) % 50), 60 * row, row)));
    let mut document = document("at.format('yyyyMMddHHmm') + who + id.decimal(8)", json!({ "points": [] }));
    let hours = json!({ "from": "2024-05-01 02:00:00", "to": "2024-05-01 04:00:00" });
    document["queries"] = json!([{ "name": "two hours", "where": { "who": { "eq": "u1" }, "at": hours } }]);
    let found = found(&document, &text);
    let [read, returned] =
        ["read", "returned"].map(|name| finding(&found, "RS502").args[name].parse::<u64>());
    let matching = (120..240).filter(|&row| mixed(row) % 50 == 1).count() as u64;
    assert_eq!(returned, Ok(matching));
    assert!(read.expect("a number") >= 20 + matching);
}

#[test]
fn eight_hosts_hashed_over_eight_regions_are_too_few() {
    let text = rows((0..4_000).map(|row| (format!("host{}", row % 8), row, row)));
    let splits = json!({ "algorithm": "HexStringSplit", "regions": 8 });
    let found_of = |text: &str| found(&document("who.md5().hex(8) + id.decimal(8)", splits.clone()), text);
    assert_eq!(finding(&found_of(&text), "RS107").args["values"], "8");
    let many = rows((0..4_000).map(|row| (format!("host{}", row % 64), row, row)));
    assert!(!codes(&found_of(&many)).contains(&"RS107"));
}

/// Rows of who, at (seconds since 2023-01-01) and id, over more than a month.
fn dated(rows: impl IntoIterator<Item = (String, u64, u64)>) -> String {
    let mut text = String::from("who,at,id\n");
    for (who, at, id) in rows {
        let date = civil(at / 86_400);
        let (hour, minute, second) = (at / 3_600 % 24, at / 60 % 60, at % 60);
        let _ = writeln!(text, "{who},{date} {hour:02}:{minute:02}:{second:02},{id}");
    }
    text
}

/// The date of a day since 2023-01-01, to the end of 2024.
fn civil(day: u64) -> String {
    let lengths =
        |year: u64| [31, if year == 2024 { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut left = day;
    for year in [2023, 2024] {
        for (month, length) in (1..).zip(lengths(year)) {
            if left < length {
                return format!("{year}-{month:02}-{:02}", left + 1);
            }
            left -= length;
        }
    }
    panic!("day {day}")
}

const HEX: fn() -> Value = || json!({ "algorithm": "HexStringSplit", "regions": 16 });

#[test]
fn a_bucket_of_a_day_is_hot_over_a_year_and_over_200_days() {
    for days in [365, 200] {
        let seconds = days * 86_400;
        let text =
            dated((0..40_000).map(|row| (format!("u{}", mixed(row) % 500), row * seconds / 40_000, row)));
        let document = document("at.format('yyyyMMdd').md5().hex(8) + who + id.decimal(8)", HEX());
        let verdict = report(&document, &text).verdict;
        assert_eq!((verdict.code, verdict.severity), ("verdict.sequential", VerdictSeverity::Bad));
        let hit = finding(&found(&document, &text), "RS101").clone();
        assert_eq!(hit.severity, FindingSeverity::Bad);
        assert!(hit.message.contains(&hit.args["interval"]), "{}", hit.message);
    }
}

#[test]
fn the_hour_first_is_hot_in_verdict_and_finding() {
    // A week of 60,000 rows: each hour of the day comes round seven times.
    let text =
        dated((0..60_000).map(|row| (format!("u{}", mixed(row) % 500), row * 7 * 86_400 / 60_000, row)));
    let points: Vec<String> = (1..12).map(|hour| format!("{:02}", 2 * hour)).collect();
    let document = document("at.format('HHmmss') + who + id.decimal(8)", json!({ "points": points }));
    let verdict = report(&document, &text).verdict;
    assert_eq!(verdict.code, "verdict.sequential", "{}", verdict.message);
    let hit = finding(&found(&document, &text), "RS101").clone();
    assert_eq!((hit.severity, verdict.args["momentShare"].as_str()), (FindingSeverity::Bad, "100%"));
}

#[test]
fn a_key_that_begins_with_a_busy_entity_is_not_said_to_begin_with_time() {
    // One of 500 has 60% of the rows; they sort by time, so the last region of its own takes them.
    let text = dated((0..40_000).map(|row| {
        let who = if mixed(row) % 10 < 6 { "u0".to_owned() } else { format!("u{}", mixed(row) % 500) };
        (who, row * 30, row)
    }));
    let of = |rowkey: &str| report(&document(rowkey, json!({ "sample": 8 })), &text).verdict;
    let entity = of("who + '_' + at.format('yyyyMMddHHmmss') + id.decimal(8)");
    assert_eq!((entity.code, &*entity.args["cause"]), ("verdict.sequential", "verdict.sequential.moves"));
    assert!(!entity.message.contains("follows time"), "{}", entity.message);
    let time = of("at.format('yyyyMMddHHmmss') + who + id.decimal(8)");
    assert_eq!((time.code, &*time.args["cause"]), ("verdict.sequential", "verdict.sequential.leads"));
}

#[test]
fn a_few_rows_in_many_regions_are_no_hot_spot() {
    for (count, regions) in [(400, 16), (3_000, 64), (30_000, 16)] {
        let text = dated((0..count).map(|row| (format!("u{}", mixed(row)), row * 600, row)));
        let splits = json!({ "algorithm": "HexStringSplit", "regions": regions });
        let document = document("who.md5().hex(8) + id.decimal(8)", splits);
        let verdict = report(&document, &text).verdict;
        let mild = ["verdict.good", "verdict.too-few-rows", "verdict.too-sparse"];
        assert!(mild.contains(&verdict.code), "{}", verdict.message);
        assert!(!found(&document, &text).iter().any(|finding| finding.severity == FindingSeverity::Bad));
    }
}

#[test]
fn bursts_of_one_device_are_a_warning_and_no_rising_key() {
    // Devices upload 300 rows one after another; their hashes are anywhere.
    let text = dated((0..60_000).map(|row| (format!("u{}", mixed(row / 300) % 900), row * 20, row)));
    let document = document("who.md5().hex(8) + at.format('yyyyMMddHHmmss')", HEX());
    let verdict = report(&document, &text).verdict;
    assert_eq!((verdict.code, verdict.severity), ("verdict.bursts", VerdictSeverity::Warning));
    let all = found(&document, &text);
    assert_eq!(finding(&all, "RS111").severity, FindingSeverity::Warning);
    assert!(!codes(&all).contains(&"RS101"), "{:?}", codes(&all));
}

#[test]
fn ids_without_a_time_have_the_verdict_of_their_finding() {
    let mut document = document("id.int64()", json!({ "sample": 4 }));
    document.as_object_mut().expect("members").remove("arrival");
    let counting = rows((0..400).map(|row| ("a".to_owned(), 0, 7_000 + 3 * row)));
    let told = report(&document, &counting).verdict;
    assert_eq!((told.code, told.severity), ("verdict.counting", VerdictSeverity::Bad), "{}", told.message);
    assert_eq!(told.args.get("step").map(String::as_str), Some("3"));
    assert_eq!(finding(&found(&document, &counting), "RS101").severity, FindingSeverity::Bad);

    // The same ids in no order: whoever wrote them, they do not show that keys are given in turn.
    let mixed = rows((0..400).map(|row| ("a".to_owned(), 0, 7_000 + mixed(row) % 100_000)));
    assert_eq!(report(&document, &mixed).verdict.code, "verdict.good-untimed");
    assert!(!codes(&found(&document, &mixed)).contains(&"RS101"));

    // So few rows a second are no problem, in the verdict and in the finding.
    document["writesPerSecond"] = json!(2);
    let severities = found(&document, &counting);
    assert!(severities.iter().all(|finding| finding.severity != FindingSeverity::Bad));
}

#[test]
fn late_and_jittered_writes_still_rise() {
    // Three of ten come up to a day late; ids are within ten minutes of their order.
    let late = dated((0..40_000).map(|row| {
        let delay = if mixed(row) % 10 < 3 { mixed(row + 7) % 86_400 } else { 0 };
        ("a".to_owned(), row * 60 + delay, row)
    }));
    let points: Vec<String> = (1..16).map(|region| format!("{:08}", region * 2_500)).collect();
    let jittered = dated((0..40_000).map(|row| ("a".to_owned(), row * 60 + mixed(row) % 600, row)));
    for text in [late, jittered] {
        let document = document("id.decimal(8)", json!({ "points": points }));
        assert_eq!(report(&document, &text).verdict.code, "verdict.sequential");
        assert_eq!(finding(&found(&document, &text), "RS101").severity, FindingSeverity::Bad);
    }
}

#[test]
fn four_salts_of_four_regions_put_all_current_writes_on_one_of_four_servers() {
    let text = dated((0..40_000).map(|row| ("a".to_owned(), row * 60, row)));
    let points: Vec<String> = (1..16)
        .map(|region| {
            let (salt, part) = (region / 4, region % 4);
            if part == 0 { format!("{salt}") } else { format!("{salt}{:08}", part * 10_000) }
        })
        .collect();
    let mut document = document("id.floorMod(4).decimal(1) + id.decimal(8)", json!({ "points": points }));
    let judged = |document: &Value| {
        let study = study(document);
        let mut analysis = analysis_of(&study, 0, &Rc::new(records(&text, &study)));
        let verdict = analysis.report(&ReportOptions::default()).expect("report").verdict;
        (verdict, analysis.findings(&study, 0).expect("findings"))
    };
    document["servers"] = json!(4);
    let (verdict, found) = judged(&document);
    assert_eq!((verdict.code, verdict.severity), ("verdict.one-server", VerdictSeverity::Bad));
    assert_eq!(finding(&found, "RS112").severity, FindingSeverity::Bad);
    document["servers"] = json!(5);
    let (verdict, found) = judged(&document);
    assert_ne!(verdict.code, "verdict.one-server");
    assert!(!codes(&found).contains(&"RS112"));
    // One analysis judges by the servers of each document.
    let five = study(&document);
    let mut analysis = analysis_of(&five, 0, &Rc::new(records(&text, &five)));
    document["servers"] = json!(4);
    for (study, on_one) in [(study(&document), true), (five, false)] {
        let found = analysis.findings(&study, 0).expect("findings");
        assert_eq!(codes(&found).contains(&"RS112"), on_one);
        let said = analysis.report_of(&study, 0, &ReportOptions::default()).expect("report").verdict;
        assert_eq!(said.code == "verdict.one-server", on_one);
    }
}

/// Every fix that is offered is made, and judged again by itself.
#[test]
fn offered_fixes_do_good() {
    let day = dated((0..8_000).map(|row| (format!("u{}", mixed(row) % 40), row * 200, 10 * row)));
    let one = dated((0..8_000).map(|row| ("all".to_owned(), row * 200, row)));
    let keys = [
        "at.format('yyyyMMddHHmmss') + who",
        "id.decimal(8)",
        "who + at.format('yyyyMMddHHmmss')",
        "who.md5().hex(8) + at.format('yyyyMMddHHmmss')",
        "who.md5().HEX(8) + id.decimal(8)",
        "id.floorMod(8).decimal(2) + '-' + id.decimal(8)",
        "bucket(who, 8).decimal(2) + '-' + at.millis().int64()",
    ];
    let splits = [
        HEX(),
        json!({ "salts": 8, "digits": 2 }),
        json!({ "sample": 8 }),
        json!({ "algorithm": "DecimalStringSplit", "regions": 8 }),
    ];
    let mut offered = 0;
    for text in [&day, &one] {
        for (rowkey, splits) in
            keys.iter().flat_map(|rowkey| splits.iter().map(move |splits| (rowkey, splits)))
        {
            let before = document(rowkey, splits.clone());
            let all = found(&before, text);
            for finding in &all {
                let Some(fix) = &finding.fix else { continue };
                offered += 1;
                let after = super::findings::edited(&before, fix);
                let left = found(&after, text);
                let count = |all: &[Finding]| {
                    all.iter()
                        .filter(|other| other.code == finding.code && other.severity >= finding.severity)
                        .count()
                };
                assert!(count(&left) < count(&all), "{rowkey} {splits} {}: {after}", finding.code);
                let [was, is] = [&before, &after].map(|document| report(document, text).verdict);
                assert!(
                    is.severity == VerdictSeverity::Good
                        || was.severity == is.severity
                        || was.severity == VerdictSeverity::Bad,
                    "{rowkey} {splits} {}: {}",
                    finding.code,
                    is.message
                );
                assert_eq!(fix.measured.as_ref().expect("measured").verdict, is);
            }
        }
    }
    assert!(offered > 40, "{offered} offered");
}

#[test]
fn all_of_a_few_rows_a_second_is_no_problem() {
    let text = dated((0..20_000).map(|row| (format!("u{}", mixed(row) % 90), row * 60, row)));
    let points: Vec<String> = (1..8).map(|region| format!("{:08}", region * 2_500)).collect();
    let at = |rate: Value, splits: &Value| {
        let mut document = document("id.decimal(8)", splits.clone());
        if !rate.is_null() {
            document["writesPerSecond"] = rate;
        }
        let all = found(&document, &text);
        let verdict = report(&document, &text).verdict;
        let rising = finding(&all, "RS101").clone();
        (verdict.code, verdict.severity, rising.severity, rising.fix.is_some())
    };
    let points = json!({ "points": points });
    let bad = ("verdict.sequential", VerdictSeverity::Bad, FindingSeverity::Bad, true);
    assert_eq!(at(Value::Null, &points), bad);
    assert_eq!(at(json!(40_000), &points), bad);
    let near = ("verdict.sequential", VerdictSeverity::Warning, FindingSeverity::Warning, true);
    assert_eq!(at(json!(7_000), &points), near);
    let low = ("verdict.rate-low", VerdictSeverity::Good, FindingSeverity::Note, false);
    assert_eq!(at(json!(2), &points), low);
    assert_eq!(at(json!(2), &json!({ "points": [] })), low);
}

#[test]
fn rejected_records_hide_no_dead_regions() {
    let mut text = rows((0..2_000).map(|row| (format!("u{}", mixed(row) % 50), row, row)));
    for row in 0..200 {
        text += &format!("x,2024-05-01 00:00:{:02},none\n", row % 60);
    }
    let hex = json!({ "algorithm": "HexStringSplit", "regions": 16 });
    let found = found(&document("id.decimal(9).reverse()", hex), &text);
    let codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"RS304") && codes.contains(&"RS103"), "{codes:?}");
}

#[test]
fn few_rows_are_not_taken_for_few_values() {
    let text = rows((0..120).map(|row| (format!("u{row}"), row, row)));
    let found =
        found(&document("bucket(id, 256).decimal(3) + '-' + id.decimal(9)", json!({ "sample": 8 })), &text);
    assert!(found.iter().all(|finding| !["RS107", "RS110"].contains(&finding.code)), "{found:?}");
}

#[test]
fn two_regions_that_share_the_writes_are_not_one() {
    // Each day has two regions of four, and each of both half of its rows: of 20 rows of an interval, chance alone gives one 12.
    let text = dated((0..12_000).map(|row| (format!("u{:03}", mixed(row) % 300), row * 14, row)));
    let document = document("at.format('MMdd') + '_' + who + '_' + id.decimal(8)", json!({ "sample": 4 }));
    let verdict = report(&document, &text).verdict;
    assert_ne!(verdict.code, "verdict.sequential", "{}", verdict.message);
    assert!(!codes(&found(&document, &text)).contains(&"RS101"));
}

/// Rows of one of many that has so many percent of them, in the hours for which `busy` holds, and of the others.
fn one_of_many(percent: u64, busy: impl Fn(u64) -> bool) -> String {
    dated((0..60_000).map(|row| {
        let at = row * 15;
        let own = busy(at / 3_600 % 24) && mixed(row) % 100 < percent;
        (if own { "u000".to_owned() } else { format!("u{:03}", 1 + mixed(row + 1_000_000) % 999) }, at, row)
    }))
}

#[test]
fn the_share_at_any_one_time_is_that_of_all_intervals() {
    let document = document("who + at.format('yyyyMMddHHmmss') + id.decimal(8)", json!({ "sample": 12 }));
    let always = report(&document, &one_of_many(70, |_| true)).verdict;
    assert_eq!((always.code, &*always.args["when"]), ("verdict.sequential", "verdict.sequential.always"));
    let share: f64 = always.args["momentShare"].trim_end_matches('%').parse().expect("a share");
    // Those of few rows that have more by chance once stood for all.
    assert!((69.0..71.0).contains(&share), "{}", always.message);
    assert!(always.title.ends_with("at any one time"), "{}", always.title);
    let at_times = report(&document, &one_of_many(90, |hour| hour < 6)).verdict;
    assert_eq!(at_times.code, "verdict.sequential", "{}", at_times.message);
    assert!(at_times.title.ends_with("at times"), "{}", at_times.title);
}

#[test]
fn nearly_all_rows_in_one_of_two_regions_are_uneven() {
    let text = dated((0..20_000).map(|row| (format!("u{row}"), row * 30, row)));
    let at = |point: &str| {
        let document = document("who.md5().hex(8)", json!({ "points": [point] }));
        let verdict = report(&document, &text).verdict;
        let all = found(&document, &text);
        let of = all.iter().find(|finding| finding.code == "RS104").map(|finding| finding.severity);
        (verdict.code, verdict.severity, of)
    };
    assert_eq!(at("f8"), ("verdict.skewed", VerdictSeverity::Bad, Some(FindingSeverity::Bad)));
    assert_eq!(at("e0"), ("verdict.skewed", VerdictSeverity::Warning, Some(FindingSeverity::Warning)));
    assert_eq!(at("a0"), ("verdict.good", VerdictSeverity::Good, None));
}

#[test]
fn the_verdict_on_one_of_two_regions_has_its_finding() {
    let text = dated((0..5_000).map(|row| (format!("u{:02}", mixed(row) % 90), row * 30, row)));
    for (rate, verdict, severity) in [
        (None, VerdictSeverity::Bad, FindingSeverity::Bad),
        (Some(20_000), VerdictSeverity::Bad, FindingSeverity::Bad),
        (Some(6_000), VerdictSeverity::Warning, FindingSeverity::Warning),
        (Some(2), VerdictSeverity::Warning, FindingSeverity::Warning),
    ] {
        let mut document = document("who + id.decimal(8)", json!({ "points": ["z"] }));
        if let Some(rate) = rate {
            document["writesPerSecond"] = json!(rate);
        }
        let all = found(&document, &text);
        let dead = finding(&all, "RS103");
        assert_eq!(dead.severity, severity, "{rate:?}");
        assert!(dead.fix.is_some() && dead.title.starts_with("One of 2 regions"), "{}", dead.title);
        let told = report(&document, &text).verdict;
        assert_eq!((told.code, told.severity), ("verdict.all-in-one", verdict), "{rate:?}");
    }
}

#[test]
fn a_busy_entity_is_quoted_without_its_separator_and_its_share_is_no_luck() {
    let document =
        document("who + '#' + at.format('yyyyMMddHHmmss') + id.decimal(8)", json!({ "sample": 8 }));
    let all = found(&document, &one_of_many(45, |_| true));
    let busy = finding(&all, "RS109");
    assert_eq!(busy.args["value"], "u000");
    // The largest of a hundred shares is above all of them by chance.
    assert_eq!(busy.args["busiest"], busy.args["share"]);
    let all = found(&document, &one_of_many(90, |hour| hour < 10));
    assert_ne!(finding(&all, "RS109").args["busiest"], finding(&all, "RS109").args["share"]);
}

#[test]
fn the_scans_of_a_bucket_are_told_where_no_query_is_named() {
    let text = dated((0..5_000).map(|row| (format!("u{:02}", mixed(row) % 90), row * 30, row)));
    let mut document = document("at.format('yyyyMMddHHmmss') + who", json!({ "sample": 8 }));
    let costs = |document: &Value| -> Vec<String> {
        let all = found(document, &text);
        let fix = finding(&all, "RS101").fix.clone().expect("a fix");
        fix.costs.iter().map(|cost| cost.message.clone()).collect()
    };
    let priced = "Each range scan becomes 16 scans, one per bucket.".to_owned();
    assert!(costs(&document).contains(&priced), "{:?}", costs(&document));
    document["queries"] =
        json!([{ "name": "a day", "where": { "at": { "from": "2023-01-01", "to": "2023-01-02" } } }]);
    let of_query = "“a day” will need 16 scans instead of 1.".to_owned();
    assert!(costs(&document).contains(&of_query) && !costs(&document).contains(&priced));
}

#[test]
fn ids_of_growing_length_are_no_bursts_of_a_sender() {
    // 4 digits, then 5: as text, they go through the regions twice, and each of them has one row.
    let text = dated((0..4_000).map(|row| ("a".to_owned(), row * 20, 1_000 + 10 * row)));
    let document = document("id + '|' + at.format('yyyyMMddHHmmss')", json!({ "sample": 2 }));
    let verdict = report(&document, &text).verdict;
    assert_eq!(verdict.code, "verdict.sequential", "{}", verdict.message);
    let codes = codes(&found(&document, &text));
    assert!(codes.contains(&"RS101") && !codes.contains(&"RS111"), "{codes:?}");
}
