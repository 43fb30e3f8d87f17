//! From the text of a field to its value.

use super::time::TimeFormat;
use super::{Field, Kind, float};
use crate::base::Problem;
use crate::bytes::codec::decimal::Decimal;

/// How the text of one field is read; made once a column.
#[derive(Clone, Debug)]
pub enum FieldReading {
    /// UTF-8 text as it is.
    Text,
    /// Decimal digits with an optional sign.
    Integer,
    /// A moment in a format.
    Time(TimeFormat),
    /// Bytes, two hexadecimal digits each.
    Hex,
    /// Bytes in HBase's `\xNN` notation.
    Escaped,
    /// 16 bytes in the notation of a UUID.
    Uuid,
    /// A 64-bit floating point number.
    Float,
    /// A decimal number of any size.
    Decimal,
    /// `true` or `false`.
    Boolean,
}

impl FieldReading {
    /// The reading a field declares. Errors: a time without a format or with one that is not understood, an unknown
    /// notation of bytes.
    pub fn new(field: &Field) -> Result<Self, Problem> {
        let unknown = |format: &str| {
            Problem::new("field.unknown-format").with("format", format).at_field(field.name.clone())
        };
        match (field.kind, field.format.as_deref()) {
            (Kind::Text, _) => Ok(Self::Text),
            (Kind::Integer, _) => Ok(Self::Integer),
            (Kind::Float, _) => Ok(Self::Float),
            (Kind::Decimal, _) => Ok(Self::Decimal),
            (Kind::Boolean, _) => Ok(Self::Boolean),
            (Kind::Bytes, None | Some("escaped")) => Ok(Self::Escaped),
            (Kind::Bytes, Some("hex")) => Ok(Self::Hex),
            (Kind::Bytes, Some("uuid")) => Ok(Self::Uuid),
            (Kind::Bytes, Some(format)) => Err(unknown(format)),
            (Kind::Time, None) => Err(Problem::new("field.time-without-format").at_field(field.name.clone())),
            (Kind::Time, Some(format)) => TimeFormat::parse(format, field.zone.as_deref())
                .map(Self::Time)
                .map_err(|problem| problem.at_field(field.name.clone())),
        }
    }
}

impl FieldReading {
    /// A text as the bytes a column of byte strings holds, appended to `bytes`. Errors are message codes.
    pub fn to_bytes(&self, text: &[u8], bytes: &mut Vec<u8>) -> Result<(), &'static str> {
        match self {
            Self::Hex => hex(text, bytes),
            Self::Escaped => escaped(text, bytes),
            Self::Uuid => uuid(text, bytes),
            Self::Decimal => decimal(text, bytes),
            Self::Text | Self::Integer | Self::Float | Self::Boolean | Self::Time(_) => {
                bytes.extend_from_slice(text);
                Ok(())
            }
        }
    }

    /// A text as the number a column of numbers holds. Errors are message codes.
    pub fn to_number(&self, text: &[u8]) -> Result<i64, &'static str> {
        match self {
            Self::Float => float(text),
            Self::Boolean => boolean(text),
            Self::Time(format) => format.time(text),
            _ => integer(text),
        }
    }
}

/// A signed 64-bit number in decimal, spaces around it allowed. Errors are message codes.
#[inline(always)]
pub fn integer(text: &[u8]) -> Result<i64, &'static str> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 {
        return long_integer(text);
    }
    let mut value = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return long_integer(text);
        }
        value = value * 10 + i64::from(digit);
    }
    Ok(if negative { -value } else { value })
}

/// The rest of [`integer`]: spaces, 19 digits and more, refusals.
#[cold]
fn long_integer(text: &[u8]) -> Result<i64, &'static str> {
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        return Err("field.empty");
    }
    let digits = trimmed.strip_prefix(b"-").or(trimmed.strip_prefix(b"+")).unwrap_or(trimmed);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err("field.not-an-integer");
    }
    let text = std::str::from_utf8(trimmed).unwrap_or_default();
    text.parse().map_err(|_| "field.integer-too-large")
}

/// Bytes written as hexadecimal digits, appended to `bytes`. Errors are message codes.
pub fn hex(text: &[u8], bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    let (pairs, rest) = text.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("field.not-hex");
    }
    for &[high, low] in pairs {
        let (Some(high), Some(low)) = (nibble(high), nibble(low)) else { return Err("field.not-hex") };
        bytes.push(high << 4 | low);
    }
    Ok(())
}

/// Bytes in HBase's notation (`\x` and two digits; anything else stands for itself), appended to `bytes`. Errors are message codes.
pub fn escaped(text: &[u8], bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return Ok(()),
            [b'\\', b'x', high, low, tail @ ..] => {
                let (Some(high), Some(low)) = (nibble(*high), nibble(*low)) else {
                    return Err("field.not-escaped");
                };
                bytes.push(high << 4 | low);
                tail
            }
            [b'\\', b'x', ..] => return Err("field.not-escaped"),
            [byte, tail @ ..] => {
                bytes.push(*byte);
                tail
            }
        };
    }
}

