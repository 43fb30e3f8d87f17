//! Gives every value of a formula its type and properties.

use super::compose::{sequence, whole, with_fields};
use super::nearest::nearest;
use super::properties::{Alphabet, Order, Shape, Width, decimal_width};
use super::steps::{self, STEPS, Step, Value};
use super::syntax::{Argument, Call, Formula, Given, Source, Span, Term};
use super::typed::{Expression, Part, Typed};
use crate::error::Problem;
use crate::field::time::{DAY, TimeFormat};
use crate::field::{Field, Kind};

/// A source that takes arguments.
#[derive(Debug)]
pub struct CallSource {
    /// Name in a formula.
    pub name: &'static str,
    /// How it is written.
    pub signature: &'static str,
    /// What it takes as its parts.
    pub takes: &'static [Kind],
    /// What it gives.
    pub gives: Kind,
}

/// What can be joined.
const JOINED: &[Kind] = &[Kind::Text, Kind::Integer, Kind::Bytes];

/// The sources that take arguments.
pub static SOURCES: [CallSource; 2] = [
    CallSource { name: "join", signature: "join(separator, a, b, …)", takes: JOINED, gives: Kind::Text },
    CallSource { name: "bucket", signature: "bucket(a, b, …, n)", takes: JOINED, gives: Kind::Integer },
];

/// Checks a formula against the declared fields.
///
/// # Errors
/// All that is wrong, each with its columns: unknown fields and steps (with the nearest known name), steps that do
/// not fit the value before them (with those that would), wrong arguments.
pub fn check(formula: &Formula, fields: &[Field]) -> Result<Typed, Vec<Problem>> {
    let checker = Checker { fields };
    let mut problems = Vec::new();
    let mut parts = Vec::new();
    for term in &formula.parts {
        match checker.written(term) {
            Ok(expression) => {
                let (shape, fields) = with_fields(&expression);
                let span = (term.span.start, term.span.end);
                let text = term.to_string();
                parts.push(Part { expression, shape, span, fields, text, self_delimiting: false });
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(whole(parts)) } else { Err(problems) }
}

struct Checker<'a> {
    fields: &'a [Field],
}

fn at(span: Span, problem: Problem) -> Problem {
    problem.at_columns(span.start, span.end)
}

impl Checker<'_> {
    /// A term as text or bytes: numbers as plain decimal text; a time has to say how it is written.
    fn written(&self, term: &Term) -> Result<Expression, Problem> {
        let (expression, kind, text) = self.term(term)?;
        match kind {
            Kind::Text | Kind::Bytes => Ok(expression),
            Kind::Time => Err(at(term.span, Problem::new("formula.time-needs-format").with("part", term))),
            Kind::Integer => {
                let decimal = Call { name: "decimal".into(), arguments: Vec::new(), span: term.span };
                Ok(self.apply(expression, &decimal, kind, text)?.0)
            }
        }
    }

    /// The value of a term, its kind and its canonical text.
    fn term(&self, term: &Term) -> Result<(Expression, Kind, String), Problem> {
        let (mut expression, mut kind) = match &term.source {
            Source::Text(text) => (Expression::Literal(text.clone().into_bytes()), Kind::Text),
            Source::Bytes(bytes) => (Expression::Literal(bytes.clone()), Kind::Bytes),
            Source::Field(name) => self.field(name).map_err(|problem| at(term.source_span, problem))?,
            Source::Call(call) => self.source(call)?,
        };
        let mut text = match &term.source {
            // A bucket is short for the steps it stands for, and shares their values.
            Source::Call(call) if call.name == "bucket" => match &expression {
                Expression::Apply { text, .. } => text.clone(),
                _ => term.source.to_string(),
            },
            source => source.to_string(),
        };
        for step in &term.steps {
            (expression, kind, text) = self.apply(expression, step, kind, text)?;
        }
        Ok((expression, kind, text))
    }

    fn field(&self, name: &str) -> Result<(Expression, Kind), Problem> {
        let found = self.fields.iter().enumerate().find(|(_, field)| field.name == name);
        let (index, field) = found.ok_or_else(|| unknown_field(name, self.fields))?;
        Ok((Expression::Field { index, shape: field_shape(field)? }, field.kind))
    }

    /// `join(separator, a, b, …)` or `bucket(a, b, …, n)`, which is `join('', a, b, …).javaHash().floorMod(n)`.
    fn source(&self, call: &Call) -> Result<(Expression, Kind), Problem> {
        let Some(CallSource { signature, .. }) = SOURCES.iter().find(|source| source.name == call.name)
        else {
            let names = SOURCES.iter().map(|source| source.name);
            return Err(at(
                call.span,
                unknown(["formula.unknown-source", "formula.unknown-source-near"], &call.name, names),
            ));
        };
        let wrong = || at(call.span, Problem::new("formula.source-arguments").with("signature", signature));
        if call.name == "join" {
            let (separator, parts) = call.arguments.split_first().ok_or_else(wrong)?;
            let Given::Text(separator) = &separator.value else { return Err(wrong()) };
            return Ok((self.join(separator, parts, wrong)?, Kind::Text));
        }
        let (count, parts) = call.arguments.split_last().ok_or_else(wrong)?;
        let Given::Number(_) = count.value else { return Err(wrong()) };
        let joined = self.join("", parts, wrong)?;
        let text =
            format!("join('', {})", parts.iter().map(Argument::to_string).collect::<Vec<_>>().join(", "));
        let hash = Call { name: "javaHash".into(), arguments: Vec::new(), span: call.span };
        let modulo = Call { name: "floorMod".into(), arguments: vec![count.clone()], span: call.span };
        let (hashed, kind, text) = self.apply(joined, &hash, Kind::Text, text)?;
        let (bucket, kind, _) = self.apply(hashed, &modulo, kind, text)?;
        Ok((bucket, kind))
    }

    fn join(
        &self,
        separator: &str,
        parts: &[Argument],
        wrong: impl Fn() -> Problem,
    ) -> Result<Expression, Problem> {
        if parts.is_empty() {
            return Err(wrong());
        }
        let written = |part: &Argument| match &part.value {
            Given::Term(term) => self.written(term),
            Given::Text(text) => Ok(Expression::Literal(text.clone().into_bytes())),
            Given::Number(number) => Ok(Expression::Literal(number.to_string().into_bytes())),
        };
        let parts: Vec<Expression> = parts.iter().map(written).collect::<Result<_, _>>()?;
        let mut shapes: Vec<(Shape, Vec<usize>)> = Vec::new();
        for part in &parts {
            if !shapes.is_empty() && !separator.is_empty() {
                shapes.push((Shape::literal(separator.as_bytes()), Vec::new()));
            }
            shapes.push(with_fields(part));
        }
        let shape = Shape { kind: Kind::Text, ..sequence(&shapes) };
        Ok(Expression::Join { separator: separator.as_bytes().to_vec(), parts, shape })
    }

    /// A step applied to a value of this kind and canonical text.
    fn apply(
        &self,
        input: Expression,
        call: &Call,
        kind: Kind,
        text: String,
    ) -> Result<(Expression, Kind, String), Problem> {
        let step = steps::named(&call.name).ok_or_else(|| {
            let codes = ["formula.unknown-step", "formula.unknown-step-near"];
            at(call.span, unknown(codes, &call.name, STEPS.iter().map(|step| step.name)))
        })?;
        if !step.takes.contains(&kind) {
            return Err(at(call.span, does_not_fit(step, kind)));
        }
        let values = call.arguments.iter().map(|argument| match &argument.value {
            Given::Number(number) => Ok(Value::Number(*number)),
            Given::Text(text) => Ok(Value::Text(text.clone())),
            Given::Term(term) => Err(at(
                argument.span,
                Problem::new("formula.argument-not-constant")
                    .with("found", term)
                    .with("signature", step.signature()),
            )),
        });
        let values: Vec<Value> = values.collect::<Result<_, _>>()?;
        let before = Shape { kind, ..input.shape() };
        let bound = step.bind(&values, &before).map_err(|problem| located(problem, call))?;
        let shape = Shape {
            kind: step.gives,
            order: before.order.then(bound.order),
            one_to_one: before.one_to_one && bound.one_to_one,
            distinct: match (before.distinct, bound.distinct) {
                (Some(before), Some(after)) => Some(before.min(after)),
                (before, after) => before.or(after),
            },
            width: bound.width,
            alphabet: bound.alphabet,
            by_position: bound.by_position,
            range: bound.range,
            offset: before.offset,
            unit: bound.unit,
            terminator: bound.terminator,
        };
        let text = format!("{text}.{call}");
        let applied = Expression::Apply {
            input: Box::new(input),
            operation: bound.operation,
            shape,
            text: text.clone(),
        };
        Ok((applied, step.gives, text))
    }
}

