//! Logs and time series: what leads, what is newest, and how long a key is.

use super::opened::{Opened, file, md5, open};
use rowscape::design::parse;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const TIMES: [i64; 6] =
    [1638290481900, 1638290482900, 1638290483900, 1638290484900, 1638290485900, 1638290586900];

const HOST: &str = "myserver1.mycompany.com";
const EVENT: &str = "com.package1.subpackage2.subsubpackage3.ImportantService";

#[test]
fn i1_time_first() {
    assert_eq!(open("i1-time-first").texts("log"), TIMES.map(|time| format!("{time}-host001-login")));
}

#[test]
fn i2_times_in_steps_of_a_hundred_fill_one_of_a_hundred_buckets() {
    let opened = open("i2-bucket-of-time");
    assert_eq!(opened.texts("log"), TIMES.map(|time| format!("00-{time}-host001-login")));
    let regions = opened.regions("log");
    assert_eq!((regions.len(), regions[0]), (100, 6));
    let opened = open("i2-coprime-buckets");
    let expected = TIMES.map(|time| format!("{:02}-{time}-host001-login", time % 97));
    assert_eq!(opened.texts("log"), expected);
    assert_eq!(expected.iter().map(|key| &key[..2]).collect::<BTreeSet<_>>().len(), 6, "six buckets");
}

#[test]
fn i3_host_event_and_time_rise_within_a_host() {
    let keys = open("i3-host-event-time").keys("log");
    assert_eq!(keys, TIMES.map(|time| [b"host001\0login\0", &time.to_be_bytes()[..]].concat()));
    assert!(keys.is_sorted());
}

#[test]
fn i4_the_newest_comes_first() {
    let keys = open("i4-newest-first").keys("log");
    let turned = TIMES.map(|time| i64::MAX - time);
    assert_eq!(keys, turned.map(|time| [b"host001\0login\0", &time.to_be_bytes()[..]].concat()));
    assert!(keys.iter().rev().is_sorted());
}

#[test]
fn i5_names_digests_and_numbers() {
    let time = (i64::MAX - TIMES[0]).to_be_bytes();
    let names = open("i5-long-names").keys("log").swap_remove(0);
    assert_eq!(names, [HOST.as_bytes(), b"\0", EVENT.as_bytes(), b"\0", &time].concat());
    let opened = open("i5-digests-of-names");
    let digests = opened.keys("log").swap_remove(0);
    assert_eq!(digests, [&md5(HOST)[..], &md5(EVENT), &time].concat());
    let opened_ids = open("i5-numeric-ids");
    let numbers = opened_ids.keys("log").swap_remove(0);
    assert_eq!(numbers, [1i64.to_be_bytes(), 2i64.to_be_bytes(), time].concat());
    assert_eq!([names.len(), digests.len(), numbers.len()], [89, 40, 24]);
    // Unlike digests, numbers are turned back into names.
    let told = |field| opened_ids.told("log", &numbers, field);
    assert_eq!(["hostname", "event"].map(told), [HOST, EVENT].map(|name| Some(name.to_owned())));
    // True for any names, not only for these.
    assert_eq!(opened.table("log").typed.shape.width.exact(), Some(40));
    assert_eq!(opened_ids.table("log").typed.shape.width.exact(), Some(24));
}

#[test]
fn i5_the_lookup_table_is_keyed_by_type_and_bytes() {
    let keys = open("i5-log-types").texts("LOG_TYPES");
    assert_eq!(keys, [format!("1{HOST}"), format!("2{EVENT}")]);
}

#[test]
fn i6_events_of_five_minutes_share_a_row() {
    let opened = open("i6-five-minute-rows");
    let times = [1638290400000i64, 1638290481900, 1638290586900, 1638290699999, 1638290700000];
    let key = |time: i64| [b"host001\0login\0", &time.to_be_bytes()[..]].concat();
    assert_eq!(opened.keys("rows"), times.map(key));
    assert_eq!(opened.keys("five_minutes"), times.map(|time| key(time - time % 300_000)));
    // Five cells either way; five rows become two.
    assert_eq!((opened.rows("rows").len(), opened.rows("five_minutes").len()), (5, 2));
    // The rest of the time distinguishes the cells of a row.
    let mut document: Value = serde_json::from_str(&file("i6-five-minute-rows.json")).expect("JSON");
    assert!(opened.table("five_minutes").typed.columns[0].qualifier.is_some());
    document["tables"][1]["rowkey"] = json!("qualifier");
    document["tables"][1]["families"] = json!([]);
    let study = parse(&document.to_string()).expect("the qualifier is a formula");
    let qualifiers = Opened { study, ..opened }.keys("five_minutes");
    assert_eq!(qualifiers, times.map(|time| ((time % 300_000) as u32).to_be_bytes()[1..].to_vec()));
}

#[test]
fn i6_a_row_of_opentsdb() {
    let opened = open("i6-opentsdb-row");
    // 2021-11-30T16:00:00Z is 1638288000 seconds, and an hour later the next row begins.
    let row = |hour: u32| [&[0, 0, 1], &hour.to_be_bytes()[..], &[0, 0, 2, 0, 0, 3]].concat();
    let keys = opened.keys("tsdb");
    assert_eq!(keys, [1638288000, 1638288000, 1638288000, 1638291600].map(row));
    assert_eq!(opened.table("tsdb").typed.shape.width.exact(), Some(13), "no salt in front");
}

#[test]
fn i7_one_number_as_long_text_and_digest() {
    let opened = open("i7-number-formats");
    let bytes = |table, row: usize| opened.keys(table).swap_remove(row);
    assert_eq!(bytes("long", 0), 1_234_567_890i64.to_be_bytes());
    assert_eq!(bytes("text", 0), b"1234567890");
    assert_eq!(bytes("md5", 0), md5("0000000001234567890"));
    let lengths = |row| ["long", "text", "md5", "md5_hex"].map(|table| bytes(table, row).len());
    assert_eq!(lengths(0), [8, 10, 16, 32]);
    // Long.MAX_VALUE; twice as much, 18446744073709551615, has twenty digits and is no long.
    assert_eq!(lengths(1), [8, 19, 16, 32]);
    assert_eq!((u64::MAX.to_string().len(), u64::MAX.to_be_bytes().len()), (20, 8));
    // 9 and 10: as long they sort as numbers, as text they do not.
    assert!(bytes("long", 2) < bytes("long", 3) && bytes("text", 2) > bytes("text", 3));
}
