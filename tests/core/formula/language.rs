//! Formulas: bytes as Java and HBase make them, and what is said of whole keys.

use crate::common::formula::{field, keys, strings, typed};
use proptest::prelude::*;
use rowscape::field::shape::Order;
use rowscape::field::time::TimeFormat;
use rowscape::field::{Field, Kind};
use rowscape::formula::vector::Vector;
use rowscape::formula::{check, parse};
use serde_json::Value;
use std::cmp::Ordering;

/// `phone` and `id` texts, `n` a number, `t` a time, `b` bytes.
fn fields() -> Vec<Field> {
    [("phone", Kind::Text), ("id", Kind::Text), ("n", Kind::Integer), ("t", Kind::Time), ("b", Kind::Bytes)]
        .map(|(name, kind)| field(name, kind))
        .to_vec()
}

/// The key of one record as text, escaped where it is none; `refused` when there is none.
fn key(formula: &str, phone: &str, id: &str, n: i64, t: &str) -> String {
    let time = TimeFormat::parse("yyyy-MM-dd HH:mm:ss", Some("+08:00")).expect("format");
    let time = time.read(t.as_bytes()).expect("time");
    let columns = [
        strings(&[phone]),
        strings(&[id]),
        Vector::Integers(vec![n]),
        Vector::Integers(vec![time]),
        strings(&[phone]),
    ];
    match &keys(&typed(formula, &fields()), &columns)[0] {
        Some(key) => key.escape_ascii().to_string(),
        None => "refused".to_owned(),
    }
}

fn records(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/vectors/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex")).collect()
}

#[test]
fn numbers_and_texts_as_bytes_are_those_of_hbase() {
    let declared = fields();
    for record in records("bytes_codec") {
        // A lone surrogate is no UTF-8.
        let Some(value) = record["value"].as_str().or(record["text"].as_str()) else { continue };
        let (formula, text, number) = match record["type"].as_str().expect("type") {
            "String" => ("phone.text()", value, 0),
            "short" => ("n.int16()", "", value.parse().expect("number")),
            "int" => ("n.int32()", "", value.parse().expect("number")),
            "long" => ("n.int64()", "", value.parse().expect("number")),
            _ => continue,
        };
        let column = strings(&[text]);
        let columns = [
            column.clone(),
            column.clone(),
            Vector::Integers(vec![number]),
            Vector::Integers(vec![0]),
            column,
        ];
        let found = keys(&typed(formula, &declared), &columns);
        assert_eq!(found, [Some(unhex(record["out"].as_str().expect("out")))], "{record}");
    }
}

