//! The formula of a row key builder in Java or Scala.
//!
//! Code is parsed, run on symbols in place of values, and the bytes it would give are written as a formula. Types decide:
//! `Bytes.toBytes` of an `int` has four bytes, of a `long` eight; `%` of a hash is negative half of the time; `a + b` joins texts
//! and adds numbers. Code that is not surely understood is not translated, and the result says which piece that is.

mod arrays;
mod calls;
mod java_type;
mod lexer;
mod numbers;
mod parse;
mod pattern;
mod run;
mod syntax;
mod terms;
mod unread;
mod value;
mod variables;

use super::Formula;
use super::check;
use crate::base::Problem;
use crate::records::field::Field;
pub use unread::Assumption;

use lexer::tokens;
use serde::Serialize;
use unread::{CodeSpan, Unread};

/// Longest code that is read, in bytes.
const MOST_CODE: usize = 1 << 16;

/// The formula of a row key builder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeFormula {
    /// The formula that gives the same bytes.
    pub formula: String,
    /// Facts that the code does not state and the formula rests on.
    pub assumed: Vec<Assumption>,
}

/// Most bytes of a piece that is shown.
const SHOWN: usize = 120;

/// The formula that gives the bytes of a Java or Scala expression, of statements or of methods, for records of these fields.
///
/// # Errors
/// The first piece that is not surely understood, with its line, and why.
pub fn read(code: &str, fields: &[Field]) -> Result<CodeFormula, Problem> {
    let mut assumed = Vec::new();
    match formula_of(code, fields, &mut assumed) {
        Ok(formula) => Ok(CodeFormula { formula: formula.to_string(), assumed }),
        Err(unread) => Err(problem(code, unread)),
    }
}

fn formula_of(code: &str, fields: &[Field], assumed: &mut Vec<Assumption>) -> Result<Formula, Unread> {
    let whole = CodeSpan { start: 0, end: code.len() };
    if code.len() > MOST_CODE {
        return Err(Unread::because(whole, "code.too-long"));
    }
    let program = parse::program(&tokens(code)?)?;
    let formula = run::run(&program, fields, assumed)?;
    match check(&formula, fields) {
        Ok(_) => Ok(formula),
        Err(_) => Err(Unread::because(whole, "code.no-formula")),
    }
}

/// A piece that was not understood, as it is shown.
fn problem(code: &str, Unread { span, code: why }: Unread) -> Problem {
    let start = boundary(code, span.start);
    let end = boundary(code, span.end.clamp(start, start + SHOWN));
    let piece = code.get(start..end).unwrap_or_default().trim();
    let cut = if span.end > end { "…" } else { "" };
    let line = 1 + code.get(..start).unwrap_or_default().matches('\n').count();
    Problem::new(why).with("found", format!("{piece}{cut}")).with("line", line)
}

/// The boundary of a character at this byte, or the nearest before it.
fn boundary(code: &str, at: usize) -> usize {
    (0..=at.min(code.len())).rev().find(|&at| code.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests;
