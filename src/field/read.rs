//! From the text of a field to its value.

use super::time::TimeFormat;
use super::{Field, Kind};
use crate::error::Problem;

/// How the text of one field is read; made once a column.
#[derive(Clone, Debug)]
pub enum Reading {
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
}

impl Reading {
    /// The reading a field declares. Errors: a time without a format or with one that is not understood, an unknown
    /// notation of bytes.
    pub fn new(field: &Field) -> Result<Self, Problem> {
        let unknown = |format: &str| {
            Problem::new("field.unknown-format").with("format", format).at_field(field.name.clone())
        };
        match (field.kind, field.format.as_deref()) {
            (Kind::Text, _) => Ok(Self::Text),
            (Kind::Integer, _) => Ok(Self::Integer),
            (Kind::Bytes, None | Some("escaped")) => Ok(Self::Escaped),
            (Kind::Bytes, Some("hex")) => Ok(Self::Hex),
            (Kind::Bytes, Some(format)) => Err(unknown(format)),
            (Kind::Time, None) => Err(Problem::new("field.time-without-format").at_field(field.name.clone())),
            (Kind::Time, Some(format)) => TimeFormat::parse(format, field.zone.as_deref())
                .map(Self::Time)
                .map_err(|problem| problem.at_field(field.name.clone())),
        }
    }
}

/// A signed 64-bit number in decimal, spaces around it allowed. Errors are message codes.
#[inline]
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
}
