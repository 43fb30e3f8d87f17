//! What is known of several values written one after the other.

use super::properties::{Alphabet, Order, Shape, Width};
use super::typed::{Expression, Part, Typed};
use crate::field::Kind;

impl Shape {
    /// The shape of the same bytes every time.
    pub fn literal(bytes: &[u8]) -> Self {
        Self {
            kind: Kind::Bytes,
            order: Order::None,
            one_to_one: false,
            distinct: Some(1),
            width: Width::fixed(bytes.len() as u64),
            alphabet: Alphabet::of(bytes),
            by_position: bytes.iter().map(|&byte| Alphabet::of(&[byte])).collect(),
            range: None,
            offset: 0,
        }
    }

    /// Bytes that can stand at the beginning; `None` when the value may be empty.
    fn first(&self) -> Option<Alphabet> {
        (self.width.min > 0).then(|| self.by_position.first().copied().unwrap_or(self.alphabet))
    }

    /// Whether the end of the value can be told when `next` follows: its width never varies, or what follows
    /// begins with a byte that does not occur in it.
    pub fn ends_itself_before(&self, next: Option<&Self>) -> bool {
        let Some(next) = next else { return true };
        self.width.exact().is_some()
            || next.first().is_some_and(|first| first.bytes().all(|byte| !self.alphabet.contains(byte)))
    }
}

/// The shape of values written one after the other, `fields` of each.
pub(super) fn sequence(shapes: &[(Shape, Vec<usize>)]) -> Shape {
    let width = shapes.iter().fold(Width::fixed(0), |sum, (shape, _)| Width {
        min: sum.min.saturating_add(shape.width.min),
        max: sum.max.zip(shape.width.max).map(|(sum, max)| sum.saturating_add(max)),
    });
    let alphabet = shapes.iter().fold(Alphabet::NONE, |all, (shape, _)| all.union(shape.alphabet));
    let mut by_position = Vec::new();
    for (shape, _) in shapes {
        by_position.extend_from_slice(&shape.by_position);
        if shape.width.exact() != Some(shape.by_position.len() as u64) {
            break;
        }
    }
    let followers = shapes.iter().skip(1).map(|(shape, _)| Some(shape)).chain([None]);
    let readable = shapes.iter().zip(followers).all(|((shape, _), next)| shape.ends_itself_before(next));
    let mut fields: Vec<usize> = shapes.iter().flat_map(|(_, fields)| fields.clone()).collect();
    fields.sort_unstable();
    fields.dedup();
    let recovered =
        |field: &usize| shapes.iter().any(|(shape, fields)| shape.one_to_one && fields == &[*field]);
    let lead = shapes.iter().map(|(shape, _)| shape).find(|shape| shape.distinct != Some(1));
    Shape {
        kind: Kind::Bytes,
        order: lead.map_or(Order::None, |shape| shape.order),
        one_to_one: readable && !fields.is_empty() && fields.iter().all(recovered),
        distinct: shapes.iter().try_fold(1u64, |product, (shape, _)| product.checked_mul(shape.distinct?)),
        width,
        alphabet,
        by_position,
        range: None,
        offset: 0,
    }
}

/// The parts as one formula: which end themselves, and what is known of the whole.
pub(super) fn whole(mut parts: Vec<Part>) -> Typed {
    let shapes: Vec<(Shape, Vec<usize>)> =
        parts.iter().map(|part| (part.shape.clone(), part.fields.clone())).collect();
    for (index, part) in parts.iter_mut().enumerate() {
        part.self_delimiting = part.shape.ends_itself_before(shapes.get(index + 1).map(|(shape, _)| shape));
    }
    Typed { parts, shape: sequence(&shapes) }
}

/// A value with the fields it is made of, each once.
pub(super) fn with_fields(expression: &Expression) -> (Shape, Vec<usize>) {
    let mut fields = Vec::new();
    expression.fields(&mut fields);
    fields.sort_unstable();
    fields.dedup();
    (expression.shape(), fields)
}
