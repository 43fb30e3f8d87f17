//! The published keys of the cases, by id, and what is said of keys that do not tell all.

use super::*;
use crate::common;
use rowscape::analysis::Analysis;
use rowscape::design::parse;

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
        "the key can be read in 2 ways: byte 8, -, can start '-' or belong to engine_type; give engine_type a fixed \
         width, end it with terminated(), or use a separator that does not occur in it"
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
        "id.md5().HEX(32) is 715782C59C0561E9B6CE0F3D… for the fields in this key, but the key has \
         8D4646EB2D7067126EB08ADB… from byte 0; the key comes from another formula or was changed"
    );
}

#[test]
fn h3_a_digest_alone_says_which_step_lost_the_fields() {
    let fields = named(&[("a", Kind::Text, None), ("b", Kind::Text, None)]);
    let decoded = read("join('', a, b).md5().hex()", &fields, b"900150983cd24fb0d6963f7d28e17f72");
    assert_eq!((lost(&decoded, "a"), lost(&decoded, "b")), (Some("decode.one-way"), Some("decode.one-way")));
    let problem = decoded.fields[0].lost.as_ref().expect("lost");
    assert!(
        problem.sentence().starts_with("a cannot be recovered from the key: md5 gives the same result"),
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
    let record = |a: &str, b: &str| {
        [("a", a), ("b", b)].map(|(name, value)| (name.into(), value.into())).into_iter().collect()
    };
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
        "value_id.int64() does not match: from byte 6 the key has \\x00\\x00; the key comes from another formula, or \
         holds a value that the fields cannot have"
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
        ("n.decimal(3) + '_' + a", "042-x", "'_' does not match: from byte 3 the key has -x;"),
        ("n.decimal(3) + '_' + a", "04_x", "n.decimal(3) does not match: from byte 0 the key has 04_x;"),
        ("n.decimal(3) + '_'", "042", "the key ends after 3 bytes, where '_' is expected;"),
        ("n.decimal(3)", "0421", "the key continues after its last part with 1 from byte 3;"),
        (
            "t.format('yyyyMMddHHmmss')",
            "20210231000000",
            "t.format('yyyyMMddHHmmss') does not match: from byte 0",
        ),
        ("n", "-0", "n does not match: from byte 0 the key has -0;"),
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

#[test]
fn numbers_and_bytes_of_ordered_bytes_end_themselves() {
    let fields = [fields(), named(&[("d", Kind::Decimal, None), ("f", Kind::Float, None)])].concat();
    for step in ["ordered.numeric()", "ordered.numeric('desc')"] {
        let formula = format!("n.{step} + m.{step} + a");
        assert!(typed(&formula, &fields).shape.one_to_one, "{formula}");
        // Digits and an even byte; what follows begins with any byte.
        for (n, m) in [(1, 10), (12, 3), (-7, 100), (0, 1_000_001)] {
            let row = ("x".into(), "".into(), n, m, 0, 0, vec![], "abc".into());
            let Some(key) = keys(&typed(&formula, &fields), &columns(&row)).swap_remove(0) else {
                panic!("{n}")
            };
            let decoded = read(&formula, &fields, &key);
            let found = ["n", "m", "a"].map(|name| value(&decoded, name).map(str::to_owned));
            assert_eq!(found, [n.to_string(), m.to_string(), "x".to_owned()].map(Some), "{formula}");
        }
    }
    assert!(typed("x.ordered.blobVar() + a", &fields).shape.one_to_one);
    assert!(!typed("x.ordered.blobCopy() + a", &fields).shape.one_to_one);
    // OrderedBytes.encodeNumeric(new BigDecimal("12.5")): 18 19 64, and "12.50" the same.
    let decoded = read("d.ordered.numeric() + a", &fields, b"\x18\x19dx");
    assert_eq!((value(&decoded, "d"), value(&decoded, "a")), (Some("12.5"), Some("x")));
    let decoded = read("f.ordered.numeric() + a", &fields, b"\x15x");
    assert_eq!((value(&decoded, "f"), value(&decoded, "a")), (Some("0.0"), Some("x")));
    // The text tells the zeros that the number has lost.
    let decoded = read("d.ordered.numeric() + d.string()", &fields, b"\x18\x19d12.50");
    assert_eq!(value(&decoded, "d"), Some("12.50"));
    let pair = collision(&typed("d.phoenix.decimal()", &fields), &fields).expect("1 and 1.0");
    assert_eq!(pair.records.map(|record| record["d"].clone()), ["1", "1.0"]);
}

#[test]
fn colliding_records_are_those_of_the_data_where_there_are_such() {
    let fields = named(&[("a", Kind::Text, None), ("b", Kind::Text, None)]);
    let pair = |formula: &str, csv: &str| {
        let document = serde_json::json!({ "rowscape": 1, "fields": fields, "rowkey": formula });
        let study = parse(&document.to_string()).expect("design");
        let analysis = Analysis::of(&study, 0, common::csv_records(&fields, csv).into());
        analysis.expect("analysis").collision()
    };
    let csv = "a,b\nzz,z\nab,c\nzz,z\na,bc\n";
    let found = pair("a + b", csv).expect("ab c and a bc");
    assert_eq!((found.rows, found.key.as_str()), (Some([1, 3]), "abc"));
    assert_eq!(
        found.records.map(|record| [record["a"].clone(), record["b"].clone()]),
        [["ab", "c"], ["a", "bc"]]
    );
    // The same record twice is no collision: two are made up.
    let made_up = pair("a + b", "a,b\nzz,z\nzz,z\n").expect("a pair");
    assert_eq!(made_up.rows, None);
    assert_eq!(pair("a.terminated() + b", csv), None);
}

#[test]
fn a_time_or_number_spread_over_several_parts_is_put_together() {
    let fields = fields();
    for (formula, key, field, expected) in [
        // The rows of OpenTSDB and what it puts into the qualifier, in one key.
        (
            "u.truncate('1h').seconds().uint32() + u.offset('1h').uint24()",
            &b"a\xa6J\x80'y\x14"[..],
            "u",
            "1638290586900",
        ),
        ("t.format('yyyyMMdd') + '_' + t.format('HHmmss')", b"20210907_101112", "t", "2021-09-07 10:11:12"),
        ("t.format('HHmmss') + '_' + t.format('yyyyMMdd')", b"101112_20210907", "t", "2021-09-07 10:11:12"),
        ("t.format('yyyy') + '_' + t.format('MMddHHmmss')", b"2020_0229101112", "t", "2020-02-29 10:11:12"),
        ("u.seconds().decimal(10) + u.offset('1m').decimal(5)", b"163829058606900", "u", "1638290586900"),
        // A salt is of the same time, and tells nothing of it.
        (
            "rest.phoenixSalt(3) + u.seconds().decimal(10) + u.offset('1m').decimal(5)",
            b"\x01163829058606900",
            "u",
            "1638290586900",
        ),
        (
            "u.offset('1m').uint16() + u.format('HHmm') + u.truncate('1d').millis().decimal(13)",
            b"\x1a\xf400431638288000000",
            "u",
            "1638290586900",
        ),
        (
            "n.plus(500).div(100).decimal(9) + n.plus(500).floorMod(100).decimal(2)",
            b"00000010742",
            "n",
            "10242",
        ),
        ("n.floorMod(7).decimal(1) + n.div(7).decimal(5)", b"300002", "n", "17"),
    ] {
        let decoded = read(formula, &fields, key);
        assert_eq!(value(&decoded, field), Some(expected), "{formula}: {decoded:?}");
        assert!(decoded.problems.is_empty(), "{formula}: {:?}", decoded.problems);
    }
    // Seconds of 32 bits without their last byte: 256 of them fit, though half of all times fit no such number.
    let decoded = read("u.seconds().ordered.int32('asc').hex(8)", &fields, b"2be1373a");
    assert_eq!((value(&decoded, "u"), codes(&decoded)), (None, Vec::new()));
    // The declared shapes predict it, unless it depends on calendars, signs or zones.
    let whole = |formula: &str| typed(formula, &fields).shape.one_to_one;
    for formula in [
        "u.truncate('1h').seconds().uint32() + u.offset('1h').uint24()",
        "t.format('yyyyMMdd') + '_' + t.format('HHmmss')",
        "t.format('mm:ss') + t.format('yyyyMMdd') + t.format('HH')",
        "u.offset('1m').uint16() + u.format('HHmm') + u.truncate('1d').millis().decimal(13)",
    ] {
        assert!(whole(formula), "{formula}");
    }
    for formula in [
        "u.truncate('1h').seconds().uint32() + u.offset('30m').uint24()",
        "u.format('yyyyMMdd') + u.format('HHmmss')",
        "t.format('yyyyMMdd') + t.format('mmss')",
        "t.truncate('1d').seconds().div(7).int64() + t.offset('1d').int32()",
        "t.truncate('1d').millis().floorMod(86400000).int64() + t.format('yyyyMMdd')",
    ] {
        assert!(!whole(formula), "{formula}");
    }
    // A month and a time of day leave some thirty moments; contradictions are seen.
    let decoded = read("t.format('yyyyMM') + t.format('HHmmss')", &fields, b"202109101112");
    assert_eq!(lost(&decoded, "t"), Some("decode.rounded"));
    let spread = "t.format('yyyyMMdd') + t.format('HHmmss') + t.seconds().floorMod(7).decimal(1)";
    // 2021-09-07T02:11:12Z is 1630980672 seconds, 6 more than a multiple of 7.
    let agrees = read(spread, &fields, b"202109071011126");
    assert_eq!((value(&agrees, "t"), codes(&agrees)), (Some("2021-09-07 10:11:12"), vec![]));
    let differs = read(spread, &fields, b"202109071011124");
    assert_eq!(value(&differs, "t"), None, "no moment makes all three");
}
