//! The shipped examples: every document is whole and its records fit its fields.

use rowscape::field::Field;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::ingest::{Generator, RecordReader, guess};
use rowscape::records::Records;
use serde_json::Value;
use std::path::Path;

fn open(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("www/examples").join(name)).unwrap()
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&open(name)).unwrap()
}

fn records(example: &Value, design: &Value) -> Records {
    let fields: Vec<Field> = serde_json::from_value(design["fields"].clone()).unwrap();
    let Some(file) = example["data"].as_str() else {
        let spec: GeneratorSpec = serde_json::from_value(design["generate"].clone()).unwrap();
        assert_eq!(spec.declared(), fields, "the generator and the design declare the same fields");
        return Generator::all(&spec, &fields).unwrap();
    };
    let bytes = open(file);
    let mut input = guess(bytes.get(..65_536).unwrap_or(&bytes), file, None).input;
    input.fields = fields;
    let mut reader = RecordReader::new(&input).unwrap();
    reader.push(&bytes);
    reader.finish();
    assert!(reader.problems().first.is_empty(), "{:?}", reader.problems());
    reader.into_records()
}

#[test]
fn every_example_has_a_story_and_records_without_a_fault() {
    for example in json("index.json").as_array().unwrap() {
        let id = &example["id"];
        assert_eq!(example["story"].as_str().unwrap().matches(". ").count(), 3, "four sentences: {id}");
        let design = json(example["design"].as_str().unwrap());
        let records = records(example, &design);
        assert!(records.rows > 10_000, "{id}");
        for column in &records.columns {
            assert_eq!(column.invalid.count(), 0, "{id}: {:?}", column.first_invalid);
        }
    }
}
