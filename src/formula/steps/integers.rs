//! Numbers as decimal text and as big-endian bytes: `decimal`, `int8` to `int64`, `uint8` to `uint32`.

use super::operation::{BoxedOperation, NO_RESULT, read, repeating, written};
use super::step::{Bind, BoundStep, DIGITS, Step, StepParameter};
use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Shape, Width, decimal_width};
use crate::records::field::time::read_integer;

/// Decimal text; with a width, padded with zeros on the left, and negative or wider numbers refused.
pub static DECIMAL: Step = Step {
    name: "decimal",
    takes: &[Kind::Integer],
    gives: Kind::Text,
    parameters: &[StepParameter::Number { name: "width", least: 1, most: 1000 }],
    required: 0,
    encoding: true,
    bind: |arguments, input| {
        let range = input.range.unwrap_or((i64::MIN, i64::MAX));
        let Some(width) = arguments.number(0).map(|width| width as usize) else {
            return Ok(plain(range));
        };
        let most = 10u64.checked_pow(width as u32);
        if most.is_some_and(|most| range.0.max(0) as u64 >= most) {
            let needed = decimal_width(Some((range.0, range.0))).min;
            let narrow = Problem::new("step.decimal-too-narrow").with("width", width).with("needed", needed);
            return Err(narrow.with("number", range.0));
        }
        let ends =
            [range.0.max(0) as u64, (range.1.max(0) as u64).min(most.map_or(u64::MAX, |most| most - 1))];
        let [low, high] = ends.map(|end| {
            let mut text = Vec::new();
            write_padded(end, width, &mut text);
            text
        });
        let operation = written(move |value, out| {
            let value = u64::try_from(value).map_err(|_| "step.negative-number")?;
            if most.is_some_and(|most| value >= most) {
                return Err("step.number-too-wide");
            }
            write_padded(value, width, out);
            Ok(())
        });
        Ok(BoundStep {
            order: Order::Strict,
            one_to_one: true,
            distinct: input.distinct,
            width: Width::fixed(width as u64),
            alphabet: DIGITS,
            by_position: Alphabet::between(&low, &high),
            inverse: Some(read(number)),
            ..BoundStep::new(operation)
        })
    },
};

/// Without a width: the text orders as the number when all numbers have the same number of digits.
fn plain(range: (i64, i64)) -> BoundStep {
    let width = decimal_width(Some(range));
    let operation = written(|value, out| {
        if value < 0 {
            out.push(b'-');
        }
        write_padded(value.unsigned_abs(), 1, out);
        Ok(())
    });
    let sign = if range.0 < 0 { Alphabet::of(b"-") } else { Alphabet::NONE };
    BoundStep {
        order: if range.0 >= 0 && width.exact().is_some() { Order::Strict } else { Order::None },
        one_to_one: true,
        width,
        alphabet: DIGITS.union(sign),
        inverse: Some(read(number)),
        ..BoundStep::new(operation)
    }
}

/// Reads a decimal number, zeros in front allowed.
fn number(text: &[u8]) -> Result<i64, &'static str> {
    let sign_only = text.strip_prefix(b"+").is_some();
    read_integer(text).filter(|_| !sign_only).ok_or(NO_RESULT)
}

/// At least `width` digits.
fn write_padded(value: u64, width: usize, out: &mut Vec<u8>) {
    let mut text = [b'0'; MOST_DIGITS];
    let mut first = MOST_DIGITS;
    let mut rest = value;
    // Two digits a division.
    while rest >= 10 {
        let pair = (rest % 100) as u8;
        rest /= 100;
        first -= 2;
        text[first] = b'0' + pair / 10;
        text[first + 1] = b'0' + pair % 10;
    }
    if rest > 0 || first == MOST_DIGITS {
        first -= 1;
        text[first] = b'0' + rest as u8;
    }
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(MOST_DIGITS)));
    out.extend_from_slice(&text[first.min(MOST_DIGITS - width.min(MOST_DIGITS))..]);
}

/// Digits of the greatest number.
const MOST_DIGITS: usize = 20;

/// `(byte) x` of Java, of numbers from 0 to 255.
pub static UINT8: Step = big_endian("uint8", |_, input| unsigned(input, 1));

/// The low 2 bytes, of numbers from 0 to 65,535.
pub static UINT16: Step = big_endian("uint16", |_, input| unsigned(input, 2));

/// The low 3 bytes, of numbers from 0 to 16,777,215: OpenTSDB's ids.
pub static UINT24: Step = big_endian("uint24", |_, input| unsigned(input, 3));

