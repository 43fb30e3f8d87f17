//! Gives every value of a formula its type and properties.

use super::compose::{sequence, whole, with_fields};
use super::lookup::{Lookup, Lookups};
use super::meant;
use super::refused::{at, does_not_fit, located, unknown, unknown_source};
use super::scope::{CheckedValue, MAX_VALUES, Scope, field_shape};
use super::steps::{self, ArgumentValue, DEGREES, GEOHASH, INT64, SUM, Step, StepParameter, Z_ORDER};
use super::syntax::{
    Argument, Formula, FormulaCall, FormulaSpan, GivenArgument, Quoted, REST, Term, TermSource,
};
use super::typed::{Expression, NullableEnd, TypedFormula, TypedPart};
use crate::base::Problem;
use crate::base::limits::PROBLEMS;
use crate::bytes::strings::MOST_BYTES;
use crate::records::field::shape::{Order, Shape, decimal_width};
use crate::records::field::{Field, Kind};
use std::cell::Cell;
use std::sync::Arc;

/// A source beside fields and literals.
#[derive(Debug)]
pub struct CallSource {
    /// Name in a formula.
    pub name: &'static str,
    /// How it is written.
    pub signature: &'static str,
    /// The type of its parts.
    pub takes: &'static [Kind],
    /// The result type.
    pub gives: Kind,
}

/// Types that can be joined.
const JOINED: &[Kind] = &[Kind::Text, Kind::Integer, Kind::Bytes, Kind::Float, Kind::Decimal, Kind::Boolean];

/// The sources beside fields and literals.
pub static SOURCES: [CallSource; 7] = [
    CallSource { name: "join", signature: "join(separator, a, b, …)", takes: JOINED, gives: Kind::Text },
    CallSource { name: "bucket", signature: "bucket(a, b, …, n)", takes: JOINED, gives: Kind::Integer },
    CallSource { name: "sum", signature: "sum(a, b, …)", takes: &[Kind::Integer], gives: Kind::Integer },
    CallSource {
        name: "geohash",
        signature: "geohash(lat, lon, n)",
        takes: DEGREES.takes,
        gives: Kind::Text,
    },
    CallSource {
        name: "zOrder",
        signature: "zOrder(a, b, bits)",
        takes: &[Kind::Integer],
        gives: Kind::Bytes,
    },
    CallSource { name: "salt", signature: "salt(n[, seed])", takes: &[], gives: Kind::Integer },
    CallSource { name: REST, signature: REST, takes: &[], gives: Kind::Bytes },
];

/// Checks a formula against the declared fields, without sub-formulas and lookup tables.
///
/// # Errors
/// As [`Scope::check`].
pub fn check(formula: &Formula, fields: &[Field]) -> Result<TypedFormula, Vec<Problem>> {
    Scope::new(fields, Lookups::new()).check(formula)
}

impl Scope<'_> {
    /// Checks a formula.
    ///
    /// # Errors
    /// All that is wrong, each with its columns: unknown names and steps (with the nearest known name), steps that do
    /// not fit the value before them (with those that would), wrong arguments.
    pub fn check(&self, formula: &Formula) -> Result<TypedFormula, Vec<Problem>> {
        FormulaChecker::new(self).check(formula)
    }
}

/// A part of a formula as text or bytes.
pub(super) struct CheckedPart {
    pub value: CheckedValue,
    /// As it is written in the formula.
    pub text: String,
    span: FormulaSpan,
    uses_rest: bool,
}

pub(super) struct FormulaChecker<'a> {
    scope: &'a Scope<'a>,
    /// The parts that follow, the last first.
    after: Vec<CheckedValue>,
    /// Sources and steps that came by name.
    by_name: Cell<usize>,
}

impl<'a> FormulaChecker<'a> {
    pub fn new(scope: &'a Scope<'a>) -> Self {
        Self { scope, after: Vec::new(), by_name: Cell::new(0) }
    }

