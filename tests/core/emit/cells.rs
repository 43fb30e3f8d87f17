//! Cells with formulas and with timestamps of their own.

use super::{asking, document, emitted, text};
use serde_json::{Value, json};

const KEY: &str = "host.terminated() + at.millis().int64() + n.int32()";

fn cells(cells: Value) -> Value {
    json!([{ "name": "d", "cells": cells }])
}

fn stamped(field: &str) -> Value {
    cells(json!([{ "qualifier": "q", "bytes": 8, "timestamp": field }]))
}

fn hour() -> Value {
    json!({ "host": "a", "at": { "from": "1700000000000", "to": "1700003600000" } })
}

#[test]
fn a_query_that_bounds_the_timestamp_of_all_cells_skips_store_files() {
    let of = |families: Value, more: Value| {
        let mut asked = asking(&[hour()]);
        asked.as_object_mut().expect("members").extend(more.as_object().expect("members").clone());
        text("scan-shell", &document(KEY, families, asked))
    };
    let range = "TIMERANGE => [1700000000000, 1700003600000]";
    assert!(of(stamped("at"), json!({})).contains(range));
    // A cell that another time stamps, or the write, may lie outside; so may a row that is replaced.
    let mixed =
        json!([{ "qualifier": "q", "bytes": 8, "timestamp": "at" }, { "qualifier": "r", "bytes": 8 }]);
    let families = json!([
        { "name": "d", "cells": [{ "qualifier": "q", "bytes": 8, "timestamp": "at" }] },
        { "name": "e", "cells": [] },
    ]);
    for (families, more) in [
        (stamped("made"), json!({})),
        (cells(mixed), json!({})),
        (families, json!({})),
        (stamped("at"), json!({ "writes": "upsert" })),
        (cells(json!([{ "qualifier": "q", "bytes": 8 }])), json!({})),
    ] {
        let text = of(families, more);
        assert!(!text.contains("TIMERANGE") && !text.contains("Skips store files"), "{text}");
    }
}

#[test]
fn readers_bound_timestamps_by_the_values_asked_for() {
    let conditions =
        [hour(), json!({ "host": "a", "at": { "from": "5" } }), json!({ "host": "a", "at": { "eq": "7" } })];
    let document = document(KEY, stamped("at"), asking(&conditions));
    let java = text("reader-java", &document);
    for during in [
        ".during(atFrom.toEpochMilli(), atTo.toEpochMilli())",
        ".during(5, 253402300800000L)",
        ".during(at.toEpochMilli(), at.toEpochMilli() + 1)",
        "scan.setTimeRange(first, end);",
    ] {
        assert!(java.contains(during), "{during}: {java}");
    }
    let scala = text("reader-scala", &document);
    assert!(scala.contains(".during(at.toEpochMilli(), at.toEpochMilli() + 1)"), "{scala}");
    assert!(scala.contains("private[CallsReader] def during("), "{scala}");
    // Thrift has no lower bound of timestamps, so that Python reads by keys alone.
    assert!(!text("reader-python", &document).contains("Skips store files"));
    let plain = super::document(KEY, cells(json!([])), asking(&conditions));
    assert!(!text("reader-java", &plain).contains("during"));
}

#[test]
fn writers_set_timestamps_and_make_the_cells_of_formulas() {
    let families = cells(json!([
        { "qualifier": "q", "bytes": 8, "timestamp": "made" },
        { "qualifier": { "formula": "n.uint16()" }, "value": { "formula": "host + '-x'" } },
    ]));
    let document = document("host", families, json!({}));
    let java = text("writer-java", &document);
    for line in [
        "public static Put put(String host, long n, Instant made, byte[] dQ)",
        ".addColumn(bytes(\"64\"), bytes(\"71\"), made.toEpochMilli(), dQ)",
        ".addColumn(bytes(\"64\"), unsigned(n, 2), utf8(join(\"\", host, \"-x\")))",
        "a TTL counts from the event",
    ] {
        assert!(
            java.contains(line) || line.contains("join") && java.contains("unsigned(n, 2)"),
            "{line}: {java}"
        );
    }
    // A batch of happybase has one timestamp, so rows are put one by one.
    let python = text("writer-python", &document);
    assert!(python.contains("def put(table, host, n, made, d_q):"), "{python}");
    assert!(python.contains("timestamp=millis(made))") && !python.contains("def batch("), "{python}");
}

#[test]
fn jobs_and_writers_refuse_what_they_would_do_wrong() {
    let code = |name: &str, rowkey: &str, families: Value, more: Value| {
        emitted(name, &document(rowkey, families, more)).err().map(|problem| problem.code)
    };
    let one = || cells(json!([{ "qualifier": "q", "bytes": 8 }]));
    let made = cells(json!([{ "qualifier": "q", "value": { "formula": "host" } }]));
    let counted = || json!({ "writes": "counter" });
    assert_eq!(code("load-java", "host", one(), json!({})), None);
    assert_eq!(code("load-java", "host", one(), counted()), Some("emit.counter-load"));
    assert_eq!(code("load-java", "host", cells(json!([])), json!({})), Some("emit.no-cells"));
    assert_eq!(code("load-java", "salt(4).decimal(1) + host", one(), json!({})), Some("emit.random-key"));
    assert_eq!(code("writer-java", "host", made, counted()), Some("emit.counter-formula"));
}
