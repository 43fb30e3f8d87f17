//! Row keys back into fields: what the laws promise for any design, and the published keys of the cases by id.

#[path = "common/formula.rs"]
mod plain;

use plain::{field, keys, strings, typed};
use proptest::prelude::*;
use rowscape::decode::{Collision, Decoded, collision, decode};
use rowscape::field::{Field, Kind, write};
use rowscape::formula::steps::{STEPS, Step};
use rowscape::formula::vector::Vector;

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
        formula += &format!(".{}{}", step.name, step.samples[choose(step.samples.len())]);
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

fn checked(formula: &str) -> Option<rowscape::formula::typed::Typed> {
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
            Err(problem) => return Err(TestCaseError::fail(format!("{formula}: {problem}"))),
        };
        let expected = texts(&row);
        for (field, expected) in fields.iter().zip(&expected) {
            let read = value(&decoded, &field.name);
            prop_assert!(read.is_none_or(|read| read == expected), "{formula}: {} is {read:?}, not {expected:?}", field.name);
        }
        prop_assert!(!codes(&decoded).contains(&"decode.part-differs"), "{formula}: {decoded:?}");
        let fits = |reading: &rowscape::decode::Reading| {
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
        let Some(Collision { records: [first, second], key }) = collision(&typed, &fields) else { return Ok(()) };
        prop_assert_ne!(&first, &second);
        let key = rowscape::row::from_string_binary(&key).expect("key");
        // Each is a reading of the key, unless a step does not keep it.
        let decoded = decode(&typed, &fields, &key).map_err(|problem| TestCaseError::fail(format!("{formula}: {problem}")))?;
        for record in [first, second] {
            let fits = |reading: &rowscape::decode::Reading| {
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
    };
    fields.iter().map(field).collect()
}

fn read(formula: &str, fields: &[Field], key: &[u8]) -> Decoded {
    decode(&typed(formula, fields), fields, key).unwrap_or_else(|problem| panic!("{formula}: {problem}"))
}

fn engine() -> Vec<Field> {
    named(&[
        ("engine_type", Kind::Text, None),
        ("ts", Kind::Time, Some("epoch-millis")),
        ("vin", Kind::Text, None),
    ])
}

#[test]
fn b3_a_delimiter_inside_a_value_leaves_several_readings_unless_widths_are_declared() {
    let key = b"YCK09360-60-1638290481900-9011D6L00124";
    let mut fields = engine();
    // A vehicle of any text: 60-1638290481900-9011D6L00124 has no 13 digits in front, so this key has one reading, but the design can make others.
    let formula = "engine_type + '-' + ts.millis().decimal(13) + '-' + vin";
    assert!(!typed(formula, &fields).shape.one_to_one);
    // The time as it comes has from 1 to 15 characters: 60 may be one.
    let formula = "engine_type + '-' + ts.millis() + '-' + vin";
    let decoded = read(formula, &fields, key);
    assert_eq!(codes(&decoded), ["decode.ambiguous"]);
    assert_eq!(
        decoded.problems[0].sentence(),
        "the key can be read in 2 ways: byte 8, -, can begin '-' or belong to engine_type; give engine_type a fixed \
         width, end it with terminated(), or separate it with a byte that does not occur in it"
    );
    let values: Vec<Vec<Option<&str>>> = decoded
        .readings
        .iter()
        .map(|reading| reading.values.iter().map(Option::as_deref).collect())
        .collect();
    assert_eq!(
        values,
        [
            [Some("YCK09360"), Some("60"), Some("1638290481900-9011D6L00124")],
            [Some("YCK09360-60"), Some("1638290481900"), Some("9011D6L00124")],
        ]
    );
    assert_eq!(lost(&decoded, "vin"), Some("decode.readings-differ"));
    let found = collision(&typed(formula, &fields), &fields).expect("a pair");
    assert_ne!(found.records[0], found.records[1]);
    // The vehicle declared 12 bytes wide, the time of 13 digits: readable from the right.
    fields[2].width = Some(12);
    let formula = "engine_type + '-' + ts.millis().decimal(13) + '-' + vin";
    assert!(typed(formula, &fields).shape.one_to_one);
    let decoded = read(formula, &fields, key);
    assert_eq!(
        ["engine_type", "ts", "vin"].map(|name| value(&decoded, name)),
        [Some("YCK09360-60"), Some("1638290481900"), Some("9011D6L00124")]
    );
    let spans: Vec<_> = decoded.parts.iter().map(|part| part.span).collect();
    assert_eq!(spans, [(0, 11), (11, 12), (12, 25), (25, 26), (26, 38)].map(Some));
    assert_eq!(collision(&typed(formula, &fields), &fields), None);
}

#[test]
fn c2_phone_and_time_behind_a_bucket_that_is_checked() {
    let mut fields =
        named(&[("phone", Kind::Text, None), ("call_time", Kind::Time, Some("yyyy-MM-dd HH:mm:ss"))]);
    fields[0].width = Some(11);
    let formula = "bucket(phone, 6).decimal(2) + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')";
    // "13412341234".hashCode() floorMod 6 is what stands first; the others contradict the phone.
    let right: Vec<u32> = (0..6)
        .filter(|bucket| {
            let key = format!("0{bucket}_13412341234_20210907000000");
            let decoded = read(formula, &fields, key.as_bytes());
            assert_eq!(value(&decoded, "phone"), Some("13412341234"));
            assert_eq!(value(&decoded, "call_time"), Some("2021-09-07 00:00:00"));
            assert!(codes(&decoded).is_empty() || codes(&decoded) == ["decode.part-differs"]);
            codes(&decoded).is_empty()
        })
        .collect();
    let hash = "13412341234".bytes().fold(0i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    assert_eq!(right, [hash.rem_euclid(6) as u32]);
    for (formula, key) in [
        ("'05_' + phone + '_' + call_time.millis()", "05_13412341234_1630972800000"),
        ("'05_' + call_time.format('yyyyMMddHHmmss') + '_' + phone", "05_20210907000000_13412341234"),
        (
            "'05_' + phone + '_' + call_time.format('yyyy-MM-dd HH:mm:ss')",
            "05_13412341234_2021-09-07 00:00:00",
        ),
    ] {
        let decoded = read(formula, &fields, key.as_bytes());
        assert_eq!(value(&decoded, "phone"), Some("13412341234"), "{formula}");
        assert_eq!(value(&decoded, "call_time"), Some("2021-09-07 00:00:00"), "{formula}");
    }
    // A key of the other form is refused, not read wrongly.
    let other = typed("'05_' + phone + '_' + call_time.format('yyyyMMddHHmmss')", &fields);
    let problem = decode(&other, &fields, b"05_13412341234_2021-09-07 00:00:00").expect_err("another form");
    assert_eq!(problem.code, "decode.part-not-found");
}

#[test]
fn f2_message_keys_under_their_digest() {
    let fields = named(&[("id", Kind::Text, None), ("sent", Kind::Time, Some("yyMMdd:HHmmss"))]);
    let formula = "id.md5().HEX(32) + ':' + sent.format('yyMMdd:HHmmss') + ':' + id";
    for (key, sent, id) in [
        ("8D4646EB2D7067126EB08ADB0672F7BB:230611:063031:1231231", "230611:063031", "1231231"),
        ("430EDB0C535BF08174E122EFECFA711D:230611:063033:1231235", "230611:063033", "1231235"),
    ] {
        let decoded = read(formula, &fields, key.as_bytes());
        assert_eq!((value(&decoded, "sent"), value(&decoded, "id")), (Some(sent), Some(id)));
        assert!(codes(&decoded).is_empty());
    }
    // The digest of another message.
    let key = b"8D4646EB2D7067126EB08ADB0672F7BB:230611:063031:1231232";
    let decoded = read(formula, &fields, key);
    assert_eq!(
        decoded.problems[0].sentence(),
        "the fields of the key make id.md5().HEX(32) 715782C59C0561E9B6CE0F3D…, but the key has \
         8D4646EB2D7067126EB08ADB… from byte 0; the key was made by another formula, or changed"
    );
}

#[test]
fn h3_a_digest_alone_says_which_step_lost_the_fields() {
    let fields = named(&[("a", Kind::Text, None), ("b", Kind::Text, None)]);
    let decoded = read("join('', a, b).md5().hex()", &fields, b"900150983cd24fb0d6963f7d28e17f72");
    assert_eq!((lost(&decoded, "a"), lost(&decoded, "b")), (Some("decode.one-way"), Some("decode.one-way")));
    let problem = decoded.fields[0].lost.as_ref().expect("lost");
    assert!(
        problem.sentence().starts_with("a cannot be told from the key: md5 gives the same result"),
        "{problem}"
    );
}

#[test]
fn h4_plain_concatenation_shows_two_records_of_one_key() {
    let fields = named(&[("a", Kind::Text, None), ("b", Kind::Text, None)]);
    let decoded = read("a + b", &fields, b"abc");
    let values: Vec<_> = decoded.readings.iter().map(|reading| reading.values.clone()).collect();
    let pair = |a: &str, b: &str| vec![Some(a.to_owned()), Some(b.to_owned())];
    assert_eq!(values, [pair("", "abc"), pair("a", "bc"), pair("ab", "c"), pair("abc", "")]);
    let found = collision(&typed("a + b", &fields), &fields).expect("a pair");
    let record =
        |a: &str, b: &str| [("a", a), ("b", b)].map(|(name, value)| (name.into(), value.into())).into();
    assert_eq!(found.key, "abc");
    assert!(
        found.records == [record("ab", "c"), record("a", "bc")]
            || found.records == [record("a", "bc"), record("ab", "c")],
        "{found:?}"
    );
    // A digest in front of both tells which it was.
    let key = [b"187ef4436122d1cc2f40dc2b92f0eba0".as_slice(), b"abc"].concat();
    let decoded = read("a.md5().hex() + a + b", &fields, &key);
    assert_eq!((value(&decoded, "a"), value(&decoded, "b")), (Some("ab"), Some("c")));
}

#[test]
fn k1_a_user_and_a_value_of_fixed_width() {
    let fields = named(&[("user", Kind::Text, None), ("value_id", Kind::Integer, None)]);
    let formula = "user.text(6) + value_id.int64()";
    let decoded = read(formula, &fields, b"fred\0\0\0\0\0\0\0\0\x01\x02");
    assert_eq!((value(&decoded, "user"), value(&decoded, "value_id")), (Some("fred"), Some("258")));
    let problem = decode(&typed(formula, &fields), &fields, b"fred\0\0\0\0").expect_err("too short");
    assert_eq!(
        problem.sentence(),
        "value_id.int64() cannot stand where it should: from byte 6 the key has \\x00\\x00; the key was made by another \
         formula, or holds a value the fields cannot have"
    );
}

#[test]
fn what_a_key_does_not_tell_is_said_by_the_step_that_lost_it() {
    let fields = fields();
    for (formula, key, field, code) in [
        ("u.seconds().decimal(10)", "1630972800", "u", "decode.rounded"),
        ("t.format('MM-dd')", "09-07", "t", "decode.goes-round"),
        ("n.floorMod(7).decimal(1)", "3", "n", "decode.goes-round"),
        ("a.upper()", "ABC", "a", "decode.one-way"),
        ("a", "abc", "b", "decode.not-in-key"),
        ("a + b", "abc", "a", "decode.readings-differ"),
    ] {
        assert_eq!(lost(&read(formula, &fields, key.as_bytes()), field), Some(code), "{formula}");
    }
}

#[test]
fn keys_the_formula_cannot_have_made_are_refused_with_what_was_found() {
    let fields = fields();
    for (formula, key, sentence) in [
        ("n.decimal(3) + '_' + a", "042-x", "'_' cannot stand where it should: from byte 3 the key has -x;"),
        (
            "n.decimal(3) + '_' + a",
            "04_x",
            "n.decimal(3) cannot stand where it should: from byte 0 the key has 04_x;",
        ),
        ("n.decimal(3) + '_'", "042", "the key ends after 3 bytes, where '_' is expected;"),
        ("n.decimal(3)", "0421", "the key goes on after its last part with 1 from byte 3;"),
        (
            "t.format('yyyyMMddHHmmss')",
            "20210231000000",
            "t.format('yyyyMMddHHmmss') cannot stand where it should: from byte 0",
        ),
        ("n", "-0", "n cannot stand where it should: from byte 0 the key has -0;"),
        ("a", "\u{0}", ""),
    ] {
        match decode(&typed(formula, &fields), &fields, key.as_bytes()) {
            Ok(_) => assert_eq!(sentence, "", "{formula}"),
            Err(problem) => assert!(problem.sentence().starts_with(sentence), "{formula}: {problem}"),
        }
    }
    assert_eq!(decode(&typed("a", &fields), &fields, b"").expect_err("empty").code, "row.empty");
    let long = vec![b'a'; 32_767];
    let problem = decode(&typed("a + b + a", &fields), &fields, &long).expect_err("too much to try");
    assert_eq!(problem.code, "decode.too-many");
    assert_eq!(value(&read("a", &fields, &long), "a").map(str::len), Some(32_767));
}
