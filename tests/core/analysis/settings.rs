//! Settings that follow from a key and its queries, what queries ask of regions, and what they cost without records.

use proptest::prelude::*;
use rowscape::decode::decode;
use rowscape::design::{Document, parse, typed_of};
use rowscape::encode::Encoder;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::key_table::KeyTable;
use rowscape::records::Records;
use rowscape::scan::{self, QueryMatcher};
use rowscape::settings::{TableSetting, settings};
use rowscape::settings::{readings, told_apart, versioned};
use serde_json::{Value, json};

/// Calls of phones of 11 digits.
fn document(rowkey: &str, conditions: Value) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "phone", "type": "text" },
            { "name": "call_time", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" },
            { "name": "order", "type": "integer" },
        ],
        "arrival": "call_time",
        "rowkey": rowkey,
        "table": { "families": [{ "name": "d", "cells": [{ "qualifier": "v", "bytes": 4 }] }] },
        "queries": [{ "name": "q", "where": conditions }],
    })
}

fn study(document: &Value) -> Document {
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{document}: {problems:?}"))
}

fn settings_of(document: &Value) -> Vec<TableSetting> {
    let study = study(document);
    let design = &study.tables[0];
    settings(&study, design, &design.typed.shape.width.into())
}

fn named<'s>(all: &'s [TableSetting], name: &str) -> Option<&'s TableSetting> {
    all.iter().find(|setting| setting.name == name)
}

const RESTRICTION: &str = "hbase.regionserver.region.split_restriction.type";

fn day(phone: &str) -> Value {
    json!({ "phone": phone, "call_time": ["2021-09-07", "2021-09-08"] })
}

#[test]
fn rows_of_one_phone_are_kept_in_one_region_and_found_by_their_first_bytes() {
    // Two digits of a bucket, 11 of the phone.
    let all = settings_of(&document(
        "bucket(phone, 6).decimal(2) + phone.text(11) + call_time.format('yyyyMMddHHmmss')",
        day("13412341234"),
    ));
    let restriction = named(&all, RESTRICTION).expect("a restriction");
    assert_eq!(restriction.value, "KeyPrefix");
    let length = "hbase.regionserver.region.split_restriction.prefix_length";
    assert_eq!(restriction.configuration, [(length, "13".to_owned())]);
    let bloom = named(&all, "BLOOMFILTER").expect("a filter");
    assert_eq!(bloom.value, "ROWPREFIX_FIXED_LENGTH");
    assert_eq!(bloom.configuration, [("RowPrefixBloomFilter.prefix_length", "13".to_owned())]);
    assert_eq!(bloom.family.as_deref(), Some("d"));
}

#[test]
fn a_scan_of_a_whole_prefix_shares_one_byte_less_than_the_prefix() {
    // From 13412341234 to 13412341235: StoreFileReader sees ten bytes in common, and looks into no filter of eleven.
    let all = settings_of(&document(
        "phone.text(11) + call_time.format('yyyyMMddHHmmss')",
        json!({ "phone": "13412341234" }),
    ));
    assert_eq!(named(&all, "BLOOMFILTER"), None);
}

#[test]
fn a_bucket_alone_is_no_thing_to_keep_together() {
    let hour = json!({ "call_time": ["2021-09-07", "2021-09-08"] });
    let all = settings_of(&document(
        "bucket(phone, 6).decimal(2) + call_time.format('yyyyMMddHHmmss') + phone",
        hour,
    ));
    assert_eq!(named(&all, RESTRICTION), None);
}

/// Users share a byte of a digest, and HBase would keep all of them in one region.
#[test]
fn a_short_digest_alone_is_no_thing_to_keep_together() {
    let all = settings_of(&document("phone.md5().raw(1) + phone + call_time.format('yyyyMMdd')", day("1")));
    assert_eq!(named(&all, RESTRICTION), None);
    let all = settings_of(&document("phone.md5().raw(16) + call_time.format('yyyyMMddHH')", day("1")));
    assert_eq!(named(&all, RESTRICTION).expect("a restriction").configuration[0].1, "16");
}

