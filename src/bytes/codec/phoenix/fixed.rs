//! Types of one width: whole numbers, floating-point numbers, dates and times.

use super::value::{NEGATIVE, NOT_WRITTEN, PhoenixValue, TOO_LARGE, WRONG_LENGTH};
use crate::bytes::codec::RefusalCode;

/// TINYINT, SMALLINT, INTEGER, BIGINT and their unsigned forms: the last `bytes` bytes of the number, its sign bit flipped
/// when negative ones are taken. The unsigned types have the range of Java's signed ones from 0 up.
pub(super) fn encode_whole(
    number: i64,
    bytes: usize,
    signed: bool,
    out: &mut Vec<u8>,
) -> Result<(), RefusalCode> {
    if !signed && number < 0 {
        return Err(NEGATIVE);
    }
    let unused = unused_bits(bytes);
    if number.wrapping_shl(unused).wrapping_shr(unused) != number {
        return Err(TOO_LARGE);
    }
    let sign = if signed { 1 << (63 - unused) } else { 0 };
    let flipped = (number ^ sign).to_be_bytes();
    out.extend_from_slice(flipped.get(8usize.saturating_sub(bytes)..).unwrap_or_default());
    Ok(())
}

pub(super) fn decode_whole(bytes: &[u8], width: usize, signed: bool) -> Result<i64, RefusalCode> {
    if bytes.len() != width {
        return Err(WRONG_LENGTH);
    }
    let unused = unused_bits(width);
    let number = bytes.iter().fold(0, |number: i64, &byte| number << 8 | i64::from(byte));
    let sign = if signed { 1 << (63 - unused) } else { 0 };
    let number = (number ^ sign).wrapping_shl(unused).wrapping_shr(unused);
    if !signed && number < 0 { Err(NEGATIVE) } else { Ok(number) }
}

/// Bits of a long that such a number does not have.
fn unused_bits(bytes: usize) -> u32 {
    64 - 8 * bytes.clamp(1, 8) as u32
}

/// Java's one NaN, which `floatToIntBits` and `doubleToLongBits` make of all.
const FLOAT_NAN: u32 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

/// The sign bit.
const FLOAT_SIGN: u32 = 1 << 31;
const DOUBLE_SIGN: u64 = 1 << 63;

/// FLOAT and its unsigned form. Signed: the bits with the sign flipped, of negative numbers all flipped, plus one; every NaN is the one that sorts
/// above infinity. Unsigned: the bits as they are; -0.0 is taken, and NaN as it is.
pub(super) fn encode_float(number: f32, signed: bool) -> Result<[u8; 4], RefusalCode> {
    if !signed {
        return if number < 0.0 { Err(NEGATIVE) } else { Ok(number.to_bits().to_be_bytes()) };
    }
    let bits = if number.is_nan() { FLOAT_NAN } else { number.to_bits() };
    let flipped = if bits & FLOAT_SIGN == 0 { bits ^ FLOAT_SIGN } else { !bits };
    Ok(flipped.wrapping_add(1).to_be_bytes())
}

/// DOUBLE and its unsigned form: as [`encode_float`], but an unsigned NaN too is the one NaN: `Bytes.putDouble` makes it so, `Bytes.putFloat` does not.
pub(super) fn encode_double(number: f64, signed: bool) -> Result<[u8; 8], RefusalCode> {
    let bits = if number.is_nan() { DOUBLE_NAN } else { number.to_bits() };
    if !signed {
        return if number < 0.0 { Err(NEGATIVE) } else { Ok(bits.to_be_bytes()) };
    }
    let flipped = if bits & DOUBLE_SIGN == 0 { bits ^ DOUBLE_SIGN } else { !bits };
    Ok(flipped.wrapping_add(1).to_be_bytes())
}

pub(super) fn decode_float(bytes: &[u8], signed: bool) -> Result<f32, RefusalCode> {
    let bits = u32::from_be_bytes(bytes.try_into().map_err(|_| WRONG_LENGTH)?);
    let less = bits.wrapping_sub(1);
    let number = f32::from_bits(match signed {
        true if less & FLOAT_SIGN == 0 => !less,
        true => less ^ FLOAT_SIGN,
        false => bits,
    });
    if !signed && number < 0.0 { Err(NEGATIVE) } else { Ok(number) }
}

pub(super) fn decode_double(bytes: &[u8], signed: bool) -> Result<f64, RefusalCode> {
    let bits = u64::from_be_bytes(bytes.try_into().map_err(|_| WRONG_LENGTH)?);
    let less = bits.wrapping_sub(1);
    let number = f64::from_bits(match signed {
        true if less & DOUBLE_SIGN == 0 => !less,
        true => less ^ DOUBLE_SIGN,
        false => bits,
    });
    if !signed && number < 0.0 { Err(NEGATIVE) } else { Ok(number) }
}

/// Bytes of the milliseconds.
const MILLIS: usize = 8;

/// Nanoseconds in a millisecond.
const NANOS_PER_MILLI: u32 = 1_000_000;

/// Nanoseconds in a second.
const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// DATE, TIME and their unsigned forms: milliseconds as a BIGINT or UNSIGNED_LONG.
pub(super) fn encode_date(millis: i64, signed: bool, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    encode_whole(millis, MILLIS, signed, out)
}

/// TIMESTAMP and its unsigned form: the milliseconds, then of the nanoseconds those that are less than a millisecond.
pub(super) fn encode_timestamp(
    millis: i64,
    nanos: u32,
    signed: bool,
    out: &mut Vec<u8>,
) -> Result<(), RefusalCode> {
    encode_date(millis, signed, out)?;
    out.extend_from_slice(&(nanos % NANOS_PER_MILLI).to_be_bytes());
    Ok(())
}

pub(super) fn decode_date(bytes: &[u8], signed: bool) -> Result<PhoenixValue, RefusalCode> {
    let millis = decode_whole(bytes, MILLIS, signed)?;
    Ok(PhoenixValue::Time { millis, nanos: nanos_of_second(millis) })
}

/// A tail of a millisecond and more was written by old Phoenix: it then holds all nanoseconds of the second.
pub(super) fn decode_timestamp(bytes: &[u8], signed: bool) -> Result<PhoenixValue, RefusalCode> {
    let (date, tail) = bytes.split_at_checked(MILLIS).ok_or(WRONG_LENGTH)?;
    let millis = decode_whole(date, MILLIS, signed)?;
    let tail = u32::from_be_bytes(tail.try_into().map_err(|_| WRONG_LENGTH)?);
    if tail < NANOS_PER_MILLI {
        return Ok(PhoenixValue::Time { millis, nanos: nanos_of_second(millis) + tail });
    }
    if tail >= NANOS_PER_SECOND {
        return Err(NOT_WRITTEN);
    }
    let second = millis.div_euclid(1000).checked_mul(1000);
    let millis = second.and_then(|second| second.checked_add((tail / NANOS_PER_MILLI).into()));
    Ok(PhoenixValue::Time { millis: millis.ok_or(NOT_WRITTEN)?, nanos: tail })
}

fn nanos_of_second(millis: i64) -> u32 {
    millis.rem_euclid(1000) as u32 * NANOS_PER_MILLI
}
