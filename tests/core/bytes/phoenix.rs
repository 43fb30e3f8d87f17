//! Phoenix's types against Phoenix itself.

use crate::common::{records, unhex};
use proptest::prelude::*;
use rowscape::codec::SortDirection;
use rowscape::codec::decimal::Decimal;
use rowscape::codec::phoenix::{PhoenixLayout, PhoenixType, PhoenixValue, TYPES};
use serde_json::Value as Json;
use std::cmp::Ordering;

const ORDERS: [SortDirection; 2] = [SortDirection::Ascending, SortDirection::Descending];

fn order(record: &Json) -> SortDirection {
    match record["order"].as_str() {
        Some("ASC") => SortDirection::Ascending,
        Some("DESC") => SortDirection::Descending,
        other => panic!("{other:?}"),
    }
}

fn bits(record: &Json) -> u64 {
    u64::from_str_radix(record["bits"].as_str().expect("bits"), 16).expect("hex")
}

/// UTF-8 as `String.getBytes` makes it: `?` for a lone surrogate.
fn java_utf8(utf16be: &[u8]) -> Vec<u8> {
    let units = utf16be.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|char| char.unwrap_or('?')).collect::<String>().into_bytes()
}

fn value(layout: PhoenixLayout, record: &Json) -> PhoenixValue {
    let number = |name: &str| match &record[name] {
        Json::String(text) => text.parse().expect("a number"),
        number => number.as_i64().expect("a number"),
    };
    if record.get("value").is_some_and(Json::is_null) {
        return PhoenixValue::Null;
    }
    match layout {
        PhoenixLayout::Whole { .. } => PhoenixValue::Whole(number("value")),
        PhoenixLayout::Float { .. } => PhoenixValue::Float(f32::from_bits(bits(record) as u32)),
        PhoenixLayout::Double { .. } => PhoenixValue::Double(f64::from_bits(bits(record))),
        PhoenixLayout::Decimal => {
            let unscaled = record["unscaled"].as_str().expect("unscaled");
            let digits: Vec<u8> =
                unscaled.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
            let scale = number("scale") as i32;
            PhoenixValue::Decimal(Decimal::new(unscaled.starts_with('-'), &digits, scale).expect("a decimal"))
        }
        PhoenixLayout::Boolean => PhoenixValue::Boolean(record["value"].as_bool().expect("a boolean")),
        PhoenixLayout::Varchar | PhoenixLayout::Char => PhoenixValue::Bytes(match record["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => java_utf8(&unhex(&record["utf16be"])),
        }),
        PhoenixLayout::Varbinary | PhoenixLayout::Binary => PhoenixValue::Bytes(unhex(&record["bytes"])),
        PhoenixLayout::Date { .. } => PhoenixValue::Time { millis: number("millis"), nanos: 0 },
        PhoenixLayout::Timestamp { .. } => {
            PhoenixValue::Time { millis: number("millis"), nanos: number("nanosOfSecond") as u32 }
        }
    }
}

fn encode(layout: PhoenixLayout, value: &PhoenixValue, order: SortDirection) -> Option<Vec<u8>> {
    let mut bytes = b"before".to_vec();
    layout.encode(value, order, &mut bytes).ok()?;
    Some(bytes.strip_prefix(b"before").expect("only appended").to_vec())
}

#[test]
fn every_value_is_written_or_refused_as_phoenix_does() {
    for (line, record) in records("phoenix_types") {
        let PhoenixType { layout, .. } =
            PhoenixType::named(record["type"].as_str().expect("type")).expect("known");
        let expected = record["error"].is_null().then(|| unhex(&record["out"]));
        assert_eq!(encode(*layout, &value(*layout, &record), order(&record)), expected, "{line}: {record}");
    }
}

