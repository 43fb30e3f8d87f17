//! Pieces of code that are not understood, and facts that code does not state.

use crate::base::map::Map;
use crate::base::sentences::render;
use serde::Serialize;

/// A fact that code does not state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// The variable or field that it is about.
    pub name: String,
    /// The code of its sentence.
    pub code: &'static str,
    /// The sentence in English.
    pub message: String,
}

impl Assumption {
    pub(super) fn new(name: &str, code: &'static str) -> Self {
        let mut args = Map::new();
        args.insert("name", name.to_owned());
        Self { name: name.to_owned(), code, message: render(code, &args) }
    }
}

/// Bytes of the code, from and to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeSpan {
    pub start: usize,
    pub end: usize,
}

impl CodeSpan {
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Why a piece was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unread {
    pub span: CodeSpan,
    pub code: &'static str,
}

impl Unread {
    /// Not known.
    pub const fn new(span: CodeSpan) -> Self {
        Self { span, code: "code.unknown" }
    }

    /// Known, but formulas can't say it, or not for all values.
    pub const fn because(span: CodeSpan, code: &'static str) -> Self {
        Self { span, code }
    }
}
