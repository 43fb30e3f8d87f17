//! `let` and `lookup` of a document: what their names stand for, and what is refused where.

use crate::common::formula::{keys, strings};
use proptest::prelude::*;
use rowscape::design::{Design, normal_form, parse};
use rowscape::error::Problem;
use rowscape::formula::vector::Vector;
use serde_json::{Value, json};

fn document(lets: &Value, rowkey: &str) -> Value {
    json!({
        "rowscape": 1,
        "fields": [
            { "name": "a", "type": "text" },
            { "name": "b", "type": "text" },
            { "name": "n", "type": "integer" },
            { "name": "t", "type": "time", "format": "epoch-millis" },
        ],
        "let": lets,
        "lookup": { "HOSTS": { "x": 1, "y": 2, "z": 2 }, "IDS": { "x": 30, "y": 20 } },
        "rowkey": rowkey,
    })
}

fn design(lets: &Value, rowkey: &str) -> Design {
    let study = parse(&document(lets, rowkey).to_string());
    study.unwrap_or_else(|problems| panic!("{lets} {rowkey}: {problems:?}")).tables.swap_remove(0)
}

fn refused(document: &Value) -> Vec<Problem> {
    parse(&document.to_string()).err().unwrap_or_else(|| panic!("{document} is taken"))
}

fn columns(rows: &[(&str, &str, i64)]) -> [Vector; 4] {
    let texts = |of: fn(&(&str, &str, i64)) -> String| strings(&rows.iter().map(of).collect::<Vec<_>>());
    let numbers = || Vector::Integers(rows.iter().map(|(_, _, n)| *n).collect());
    [texts(|row| row.0.to_owned()), texts(|row| row.1.to_owned()), numbers(), numbers()]
}

/// A row key with names is the same as the one written out: its keys and all that is known of it.
fn same(lets: &Value, rowkey: &str, written_out: &str, rows: &[(&str, &str, i64)]) {
    let (named, plain) = (design(lets, rowkey), design(&json!({}), written_out));
    let columns = columns(rows);
    assert_eq!(keys(&named.typed, &columns), keys(&plain.typed, &columns), "{rowkey}");
    assert_eq!(named.typed.shape, plain.typed.shape, "{rowkey}");
    let shapes =
        |design: &Design| design.typed.parts.iter().map(|part| part.shape.clone()).collect::<Vec<_>>();
    assert_eq!(shapes(&named), shapes(&plain), "{rowkey}");
}

#[test]
fn a_salt_or_hash_of_a_named_key_is_that_of_the_key_written_out() {
    let lets =
        json!({ "key": "a + '_' + b", "day": "t.truncate('1d')", "salt": "key.bytesHash().floorMod(16)" });
    for (rowkey, written_out) in [
        ("key.bytesHash().floorMod(16).uint8() + key", "rest.bytesHash().floorMod(16).uint8() + a + '_' + b"),
        ("salt.uint8() + key", "rest.bytesHash().floorMod(16).uint8() + a + '_' + b"),
        (
            "key.javaHash().and(32767).int16() + key",
            "join('', a, '_', b).javaHash().and(32767).int16() + a + '_' + b",
        ),
        ("join('-', n, key)", "join('-', n, join('', a, '_', b))"),
        ("key + n", "a + '_' + b + n"),
        ("n + salt", "n + join('', a, '_', b).bytesHash().floorMod(16)"),
        ("day.format('yyyyMMdd') + key", "t.truncate('1d').format('yyyyMMdd') + a + '_' + b"),
        ("rest.md5().hex(4) + key", "rest.md5().hex(4) + a + '_' + b"),
    ] {
        same(&lets, rowkey, written_out, &[("foo", "bar", 5), ("", "", 0), ("ä", "_", 86_400_001)]);
    }
    // With one part of bytes, the whole is bytes.
    let lets = json!({ "key": "a + x'80'" });
    same(
        &lets,
        "key.bytesHash().int32() + key",
        "rest.bytesHash().int32() + a + x'80'",
        &[("foo", "bar", 5)],
    );
    let problems = refused(&document(&lets, "key.upper()"));
    assert_eq!(problems[0].code, "formula.step-does-not-fit");
}

#[test]
fn names_stand_in_any_order_and_survive_the_normal_form() {
    let lets = json!({ "a2": "z2+ '-'", "m": "a2.md5( )", "z2": "join('',a,b)", "unused": "n" });
    let study = parse(&document(&lets, "m.hex(4) + a2").to_string()).unwrap_or_else(|all| panic!("{all:?}"));
    let normal = normal_form(&study);
    let canonical = json!({ "a2": "z2 + '-'", "m": "a2.md5()", "z2": "join('', a, b)", "unused": "n" });
    assert_eq!(normal["tables"][0]["let"], canonical);
    assert_eq!(normal["tables"][0]["rowkey"], json!("m.hex(4) + a2"));
    assert_eq!(normal["lookup"], document(&lets, "a")["lookup"]);
    let again = parse(&normal.to_string()).unwrap_or_else(|all| panic!("{all:?}"));
    assert_eq!(normal_form(&again), normal);
    same(
        &lets,
        "m.hex(4) + a2",
        "join('', join('', a, b), '-').md5().hex(4) + join('', a, b) + '-'",
        &[("x", "y", 1)],
    );
}

