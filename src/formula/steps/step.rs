//! A step: its parameters, its arguments, and its properties once bound to them.

use super::operation::BoxedOperation;
use crate::base::Problem;
use crate::bytes::codec::SortDirection;
use crate::formula::lookup::Lookup;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Keeps, Order, Shape, Width};
use std::sync::Arc;

/// An argument as a step sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentValue {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// A lookup table.
    Table(Arc<Lookup>),
}

/// The kind of an argument, and its name in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepParameter {
    /// A number from `least` to `most`.
    Number {
        /// Name in the signature.
        name: &'static str,
        /// Least value taken.
        least: i64,
        /// Greatest value taken.
        most: i64,
    },
    /// A text.
    Text {
        /// Name in the signature.
        name: &'static str,
    },
    /// The name of a lookup table.
    Table {
        /// Name in the signature.
        name: &'static str,
    },
    /// Any number of texts; the last parameter.
    Texts {
        /// Their names in the signature.
        name: &'static str,
    },
}

impl StepParameter {
    /// Name in the signature.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number { name, .. } | Self::Text { name } | Self::Table { name } | Self::Texts { name } => {
                name
            }
        }
    }
}

/// The arguments of a step, checked against its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a>(&'a [ArgumentValue]);

impl<'a> Arguments<'a> {
    /// The number at `index`; `None` when it was left out.
    pub fn number(&self, index: usize) -> Option<i64> {
        match self.0.get(index) {
            Some(ArgumentValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The number at `index` as a width or count; 0 when it was left out.
    pub fn count(&self, index: usize) -> usize {
        self.number(index).and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
    }

    /// `'asc'`, which is meant when it is left out, or `'desc'`, in the first place; anything else is refused with `code`.
    pub(super) fn direction(&self, code: &'static str) -> Result<SortDirection, Problem> {
        match self.text(0) {
            "" | "asc" => Ok(SortDirection::Ascending),
            "desc" => Ok(SortDirection::Descending),
            found => Err(Problem::new(code).with("found", found)),
        }
    }

    /// The text at `index`; empty when it was left out.
    pub fn text(&self, index: usize) -> &'a str {
        match self.0.get(index) {
            Some(ArgumentValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The lookup table at `index`.
    pub fn table(&self, index: usize) -> Option<&'a Arc<Lookup>> {
        match self.0.get(index) {
            Some(ArgumentValue::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// All that are texts.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(|value| match value {
            ArgumentValue::Text(text) => Some(text.as_str()),
            ArgumentValue::Number(_) | ArgumentValue::Table(_) => None,
        })
    }
}

/// A step bound to its arguments: what it does and what is known of its results.
pub struct BoundStep {
    /// How results order against inputs (numbers and times by value, text and bytes by unsigned bytes).
    pub order: Order,
    /// True if different inputs always give different results.
    pub one_to_one: bool,
    /// At most so many different results.
    pub distinct: Option<u64>,
    /// Bytes of a result that is text or bytes.
    pub width: Width,
    /// Bytes that can occur in it.
    pub alphabet: Alphabet,
    /// Bytes that can occur at each of its first positions.
    pub by_position: Vec<Alphabet>,
    /// Least and greatest result, for numbers and times.
    pub range: Option<(i64, i64)>,
    /// Milliseconds of which a resulting time is always a whole number.
    pub unit: i64,
    /// A byte that ends every result and occurs nowhere else in it.
    pub terminator: Option<u8>,
    /// True if no result is the beginning of another: each tells where it ends.
    pub prefix_free: bool,
    /// The part of its number or time that a result keeps, when that is not all.
    pub keeps: Option<Keeps>,
    /// How many of its input one of a resulting number stands for, when it counts them from zero.
    pub scale: Option<i64>,
    /// The bytes of NULL, where it is taken: none, or a separator alone.
    pub null: Option<&'static [u8]>,
    /// The operation.
    pub operation: BoxedOperation,
    /// From each result back to an input that gives it, the only one where different inputs give different results; what is
    /// no result is refused.
    pub inverse: Option<BoxedOperation>,
}

impl BoundStep {
    /// A step of which nothing is known but what it does.
    pub(super) fn new(operation: BoxedOperation) -> Self {
        Self {
            order: Order::None,
            one_to_one: false,
            distinct: None,
            width: Width::UNBOUNDED,
            alphabet: Alphabet::ALL,
            by_position: Vec::new(),
            range: None,
            unit: 1,
            terminator: None,
            prefix_free: false,
            keeps: None,
            scale: None,
            null: None,
            operation,
            inverse: None,
        }
    }
}

/// Binds a step to its arguments, for inputs of this shape.
pub type Bind = fn(Arguments<'_>, &Shape) -> Result<BoundStep, Problem>;

/// A step or encoding.
pub struct Step {
    /// Name in a formula.
    pub name: &'static str,
    /// The input type.
    pub takes: &'static [Kind],
    /// The result type.
    pub gives: Kind,
    /// Its parameters.
    pub parameters: &'static [StepParameter],
    /// How many of them must be given.
    pub required: usize,
    /// True if it writes a value as bytes, the last step of a part.
    pub encoding: bool,
    /// Binds it to arguments, for inputs of this shape.
    pub bind: Bind,
}

impl Step {
    /// Checks the arguments against the parameters and binds.
    ///
    /// # Errors
    /// Too few or too many arguments, of the wrong kind or out of range; what the step itself refuses.
    pub fn bind(&self, arguments: &[ArgumentValue], input: &Shape) -> Result<BoundStep, Problem> {
        let problem = |code| Problem::new(code).with("step", self.name).with("signature", self.signature());
        let repeated = self.parameters.last().filter(|last| matches!(last, StepParameter::Texts { .. }));
        let most = if repeated.is_some() { usize::MAX } else { self.parameters.len() };
        if !(self.required..=most).contains(&arguments.len()) {
            return Err(problem("formula.argument-count").with("found", arguments.len()));
        }
        for (argument, parameter) in
            arguments.iter().zip(self.parameters.iter().chain(repeated.into_iter().cycle()))
        {
            match (argument, parameter) {
                (ArgumentValue::Number(number), StepParameter::Number { least, most, .. }) => {
                    if !(least..=most).contains(&number) {
                        let range = problem("formula.argument-range").with("found", number);
                        return Err(range
                            .with("name", parameter.name())
                            .with("least", least)
                            .with("most", most));
                    }
                }
                (ArgumentValue::Text(_), StepParameter::Text { .. } | StepParameter::Texts { .. })
                | (ArgumentValue::Table(_), StepParameter::Table { .. }) => {}
                _ => return Err(problem("formula.argument-kind").with("name", parameter.name())),
            }
        }
        (self.bind)(Arguments(arguments), input)
    }

    /// Properties of its results, from those of the values it was bound to.
    pub fn shape(&self, before: &Shape, bound: &BoundStep) -> Shape {
        // A place within what is itself rounded is told no finer than that.
        let kept = || bound.keeps?.scaled(before.scale?)?.of_what(before.keeps);
        Shape {
            kind: self.gives,
            order: before.order.then(bound.order),
            one_to_one: before.one_to_one && bound.one_to_one,
            distinct: match (before.distinct, bound.distinct) {
                (Some(before), Some(after)) => Some(before.min(after)),
                (before, after) => before.or(after),
            },
            width: bound.width,
            alphabet: bound.alphabet,
            by_position: bound.by_position.clone(),
            range: bound.range,
            offset: before.offset,
            unit: bound.unit,
            terminator: bound.terminator,
            prefix_free: bound.prefix_free,
            keeps: if bound.one_to_one { before.keeps } else { kept() },
            scale: bound.scale.and_then(|scale| scale.checked_mul(before.scale?)),
            null: bound.null,
        }
    }

    /// How it is written: `pad(width, with)`, optional arguments in brackets.
    pub fn signature(&self) -> String {
        let mut text = format!("{}(", self.name);
        for (index, parameter) in self.parameters.iter().enumerate() {
            text.push_str(if index >= self.required { "[" } else { "" });
            text.push_str(if index > 0 { ", " } else { "" });
            text.push_str(parameter.name());
            text.push_str(if index >= self.required { "]" } else { "" });
        }
        text + ")"
    }
}

/// Widest text or bytes a step can be asked for: a row key can't be longer.
pub(super) const MAX_WIDTH: i64 = crate::bytes::row::MAX_ROW_LENGTH as i64;

/// A parameter that is a number of bytes or characters.
pub(super) const fn width(name: &'static str) -> StepParameter {
    StepParameter::Number { name, least: 1, most: MAX_WIDTH }
}

/// Decimal digits.
pub(super) const DIGITS: Alphabet = Alphabet::of(b"0123456789");
