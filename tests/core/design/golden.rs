//! Documents of version 1 open in every later build, and give the keys they gave.

use crate::common;
use rowscape::design::{Document, normal_form, parse};
use rowscape::encode::Encoder;
use rowscape::row::to_string_binary;

fn golden() -> Document {
    let path = format!("{}/tests/data/golden/design-1.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("design-1.json");
    parse(&text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn a_document_of_version_1_says_what_it_said() {
    let study = golden();
    assert_eq!(study.fields.len(), 5);
    assert_eq!(study.arrival.as_deref(), Some("at"));
    let tables: Vec<&str> = study.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(tables, ["ns:calls", "by_kind"]);
    let calls = &study.tables[0];
    assert_eq!((calls.servers, calls.splits.points().expect("points").regions()), (Some(3), 6));
    let family = &calls.families[0];
    assert_eq!((family.compression.as_str(), family.versions, family.ttl), ("SNAPPY", 2, Some(8_640_000)));
    assert_eq!(study.tables[1].splits.points().expect("points").regions(), 4);
    assert_eq!(study.queries.len(), 2);
    assert_eq!(study.growth.map(|growth| growth.now), Some(1_000_000));
    assert_eq!(study.cluster.map(|cluster| cluster.heap_gb), Some(32));
    assert!(study.generate.is_none());
}

#[test]
fn its_normal_form_says_the_same() {
    let normal = normal_form(&golden());
    let again = parse(&normal.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(normal_form(&again), normal);
}

#[test]
fn its_keys_are_those_of_version_1() {
    let study = golden();
    let records = common::csv_records(
        &study.fields,
        b"phone,at,seconds,kind,volume\n13412341234,2024-05-02 12:00:00,5,call,1.5\n",
    );
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let designs: Vec<_> = study.tables.iter().map(|table| &table.typed).collect();
    let keys = Encoder::new(&records, &names, &designs).encode();
    let keys: Vec<String> = keys.iter().map(|keys| to_string_binary(keys.keys.get(0))).collect();
    // Math.floorMod("13412341234202405".hashCode(), 6) is 3; the digest begins as that of md5sum.
    assert_eq!(keys, ["03_13412341234_20240502120000", "01-b95f952b"]);
}
