//! Row keys of known products: the bytes that their own classes make, and what their designs show.

use super::opened::{generated, input, products, study};
use crate::common::unhex;
use rowscape::analysis::Analysis;
use rowscape::decode::decode;
use rowscape::encode::Encoder;
use rowscape::hbase::row_keys::guess_keys;
use rowscape::ingest::RecordReader;
use rowscape::records::guess::SaidOfFile;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::rc::Rc;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn products_make_the_row_keys_of_their_own_classes() {
    let text = std::fs::read_to_string(folder("tests/data/products/keys.jsonl")).expect("keys");
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

/// The product and the table that a file of keys is found to be of.
fn recognized(lines: &[String]) -> Option<(String, String)> {
    let text = lines.join("\n") + "\n";
    let found = guess_keys(text.as_bytes(), "keys.txt", &SaidOfFile::default(), true);
    let [problem] = found.evidence.as_slice() else { return None };
    let told = |name| problem.args.get(name).cloned();
    (problem.code == "guess.key-product").then_some((told("product")?, told("table")?))
}

#[test]
fn row_keys_of_products_are_recognized_and_others_are_not() {
    let text = std::fs::read_to_string(folder("tests/data/products/keys.jsonl")).expect("keys");
    let known: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let keys = |slug: &str, table: &str| -> Vec<String> {
        let own = known.iter().filter(|known| known["product"] == slug && known["table"] == table);
        own.map(|known| known["key"].as_str().expect(slug).to_owned()).collect()
    };
    for (slug, table, expected) in [
        ("opentsdb", "tsdb", ("OpenTSDB", "tsdb")),
        ("opentsdb", "tsdb_salted", ("OpenTSDB", "tsdb")),
        ("pinpoint-trace-index", "ApplicationTraceIndex", ("Pinpoint", "ApplicationTraceIndex")),
        ("pinpoint-trace", "TraceV2", ("Pinpoint", "TraceV2")),
        (
            "yarn-applications",
            "prod.timelineservice.application",
            ("YARN timeline service v2", "application"),
        ),
        ("yarn-entities", "prod.timelineservice.entity", ("YARN timeline service v2", "entity")),
    ] {
        let own = keys(slug, table);
        let found = recognized(&own).unwrap_or_else(|| panic!("{slug} {table}"));
        assert_eq!((found.0.as_str(), found.1.as_str()), expected);
        // A salt or a time that is not one shows that they are others.
        let others: Vec<String> = own.iter().map(|key| key.chars().rev().collect()).collect();
        assert_eq!(recognized(&others), None, "{slug} {table}");
    }
    let columns =
        |table: u32| (0..4).map(move |column| format!("\\x00SALES\\x00T{table}\\x00C{column}\\x000"));
    let mut catalog: Vec<String> = (0..20).flat_map(columns).collect();
    assert_eq!(recognized(&catalog), None);
    catalog.push("\\x00SYSTEM\\x00CATALOG\\x00\\x00".to_owned());
    assert_eq!(recognized(&catalog), Some(("Phoenix".to_owned(), "SYSTEM.CATALOG".to_owned())));
}
