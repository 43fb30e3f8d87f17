//! From a value as a file holds it to its text: the one place where that is decided, for every format and every host.
//!
//! The texts are those that a CSV of the same records holds: numbers in decimal, times in the notation of ISO 8601 with a blank
//! before the hour and as many digits as their unit has. Nothing passes through a number that cannot hold it.

use crate::base::units::SECOND;
use crate::records::field::time::civil::date_of;
use crate::records::field::{Field, Kind};
use std::io::Write;

/// Bytes of the longest decimal number that is read.
const LONGEST_DECIMAL: usize = 128;
/// Digits behind the point of a decimal number, and zeros before it.
const MOST_SCALE: u32 = 1000;
/// Days beyond which a count of days is no date: a hundred thousand years.
const MOST_DAYS: i64 = 36_525_000;
/// The day in Julian days on which 1970 began.
const JULIAN_1970: i64 = 2_440_588;
const NANOS_A_DAY: i128 = 86_400_000_000_000;

/// A value as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stored<'a> {
    Boolean(bool),
    Integer(i64),
    Float(f32),
    Double(f64),
    /// Text, bytes, digits of a number with the highest byte first: as the type says.
    Bytes(&'a [u8]),
}

/// The unit of a time: how many digits a second is divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    Seconds,
    Millis,
    Micros,
    Nanos,
}

impl TimeUnit {
    const fn digits(self) -> usize {
        match self {
            Self::Seconds => 0,
            Self::Millis => 3,
            Self::Micros => 6,
            Self::Nanos => 9,
        }
    }

    /// How many of it are a second.
    const fn per_second(self) -> i128 {
        10i128.pow(self.digits() as u32)
    }
}

/// The meaning of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// There are no values of this type but missing ones.
    Nothing,
    Text,
    Binary,
    Uuid,
    Boolean,
    Integer,
    /// Without a sign, in so many bits.
    Unsigned(u32),
    Float,
    /// A floating point number of 16 bits, the lowest byte first.
    Half,
    /// A whole number, of which so many digits stand behind the point.
    Decimal(i32),
    /// Days since 1970.
    Days,
    /// Milliseconds since 1970, of which only the day counts.
    DayMillis,
    /// The time of a day.
    TimeOfDay(TimeUnit),
    /// A moment in UTC, or a local time in no zone that is known.
    Timestamp(TimeUnit, bool),
    /// Parquet's INT96: nanoseconds of a day, 8 bytes, then the Julian day, 4 bytes; the lowest byte first.
    Julian,
}

impl Meaning {
    /// Decimal numbers of this scale; `None` where no writer has one, and a short number would become a long text.
    pub fn decimal(scale: i64) -> Option<Self> {
        i32::try_from(scale).ok().filter(|scale| scale.unsigned_abs() <= MOST_SCALE).map(Self::Decimal)
    }

    /// The type that a field has of which nothing else is declared, and the format its texts are in.
    pub fn kind(self) -> (Kind, Option<&'static str>) {
        match self {
            Self::Nothing | Self::Text | Self::TimeOfDay(_) => (Kind::Text, None),
            Self::Binary => (Kind::Bytes, Some("escaped")),
            Self::Uuid => (Kind::Bytes, Some("uuid")),
            Self::Boolean => (Kind::Boolean, None),
            // A field of integers holds 64 bits with a sign.
            Self::Unsigned(64) | Self::Decimal(_) => (Kind::Decimal, None),
            Self::Integer | Self::Unsigned(_) => (Kind::Integer, None),
            Self::Float | Self::Half => (Kind::Float, None),
            Self::Days | Self::DayMillis | Self::Timestamp(..) | Self::Julian => {
                (Kind::Time, Some("iso8601"))
            }
        }
    }

    /// A field of this name of which nothing else is declared.
    pub fn field(self, name: &str) -> Field {
        let (kind, format) = self.kind();
        let zone = (kind == Kind::Time).then(|| "Z".to_owned());
        let format = format.map(str::to_owned);
        Field { name: name.to_owned(), kind, format, zone, width: None, from: Vec::new(), nullable: false }
    }