#[test]
fn keys_of_published_designs_come_out_to_the_byte() {
    let at = "2021-09-07 10:11:12";
    for (formula, phone, id, expected) in [
        // Message ids and their digests as published for message stores.
        ("phone.md5().HEX()", "1231231", "", "8D4646EB2D7067126EB08ADB0672F7BB"),
        ("phone.md5().HEX(32) + ':' + phone", "1231235", "", "430EDB0C535BF08174E122EFECFA711D:1231235"),
        ("phone.reverse()", "2021010101010101", "", "1010101010101202"),
        ("phone + '_' + t.format('yyyyMMddHHmmss')", "13412341234", "", "13412341234_20210907101112"),
        ("t.seconds()", "", "", "1630980672"),
        ("t.millis()", "", "", "1630980672000"),
        ("t.millis().reverseLong().decimal(19)", "", "", "9223370405874103807"),
        ("t.truncate('1h').format('yyyy-MM-dd HH:mm')", "", "", "2021-09-07 10:00"),
        ("t.truncate('1d').format('HHmm')", "", "", "0000"),
        // "ab".hashCode() is 97 * 31 + 98.
        ("join('', phone, id).javaHash().and(32767).int16() + join('', phone, id)", "a", "b", "\\x0c!ab"),
        ("bucket(phone, id, 6)", "a", "b", "3"),
        ("join('_', phone, id)", "a", "b", "a_b"),
        ("phone.text(4) + id", "ab", "c", "ab\\x00\\x00c"),
        ("phone.terminated() + id", "ab", "c", "ab\\x00c"),
        ("phone.text(2)", "abc", "", "refused"),
        ("phone.terminated()", "a\0", "", "refused"),
        ("phone.pad(5, '0')", "42", "", "00042"),
        ("phone.pad(1, '0')", "42", "", "refused"),
        ("phone.substring(0, 3).upper()", "straße", "", "STR"),
        ("phone.upper()", "straße", "", "STRASSE"),
        ("phone.substring(0, 9)", "short", "", "refused"),
        // U+1F600 is two UTF-16 units.
        ("phone.substring(1, 3)", "a\u{1F600}b", "", "\\xf0\\x9f\\x98\\x80"),
        ("phone.substring(0, 2)", "a\u{1F600}b", "", "refused"),
        ("phone.reverse()", "a\u{1F600}b", "", "b\\xf0\\x9f\\x98\\x80a"),
        ("x'00ff' + 'it''s'", "", "", "\\x00\\xffit\\'s"),
    ] {
        assert_eq!(key(formula, phone, id, 0, at), expected, "{formula}");
    }
    for (formula, n, expected) in [
        ("n", -5, "-5"),
        ("n.decimal(3)", 42, "042"),
        ("n.decimal(3)", 1000, "refused"),
        ("n.decimal(3)", -1, "refused"),
        ("n.mod(3)", -5, "-2"),
        ("n.floorMod(3)", -5, "1"),
        ("n.hex(4)", 255, "00ff"),
        ("n.HEX(2)", 255, "FF"),
        ("n.hex(2)", 256, "refused"),
        ("n.hex(2)", -1, "refused"),
        ("n.int16()", 32768, "refused"),
        ("n.reverseLong()", 0, "9223372036854775807"),
        ("n.reverseLong()", -1, "refused"),
        ("n.abs()", -5, "5"),
        ("n.abs()", i64::MIN, "-9223372036854775808"),
        ("n.abs().int64()", i64::MIN, "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x00"),
        ("n.words('a-', 'b-')", 1, "b-"),
        ("n.words('a-', 'b-')", 2, "refused"),
        ("n.words('a-', 'b-')", -1, "refused"),
    ] {
        assert_eq!(key(formula, "", "", n, at), expected, "{formula} of {n}");
    }
}

#[test]
fn whether_keys_are_told_apart_follows_from_widths_and_separators() {
    for (formula, one_to_one) in [
        ("phone", true),
        // Plain concatenation: ("ab", "c") and ("a", "bc") give one key.
        ("phone + id", false),
        ("join('', phone, id)", false),
        // The separator may occur in both.
        ("phone + '-' + id", false),
        ("phone + '_' + n", true),
        // The sign: ("a-", 5) and ("a", -5) give one key.
        ("phone + '-' + n", false),
        // The following parts have a fixed width, so the key is readable from the right.
        ("phone + '-' + n.decimal(13) + '-' + t.format('yyyyMMddHHmmss')", true),
        ("phone + '-' + n.decimal(13) + '-' + id", false),
        ("phone.terminated() + id", true),
        ("phone.text(20) + id.text(20)", true),
        ("phone.md5() + id", false),
        ("phone.md5() + phone + x'00' + n", true),
        ("phone.md5() + phone + x'00' + id", false),
        ("phone.md5() + phone.terminated() + n", true),
        ("bucket(phone, id, 6).decimal(2) + '_' + phone.terminated() + id", true),
        ("t.format('yyyyMMddHHmmss')", true),
        ("t.format('yyyyMMddHHmm')", false),
        ("t.format('yyMMddHHmmss')", false),
        ("t.seconds().int32()", true),
    ] {
        assert_eq!(typed(formula, &fields()).shape.one_to_one, one_to_one, "{formula}");
    }
}

#[test]
fn order_of_whole_keys_follows_from_their_first_part_that_varies() {
    for (formula, order) in [
        ("phone", Order::Strict),
        // `!` sorts below `-`: `a!-` comes before `a-`.
        ("phone + '-' + n", Order::None),
        ("phone.terminated() + n", Order::Strict),
        ("'p' + phone.terminated() + n", Order::Strict),
        ("t.format('yyyyMMddHHmmss') + '_' + phone", Order::Strict),
        ("t.format('yyyyMM') + '_' + phone", Order::None),
        ("t.format('yyyyMM') + '_' + t.millis().decimal(13)", Order::Strict),
        ("t.millis().reverseLong().decimal(19) + phone", Order::Reversed),
        ("phone.md5() + phone", Order::None),
        ("t.format('MM-dd') + phone", Order::Cyclic),
    ] {
        assert_eq!(typed(formula, &fields()).shape.order, order, "{formula}");
    }
}

