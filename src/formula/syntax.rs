//! The formula as written: parts, sources, steps and their arguments, each with its columns.

use std::fmt;

/// Columns in the formula, counted in characters from 1; the end is exclusive. Spans take no part in equality:
/// two formulas are equal when they say the same.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct FormulaSpan {
    /// First column.
    pub start: usize,
    /// Column after the last.
    pub end: usize,
}

impl PartialEq for FormulaSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A row key formula: its parts are written one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// At least one.
    pub parts: Vec<Term>,
}

/// A source with the steps applied to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Where the value comes from.
    pub source: TermSource,
    /// Columns of the source.
    pub source_span: FormulaSpan,
    /// The steps applied to it, in order.
    pub steps: Vec<FormulaCall>,
    /// Columns of the whole.
    pub span: FormulaSpan,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermSource {
    /// A field by name.
    Field(String),
    /// Text as it is: `'a'`.
    Text(String),
    /// Bytes as they are: `x'00ff'`.
    Bytes(Vec<u8>),
    /// All bytes of the parts that follow: `rest`.
    Rest,
    /// `join(…)`, `bucket(…)` or `salt(…)`.
    Call(FormulaCall),
}

/// A name with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaCall {
    /// Name of the step or source.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Columns of the call, without the dot before it.
    pub span: FormulaSpan,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The given value.
    pub value: GivenArgument,
    /// Its columns.
    pub span: FormulaSpan,
}

/// The given argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenArgument {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// A value: a source with steps.
    Term(Term),
}

impl Term {
    /// How often it names the bytes that follow.
    pub fn uses_of_rest(&self) -> usize {
        let of = |argument: &Argument| match &argument.value {
            GivenArgument::Term(term) => term.uses_of_rest(),
            GivenArgument::Number(_) | GivenArgument::Text(_) => 0,
        };
        match &self.source {
            TermSource::Rest => 1,
            TermSource::Call(call) => call.arguments.iter().map(of).sum(),
            TermSource::Field(_) | TermSource::Text(_) | TermSource::Bytes(_) => 0,
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        separated(f, &self.parts, " + ")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        self.steps.iter().try_for_each(|step| write!(f, ".{step}"))
    }
}

impl fmt::Display for TermSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(&name_in_formula(name)),
            Self::Text(text) => write!(f, "{}", Quoted(text)),
            Self::Bytes(bytes) => {
                f.write_str("x'")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("'")
            }
            Self::Rest => f.write_str(REST),
            Self::Call(call) => write!(f, "{call}"),
        }
    }
}

impl fmt::Display for FormulaCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        separated(f, &self.arguments, ", ")?;
        f.write_str(")")
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            GivenArgument::Number(number) => write!(f, "{number}"),
            GivenArgument::Text(text) => write!(f, "{}", Quoted(text)),
            GivenArgument::Term(term) => write!(f, "{term}"),
        }
    }
}

/// A text as it is written in a formula.
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0.replace('\'', "''"))
    }
}

fn separated<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T], separator: &str) -> fmt::Result {
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| write!(f, "{}{item}", if index > 0 { separator } else { "" }))
}

/// The source that is all bytes of the parts that follow.
pub const REST: &str = "rest";

/// True if a field name can be written without backticks.
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(begins_name) && name.chars().all(continues_name) && name != REST
}

/// A field name as a formula writes it: in backticks where it is not plain, with a backtick inside doubled.
pub fn name_in_formula(name: &str) -> String {
    if is_plain_name(name) { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// A text as a formula writes it: in quotes, with a quote inside doubled.
pub fn text_in_formula(text: &str) -> String {
    Quoted(text).to_string()
}

pub(super) fn begins_name(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

pub(super) fn continues_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
