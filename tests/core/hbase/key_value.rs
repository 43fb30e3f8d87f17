//! Sizes of cells against a real HBase.

use crate::common::records;
use rowscape::storage::key_value::{CellParts, size};
use serde_json::json;

#[test]
fn cells_are_as_long_as_those_of_hbase() {
    for (line, record) in records("keyvalue_size") {
        let number = |name: &str| record[name].as_u64().unwrap_or_default();
        let parts = CellParts {
            row: number("row"),
            family: number("family"),
            qualifier: number("qualifier"),
            value: number("value"),
            tag: record["tag"].as_u64(),
        };
        match size(parts) {
            Ok(size) => {
                let found = json!({
                    "length": size.length, "serializedSize": size.length,
                    "serializedSizeWithoutTags": size.without_tags, "keyLength": size.key, "tagsLength": size.tags,
                });
                assert_eq!(found, record["out"], "{line}");
            }
            Err(problem) => {
                assert!(record["error"].is_string(), "{line}: {problem}");
                // "Row > 32767", "Family > 127", "… can not exceed 65533"
                let most = problem.args.get("most").expect("a limit");
                let words = record["error"].as_str().expect("text");
                assert!(words.contains(most.as_str()) || words.contains("tag"), "{line}: {problem}");
            }
        }
    }
}

#[test]
fn lengths_no_cell_can_have_are_refused() {
    for value in [i32::MAX as u64, u64::MAX] {
        let refused = size(CellParts { row: 1, value, ..CellParts::default() }).expect_err("too long");
        assert_eq!(refused.code, "cell.part-too-long");
    }
}
