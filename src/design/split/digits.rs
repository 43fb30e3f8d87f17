//! Whole numbers as long as a row key: big-endian digits in the radix they are written in.
//!
//! Split algorithms only add, subtract and divide by a count of regions, so a number kept in the radix it is
//! printed in (10, 16 or 256) never needs converting and every operation is one pass.

/// `a += b`, digits of equal length; what overflows is lost.
pub fn add(a: &mut [u8], b: &[u8], radix: u16) {
    let mut carry = 0;
    for (a, &b) in a.iter_mut().zip(b).rev() {
        let sum = u16::from(*a) + u16::from(b) + carry;
        carry = u16::from(sum >= radix);
        *a = (sum - carry * radix) as u8;
    }
}

/// `a -= b`, digits of equal length, `a >= b`.
pub fn subtract(a: &mut [u8], b: &[u8], radix: u16) {
    let mut borrow = 0;
    for (a, &b) in a.iter_mut().zip(b).rev() {
        let take = u16::from(b) + borrow;
        borrow = u16::from(u16::from(*a) < take);
        *a = (u16::from(*a) + borrow * radix - take) as u8;
    }
}

/// `a + 1`; what overflows is lost.
pub fn increment(a: &mut [u8], radix: u16) {
    for digit in a.iter_mut().rev() {
        if u16::from(*digit) + 1 < radix {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
}

/// `a /= divisor`, rounded down; `divisor > 0`.
pub fn divide(a: &mut [u8], divisor: u32, radix: u16) {
    let mut remainder = 0;
    for digit in a {
        let value = remainder * u64::from(radix) + u64::from(*digit);
        *digit = (value / u64::from(divisor)) as u8;
        remainder = value % u64::from(divisor);
    }
}

/// The number itself, or `u64::MAX` when it is greater.
pub fn value(a: &[u8], radix: u16) -> u64 {
    a.iter().fold(0u64, |value, &digit| value.saturating_mul(radix.into()).saturating_add(digit.into()))
}

/// `a` in `width` digits, zeros in front; `width >= a.len()`.
pub fn widen(a: &[u8], width: usize) -> Vec<u8> {
    let mut wide = vec![0; width.saturating_sub(a.len())];
    wide.extend_from_slice(a);
    wide
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digits(mut value: u128, radix: u16) -> Vec<u8> {
        let mut digits = vec![0; 40];
        for digit in digits.iter_mut().rev() {
            *digit = (value % u128::from(radix)) as u8;
            value /= u128::from(radix);
        }
        digits
    }

    proptest! {
        #[test]
        fn agrees_with_machine_integers(a: u64, b: u64, n in 1u32..2_000_000, radix in prop::sample::select(vec![10u16, 16, 256])) {
            let (low, high) = (a.min(b), a.max(b));
            let mut sum = digits(a.into(), radix);
            add(&mut sum, &digits(b.into(), radix), radix);
            prop_assert_eq!(&sum, &digits(u128::from(a) + u128::from(b), radix));
            divide(&mut sum, n, radix);
            prop_assert_eq!(&sum, &digits((u128::from(a) + u128::from(b)) / u128::from(n), radix));
            let mut difference = digits(high.into(), radix);
            subtract(&mut difference, &digits(low.into(), radix), radix);
            prop_assert_eq!(value(&difference, radix), high - low);
            increment(&mut difference, radix);
            prop_assert_eq!(&difference, &digits(u128::from(high - low) + 1, radix));
        }
    }
}
