//! Primary keys of Phoenix as formulas, against the rows Phoenix 5.2.1 writes: `tests/data/phoenix/keys.jsonl` holds tables of random
//! columns, one row of each and its key, as `UPSERT` made it through `jdbc:phoenix:none`.

use crate::common::formula::{field, keys, strings, typed};
use crate::common::{records, unhex};
use rowscape::field::shape::Order;
use rowscape::field::{Kind, float};
use rowscape::formula::vector::Vector;
use serde_json::Value as Json;

/// The step of a type in SQL: `UNSIGNED_INT` is `phoenix.unsignedInt`.
fn step(sql: &str) -> String {
    let mut words = sql.split('_').map(str::to_lowercase);
    let first = words.next().expect("a word");
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    format!("phoenix.{first}{}", words.map(capital).collect::<String>())
}

/// The column of a primary key as a part of the formula.
fn part(index: usize, column: &Json, last: bool) -> String {
    let (sql, descending) = (column["type"].as_str().expect("type"), column["order"] == "DESC");
    let order = if descending { "'desc'" } else { "'asc'" };
    let more = match sql {
        "CHAR" | "BINARY" => format!(", {}", column["width"]),
        "VARCHAR" | "DECIMAL" if descending || !last => ", 'separated'".to_owned(),
        _ => String::new(),
    };
    format!("c{index}.{}({order}{more})", step(sql))
}

/// The value of a column in a column of one row, and its kind.
fn value(column: &Json) -> (Kind, Vector) {
    let text = column["value"].as_str().expect("value");
    let number = || Vector::Integers(vec![text.parse().expect("a number")]);
    match column["type"].as_str().expect("type") {
        "VARCHAR" | "CHAR" => (Kind::Text, strings(&[text])),
        "VARBINARY" | "BINARY" => (Kind::Bytes, strings(&[unhex(&column["value"])])),
        "DECIMAL" => (Kind::Decimal, strings(&[text])),
        "BOOLEAN" => (Kind::Boolean, Vector::Integers(vec![i64::from(text == "true")])),
        sql if sql.ends_with("FLOAT") || sql.ends_with("DOUBLE") => {
            (Kind::Float, Vector::Integers(vec![float::bits(text.parse().expect("a number"))]))
        }
        sql if sql.contains("DATE") || sql.contains("TIME") => (Kind::Time, number()),
        _ => (Kind::Integer, number()),
    }
}

#[test]
fn a_primary_key_written_as_a_formula_is_the_row_phoenix_writes() {
    for (line, record) in records("../phoenix/keys") {
        let columns = record["columns"].as_array().expect("columns");
        let holds = |sql: &str| columns.iter().any(|column| column["type"] == sql);
        if columns.iter().any(|column| column["type"] == "BOOLEAN" && column["order"] == "DESC") {
            continue;
        }
        let part = |(index, column)| part(index, column, index + 1 == columns.len());
        let salt = record["buckets"].as_u64().map(|buckets| format!("rest.phoenixSalt({buckets})"));
        let parts = salt.iter().cloned().chain(columns.iter().enumerate().map(part));
        let formula = parts.collect::<Vec<_>>().join(" + ");
        let (kinds, vectors): (Vec<Kind>, Vec<Vector>) = columns.iter().map(value).unzip();
        let fields: Vec<_> =
            (0..).zip(kinds).map(|(index, kind)| field(&format!("c{index}"), kind)).collect();
        let typed = typed(&formula, &fields);
        assert_eq!(keys(&typed, &vectors), [Some(unhex(&record["out"]))], "{line}: {formula}");
        // BINARY's zero padding is ambiguous with trailing zeros, and FLOAT merges nearly equal numbers.
        let lossless = !["BINARY", "FLOAT", "UNSIGNED_FLOAT"].into_iter().any(holds);
        // 1.5 and 1.50 are one DECIMAL, which keeps the order nevertheless.
        assert_eq!(typed.shape.one_to_one, lossless && !holds("DECIMAL"), "{line}: {formula}");
        if lossless {
            let expected = match columns[0]["order"].as_str() {
                _ if salt.is_some() => Order::None,
                Some("DESC") => Order::Reversed,
                _ => Order::Strict,
            };
            assert_eq!(typed.shape.order, expected, "{line}: {formula}");
        }
    }
}