    /// Appends the text of a value; `as_text`: bytes of no type are text. False when it cannot be told.
    pub fn write(self, value: Stored<'_>, as_text: bool, out: &mut Vec<u8>) -> bool {
        match (self, value) {
            (Self::Nothing, _) => {}
            (Self::Text, Stored::Bytes(bytes)) => out.extend_from_slice(bytes),
            (Self::Binary, Stored::Bytes(bytes)) if as_text => out.extend_from_slice(bytes),
            (Self::Binary, Stored::Bytes(bytes)) => escaped(bytes, out),
            (Self::Uuid, Stored::Bytes(bytes)) => return uuid(bytes, out),
            (Self::Boolean, Stored::Boolean(value)) => {
                out.extend_from_slice(if value { b"true" } else { b"false" })
            }
            (Self::Integer, Stored::Integer(value)) => integer(value, out),
            (Self::Unsigned(bits), Stored::Integer(value)) => {
                unsigned(value as u64 & (u64::MAX >> (64 - bits.clamp(1, 64))), out)
            }
            (Self::Float, Stored::Float(value)) => {
                float(f64::from(value), |out| write!(out, "{value:?}"), out)
            }
            (Self::Float, Stored::Double(value)) => float(value, |out| write!(out, "{value:?}"), out),
            (Self::Half, Stored::Bytes(&[low, high])) => {
                let value = half(u16::from_le_bytes([low, high]));
                float(f64::from(value), |out| write!(out, "{value:?}"), out)
            }
            (Self::Decimal(scale), Stored::Integer(value)) => {
                return decimal(&value.to_be_bytes(), scale, out);
            }
            (Self::Decimal(scale), Stored::Bytes(bytes)) => return decimal(bytes, scale, out),
            (Self::Days, Stored::Integer(days)) => date(days, out),
            (Self::DayMillis, Stored::Integer(millis)) => date(millis.div_euclid(86_400 * SECOND), out),
            (Self::TimeOfDay(unit), Stored::Integer(time)) => time_of_day(i128::from(time), unit, out),
            (Self::Timestamp(unit, utc), Stored::Integer(time)) => {
                timestamp(i128::from(time), unit, out);
                if utc {
                    out.push(b'Z');
                }
            }
            (Self::Julian, Stored::Bytes(bytes)) => return julian(bytes, out),
            _ => return false,
        }
        true
    }
}

/// Whole numbers in decimal; faster than the standard library's, which formats for every purpose.
fn unsigned(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    for (index, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
        first = index;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(first..).unwrap_or_default());
}

fn integer(value: i64, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    unsigned(value.unsigned_abs(), out);
}

/// A number with at least so many digits.
fn padded(value: u64, digits: usize, out: &mut Vec<u8>) {
    let start = out.len();
    unsigned(value, out);
    let missing = digits.saturating_sub(out.len() - start);
    out.splice(start..start, std::iter::repeat_n(b'0', missing));
}

/// The shortest digits that are read as the same number, in the words of Java.
fn float(value: f64, digits: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>, out: &mut Vec<u8>) {
    match value {
        _ if value.is_nan() => out.extend_from_slice(b"NaN"),
        _ if value.is_infinite() => {
            out.extend_from_slice(if value > 0.0 { b"Infinity" } else { b"-Infinity" })
        }
        _ => digits(out).unwrap_or_default(),
    }
}

/// The number that 16 bits stand for; every one is a number of 32 bits.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction as f32 * (-24f32).exp2(),
        31 => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// A number in two's complement, the highest byte first, of which `scale` digits stand behind the point.
fn decimal(bytes: &[u8], scale: i32, out: &mut Vec<u8>) -> bool {
    if bytes.len() > LONGEST_DECIMAL || scale.unsigned_abs() > MOST_SCALE {
        return false;
    }
    let negative = bytes.first().is_some_and(|&first| first >= 0x80);
    let digits = magnitude(bytes, negative);
    if negative {
        out.push(b'-');
    }
    match usize::try_from(scale) {
        Err(_) => {
            out.extend_from_slice(&digits);
            let _ = write!(out, "E+{}", scale.unsigned_abs());
        }
        Ok(0) => out.extend_from_slice(&digits),
        Ok(scale) => {
            let zeros = (scale + 1).saturating_sub(digits.len());
            let point = (digits.len() + zeros) - scale;
            let all = std::iter::repeat_n(b'0', zeros).chain(digits);
            for (at, digit) in all.enumerate() {
                if at == point {
                    out.push(b'.');
                }
                out.push(digit);
            }
        }
    }
    true
}

