//! Row keys of known products: the bytes that their own classes make, and what their designs show.

use super::opened::{generated, input, products, study};
use crate::common::unhex;
use rowscape::analysis::Analysis;
use rowscape::decode::decode;
use rowscape::encode::Encoder;
use rowscape::ingest::RecordReader;
use serde_json::Value;
use std::path::Path;
use std::rc::Rc;

#[test]
fn products_make_the_row_keys_of_their_own_classes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/products/keys.jsonl");
    let text = std::fs::read_to_string(path).expect("keys");
    let mut proven = 0;
    for line in text.lines() {
        let known: Value = serde_json::from_str(line).expect(line);
        let study = study(known["product"].as_str().expect(line));
        let table = study.tables.iter().find(|table| known["table"] == table.name.as_str()).expect(line);
        let mut reader = RecordReader::new(&input(&study)).expect("input");
        let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
        reader.push(format!("{}\n{}\n", names.join(","), known["record"].as_str().expect(line)).as_bytes());
        reader.finish();
        let records = reader.into_records();
        let keys = Encoder::new(&records, &names, &[&table.typed]).encode().remove(0).keys;
        assert_eq!(keys.get(0), unhex(&known["key"]), "{line}");
        let decoded = decode(&table.typed, &study.fields, keys.get(0)).expect(line);
        assert!(decoded.problems.is_empty(), "{line}: {:?}", decoded.problems);
        proven += 1;
    }
    assert_eq!(proven, 160);
}

/// The codes of the findings of a table on records that the design generates.
fn findings(slug: &str, name: &str) -> Vec<&'static str> {
    let opened = generated(slug, None);
    let table = opened.study.tables.iter().position(|table| table.name == name).expect(name);
    let mut analysis = Analysis::of(&opened.study, table, Rc::new(opened.records)).expect(name).once();
    let found = analysis.findings(&opened.study, table).expect(name);
    found.iter().map(|finding| finding.code).collect()
}

#[test]
fn known_mistakes_of_products_are_found_and_their_good_designs_are_not_blamed() {
    assert_eq!(products().len(), 7);
    let known: [(&str, &str, &[&str]); 11] = [
        ("opentsdb", "tsdb", &["RS101", "RS109"]),
        ("opentsdb", "tsdb_salted", &[]),
        // Nobody can compute the salt of a range of times.
        ("pinpoint-trace-index", "ApplicationTraceIndex", &["RS508"]),
        ("pinpoint-trace-index", "salt_of_the_application", &["RS103", "RS107", "RS109"]),
        ("pinpoint-trace", "TraceV2", &[]),
        ("hbasewd-salts", "four_salts", &["RS103"]),
        ("hbasewd-salts", "all_salts", &[]),
        ("hbasewd-salts", "salt_of_the_first_bytes", &["RS101", "RS103"]),
        ("yarn-applications", "prod.timelineservice.application", &[]),
        ("yarn-entities", "prod.timelineservice.entity", &["RS401"]),
        ("phoenix-catalog", "SYSTEM.CATALOG", &[]),
    ];
    assert_eq!(products().len(), 7);
    for (slug, name, codes) in known {
        assert_eq!(findings(slug, name), codes, "{slug} {name}");
    }
}
