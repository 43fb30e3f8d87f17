//! Keys that begin with a number written as text: `HexStringSplit` and `DecimalStringSplit`
//! (`RegionSplitter.NumberStringSplit`), and `getHexSplits` of the HBase book.
//!
//! The step is rounded down first, so the last region is the widest; hexadecimal comes out in lower case.

use super::digits;
use crate::base::Problem;
use crate::bytes::row::to_string_binary;
use crate::bytes::strings::ByteStrings;
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

    /// Adds a number of the same width.
    fn add(&mut self, other: &Self, radix: u16) {
        if self.negative == other.negative {
            digits::add(&mut self.digits, &other.digits, radix);
        } else if self.digits >= other.digits {
            digits::subtract(&mut self.digits, &other.digits, radix);
        } else {
            let magnitude = std::mem::replace(&mut self.digits, other.digits.clone());
            digits::subtract(&mut self.digits, &magnitude, radix);
            self.negative = other.negative;
        }
        self.negative &= self.digits.iter().any(|&digit| digit > 0);
    }

    fn negated(&self) -> Self {
        Self { negative: !self.negative, digits: self.digits.clone() }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.digits.cmp(&other.digits),
            (true, true) => other.digits.cmp(&self.digits),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// `BigInteger.toString(radix)` with zeros in front up to `width`, appended to `rows`: before the sign, as `leftPad` does,
    /// or behind it, as `%016x` does.
    fn print(&self, width: usize, sign_first: bool, rows: &mut ByteStrings) {
        let leading = self.digits.iter().take_while(|&&digit| digit == 0).count();
        let significant = self.digits.get(leading.min(self.digits.len() - 1)..).unwrap_or(&[]);
        let length = significant.len() + usize::from(self.negative);
        rows.bytes.extend((self.negative && sign_first).then_some(b'-'));
        rows.bytes.extend(std::iter::repeat_n(b'0', width.saturating_sub(length)));
        rows.bytes.extend((self.negative && !sign_first).then_some(b'-'));
        rows.bytes.extend(significant.iter().map(|&digit| b"0123456789abcdef"[usize::from(digit & 15)]));
        rows.end();
    }
}

/// Two numbers, both one digit wider than the longer: the range between them can be that of two opposite signs.
fn pair(first: &[u8], last: &[u8], radix: u16) -> Result<[Signed; 2], Problem> {
    let mut both = [Signed::parse(first, radix)?, Signed::parse(last, radix)?];
    let width = both.iter().map(|number| number.digits.len()).max().unwrap_or_default() + 1;
    both.iter_mut().for_each(|number| number.widen(width));
    Ok(both)
}

/// The numbers at these steps above `first`, one for each region but the first.
fn steps(
    mut first: Signed,
    step: &Signed,
    regions: u32,
    radix: u16,
    print: impl Fn(&Signed, &mut ByteStrings),
) -> ByteStrings {
    let mut rows = ByteStrings::default();
    for _ in 1..regions {
        first.add(step, radix);
        print(&first, &mut rows);
    }
    rows
}

/// The `regions - 1` split points between `first` and `last`, both inclusive, in the order HBase makes them; each as
/// wide as `last`.
pub fn split(first: &[u8], last: &[u8], regions: u32, radix: u16) -> Result<ByteStrings, Problem> {
    let [start, mut step] = pair(first, last, radix)?;
    if step.cmp(&start) != Ordering::Greater {
        return Err(super::limits::reversed(first, last));
    }
    step.add(&start.negated(), radix);
    digits::increment(&mut step.digits, radix);
    let range = digits::value(&step.digits, radix);
    if range < u64::from(regions) {
        return Err(Problem::new("split.range-too-small").with("regions", regions).with("range", range));
    }
    digits::divide(&mut step.digits, regions, radix);
    Ok(steps(start, &step, regions, radix, |point, rows| point.print(last.len(), false, rows)))
}

/// `getHexSplits(start, end, regions)` of the HBase book: `end` is not counted, and points are printed `%016x`. From a
/// higher start it counts down; a range smaller than the regions gives one point again and again.
pub fn hex_range(start: &[u8], end: &[u8], regions: u32) -> Result<ByteStrings, Problem> {
    let [start, mut step] = pair(start, end, 16)?;
    step.add(&start.negated(), 16);
    digits::divide(&mut step.digits, regions, 16);
    Ok(steps(start, &step, regions, 16, |point, rows| point.print(16, true, rows)))
}
