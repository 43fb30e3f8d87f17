//! FLOAT, DOUBLE and their unsigned forms.

use super::{NEGATIVE, Refusal, WRONG_LENGTH};

/// Java's one NaN, which `floatToIntBits` and `doubleToLongBits` make of all.
const FLOAT_NAN: u32 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

/// The sign bit.
const FLOAT_SIGN: u32 = 1 << 31;
const DOUBLE_SIGN: u64 = 1 << 63;

/// Signed: the bits with the sign flipped, of negative numbers all flipped, plus one; every NaN is the one that sorts
/// above infinity. Unsigned: the bits as they are; -0.0 is taken, and NaN as it is.
pub(super) fn float(number: f32, signed: bool) -> Result<[u8; 4], Refusal> {
    if !signed {
        return if number < 0.0 { Err(NEGATIVE) } else { Ok(number.to_bits().to_be_bytes()) };
    }
    let bits = if number.is_nan() { FLOAT_NAN } else { number.to_bits() };
    let flipped = if bits & FLOAT_SIGN == 0 { bits ^ FLOAT_SIGN } else { !bits };
    Ok(flipped.wrapping_add(1).to_be_bytes())
}

/// As [`float`], but an unsigned NaN too is the one NaN: `Bytes.putDouble` makes it so, `Bytes.putFloat` does not.
pub(super) fn double(number: f64, signed: bool) -> Result<[u8; 8], Refusal> {
    let bits = if number.is_nan() { DOUBLE_NAN } else { number.to_bits() };
    if !signed {
        return if number < 0.0 { Err(NEGATIVE) } else { Ok(bits.to_be_bytes()) };
    }
    let flipped = if bits & DOUBLE_SIGN == 0 { bits ^ DOUBLE_SIGN } else { !bits };
    Ok(flipped.wrapping_add(1).to_be_bytes())
}

pub(super) fn decode_float(bytes: &[u8], signed: bool) -> Result<f32, Refusal> {
    let bits = u32::from_be_bytes(bytes.try_into().map_err(|_| WRONG_LENGTH)?);
    let less = bits.wrapping_sub(1);
    let number = f32::from_bits(match signed {
        true if less & FLOAT_SIGN == 0 => !less,
        true => less ^ FLOAT_SIGN,
        false => bits,
    });
    if !signed && number < 0.0 { Err(NEGATIVE) } else { Ok(number) }
}

pub(super) fn decode_double(bytes: &[u8], signed: bool) -> Result<f64, Refusal> {
    let bits = u64::from_be_bytes(bytes.try_into().map_err(|_| WRONG_LENGTH)?);
    let less = bits.wrapping_sub(1);
    let number = f64::from_bits(match signed {
        true if less & DOUBLE_SIGN == 0 => !less,
        true => less ^ DOUBLE_SIGN,
        false => bits,
    });
    if !signed && number < 0.0 { Err(NEGATIVE) } else { Ok(number) }
}
