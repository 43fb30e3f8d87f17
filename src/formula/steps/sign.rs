//! `abs`, with the one number that has no opposite.

use super::operation::{NO_RESULT, integers, same_number};
use super::step::{BoundStep, Step};
use crate::records::field::Kind;
use crate::records::field::shape::{Order, decimal_width};

/// `Math.abs`. A number known to fit 32 bits, as a hash is, is Java's `int`: −2^31 stays as it is, and negative.
/// Others are `long`, of which −2^63 stays.
pub static ABS: Step = Step {
    name: "abs",
    takes: &[Kind::Integer],
    gives: Kind::Integer,
    parameters: &[],
    required: 0,
    encoding: false,
    bind: |_, input| {
        let (low, high) = input.range.unwrap_or((i64::MIN, i64::MAX));
        let int = low >= i32::MIN.into() && high <= i32::MAX.into();
        let stays = if int { i32::MIN.into() } else { i64::MIN };
        let operation =
            integers(move |value| Ok(if value == stays { value } else { value.saturating_abs() }));
        // Among numbers with an opposite, an end of the range has the largest absolute value.
        let most = low.max(stays + 1).saturating_abs().max(high.saturating_abs());
        let least = match (low, high) {
            (low, _) if low == stays => low,
            (low, _) if low >= 0 => low,
            (_, high) if high <= 0 => high.saturating_abs(),
            _ => 0,
        };
        let order = match (low, high) {
            (0.., _) => Order::Strict,
            (low, ..=0) if low > stays => Order::Reversed,
            _ => Order::None,
        };
        let range = Some((least, most));
        Ok(BoundStep {
            order,
            one_to_one: order != Order::None,
            inverse: match order {
                Order::Strict => Some(same_number()),
                Order::Reversed => Some(integers(|value| value.checked_neg().ok_or(NO_RESULT))),
                _ => None,
            },
            distinct: input.distinct,
            range,
            width: decimal_width(range),
            ..BoundStep::new(operation)
        })
    },
};
