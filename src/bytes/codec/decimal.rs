//! Decimal numbers as Java's `BigDecimal` holds them: a whole number of any size and a power of ten.

use super::{RefusalCode, digits};
use std::cmp::Ordering;
use std::fmt;

/// Most digits of a number, so that no value costs much; Java takes more.
pub const MAX_DIGITS: usize = 1000;

const NOT_A_DECIMAL: RefusalCode = "decimal.not-a-decimal";
const TOO_MANY_DIGITS: RefusalCode = "decimal.too-many-digits";
const EXPONENT_RANGE: RefusalCode = "decimal.exponent-range";

/// A decimal number: `unscaled × 10^-scale`.
///
/// As in Java, 1.0 and 1.00 are different (`==` is Java's `equals`) but have the same value
/// ([`compare_value`](Self::compare_value), Java's `compareTo`). Zero has no sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// The unscaled value's digits, 0 to 9, without leading zeros; none for zero.
    digits: Vec<u8>,
    scale: i32,
}

/// How a number that has too many digits is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest; from the middle away from zero (Java's `HALF_UP`).
    HalfUp,
    /// To the nearest; from the middle to the even digit (Java's `HALF_EVEN`).
    HalfEven,
}

impl Decimal {
    /// The number of these digits (0 to 9, leading zeros allowed) and scale.
    ///
    /// # Errors
    /// More than [`MAX_DIGITS`] digits.
    pub fn new(negative: bool, digits: &[u8], scale: i32) -> Result<Self, RefusalCode> {
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        let digits = digits.get(zeros..).unwrap_or_default();
        if digits.len() > MAX_DIGITS {
            return Err(TOO_MANY_DIGITS);
        }
        Ok(Self { negative: negative && !digits.is_empty(), digits: digits.to_vec(), scale })
    }

    /// Reads what `new BigDecimal(String)` reads, of ASCII digits: `-12.50`, `.5`, `5.`, `1.5E+3`.
    ///
    /// # Errors
    /// Another form, blanks included; more than [`MAX_DIGITS`] digits; an exponent or a scale beyond 32 bits.
    pub fn parse(text: &[u8]) -> Result<Self, RefusalCode> {
        let (negative, text) = signed(text);
        let at = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
        let (number, exponent) = text.split_at(at);
        let exponent = exponent.get(1..).map_or(Ok(0), parse_exponent)?;
        let point = number.iter().position(|&byte| byte == b'.');
        let places = point.map_or(0, |point| number.len() - point - 1);
        let mut digits = Vec::with_capacity(number.len().min(MAX_DIGITS));
        for (index, byte) in number.iter().enumerate() {
            match byte {
                b'0' if digits.is_empty() => {}
                b'0'..=b'9' => digits.push(byte - b'0'),
                b'.' if point == Some(index) => {}
                _ => return Err(NOT_A_DECIMAL),
            }
            if digits.len() > MAX_DIGITS {
                return Err(TOO_MANY_DIGITS);
            }
        }
        if number.len() == usize::from(point.is_some()) {
            return Err(NOT_A_DECIMAL);
        }
        let scale = i32::try_from(places as i64 - exponent).map_err(|_| EXPONENT_RANGE)?;
        Self::new(negative, &digits, scale)
    }

    /// The number whose unscaled value these two's complement bytes are, most significant first.
    ///
    /// # Errors
    /// No bytes; more than [`MAX_DIGITS`] digits.
    pub fn from_unscaled_bytes(bytes: &[u8], scale: i32) -> Result<Self, RefusalCode> {
        // 10^1000 takes 416 bytes.
        match bytes.len() {
            0 => Err(NOT_A_DECIMAL),
            1..=416 => {
                let (negative, digits) = digits::from_bytes(bytes);
                Self::new(negative, &digits, scale)
            }
            _ => Err(TOO_MANY_DIGITS),
        }
    }

    /// The unscaled value in the fewest two's complement bytes, most significant first (`BigInteger.toByteArray`).
    pub fn unscaled_bytes(&self) -> Vec<u8> {
        digits::to_bytes(self.negative, &self.digits)
    }

    /// True if it is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// True if its value is zero, whatever its scale.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The unscaled value's digits, 0 to 9, most significant first; none for zero.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// Decimal places; below zero, powers of ten.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Digits of the unscaled value; 1 for zero, as in Java.
    pub fn precision(&self) -> usize {
        self.digits.len().max(1)
    }

    /// The power of ten of its first digit: 2 for 123.4 (Java's adjusted exponent).
    pub fn exponent(&self) -> i64 {
        self.precision() as i64 - 1 - i64::from(self.scale)
    }

    /// Its size, without the sign.
    pub fn abs(&self) -> Self {
        Self { negative: false, ..self.clone() }
    }

