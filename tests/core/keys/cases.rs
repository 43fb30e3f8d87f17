//! Row keys of published HBase practice, by the ids of the project's list of cases.

use crate::common::formula::{field, keys, strings, typed};
use rowscape::field::read::FieldReading;
use rowscape::field::shape::{Alphabet, Order, Shape};
use rowscape::field::{Field, Kind};
use rowscape::formula::vector::Vector;
use rowscape::formula::{check, parse};
use serde_json::json;
use std::collections::BTreeSet;

/// A record: field and value. Times are `yyyy-MM-dd HH:mm:ss` in UTC+8 or milliseconds, numbers decimal.
type Record<'a> = &'a [(&'a str, Kind, &'a str)];

fn declared(record: Record<'_>) -> Vec<Field> {
    let mut fields: Vec<Field> = record.iter().map(|(name, kind, _)| field(name, *kind)).collect();
    for (field, (_, _, value)) in fields.iter_mut().zip(record) {
        if field.kind == Kind::Time && value.parse::<i64>().is_ok() {
            (field.format, field.zone) = (Some("epoch-millis".to_owned()), None);
        }
    }
    fields
}

/// The row key of a record.
fn key(formula: &str, record: Record<'_>) -> Vec<u8> {
    let fields = declared(record);
    let columns = record.iter().zip(&fields).map(|((_, kind, value), field)| {
        let reading = FieldReading::new(field).expect("a reading");
        if kind.is_fixed() {
            return Vector::Integers(vec![reading.to_number(value.as_bytes()).expect("a number")]);
        }
        let mut bytes = Vec::new();
        reading.to_bytes(value.as_bytes(), &mut bytes).expect("bytes");
        strings(&[bytes])
    });
    let columns: Vec<Vector> = columns.collect();
    keys(&typed(formula, &fields), &columns).swap_remove(0).expect("a key")
}

fn text(formula: &str, record: Record<'_>) -> String {
    String::from_utf8(key(formula, record)).expect("text")
}

fn shape(formula: &str, record: Record<'_>) -> Shape {
    typed(formula, &declared(record)).shape
}

const ENGINE: Record<'_> = &[
    ("engine_type", Kind::Text, "YCK09360-60"),
    ("ts", Kind::Time, "1638290481900"),
    ("vin", Kind::Text, "9011D6L00124"),
];

const CALL: Record<'_> =
    &[("phone", Kind::Text, "13412341234"), ("call_time", Kind::Time, "2021-09-07 00:00:00")];

const LOG: Record<'_> = &[
    ("hostname", Kind::Text, "myserver1.mycompany.com"),
    ("event", Kind::Text, "com.package1.subpackage2.subsubpackage3.ImportantService"),
    ("ts", Kind::Time, "1638290481900"),
];

#[test]
fn a4_newest_first_in_milliseconds_and_in_seconds() {
    let newest = shape("ts.millis().reverseLong().decimal(19)", LOG);
    assert_eq!((newest.order, newest.width.exact(), newest.one_to_one), (Order::Reversed, Some(19), true));
    // 9223372036854775807 less 1638290481900, and less 1638290481.
    assert_eq!(text("ts.millis().reverseLong().decimal(19)", LOG), "9223370398564293907");
    assert_eq!(text("ts.seconds().reverseLong().decimal(19)", LOG), "9223372035216485326");
    assert_eq!(shape("ts.seconds().reverseLong().decimal(19)", LOG).order, Order::WeakReversed);
}

#[test]
fn b1_engine_type_time_and_vehicle() {
    let formula = "engine_type + '-' + ts.millis() + '-' + vin";
    assert_eq!(text(formula, ENGINE), "YCK09360-60-1638290481900-9011D6L00124");
}

#[test]
fn b2_vehicle_engine_type_and_time() {
    let formula = "vin + '-' + engine_type + '-' + ts.millis()";
    assert_eq!(text(formula, ENGINE), "9011D6L00124-YCK09360-60-1638290481900");
}

#[test]
fn b3_a_delimiter_inside_a_value_is_ambiguous_unless_what_follows_has_fixed_width() {
    let one_to_one = |formula| shape(formula, ENGINE).one_to_one;
    assert!(!one_to_one("engine_type + '-' + ts.millis().decimal(13) + '-' + vin"));
    assert!(one_to_one("engine_type + '-' + ts.millis().decimal(13) + '-' + vin.text(12)"));
    let parts = typed("engine_type + '-' + vin.text(12)", &declared(ENGINE)).parts;
    assert!(!parts[0].self_delimiting && parts[1].self_delimiting);
}

