//! Row keys back into fields: what the laws promise for any design, and the published keys of the cases by id.

mod cases;
use crate::common::formula::{field, keys, strings, typed};
use proptest::prelude::*;
use rowscape::decode::{Collision, Decoded, collision, decode};
use rowscape::field::{Field, Kind, write};
use rowscape::formula::steps::{STEPS, Step};
use rowscape::formula::vector::Vector;

#[path = "../../../src/formula/steps/samples.rs"]
mod samples;

/// `a` and `b` texts, `n` and `m` numbers, `t` a time in whole seconds, `u` one in milliseconds, `x` bytes, `w` a text of three.
fn fields() -> Vec<Field> {
    let kinds = [
        ("a", Kind::Text),
        ("b", Kind::Text),
        ("n", Kind::Integer),
        ("m", Kind::Integer),
        ("t", Kind::Time),
        ("u", Kind::Time),
        ("x", Kind::Bytes),
        ("w", Kind::Text),
    ];
    let mut fields = kinds.map(|(name, kind)| field(name, kind)).to_vec();
    fields[5].format = Some("epoch-millis".to_owned());
    fields[7].width = Some(3);
    fields
}

type Row = (String, String, i64, i64, i64, i64, Vec<u8>, String);

fn columns((a, b, n, m, t, u, x, w): &Row) -> [Vector; 8] {
    let [n, m, t, u] = [*n, *m, *t * 1000, *u].map(|number| Vector::Integers(vec![number]));
    [strings(&[a]), strings(&[b]), n, m, t, u, strings(&[x]), strings(&[w])]
}

/// The value of each field as its text.
fn texts(row: &Row) -> Vec<String> {
    let text = |(field, column): (&Field, &Vector)| match column {
        Vector::Integers(values) => write::number(field, values[0]),
        Vector::Strings(values) => write::string(field, values.get(0)),
    };
    fields().iter().zip(&columns(row)).map(text).collect()
}

fn row() -> impl Strategy<Value = Row> {
    let text = || prop_oneof!["[!ab_-]{0,3}", "[0-9]{1,11}", "\\PC{0,4}"];
    let number = || prop_oneof![-5i64..300, any::<i64>(), 0i64..10];
    let seconds = 0i64..4_000_000_000;
    let millis = prop_oneof![1_500_000_000_000i64..1_700_000_000_000, -1000i64..1000];
    (
        text(),
        text(),
        number(),
        number(),
        seconds,
        millis,
        prop::collection::vec(any::<u8>(), 0..5),
        "[a-c-]{3}",
    )
}

/// The steps that can follow a value of this kind.
fn fitting(kind: Kind) -> Vec<&'static Step> {
    STEPS.iter().copied().filter(|step| step.takes.contains(&kind)).collect()
}

/// A part made of the table of steps, by the choices drawn: a field, then steps as long as it has no bytes or they say so.
fn part(choices: &[u32]) -> String {
    let declared = fields();
    let mut choices = choices.iter().map(|&choice| choice as usize);
    let mut choose = |among: usize| choices.next().unwrap_or(0) % among.max(1);
    let field = &declared[choose(declared.len())];
    let (mut formula, mut kind) = (field.name.clone(), field.kind);
    if choose(5) == 0 {
        let separator = ["", "-", "_"][choose(3)];
        (formula, kind) = (format!("join('{separator}', a.terminated(), b)"), Kind::Text);
    }
    let mut left = choose(4);
    loop {
        let written = matches!(kind, Kind::Text | Kind::Bytes | Kind::Integer);
        if written && left == 0 {
            return formula;
        }
        left = left.saturating_sub(1);
        let steps = fitting(kind);
        let step = steps[choose(steps.len())];
        let tried = samples::samples(step.name);
        formula += &format!(".{}{}", step.name, tried[choose(tried.len())]);
        kind = step.gives;
        if formula.len() > 300 {
            return "'-'".to_owned();
        }
    }
}

fn formula() -> impl Strategy<Value = String> {
    let drawn = prop::collection::vec(any::<u32>(), 12).prop_map(|choices| part(&choices));
    let known = prop::sample::select(
        &[
            "a",
            "b",
            "n",
            "'-'",
            "x'00'",
            "'_'",
            "n.decimal(3)",
            "w",
            "a.terminated()",
            "b.terminated()",
            "a.text(12)",
            "t.format('yyyyMMddHHmmss')",
            "u.millis().int64()",
            "join('-', a, b)",
            "join('-', b, n.decimal(4)).text(20)",
            "bucket(a, n, 3)",
            "salt(3).decimal(1)",
            "a.md5().hex(4)",
        ][..],
    )
    .prop_map(str::to_owned);
    let parts = prop::collection::vec(prop_oneof![drawn, known], 1..5);
    (prop::sample::select(&["", "rest.phoenixSalt(3) + ", "rest.javaHash().floorMod(4) + "][..]), parts)
        .prop_map(|(salt, parts)| salt.to_owned() + &parts.join(" + "))
}

