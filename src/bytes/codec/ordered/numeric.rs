//! Numbers of any size: an exponent of 100, then the digits two at a time.

use super::header::write_in;
use crate::bytes::codec::decimal::{Decimal, Rounding};
use crate::bytes::codec::{RefusalCode, SortDirection, read_bits, take};

const NEGATIVE_INFINITY: u8 = 0x07;
const NEGATIVE_LARGE: u8 = 0x08;
const NEGATIVE_MEDIUM: u8 = 0x13;
const NEGATIVE_SMALL: u8 = 0x14;
const ZERO: u8 = 0x15;
const POSITIVE_SMALL: u8 = 0x16;
const POSITIVE_MEDIUM: u8 = 0x17;
const POSITIVE_LARGE: u8 = 0x22;
const POSITIVE_INFINITY: u8 = 0x23;
const NAN: u8 = 0x26;

/// The greatest exponent of 100 that fits in the header.
const MEDIUM: i64 = 10;

/// Significant digits kept, rounding half up (`OrderedBytes.MAX_PRECISION`).
pub const PRECISION: usize = 31;

/// The values that `encodeNumeric` writes: a decimal number, or what only a floating-point number can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numeric {
    /// −∞.
    NegativeInfinity,
    /// A number; written to 31 digits, and without trailing zeros.
    Decimal(Decimal),
    /// ∞.
    PositiveInfinity,
    /// Not a number.
    NaN,
}

impl From<f64> for Numeric {
    /// As `encodeNumeric(double)` takes it: through `Double.toString`, so that −0.0 is 0.
    fn from(value: f64) -> Self {
        match Decimal::try_from(value) {
            Ok(number) => Self::Decimal(number),
            Err(_) if value.is_nan() => Self::NaN,
            Err(_) if value < 0.0 => Self::NegativeInfinity,
            Err(_) => Self::PositiveInfinity,
        }
    }
}

/// `encodeNumeric`: −∞ < … < 0 < … < ∞ < NaN, whatever the scales of the numbers.
///
/// # Errors
/// A power of ten at the ends of what Java's `BigDecimal` holds.
pub fn write_numeric(
    value: &Numeric,
    direction: SortDirection,
    out: &mut Vec<u8>,
) -> Result<(), RefusalCode> {
    let special = match value {
        Numeric::NegativeInfinity => NEGATIVE_INFINITY,
        Numeric::PositiveInfinity => POSITIVE_INFINITY,
        Numeric::NaN => NAN,
        Numeric::Decimal(number) if number.is_zero() => ZERO,
        Numeric::Decimal(number) => {
            let is_small = number.exponent() < 0;
            let number = normalize(number)?;
            // HBase moves the point by twice the exponent, in 32 bits.
            if number.exponent() > i64::from(i32::MAX) - 2 {
                return Err("decimal.exponent-range");
            }
            write_in(direction, out, |out| write_finite(&number, is_small, out));
            return Ok(());
        }
    };
    out.push(special ^ direction.mask());
    Ok(())
}

/// At most 31 digits, none of them a zero at the end.
fn normalize(number: &Decimal) -> Result<Decimal, RefusalCode> {
    number.strip_trailing_zeros()?.round(PRECISION, Rounding::HalfUp)?.strip_trailing_zeros()
}

/// A number that is not zero; small are those below 1 before rounding.
fn write_finite(number: &Decimal, is_small: bool, out: &mut Vec<u8>) {
    let sign = if number.is_negative() { 0xff } else { 0 };
    let pick = |negative, positive| if number.is_negative() { negative } else { positive };
    // The number is M × 100^E with M from 0.01 to below 1.
    let exponent = number.exponent().div_euclid(2) + 1;
    if is_small {
        // A value rounded up to 1 has the exponent 1 here: HBase writes −1 as an unsigned number, so that 0.99…9 of
        // 32 digits sorts next to zero.
        out.push(pick(NEGATIVE_SMALL, POSITIVE_SMALL));
        write_varint((-exponent) as u64, !sign, out);
    } else if exponent > MEDIUM {
        out.push(pick(NEGATIVE_LARGE, POSITIVE_LARGE));
        write_varint(exponent as u64, sign, out);
    } else {
        out.push(pick(NEGATIVE_MEDIUM - exponent as u8, POSITIVE_MEDIUM + exponent as u8));
    }
    let start = out.len();
    // Where the first pair is below 10, its first digit is zero.
    let zero = (number.exponent().rem_euclid(2) == 0).then_some(0);
    let mut digits: Vec<u8> = zero.into_iter().chain(number.digits().iter().copied()).collect();
    digits.extend((digits.len() % 2 == 1).then_some(0));
    out.extend(digits.chunks_exact(2).map(|pair| 2 * (10 * pair[0] + pair[1]) + 1));
    if let Some(last) = out.last_mut() {
        *last &= 0xfe;
    }
    out.iter_mut().skip(start).for_each(|byte| *byte ^= sign);
}