#[test]
fn a_delimiter_marks_the_thing_only_when_it_comes_first() {
    let all = settings_of(&document(
        "order + '_' + call_time.format('yyyyMMddHHmmss')",
        json!({ "order": 7, "call_time": ["2021-09-07", "2021-09-08"] }),
    ));
    let restriction = named(&all, RESTRICTION).expect("a restriction");
    let delimiter = "hbase.regionserver.region.split_restriction.delimiter";
    assert_eq!(restriction.configuration, [(delimiter, "_".to_owned())]);
    // HBase takes the first delimiter: a bucket before it would be a region for ever.
    let all = settings_of(&document(
        "bucket(phone, 6).decimal(2) + '_' + order + '_' + call_time.format('yyyyMMddHHmmss')",
        json!({ "order": 7, "phone": "1", "call_time": ["2021-09-07", "2021-09-08"] }),
    ));
    assert_eq!(named(&all, RESTRICTION), None);
    // Text that may hold it tells nothing.
    let all = settings_of(&document("phone + '_' + call_time.format('yyyyMMddHHmmss')", day("1")));
    assert_eq!(named(&all, RESTRICTION), None);
}

#[test]
fn long_keys_of_short_values_are_encoded_and_long_values_not() {
    let key = "phone.sha256().hex() + call_time.format('yyyyMMddHHmmss')";
    let mut several = document(key, day("13412341234"));
    several["table"]["families"][0]["cells"] =
        (0..8).map(|cell| json!({ "qualifier": format!("q{cell}"), "bytes": 4 })).collect();
    assert_eq!(
        named(&settings_of(&several), "DATA_BLOCK_ENCODING").map(|setting| setting.value.as_str()),
        Some("FAST_DIFF")
    );
    several["table"]["families"][0]["cells"] = json!([{ "qualifier": "v", "bytes": 5000 }]);
    assert_eq!(named(&settings_of(&several), "DATA_BLOCK_ENCODING"), None);
    let got = document("order.int64()", json!({ "order": 7 }));
    let mut large = got.clone();
    large["table"]["families"][0]["cells"][0]["bytes"] = json!(5000);
    assert_eq!(
        named(&settings_of(&large), "DATA_BLOCK_ENCODING").map(|setting| setting.value.as_str()),
        Some("ROW_INDEX_V1")
    );
}

#[test]
fn d2_a_yearly_loop_lives_344_days_at_the_shipped_compaction() {
    let mut document = document("call_time.format('MM-dd') + '-' + phone", json!({ "phone": "1" }));
    let ttl = |document: &Value| named(&settings_of(document), "TTL").map(|setting| setting.value.clone());
    assert_eq!(ttl(&document), Some((344 * 86_400).to_string()));
    document["cluster"] = json!({ "majorCompactionDays": 1 });
    // A day, half of it more by chance, twice.
    assert_eq!(ttl(&document), Some((362 * 86_400).to_string()));
    document["table"]["families"][0]["ttl"] = json!(300 * 86_400);
    assert_eq!(ttl(&document), None);
}

#[test]
fn d2_regions_of_expired_days_are_merged_when_the_normalizer_is_on_and_takes_empty_ones() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery/d2-loop-key.json");
    let study = parse(&std::fs::read_to_string(path).expect("an entry")).expect("a design");
    let of =
        |table: usize| settings(&study, &study.tables[table], &study.tables[table].typed.shape.width.into());
    let dated = of(0);
    // It is off for a table as shipped, and leaves regions of less than 1 MiB alone.
    let normalizer = named(&dated, "NORMALIZATION_ENABLED").expect("the normalizer");
    assert_eq!(normalizer.value, "true");
    assert_eq!(normalizer.configuration, [("hbase.normalizer.merge.min_region_size.mb", "0".to_owned())]);
    // Days that come round need no normalizer, but to live for less than a year.
    let looped = of(1);
    assert_eq!(named(&looped, "NORMALIZATION_ENABLED"), None);
    assert_eq!(named(&looped, "TTL").map(|setting| setting.value.as_str()), Some("29721600"));
}