#[test]
fn what_phoenix_wrote_is_read_back_as_what_is_written_to_the_same_bytes() {
    for (line, record) in records("phoenix_types").iter().filter(|(_, record)| record["error"].is_null()) {
        let PhoenixType { layout, .. } =
            PhoenixType::named(record["type"].as_str().expect("type")).expect("known");
        let bytes = unhex(&record["out"]);
        let read = layout.decode(&bytes, order(record));
        // A timestamp of NULL is that of 1970, which the unsigned one refuses to read.
        if record["type"] == "PUnsignedTimestamp" && record.get("value").is_some_and(Json::is_null) {
            assert_eq!(read, Err("phoenix.negative"), "{line}");
            continue;
        }
        let read = read.unwrap_or_else(|code| panic!("{line}: {code}"));
        assert_eq!(encode(*layout, &read, order(record)).unwrap_or_default(), bytes, "{line}: {read:?}");
    }
}

#[test]
fn every_type_is_found_by_its_class_and_its_name_in_sql() {
    for known in &TYPES {
        for name in [known.class, known.sql] {
            assert_eq!(PhoenixType::named(name).map(|found| found.class), Some(known.class));
        }
    }
    assert!(PhoenixType::named("bigint").is_none());
}

/// Values Phoenix keeps apart, each type's own.
fn values(layout: PhoenixLayout) -> BoxedStrategy<PhoenixValue> {
    let least = |signed: bool, least: i64| if signed { least } else { 0 };
    match layout {
        PhoenixLayout::Whole { bytes, signed } => {
            let most = i64::MAX >> (64 - 8 * bytes);
            (least(signed, -most - 1)..=most).prop_map(PhoenixValue::Whole).boxed()
        }
        PhoenixLayout::Float { signed } => any::<f32>()
            .prop_filter("taken", move |number| signed || number.is_sign_positive())
            .prop_map(PhoenixValue::Float)
            .boxed(),
        PhoenixLayout::Double { signed } => any::<f64>()
            .prop_filter("taken", move |number| signed || number.is_sign_positive())
            .prop_map(PhoenixValue::Double)
            .boxed(),
        PhoenixLayout::Decimal => (any::<bool>(), prop::collection::vec(0u8..10, 0..38), -84i32..120)
            .prop_map(|(negative, digits, scale)| {
                PhoenixValue::Decimal(Decimal::new(negative, &digits, scale).expect("a decimal"))
            })
            .boxed(),
        PhoenixLayout::Boolean => any::<bool>().prop_map(PhoenixValue::Boolean).boxed(),
        PhoenixLayout::Varchar | PhoenixLayout::Char => {
            "[ -~]{1,12}".prop_map(|text| PhoenixValue::Bytes(text.into_bytes())).boxed()
        }
        PhoenixLayout::Varbinary | PhoenixLayout::Binary => {
            prop::collection::vec(any::<u8>(), 1..12).prop_map(PhoenixValue::Bytes).boxed()
        }
        PhoenixLayout::Date { signed } => (least(signed, i64::MIN)..=i64::MAX)
            .prop_map(|millis| PhoenixValue::Time {
                millis,
                nanos: millis.rem_euclid(1000) as u32 * 1_000_000,
            })
            .boxed(),
        PhoenixLayout::Timestamp { signed } => (least(signed, i64::MIN)..=i64::MAX, 0u32..1_000_000)
            .prop_map(|(millis, tail)| PhoenixValue::Time {
                millis,
                nanos: millis.rem_euclid(1000) as u32 * 1_000_000 + tail,
            })
            .boxed(),
    }
}

fn compare(a: &PhoenixValue, b: &PhoenixValue) -> Ordering {
    match (a, b) {
        (PhoenixValue::Whole(a), PhoenixValue::Whole(b)) => a.cmp(b),
        (PhoenixValue::Float(a), PhoenixValue::Float(b)) => a.total_cmp(b),
        (PhoenixValue::Double(a), PhoenixValue::Double(b)) => a.total_cmp(b),
        (PhoenixValue::Decimal(a), PhoenixValue::Decimal(b)) => a.compare_value(b),
        (PhoenixValue::Boolean(a), PhoenixValue::Boolean(b)) => a.cmp(b),
        (PhoenixValue::Bytes(a), PhoenixValue::Bytes(b)) => a.cmp(b),
        (PhoenixValue::Time { millis: a, nanos: m }, PhoenixValue::Time { millis: b, nanos: n }) => {
            (a, m).cmp(&(b, n))
        }
        other => panic!("{other:?}"),
    }
}

