//! Reading the vectors.

use serde_json::Value;

/// The records of `tests/vectors/{name}.jsonl`, with their line numbers.
pub fn records(name: &str) -> Vec<(usize, Value)> {
    let path = format!("{}/tests/vectors/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let records: Vec<_> =
        (1..).zip(text.lines().map(|line| serde_json::from_str(line).expect(line))).collect();
    assert!(!records.is_empty(), "{path} holds records");
    records
}

/// Bytes from lower-case hex.
pub fn unhex(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("hex text");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex")).collect()
}

/// A list of bytes from a list of hex texts.
pub fn unhex_all(value: &Value) -> Vec<Vec<u8>> {
    value.as_array().expect("list").iter().map(unhex).collect()
}
