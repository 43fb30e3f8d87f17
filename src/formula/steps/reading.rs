//! Numbers that bytes hold, as `Bytes.toShort`, `toInt`, `toLong` and `BigInteger` read them.

use super::operation::{NO_RESULT, read, written};
use super::step::{BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::codec::RefusalCode;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, Shape, decimal_width};

/// The first 2 bytes as a signed number: `Bytes.toShort`.
pub static TO_SHORT: Step = Step { bind: |_, input| signed::<2>(input), ..step("toShort", &[]) };

/// The first 4 bytes as a signed number: `Bytes.toInt`.
pub static TO_INT: Step = Step { bind: |_, input| signed::<4>(input), ..step("toInt", &[]) };

/// The first 8 bytes as a signed number: `Bytes.toLong`.
pub static TO_LONG: Step = Step { bind: |_, input| signed::<8>(input), ..step("toLong", &[]) };

/// The first `n` bytes as a number that is not negative: `new BigInteger(1, bytes)`.
pub static TO_UNSIGNED: Step = Step {
    required: 1,
    bind: |arguments, input| {
        let n = arguments.count(0);
        check_width(n, input)?;
        let most = (1i64 << (8 * n.min(7))) - 1;
        let whole = input.width.exact() == Some(n as u64);
        let range = Some((0, most));
        let number = move |bytes: &[u8]| {
            let first = bytes.get(..n).ok_or::<RefusalCode>("step.too-few-bytes")?;
            Ok(first.iter().fold(0i64, |number, &byte| number << 8 | i64::from(byte)))
        };
        let inverse = written(move |value, out| {
            out.extend_from_slice(value.to_be_bytes().get(8 - n..).unwrap_or_default());
            if (0..=most).contains(&value) { Ok(()) } else { Err(NO_RESULT) }
        });
        Ok(BoundStep {
            order: if whole { Order::Strict } else { Order::Weak },
            one_to_one: whole,
            distinct: Some(most as u64 + 1),
            range,
            width: decimal_width(range),
            inverse: whole.then_some(inverse),
            ..BoundStep::new(read(number))
        })
    },
    ..step("toUnsigned", &[StepParameter::Number { name: "n", least: 1, most: 7 }])
};

const fn step(name: &'static str, parameters: &'static [StepParameter]) -> Step {
    Step {
        name,
        takes: &[Kind::Bytes],
        gives: Kind::Integer,
        parameters,
        required: 0,
        encoding: false,
        bind: |_, _| Err(Problem::new("step.too-few-bytes")),
    }
}

fn check_width(n: usize, input: &Shape) -> Result<(), Problem> {
    match input.width.max.is_some_and(|max| max < n as u64) {
        true => Err(Problem::new("step.too-few-bytes")),
        false => Ok(()),
    }
}

fn signed<const N: usize>(input: &Shape) -> Result<BoundStep, Problem> {
    check_width(N, input)?;
    let most = i64::MAX >> (64 - 8 * N);
    let whole = input.width.exact() == Some(N as u64);
    let range = Some((-most - 1, most));
    let number = |bytes: &[u8]| {
        let first = bytes.get(..N).ok_or::<RefusalCode>("step.too-few-bytes")?;
        let negative = first.first().is_some_and(|&byte| byte > 0x7f);
        Ok(first
            .iter()
            .fold(if negative { -1 } else { 0 }, |number: i64, &byte| number << 8 | i64::from(byte)))
    };
    let inverse = written(move |value, out| {
        out.extend_from_slice(value.to_be_bytes().get(8 - N..).unwrap_or_default());
        if (-most - 1..=most).contains(&value) { Ok(()) } else { Err(NO_RESULT) }
    });
    Ok(BoundStep {
        one_to_one: whole,
        distinct: if N < 8 { Some(1 << (8 * N)) } else { None },
        range,
        width: decimal_width(range),
        inverse: whole.then_some(inverse),
        ..BoundStep::new(read(number))
    })
}