#[test]
fn a_year_of_two_digits_tells_time_when_the_field_is_written_so() {
    let mut declared = fields();
    declared[3].format = Some("yyMMdd:HHmmss".to_owned());
    let shape = typed("t.format('yyMMdd:HHmmss')", &declared).shape;
    assert_eq!((shape.order, shape.one_to_one), (Order::Strict, true));
}

#[test]
fn the_same_sub_formula_has_the_same_text_however_it_is_written() {
    use rowscape::formula::typed::Expression;
    let text = |formula: &str| match &typed(formula, &fields()).parts[0].expression {
        Expression::Apply { text, .. } => text.clone(),
        _ => panic!("{formula}"),
    };
    assert_eq!(text("bucket(phone,id,6)"), text("join( '' , phone, `id` ).javaHash().floorMod(6).decimal()"));
}

#[test]
fn a_bucket_of_a_signed_hash_is_what_java_makes_of_it() {
    // "polygenelubricants".hashCode() is Integer.MIN_VALUE, which Math.abs leaves as it is.
    for (steps, expected) in [
        ("", "\\x80\\x00\\x00\\x00"),
        (".abs()", "\\x80\\x00\\x00\\x00"),
        (".abs().mod(100)", "\\xff\\xff\\xff\\xd0"),
        (".mod(100).abs()", "\\x00\\x00\\x000"),
        (".floorMod(100)", "\\x00\\x00\\x004"),
        (".and(2147483647).mod(100)", "\\x00\\x00\\x00\\x00"),
    ] {
        let formula = format!("phone.javaHash(){steps}.int32()");
        assert_eq!(key(&formula, "polygenelubricants", "", 0, "2021-09-07 10:11:12"), expected, "{steps}");
    }
}

#[test]
fn wrong_formulas_say_where_and_what_would_fit() {
    for (formula, columns, sentence) in [
        (
            "phone.format('yyyy')",
            (7, 21),
            "format takes time, but this is text; steps that take text: reverse, upper",
        ),
        (
            "phone.md5().hex(40)",
            (13, 20),
            "hex(40) requests 40 characters, but there are only 32; use hex(32) or fewer",
        ),
        (
            "phone.md5().raw(17)",
            (13, 20),
            "raw(17) requests 17 bytes, but there are only 16; use raw(16) or fewer",
        ),
        ("'a' + t", (7, 8), "t is a time, which has no bytes of its own; add .format("),
        ("t.format('yyyy-QQ')", (16, 18), "unknown “QQ” in a time pattern"),
        ("fone.md5()", (1, 5), "unknown field fone; did you mean phone?"),
        ("phone.md6()", (7, 12), "unknown step md6; did you mean md5?"),
        ("buckets(phone, 3)", (1, 18), "unknown source buckets(…); did you mean bucket?"),
        ("join(phone)", (1, 12), "invalid arguments; write join(separator, a, b, …)"),
        ("n.decimal('2')", (3, 15), "the argument width of decimal([width]) has the wrong kind"),
        ("n.decimal(n)", (11, 12), "n differs between records, but decimal([width]) takes a constant"),
        ("n.mod(0)", (3, 9), "n of mod(n) is 0; it must be from 1 to"),
        ("sum(n, phone)", (8, 13), "sum adds whole numbers, but phone has type text"),
        (
            "n.reverse()",
            (3, 12),
            "reverse takes text, but this is integer; first give the number a width, as in decimal(16).reverse(…)",
        ),
        ("n.hex()", (3, 8), "a number in hexadecimal needs a width; write hex(8)"),
        ("t.truncate('7m')", (3, 17), "invalid period “7m”"),
        ("phone + rest.md5()", (9, 19), "rest means the parts that follow in the key, and none follow here"),
        ("rest.md5() + rest.crc32() + id", (1, 11), "rest is used twice"),
        ("join('', rest, rest).md5() + id", (1, 27), "rest is used twice"),
        ("salt(0) + id", (1, 8), "n of salt(n[, seed]) is 0; it must be from 1 to"),
        ("salt(4).words('a', 'b')", (9, 24), "2 words are too few for numbers from 0 to 3"),
        ("n.words()", (3, 10), "words has 0 arguments; write words(a, b, …)"),
        (
            "phone.phoenixSalt(257)",
            (7, 23),
            "buckets of phoenixSalt(buckets) is 257; it must be from 1 to 256",
        ),
    ] {
        let parsed = parse(formula).expect(formula);
        let problems = check(&parsed, &fields()).err().expect(formula);
        let [problem] = problems.as_slice() else { panic!("{formula}: {problems:?}") };
        let place = (problem.place.column, problem.place.end);
        assert_eq!(place, (Some(columns.0), Some(columns.1)), "{formula}: {problem}");
        assert!(problem.sentence().starts_with(sentence), "{formula}: {problem}");
    }
}

