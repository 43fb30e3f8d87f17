//! Principles for every key: spread, one row per record, length, order, names, families, versions.

use super::opened::{file, generated, open, with};
use rowscape::design::{Cluster, Growth, GrowthAmount, parse};
use rowscape::emit::{EmitSubject, emit};
use rowscape::encode::Encoder;
use rowscape::field::shape::Order;
use rowscape::sizing::{bytes_at_most, shared_families};
use rowscape::storage::table::{KeyLengths, storage};
use serde_json::{Value, json};

/// Bytes of the cells of a table for so many rows.
fn bytes(slug: &str, name: &str, rows: u64) -> u64 {
    let opened = open(slug);
    let table = opened.table(name);
    storage(table.families.as_slice(), &table.typed.shape.width.into(), rows).total
}

#[test]
fn a1_a_remainder_of_ids_given_out_in_tens_is_one_bucket_and_with_the_day_one_a_day() {
    let opened = open("a1-bucket-of-the-id");
    let filled = |table: &str| opened.regions(table).iter().filter(|&&rows| rows > 0).count();
    assert_eq!((filled("by_id"), filled("by_id_and_day")), (1, 10));
    let keys = opened.texts("by_id_and_day");
    for day in keys.chunks(4) {
        assert!(day.iter().all(|key| key.as_bytes()[0] == day[0].as_bytes()[0]), "{day:?}");
    }
}

#[test]
fn a2_two_records_of_a_second_are_one_row_and_of_a_millisecond_two() {
    let opened = open("a2-one-key-for-two-records");
    assert_eq!((opened.keys("seconds").len(), opened.rows("seconds").len()), (5, 3));
    assert_eq!(opened.rows("millis").len(), 5);
}

#[test]
fn a3_a_digest_of_an_address_is_sixteen_bytes_and_does_not_give_it_back() {
    let opened = open("a3-long-keys");
    let longest = |table: &str| opened.keys(table).iter().map(Vec::len).max();
    assert_eq!((longest("url"), longest("digest")), (Some(93), Some(16)));
    let digest = &opened.keys("digest")[0];
    assert_eq!(opened.told("digest", digest, "url"), None);
    assert_eq!(opened.table("url").typed.shape.width.max, None);
}

#[test]
fn a3_an_address_of_93_bytes_is_written_into_each_of_five_cells() {
    let mut document: Value = serde_json::from_str(&file("a3-long-keys.json")).expect("JSON");
    let cells: Vec<Value> = (0..5).map(|cell| json!({ "qualifier": cell.to_string(), "bytes": 4 })).collect();
    for table in 0..2 {
        document["tables"][table]["families"] = json!([{ "name": "d", "cells": cells }]);
    }
    let study = parse(&document.to_string()).expect("a design");
    let row = |table: usize, length: u64| {
        let keys = KeyLengths { min: length, max: Some(length), ..KeyLengths::default() };
        let stored = storage(&study.tables[table], &keys, 1);
        (stored.bytes.row, stored.total)
    };
    // Besides the key a cell has 20 + 1 + 1 + 4 bytes.
    assert_eq!((row(0, 93), row(1, 16)), ((465, 465 + 5 * 26), (80, 80 + 5 * 26)));
}

#[test]
fn a3_a_row_key_of_no_byte_or_of_more_than_32767_is_refused() {
    let csv = format!("url,ts\n{},1\n{},1\n,1\n", "x".repeat(32_767), "x".repeat(32_768));
    let opened = with("a3-long-keys", &csv);
    let encoder = Encoder::new(&opened.records, &["url", "ts"], &[&opened.table("url").typed]);
    let keys = encoder.encode().swap_remove(0);
    assert_eq!((0..3).map(|row| keys.keys.get(row).len()).collect::<Vec<_>>(), [32_767, 0, 0]);
    assert_eq!(keys.refused.count(), 2);
}

#[test]
fn a4_three_ways_to_turn_the_time_round() {
    let opened = open("a4-newest-first");
    let number = |table: &str, row: usize| {
        let keys = opened.keys(table);
        i64::from_be_bytes(keys[row][4..].try_into().expect("eight bytes"))
    };
    let ts = 1_638_290_481_900;
    assert_eq!(number("millis", 0), i64::MAX - ts);
    assert_eq!(number("of_seconds", 0), i64::MAX - ts / 1000);
    assert_eq!(number("then_divided", 0), (i64::MAX - ts) / 1000);
    // The third record is the newest of its host; in seconds of the clock it is later than the second by one.
    for table in ["millis", "of_seconds", "then_divided"] {
        assert_eq!(opened.rows(table)[0], opened.keys(table)[2], "{table}");
        assert!(opened.table(table).typed.parts[1].shape.order != Order::None, "{table}");
    }
}