#[test]
fn a_descending_boolean_is_what_its_type_writes_and_upsert_is_known_not_to() {
    let sole = |record: &Json| {
        let columns = record["columns"].as_array().expect("columns");
        (columns.len() == 1 && columns[0]["type"] == "BOOLEAN" && columns[0]["order"] == "DESC")
            .then(|| (columns[0]["value"] == "true", unhex(&record["out"])))
    };
    let records = records("../phoenix/keys");
    let found = records.iter().filter(|(_, record)| record.get("buckets").is_none());
    let found: Vec<_> = found.filter_map(|(_, record)| sole(record)).collect();
    assert!(!found.is_empty());
    for (truth, upserted) in found {
        let typed = typed("a.phoenix.boolean('desc')", &[field("a", Kind::Boolean)]);
        let key = keys(&typed, &[Vector::Integers(vec![i64::from(truth)])]);
        assert_eq!(key, [Some(vec![u8::from(!truth)])]);
        assert_eq!(upserted, [!u8::from(truth)]);
    }
}

#[test]
fn what_phoenix_would_change_or_keep_out_of_the_key_is_refused() {
    let refused = |formula: &str, kind, values| {
        let typed = typed(formula, &[field("a", kind)]);
        keys(&typed, &[values]).iter().all(Option::is_none)
    };
    let texts = |formula: &str, values: &[&str]| refused(formula, Kind::Text, strings(values));
    let numbers =
        |formula: &str, values: &[i64]| refused(formula, Kind::Integer, Vector::Integers(values.to_vec()));
    assert!(numbers("a.phoenix.unsignedTinyint()", &[-1, 128]));
    assert!(numbers("a.phoenix.tinyint('desc')", &[-129, 128]));
    let floats = |formula: &str, values: &[f64]| {
        let bits = values.iter().map(|&number| float::bits(number)).collect();
        refused(formula, Kind::Float, Vector::Integers(bits))
    };
    let decimals = |formula: &str, values: &[&str]| refused(formula, Kind::Decimal, strings(values));
    assert!(floats("a.phoenix.unsignedDouble()", &[-0.0, -1.0, f64::NEG_INFINITY]));
    assert!(floats("a.phoenix.float()", &[1e39, -1e39]));
    assert!(decimals(
        "a.phoenix.decimal()",
        &["1E+126", "-1E-127", "123456789012345678901234567890123456789"]
    ));
    assert!(decimals("a.phoenix.decimal('asc', 'separated')", &["-1E+125"]));
    assert!(texts("a.phoenix.varchar('desc', 'separated')", &["", "a\0"]));
    assert!(texts("a.phoenix.char('asc', 4)", &["", "abcde", "é", "a ", "a\t"]));
    assert!(texts("a.phoenix.binary('asc', 4)", &["", "abcde"]));
}

#[test]
fn a_null_within_the_key_is_its_separator() {
    let typed = typed(
        "a.phoenix.varchar('asc', 'separated') + n.phoenix.bigint()",
        &[field("a", Kind::Text), field("n", Kind::Integer)],
    );
    let key = keys(&typed, &[strings(&[""]), Vector::Integers(vec![7])]);
    assert_eq!(key, [Some(vec![0, 0x80, 0, 0, 0, 0, 0, 0, 7])]);
}

#[test]
fn a_wrong_sort_order_or_separator_is_refused_with_its_columns() {
    for (text, code) in [
        ("a.phoenix.varchar('up')", "phoenix.sort-order"),
        ("a.phoenix.varchar('asc', 'terminated')", "phoenix.separated"),
        ("a.phoenix.char('asc')", "formula.argument-count"),
        ("a.phoenix.bogus()", "formula.unknown-step"),
        ("a.phoenix()", "formula.unexpected"),
        ("a.phoenix.bigint()", "formula.step-does-not-fit"),
    ] {
        let problems = rowscape::formula::parse(text)
            .map_err(|problem| vec![problem])
            .and_then(|parsed| rowscape::formula::check(&parsed, &[field("a", Kind::Text)]).map(|_| ()))
            .expect_err(text);
        assert!(problems[0].code.starts_with(code), "{text}: {problems:?}");
        assert!(problems[0].place.column.is_some(), "{text}");
    }
}
