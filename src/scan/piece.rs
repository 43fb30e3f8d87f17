//! The parts of a key as the planner walks them: joined values one by one, with what stands between.

use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Shape;
use std::borrow::Cow;

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
pub(super) fn pieces(typed: &TypedFormula) -> Vec<KeyPiece<'_>> {
    let mut pieces = Vec::new();
    for (index, part) in typed.parts.iter().enumerate() {
        append(&part.expression, index, &mut pieces);
    }
    pieces
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
