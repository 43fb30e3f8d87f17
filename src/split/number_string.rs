//! Keys that begin with a number written as text: `HexStringSplit` and `DecimalStringSplit`
//! (`RegionSplitter.NumberStringSplit`), and `getHexSplits` of the HBase book.
//!
//! The step is rounded down first, so the last region is the widest; hexadecimal comes out in lower case.

use super::digits;
use crate::Problem;
use crate::formula::vector::ByteStrings;
use crate::row::to_string_binary;
use std::cmp::Ordering;

/// A number as Java's `BigInteger` reads it, sign included.
struct Signed {
    negative: bool,
    /// Magnitude, big-endian.
    digits: Vec<u8>,
}

impl Signed {
    fn parse(row: &[u8], radix: u16) -> Result<Self, Problem> {
        let refused =
            || Problem::new("split.not-a-number").with("found", to_string_binary(row)).with("radix", radix);
        let (negative, text) = match row {
            [b'-', text @ ..] => (true, text),
            [b'+', text @ ..] => (false, text),
            text => (false, text),
        };
        let digit = |&byte: &u8| char::from(byte).to_digit(radix.into()).map(|digit| digit as u8);
        let digits: Option<Vec<u8>> = text.iter().map(digit).collect();
        match digits.filter(|digits| !digits.is_empty()) {
            Some(digits) => Ok(Self { negative: negative && digits.iter().any(|&digit| digit > 0), digits }),
            None => Err(refused()),
        }
    }

    fn widen(&mut self, width: usize) {
        self.digits = digits::widen(&self.digits, width);
    }

    /// Adds a positive number of the same width.
    fn add(&mut self, step: &[u8], radix: u16) {
        if !self.negative {
            return digits::add(&mut self.digits, step, radix);
        }
        if self.digits.as_slice() > step {
            digits::subtract(&mut self.digits, step, radix);
        } else {
            let magnitude = std::mem::replace(&mut self.digits, step.to_vec());
            digits::subtract(&mut self.digits, &magnitude, radix);
            self.negative = false;
        }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.digits.cmp(&other.digits),
            (true, true) => other.digits.cmp(&self.digits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// `BigInteger.toString(radix)` with zeros in front up to `width`, appended to `rows`.
    fn print(&self, width: usize, rows: &mut ByteStrings) {
        let leading = self.digits.iter().take_while(|&&digit| digit == 0).count();
        let significant = self.digits.get(leading.min(self.digits.len() - 1)..).unwrap_or(&[]);
        let length = significant.len() + usize::from(self.negative);
        rows.bytes.extend(std::iter::repeat_n(b'0', width.saturating_sub(length)));
        rows.bytes.extend(self.negative.then_some(b'-'));
        rows.bytes.extend(significant.iter().map(|&digit| b"0123456789abcdef"[usize::from(digit & 15)]));
        rows.end();
    }
}

/// The `regions - 1` split points between `first` and `last`, both inclusive, in the order HBase makes them; each as
/// wide as `last`.
pub fn split(first: &[u8], last: &[u8], regions: u32, radix: u16) -> Result<ByteStrings, Problem> {
    steps(first, last, regions, Form { radix, inclusive: true, width: last.len() })
}

/// `getHexSplits(start, end, regions)` of the HBase book: `end` is not counted, and points are printed `%016x`.
pub fn hex_range(start: &[u8], end: &[u8], regions: u32) -> Result<ByteStrings, Problem> {
    steps(start, end, regions, Form { radix: 16, inclusive: false, width: 16 })
}

/// How the numbers are written and counted.
struct Form {
    radix: u16,
    /// Whether the last row is part of the range.
    inclusive: bool,
    /// Least number of characters of a point.
    width: usize,
}

fn steps(first: &[u8], last: &[u8], regions: u32, form: Form) -> Result<ByteStrings, Problem> {
    let Form { radix, inclusive, .. } = form;
    let mut next = Signed::parse(first, radix)?;
    let mut end = Signed::parse(last, radix)?;
    // One digit more than either, as the range can be that of two opposite signs, both ends included.
    let width = next.digits.len().max(end.digits.len()) + 1;
    next.widen(width);
    end.widen(width);
    if end.cmp(&next) != Ordering::Greater {
        return Err(super::reversed(first, last));
    }
    let mut step = end.digits;
    match (next.negative, end.negative) {
        (false, _) => digits::subtract(&mut step, &next.digits, radix),
        (true, false) => digits::add(&mut step, &next.digits, radix),
        (true, true) => {
            let magnitude = std::mem::replace(&mut step, next.digits.clone());
            digits::subtract(&mut step, &magnitude, radix);
        }
    }
    if inclusive {
        digits::increment(&mut step, radix);
    }
    let range = digits::value(&step, radix);
    if range < u64::from(regions) {
        return Err(Problem::new("split.range-too-small").with("regions", regions).with("range", range));
    }
    digits::divide(&mut step, regions, radix);
    let mut rows = ByteStrings::default();
    for _ in 1..regions {
        next.add(&step, radix);
        next.print(form.width, &mut rows);
    }
    Ok(rows)
}