#[test]
fn b4_the_same_in_binary_keeps_order_and_can_be_taken_apart() {
    let long = 1_638_290_481_900i64.to_be_bytes();
    for (formula, expected) in [
        (
            "engine_type.terminated() + ts.millis().int64() + vin",
            [&b"YCK09360-60\0"[..], &long, b"9011D6L00124"],
        ),
        ("engine_type.text(13) + ts.millis().int64() + vin", [b"YCK09360-60\0\0", &long, b"9011D6L00124"]),
    ] {
        assert_eq!(key(formula, ENGINE), expected.concat(), "{formula}");
        let shape = shape(formula, ENGINE);
        assert_eq!((shape.one_to_one, shape.order), (true, Order::Strict), "{formula}");
    }
}

#[test]
fn c2_layouts_of_call_records() {
    for (formula, expected) in [
        ("'05' + '_' + phone + '_' + call_time.millis()", "05_13412341234_1630944000000"),
        ("'05' + '_' + phone + '_' + call_time.format('yyyyMMddHHmmss')", "05_13412341234_20210907000000"),
        ("'05_' + call_time.millis() + '_' + phone", "05_1630944000000_13412341234"),
        ("'05_' + call_time.format('yyyyMMddHHmmss') + '_' + phone", "05_20210907000000_13412341234"),
        (
            "'05_' + call_time.format('yyyy-MM-dd HH:mm:ss') + '_' + phone",
            "05_2021-09-07 00:00:00_13412341234",
        ),
    ] {
        assert_eq!(text(formula, CALL), expected);
    }
    let bucket = shape("bucket(phone, call_time.format('yyyyMM'), 6).decimal(2)", CALL);
    assert_eq!((bucket.distinct, bucket.width.exact()), (Some(6), Some(2)));
    assert_eq!(bucket.by_position, [Alphabet::of(b"0"), Alphabet::range(b'0', b'5')]);
}

#[test]
fn d2_a_loop_key_runs_through_its_days_again_and_again() {
    let shape = shape("ts.format('MM-dd') + '-' + hostname", LOG);
    assert_eq!((shape.order, shape.one_to_one), (Order::Cyclic, false));
}

#[test]
fn e1_a_random_salt_in_given_words() {
    let typed = typed("salt(4).words('a-', 'b-', 'c-', 'd-') + id", &[field("id", Kind::Text)]);
    let written: BTreeSet<_> = keys(&typed, &[strings(&["foo0003"; 100])]).into_iter().flatten().collect();
    let salted = ["a", "b", "c", "d"].map(|salt| format!("{salt}-foo0003").into_bytes());
    assert_eq!(written, salted.into(), "one row, written often, gets every salt");
    assert_eq!((typed.shape.distinct, typed.parts[0].shape.distinct), (None, Some(4)), "reads ask four");
    assert_eq!((typed.shape.order, typed.shape.width.min), (Order::None, 2));
}

#[test]
fn e2_a_digest_in_front_is_always_the_same() {
    let id = [("id", Kind::Text, "foo0003")];
    // MD5 of foo0003 is b61d007a376ac914b7fb50ca172968aa.
    assert_eq!(text("rest.md5().hex(2) + id", &id), "b6foo0003");
    assert_eq!(text("rest.md5().hex(2) + id", &id), text("id.md5().hex(2) + id", &id));
    assert_eq!(shape("rest.md5().hex(2) + id", &id).order, Order::None);
}

#[test]
fn e4_a_bucket_of_time_and_order() {
    // The three hash codes are negative: −448856566, −389721372, −446979764.
    for (id, floor_mod, remainder) in [("364758", "02", "-1"), ("585775", "00", "0"), ("385748", "01", "-2")]
    {
        let order = [("t", Kind::Time, "2020-01-01 01:01:01"), ("id", Kind::Text, id)];
        let time = "t.format('yyyyMMddHHmmss')";
        let key = text(&format!("bucket({time}, id, 3).decimal(2) + '_' + {time} + '_' + id"), &order);
        assert_eq!(key, format!("{floor_mod}_20200101010101_{id}"));
        assert_eq!(text(&format!("join('', {time}, id).javaHash().mod(3)"), &order), remainder);
    }
}

