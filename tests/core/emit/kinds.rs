//! Exports of one kind of records in a table of several.

use super::emitted;
use rowscape::design::{Document, parse};
use rowscape::emit::{EmitSubject, emit_from};
use serde_json::{Value, json};

/// Devices and their readings, told apart by a field and by a byte of the key. Values of the field: its type, those of a device, and
/// those of a reading.
fn document([kind, device, reading]: [Value; 3], [device_key, reading_key]: [&str; 2]) -> Value {
    let cells = json!([{ "family": "d", "qualifier": "v", "value": { "formula": "model" } }]);
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "type", "type": kind },
            { "name": "device", "type": "text" },
            { "name": "model", "type": "text" },
            { "name": "at", "type": "time", "format": "epoch-millis" },
        ],
        "table": { "name": "iot", "families": [{ "name": "d" }] },
        "kinds": {
            "device": { "when": { "field": "type", "is": device }, "fields": ["device", "model"], "rowkey": device_key, "cells": cells },
            "reading": { "when": { "field": "type", "is": reading }, "rowkey": reading_key, "cells": cells },
        },
        "queries": [
            { "name": "one device", "where": { "type": device[0], "device": "a" } },
            { "name": "readings", "where": { "type": reading[0], "device": "a", "at": { "from": "1", "to": "9" } } },
            { "name": "either", "where": { "type": { "in": [device[0], reading[0]] }, "device": "a" } },
            { "name": "of a day", "where": { "at": { "from": "1", "to": "9" } } },
        ],
    })
}

const KEYS: [&str; 2] = ["device.terminated() + x'00'", "device.terminated() + x'01' + at.millis().int64()"];

fn texts() -> [Value; 3] {
    [json!("text"), json!(["device"]), json!(["reading"])]
}

fn of_kind(document: &Value, kind: &str) -> Document {
    let document = parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    document.of_kind_named(0, kind).expect("a kind")
}

fn of(name: &str, document: &Value, kind: &str) -> String {
    emitted(name, &of_kind(document, kind)).unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
}

#[test]
fn a_load_leaves_records_of_other_kinds_alone_and_counts_them() {
    for (values, test) in [
        (texts(), "if (!Arrays.asList(\"device\").contains(given(record, \"type\"))) return null;"),
        (
            [json!("integer"), json!([1, 7]), json!([2])],
            "if (!Arrays.asList(1L, 7L).contains(longOf(given(record, \"type\")))) return null;",
        ),
        (
            [json!("boolean"), json!([true]), json!([false])],
            "if (!Arrays.asList(true).contains(booleanOf(given(record, \"type\")))) return null;",
        ),
    ] {
        let java = of("load-java", &document(values, KEYS), "device");
        let row = java.split_once("public static Put row(").expect("a row").1;
        let (at, key) = (row.find(test), row.find("new Put("));
        assert!(at.is_some_and(|at| key.is_some_and(|key| at < key)), "{test}: {java}");
        assert!(java.contains("context.getCounter(Records.OF_OTHER_KINDS).increment(1);"), "{java}");
    }
    // A table of one kind has no others.
    let mut whole = document(texts(), KEYS);
    let members = whole.as_object_mut().expect("members");
    members.remove("kinds");
    members.insert("rowkey".to_owned(), json!("device"));
    members["table"]["families"][0]["cells"] = json!([{ "qualifier": "v", "bytes": 1 }]);
    let java = emitted("load-java", &parse(&whole.to_string()).expect("a design")).expect("a job");
    assert!(!java.contains("OF_OTHER_KINDS") && !java.contains("return null;\n        String"), "{java}");
}

#[test]
fn an_expression_of_one_kind_is_null_for_the_others() {
    let sql = of("spark-sql", &document(texts(), KEYS), "device");
    assert!(sql.contains("case when `type` in ('device') then concat(") && sql.ends_with(" end\n"), "{sql}");
    let sql = of("spark-sql", &document([json!("integer"), json!([1, 7]), json!([2])], KEYS), "device");
    assert!(sql.contains("case when cast(`type` as bigint) in (1, 7) then "), "{sql}");
}