    pub fn check(mut self, formula: &Formula) -> Result<TypedFormula, Vec<Problem>> {
        let part = |CheckedPart { value: (expression, ..), text, span, uses_rest }| {
            let (shape, fields) = with_fields(&expression);
            let span = (span.start, span.end);
            TypedPart { expression, shape, span, fields, text, uses_rest, self_delimiting: false }
        };
        Ok(whole(self.written_parts(formula)?.into_iter().map(part).collect()))
    }

    /// The parts of a formula; those of a sub-formula of several stand for its name.
    pub fn written_parts(&mut self, formula: &Formula) -> Result<Vec<CheckedPart>, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut parts: Vec<CheckedPart> = Vec::new();
        // From the last to the first: `rest` is what stands behind it.
        for (index, term) in formula.parts.iter().enumerate().rev() {
            // Stop after more problems than a person reads.
            if problems.len() as u64 >= PROBLEMS.most {
                break;
            }
            let uses = term.uses_of_rest();
            let uses_rest = uses > 0;
            let refused = match uses {
                0 => None,
                _ if index + 1 == formula.parts.len() => Some("formula.rest-is-empty"),
                // Each use holds what follows: uses within uses would double it.
                _ if uses > 1 || parts.iter().any(|part| part.uses_rest) => Some("formula.rest-twice"),
                // Its inputs are unknown.
                _ if !problems.is_empty() => continue,
                _ => None,
            };
            let written = match refused {
                Some(code) => Err(at(term.span, Problem::new(code))),
                None => self.written_several(term),
            };
            match written {
                Ok(values) => {
                    for (value, text) in values.into_iter().rev() {
                        self.after.push(value.clone());
                        parts.push(CheckedPart { value, text, span: term.span, uses_rest });
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        parts.reverse();
        problems.reverse();
        if problems.is_empty() { Ok(parts) } else { Err(problems) }
    }

    fn written_several(&self, term: &Term) -> Result<Vec<(CheckedValue, String)>, Problem> {
        match self.scope.several(term) {
            Some(named) => {
                self.spend(named.size, term.span)?;
                Ok(named.parts.clone())
            }
            None => Ok(vec![(self.written(term)?, term.to_string())]),
        }
    }

    fn spend(&self, size: usize, span: FormulaSpan) -> Result<(), Problem> {
        self.by_name.set(self.by_name.get().saturating_add(size));
        match self.by_name.get() <= MAX_VALUES {
            true => self.scope.spend(size).map_err(|problem| at(span, problem)),
            false => Err(at(span, Problem::new("formula.names-too-much").with("limit", MAX_VALUES))),
        }
    }

    /// A term as text or bytes: numbers as plain decimal text; a time has to say how it is written.
    fn written(&self, term: &Term) -> Result<CheckedValue, Problem> {
        let (expression, kind, text) = self.term(term)?;
        match kind {
            Kind::Text | Kind::Bytes => Ok((expression, kind, text)),
            Kind::Time => Err(at(term.span, Problem::new("formula.time-needs-format").with("part", term))),
            Kind::Integer | Kind::Float | Kind::Decimal | Kind::Boolean => {
                let name = if kind == Kind::Integer { "decimal" } else { "string" };
                let as_text = FormulaCall { name: name.into(), arguments: Vec::new(), span: term.span };
                self.apply(expression, &as_text, kind, text)
            }
        }
    }

    /// The value of a term.
    pub fn term(&self, term: &Term) -> Result<CheckedValue, Problem> {
        let text = || term.source.to_string();
        let (mut expression, mut kind, mut text) = match &term.source {
            TermSource::Text(literal) => {
                (Expression::Literal(literal.clone().into_bytes()), Kind::Text, text())
            }
            TermSource::Bytes(bytes) => (Expression::Literal(bytes.clone()), Kind::Bytes, text()),
            TermSource::Field(name) => self.field(name, term)?,
            TermSource::Rest => together(self.after.iter().rev().cloned().collect()),
            TermSource::Call(call) => self.source(call)?,
        };
        bounded(&expression.shape(), term.source_span)?;
        for step in &term.steps {
            (expression, kind, text) = self.apply(expression, step, kind, text)?;
        }
        Ok((expression, kind, text))
    }

    /// A field, or the value of a sub-formula.
    fn field(&self, name: &str, term: &Term) -> Result<CheckedValue, Problem> {
        let Scope { fields, named, .. } = self.scope;
        if let Some((index, field)) = self.scope.field(name) {
            let shape = field_shape(field).map_err(|problem| at(term.source_span, problem))?;
            return Ok((Expression::Field { index, shape }, field.kind, term.source.to_string()));
        }
        let Some(named) = named.get(name) else {
            let known = fields.iter().map(|field| &field.name).chain(named.keys()).map(String::as_str);
            return Err(at(term.source_span, unknown_source(name, known)));
        };
        self.spend(named.size, term.source_span)?;
        Ok(match named.parts.as_slice() {
            [(value, _)] => value.clone(),
            several => together(several.iter().map(|(value, _)| value.clone()).collect()),
        })
    }

    /// `join(separator, a, b, …)`, `salt(n[, seed])`, or `bucket(a, b, …, n)`, which is
    /// `join('', a, b, …).javaHash().floorMod(n)`.
    fn source(&self, call: &FormulaCall) -> Result<CheckedValue, Problem> {
        let Some(CallSource { signature, .. }) = SOURCES.iter().find(|source| source.name == call.name)
        else {
            let names = SOURCES.iter().map(|source| source.name);
            return Err(at(
                call.span,
                unknown(["formula.unknown-source", "formula.unknown-source-near"], &call.name, names),
            ));
        };
        let wrong = || at(call.span, Problem::new("formula.source-arguments").with("signature", signature));
        match (call.name.as_str(), call.arguments.as_slice()) {
            ("salt", arguments) => {
                let numbers = arguments.iter().map(|argument| match argument.value {
                    GivenArgument::Number(number) => Ok(number),
                    _ => Err(wrong()),
                });
                let (buckets, seed) = match numbers.collect::<Result<Vec<i64>, _>>()?[..] {
                    [buckets] => (buckets, 0),
                    [buckets, seed] => (buckets, seed),
                    _ => return Err(wrong()),
                };
                if buckets < 1 {
                    let problem =
                        Problem::new("formula.argument-range").with("found", buckets).with("name", "n");
                    let problem =
                        problem.with("signature", signature).with("least", 1).with("most", i64::MAX);
                    return Err(at(call.span, problem));
                }
                let shape = Shape::salt(buckets);
                Ok((Expression::Salt { buckets, seed, shape }, Kind::Integer, call.to_string()))
            }
            ("join", [Argument { value: GivenArgument::Text(separator), .. }, parts @ ..])
                if !parts.is_empty() =>
            {
                Ok(joined(separator, self.all_written(parts)?))
            }
            ("bucket", [parts @ .., count @ Argument { value: GivenArgument::Number(_), .. }])
                if !parts.is_empty() =>
            {
                let (joined, _, text) = joined("", self.all_written(parts)?);
                let hash = FormulaCall { name: "javaHash".into(), arguments: Vec::new(), span: call.span };
                let modulo =
                    FormulaCall { name: "floorMod".into(), arguments: vec![count.clone()], span: call.span };
                let (hashed, kind, text) = self.apply(joined, &hash, Kind::Text, text)?;
                self.apply(hashed, &modulo, kind, text)
            }
            ("sum", parts) if !parts.is_empty() => self.sum(call, parts, wrong),
            ("geohash", [lat, lon, last]) => self.curve(call, (&DEGREES, &GEOHASH), [lat, lon], last),
            ("zOrder", [first, second, last]) => self.curve(call, (&INT64, &Z_ORDER), [first, second], last),
            _ => Err(wrong()),
        }
    }

    /// Two numbers in one: each in 8 bytes, one after the other, and then the step that puts their bits together.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn curve(
        &self,
        call: &FormulaCall,
        (written, step): (&'static Step, &'static Step),
        parts: [&Argument; 2],
        last: &Argument,
    ) -> Result<CheckedValue, Problem> {
        let number = |part: &Argument| {
            let GivenArgument::Term(term) = &part.value else {
                return Err(at(part.span, Problem::new("formula.curve-of-others").with("found", part)));
            };
            let (expression, kind, name) = self.term(term)?;
            if !written.takes.contains(&kind) {
                let problem = Problem::new("formula.curve-of-others").with("found", term);
                return Err(at(part.span, problem.with("kind", kind.name())));
            }
            // Equal texts are equal values: the bytes of a number are not the number.
            let text = format!("{name}.{}()", written.name);
            Ok((applied(expression, written, Vec::new(), kind, text)?, Kind::Bytes, name))
        };
        let [first, second] = parts;
        let (first, second) = (number(first)?, number(second)?);
        let GivenArgument::Number(last) = last.value else {
            let problem = Problem::new("formula.argument-kind").with("step", step.name);
            return Err(at(call.span, problem.with("signature", call).with("name", "n")));
        };
        let text = format!("{}({}, {}, {last})", step.name, first.2, second.2);
        let (input, ..) = joined("", vec![first, second]);
        let value = applied(input, step, vec![ArgumentValue::Number(last)], Kind::Bytes, text.clone());
        Ok((value.map_err(|problem| located(problem, call))?, step.gives, text))
    }

    /// The sum of numbers: each in 8 bytes, one after the other, and then the step that adds them.
    fn sum(
        &self,
        call: &FormulaCall,
        parts: &[Argument],
        wrong: impl Fn() -> Problem,
    ) -> Result<CheckedValue, Problem> {
        let mut addends = Vec::new();
        let mut range = (0i64, 0i64);
        let mut text = "sum(".to_owned();
        for part in parts {
            let (expression, (low, high), name) = match &part.value {
                GivenArgument::Number(number) => (
                    Expression::Literal(number.to_be_bytes().to_vec()),
                    (*number, *number),
                    number.to_string(),
                ),
                GivenArgument::Term(term) => {
                    let (expression, kind, name) = self.term(term)?;
                    if kind != Kind::Integer {
                        let other = Problem::new("formula.sum-of-others").with("found", term);
                        return Err(at(part.span, other.with("kind", kind.name())));
                    }
                    let range = expression.shape().range.unwrap_or((i64::MIN, i64::MAX));
                    let bytes = FormulaCall { name: "int64".into(), arguments: Vec::new(), span: call.span };
                    (self.apply(expression, &bytes, kind, name.clone())?.0, range, name)
                }
                GivenArgument::Text(_) => return Err(wrong()),
            };
            range = (range.0.saturating_add(low), range.1.saturating_add(high));
            text += if addends.is_empty() { "" } else { ", " };
            text += &name;
            addends.push((expression, Kind::Bytes, name));
        }
        text += ")";
        let (input, ..) = joined("", addends);
        let before = Shape { kind: Kind::Bytes, order: Order::None, one_to_one: false, ..input.shape() };
        let bound = SUM.bind(&[], &before)?;
        let range = Some(range);
        let shape = Shape { range, width: decimal_width(range), ..SUM.shape(&before, &bound) };
        let sum = Expression::Apply {
            input: Box::new(input),
            operation: bound.operation,
            inverse: None,
            shape,
            text: text.clone(),
            step: &SUM,
            arguments: Vec::new(),
        };
        Ok((sum, Kind::Integer, text))
    }

    fn all_written(&self, parts: &[Argument]) -> Result<Vec<CheckedValue>, Problem> {
        let literal = |part: &Argument, text: &str| {
            (Expression::Literal(text.as_bytes().to_vec()), Kind::Text, part.to_string())
        };
        let written = |part: &Argument| match &part.value {
            GivenArgument::Term(term) => self.written(term),
            GivenArgument::Text(text) => Ok(literal(part, text)),
            GivenArgument::Number(number) => Ok(literal(part, &number.to_string())),
        };
        parts.iter().map(written).collect()
    }

    /// A step applied to a value of this kind and canonical text.
    fn apply(
        &self,
        input: Expression,
        call: &FormulaCall,
        kind: Kind,
        text: String,
    ) -> Result<(Expression, Kind, String), Problem> {
        let step = steps::named(&call.name).ok_or_else(|| {
            let meant = meant::meant(&call.name, kind);
            let code = if meant.is_empty() { "formula.unknown-step" } else { "formula.unknown-step-near" };
            let problem = Problem::new(code).with("name", &call.name).with("nearest", meant.join(", "));
            at(call.span, problem.with("known", meant::known(kind)))
        })?;
        if !step.takes.contains(&kind) {
            return Err(at(call.span, does_not_fit(step, kind)));
        }
        let values = call.arguments.iter().enumerate().map(|(index, argument)| match &argument.value {
            GivenArgument::Number(number) => Ok(ArgumentValue::Number(*number)),
            GivenArgument::Text(name)
                if matches!(step.parameters.get(index), Some(StepParameter::Table { .. })) =>
            {
                self.table(name).map(ArgumentValue::Table).map_err(|problem| at(argument.span, problem))
            }
            GivenArgument::Text(text) => Ok(ArgumentValue::Text(text.clone())),
            GivenArgument::Term(term) => Err(at(
                argument.span,
                Problem::new("formula.argument-not-constant")
                    .with("found", term)
                    .with("signature", step.signature()),
            )),
        });
        let values: Vec<ArgumentValue> = values.collect::<Result<_, _>>()?;
        let text = format!("{text}.{call}");
        let value = applied(input, step, values, kind, text.clone());
        let value = value.map_err(|problem| located(problem, call))?;
        bounded(&value.shape(), call.span)?;
        Ok((value, step.gives, text))
    }

    /// The lookup table of that name.
    fn table(&self, name: &str) -> Result<Arc<Lookup>, Problem> {
        let lookups = &self.scope.lookups;
        let codes = ["formula.unknown-lookup", "formula.unknown-lookup-near"];
        let known = lookups.keys().map(String::as_str);
        lookups.get(name).cloned().ok_or_else(|| unknown(codes, name, known))
    }
}

/// A value with a step applied to it, of this canonical text.
fn applied(
    input: Expression,
    step: &'static Step,
    arguments: Vec<ArgumentValue>,
    kind: Kind,
    text: String,
) -> Result<Expression, Problem> {
    let before = Shape { kind, ..input.shape() };
    let bound = step.bind(&arguments, &before)?;
    let shape = step.shape(&before, &bound);
    let (operation, inverse) = (bound.operation, bound.inverse);
    Ok(Expression::Apply { input: Box::new(input), operation, inverse, shape, text, step, arguments })
}

/// Refuses what is wider in every record than a value may be.
fn bounded(shape: &Shape, span: FormulaSpan) -> Result<(), Problem> {
    match shape.width.min {
        least if least > MOST_BYTES as u64 => Err(at(
            span,
            Problem::new("formula.value-too-wide").with("width", least).with("most", MOST_BYTES),
        )),
        _ => Ok(()),
    }
}

/// Values one after the other: text when all of them are.
fn together(values: Vec<CheckedValue>) -> CheckedValue {
    let texts = values.iter().all(|(_, kind, _)| *kind == Kind::Text);
    let (joined, _, text) = joined("", values);
    let is_text = texts || joined.shape().alphabet.is_ascii();
    (joined, if is_text { Kind::Text } else { Kind::Bytes }, text)
}

/// Values one after the other with the separator between them.
fn joined(separator: &str, parts: Vec<CheckedValue>) -> CheckedValue {
    let mut text = format!("join({}", Quoted(separator));
    let mut shapes = Vec::new();
    for (part, _, name) in &parts {
        text += ", ";
        text += name;
        if !shapes.is_empty() && !separator.is_empty() {
            shapes.push((Shape::literal(separator.as_bytes()), Vec::new()));
        }
        shapes.push(with_fields(part));
    }
    let shape = Shape { kind: Kind::Text, ..sequence(&shapes) };
    let nullable_end = match separator {
        "" => NullableEnd::of(shapes.iter().map(|(shape, _)| shape)),
        _ => NullableEnd::default(),
    };
    let parts = parts.into_iter().map(|(part, ..)| part).collect();
    let separator = separator.as_bytes().to_vec();
    (Expression::Join { separator, parts, nullable_end, shape }, Kind::Text, text + ")")
}