fn checked(formula: &str) -> Option<rowscape::formula::typed::TypedFormula> {
    let parsed = rowscape::formula::parse(formula).expect(formula);
    rowscape::formula::check(&parsed, &fields()).ok()
}

fn value<'a>(decoded: &'a Decoded, name: &str) -> Option<&'a str> {
    let field = decoded.fields.iter().find(|field| field.name == name).expect(name);
    assert_eq!(field.value.is_none(), field.lost.is_some(), "{field:?}");
    field.value.as_deref()
}

fn codes(decoded: &Decoded) -> Vec<&'static str> {
    decoded.problems.iter().map(|problem| problem.code).collect()
}

fn lost(decoded: &Decoded, name: &str) -> Option<&'static str> {
    let field = decoded.fields.iter().find(|field| field.name == name)?;
    field.lost.as_ref().map(|problem| problem.code)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn what_is_read_back_is_what_was_written(formula in formula(), row in row()) {
        let Some(typed) = checked(&formula) else { return Ok(()) };
        let Some(key) = keys(&typed, &columns(&row)).swap_remove(0) else { return Ok(()) };
        if rowscape::row::check_length(key.len()).is_err() {
            return Ok(());
        }
        let fields = fields();
        let decoded = match decode(&typed, &fields, &key) {
            Ok(decoded) => decoded,
            // An ambiguous key may have more readings than are tried.
            Err(problem) if problem.code == "decode.too-many" && !typed.shape.one_to_one => return Ok(()),
            Err(problem) => return Err(TestCaseError::fail(format!("{formula}: {problem}"))),
        };
        let expected = texts(&row);
        for (field, expected) in fields.iter().zip(&expected) {
            let read = value(&decoded, &field.name);
            prop_assert!(read.is_none_or(|read| read == expected), "{formula}: {} is {read:?}, not {expected:?}", field.name);
        }
        prop_assert!(!codes(&decoded).contains(&"decode.part-differs"), "{formula}: {decoded:?}");
        let fits = |reading: &rowscape::decode::KeyReading| {
            reading.values.iter().zip(&expected).all(|(read, expected)| read.as_ref().is_none_or(|read| read == expected))
        };
        prop_assert!(decoded.more || decoded.readings.iter().any(fits), "{formula}: {decoded:?}");
        if typed.shape.one_to_one {
            prop_assert!(decoded.problems.is_empty(), "{formula}: {:?}", decoded.problems);
            for field in typed.parts.iter().flat_map(|part| &part.fields) {
                let name = &fields[*field].name;
                prop_assert!(value(&decoded, name).is_some(), "{formula}: {:?}", lost(&decoded, name));
            }
            prop_assert!(collision(&typed, &fields).is_none());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(formula in formula(), key in prop::collection::vec(any::<u8>(), 0..40)) {
        let Some(typed) = checked(&formula) else { return Ok(()) };
        let Ok(decoded) = decode(&typed, &fields(), &key) else { return Ok(()) };
        for reading in &decoded.readings {
            let ends: Vec<usize> = reading.spans.iter().map(|span| span.1).collect();
            prop_assert!(ends.is_sorted() && ends.last() == Some(&key.len()), "{formula}: {ends:?}");
        }
    }

    #[test]
    fn colliding_records_have_one_key(formula in formula()) {
        let Some(typed) = checked(&formula) else { return Ok(()) };
        let fields = fields();
        let Some(Collision { records: [first, second], key, .. }) = collision(&typed, &fields) else { return Ok(()) };
        prop_assert_ne!(&first, &second);
        let key = rowscape::row::from_string_binary(&key).expect("key");
        // Each is a reading of the key, unless a step does not keep it.
        let decoded = decode(&typed, &fields, &key).map_err(|problem| TestCaseError::fail(format!("{formula}: {problem}")))?;
        for record in [first, second] {
            let fits = |reading: &rowscape::decode::KeyReading| {
                let mut fields = fields.iter().zip(&reading.values);
                fields.all(|(field, value)| value.is_none() || value.as_ref() == record.get(&field.name))
            };
            prop_assert!(decoded.more || decoded.readings.iter().any(fits), "{formula}: {record:?} {decoded:?}");
        }
    }
}

fn named(fields: &[(&str, Kind, Option<&str>)]) -> Vec<Field> {
    let field = |&(name, kind, format): &(&str, Kind, Option<&str>)| Field {
        name: name.to_owned(),
        kind,
        format: format.map(str::to_owned),
        zone: None,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    fields.iter().map(field).collect()
}

fn read(formula: &str, fields: &[Field], key: &[u8]) -> Decoded {
    decode(&typed(formula, fields), fields, key).unwrap_or_else(|problem| panic!("{formula}: {problem}"))
}
