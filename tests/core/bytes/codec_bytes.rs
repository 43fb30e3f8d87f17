//! `Bytes.toBytes` and `OrderedBytes` as a real HBase wrote them, both ways.

use crate::common::*;
use rowscape::codec::decimal::Decimal;
use rowscape::codec::ordered::{self, Numeric};
use rowscape::codec::{RefusalCode, SortDirection, java};
use serde_json::Value;

fn word<'a>(record: &'a Value, name: &str) -> &'a str {
    record[name].as_str().unwrap_or_else(|| panic!("{name} of {record}"))
}

fn number(record: &Value) -> i64 {
    word(record, "value").parse().expect("number")
}

fn double(record: &Value) -> f64 {
    f64::from_bits(u64::from_str_radix(word(record, "bits"), 16).expect("bits"))
}

fn float(record: &Value) -> f32 {
    f32::from_bits(u32::from_str_radix(word(record, "bits"), 16).expect("bits"))
}

fn decimal(record: &Value) -> Decimal {
    Decimal::parse(word(record, "value").as_bytes()).expect("decimal")
}

fn units(record: &Value) -> Vec<u16> {
    match record["text"].as_str() {
        Some(text) => text.encode_utf16().collect(),
        None => {
            let bytes = unhex(&record["utf16be"]);
            bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
        }
    }
}

fn java_utf8(record: &Value) -> Vec<u8> {
    let mut text = Vec::new();
    java::write_text(&units(record), &mut text);
    text
}

#[test]
fn java_values_have_the_bytes_of_hbase() {
    for (line, record) in records("bytes_codec") {
        let mut out = Vec::new();
        match word(&record, "type") {
            "boolean" => java::write_boolean(record["value"] == true, &mut out),
            "short" => java::write_integer(number(&record), 2, &mut out).expect("fits"),
            "int" => java::write_integer(number(&record), 4, &mut out).expect("fits"),
            "long" => java::write_integer(number(&record), 8, &mut out).expect("fits"),
            "float" => java::write_float(float(&record), &mut out),
            "double" => java::write_double(double(&record), &mut out),
            "BigDecimal" => java::write_decimal(&decimal(&record), &mut out),
            "String" => java::write_text(&units(&record), &mut out),
            unknown => panic!("line {line}: {unknown}"),
        }
        assert_eq!(out, unhex(&record["out"]), "line {line}: {record}");
    }
}

#[test]
fn java_values_are_read_back() {
    for (line, record) in records("bytes_codec") {
        let bytes = unhex(&record["out"]);
        let mut rest = &bytes[..];
        let from = &mut rest;
        let same = match word(&record, "type") {
            "boolean" => java::read_boolean(from) == Ok(record["value"] == true),
            "short" => java::read_integer(from, 2) == Ok(number(&record)),
            "int" => java::read_integer(from, 4) == Ok(number(&record)),
            "long" => java::read_integer(from, 8) == Ok(number(&record)),
            "float" => java::read_float(from).map(f32::to_bits) == Ok(float(&record).to_bits()),
            "double" => java::read_double(from).map(f64::to_bits) == Ok(double(&record).to_bits()),
            "BigDecimal" => java::read_decimal(from) == Ok(decimal(&record)),
            _ => {
                let text = java::read_text(std::mem::take(from));
                let lost = || String::from_utf16_lossy(&units(&record)).replace('\u{fffd}', "?");
                text == lost().encode_utf16().collect::<Vec<_>>()
            }
        };
        assert!(same && rest.is_empty(), "line {line}: {record}");
    }
}

fn direction(record: &Value) -> SortDirection {
    match word(record, "order") {
        "ASCENDING" => SortDirection::Ascending,
        _ => SortDirection::Descending,
    }
}

/// The record's value and its bytes.
fn ordered(record: &Value) -> Result<(ordered::OrderedValue, Vec<u8>), RefusalCode> {
    let (mut out, direction) = (Vec::new(), direction(record));
    if ["value", "text"].iter().any(|name| record.get(name).is_some_and(Value::is_null)) {
        ordered::write_null(direction, &mut out);
        return Ok((ordered::OrderedValue::Null, out));
    }
    let mut integer = |width| -> Result<_, RefusalCode> {
        ordered::write_integer(number(record), width, direction, &mut out)?;
        Ok(ordered::OrderedValue::Integer { width, value: number(record) })
    };
    let value = match word(record, "op") {
        "encodeNull" => {
            ordered::write_null(direction, &mut out);
            ordered::OrderedValue::Null
        }
        "encodeInt8" => integer(1)?,
        "encodeInt16" => integer(2)?,
        "encodeInt32" => integer(4)?,
        "encodeInt64" => integer(8)?,
        "encodeFloat32" => {
            ordered::write_float32(float(record), direction, &mut out);
            ordered::OrderedValue::Float32(float(record))
        }
        "encodeFloat64" => {
            ordered::write_float64(double(record), direction, &mut out);
            ordered::OrderedValue::Float64(double(record))
        }
        "encodeNumeric" => {
            let value = match word(record, "type") {
                "long" => Numeric::Decimal(number(record).into()),
                "double" => Numeric::from(double(record)),
                _ => Numeric::Decimal(decimal(record)),
            };
            ordered::write_numeric(&value, direction, &mut out)?;
            ordered::OrderedValue::Numeric(value)
        }
        "encodeString" => {
            ordered::write_text(&java_utf8(record), direction, &mut out)?;
            ordered::OrderedValue::Text(String::from_utf8(java_utf8(record)).expect("UTF-8"))
        }
        "encodeBlobVar" => {
            ordered::write_blob_var(&unhex(&record["bytes"]), direction, &mut out);
            ordered::OrderedValue::BlobVar(unhex(&record["bytes"]))
        }
        "encodeBlobCopy" => {
            ordered::write_blob_copy(&unhex(&record["bytes"]), direction, &mut out)?;
            ordered::OrderedValue::BlobCopy(unhex(&record["bytes"]))
        }
        unknown => panic!("{unknown}"),
    };
    Ok((value, out))
}

