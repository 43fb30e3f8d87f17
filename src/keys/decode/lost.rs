//! Why a field cannot be read back.

use crate::base::Problem;
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Order;

/// Why a key does not tell a field: the step that keeps the most of it without keeping all.
pub fn lost(typed: &TypedFormula, field: usize, name: &str) -> Problem {
    let mut all = Vec::new();
    for part in &typed.parts {
        losses(&part.expression, field, &mut all);
    }
    // An encoding that keeps order loses least.
    let rank = |code: &str| {
        ["decode.rounded", "decode.goes-round", "decode.one-way"].iter().position(|other| *other == code)
    };
    let problem = match all.into_iter().min_by_key(|(code, _)| rank(code)) {
        Some((code, step)) => Problem::new(code).with("step", step),
        None => Problem::new("decode.not-in-key"),
    };
    problem.with("name", name).at_field(name)
}

/// The first step that does not keep the field, for each place where it occurs, and what it makes of it.
fn losses(expression: &Expression, field: usize, all: &mut Vec<(&'static str, &'static str)>) -> bool {
    match expression {
        Expression::Field { index, .. } => *index == field,
        Expression::Literal(_) | Expression::Salt { .. } => false,
        Expression::Join { parts, .. } => parts.iter().filter(|part| losses(part, field, all)).count() > 0,
        Expression::Apply { input, inverse, step, shape, .. } => {
            let kept = losses(input, field, all);
            if kept && inverse.is_none() {
                all.push((
                    match shape.order {
                        Order::Strict | Order::Reversed | Order::Weak | Order::WeakReversed => {
                            "decode.rounded"
                        }
                        Order::Cyclic => "decode.goes-round",
                        Order::None => "decode.one-way",
                    },
                    step.name,
                ));
            }
            kept && inverse.is_some()
        }
    }
}