/// The digits of a number in two's complement without its sign.
fn magnitude(bytes: &[u8], negative: bool) -> Vec<u8> {
    let mut digits = Vec::new();
    if bytes.len() <= 16 {
        let sign = if negative { -1i128 } else { 0 };
        let value = bytes.iter().fold(sign, |value, &byte| value << 8 | i128::from(byte));
        let mut rest = value.unsigned_abs();
        while rest > 0 || digits.is_empty() {
            digits.push(b'0' + (rest % 10) as u8);
            rest /= 10;
        }
    } else {
        let flip = if negative { 0xff } else { 0 };
        let mut size: Vec<u8> = bytes.iter().map(|byte| byte ^ flip).collect();
        if negative {
            for byte in size.iter_mut().rev() {
                let (sum, carry) = byte.overflowing_add(1);
                *byte = sum;
                if !carry {
                    break;
                }
            }
        }
        while size.iter().any(|&byte| byte > 0) || digits.is_empty() {
            let rest = size.iter_mut().fold(0u32, |rest, byte| {
                let value = rest << 8 | u32::from(*byte);
                *byte = (value / 10) as u8;
                value % 10
            });
            digits.push(b'0' + rest as u8);
        }
    }
    digits.reverse();
    digits
}

fn date(days: i64, out: &mut Vec<u8>) {
    if days.unsigned_abs() > MOST_DAYS as u64 {
        // No reader takes it for a date, and the value is told as it is.
        return integer(days, out);
    }
    let (year, month, day) = date_of(days);
    if year < 0 {
        out.push(b'-');
    }
    padded(year.unsigned_abs(), 4, out);
    out.push(b'-');
    padded(month.unsigned_abs(), 2, out);
    out.push(b'-');
    padded(day.unsigned_abs(), 2, out);
}

fn time_of_day(time: i128, unit: TimeUnit, out: &mut Vec<u8>) {
    let per_second = unit.per_second();
    let day = 86_400 * per_second;
    if !(0..=day).contains(&time) {
        let _ = write!(out, "{time}");
        return;
    }
    let seconds = (time / per_second) as u64;
    padded(seconds / 3_600, 2, out);
    out.push(b':');
    padded(seconds / 60 % 60, 2, out);
    out.push(b':');
    padded(seconds % 60, 2, out);
    if unit.digits() > 0 {
        out.push(b'.');
        padded((time % per_second) as u64, unit.digits(), out);
    }
}

fn timestamp(time: i128, unit: TimeUnit, out: &mut Vec<u8>) {
    let day = 86_400 * unit.per_second();
    match i64::try_from(time.div_euclid(day)) {
        Ok(days) if days.unsigned_abs() <= MOST_DAYS as u64 => {
            date(days, out);
            out.push(b' ');
            time_of_day(time.rem_euclid(day), unit, out);
        }
        _ => {
            let _ = write!(out, "{time}");
        }
    }
}

fn julian(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let Some((nanos, rest)) = bytes.split_first_chunk::<8>() else { return false };
    let Ok(day) = <[u8; 4]>::try_from(rest) else { return false };
    let days = i128::from(i32::from_le_bytes(day)) - i128::from(JULIAN_1970);
    timestamp(days * NANOS_A_DAY + i128::from(i64::from_le_bytes(*nanos)), TimeUnit::Nanos, out);
    true
}

fn uuid(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    // As text already, or as its 16 bytes.
    if bytes.len() != 16 {
        out.extend_from_slice(bytes);
        return true;
    }
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        hex(*byte, b"0123456789abcdef", out);
    }
    true
}

fn hex(byte: u8, digits: &[u8; 16], out: &mut Vec<u8>) {
    for half in [byte >> 4, byte & 15] {
        out.extend(digits.get(usize::from(half)));
    }
}