#[test]
fn e5_a_salt_byte_of_the_whole_key() {
    // Arrays.hashCode of foo0001 is 1060729510.
    let id = [("id", Kind::Text, "foo0001")];
    assert_eq!(key("rest.phoenixSalt(4) + id", &id), b"\x02foo0001");
    assert_eq!(key("rest.hbasewdSalt(4) + id", &id), b"\x02foo0001");
    let part = |formula| typed(formula, &declared(&id)).parts[0].shape.alphabet.len();
    assert_eq!(part("rest.phoenixSalt(100) + id"), 100);
    assert_eq!(part("rest.hbasewdSalt(100) + id"), 101, "the byte of the hash that Math.abs leaves negative");
    for (steps, is_bucket) in [
        ("mod(4)", false),
        ("abs().mod(4)", false),
        ("mod(4).abs()", true),
        ("floorMod(4)", true),
        ("and(3)", true),
    ] {
        let formula = format!("rest.bytesHash().{steps}.words('0', '1', '2', '3') + id");
        let checked = check(&parse(&formula).expect("formula"), &declared(&id));
        assert_eq!(checked.is_ok(), is_bucket, "{formula}: a negative remainder has no word");
    }
}

#[test]
fn e3_reversed_order_ids() {
    for (id, reversed) in [
        ("2021010101010101", "1010101010101202"),
        ("20210202020202", "20202020201202"),
        ("20210303030303", "30303030301202"),
    ] {
        assert_eq!(text("id.reverse()", &[("id", Kind::Text, id)]), reversed);
    }
    let id = [("id", Kind::Integer, "42")];
    assert_eq!(text("id.decimal(16).reverse()", &id), "2400000000000000");
    let problems = check(&parse("id.reverse()").expect("formula"), &declared(&id)).err().expect("refused");
    assert_eq!(problems[0].code, "formula.number-needs-width");
}

#[test]
fn e3_decimal_text_of_the_time_turned_round_has_one_width_only_when_padded() {
    // 10^18 less one is the first of eighteen digits.
    let number = |n| [("n", Kind::Integer, n)];
    let (wide, narrow) = (number("8223372036854775807"), number("8223372036854775808"));
    assert_eq!(text("n.reverseLong()", &wide), "1000000000000000000");
    assert_eq!(text("n.reverseLong()", &narrow), "999999999999999999");
    assert_eq!(shape("n.reverseLong()", &narrow).width.exact(), None);
    assert_eq!(text("n.reverseLong().decimal(19)", &narrow), "0999999999999999999");
    for (formula, bytes) in [("n.reverseLong().decimal(19)", 19), ("n.reverseLong().int64()", 8)] {
        assert_eq!(shape(formula, &narrow).width.exact(), Some(bytes));
    }
}

#[test]
fn f1_f2_message_keys_plain_and_under_their_digest() {
    let digests = [
        ("1231231", "063031", "8D4646EB2D7067126EB08ADB0672F7BB"),
        ("1231232", "063032", "715782C59C0561E9B6CE0F3D522C32F1"),
        ("1231233", "063032", "57F962C03EF3526EC6E95CEB50785C4C"),
        ("1231234", "063033", "8B353D5CC07E13577608711F4602FCB7"),
        ("1231235", "063033", "430EDB0C535BF08174E122EFECFA711D"),
    ];
    for (id, clock, digest) in digests {
        let time = format!("2023-06-11 {}:{}:{}", &clock[..2], &clock[2..4], &clock[4..]);
        let record = [("id", Kind::Text, id), ("sent", Kind::Time, time.as_str())];
        assert_eq!(text("sent.format('yyMMdd:HHmmss') + ':' + id", &record), format!("230611:{clock}:{id}"));
        assert_eq!(text("id + ':' + sent.format('yyMMdd:HHmmss')", &record), format!("{id}:230611:{clock}"));
        let formula = "id.md5().HEX(32) + ':' + sent.format('yyMMdd:HHmmss') + ':' + id";
        assert_eq!(text(formula, &record), format!("{digest}:230611:{clock}:{id}"));
    }
}