/// The low 4 bytes, of numbers from 0 to 4,294,967,295: OpenTSDB's seconds.
pub static UINT32: Step = big_endian("uint32", |_, input| unsigned(input, 4));

/// `(byte) x` of Java, of numbers from -128 to 127.
pub static INT8: Step = big_endian("int8", |_, input| Ok(int(input, 1)));

/// `Bytes.toBytes(short)`.
pub static INT16: Step = big_endian("int16", |_, input| Ok(int(input, 2)));

/// `Bytes.toBytes(int)`.
pub static INT32: Step = big_endian("int32", |_, input| Ok(int(input, 4)));

/// `Bytes.toBytes(long)`.
pub static INT64: Step = big_endian("int64", |_, input| Ok(int(input, 8)));

const fn big_endian(name: &'static str, bind: Bind) -> Step {
    Step {
        name,
        takes: &[Kind::Integer],
        gives: Kind::Bytes,
        parameters: &[],
        required: 0,
        encoding: true,
        bind,
    }
}

/// The low `width` bytes (at most 7), the highest first; other numbers than these hold are refused.
fn unsigned(input: &Shape, width: usize) -> Result<BoundStep, Problem> {
    let most = (1i64 << (8 * width)) - 1;
    let (low, high) = input.range.unwrap_or((0, most));
    if high < 0 || low > most {
        return Err(Problem::new("step.no-number-fits").with("least", 0).with("most", most));
    }
    let low_bytes = move |number: i64| number.to_be_bytes().into_iter().skip(8 - width);
    let operation = written(move |value, out| match value {
        ..0 => Err("step.negative-number"),
        _ if value > most => Err("step.number-too-large"),
        _ => {
            out.extend(low_bytes(value));
            Ok(())
        }
    });
    let [low, high] = [low.max(0), high.min(most)].map(|end| low_bytes(end).collect::<Vec<u8>>());
    Ok(BoundStep {
        order: Order::Strict,
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(width as u64),
        by_position: Alphabet::between(&low, &high),
        inverse: Some(read(move |bytes| {
            let value = bytes.iter().take(width).fold(0, |value: i64, &byte| value << 8 | i64::from(byte));
            if bytes.len() == width { Ok(value) } else { Err(NO_RESULT) }
        })),
        ..BoundStep::new(operation)
    })
}

/// Two's complement in `width` bytes, the highest first: negative numbers sort after positive ones.
fn int(input: &Shape, width: usize) -> BoundStep {
    let skipped = 8 - width;
    let operation: BoxedOperation = written(move |value, out| {
        let shift = skipped as u32 * 8;
        if value << shift >> shift != value {
            return Err("step.number-too-large");
        }
        out.extend_from_slice(value.to_be_bytes().get(skipped..).unwrap_or(&[]));
        Ok(())
    });
    // At zero the bytes begin anew: each sign by itself keeps its order.
    let operation = repeating(operation, |value| (value < 0).then_some(0));
    let fits = i64::MAX >> (skipped * 8);
    let one_sign = input.range.filter(|(low, high)| *low >= 0 || *high < 0);
    let order = if one_sign.is_some() { Order::Strict } else { Order::None };
    let between = |low: i64, high: i64| {
        let [low, high] = [low, high].map(|end| end.clamp(!fits, fits).to_be_bytes());
        Alphabet::between(low.get(skipped..).unwrap_or(&[]), high.get(skipped..).unwrap_or(&[]))
    };
    let by_position = match (input.range, one_sign) {
        (_, Some((low, high))) => between(low, high),
        (Some((low, high)), None) => {
            let both = between(low, -1).into_iter().zip(between(0, high));
            both.map(|(negative, other)| negative.union(other)).collect()
        }
        (None, None) => Vec::new(),
    };
    BoundStep {
        order,
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(width as u64),
        by_position,
        inverse: Some(read(move |bytes| {
            if bytes.len() != width {
                return Err(NO_RESULT);
            }
            let value = bytes.iter().fold(0, |value: i64, &byte| value << 8 | i64::from(byte));
            let shift = skipped as u32 * 8;
            Ok(value << shift >> shift)
        })),
        ..BoundStep::new(operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_are_those_the_standard_library_writes(
            value in prop_oneof![any::<u64>(), 0u64..1000, Just(u64::MAX)], width in 1usize..40,
        ) {
            let mut out = b"before".to_vec();
            write_padded(value, width, &mut out);
            prop_assert_eq!(String::from_utf8(out), Ok(format!("before{value:0width$}")));
        }
    }
}