/// A name that is no field, with the field it most likely means.
pub(crate) fn unknown_field(name: &str, fields: &[Field]) -> Problem {
    let known = fields.iter().map(|field| field.name.as_str());
    unknown(["formula.unknown-field", "formula.unknown-field-near"], name, known)
}

/// An unknown name: the second code when a known one is near it.
fn unknown<'a>(
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
fn located(problem: Problem, call: &Call) -> Problem {
    let text = call.arguments.iter().find(|argument| matches!(argument.value, Given::Text(_)));
    match (problem.place.column, problem.place.end, text) {
        (Some(column), Some(end), Some(argument)) => {
            let first = argument.span.start;
            let last = argument.span.end;
            problem.at_columns((first + column).min(last), (first + end).min(last))
        }
        _ => at(call.span, problem),
    }
}

fn does_not_fit(step: &Step, kind: Kind) -> Problem {
    let fitting = STEPS.iter().filter(|step| step.takes.contains(&kind)).map(|step| step.name);
    let takes = step.takes.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
    Problem::new("formula.step-does-not-fit")
        .with("step", step.name)
        .with("kind", kind.name())
        .with("takes", takes)
        .with("fitting", fitting.collect::<Vec<_>>().join(", "))
}

/// What is known of a field before any step.
fn field_shape(field: &Field) -> Result<Shape, Problem> {
    let times = match (field.kind, &field.format) {
        (Kind::Time, Some(format)) => Some(TimeFormat::parse(format, field.zone.as_deref())?),
        (Kind::Time, None) => return Err(Problem::new("field.time-without-format").at_field(&field.name)),
        _ => None,
    };
    let range = times.as_ref().map(TimeFormat::range);
    Ok(Shape {
        kind: field.kind,
        order: Order::Strict,
        one_to_one: true,
        distinct: None,
        width: match field.kind {
            Kind::Text | Kind::Bytes => Width::UNBOUNDED,
            Kind::Integer | Kind::Time => decimal_width(range),
        },
        alphabet: if field.kind == Kind::Text { Alphabet::UTF8 } else { Alphabet::ALL },
        by_position: Vec::new(),
        range,
        offset: times.as_ref().map_or(0, TimeFormat::offset),
        unit: times.as_ref().map_or(1, |format| format.resolution().min(DAY)),
        terminator: None,
    })
}
