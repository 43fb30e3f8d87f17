//! Keys that count up, found without any time: numbers given in turn follow each other at one distance.

use crate::bytes::sort::sort;
use crate::bytes::strings::ByteStrings;

/// Fewest rows whose values count by more than chance.
const COUNTED: usize = 8;
/// The share of neighbouring rows at one distance and in one order, and of distinct values, from which values count.
const SHARE: f64 = 0.8;

/// Values that count: each follows the one before it at the same distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountingValues {
    /// The distance.
    pub step: i64,
    /// Share of neighbouring values at that distance.
    pub share: f64,
}

impl CountingValues {
    /// Tells whether values, in the order of their rows, count as IDs do that are given in turn. Sorted hashes or names do not.
    pub(super) fn of(values: &ByteStrings) -> Option<Self> {
        if values.len() < COUNTED {
            return None;
        }
        let of_pairs = |number: usize| number as f64 / (values.len() - 1) as f64;
        // Numbers that start again and again, as remainders do, are not given once.
        let mut distinct: Vec<&[u8]> = values.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        if of_pairs(distinct.len()) < SHARE {
            return None;
        }
        if !is_in_order(values, 1) || !is_in_order(values, values.len() / 2) {
            return None;
        }
        [DigitRun::Decimal, DigitRun::Hexadecimal, DigitRun::Bytes].iter().find_map(|digits| {
            let mut steps = digits.steps(values);
            sort(&mut steps);
            let step = *steps.get(steps.len() / 2)?;
            let share = of_pairs(steps.iter().filter(|&&other| other == step).count());
            (step != 0 && share >= SHARE).then_some(Self { step, share })
        })
    }
}

/// True when most values sort on the same side of the one `lag` rows before. What the declared order of a step can't promise of
/// all numbers may hold for these; reversed digits rise nine times in ten and come to nothing over half of the rows.
fn is_in_order(values: &ByteStrings, lag: usize) -> bool {
    let pairs = values.len() - lag;
    let rising = (lag..values.len()).filter(|&row| values.get(row - lag) < values.get(row)).count();
    rising.max(pairs - rising) as f64 >= SHARE * pairs as f64
}

/// How the end of a value is a number.
enum DigitRun {
    Decimal,
    Hexadecimal,
    Bytes,
}

impl DigitRun {
    /// Steps between neighbours that begin alike and end in a number.
    fn steps(&self, values: &ByteStrings) -> Vec<i64> {
        let of = |row: usize| {
            let ((before, from), (after, to)) =
                (self.number(values.get(row - 1))?, self.number(values.get(row))?);
            (before == after).then(|| to.wrapping_sub(from) as i64)
        };
        (1..values.len()).filter_map(of).collect()
    }

    /// Splits the number off the end of a value.
    fn number<'v>(&self, value: &'v [u8]) -> Option<(&'v [u8], u64)> {
        // All numbers of so many digits have 64 bits.
        let (radix, most) = match self {
            Self::Decimal => (10, 18),
            Self::Hexadecimal => (16, 16),
            Self::Bytes => (256, 8),
        };
        let digit = |&byte: &u8| {
            if radix == 256 { Some(u64::from(byte)) } else { char::from(byte).to_digit(radix).map(u64::from) }
        };
        let digits = value.iter().rev().take(most).take_while(|byte| digit(byte).is_some()).count();
        let (before, number) = value.split_at(value.len() - digits);
        let value = number.iter().filter_map(digit).fold(0, |value, digit| value * u64::from(radix) + digit);
        (digits > 0).then_some((before, value))
    }
}
