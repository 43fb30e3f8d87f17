//! `lookup`: the number that a table of the document gives a text.

use super::operation::{NO_RESULT, read, written};
use super::step::{BoundStep, Step, StepParameter};
use crate::base::Problem;
use crate::base::map::Set;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, decimal_width};

/// A numeric id in place of a long name; a text that is not in the table is refused.
pub static LOOKUP: Step = Step {
    name: "lookup",
    takes: &[Kind::Text],
    gives: Kind::Integer,
    parameters: &[StepParameter::Table { name: "table" }],
    required: 1,
    encoding: false,
    bind: |arguments, _| {
        let Some(table) = arguments.table(0) else {
            return Err(Problem::new("formula.unknown-lookup").with("name", "").with("known", ""));
        };
        let numbers: Set<i64> = table.numbers().collect();
        let range = numbers.iter().next().copied().zip(numbers.iter().next_back().copied());
        let pairs = || table.entries().windows(2).filter_map(|pair| Some((pair.first()?.1, pair.last()?.1)));
        let order = match () {
            () if pairs().all(|(a, b)| a < b) => Order::Strict,
            () if pairs().all(|(a, b)| a <= b) => Order::Weak,
            () if pairs().all(|(a, b)| a > b) => Order::Reversed,
            () if pairs().all(|(a, b)| a >= b) => Order::WeakReversed,
            () => Order::None,
        };
        let one_to_one = numbers.len() == table.entries().len();
        let back = table.clone();
        let inverse = one_to_one.then(|| {
            written(move |number, out| {
                out.extend_from_slice(back.text(number).ok_or(NO_RESULT)?.as_bytes());
                Ok(())
            })
        });
        let there = table.clone();
        Ok(BoundStep {
            order,
            one_to_one,
            distinct: Some(numbers.len() as u64),
            range,
            width: decimal_width(range),
            inverse,
            ..BoundStep::new(read(move |text| there.number(text).ok_or("step.not-in-lookup")))
        })
    },
};
