//! `Double.toString` as Java writes it up to version 18, which HBase's `encodeNumeric(double)` goes through.
//!
//! Those versions do not always find the shortest digits that read back as the number: 2E23 is
//! `1.9999999999999998E23`, and of doubles of random bits about one in fifty has a digit too many. The bytes of keys
//! depend on it, so the steps of `jdk.internal.math.FloatingDecimal` are followed one by one.

use super::RefusalCode;
use super::decimal::Decimal;
use super::natural::Natural;
use std::cmp::Ordering;

/// Bits of a double's significand, the hidden one included.
const SIGNIFICAND: i32 = 53;

/// `Double.toString` of a finite number; of others, `NaN`, `Infinity`, `-Infinity`.
pub fn to_text(value: f64) -> String {
    if !value.is_finite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return if value.is_nan() { "NaN".to_owned() } else { format!("{sign}Infinity") };
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, point) = digits(value.abs());
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let or_zero = |text: &str| if text.is_empty() { "0".to_owned() } else { text.to_owned() };
    if (1..8).contains(&point) {
        let (whole, fraction) = text.split_at(text.len().min(point as usize));
        return format!("{sign}{whole:0<width$}.{}", or_zero(fraction), width = point as usize);
    }
    if (-2..1).contains(&point) {
        return format!("{sign}0.{:0<width$}{text}", "", width = point.unsigned_abs() as usize);
    }
    let (first, rest) = text.split_at(text.len().min(1));
    format!("{sign}{first}.{}E{}", or_zero(rest), point - 1)
}

impl TryFrom<f64> for Decimal {
    type Error = RefusalCode;

    /// `BigDecimal.valueOf(double)`; refuses NaN and the infinities.
    fn try_from(value: f64) -> Result<Self, RefusalCode> {
        Self::parse(to_text(value).as_bytes())
    }
}

/// The digits of a finite number above zero, 0 to 9, and how many of them stand before the point
/// (`BinaryToASCIIBuffer.dtoa`).
fn digits(value: f64) -> (Vec<u8>, i32) {
    let bits = value.to_bits();
    let exponent_bits = (bits >> 52) as i32;
    let mut fraction = bits & ((1 << 52) - 1);
    let (exponent, significant) = if exponent_bits == 0 {
        let shift = fraction.leading_zeros() as i32 - 11;
        fraction <<= shift;
        (1 - shift - 1023, SIGNIFICAND - shift)
    } else {
        fraction |= 1 << 52;
        (exponent_bits - 1023, SIGNIFICAND)
    };
    let tail = fraction.trailing_zeros() as i32;
    let length = SIGNIFICAND - tail;
    let behind_point = (length - exponent - 1).max(0);
    if behind_point == 0 && exponent <= 62 {
        let whole = if exponent >= 52 { fraction << (exponent - 52) } else { fraction >> (52 - exponent) };
        // Digits that the bits do not tell apart.
        let spare = exponent - significant - 1;
        let insignificant = if exponent > significant && spare > 1 { spare * 30103 / 100_000 } else { 0 };
        return whole_digits(whole, insignificant);
    }
    Generator::new(fraction >> tail, length, exponent, behind_point, significant).digits()
}

/// The digits of a whole number, the last ones rounded away, without zeros at the end.
fn whole_digits(mut whole: u64, insignificant: i32) -> (Vec<u8>, i32) {
    let unit = 10u64.pow(insignificant as u32);
    whole = whole / unit + u64::from(unit > 1 && whole % unit >= unit / 2);
    let text = whole.to_string();
    let point = text.len() as i32 + insignificant;
    let digits = text.trim_end_matches('0').bytes().map(|digit| digit - b'0').collect();
    (digits, point)
}

/// `B / S`, from which digits are taken one by one until what is left, `B`, is within `M` of a whole digit.
struct Generator {
    b: Natural,
    s: Natural,
    m: Natural,
    tens: Natural,
    /// The power of ten of the first digit, which may turn out one too high.
    power: i32,
    /// Bits of the machine words that Java calculates in where all fits but twice `B`, and `M` once it is large.
    word: Option<u32>,
}

