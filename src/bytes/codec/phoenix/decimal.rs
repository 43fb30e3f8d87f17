//! DECIMAL.

use super::value::NOT_WRITTEN;
use crate::bytes::codec::RefusalCode;
use crate::bytes::codec::decimal::{Decimal, Rounding};

/// Significant digits kept (`PDataType.MAX_PRECISION`).
pub const PRECISION: usize = 38;

/// Most bytes of a value (`MAX_BIG_DECIMAL_BYTES`).
const MOST_BYTES: usize = 21;

/// Zero is this byte alone.
const ZERO: u8 = 0x80;

/// Ends a negative value, above all its digits.
const NEGATIVE_END: u8 = 102;

/// The offset that is added to the power of a hundred.
const BIAS: i32 = 65;

/// The least power of a hundred of a first digit that is read back: smaller ones wrap.
pub const LEAST_EXPONENT: i64 = -63;

/// The greatest power of a hundred of a first digit that sorts above the others: greater ones wrap.
pub const MOST_EXPONENT: i64 = 62;

/// Rounded to 38 digits from the middle away from zero; then the power of a hundred of the first digit and the digits in
/// base 100 without zeros at the end. A positive number has its exponent plus 65 with the highest bit set, and its
/// digits plus one. A negative one has the complement of that exponent, 101 minus its digits, and a last byte 102, unless
/// that would be the 22nd. Exponents wrap around at 128 without a word.
pub(super) fn encode(number: &Decimal, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    let number = number.round(PRECISION, Rounding::HalfUp)?.strip_trailing_zeros()?;
    if number.is_zero() {
        out.push(ZERO);
        return Ok(());
    }
    // An odd scale is made even with a zero at the end, an odd number of digits with one at the beginning.
    let odd_scale = number.scale() % 2 != 0;
    let mut digits = number.digits().to_vec();
    digits.extend(odd_scale.then_some(0));
    if digits.len() % 2 != 0 {
        digits.insert(0, 0);
    }
    let hundreds = digits.len() as i32 / 2;
    let exponent = number
        .scale()
        .wrapping_sub(2 * (hundreds - 1))
        .wrapping_add(i32::from(odd_scale))
        .wrapping_neg()
        .wrapping_div(2);
    let biased = exponent.wrapping_add(BIAS) as u8;
    out.push(if number.is_negative() { !biased & 0x7f } else { biased | 0x80 });
    out.extend(digits.chunks_exact(2).map(|pair| {
        let digit = pair.iter().fold(0, |digit, next| digit * 10 + next);
        if number.is_negative() { 101 - digit } else { digit + 1 }
    }));
    if number.is_negative() && hundreds as usize + 2 <= MOST_BYTES {
        out.push(NEGATIVE_END);
    }
    Ok(())
}

/// The number, without a zero at its end. An exponent that wrapped reads as another than was written, as in Phoenix.
pub(super) fn decode(bytes: &[u8]) -> Result<Decimal, RefusalCode> {
    if *bytes == [ZERO] {
        return Ok(Decimal::from(0));
    }
    let (&first, digits) = bytes.split_first().ok_or(NOT_WRITTEN)?;
    let negative = first & 0x80 == 0;
    let digits = digits.strip_suffix(&[NEGATIVE_END]).filter(|_| negative).unwrap_or(digits);
    let biased = if negative { !first & 0x7f } else { first & 0x7f };
    // Java keeps the scale in a byte, so the two least exponents read as the two that wrap to them.
    let scale = (i32::from(biased) - BIAS).wrapping_mul(-2) as i8;
    let mut tens = Vec::with_capacity(2 * digits.len());
    for &byte in digits {
        let digit = if negative { 101u8.checked_sub(byte) } else { byte.checked_sub(1) };
        let digit = digit.filter(|digit| *digit < 100).ok_or(NOT_WRITTEN)?;
        tens.extend([digit / 10, digit % 10]);
    }
    // Zero has a byte of its own, and no other number begins or ends with a pair of zeros.
    let zeros = |pair: Option<&[u8; 2]>| pair.is_none_or(|pair| *pair == [0, 0]);
    if digits.len() >= MOST_BYTES || zeros(tens.first_chunk()) || zeros(tens.last_chunk()) {
        return Err(NOT_WRITTEN);
    }
    let mut scale = i32::from(scale) + 2 * (digits.len() as i32 - 1);
    if tens.last() == Some(&0) {
        tens.pop();
        scale -= 1;
    }
    let number = Decimal::new(negative, &tens, scale)?;
    if number.precision() > PRECISION { Err(NOT_WRITTEN) } else { Ok(number) }
}