    /// The other sign.
    pub fn negate(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    /// By value: 1.0 equals 1.00 (Java's `compareTo`).
    pub fn compare_value(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| i8::from(!number.is_zero()) * if number.negative { -1 } else { 1 };
        let size = || {
            let zeros = |count: usize| std::iter::repeat_n(&0, count);
            let length = self.digits.len().max(other.digits.len());
            let padded = |number: &'_ Self| length - number.digits.len();
            self.exponent().cmp(&other.exponent()).then_with(|| {
                let left = self.digits.iter().chain(zeros(padded(self)));
                left.cmp(other.digits.iter().chain(zeros(padded(other))))
            })
        };
        sign(self).cmp(&sign(other)).then_with(|| match (self.is_zero(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => size().reverse(),
            (false, false) => size(),
        })
    }

    /// The same value without zeros at the end of the unscaled value (`stripTrailingZeros`); zero gets scale 0.
    ///
    /// # Errors
    /// The scale would not fit in 32 bits.
    pub fn strip_trailing_zeros(&self) -> Result<Self, RefusalCode> {
        let zeros = self.digits.iter().rev().take_while(|&&digit| digit == 0).count();
        let kept = self.digits.len() - zeros;
        let scale = if self.is_zero() { 0 } else { i64::from(self.scale) - zeros as i64 };
        self.cut(kept, scale)
    }

    /// Rounded to at most `precision` significant digits (`round` of a `MathContext`); 0 means as it is.
    ///
    /// # Errors
    /// The scale would not fit in 32 bits.
    pub fn round(&self, precision: usize, rounding: Rounding) -> Result<Self, RefusalCode> {
        let dropped = match self.digits.get(precision) {
            Some(&dropped) if precision > 0 => dropped,
            _ => return Ok(self.clone()),
        };
        let mut rounded =
            self.cut(precision, i64::from(self.scale) - (self.digits.len() - precision) as i64)?;
        let more = || self.digits.iter().skip(precision + 1).any(|&digit| digit != 0);
        let odd = rounded.digits.last().is_some_and(|digit| digit % 2 == 1);
        let up = match rounding {
            _ if dropped != 5 => dropped > 5,
            Rounding::HalfUp => true,
            Rounding::HalfEven => odd || more(),
        };
        if !up {
            return Ok(rounded);
        }
        let nines = rounded.digits.iter().rev().take_while(|&&digit| digit == 9).count();
        let kept = precision - nines;
        rounded.digits.truncate(kept);
        match rounded.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => rounded.digits.push(1),
        }
        rounded.digits.resize(precision, 0);
        if kept == 0 {
            // 9.99 became 10.0, of which only 1 and the zeros that fit remain.
            rounded.scale = rounded.scale.checked_sub(1).ok_or(EXPONENT_RANGE)?;
        }
        Ok(rounded)
    }

    /// Its first digits, at another scale.
    fn cut(&self, digits: usize, scale: i64) -> Result<Self, RefusalCode> {
        let scale = i32::try_from(scale).map_err(|_| EXPONENT_RANGE)?;
        Self::new(self.negative, self.digits.get(..digits).unwrap_or(&self.digits), scale)
    }

    /// Written without an exponent (`toPlainString`).
    ///
    /// # Errors
    /// It would need more than [`MAX_DIGITS`] zeros before or after its digits.
    pub fn to_plain(&self) -> Result<String, RefusalCode> {
        if self.scale < 0 && self.is_zero() {
            return Ok("0".to_owned());
        }
        if self.scale.unsigned_abs() as usize > MAX_DIGITS + self.digits.len() {
            return Err(TOO_MANY_DIGITS);
        }
        let mut text = String::new();
        self.write_plain(&mut text);
        Ok(text)
    }

    fn write_plain(&self, text: &mut String) {
        let places = usize::try_from(self.scale).unwrap_or(0);
        let zeros_before = (places + 1).saturating_sub(self.digits.len());
        let zeros_after = if self.scale < 0 { self.scale.unsigned_abs() as usize } else { 0 };
        let zeros = |count| std::iter::repeat_n(0, count);
        let digits = zeros(zeros_before).chain(self.digits.iter().copied()).chain(zeros(zeros_after));
        let point = zeros_before + self.digits.len() + zeros_after - places;
        text.push_str(if self.negative { "-" } else { "" });
        for (index, digit) in digits.enumerate() {
            text.push_str(if index == point { "." } else { "" });
            text.push(char::from(b'0' + digit));
        }
    }

    fn write_scientific(&self, text: &mut String) {
        text.push_str(if self.negative { "-" } else { "" });
        let digits = if self.is_zero() { &[0][..] } else { &self.digits };
        for (index, digit) in digits.iter().enumerate() {
            text.push_str(if index == 1 { "." } else { "" });
            text.push(char::from(b'0' + digit));
        }
        let exponent = self.exponent();
        if exponent != 0 {
            text.push_str(if exponent > 0 { "E+" } else { "E" });
            text.push_str(&exponent.to_string());
        }
    }
}

impl fmt::Display for Decimal {
    /// As Java's `toString`: plain down to 0.000001, else with an exponent; reads back the same, 32-bit exponents
    /// provided.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match self.scale >= 0 && self.exponent() >= -6 {
            true => self.write_plain(&mut text),
            false => self.write_scientific(&mut text),
        }
        f.write_str(&text)
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        let (negative, digits) = digits::from_bytes(&number.to_be_bytes());
        Self { negative, digits, scale: 0 }
    }
}

/// Splits off a sign.
fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    }
}

/// An exponent as Java reads it: a sign, and at most ten digits after leading zeros, within 32 bits.
fn parse_exponent(text: &[u8]) -> Result<i64, RefusalCode> {
    let (negative, digits) = signed(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NOT_A_DECIMAL);
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let digits = digits.get(zeros..).unwrap_or_default();
    if digits.len() > 10 {
        return Err(EXPONENT_RANGE);
    }
    let size = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    let exponent = if negative { -size } else { size };
    i32::try_from(exponent).map(i64::from).map_err(|_| EXPONENT_RANGE)
}