#[test]
fn a_reader_of_one_kind_has_the_queries_of_that_kind() {
    let document = document(texts(), KEYS);
    for (name, form) in
        [("reader-python", "def {}("), ("reader-java", " {}(Connection"), ("reader-scala", "def {}(")]
    {
        let names = match name {
            "reader-python" => ["one_device", "readings", "either", "of_a_day"],
            _ => ["oneDevice", "readings", "either", "ofADay"],
        };
        let has = |kind: &str| {
            let text = of(name, &document, kind);
            // Whatever kind is asked for, rows are of this one.
            assert!(!text.contains("String type") && !text.contains("type:"), "{text}");
            names.map(|query| text.contains(&form.replace("{}", query)))
        };
        assert_eq!(has("device"), [true, false, true, false], "{name}");
        assert_eq!(has("reading"), [false, true, true, true], "{name}");
    }
    for name in ["scan-shell", "scan-rest"] {
        let text = of(name, &document, "device");
        assert!(text.contains("# one device\n") && text.contains("# either\n"), "{text}");
        assert!(!text.contains("# readings\n") && !text.contains("# of a day\n"), "{text}");
    }
    let only = json!([{ "name": "readings", "where": { "type": "reading", "device": "a" } }]);
    let mut document = document;
    document.as_object_mut().expect("members").insert("queries".to_owned(), only);
    for name in ["reader-python", "reader-java", "reader-scala", "scan-shell", "scan-rest"] {
        let code = emitted(name, &of_kind(&document, "device")).err().map(|problem| problem.code);
        assert_eq!(code, Some("emit.no-queries"), "{name}");
    }
}

#[test]
fn a_reader_tests_rows_where_those_of_other_kinds_may_be_between() {
    // All keys begin with the device: only the rows tell their kinds.
    let alike =
        document(texts(), ["device.terminated() + model", "device.terminated() + at.millis().int64()"]);
    let python = of("reader-python", &alike, "device");
    assert!(python.contains("def one_device(connection, device, matching):"), "{python}");
    assert!(
        of("scan-shell", &alike, "device").contains("May also return rows that do not match"),
        "{python}"
    );
    // A byte in front tells them.
    let apart = document(
        texts(),
        ["x'00' + device.terminated()", "x'01' + device.terminated() + at.millis().int64()"],
    );
    let python = of("reader-python", &apart, "device");
    assert!(python.contains("def one_device(connection, device):"), "{python}");
}

#[test]
fn a_key_that_holds_its_kind_is_read_by_the_values_of_that_kind() {
    let of_type = [
        "type.terminated() + device.terminated()",
        "type.terminated() + device.terminated() + at.millis().int64()",
    ];
    let document = document(texts(), of_type);
    for (name, line) in [
        ("reader-python", "    type_ = \"device\"\n"),
        ("reader-java", "        String type = \"device\";\n"),
        ("reader-scala", "    val typeValue: String = \"device\"\n"),
    ] {
        let text = of(name, &document, "device");
        let line = line.replace("type_", if text.contains("    type = ") { "type" } else { "type_" });
        assert!(text.contains(&line), "{line}: {text}");
    }
}

#[test]
fn no_limit_of_the_shell_counts_rows_that_do_not_match() {
    let mut document =
        document(texts(), ["device.terminated() + model", "device.terminated() + at.millis().int64()"]);
    document["queries"] =
        json!([{ "name": "few", "where": { "type": "device", "device": "a" }, "limit": 3 }]);
    let text = of("scan-shell", &document, "device");
    assert!(!text.contains("LIMIT") && text.contains("# Reads more than 3 rows"), "{text}");
}

#[test]
fn a_rewrite_of_one_kind_skips_rows_that_only_others_can_have_made() {
    let old = of_kind(&document(texts(), KEYS), "device");
    let mut wider = document(
        texts(),
        ["x'00' + device.terminated()", "x'01' + device.terminated() + at.millis().int64()"],
    );
    wider["table"]["name"] = json!("iot2");
    let new = of_kind(&wider, "device");
    let points = old.tables[0].splits.points();
    let [from, to] = [&old, &new].map(|document| EmitSubject::new(document, &document.tables[0], &points));
    let java = emit_from("rewrite-java", &from, &to).expect("a job").text;
    for part in [
        "public enum Rows { COPIED, REJECTED, OF_OTHER_KINDS }",
        "if (other && !isOwnKey(row.copyBytes())) {",
        "if (other) throw refused(",
        "if (old && !isOwnKey(key) && isOtherKey(key)) return;",
        "if (!old && !isOwnNewKey(key) && isOtherNewKey(key)) return;",
        "private static void isOtherKey0(byte[] row) {",
    ] {
        assert!(java.contains(part), "{part}: {java}");
    }
}