/// A UUID, appended as its 16 bytes: 8, 4, 4, 4 and 12 hexadecimal digits with `-` between. Errors are message codes.
pub fn uuid(text: &[u8], bytes: &mut Vec<u8>) -> Result<(), &'static str> {
    let mut groups = text.split(|&byte| byte == b'-');
    for width in [8, 4, 4, 4, 12] {
        let group = groups.next().filter(|group| group.len() == width).ok_or("field.not-a-uuid")?;
        hex(group, bytes).map_err(|_| "field.not-a-uuid")?;
    }
    if groups.next().is_none() { Ok(()) } else { Err("field.not-a-uuid") }
}

/// A decimal number as Java's `BigDecimal` takes and prints it, spaces around it allowed. Errors are message codes.
pub fn decimal(text: &[u8], printed: &mut Vec<u8>) -> Result<(), &'static str> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Err("field.empty");
    }
    printed.extend_from_slice(Decimal::parse(text)?.to_string().as_bytes());
    Ok(())
}

/// The bits of a floating point number, spaces around it allowed. Errors are message codes.
pub fn float(text: &[u8]) -> Result<i64, &'static str> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Err("field.empty");
    }
    float::read(text).map(float::bits)
}

/// 1 for `true`, 0 for `false`, in any case, spaces around it allowed. Errors are message codes.
pub fn boolean(text: &[u8]) -> Result<i64, &'static str> {
    let text = text.trim_ascii();
    match () {
        () if text.eq_ignore_ascii_case(b"true") => Ok(1),
        () if text.eq_ignore_ascii_case(b"false") => Ok(0),
        () if text.is_empty() => Err("field.empty"),
        () => Err("field.not-a-boolean"),
    }
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_or_refused_with_their_reason() {
        for (text, expected) in [
            ("0", Ok(0)),
            ("-17", Ok(-17)),
            (" 42 ", Ok(42)),
            ("+5", Ok(5)),
            ("007", Ok(7)),
            ("9223372036854775807", Ok(i64::MAX)),
            ("-9223372036854775808", Ok(i64::MIN)),
            ("9223372036854775808", Err("field.integer-too-large")),
            ("", Err("field.empty")),
            ("  ", Err("field.empty")),
            ("-", Err("field.not-an-integer")),
            ("1.5", Err("field.not-an-integer")),
            ("--1", Err("field.not-an-integer")),
            ("1 2", Err("field.not-an-integer")),
            ("\u{661}", Err("field.not-an-integer")),
        ] {
            assert_eq!(integer(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn both_notations_of_bytes_are_read() {
        let mut bytes = Vec::new();
        assert_eq!(hex(b"00fFa0", &mut bytes), Ok(()));
        assert_eq!(escaped(b"a\\x00\\xFFb", &mut bytes), Ok(()));
        assert_eq!(bytes, b"\x00\xff\xa0a\x00\xffb");
        assert_eq!(hex(b"0", &mut bytes), Err("field.not-hex"));
        assert_eq!(hex(b"0g", &mut bytes), Err("field.not-hex"));
        assert_eq!(escaped(b"\\x4", &mut bytes), Err("field.not-escaped"));
    }

    #[test]
    fn a_uuid_is_its_sixteen_bytes() {
        let text = "f81d4fae-7dec-11D0-a765-00a0c91e6bf6";
        let mut bytes = Vec::new();
        assert_eq!(uuid(text.as_bytes(), &mut bytes), Ok(()));
        assert_eq!(bytes, 0xf81d_4fae_7dec_11d0_a765_00a0_c91e_6bf6u128.to_be_bytes());
        for wrong in [
            "",
            "f81d4fae",
            "f81d4fae7dec11d0a76500a0c91e6bf6",
            &text[1..],
            &format!("{text}-"),
            &text.replace('f', "g"),
        ] {
            assert_eq!(uuid(wrong.as_bytes(), &mut Vec::new()), Err("field.not-a-uuid"), "{wrong:?}");
        }
    }

    #[test]
    fn decimals_keep_their_scale_and_are_written_as_java_writes_them() {
        for (text, expected) in [
            ("12.50", Ok("12.50")),
            (" -0.0 ", Ok("0.0")),
            ("1.5E+3", Ok("1.5E+3")),
            ("0.0000001", Ok("1E-7")),
            ("", Err("field.empty")),
            ("1,5", Err("decimal.not-a-decimal")),
        ] {
            let mut printed = Vec::new();
            let result = decimal(text.as_bytes(), &mut printed);
            assert_eq!(
                result.map(|()| String::from_utf8_lossy(&printed).into_owned()),
                expected.map(str::to_owned)
            );
        }
    }

    #[test]
    fn booleans_are_true_or_false() {
        assert_eq!([boolean(b"true"), boolean(b" FALSE "), boolean(b"True")], [Ok(1), Ok(0), Ok(1)]);
        assert_eq!([boolean(b""), boolean(b"yes")], [Err("field.empty"), Err("field.not-a-boolean")]);
    }
}