#[test]
fn a6_a_partition_two_ids_and_the_time_turned_round() {
    let opened = open("a6-partition-ids-and-time");
    let keys = opened.texts("events");
    let tail = |ts: i64| format!("-t001-u-000007-{}", i64::MAX - ts);
    assert!(keys[0].ends_with(&tail(1_638_290_481_900)), "{}", keys[0]);
    assert!(keys[1] < keys[0], "the newer first");
    // "t001u-000007".hashCode() is 4 modulo 8, that of the other tenant's 5.
    assert_eq!(keys.iter().map(|key| &key[..1]).collect::<Vec<_>>(), ["4", "4", "5"]);
    assert_eq!(keys[0].len(), 1 + 1 + 4 + 1 + 8 + 1 + 19);
    let rows = generated("a6-partition-ids-and-time", Some(2000)).regions("events");
    assert!(rows.len() == 8 && rows.iter().all(|&rows| rows > 150), "{rows:?}");
}

#[test]
fn a7_a_family_of_a_letter_and_a_qualifier_of_three_save_32_bytes_a_cell() {
    let (long, short) =
        (bytes("a7-short-names", "long", 1_000_000), bytes("a7-short-names", "short", 1_000_000));
    assert_eq!(long - short, (11 + 21) * 1_000_000);
    assert_eq!(short, (20 + 4 + 1 + 3 + 4) * 1_000_000);
}

#[test]
fn a8_a_scan_of_the_small_family_visits_the_regions_of_the_large() {
    let opened = open("a8-families-of-unlike-size");
    let design = opened.table("together");
    let table = storage(design, &design.typed.shape.width.into(), 1_000_000_000);
    assert_eq!(table.families.len(), 4);
    // A cell of 40 bytes under a key of four, with the names of each.
    assert_eq!(table.families[0].bytes.total(), 1_000_000 * (20 + 4 + 7 + 1 + 40));
    assert_eq!(table.families[1].bytes.total(), 1_000_000_000 * (20 + 4 + 5 + 1 + 40));
    let shared = shared_families(&table, 1, &Cluster::default());
    assert_eq!((shared[0].alone, shared[0].together, shared[0].files), (1, 7, 21));
}

#[test]
fn a9_half_of_the_rows_move_when_the_buckets_are_doubled() {
    let opened = generated("a9-rows-that-move", Some(4000));
    let (four, eight) = (opened.texts("four_buckets"), opened.texts("eight_buckets"));
    let moved = four.iter().zip(&eight).filter(|(four, eight)| four != eight).count();
    assert!((1_600..2_400).contains(&moved), "{moved}");
    for (four, eight) in four.iter().zip(&eight) {
        let digit = |key: &str| key.as_bytes()[0] - b'0';
        assert!(digit(eight) == digit(four) || digit(eight) == digit(four) + 4, "{four} {eight}");
        assert_eq!(four[1..], eight[1..]);
    }
}

#[test]
fn a10_versions_of_a_row_or_a_row_for_each() {
    let opened = open("a10-versions-kept");
    assert_eq!((opened.rows("hundred").len(), opened.rows("rows").len()), (2, 6));
    let family = &opened.table("hundred").families[0];
    assert_eq!((family.versions, family.min_versions, family.ttl), (100, Some(3), Some(86_400)));
    assert_eq!(opened.rows("rows")[0], opened.keys("rows")[4], "the newest of the first id");
}

/// The design document of a table with one family: a day of life, so many versions, at least so many.
fn versions(most: u32, least: Option<u32>) -> String {
    let mut family =
        json!({ "name": "d", "versions": most, "ttl": 86_400, "cells": [{ "qualifier": "v", "bytes": 8 }] });
    if let Some(least) = least {
        family["minVersions"] = json!(least);
    }
    let table = json!({ "name": "t", "families": [family] });
    json!({ "rowscape": 1, "fields": [{ "name": "id", "type": "integer" }], "rowkey": "id.uint32()", "table": table }).to_string()
}

#[test]
fn a10_a_day_at_most_a_hundred_and_at_least_three_versions_are_kept() {
    let study = parse(&versions(100, Some(3))).expect("a design");
    let design = &study.tables[0];
    let points = design.splits.points();
    let create = emit("shell", &EmitSubject::new(&study, design, &points)).expect("a command").text;
    assert!(create.contains("MIN_VERSIONS => 3, VERSIONS => 100, TTL => 86400"), "{create}");
    // TableDescriptorChecker: min versions must not be above max versions.
    let problems = parse(&versions(2, Some(3))).err().expect("refused");
    let found: Vec<_> = problems.iter().map(|problem| (problem.code, problem.place.path.as_str())).collect();
    assert_eq!(found, [("design.min-versions", "table.families[0].minVersions")]);
}

#[test]
fn a10_rows_of_which_some_versions_always_stay_never_leave_the_table() {
    let growth = Growth { amount: GrowthAmount::Rows, now: 0, per_day: 1000, months: 12, arrivals: None };
    let bytes = |least| {
        let study = parse(&versions(3, least)).expect("a design");
        let design = &study.tables[0];
        bytes_at_most(&growth, design, &design.typed.shape.width.into())
    };
    // 20 + 4 + 1 + 1 + 8 bytes a row: those of a day, or those of a year.
    assert_eq!((bytes(None), bytes(Some(1))), (1000 * 34, 365_000 * 34));
}