/// Two values of one type.
fn pairs() -> impl Strategy<Value = (PhoenixLayout, PhoenixValue, PhoenixValue)> {
    let each = |known: &PhoenixType| {
        let layout = known.layout;
        (values(layout), values(layout)).prop_map(move |(a, b)| (layout, a, b)).boxed()
    };
    prop::strategy::Union::new(TYPES.iter().map(each).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_is_written_is_read_back((layout, value, _) in pairs()) {
        for order in ORDERS {
            let bytes = encode(layout, &value, order).expect("taken");
            let read = layout.decode(&bytes, order).expect("read");
            prop_assert_eq!(compare(&value, &read), Ordering::Equal, "{:?} {:?}", bytes, read);
        }
    }

    #[test]
    fn bytes_sort_as_values_and_descending_ones_backwards((layout, a, b) in pairs()) {
        let bytes = |order: SortDirection| [&a, &b].map(|value| {
            let mut bytes = encode(layout, value, order).expect("taken");
            // As Phoenix ends what varies in width; no ascending value but bytes holds a zero byte.
            bytes.push(order.mask());
            bytes
        });
        let [ascending_a, ascending_b] = bytes(SortDirection::Ascending);
        prop_assert_eq!(ascending_a.cmp(&ascending_b), compare(&a, &b));
        let [descending_a, descending_b] = bytes(SortDirection::Descending);
        let holds_zero = |value: &PhoenixValue| matches!(value, PhoenixValue::Bytes(bytes) if bytes.contains(&0));
        if !holds_zero(&a) && !holds_zero(&b) {
            prop_assert_eq!(descending_a.cmp(&descending_b), compare(&a, &b).reverse());
        }
    }

    #[test]
    fn reading_any_bytes_never_panics_and_writes_them_again_or_refuses(bytes: Vec<u8>) {
        for known in &TYPES {
            for order in ORDERS {
                if let Ok(read) = known.layout.decode(&bytes, order) {
                    let _ = known.layout.encode(&read, order, &mut Vec::new());
                }
            }
        }
    }
}

#[test]
fn decimals_that_begin_or_end_with_a_pair_of_zeros_are_none_that_phoenix_writes() {
    for bytes in [&b"\x16\x65"[..], b"\xc1\x01", b"\xc1\x02\x01", b"\xc1\x01\x02", b"\x3e\x64\x65\x66"] {
        assert_eq!(
            PhoenixLayout::Decimal.decode(bytes, SortDirection::Ascending),
            Err("phoenix.not-written"),
            "{bytes:?}"
        );
    }
}

#[test]
fn decimals_of_more_digits_than_phoenix_keeps_are_none_that_it_writes() {
    let digits = |count: usize| [&[0xc1][..], &vec![0x24; count]].concat();
    assert!(PhoenixLayout::Decimal.decode(&digits(19), SortDirection::Ascending).is_ok());
    assert_eq!(
        PhoenixLayout::Decimal.decode(&digits(20), SortDirection::Ascending),
        Err("phoenix.not-written")
    );
}

#[test]
fn timestamps_before_the_first_second_that_java_holds_are_none_that_phoenix_wrote() {
    let timestamp = PhoenixType::named("TIMESTAMP").expect("known").layout;
    let bytes = [0, 0, 0, 0, 0, 0, 0, 0, 0x35, 0, 0, 0];
    assert_eq!(timestamp.decode(&bytes, SortDirection::Ascending), Err("phoenix.not-written"));
}
