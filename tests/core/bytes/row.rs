//! Row notation, lengths and prefixes against a real HBase.

use crate::common::{records, unhex};
use proptest::prelude::*;
use rowscape::row::*;

#[test]
fn string_binary_is_what_hbase_writes_and_reads() {
    for (line, record) in records("string_binary") {
        match record["op"].as_str() {
            Some("toStringBinary") => {
                assert_eq!(to_string_binary(&unhex(&record["bytes"])), record["out"], "{line}")
            }
            Some("roundTrip") => {
                let text = to_string_binary(&unhex(&record["bytes"]));
                assert_eq!(to_bytes_binary(&text), Ok(unhex(&record["out"])), "{line}");
                assert_eq!(from_string_binary(&text), Ok(unhex(&record["out"])), "{line}");
            }
            Some("toBytesBinary") => {
                let read = to_bytes_binary(record["text"].as_str().expect("text"));
                let expected = (!record["out"].is_null()).then(|| unhex(&record["out"]));
                assert_eq!(read.ok(), expected, "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn prefix_stop_rows_are_those_of_hbase() {
    for (line, record) in records("prefix_stop") {
        let prefix = unhex(&record["prefix"]);
        let out = if record["out"].is_object() { &record["out"]["stopRow"] } else { &record["out"] };
        assert_eq!(prefix_stop_row(&prefix), unhex(out), "{line}");
    }
}

#[test]
fn row_and_split_key_lengths_are_refused_where_a_cluster_refuses_them() {
    for (line, record) in records("row_limits") {
        let number = |name: &str| record[name].as_u64().map(|number| number as usize);
        let accepted = match record["op"].as_str() {
            Some("put") => check_length(number("rowLength").expect("rowLength")).is_ok(),
            Some("scanFrom") => number("rowLength") <= Some(MAX_ROW_LENGTH),
            _ => {
                let limit = rowscape::split::longest_split_key(number("tableNameLength").expect("length"));
                number("splitKeyLength") <= Some(limit)
            }
        };
        assert_eq!(accepted, record["error"].is_null(), "{line}");
    }
    assert!(check_length(0).expect_err("empty").sentence().contains("Row length is 0"));
}

#[test]
fn a_document_may_not_hold_what_hbase_would_silently_misread() {
    for (text, code, columns, write) in [
        (r"a\xab", "row.lower-case-hex", (2, 6), Some(r"\xAB")),
        (r"\xZZ", "row.unfinished-escape", (1, 5), None),
        (r"ab\x4", "row.unfinished-escape", (3, 6), None),
        (r"\x", "row.unfinished-escape", (1, 3), None),
        (r"\x+4", "row.unfinished-escape", (1, 5), None),
        ("né", "row.beyond-ascii", (2, 3), Some(r"\xC3\xA9")),
    ] {
        let problem = from_string_binary(text).expect_err(text);
        assert_eq!(problem.code, code, "{text}");
        assert_eq!((problem.place.column, problem.place.end), (Some(columns.0), Some(columns.1)), "{text}");
        assert_eq!(problem.args.get("write").map(String::as_str), write, "{text}");
        assert!(!problem.sentence().contains('{'));
    }
    assert_eq!(from_string_binary(r"a\b\x00|"), Ok(b"a\\b\0|".to_vec()));
}

proptest! {
    #[test]
    fn notation_round_trips(bytes: Vec<u8>) {
        let text = to_string_binary(&bytes);
        prop_assert_eq!(from_string_binary(&text), Ok(bytes.clone()));
        prop_assert_eq!(to_bytes_binary(&text), Ok(bytes));
    }

    #[test]
    fn every_row_with_the_prefix_and_no_other_lies_below_its_stop_row(prefix: Vec<u8>, row: Vec<u8>) {
        let stop = prefix_stop_row(&prefix);
        let inside = row >= prefix && (stop.is_empty() || row < stop);
        prop_assert_eq!(inside, row.starts_with(&prefix));
    }

    #[test]
    fn reading_never_panics(text: String) {
        let _ = (from_string_binary(&text), to_bytes_binary(&text));
    }
}
