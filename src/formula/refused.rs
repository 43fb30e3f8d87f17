//! Reasons why a formula is rejected, with what was most likely meant.

use super::steps::{STEPS, Step};
use super::syntax::{FormulaCall, FormulaSpan, GivenArgument};
use crate::base::Problem;
use crate::base::nearest::nearest;
use crate::records::field::{Field, Kind};

pub(super) fn at(span: FormulaSpan, problem: Problem) -> Problem {
    problem.at_columns(span.start, span.end)
}

/// A name that is no field, with the field it most likely means.
pub(crate) fn unknown_field(name: &str, fields: &[Field]) -> Problem {
    unknown_source(name, fields.iter().map(|field| field.name.as_str()))
}

/// A name that is none of the known fields and sub-formulas.
pub(super) fn unknown_source<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Problem {
    unknown(["formula.unknown-field", "formula.unknown-field-near"], name, known)
}

/// An unknown name: the second code when a known one is near it.
pub(super) fn unknown<'a>(
    codes: [&'static str; 2],
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let near = nearest(name, known.clone());
    let [far_code, near_code] = codes;
    Problem::new(if near.is_some() { near_code } else { far_code })
        .with("name", name)
        .with("nearest", near.unwrap_or_default())
        .with("known", known.collect::<Vec<_>>().join(", "))
}

/// Moves the columns of a problem inside a text argument (a pattern) to those of the formula, or gives it the call's.
pub(super) fn located(problem: Problem, call: &FormulaCall) -> Problem {
    let text = call.arguments.iter().find(|argument| matches!(argument.value, GivenArgument::Text(_)));
    match (problem.place.column, problem.place.end, text) {
        (Some(column), Some(end), Some(argument)) => {
            let first = argument.span.start;
            let last = argument.span.end;
            problem.at_columns((first + column).min(last), (first + end).min(last))
        }
        _ => at(call.span, problem),
    }
}

pub(super) fn does_not_fit(step: &Step, kind: Kind) -> Problem {
    let fitting = STEPS.iter().filter(|step| step.takes.contains(&kind)).map(|step| step.name);
    let takes = step.takes.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" / ");
    // A number turned into text as it is would lose the zeros that keep it apart from others.
    let needs_width = kind == Kind::Integer && step.takes.contains(&Kind::Text);
    Problem::new(if needs_width { "formula.number-needs-width" } else { "formula.step-does-not-fit" })
        .with("step", step.name)
        .with("kind", kind.name())
        .with("takes", takes)
        .with("fitting", fitting.collect::<Vec<_>>().join(", "))
}
