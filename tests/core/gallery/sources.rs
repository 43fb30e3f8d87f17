//! Figures and names by which an entry or the glossary corrects published advice.

use super::opened::{file, generated, index, md5, open, scan, study};
use rowscape::design::parse;
use rowscape::emit::{EmitSubject, emit};
use rowscape::encode::Encoder;
use rowscape::split::ALGORITHMS;
use rowscape::storage::table::storage;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The sentences of an entry that correct advice.
fn correction(slug: &str) -> String {
    let entry = index().into_iter().find(|entry| entry["slug"] == slug).expect(slug);
    entry["wrong"].as_str().expect("a correction").to_owned()
}

/// The explanation of a word in English.
fn explanation(word: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/messages/glossary.en.json");
    let glossary: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("glossary")).expect("JSON");
    glossary[word]["text"].as_str().expect(word).to_owned()
}

#[test]
fn b1_a_range_that_ends_at_the_key_of_the_last_reading_loses_it() {
    let keys = open("b1-engine-type-time-vin").texts("engine");
    let (first, last) = (&keys[0], &keys[keys.len() - 1]);
    assert_eq!(scan(&keys, first, last).len(), keys.len() - 1);
    assert_eq!(scan(&keys, first, &format!("{last}\0")).len(), keys.len());
    assert!(correction("b1-engine-type-time-vin").contains("excludes its stop row"));
}

#[test]
fn k1_a_scan_of_the_shell_has_the_table_before_its_options_and_commas_between_them() {
    let study = study("k1-one-row-a-value");
    let design = &study.tables[0];
    let points = design.splits.points();
    let text = emit("scan-shell", &EmitSubject::new(&study, design, &points)).expect("commands").text;
    let limited = text.lines().find(|line| line.contains("LIMIT => 30")).expect("a page of 30");
    assert!(limited.starts_with("scan 'list', {STARTROW => \"user\", "), "{limited}");
    assert!(limited.contains(", STOPROW => ") && limited.contains(", LIMIT => 30"), "{limited}");
    assert!(correction("k1-one-row-a-value").contains("commas between the options"));
}

#[test]
fn g1_the_correction_names_every_split_algorithm_and_their_number() {
    let said = correction("g1-algorithm-by-alphabet");
    assert!(ALGORITHMS.iter().all(|algorithm| said.contains(algorithm.name)), "{said}");
    assert_eq!((ALGORITHMS.len(), said.contains("HBase ships three")), (3, true));
}

#[test]
fn g7_the_exported_class_catches_a_missing_namespace_and_disables_no_table() {
    let study = study("g7-table-made-in-code");
    let design = &study.tables[0];
    let points = design.splits.points();
    let class = emit("admin-java", &EmitSubject::new(&study, design, &points)).expect("a class").text;
    let asks = class.find("admin.getNamespaceDescriptor(").expect("asks for the namespace");
    let catches = class.find("catch (NamespaceNotFoundException").expect("catches its absence");
    let creates = class.find("admin.createNamespace(").expect("creates it");
    assert!(asks < catches && catches < creates, "{class}");
    assert!(!class.contains("disableTable"), "{class}");
    assert!(correction("g7-table-made-in-code").contains("throws NamespaceNotFoundException"));
}

/// Bytes in UTF-8 of a Java string made of bytes, in ISO-8859-1 or windows-1252.
fn kept(digest: &[u8], windows: bool) -> usize {
    let character = |byte: u8| match byte {
        0x9b if windows => '\u{203a}',
        0x9f if windows => '\u{178}',
        0x80..=0x9f if windows => panic!("{byte:x} is not among the bytes of this digest"),
        _ => char::from(byte),
    };
    digest.iter().map(|&byte| character(byte).len_utf8()).sum()
}