#[test]
fn versions_and_expired_regions_follow_from_time_in_the_key() {
    let mut document = document("call_time.format('yyyyMMddHHmmss') + phone", day("1"));
    document["table"]["families"][0]["versions"] = json!(5);
    document["table"]["families"][0]["ttl"] = json!(86_400);
    let all = settings_of(&document);
    assert_eq!(named(&all, "VERSIONS").map(|setting| setting.value.as_str()), Some("1"));
    let normalizer = named(&all, "NORMALIZATION_ENABLED").expect("the normalizer");
    assert_eq!(normalizer.configuration, [("hbase.normalizer.merge.min_region_size.mb", "0".to_owned())]);
}

#[test]
fn every_reason_has_a_sentence() {
    let sentence = |setting: TableSetting| setting.reason.sentence();
    for rowkey in [
        "call_time.format('MM-dd') + phone",
        "phone.text(11) + call_time.format('yyyyMMddHHmmss')",
        "order + '_' + call_time.format('yyyyMMddHHmmss')",
    ] {
        let all = settings_of(&document(
            rowkey,
            json!({ "order": 7, "phone": "1", "call_time": ["2021-09-07", "2021-09-08"] }),
        ));
        assert!(
            all.into_iter()
                .map(sentence)
                .all(|sentence| !sentence.contains('{') && !sentence.starts_with("settings."))
        );
    }
}

fn keys(study: &Document, table: usize, records: &Records) -> Vec<Vec<u8>> {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&study.tables[table].typed]).encode().swap_remove(0);
    keys.keys.iter().map(<[u8]>::to_vec).collect()
}

fn made(study: &Document, rows: u64, seed: u64) -> Records {
    let spec = GeneratorSpec { rows, seed, ..GeneratorSpec::default() };
    Generator::all(&spec, &study.fields).expect("records")
}

#[test]
fn old_and_new_keys_are_decoded_together() {
    let (old, new) = (
        "phone + '_' + call_time.format('yyyyMMddHHmmss')",
        "phone.reverse() + '_' + call_time.format('yyyyMMdd')",
    );
    let mut versions = document(old, json!({}));
    let table = |name: &str, rowkey: String| json!({ "name": name, "rowkey": rowkey });
    for name in ["rowkey", "table"] {
        versions.as_object_mut().expect("object").remove(name);
    }
    versions["tables"] = json!([table("old", versioned(old, 1)), table("new", versioned(new, 2))]);
    let study = study(&versions);
    let [a, b] = [0, 1].map(|table| study.tables[table].typed.shape.clone());
    assert_eq!(told_apart(&a, &b), Some(0));
    let records = made(&study, 50, 7);
    for table in 0..2 {
        for key in keys(&study, table, &records) {
            let all = readings(&study, &key);
            assert_eq!(all.len(), 1, "{key:?}");
            assert_eq!(all[0].0, table);
            assert_eq!(all[0].1, decode(&study.tables[table].typed, &study.fields, &key).expect("decoded"));
        }
    }
    // Without the byte both formulas can have made a key.
    let plain = typed_of(&study, &study.tables[0], old).expect("formula");
    let other = typed_of(&study, &study.tables[0], new).expect("formula");
    assert_eq!(told_apart(&plain.shape, &other.shape), None);
}

