//! Steps from number to number: `mod`, `floorMod`, `and`, `reverseLong`.

use super::operation::{integers, repeating, same_number};
use super::step::{BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::field::shape::{Keeps, Order, Shape, decimal_width};

const DIVISOR: StepParameter = StepParameter::Number { name: "n", least: 1, most: i64::MAX };

fn bound(range: (i64, i64), bound: BoundStep) -> BoundStep {
    let distinct = range.1.abs_diff(range.0).checked_add(1);
    BoundStep { range: Some(range), width: decimal_width(Some(range)), distinct, ..bound }
}

fn range(input: &Shape) -> (i64, i64) {
    input.range.unwrap_or((i64::MIN, i64::MAX))
}

/// Java's `%`: the sign of the result is that of the value, so a negative one gives a negative remainder.
pub static MOD: Step = Step {
    name: "mod",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[DIVISOR],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let n = arguments.number(0).unwrap_or(1).max(1);
        let (low, high) = range(input);
        let results =
            (if low < 0 { (1 - n).max(low) } else { 0 }, if high > 0 { (n - 1).min(high) } else { 0 });
        Ok(bound(
            results,
            BoundStep {
                order: remainder_order((low, high), n),
                one_to_one: fits((low, high), n),
                keeps: (low >= 0).then_some(Keeps::Within { stretch: n, fine: 0 }),
                inverse: fits((low, high), n).then(same_number),
                ..BoundStep::new(repeating(integers(move |value| Ok(value % n)), move |value| {
                    remainder_turn(value, n)
                }))
            },
        ))
    },
};

/// `Math.floorMod`: from 0 to n − 1 whatever the sign of the value.
pub static FLOOR_MOD: Step = Step {
    name: "floorMod",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[DIVISOR],
    required: 1,
    encoding: false,
    bind: |arguments, input| {
        let n = arguments.number(0).unwrap_or(1).max(1);
        let input = range(input);
        Ok(bound(
            (0, n - 1),
            BoundStep {
                order: remainder_order(input, n),
                one_to_one: fits(input, n),
                keeps: Some(Keeps::Within { stretch: n, fine: 0 }),
                inverse: fits(input, n).then(same_number),
                ..BoundStep::new(repeating(integers(move |value| Ok(value.rem_euclid(n))), move |value| {
                    next_multiple(value, n)
                }))
            },
        ))
    },
};

/// True if all values are their own remainders.
fn fits((low, high): (i64, i64), n: i64) -> bool {
    low >= 0 && high < n
}

fn remainder_order(range: (i64, i64), n: i64) -> Order {
    if fits(range, n) { Order::Strict } else { Order::Cyclic }
}

/// The first multiple of `n` above a number: there `floorMod` begins anew.
fn next_multiple(value: i64, n: i64) -> Option<i64> {
    value.div_euclid(n).checked_add(1)?.checked_mul(n)
}

/// Where Java's `%` begins anew: at multiples of `n`, below zero one above them.
fn remainder_turn(value: i64, n: i64) -> Option<i64> {
    if value > -n {
        return next_multiple(value.max(0), n);
    }
    next_multiple(value.checked_sub(1)?, n)?.checked_add(1)
}

/// Bits that are also in `mask`, as Java's `&`.
pub static AND: Step = Step {
    name: "and",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[StepParameter::Number { name: "mask", least: 0, most: i64::MAX }],
    required: 1,
    encoding: false,
    bind: |arguments, _| {
        let mask = arguments.number(0).unwrap_or(0);
        let low_bits = mask & (mask.wrapping_add(1)) == 0;
        let operation = integers(move |value| Ok(value & mask));
        let order = if low_bits { Order::Cyclic } else { Order::None };
        let operation = match mask.checked_add(1).filter(|_| low_bits) {
            Some(n) => repeating(operation, move |value| next_multiple(value, n)),
            None => operation,
        };
        let results = bound((0, mask), BoundStep { order, ..BoundStep::new(operation) });
        Ok(BoundStep { distinct: 1u64.checked_shl(mask.count_ones()), ..results })
    },
};

/// `Long.MAX_VALUE − x`: the greatest first.
pub static REVERSE_LONG: Step = Step {
    name: "reverseLong",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[],
    required: 0,
    encoding: false,
    bind: |_, input| {
        let (low, high) = range(input);
        if high < 0 {
            return Err(Problem::new("step.reverse-long-overflow"));
        }
        let operation = || integers(|value| i64::MAX.checked_sub(value).ok_or("step.reverse-long-overflow"));
        let results = (i64::MAX - high, i64::MAX - low.max(0));
        Ok(BoundStep {
            distinct: input.distinct,
            inverse: Some(operation()),
            ..bound(
                results,
                BoundStep { order: Order::Reversed, one_to_one: true, ..BoundStep::new(operation()) },
            )
        })
    },
};