#[test]
fn i7_a_digest_kept_as_a_string_has_as_many_bytes_as_its_character_set_makes() {
    let digest = md5("1234567890");
    let utf8 = String::from_utf8_lossy(&digest).len();
    let (latin, windows) = (kept(&digest, false), kept(&digest, true));
    assert_eq!((latin, windows, utf8), (25, 26, 34));
    let said = correction("i7-number-formats");
    assert!(said.contains("printed as 26 bytes"), "{said}");
    for part in [
        format!("{windows} with windows-1252"),
        format!("{latin} with ISO-8859-1"),
        format!("{utf8} with UTF-8"),
    ] {
        assert!(said.contains(&part), "{said}");
    }
}

#[test]
fn a3_the_bytes_of_an_address_in_five_cells_are_those_of_the_story() {
    let entry = index().into_iter().find(|entry| entry["slug"] == "a3-long-keys").expect("an entry");
    let longest = open("a3-long-keys").keys("url").iter().map(Vec::len).max().expect("keys");
    let story = entry["story"].as_str().expect("a story");
    let said = format!("A URL of {longest} characters in rows of five cells takes {} bytes", 5 * longest);
    assert!(story.contains(&said), "{story}");
}

#[test]
fn blocks_of_8_kib_have_the_index_entries_that_the_glossary_says() {
    let blocks = |size: Option<u32>| {
        let mut family = json!({ "name": "d", "cells": [{ "qualifier": "v", "bytes": 8 }] });
        if let Some(size) = size {
            family["blocksize"] = json!(size);
        }
        let document = json!({
            "rowscape": 1,
            "fields": [{ "name": "id", "type": "integer" }],
            "rowkey": "id.uint32()",
            "table": { "name": "t", "families": [family] }
        });
        let study = parse(&document.to_string()).expect("a design");
        let table = &study.tables[0];
        storage(table.families.as_slice(), &table.typed.shape.width.into(), 10_000_000).families[0].blocks
    };
    let by_default = blocks(None);
    assert_eq!(by_default, blocks(Some(64 << 10)));
    let times = (blocks(Some(8 << 10)) as f64 / by_default as f64).round();
    let said = explanation("block");
    assert!(said.contains("by default 64 KiB"), "{said}");
    assert!(said.contains(&format!("8 KiB need {times} times as many")), "{said}");
}

/// Regions of a table that the records of D3 write, of so many records from the middle on.
fn written(rowkey: &str, points: &[String], first: usize, count: usize) -> usize {
    let opened = generated("d3-regions-written-at-once", None);
    let mut document: Value = serde_json::from_str(&file("d3-regions-written-at-once.json")).expect("JSON");
    document["tables"][0]["rowkey"] = json!(rowkey);
    let study = parse(&document.to_string()).expect("a design");
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(&opened.records, &names, &[&study.tables[0].typed]).encode().swap_remove(0);
    let region = |row: usize| points.partition_point(|point| point.as_bytes() <= keys.keys.get(row));
    (first..first + count).map(region).collect::<BTreeSet<usize>>().len()
}

#[test]
fn d3_time_after_few_values_writes_a_region_each_and_an_hour_in_front_the_regions_of_that_hour() {
    let days: Vec<String> = (1..=7).map(|day| format!("202403{day:02}")).collect();
    let of_values: Vec<String> =
        (0..6).flat_map(|value| days.iter().map(move |day| format!("{value}{day}"))).collect();
    let rowkey = "bucket(sensor, 6).decimal(1) + ts.format('yyyyMMddHH') + sensor";
    // 500 records of the second day: three hours, of which none is midnight.
    assert_eq!((of_values.len(), written(rowkey, &of_values, 4_000, 500)), (42, 6));
    let of_hours: Vec<String> = days
        .iter()
        .flat_map(|day| (0..24).map(move |hour| format!("{day}{hour:02}")))
        .flat_map(|hour| [hour.clone(), format!("{hour}s-5000")])
        .collect();
    let spread: Vec<String> = (0..336).map(|part| format!("s-{:04}", part * 10_000 / 336)).collect();
    let hour = 20_000 / (7 * 24);
    let in_front = written("ts.format('yyyyMMddHH') + sensor", &of_hours, 4_000, hour);
    let behind = written("sensor + ts.format('yyyyMMddHH')", &spread, 4_000, hour);
    assert!(in_front <= 4 && behind > 20 * in_front, "{in_front} {behind}");
}
