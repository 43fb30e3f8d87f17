//! Queries as requests to HBase's REST gateway.

use super::{asking, document, text};
use serde_json::{Value, json};

const FAMILIES: fn() -> Value = || json!([{ "name": "d", "cells": [] }]);

fn script(rowkey: &str, query: Value) -> String {
    let document = document(rowkey, FAMILIES(), json!({ "queries": [query] }));
    text("scan-rest", &document)
}

/// The last lines, which are those of the query.
fn last(script: &str) -> &str {
    script.rsplit("\n\n").next().expect("a query")
}

#[test]
fn rows_of_any_bytes_are_base64_of_scanners() {
    let hour = json!({ "host": "a", "at": { "from": "1700000000000", "to": "1700003600000" } });
    let script =
        text("scan-rest", &document("host.terminated() + at.millis().int64()", FAMILIES(), asking(&[hour])));
    assert_eq!(last(&script), "# q\nscan 'YQAAAAGLz+VoAA==' 'YQAAAAGL0BxWgA=='\n");
    assert!(script.contains("scan() {") && !script.contains("get() {"), "{script}");
}

#[test]
fn a_row_that_is_text_is_got_by_its_path() {
    let got = |host: &str| {
        let script = script("host + '|'", json!({ "name": "q", "where": { "host": { "eq": host } } }));
        last(&script).lines().last().expect("a command").to_owned()
    };
    assert_eq!(got("a,é"), "get 'a%2C%C3%A9%7C'");
    // Rows that the gateway, or a server before it, may read in another way are scanned.
    for host in ["a/b", "..", "a%b", "a;b", "a b"] {
        assert!(got(host).starts_with("scan "), "{host}: {}", got(host));
    }
    let script = script("host", json!({ "name": "q", "where": { "host": { "eq": "a*" } } }));
    assert!(last(&script).contains("\nscan 'YSo=' 'YSoA'\n"), "{script}");
}

#[test]
fn rows_are_read_backwards_only_between_texts() {
    let newest = |rowkey: &str| {
        let order = json!({ "field": "at", "direction": "descending" });
        let query = json!({ "name": "q", "where": { "n": 7 }, "order": order, "limit": 5 });
        script(rowkey, query)
    };
    let text = newest("n.decimal(4) + at.format('yyyyMMddHHmmssSSS')");
    assert_eq!(last(&text), "# q\nreversed 'reversed=true&startrow=0008&endrow=0007&limit=5'\n");
    let bytes = newest("n.int32() + at.millis().int64()");
    assert!(last(&bytes).contains("this reads forwards, all rows"), "{bytes}");
    assert!(last(&bytes).contains("take the first 5 that match"), "{bytes}");
    assert!(last(&bytes).ends_with("scan 'AAAABw==' 'AAAACA=='\n"), "{bytes}");
}

#[test]
fn a_filter_is_sent_where_keys_are_ascii() {
    let ask = || json!({ "name": "q", "where": { "n": { "eq": 7 } }, "limit": 3 });
    let ascii = script("at.format('yyyyMMddHHmmss') + n.decimal(4)", ask());
    let filter = "filter=\"{&quot;comparator&quot;:{&quot;type&quot;:&quot;RegexStringComparator&quot;,&quot;value&quot;:&quot;^";
    assert!(last(&ascii).contains(filter), "{ascii}");
    let bytes = script("at.millis().int64() + n.int32()", ask());
    assert!(!last(&bytes).contains("filter"), "{bytes}");
    assert!(last(&bytes).contains("May also return rows that do not match"), "{bytes}");
}