/// Bytes in the notation of HBase's shell.
pub fn escaped(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        if (b' '..=b'~').contains(&byte) && byte != b'\\' {
            out.push(byte);
        } else {
            out.extend_from_slice(b"\\x");
            hex(byte, b"0123456789ABCDEF", out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(meaning: Meaning, value: Stored<'_>) -> String {
        let mut out = Vec::new();
        assert!(meaning.write(value, false, &mut out), "{meaning:?}");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn whole_numbers_keep_all_their_bits() {
        assert_eq!(text(Meaning::Integer, Stored::Integer(i64::MIN)), "-9223372036854775808");
        assert_eq!(text(Meaning::Unsigned(64), Stored::Integer(-1)), "18446744073709551615");
        assert_eq!(text(Meaning::Unsigned(32), Stored::Integer(-1)), "4294967295");
        assert_eq!(text(Meaning::Unsigned(8), Stored::Integer(255)), "255");
    }

    #[test]
    fn decimals_of_any_size_keep_their_scale() {
        let most = 10i128.pow(38) - 1;
        for (value, scale, expected) in [
            (0, 2, "0.00"),
            (-5, 2, "-0.05"),
            (-12_345, 3, "-12.345"),
            (7, 0, "7"),
            (12, -2, "12E+2"),
            (-most, 10, "-9999999999999999999999999999.9999999999"),
        ] {
            assert_eq!(text(Meaning::Decimal(scale), Stored::Bytes(&value.to_be_bytes())), expected);
            // The same with its sign in 32 bytes.
            let mut wide = vec![if value < 0 { 0xff } else { 0 }; 16];
            wide.extend_from_slice(&value.to_be_bytes());
            assert_eq!(text(Meaning::Decimal(scale), Stored::Bytes(&wide)), expected);
        }
        assert!(!Meaning::Decimal(0).write(Stored::Bytes(&[1; 200]), false, &mut Vec::new()));
    }

    #[test]
    fn times_have_the_digits_of_their_unit() {
        let moment = Meaning::Timestamp(TimeUnit::Nanos, true);
        assert_eq!(text(moment, Stored::Integer(-1)), "1969-12-31 23:59:59.999999999Z");
        assert_eq!(text(moment, Stored::Integer(i64::MAX)), "2262-04-11 23:47:16.854775807Z");
        let local = Meaning::Timestamp(TimeUnit::Seconds, false);
        assert_eq!(text(local, Stored::Integer(1_700_000_000)), "2023-11-14 22:13:20");
        assert_eq!(text(local, Stored::Integer(i64::MAX)), "9223372036854775807");
        assert_eq!(text(Meaning::Days, Stored::Integer(-719_162)), "0001-01-01");
        assert_eq!(text(Meaning::DayMillis, Stored::Integer(-1)), "1969-12-31");
        let of_day = Meaning::TimeOfDay(TimeUnit::Micros);
        assert_eq!(text(of_day, Stored::Integer(86_399_000_001)), "23:59:59.000001");
        let mut stored = 3_600_000_000_001i64.to_le_bytes().to_vec();
        stored.extend_from_slice(&2_440_587i32.to_le_bytes());
        assert_eq!(text(Meaning::Julian, Stored::Bytes(&stored)), "1969-12-31 01:00:00.000000001");
    }

    #[test]
    fn floats_are_the_shortest_that_read_the_same() {
        assert_eq!(text(Meaning::Float, Stored::Float(0.1)), "0.1");
        assert_eq!(text(Meaning::Float, Stored::Double(0.1f32.into())), "0.10000000149011612");
        assert_eq!(text(Meaning::Float, Stored::Double(1e300)), "1e300");
        assert_eq!(text(Meaning::Float, Stored::Float(f32::NEG_INFINITY)), "-Infinity");
        assert_eq!(text(Meaning::Half, Stored::Bytes(&[0x00, 0xc2])), "-3.0");
        assert_eq!(text(Meaning::Half, Stored::Bytes(&[0x01, 0x00])), "5.9604645e-8");
        assert_eq!(text(Meaning::Half, Stored::Bytes(&[0x00, 0x7e])), "NaN");
    }

    #[test]
    fn bytes_are_written_as_the_shell_does() {
        assert_eq!(text(Meaning::Binary, Stored::Bytes(b"a\\\x00\xff,")), "a\\x5C\\x00\\xFF,");
        assert_eq!(text(Meaning::Uuid, Stored::Bytes(&[0xf8; 16])), "f8f8f8f8-f8f8-f8f8-f8f8-f8f8f8f8f8f8");
    }
}