impl Generator {
    fn new(fraction: u64, length: i32, exponent: i32, behind_point: i32, significant: i32) -> Self {
        let power = estimate(fraction << (SIGNIFICAND - length), exponent);
        let (b5, s5) = ((-power).max(0), power.max(0));
        let mut b2 = b5 + behind_point + exponent;
        let mut s2 = s5 + behind_point;
        let mut m2 = b2 - significant;
        b2 -= length - 1;
        let common = b2.min(s2);
        b2 -= common;
        s2 -= common;
        m2 -= common;
        // Below a power of two the next number is half as far away.
        m2 -= i32::from(length == 1);
        let lift = (-m2).max(0);
        b2 += lift;
        s2 += lift;
        m2 += lift;
        let bits_of_5 = |n: i32| match n {
            0 => 0,
            1..27 => (n * 2322) / 1000 + 1,
            _ => n * 3,
        };
        let bits = (length + b2 + bits_of_5(b5)).max(s2 + 1 + bits_of_5(s5 + 1));
        let word = [32, 64].into_iter().find(|&word| bits < word).map(|word| word as u32);
        let natural = |factor, fives: i32, twos: i32| Natural::new(factor, fives as u32, twos.max(0) as u32);
        Self {
            b: natural(fraction, b5, b2),
            s: natural(1, s5, s2),
            m: natural(1, b5, m2),
            tens: natural(1, s5 + 1, s2 + 1),
            power,
            word,
        }
    }

    /// The next digit, and whether the number lies within reach below and above.
    fn step(&mut self) -> (u8, bool, bool) {
        let digit = self.b.divide_digit(&self.s);
        self.b.multiply(10);
        self.m.multiply(10);
        let Some(word) = self.word else {
            return (digit, self.b < self.m, self.b.plus(&self.m) > self.tens);
        };
        let [b, m, tens] = [&self.b, &self.m, &self.tens].map(|number| wrapped(number.low(), word));
        // An overflowed remainder is large enough.
        let overflown = m <= 0;
        (digit, overflown || b < m, overflown || wrapped(b.wrapping_add(m) as u64, word) > tens)
    }

    /// How what is left compares with half a digit.
    fn middle(&self) -> Ordering {
        match self.word {
            Some(word) => {
                let difference = (self.b.low() << 1).wrapping_sub(self.tens.low());
                wrapped(difference, word).cmp(&0)
            }
            None => self.b.plus(&self.b).cmp(&self.tens),
        }
    }

    fn digits(mut self) -> (Vec<u8>, i32) {
        let mut digits = Vec::with_capacity(18);
        let (digit, mut low, mut high) = self.step();
        if digit == 0 && !high {
            self.power -= 1;
        } else {
            digits.push(digit);
        }
        // With an exponent there is always a digit behind the point.
        if self.power < -3 || self.power >= 8 {
            (low, high) = (false, false);
        }
        while !low && !high {
            let digit;
            (digit, low, high) = self.step();
            digits.push(digit);
        }
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let up = high
            && (!low
                || match self.middle() {
                    Ordering::Equal => odd,
                    order => order == Ordering::Greater,
                });
        let point = self.power + 1;
        if up { round_up(digits, point) } else { (digits, point) }
    }
}

/// The low bits as a signed machine word.
fn wrapped(bits: u64, word: u32) -> i64 {
    if word == 32 { i64::from(bits as i32) } else { bits as i64 }
}

/// Adds one to the last digit; of nines only, 1 and zeros remain.
fn round_up(mut digits: Vec<u8>, point: i32) -> (Vec<u8>, i32) {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return (digits, point);
        }
        *digit = 0;
    }
    if let Some(first) = digits.first_mut() {
        *first = 1;
    }
    (digits, point + 1)
}

/// The power of ten of the first digit or one more, of `fraction × 2^(exponent - 52)` (`estimateDecExp`).
fn estimate(fraction: u64, exponent: i32) -> i32 {
    #[expect(clippy::approx_constant, reason = "the constants of the JDK")]
    const LOG10_2: f64 = 0.301029995663981;
    let mantissa = f64::from_bits((1023 << 52) | (fraction & ((1 << 52) - 1)));
    let log = (mantissa - 1.5) * 0.289529654 + 0.176091259 + f64::from(exponent) * LOG10_2;
    log.floor() as i32
}
