//! Sums and quotients of numbers, and the number that digits in a text are: `plus`, `div`, `number`, and the sum of
//! several values.

use super::operation::{NO_RESULT, integers, read, same_number, written};
use super::step::{BoundStep, DIGITS, Step, StepParameter};
use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Keeps, Order, Shape, decimal_width};
use crate::records::field::time::read_integer;

/// Why a sum or product is not a number of 64 bits.
const OVERFLOW: &str = "step.overflow";

/// A constant added, as `Math.addExact`.
pub static PLUS: Step = Step {
    name: "plus",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[StepParameter::Number { name: "n", least: i64::MIN, most: i64::MAX }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let n = arguments.number(0).unwrap_or(0);
        let range = input.range.map(|(low, high)| (low.saturating_add(n), high.saturating_add(n)));
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            distinct: input.distinct,
            range,
            width: decimal_width(range),
            inverse: Some(integers(move |sum| sum.checked_sub(n).ok_or(NO_RESULT))),
            ..BoundStep::new(integers(move |value| value.checked_add(n).ok_or(OVERFLOW)))
        })
    },
};

/// Java's `/`: towards zero.
pub static DIV: Step = Step {
    name: "div",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[StepParameter::Number { name: "n", least: 1, most: i64::MAX }],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let n = arguments.number(0).unwrap_or(1).max(1);
        let (low, high) = input.range.unwrap_or((i64::MIN, i64::MAX));
        let range = (low / n, high / n);
        Ok(BoundStep {
            order: if n == 1 { Order::Strict } else { Order::Weak },
            one_to_one: n == 1,
            keeps: (low >= 0).then_some(Keeps::Above(n)),
            scale: (low >= 0).then_some(n),
            distinct: range.1.abs_diff(range.0).checked_add(1),
            range: Some(range),
            width: decimal_width(Some(range)),
            inverse: (n == 1).then(same_number),
            ..BoundStep::new(integers(move |value| Ok(value / n)))
        })
    },
};

/// `Long.parseLong`, of digits only; with 16 of hexadecimal ones.
pub static NUMBER: Step = Step {
    name: "number",
    takes: &[Kind::Text],
    gives: Kind::Integer,
    parameters: &[StepParameter::Number { name: "radix", least: 16, most: 16 }],
    required: 0,
    encoding: false,
    bind: |arguments, input| {
        if arguments.number(0).is_some() {
            return Ok(hexadecimal(input));
        }
        if is_hex(input.alphabet) {
            return Err(Problem::new("step.number-of-hex"));
        }
        let operation = read(|text| {
            if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
                return Err("step.not-digits");
            }
            read_integer(text).ok_or("step.too-many-digits")
        });
        let range = range_of_digits(input);
        let unknown = BoundStep {
            distinct: input.distinct,
            range: Some(range.unwrap_or((0, i64::MAX))),
            width: decimal_width(Some(range.unwrap_or((0, i64::MAX)))),
            ..BoundStep::new(operation)
        };
        let (Some(_), Some(width)) = (range, input.width.exact()) else { return Ok(unknown) };
        let width = width as usize;
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            inverse: Some(written(move |value, out| {
                let text = format!("{value:0width$}");
                out.extend_from_slice(text.as_bytes());
                if value < 0 || text.len() != width { Err(NO_RESULT) } else { Ok(()) }
            })),
            ..unknown
        })
    },
};

/// The number that hexadecimal digits are.
fn hexadecimal(input: &Shape) -> BoundStep {
    let number = |text: &[u8]| {
        let digit = |number: Option<i64>, &byte: &u8| match char::from(byte).to_digit(16) {
            Some(digit) => {
                Ok(number.and_then(|number| number.checked_mul(16)).map(|number| number + i64::from(digit)))
            }
            None => Err("step.not-hex-digits"),
        };
        let start = if text.is_empty() { Err("step.not-hex-digits") } else { Ok(Some(0)) };
        text.iter().fold(start, |number, byte| digit(number?, byte))?.ok_or("step.too-many-digits")
    };
    let width = input.width.exact().filter(|width| (1..=15).contains(width)).map(|width| width as usize);
    // Upper-case and lower-case digits are one number.
    let digits = if is_within(input.alphabet, b"0123456789abcdef") {
        Some(false)
    } else {
        is_within(input.alphabet, b"0123456789ABCDEF").then_some(true)
    };
    let range = Some((0, width.map_or(i64::MAX, |width| (1 << (4 * width)) - 1)));
    let unknown = BoundStep {
        distinct: input.distinct,
        range,
        width: decimal_width(range),
        ..BoundStep::new(read(number))
    };
    let (Some(width), Some(upper)) = (width, digits) else { return unknown };
    BoundStep {
        order: Order::Strict,
        one_to_one: true,
        inverse: Some(written(move |value, out| {
            let text = if upper { format!("{value:0width$X}") } else { format!("{value:0width$x}") };
            out.extend_from_slice(text.as_bytes());
            if value < 0 || text.len() != width { Err(NO_RESULT) } else { Ok(()) }
        })),
        ..unknown
    }
}

fn is_within(alphabet: Alphabet, digits: &[u8]) -> bool {
    alphabet.union(Alphabet::of(digits)) == Alphabet::of(digits)
}

/// True for exactly the digits of hexadecimal numbers, most of which hold a letter.
fn is_hex(alphabet: Alphabet) -> bool {
    [b"0123456789abcdef", b"0123456789ABCDEF"].iter().any(|digits| alphabet == Alphabet::of(*digits))
}

/// Least and greatest number of texts that are always as many digits.
fn range_of_digits(input: &Shape) -> Option<(i64, i64)> {
    let width = input.width.exact().filter(|width| (1..=18).contains(width))?;
    let others = |set: Alphabet| set.union(DIGITS) != DIGITS;
    let end = |pick: fn(Alphabet) -> Option<u8>| {
        (0..width as usize).try_fold(0i64, |number, place| {
            let set = input.by_position.get(place).copied().unwrap_or(input.alphabet);
            let digit = pick(set).filter(|_| !others(set))?;
            number.checked_mul(10)?.checked_add(i64::from(digit.checked_sub(b'0')?))
        })
    };
    Some((end(|set| set.bytes().next())?, end(|set| set.bytes().last())?))
}

/// The sum of numbers written one after the other in 8 bytes each, as `Math.addExact`. No step of its own: the source
/// `sum` is made of it.
pub static SUM: Step = Step {
    name: "sum",
    takes: &[Kind::Bytes],
    gives: Kind::Integer,
    parameters: &[],
    required: 0,
    encoding: false,
    bind: |_, _| {
        Ok(BoundStep::new(read(|bytes| {
            let (numbers, _) = bytes.as_chunks::<8>();
            let mut numbers = numbers.iter().map(|&number| i64::from_be_bytes(number));
            numbers.try_fold(0i64, i64::checked_add).ok_or(OVERFLOW)
        })))
    },
};
