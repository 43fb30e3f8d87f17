//! Parts of the formula that code amounts to.

use crate::formula::steps::SUM as SUM_STEP;
use crate::formula::syntax::{Argument, FormulaCall, FormulaSpan, GivenArgument, Term, TermSource};

/// Parts whose texts or bytes stand one behind the other.
pub(super) type Terms = Vec<Term>;

fn source(source: TermSource) -> Term {
    let span = FormulaSpan::default();
    Term { source, source_span: span, steps: Vec::new(), span }
}

fn argument(value: GivenArgument) -> Argument {
    Argument { value, span: FormulaSpan::default() }
}

fn call(name: &str, arguments: Vec<Argument>) -> FormulaCall {
    FormulaCall { name: name.to_owned(), arguments, span: FormulaSpan::default() }
}

pub(super) fn number(number: i64) -> GivenArgument {
    GivenArgument::Number(number)
}

pub(super) fn field(name: &str) -> Term {
    source(TermSource::Field(name.to_owned()))
}

pub(super) fn text(text: &str) -> Terms {
    if text.is_empty() { Vec::new() } else { vec![source(TermSource::Text(text.to_owned()))] }
}

pub(super) fn bytes(bytes: Vec<u8>) -> Terms {
    if bytes.is_empty() { Vec::new() } else { vec![source(TermSource::Bytes(bytes))] }
}

/// A random number below `buckets`.
pub(super) fn salt(buckets: i64) -> Term {
    source(TermSource::Call(call("salt", vec![argument(number(buckets))])))
}

pub(super) fn sum(terms: [Term; 2]) -> Term {
    let given = terms.into_iter().map(|term| argument(GivenArgument::Term(term))).collect();
    source(TermSource::Call(call(SUM_STEP.name, given)))
}

/// A value with one more step.
pub(super) fn step(mut term: Term, name: &str, given: impl IntoIterator<Item = GivenArgument>) -> Term {
    term.steps.push(call(name, given.into_iter().map(argument).collect()));
    term
}

/// All terms as one value.
pub(super) fn joined(mut terms: Terms) -> Term {
    if terms.len() == 1
        && let Some(term) = terms.pop()
    {
        return term;
    }
    let separator = argument(GivenArgument::Text(String::new()));
    let terms = terms.into_iter().map(|term| argument(GivenArgument::Term(term)));
    source(TermSource::Call(call("join", std::iter::once(separator).chain(terms).collect())))
}

/// Adds terms behind others; literals that meet become one.
pub(super) fn push(terms: &mut Terms, more: Terms) {
    for term in more {
        match terms.last_mut().filter(|last| last.steps.is_empty() && term.steps.is_empty()) {
            Some(Term { source: TermSource::Text(text), .. })
                if matches!(term.source, TermSource::Text(_)) =>
            {
                if let TermSource::Text(more) = term.source {
                    text.push_str(&more);
                }
            }
            Some(Term { source: TermSource::Bytes(bytes), .. })
                if matches!(term.source, TermSource::Bytes(_)) =>
            {
                if let TermSource::Bytes(more) = term.source {
                    bytes.extend(more);
                }
            }
            _ => terms.push(term),
        }
    }
}

/// The literal text that terms are, if they are one.
pub(super) fn literal(terms: &Terms) -> Option<&str> {
    match terms.as_slice() {
        [] => Some(""),
        [Term { source: TermSource::Text(text), steps, .. }] if steps.is_empty() => Some(text),
        _ => None,
    }
}

/// The number that is the first argument of a step.
fn first_number(step: &FormulaCall) -> Option<i64> {
    match step.arguments.first()?.value {
        GivenArgument::Number(number) => Some(number),
        _ => None,
    }
}

/// Bytes of a digest.
pub(super) fn digest_width(step: &str) -> Option<i64> {
    match step {
        "md5" => Some(16),
        "sha1" => Some(20),
        "sha256" => Some(32),
        _ => None,
    }
}

/// Bytes of a value that always has as many; characters of a text of ASCII.
pub(super) fn width(term: &Term) -> Option<i64> {
    let Some(last) = term.steps.last() else {
        return match &term.source {
            TermSource::Text(text) if text.is_ascii() => Some(text.len() as i64),
            TermSource::Bytes(bytes) => Some(bytes.len() as i64),
            _ => None,
        };
    };
    let before = term.steps.iter().rev().nth(1).map_or("", |step| &step.name);
    match last.name.as_str() {
        "hex" | "HEX" => first_number(last).or(digest_width(before).map(|width| 2 * width)),
        "decimal" | "pad" | "raw" => first_number(last),
        "int64" | "float64" => Some(8),
        "int32" | "float32" | "uint32" => Some(4),
        "int16" | "uint16" => Some(2),
        "int8" | "uint8" | "boolean" => Some(1),
        name => digest_width(name),
    }
}

/// Bytes of terms that always have as many.
pub(super) fn width_of(terms: &Terms) -> Option<i64> {
    terms.iter().try_fold(0i64, |sum, term| sum.checked_add(width(term)?))
}

/// The first so many characters or bytes of a digest written in hex or as it is; `None` of anything else.
pub(super) fn shortened(term: &Term, length: i64) -> Option<Term> {
    let whole = width(term)?;
    let mut term = term.clone();
    let before = term.steps.iter().rev().nth(1).map_or("", |step| &step.name).to_owned();
    let last = term.steps.last_mut()?;
    let fits = (1..=whole).contains(&length);
    let is_hex = matches!(last.name.as_str(), "hex" | "HEX") && digest_width(&before).is_some();
    if fits && is_hex {
        last.arguments = vec![argument(number(length))];
        return Some(term);
    }
    (fits && digest_width(&last.name).is_some()).then(|| step(term, "raw", [number(length)]))
}
