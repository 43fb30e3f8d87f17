//! Bytes as hexadecimal text and as they are: `hex`, `HEX`, `raw`.

use super::operation::{NO_RESULT, read, same_bytes, strings, written};
use super::step::{Arguments, Bind, BoundStep, Step, StepParameter, width};
use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Shape, Width};

const LENGTH: &[StepParameter] = &[width("n")];

/// Bytes written at a time: as many as a digest has.
const PIECE: usize = 16;

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// Lower-case hexadecimal: of bytes their first `n` characters, of a number exactly `n`, padded with zeros.
pub static HEX: Step = step("hex", |arguments, input| hex(arguments, input, "hex", LOWER));

/// Upper-case hexadecimal, as [`HEX`].
pub static HEX_UPPER: Step = step("HEX", |arguments, input| hex(arguments, input, "HEX", UPPER));

const fn step(name: &'static str, bind: Bind) -> Step {
    Step {
        name,
        takes: &[Kind::Bytes, Kind::Integer],
        gives: Kind::Text,
        parameters: LENGTH,
        required: 0,
        encoding: true,
        bind,
    }
}

/// The first `n` bytes.
pub static RAW: Step = Step {
    name: "raw",
    takes: &[Kind::Bytes],
    gives: Kind::Bytes,
    parameters: LENGTH,
    required: 0,
    encoding: true,
    bind: |arguments, input| {
        let asked = arguments.number(0).map(|asked| asked as u64);
        check_asked("raw", asked, input.width, 1)?;
        let operation = strings(move |bytes, out| {
            out.extend_from_slice(first(bytes, asked).ok_or("step.too-few-bytes")?);
            Ok(())
        });
        let all = asked.is_none() || asked == input.width.exact();
        let taken = asked.map_or(usize::MAX, |asked| asked as usize);
        Ok(BoundStep {
            order: if all { Order::Strict } else { Order::Weak },
            one_to_one: all,
            distinct: input.distinct,
            width: asked.map_or(input.width, Width::fixed),
            alphabet: input.alphabet,
            by_position: input.by_position.iter().take(taken).copied().collect(),
            inverse: all.then(same_bytes),
            ..BoundStep::new(operation)
        })
    },
};

fn hex(
    arguments: Arguments<'_>,
    input: &Shape,
    name: &'static str,
    digits: &'static [u8; 16],
) -> Result<BoundStep, Problem> {
    let asked = arguments.number(0).map(|asked| asked as u64);
    match (input.kind, asked) {
        (Kind::Integer, Some(width)) => Ok(hex_of_number(width, input, digits)),
        (Kind::Integer, None) => Err(Problem::new("step.hex-number-width").with("step", name)),
        _ => {
            check_asked(name, asked, input.width, 2)?;
            Ok(hex_of_bytes(asked, input, digits))
        }
    }
}

/// A number in `width` characters.
fn hex_of_number(width: u64, input: &Shape, digits: &'static [u8; 16]) -> BoundStep {
    let operation = written(move |value, out| {
        let value = u64::try_from(value).map_err(|_| "step.negative-number")?;
        if width < 16 && value >> (4 * width) != 0 {
            return Err("step.number-too-wide");
        }
        out.extend(std::iter::repeat_n(b'0', (width as usize).saturating_sub(16)));
        let shown = width.min(16) as u32;
        out.extend((0..shown).rev().map(|place| digits[(value >> (4 * place) & 15) as usize]));
        Ok(())
    });
    let inverse = read(move |text| {
        let number =
            text.iter().try_fold(0u64, |number, &byte| Some(number.checked_mul(16)? | digit(digits, byte)?));
        number.and_then(|number| i64::try_from(number).ok()).ok_or(NO_RESULT)
    });
    BoundStep {
        order: Order::Strict,
        one_to_one: true,
        distinct: input.distinct,
        width: Width::fixed(width),
        alphabet: Alphabet::of(digits),
        inverse: Some(inverse),
        ..BoundStep::new(operation)
    }
}

/// The first `asked` characters of bytes, or all of them.
fn hex_of_bytes(asked: Option<u64>, input: &Shape, digits: &'static [u8; 16]) -> BoundStep {
    let operation = strings(move |bytes, out| {
        let whole = first(bytes, asked.map(|asked| asked.div_ceil(2))).ok_or("step.too-few-bytes")?;
        for bytes in whole.chunks(PIECE) {
            let mut text = [0; 2 * PIECE];
            for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
                pair.copy_from_slice(&[digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
            }
            out.extend_from_slice(&text[..2 * bytes.len()]);
        }
        if asked.is_some_and(|asked| asked % 2 == 1) {
            out.pop();
        }
        Ok(())
    });
    let inverse = || {
        strings(move |text, out| {
            let (pairs, rest) = text.as_chunks::<2>();
            for &[high, low] in pairs {
                let [high, low] = [high, low].map(|byte| digit(digits, byte));
                let (high, low) = high.zip(low).ok_or(NO_RESULT)?;
                out.push((high << 4 | low) as u8);
            }
            if rest.is_empty() { Ok(()) } else { Err(NO_RESULT) }
        })
    };
    let all = asked.is_none() || asked == input.width.exact().map(|width| 2 * width);
    let doubled = Width {
        min: input.width.min.saturating_mul(2),
        max: input.width.max.map(|max| max.saturating_mul(2)),
    };
    BoundStep {
        order: if all { Order::Strict } else { Order::Weak },
        one_to_one: all,
        distinct: input.distinct,
        width: asked.map_or(doubled, Width::fixed),
        alphabet: Alphabet::of(digits),
        inverse: all.then(inverse),
        ..BoundStep::new(operation)
    }
}

/// The value of a hexadecimal digit of this case.
fn digit(digits: &[u8; 16], byte: u8) -> Option<u64> {
    digits.iter().position(|&digit| digit == byte).map(|value| value as u64)
}

fn first(bytes: &[u8], count: Option<u64>) -> Option<&[u8]> {
    count.map_or(Some(bytes), |count| bytes.get(..count as usize))
}

/// Refuses to give more characters than the bytes have, `per_byte` each.
fn check_asked(name: &'static str, asked: Option<u64>, input: Width, per_byte: u64) -> Result<(), Problem> {
    let most = input.max.map(|max| max.saturating_mul(per_byte));
    match (asked, most) {
        (Some(asked), Some(most)) if asked > most => Err(Problem::new("step.asks-for-too-much")
            .with("step", name)
            .with("asked", asked)
            .with("unit", if per_byte == 1 { "step.unit-bytes" } else { "step.unit-characters" })
            .with("most", most)),
        _ => Ok(()),
    }
}