#[test]
fn h1_a_two_byte_hash_before_the_text() {
    let formula = "join('', a, b).javaHash().and(0x7FFF).int16() + join('', a, b)";
    // "abc".hashCode() is 96354, 0x17862.
    let record = [("a", Kind::Text, "ab"), ("b", Kind::Text, "c")];
    assert_eq!(key(formula, &record), b"\x78\x62abc");
    // The highest bit is never set: regions from \x80 on stay empty.
    assert_eq!(shape(formula, &record).by_position[0], Alphabet::range(0, 0x7f));
}

#[test]
fn h2_a_digest_prefix_of_at_most_its_own_length() {
    let record = [("a", Kind::Text, "a"), ("b", Kind::Text, "bc")];
    let formula = |length: u32| format!("join('_', a, b).md5().hex({length}) + '_' + join('_', a, b)");
    // printf a_bc | md5sum
    assert_eq!(text(&formula(8), &record), "b51254d5_a_bc");
    assert_eq!(text(&formula(32), &record), "b51254d565569ef56425b41449cc7138_a_bc");
    let problems = check(&parse(&formula(33)).expect("formula"), &declared(&record)).err().expect("refused");
    assert_eq!(
        problems[0].to_string(),
        "column 23: hex(33) requests 33 characters, but there are only 32; use hex(32) or fewer"
    );
}

#[test]
fn h3_a_digest_alone_does_not_give_its_fields_back() {
    let record = [("a", Kind::Text, "a"), ("b", Kind::Text, "bc")];
    assert_eq!(text("join('', a, b).md5().hex()", &record), "900150983cd24fb0d6963f7d28e17f72");
    assert!(!shape("join('', a, b).md5().hex()", &record).one_to_one);
}

#[test]
fn h4_plain_concatenation_gives_one_key_for_two_records() {
    let first = [("a", Kind::Text, "ab"), ("b", Kind::Text, "c")];
    let second = [("a", Kind::Text, "a"), ("b", Kind::Text, "bc")];
    assert_eq!(key("a + b", &first), key("a + b", &second));
    assert!(!typed("a + b", &declared(&first)).parts[0].self_delimiting);
    assert!(!shape("a + b", &first).one_to_one);
    assert!(shape("a.terminated() + b", &first).one_to_one);
}

#[test]
fn i2_a_bucket_by_the_remainder_of_time() {
    let bucket = shape("ts.millis().floorMod(100).decimal(2)", LOG);
    assert_eq!((bucket.order, bucket.distinct, bucket.width.exact()), (Order::Cyclic, Some(100), Some(2)));
    assert_eq!(text("ts.millis().floorMod(100).decimal(2)", LOG), "00");
}

#[test]
fn i5_digests_in_place_of_long_names_are_forty_bytes() {
    let formula = "hostname.md5() + event.md5() + ts.millis().reverseLong().int64()";
    assert_eq!(shape(formula, LOG).width.exact(), Some(40));
    assert_eq!(key(formula, LOG).len(), 40);
}

#[test]
fn i5_numbers_of_a_lookup_table_in_place_of_long_names_are_twenty_four_bytes() {
    let document = json!({
        "rowscape": 1,
        "fields": [
            { "name": "hostname", "type": "text" },
            { "name": "event", "type": "text" },
            { "name": "ts", "type": "time", "format": "epoch-millis" },
        ],
        "lookup": {
            "HOSTS": { "myserver1.mycompany.com": 1, "myserver2.mycompany.com": 258 },
            "EVENTS": { "com.package1.subpackage2.subsubpackage3.ImportantService": 7 },
        },
        "rowkey": "hostname.lookup('HOSTS').int64() + event.lookup('EVENTS').int64() + ts.millis().int64()",
    });
    let study =
        rowscape::design::parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let typed = &study.tables[0].typed;
    assert_eq!((typed.shape.width.exact(), typed.shape.one_to_one), (Some(24), true));
    assert_eq!((typed.parts[0].shape.distinct, typed.parts[0].shape.order), (Some(2), Order::Strict));
    let columns = [
        strings(&["myserver2.mycompany.com", "myserver3.mycompany.com"]),
        strings(&["com.package1.subpackage2.subsubpackage3.ImportantService"; 2]),
        Vector::Integers(vec![1_638_290_481_900; 2]),
    ];
    let found = keys(typed, &columns);
    // 1638290481900 is 0x17d71b8e2ec.
    let key = b"\0\0\0\0\0\0\x01\x02\0\0\0\0\0\0\0\x07\0\0\x01\x7d\x71\xb8\xe2\xec";
    assert_eq!(found, [Some(key.to_vec()), None]);
}

