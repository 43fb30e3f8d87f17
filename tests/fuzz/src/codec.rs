//! Bytes and their notations: what is read is written again as it was.

use rowscape::codec::SortDirection;
use rowscape::codec::decimal::Decimal;
use rowscape::codec::phoenix::{PhoenixValue, TYPES};
use rowscape::codec::{double, java, ordered};
use rowscape::field::time::TimeFormat;
use rowscape::field::{float, read};
use rowscape::row;

pub fn notation(data: &[u8]) {
    assert_eq!(row::to_bytes_binary(&row::to_string_binary(data)).as_deref(), Ok(data));
    assert_eq!(row::from_string_binary(&row::to_string_binary(data)).as_deref(), Ok(data));
    let mut out = Vec::new();
    for read in [read::hex, read::escaped, read::uuid, read::decimal] {
        let _ = read(data, &mut out);
    }
    let _ = (read::integer(data), read::float(data), read::boolean(data));
    let Ok(text) = std::str::from_utf8(data) else { return };
    // The strict reading differs from HBase's only by what it refuses.
    if let Ok(bytes) = row::from_string_binary(text) {
        assert_eq!(row::to_bytes_binary(text), Ok(bytes));
    }
    let _ = row::to_bytes_binary(text);
    // A time pattern and a time.
    let (pattern, time) = text.split_once('\n').unwrap_or((text, "2024-02-29"));
    let Ok(format) = TimeFormat::parse(pattern, Some("+08:00")) else { return };
    if let Some(printed) = format.read(time.as_bytes()).and_then(|millis| format.print(millis)) {
        let again = format.read(printed.as_bytes()).and_then(|millis| format.print(millis));
        assert_eq!(again.as_ref(), Some(&printed), "{pattern}: {time}");
    }
}

pub fn codec(data: &[u8]) {
    let mut rest = data;
    let read = |width| java::read_integer(&mut &data[..], width);
    let _ = (read(1), read(2), read(4), read(8));
    let _ = (java::read_boolean(&mut rest), java::read_float(&mut rest), java::read_double(&mut rest));
    let mut out = Vec::new();
    java::write_text(&java::read_text(data), &mut out);
    if let Ok(text) = std::str::from_utf8(data) {
        assert_eq!(out, text.as_bytes());
    }
    if let Ok(number) = java::read_decimal(&mut &data[..]) {
        decimal(&number);
    }
    if let Ok(number) = Decimal::parse(data) {
        decimal(&number);
    }
    if let Some(bits) = data.first_chunk() {
        let number = f64::from_be_bytes(*bits);
        let text = double::to_text(number);
        if number.is_finite() {
            assert_eq!(read::float(text.as_bytes()).map(float::of_bits), Ok(number), "{text}");
        }
    }
    ordered(data);
    phoenix(data);
}

/// A decimal survives its text and Java's bytes.
fn decimal(number: &Decimal) {
    match Decimal::parse(number.to_string().as_bytes()) {
        Ok(again) => assert_eq!(again, *number),
        // As Java, it prints exponents that it does not take.
        Err(code) => assert_eq!(code, "decimal.exponent-range"),
    }
    let mut bytes = Vec::new();
    java::write_decimal(number, &mut bytes);
    assert_eq!(java::read_decimal(&mut &bytes[..]).as_ref(), Ok(number));
    let _ = (number.to_plain(), number.strip_trailing_zeros(), number.compare_value(&number.negate()));
    for direction in [SortDirection::Ascending, SortDirection::Descending] {
        let mut bytes = Vec::new();
        let value = ordered::Numeric::Decimal(number.clone());
        if ordered::write_numeric(&value, direction, &mut bytes).is_ok() {
            let found = ordered::read(&mut &bytes[..]);
            let Ok((ordered::OrderedValue::Numeric(ordered::Numeric::Decimal(found)), found_direction)) =
                found
            else {
                panic!("{number}: {found:?}")
            };
            assert_eq!(found_direction, direction);
            // Kept to as many digits as HBase keeps.
            assert_eq!(found.is_zero(), number.is_zero());
        }
    }
}

/// All values in a row, as OrderedBytes.
fn ordered(data: &[u8]) {
    let mut rest = data;
    while let Ok((value, direction)) = ordered::read(&mut rest) {
        let mut again = Vec::new();
        let written = match &value {
            ordered::OrderedValue::Null => Ok(ordered::write_null(direction, &mut again)),
            ordered::OrderedValue::Numeric(number) => ordered::write_numeric(number, direction, &mut again),
            ordered::OrderedValue::Integer { width, value } => {
                ordered::write_integer(*value, *width, direction, &mut again)
            }
            ordered::OrderedValue::Float32(number) => {
                Ok(ordered::write_float32(*number, direction, &mut again))
            }
            ordered::OrderedValue::Float64(number) => {
                Ok(ordered::write_float64(*number, direction, &mut again))
            }
            ordered::OrderedValue::Text(text) => ordered::write_text(text.as_bytes(), direction, &mut again),
            ordered::OrderedValue::BlobVar(bytes) => {
                Ok(ordered::write_blob_var(bytes, direction, &mut again))
            }
            ordered::OrderedValue::BlobCopy(bytes) => ordered::write_blob_copy(bytes, direction, &mut again),
        };
        assert_eq!(written, Ok(()), "{value:?}");
        let Ok((found, found_direction)) = ordered::read(&mut &again[..]) else { panic!("{value:?}") };
        // NaN is not equal to itself.
        assert_eq!(format!("{found:?}{found_direction:?}"), format!("{value:?}{direction:?}"));
    }
}

/// The bytes as each type of Phoenix.
fn phoenix(data: &[u8]) {
    for (known, order) in TYPES
        .iter()
        .flat_map(|known| [SortDirection::Ascending, SortDirection::Descending].map(|order| (known, order)))
    {
        let Ok(value) = known.layout.decode(data, order) else { continue };
        // NULL has no bytes in most types, and those of zero in some.
        if value == PhoenixValue::Null {
            continue;
        }
        let mut again = Vec::new();
        if known.layout.encode(&value, order, &mut again).is_ok() {
            let found = known.layout.decode(&again, order);
            assert_eq!(format!("{found:?}"), format!("{:?}", Ok::<_, &str>(value)), "{}", known.sql);
        }
    }
}