#[test]
fn ordered_values_have_the_bytes_of_hbase() {
    for (line, record) in records("ordered_bytes") {
        match record["error"].as_str() {
            Some(error) => assert!(ordered(&record).is_err(), "line {line}: {error}"),
            None => {
                let (_, bytes) = ordered(&record).unwrap_or_else(|code| panic!("line {line}: {code}"));
                assert_eq!(bytes, unhex(&record["out"]), "line {line}: {record}");
            }
        }
    }
}

/// A number rounded to 31 digits, without its scale.
fn as_kept(value: ordered::OrderedValue) -> ordered::OrderedValue {
    use rowscape::codec::decimal::Rounding::HalfUp;
    match value {
        ordered::OrderedValue::Numeric(Numeric::Decimal(number)) => {
            let kept = number.round(31, HalfUp).and_then(|number| number.strip_trailing_zeros());
            ordered::OrderedValue::Numeric(Numeric::Decimal(kept.expect("in range")))
        }
        value => value,
    }
}

#[test]
fn ordered_values_are_read_back_and_what_follows_is_left() {
    for (line, record) in records("ordered_bytes") {
        let Ok((value, _)) = ordered(&record) else { continue };
        let mut bytes = unhex(&record["out"]);
        let takes_all = bytes.first() == Some(&0x38);
        bytes.extend((!takes_all).then_some(0x42));
        let mut rest = &bytes[..];
        let (read, order) = ordered::read(&mut rest).unwrap_or_else(|code| panic!("line {line}: {code}"));
        assert_eq!(rest.len(), usize::from(!takes_all), "line {line}");
        assert_eq!(order, direction(&record), "line {line}");
        let nan = |value: &ordered::OrderedValue| match value {
            ordered::OrderedValue::Float32(value) => value.is_nan(),
            ordered::OrderedValue::Float64(value) => value.is_nan(),
            _ => false,
        };
        let same = if nan(&value) { nan(&read) } else { read == as_kept(value) };
        assert!(same, "line {line}: {record} is read as {read:?}");
        for cut in 0..bytes.len() - 1 - usize::from(!takes_all) {
            // Without its last bytes a value is refused, or is another one.
            let _ = ordered::read(&mut &bytes[..cut]);
        }
    }
}

#[test]
fn numbers_at_the_ends_of_what_java_holds_have_the_bytes_of_hbase() {
    // Printed by OrderedBytes of HBase 2.6.4; `None` where it throws an ArithmeticException.
    for (text, bytes) in [
        ("1E+2147483645", Some("22fb3fffffff14")),
        ("1E+2147483646", None),
        ("-1.5E+2147483647", None),
        ("1234567E+2147483640", None),
        ("12345E+2147483635", Some("22fb3ffffffc194564")),
        ("1E+100000", Some("22f9ba6102")),
        ("1E-100000", Some("160645a002")),
        ("12E-2147483647", Some("1604c00000010328")),
        ("1E-2147483647", Some("1604c000000014")),
        ("1.27E+938", Some("22f1e60336")),
        // Rounded to 1, it is written with an exponent of −1 as an unsigned number, and sorts next to zero.
        ("0.99999999999999999999999999999999", Some("1600000000000000000002")),
    ] {
        let value = Numeric::Decimal(Decimal::parse(text.as_bytes()).expect("a decimal"));
        let mut out = Vec::new();
        let written = ordered::write_numeric(&value, SortDirection::Ascending, &mut out);
        let hex: String = out.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written.ok().map(|()| hex.as_str()), bytes, "{text}");
    }
}

#[test]
fn the_least_numbers_of_java_are_read_back_as_they_were_written() {
    for text in ["2.147483647E-2147483638", "12E-2147483647", "1E-2147483647"] {
        let number = Decimal::parse(text.as_bytes()).expect("a decimal");
        for direction in [SortDirection::Ascending, SortDirection::Descending] {
            let mut out = Vec::new();
            ordered::write_numeric(&Numeric::Decimal(number.clone()), direction, &mut out).expect(text);
            let read = ordered::read(&mut &out[..]);
            assert_eq!(
                read,
                Ok((ordered::OrderedValue::Numeric(Numeric::Decimal(number.clone())), direction))
            );
        }
    }
}