#[test]
fn i7_one_number_in_four_notations() {
    let record = [("n", Kind::Integer, "1234567890")];
    for (formula, bytes) in
        [("n.int64()", 8), ("n", 10), ("n.decimal(10).md5()", 16), ("n.decimal(10).md5().hex()", 32)]
    {
        assert_eq!(key(formula, &record).len(), bytes, "{formula}");
    }
    // The greatest number of eight bytes takes twenty as text, and Java's long holds half of it.
    let greatest = "18446744073709551615";
    assert_eq!(key("n.string()", &[("n", Kind::Decimal, greatest)]).len(), 20);
    let reading = FieldReading::new(&field("n", Kind::Integer)).expect("a reading");
    assert!(reading.to_number(greatest.as_bytes()).is_err());
    let long = [("n", Kind::Integer, "9223372036854775807")];
    assert_eq!((key("n.int64()", &long).len(), key("n", &long).len()), (8, 19));
}

#[test]
fn j1_customer_and_order() {
    let record = [("customer", Kind::Integer, "7"), ("order", Kind::Text, "o-1")];
    assert_eq!(shape("customer.decimal(8).md5() + order.md5()", &record).width.exact(), Some(32));
    assert_eq!(shape("customer.int64() + order.md5()", &record).width.exact(), Some(24));
}

#[test]
fn a1_a_bucket_of_the_id_or_of_its_sum_with_the_date() {
    let record = [("id", Kind::Text, "1000000030"), ("date", Kind::Time, "2021-09-07 00:00:00")];
    assert_eq!(text("id.number().floorMod(10)", &record), "0");
    // 1000000030 + 20210907
    assert_eq!(text("sum(id.number(), date.format('yyyyMMdd').number()).floorMod(10)", &record), "7");
}

#[test]
fn a4_newest_first_by_either_reading_of_its_thousandth() {
    assert_eq!(text("ts.millis().div(1000).reverseLong()", LOG), "9223372035216485326");
    assert_eq!(text("ts.millis().reverseLong().div(1000)", LOG), "9223370398564293");
    let seconds = shape("ts.millis().reverseLong().div(1000).decimal(16)", LOG);
    assert_eq!((seconds.order, seconds.width.exact()), (Order::WeakReversed, Some(16)));
}

#[test]
fn c1_buckets_of_the_phone_and_of_its_sums_with_the_date_the_year_and_the_month() {
    // 13412341234 + 20210907, + 2021, + 202109; each modulo 6
    for (pattern, bucket) in [("yyyyMMdd", "01"), ("yyyy", "03"), ("yyyyMM", "03")] {
        let formula =
            format!("sum(phone.number(), call_time.format('{pattern}').number()).floorMod(6).decimal(2)");
        assert_eq!(text(&formula, CALL), bucket, "{pattern}");
        assert_eq!(shape(&formula, CALL).distinct, Some(6));
    }
    assert_eq!(text("phone.number().floorMod(6).decimal(2)", CALL), "04");
}

#[test]
fn i6_a_row_of_opentsdb() {
    let record = [
        ("metric", Kind::Integer, "1"),
        ("ts", Kind::Time, "1638290481900"),
        ("host", Kind::Integer, "2"),
        ("value", Kind::Integer, "16777215"),
    ];
    let row = "metric.uint24() + ts.truncate('1h').seconds().uint32() + host.uint24() + value.uint24()";
    // 1638288000 seconds are 0x61a64a80.
    assert_eq!(key(row, &record), b"\x00\x00\x01\x61\xa6\x4a\x80\x00\x00\x02\xff\xff\xff");
    assert_eq!(shape(row, &record).width.exact(), Some(13));
    assert!(!shape(row, &record).one_to_one);
    // Metric 3, hour 4, and 3 + 3 for each tag: the shortest row of a metric with two tags has 19 bytes.
    let two = "metric.uint24() + ts.truncate('1h').seconds().uint32() + host.uint24() + value.uint24() + host.uint24() + value.uint24()";
    assert_eq!(shape(two, &record).width.exact(), Some(19));
    assert_eq!(text("ts.offset('1h').div(1000)", &record), "2481");
}
