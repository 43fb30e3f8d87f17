//! Formulas, documents and splits: accepted input prints as text that reads back as the same.

use rowscape::Problem;
use rowscape::design::{normal_form, parse};
use rowscape::field::{Field, Kind};
use rowscape::formula::describe::describe;
use rowscape::formula::{self, check};
use rowscape::split::Splits;
use serde_json::Value;

/// A field of every type; `text`, `integer` … are their names.
pub fn fields() -> Vec<Field> {
    let field = |name: &str, kind, format: Option<&str>| Field {
        name: name.to_owned(),
        kind,
        format: format.map(str::to_owned),
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    let uuid = Field { width: Some(16), ..field("uuid", Kind::Bytes, Some("uuid")) };
    vec![
        field("t", Kind::Text, None),
        field("n", Kind::Integer, None),
        field("at", Kind::Time, Some("yyyy-MM-dd HH:mm:ss")),
        field("ms", Kind::Time, Some("epoch-millis")),
        field("b", Kind::Bytes, Some("hex")),
        field("f", Kind::Float, None),
        field("d", Kind::Decimal, None),
        field("yes", Kind::Boolean, None),
        uuid,
    ]
}

/// Every problem has its sentence.
pub fn said(problems: &[Problem]) {
    for problem in problems {
        assert_ne!(problem.sentence(), problem.code);
    }
}

pub fn formula(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let parsed = match formula::parse(text) {
        Ok(parsed) => parsed,
        Err(problem) => return said(&[problem]),
    };
    let printed = parsed.to_string();
    assert_eq!(formula::parse(&printed).as_ref(), Ok(&parsed), "{printed}");
    let fields = fields();
    match check(&parsed, &fields) {
        Ok(typed) => assert!(!describe(&typed, &fields).is_empty()),
        Err(problems) => said(&problems),
    }
}

/// Equal, but for the last binary digit of a fraction with 17 digits or more: reading those exactly too costs the page
/// 4 KB before its first drawing (`docs/decisions/0015-wasm-size.md`), and no rate or share is known so well.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| same(value, other)))
        }
        (Value::Number(left), Value::Number(right)) if left.is_f64() && right.is_f64() => {
            let (left, right) = (left.as_f64().unwrap_or(0.0), right.as_f64().unwrap_or(0.0));
            (left - right).abs() <= left.abs() * 2.0 * f64::EPSILON
        }
        _ => left == right,
    }
}

pub fn document(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let study = match parse(text) {
        Ok(study) => study,
        Err(problems) => {
            assert!(!problems.is_empty());
            return said(&problems);
        }
    };
    let normal = normal_form(&study);
    match parse(&normal.to_string()) {
        Ok(again) => assert!(same(&normal_form(&again), &normal), "{normal}"),
        Err(problems) => panic!("{normal}: {problems:?}"),
    }
}

pub fn splits(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let splits = match Splits::from_text(text) {
        Ok(splits) => splits,
        Err(problem) => return said(&[problem]),
    };
    assert_eq!(Splits::from_text(&splits.to_json().to_string()).as_ref(), Ok(&splits));
    match splits.points() {
        Ok(points) => {
            for (index, key) in points.iter().enumerate().take(100) {
                assert_eq!(points.region_of(key), index + 1);
            }
        }
        Err(problem) => said(&[problem]),
    }
}
