//! The parts of a key as the planner walks them: joined values one by one, with what stands between.

use crate::formula::typed::{Expression, NullableEnd, TypedFormula};
use crate::records::field::shape::Shape;
use std::borrow::Cow;
use std::ops::Deref;

/// A value written after the ones before it.
pub(super) struct KeyPiece<'a> {
    pub expression: Cow<'a, Expression>,
    pub shape: Shape,
    /// The fields it is made of, each once.
    pub fields: Vec<usize>,
    /// Index of the part it belongs to.
    pub part: usize,
}

impl<'a> KeyPiece<'a> {
    fn new(expression: Cow<'a, Expression>, part: usize) -> Self {
        let mut fields = Vec::new();
        expression.fields(&mut fields);
        crate::bytes::sort::sort(&mut fields);
        fields.dedup();
        Self { shape: expression.shape(), expression, fields, part }
    }

    /// The same bytes in every key.
    pub fn is_literal(&self) -> bool {
        matches!(*self.expression, Expression::Literal(_))
    }

    /// True if its end can be told by itself, whatever follows.
    pub fn ends_itself(&self) -> bool {
        self.shape.width.exact().is_some() || self.shape.terminator.is_some()
    }
}

/// The pieces of a key, in order.
pub(super) struct KeyPieces<'a> {
    all: Vec<KeyPiece<'a>>,
    /// The columns at the end that may be NULL.
    pub nullable_end: NullableEnd,
}

impl KeyPieces<'_> {
    /// The number of pieces before those that a key may lack.
    pub fn before_nullable_end(&self) -> usize {
        self.all.len().saturating_sub(self.nullable_end.parts)
    }
}

impl<'a> Deref for KeyPieces<'a> {
    type Target = [KeyPiece<'a>];

    fn deref(&self) -> &[KeyPiece<'a>] {
        &self.all
    }
}

/// The pieces of a key.
pub(super) fn pieces(typed: &TypedFormula) -> KeyPieces<'_> {
    let mut all = Vec::new();
    for (index, part) in typed.parts.iter().enumerate() {
        append(&part.expression, index, &mut all);
    }
    KeyPieces { all, nullable_end: typed.nullable_end }
}

fn append<'a>(expression: &'a Expression, part: usize, pieces: &mut Vec<KeyPiece<'a>>) {
    let Expression::Join { separator, parts, .. } = expression else {
        pieces.push(KeyPiece::new(Cow::Borrowed(expression), part));
        return;
    };
    for (index, joined) in parts.iter().enumerate() {
        if index > 0 && !separator.is_empty() {
            pieces.push(KeyPiece::new(Cow::Owned(Expression::Literal(separator.clone())), part));
        }
        append(joined, part, pieces);
    }
}
