//! DATE, TIME, TIMESTAMP and their unsigned forms.

use super::{NOT_WRITTEN, Refusal, Value, WRONG_LENGTH, whole};

/// Nanoseconds in a millisecond.
const NANOS_PER_MILLI: u32 = 1_000_000;

/// Nanoseconds in a second.
const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// Milliseconds as a BIGINT or UNSIGNED_LONG.
pub(super) fn date(millis: i64, signed: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
    whole::encode(millis, MILLIS, signed, out)
}

/// The milliseconds, then of the nanoseconds those that are less than a millisecond.
pub(super) fn timestamp(millis: i64, nanos: u32, signed: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
    date(millis, signed, out)?;
    out.extend_from_slice(&(nanos % NANOS_PER_MILLI).to_be_bytes());
    Ok(())
}

pub(super) fn decode_date(bytes: &[u8], signed: bool) -> Result<Value, Refusal> {
    let millis = whole::decode(bytes, MILLIS, signed)?;
    Ok(Value::Time { millis, nanos: nanos_of_second(millis) })
}

/// A tail of a millisecond and more was written by old Phoenix: it then holds all nanoseconds of the second.
pub(super) fn decode_timestamp(bytes: &[u8], signed: bool) -> Result<Value, Refusal> {
    let (date, tail) = bytes.split_at_checked(MILLIS).ok_or(WRONG_LENGTH)?;
    let millis = whole::decode(date, MILLIS, signed)?;
    let tail = u32::from_be_bytes(tail.try_into().map_err(|_| WRONG_LENGTH)?);
    if tail < NANOS_PER_MILLI {
        return Ok(Value::Time { millis, nanos: nanos_of_second(millis) + tail });
    }
    if tail >= NANOS_PER_SECOND {
        return Err(NOT_WRITTEN);
    }
    let second = millis.div_euclid(1000).checked_mul(1000);
    let millis = second.and_then(|second| second.checked_add((tail / NANOS_PER_MILLI).into()));
    Ok(Value::Time { millis: millis.ok_or(NOT_WRITTEN)?, nanos: tail })
}

fn nanos_of_second(millis: i64) -> u32 {
    millis.rem_euclid(1000) as u32 * NANOS_PER_MILLI
}

/// Bytes of the milliseconds.
const MILLIS: usize = 8;