#[test]
fn queries_load_regions_by_their_rate_and_values() {
    let mut document = document("phone.md5().hex(8) + phone", json!({ "phone": "13412341234" }));
    document["splits"] = json!({ "algorithm": "HexStringSplit", "regions": 8 });
    document["servers"] = json!(4);
    document["queries"][0]["rate"] = json!(100.0);
    let rated = |popularity: &str| {
        let mut document = document.clone();
        document["queries"][0]["popularity"] = json!(popularity);
        let study = study(&document);
        let points = study.tables[0].splits.points().expect("points");
        scan::reads(&study, &study.tables[0], &points, Some(&made(&study, 5_000, 3)))
    };
    let named = rated("named");
    assert_eq!(named.regions.iter().filter(|&&rate| rate > 0.0).count(), 1);
    for reads in [named, rated("rows"), rated("values")] {
        assert!((reads.requests - 100.0).abs() < 1e-9);
        for list in [&reads.regions, &reads.servers] {
            assert!((list.iter().sum::<f64>() - 100.0).abs() < 1e-9, "{list:?}");
        }
        assert_eq!((reads.regions.len(), reads.servers.len()), (8, 4));
    }
    // Hashed values lie everywhere: no region has all.
    assert!(rated("values").regions.iter().all(|&rate| rate < 40.0));
    // A query of the whole table asks each region.
    document["queries"] =
        json!([{ "name": "all", "where": { "order": 7 }, "rate": 2.0 }, { "name": "seldom", "where": {} }]);
    let study = study(&document);
    let points = study.tables[0].splits.points().expect("points");
    let reads = scan::reads(&study, &study.tables[0], &points, None);
    assert_eq!((reads.requests, reads.regions), (16.0, vec![2.0; 8]));
    assert_eq!(reads.unrated, ["seldom"]);
}

#[test]
fn of_200_estimates_without_records_at_least_180_hold_the_truth() {
    let phone = "1340000";
    let mut held = 0;
    for seed in 0..200u64 {
        let mut document = document(
            "call_time.format('yyyyMMddHHmmss') + phone",
            json!({ "call_time": ["2024-05-01 06:00:00", "2024-05-01 09:00:00"], "phone": { "prefix": phone } }),
        );
        document["generate"] = json!({ "rows": 8_000, "seed": seed, "span": "1d", "rhythm": "flat", "fields": [
            { "name": "phone", "from": { "text": "134000#####" } },
            { "name": "order", "from": { "number": { "min": 0, "max": 999 } } },
        ] });
        let study = study(&document);
        let estimated = scan::estimate(&study, &study.tables[0])[0].expect("estimate");
        assert_eq!(estimated.rows, 8_000);
        // The truth: all of other records of the same description.
        let mut spec: GeneratorSpec =
            serde_json::from_value(study.generate.clone().expect("generate")).expect("spec");
        spec.seed = seed + 10_000;
        let records = Generator::all(&spec, &study.fields).expect("records");
        let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
        let table = KeyTable::new(
            Encoder::new(&records, &names, &[&study.tables[0].typed]).encode().swap_remove(0),
            0,
        );
        let domains = scan::read(&study.queries[0], &study.fields, "").expect("query");
        let plan = scan::plan(&study.tables[0].typed, &study.fields, &study.queries[0], &domains);
        let counted =
            scan::count(&plan.ranges, &table, &QueryMatcher::new(&records, &study.fields, &domains));
        let returned = counted.returned as f64;
        held += u32::from(estimated.returned.low <= returned && returned <= estimated.returned.high);
    }
    assert!(held >= 180, "{held}");
}

proptest! {
    #[test]
    fn any_design_has_its_settings(rowkey in prop::sample::select(vec!["phone", "order.int64()", "phone.terminated() + order.int64()", "salt(4).decimal(1) + phone", "call_time.format('dd') + phone", "rest.md5().hex(2) + phone"]), ttl in proptest::option::of(1u32..), days in 0u32..3650) {
        let mut document = document(rowkey, json!({ "phone": "1" }));
        document["cluster"] = json!({ "majorCompactionDays": days });
        if let Some(ttl) = ttl {
            document["table"]["families"][0]["ttl"] = json!(ttl);
        }
        for setting in settings_of(&document) {
            let sentence = setting.reason.sentence();
            let whole = !sentence.contains('{');
            prop_assert!(whole, "{}", sentence);
        }
    }
}