const PARTS: &[&str] = &[
    "phone",
    "id",
    "'-'",
    "x'00'",
    "'_'",
    "n",
    "n.decimal(3)",
    "phone.terminated()",
    "id.terminated()",
    "phone.text(6)",
    "join('-', phone, id)",
    "join('', phone.terminated(), id)",
    "phone.md5().hex(4)",
    "n.reverseLong().decimal(19)",
    "t.format('yyyyMMdd')",
    "t.format('yyyyMMddHHmmss')",
    "t.truncate('1d').millis().reverseLong().decimal(19)",
    "t.millis().reverseLong().decimal(19)",
    "t.seconds().int32()",
    "bucket(phone, 3)",
    "salt(3).decimal(1)",
    "id.escaped()",
    "n.plus(-50).plus(100).uint16()",
    "n.div(7)",
    "n.uint8()",
    "sum(n, t.format('yyyyMMdd').number()).floorMod(10).decimal(1)",
    "sum(n, 5).int64()",
    "t.offset('1d').uint32()",
    "t.format('yyyyMMdd').number().uint32()",
    "salt(2, 9).words('a', 'b-')",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn what_is_said_of_whole_keys_holds(
        salted in prop::sample::select(&["", "rest.phoenixSalt(3) + ", "rest.bytesHash().mod(4).abs() + ", "rest + "][..]),
        parts in prop::collection::vec(prop::sample::select(PARTS), 1..5),
        rows in prop::collection::vec(("[!ab_-]{0,3}", "[!ab_-]{0,3}", 0i64..200, 0i64..100), 2..30),
    ) {
        let formula = salted.to_owned() + &parts.join(" + ");
        let typed = typed(&formula, &fields());
        let columns = [
            strings(&rows.iter().map(|row| &row.0).collect::<Vec<_>>()),
            strings(&rows.iter().map(|row| &row.1).collect::<Vec<_>>()),
            Vector::Integers(rows.iter().map(|row| row.2).collect()),
            Vector::Integers(rows.iter().map(|row| 1_600_000_000_000 + row.3 * 20_000_000).collect()),
            strings(&rows.iter().map(|row| &row.0).collect::<Vec<_>>()),
        ];
        let keys = keys(&typed, &columns);
        let mut used: Vec<usize> = typed.parts.iter().flat_map(|part| part.fields.clone()).collect();
        used.sort_unstable();
        used.dedup();
        let same = |column: &Vector, a: usize, b: usize| match column {
            Vector::Integers(values) => values[a].cmp(&values[b]),
            Vector::Strings(values) => values.get(a).cmp(values.get(b)),
        };
        let lead = typed.parts.iter().find(|part| !part.fields.is_empty());
        for (a, first) in keys.iter().enumerate() {
            let Some(first) = first else { continue };
            let width = first.len() as u64;
            prop_assert!(width >= typed.shape.width.min && typed.shape.width.max.is_none_or(|max| width <= max));
            prop_assert!(first.iter().zip(&typed.shape.by_position).all(|(&byte, set)| set.contains(byte)));
            for (b, second) in keys.iter().enumerate() {
                let Some(second) = second else { continue };
                let different = used.iter().any(|&field| same(&columns[field], a, b) != Ordering::Equal);
                prop_assert!(!(typed.shape.one_to_one && different && first == second), "{formula}: {first:?}");
                let Some([field]) = lead.map(|part| part.fields.as_slice()) else { continue };
                let (before, after) = (same(&columns[*field], a, b), first.cmp(second));
                let kept = match typed.shape.order {
                    Order::Strict => before == Ordering::Equal || after == before,
                    Order::Weak => after == before || after == Ordering::Equal || before == Ordering::Equal,
                    Order::Reversed => before == Ordering::Equal || after == before.reverse(),
                    Order::WeakReversed => after != before || before == Ordering::Equal,
                    Order::Cyclic | Order::None => true,
                };
                prop_assert!(kept, "{formula} ({:?}): {first:?} {second:?}", typed.shape.order);
            }
        }
    }
}