#[test]
fn what_is_wrong_with_names_is_said_with_its_path() {
    let many: serde_json::Map<String, Value> = (0..12)
        .map(|n| {
            (
                format!("x{n}"),
                json!(if n == 0 { "a + a".to_owned() } else { format!("x{0}.md5() + x{0}.md5()", n - 1) }),
            )
        })
        .collect();
    for (lets, path, sentence) in [
        (json!({ "x": "y + a", "y": "join('', b, x)" }), "let.x", "“x” refers to itself: x, y, x"),
        (json!({ "k": "x", "x": "x" }), "let.x", "“x” refers to itself: x, x"),
        (json!({ "n": "a" }), "let.n", "“n” is both a field and a formula"),
        (json!({ "x": "ab" }), "let.x", "unknown field ab; did you mean a?"),
        (json!({ "x": "a +" }), "let.x", "the formula ends"),
        (json!({ "x": 5 }), "let.x", "found 5 where a text is expected"),
        (json!({ "": "a" }), "let[\"\"]", ""),
        (json!({ "x": "rest.md5() + a" }), "let.x", "rest means the parts that follow in a row key"),
        (json!({ "x": "t + a" }), "let.x", "t is a time"),
        (json!([]), "let", "found [] where an object is expected"),
        (Value::Object(many), "let.x8", "the formula expands to more than 1000"),
    ] {
        let problems = refused(&document(&lets, "a"));
        let found = (problems.len(), problems[0].place.path.as_str());
        assert_eq!(found, (1, path), "{lets}: {problems:?}");
        assert!(problems[0].sentence().starts_with(sentence), "{lets}: {}", problems[0].sentence());
    }
    let problems = refused(&document(&json!({ "month": "t.format('MM')" }), "a + mnth"));
    assert_eq!((problems[0].place.path.as_str(), problems[0].place.column), ("rowkey", Some(5)));
    assert!(problems[0].sentence().contains("did you mean month"), "{}", problems[0]);
    let mut tables = document(&json!({}), "a");
    for name in ["let", "rowkey"] {
        tables.as_object_mut().expect("object").remove(name);
    }
    tables["tables"] = json!([{ "name": "t1", "rowkey": "x", "let": { "x": "c + b" } }]);
    assert_eq!(refused(&tables)[0].place.path, "tables[0].let.x");
    tables["tables"][0]["let"]["x"] = json!("a");
    assert!(parse(&tables.to_string()).is_ok());
}

#[test]
fn what_is_wrong_with_lookup_tables_is_said_with_its_path() {
    for (lookup, path, code) in [
        (json!({ "HOSTS": { "x": "1" } }), "lookup.HOSTS.x", "json.wrong-type"),
        (json!({ "HOSTS": { "x.y": 1.5 } }), "lookup.HOSTS[\"x.y\"]", "json.wrong-type"),
        (json!({ "HOSTS": { "x": 9_007_199_254_740_992i64 } }), "lookup.HOSTS.x", "json.wrong-type"),
        (json!({ "HOSTS": {} }), "lookup.HOSTS", "design.lookup-empty"),
        (json!({ "HOSTS": 5 }), "lookup.HOSTS", "json.wrong-type"),
        (json!([]), "lookup", "json.wrong-type"),
        (json!({ "": { "x": 1 } }), "lookup[\"\"]", "design.empty-name"),
    ] {
        let mut document = document(&json!({}), "a");
        document["lookup"] = lookup;
        let problems = refused(&document);
        assert_eq!((problems[0].place.path.as_str(), problems[0].code), (path, code), "{document}");
    }
    let problems = refused(&document(&json!({}), "a.lookup('HOST').int64()"));
    assert_eq!((problems[0].place.path.as_str(), problems[0].place.column), ("rowkey", Some(10)));
    assert!(problems[0].sentence().contains("did you mean HOSTS?"), "{}", problems[0]);
    let problems = refused(&document(&json!({}), "a.lookup(5).int64()"));
    assert_eq!(problems[0].code, "formula.argument-kind");
}

#[test]
fn a_lookup_tells_apart_what_its_numbers_do() {
    let part = |rowkey| design(&json!({}), rowkey).typed.parts.swap_remove(0);
    let shared = part("a.lookup('HOSTS').int64()").shape;
    assert_eq!((shared.one_to_one, shared.distinct), (false, Some(2)));
    assert!(part("a.lookup('IDS').int64()").shape.one_to_one);
    let found =
        keys(&design(&json!({}), "a.lookup('IDS').uint8()").typed, &columns(&[("x", "", 0), ("q", "", 0)]));
    assert_eq!(found, [Some(vec![30]), None]);
}

const PARTS: &[&str] = &[
    "a",
    "b",
    "'_'",
    "n",
    "x'80'",
    "n.decimal(4)",
    "a.md5().hex(4)",
    "t.format('yyyyMM')",
    "b.lookup('IDS').int16()",
];

proptest! {
    #[test]
    fn a_name_is_the_formula_it_names(
        parts in prop::collection::vec(prop::sample::select(PARTS), 1..4),
        others in prop::collection::vec(prop::sample::select(PARTS), 0..3),
        row in ("[a-c]{0,3}", prop::sample::select(vec!["x", "y", "q"]), 0i64..2_000_000_000_000),
    ) {
        let (text, list) = (parts.join(" + "), parts.join(", "));
        let behind: String = others.iter().map(|part| format!(" + {part}")).collect();
        let rows = [(row.0.as_str(), row.1, row.2)];
        let lets = json!({ "key": text });
        same(&lets, &format!("key{behind}"), &format!("{text}{behind}"), &rows);
        same(&lets, &format!("bucket(key, 7){behind}"), &format!("bucket(join('', {list}), 7){behind}"), &rows);
    }
}
