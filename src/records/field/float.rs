//! Floating point numbers as Java's `double` reads, prints and compares them.

/// Reads decimal digits with an optional point, sign and exponent, `NaN`, or `Infinity` with an optional sign.
///
/// # Errors
/// Another form: `field.not-a-float`. A number beyond the greatest: `field.float-too-large`.
pub fn read(text: &[u8]) -> Result<f64, &'static str> {
    const WRONG: &str = "field.not-a-float";
    match text {
        b"NaN" => return Ok(f64::NAN),
        b"Infinity" | b"+Infinity" => return Ok(f64::INFINITY),
        b"-Infinity" => return Ok(f64::NEG_INFINITY),
        _ => {}
    }
    // The standard library reads other words as well.
    let is_digits = text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let text = std::str::from_utf8(text).ok().filter(|_| is_digits).ok_or(WRONG)?;
    let number = parse(text).ok_or(WRONG)?;
    if number.is_finite() { Ok(number) } else { Err("field.float-too-large") }
}

/// The number that digits stand for.
#[cfg(feature = "floats")]
fn parse(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The number that digits stand for. One division reads short ones without an exponent exactly; the host reads the
/// others, so that the standard library's tables are left out.
#[cfg(not(feature = "floats"))]
fn parse(text: &str) -> Option<f64> {
    simple(text).or_else(|| crate::base::host::parse_float(text))
}

/// The number of at most 15 digits, perhaps with a point: whole number and power of ten are exact.
#[cfg(any(test, not(feature = "floats")))]
fn simple(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text),
    };
    let fraction = digits.split_once('.').map_or("", |(_, fraction)| fraction);
    if digits.len() > 15 || digits.starts_with('.') {
        return None;
    }
    let mut number = 0_u64;
    for byte in digits.bytes().filter(|&byte| byte != b'.') {
        number = number * 10 + u64::from(byte.checked_sub(b'0').filter(|&digit| digit < 10)?);
    }
    let power = 10_u64.pow(fraction.len() as u32);
    (!digits.is_empty() && !fraction.contains('.')).then_some(sign * (number as f64 / power as f64))
}

/// The bits of a number; every NaN has the same (`Double.doubleToLongBits`).
pub fn bits(number: f64) -> i64 {
    let number = if number.is_nan() { f64::NAN } else { number };
    number.to_bits() as i64
}

/// The number of these bits.
pub fn of_bits(bits: i64) -> f64 {
    f64::from_bits(bits as u64)
}

/// A number for these bits that orders as the numbers they stand for: -0.0 before 0.0, NaN last (`Double.compareTo`).
pub fn order_key(bits: i64) -> i64 {
    // Negative numbers: flip all bits but the sign.
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::codec::double::to_text;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_number_of_java_is_refused() {
        for text in ["", "1,5", "inf", "nan", "infinity", "0x1p3", "1e", ".", "1 2", "--1"] {
            assert_eq!(read(text.as_bytes()), Err("field.not-a-float"), "{text:?}");
        }
        assert_eq!(read(b"1e999"), Err("field.float-too-large"));
        assert_eq!([read(b".5"), read(b"5."), read(b"+1E3")], [Ok(0.5), Ok(5.0), Ok(1000.0)]);
    }

    #[test]
    fn simple_numbers_are_those_of_the_standard_library() {
        for text in ["", ".", "1.2.3", "1e5", ".5", "+1", "1234567890123456", "-"] {
            assert_eq!(simple(text), None, "{text:?}");
        }
        assert_eq!(simple("-0").map(f64::to_bits), Some((-0.0_f64).to_bits()));
    }

    proptest! {
        #[test]
        fn simple_numbers_are_the_nearest(text in "-?[0-9]{1,9}(\\.[0-9]{0,5})?") {
            prop_assert_eq!(simple(&text).map(f64::to_bits), text.parse().ok().map(f64::to_bits));
        }

        #[test]
        fn order_keys_order_as_the_numbers_do(a in any::<f64>(), b in any::<f64>()) {
            prop_assert_eq!(order_key(bits(a)).cmp(&order_key(bits(b))), a.total_cmp(&b));
        }

        #[test]
        fn what_is_written_reads_back_the_same(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            let read = read(to_text(number).as_bytes());
            prop_assert_eq!(read.map(super::bits), Ok(super::bits(number)));
        }
    }
}
