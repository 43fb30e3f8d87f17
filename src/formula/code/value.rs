//! Values while code is run: what they are, in place of what they hold.

use super::java_type::JavaType;
use super::terms::Terms;
use crate::formula::syntax::Term;

/// A value of code.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(Terms),
    Bytes(Terms),
    Number(Number),
    /// A character of the code.
    Char(char),
    /// A character of a text.
    CharOf(Term),
    Boolean(Term),
    /// A float, and whether it has 32 bits.
    Real(Term, bool),
    Decimal(Term),
    /// A date, and the zone that it is to be written in where the code says so.
    Time(Term, Option<String>),
    /// A field whose type in the code is not stated.
    Field(usize, String),
    Builder(Terms),
    Stream(Terms),
    /// A digest under way: its step, and what it was fed.
    Digest(&'static str, Terms),
    /// A hash function of HBase or Guava: its step, and its seed where it has one.
    Hasher(&'static str, Option<i64>),
    /// A hash code of Guava.
    HashCode(Term),
    /// One of 32 bits, whose text is another than that of its number.
    ShortHashCode(Term),
    /// A writer of times: its pattern, its zone, and whether it is a `SimpleDateFormat`.
    Formatter(Pattern),
    /// A buffer of so many bytes.
    Buffer(Length, Terms),
    /// An array of so many zero bytes in which some are written: where, and what.
    Array(i64, Vec<(i64, Terms)>),
    ByteArrays(Vec<Terms>),
    Strings(Vec<Terms>),
    Length(Length),
    Random,
    /// The bytes of a digest as a number that is written in hex.
    Magnitude(Term),
    /// A class, a package, or an object of which nothing is known.
    Unknown(String),
    Nothing,
}

/// A pattern of times.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub text: String,
    pub zone: Option<String>,
    /// True for `SimpleDateFormat`, whose `S` writes milliseconds, not a fraction.
    pub is_simple: bool,
}

/// A number of bytes: a constant, and the lengths of these.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Length {
    pub fixed: i64,
    pub of: Vec<Term>,
}

/// A whole number.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// `None` for a constant, which is both least and greatest.
    pub term: Option<Term>,
    pub of: JavaType,
    pub low: i128,
    pub high: i128,
    /// True for values of fields, of which the code says no more than their type.
    pub is_of_field: bool,
    /// True if a cast keeps it only where it fits.
    pub is_cast: bool,
}

impl Number {
    pub fn constant(number: i128, of: JavaType) -> Self {
        Self { term: None, of, low: number, high: number, is_of_field: false, is_cast: false }
    }

    /// Any number of its type.
    pub fn of_field(term: Term, of: JavaType) -> Self {
        let (low, high) = of.range().unwrap_or((0, 0));
        Self { term: Some(term), of, low, high, is_of_field: true, is_cast: false }
    }

    /// A number between these.
    pub fn within(term: Term, of: JavaType, (low, high): (i128, i128)) -> Self {
        Self { term: Some(term), of, low, high, is_of_field: false, is_cast: false }
    }

    /// The constant that it is.
    pub fn known(&self) -> Option<i64> {
        if self.term.is_none() { i64::try_from(self.low).ok() } else { None }
    }
}