/// Reads the number after its header, of a value inverted by `mask`.
pub(super) fn read(header: u8, from: &mut &[u8], mask: u8) -> Result<Numeric, RefusalCode> {
    let (negative, exponent) = match header {
        NEGATIVE_INFINITY => return Ok(Numeric::NegativeInfinity),
        POSITIVE_INFINITY => return Ok(Numeric::PositiveInfinity),
        NAN => return Ok(Numeric::NaN),
        ZERO => return Ok(Numeric::Decimal(Decimal::from(0))),
        NEGATIVE_LARGE => (true, read_varint(from, !mask)?),
        0x09..=NEGATIVE_MEDIUM => (true, (NEGATIVE_MEDIUM - header).into()),
        NEGATIVE_SMALL => (true, -read_varint(from, mask)?),
        POSITIVE_SMALL => (false, -read_varint(from, !mask)?),
        POSITIVE_MEDIUM..=0x21 => (false, (header - POSITIVE_MEDIUM).into()),
        POSITIVE_LARGE => (false, read_varint(from, mask)?),
        _ => return Err("codec.unknown-header"),
    };
    let (mut digits, pairs) = read_pairs(from, if negative { !mask } else { mask })?;
    // Without the zeros that fill the last pair, which would not fit beside the least exponents.
    let zeros = digits.iter().rev().take_while(|&&digit| digit == 0).count();
    digits.truncate(digits.len() - zeros);
    let scale = 2 * (pairs - exponent) - zeros as i64;
    let scale = i32::try_from(scale).map_err(|_| "decimal.exponent-range")?;
    Ok(Numeric::Decimal(normalize(&Decimal::new(negative, &digits, scale)?)?))
}

/// The digits up to the even byte that ends them, and how many bytes held them. A byte may hold more than 99,
/// though HBase writes none such.
fn read_pairs(from: &mut &[u8], mask: u8) -> Result<(Vec<u8>, i64), RefusalCode> {
    let length = from.iter().position(|byte| (byte ^ mask) & 1 == 0).ok_or("codec.no-end")? + 1;
    let mut carry = 0;
    let mut digits = Vec::new();
    for byte in take(from, length)?.iter().rev() {
        let pair = (byte ^ mask) / 2 + carry;
        digits.extend([pair % 10, pair / 10 % 10]);
        carry = pair / 100;
    }
    digits.push(carry);
    digits.reverse();
    Ok((digits, length as i64))
}

/// `putVaruint64`, each byte inverted by `mask`: longer numbers sort after shorter ones.
fn write_varint(value: u64, mask: u8, out: &mut Vec<u8>) {
    let start = out.len();
    match value {
        0..=240 => out.push(value as u8),
        241..=2287 => out.extend([((value - 240) / 256 + 241) as u8, ((value - 240) % 256) as u8]),
        2288..=67823 => {
            out.push(249);
            out.extend(((value - 2288) as u16).to_be_bytes());
        }
        _ => {
            let bytes = value.to_be_bytes();
            let zeros = (value.leading_zeros() / 8).min(5) as usize;
            out.push(255 - zeros as u8);
            out.extend_from_slice(bytes.get(zeros..).unwrap_or_default());
        }
    }
    out.iter_mut().skip(start).for_each(|byte| *byte ^= mask);
}

/// Reads what [`write_varint`] wrote.
fn read_varint(from: &mut &[u8], mask: u8) -> Result<i64, RefusalCode> {
    let mut bits = |width| {
        let bits = read_bits(from, width)?;
        Ok::<_, RefusalCode>(if mask == 0 { bits } else { !bits & (u64::MAX >> (64 - 8 * width)) })
    };
    let value = match bits(1)? {
        first @ 0..=240 => first,
        first @ 241..=248 => (first - 241) * 256 + bits(1)? + 240,
        249 => 2288 + bits(2)?,
        first => bits(first as usize - 247)?,
    };
    // A power of ten has 32 bits.
    i32::try_from(value as i64).map(i64::from).map_err(|_| "decimal.exponent-range")
}
