//! Properties of several values written one after the other.

use super::typed::{Expression, NullableEnd, TypedFormula, TypedPart};
use crate::bytes::sort::sort_distinct;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Keeps, Order, Shape, Width, decimal_width};

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
            unit: 1,
            terminator: None,
            prefix_free: false,
            keeps: None,
            scale: None,
            null: None,
        }
    }

    /// The shape of a random number from 0 to one below `buckets`.
    pub fn salt(buckets: i64) -> Self {
        let range = Some((0, buckets - 1));
        Self {
            kind: Kind::Integer,
            distinct: Some(buckets as u64),
            width: decimal_width(range),
            alphabet: Alphabet::ALL,
            by_position: Vec::new(),
            range,
            ..Self::literal(b"")
        }
    }

    /// Bytes that can stand at the beginning; `None` when the value may be empty.
    pub(crate) fn first(&self) -> Option<Alphabet> {
        (self.width.min > 0).then(|| self.by_position.first().copied().unwrap_or(self.alphabet))
    }

    /// Bytes that can stand at the end; `None` when the value may be empty.
    fn last(&self) -> Option<Alphabet> {
        let known = self.width.exact() == Some(self.by_position.len() as u64);
        let last = self.by_position.last().filter(|_| known).copied();
        let terminator = self.terminator.map(|byte| Alphabet::of(&[byte]));
        let null = Alphabet::of(self.null.unwrap_or_default());
        (self.width.min > 0).then(|| last.or(terminator).unwrap_or(self.alphabet).union(null))
    }

    /// True if its end can be told whatever follows.
    pub(crate) fn ends_itself(&self) -> bool {
        self.width.exact().is_some() || self.terminator.is_some() || self.prefix_free
    }

    /// True if the end of the value can be told when `next` follows: its width never varies, it brings its own end, or
    /// what follows begins with a byte that does not occur in it.
    pub(crate) fn ends_itself_before(&self, next: Option<&Self>) -> bool {
        let Some(next) = next else { return true };
        self.ends_itself()
            || next.first().is_some_and(|first| first.bytes().all(|byte| !self.alphabet.contains(byte)))
    }

    /// True if its beginning can be told, reading from the right, when it follows `previous`.
    fn begins_itself_after(&self, previous: Option<&Self>) -> bool {
        let Some(previous) = previous else { return true };
        self.width.exact().is_some()
            || previous.last().is_some_and(|last| last.bytes().all(|byte| !self.alphabet.contains(byte)))
    }

    /// True if values keep their order when `next` is written after them. Where one is the beginning of another, as none
    /// is that brings its own end, the byte that follows must sort below all of theirs: `a-` and `a!-` do not sort as `a`
    /// and `a!` do.
    pub(crate) fn keeps_order_before(&self, next: &Self) -> bool {
        let Some(lowest) = self.alphabet.bytes().next() else { return true };
        self.ends_itself() || next.first().is_some_and(|first| first.bytes().all(|byte| byte < lowest))
    }

    fn is_constant(&self) -> bool {
        self.distinct == Some(1)
    }
}

/// A value and the fields it is made of, each once, ascending.
pub(crate) type ShapedPart = (Shape, Vec<usize>);

/// How values written one after the other order against the fields of the first that varies.
fn order(pieces: &[ShapedPart]) -> Order {
    let Some(((lead, fields), rest)) = pieces.split_first() else { return Order::None };
    let Some((next, _)) = rest.first() else { return lead.order };
    if lead.is_constant() && fields.is_empty() {
        return order(rest);
    }
    if !lead.keeps_order_before(next) {
        return Order::None;
    }
    let finer = rest.iter().find(|(shape, _)| !shape.is_constant());
    match (lead.order, finer) {
        (Order::Strict | Order::Reversed | Order::Cyclic | Order::None, _) | (_, None) => lead.order,
        // A month and then the time: the finer value decides where the coarser one ties.
        (coarse, Some((_, finer_fields))) if finer_fields == fields => match (coarse, order(rest)) {
            (Order::Weak, finer @ (Order::Strict | Order::Weak)) => finer,
            (Order::WeakReversed, finer @ (Order::Reversed | Order::WeakReversed)) => finer,
            _ => Order::None,
        },
        _ => Order::None,
    }
}

/// True if every value can be told from the others: those on the left read from the left, those on the right from the
/// right, and at most one between them is what remains.
fn is_readable(pieces: &[ShapedPart]) -> bool {
    let shape = |index: usize| pieces.get(index).map(|(shape, _)| shape);
    let ends = |&index: &usize| shape(index).is_some_and(|own| own.ends_itself_before(shape(index + 1)));
    let begins = |&index: &usize| {
        let previous = index.checked_sub(1).and_then(shape);
        shape(index).is_some_and(|own| own.begins_itself_after(previous))
    };
    let from_left = (0..pieces.len()).take_while(ends).count();
    let from_right = (0..pieces.len()).rev().take_while(begins).count();
    from_left + from_right + 1 >= pieces.len()
}

/// Positions from the beginning for which the bytes are told one by one: more than any split point needs.
const KNOWN_POSITIONS: usize = 64;

/// The shape of values written one after the other.
pub(crate) fn sequence(pieces: &[ShapedPart]) -> Shape {
    let width = pieces.iter().fold(Width::fixed(0), |sum, (shape, _)| Width {
        min: sum.min.saturating_add(shape.width.min),
        max: sum.max.zip(shape.width.max).map(|(sum, max)| sum.saturating_add(max)),
    });
    let alphabet = pieces.iter().fold(Alphabet::NONE, |all, (shape, _)| all.union(shape.alphabet));
    let mut by_position: Vec<Alphabet> = Vec::new();
    for (shape, _) in pieces {
        by_position.extend_from_slice(&shape.by_position);
        // Positions that always exist have at least the value's own alphabet.
        let known = shape.by_position.len().max(shape.width.min.min(KNOWN_POSITIONS as u64) as usize);
        by_position.extend(std::iter::repeat_n(shape.alphabet, known - shape.by_position.len()));
        if shape.width.exact() != Some(known as u64) || by_position.len() >= KNOWN_POSITIONS {
            break;
        }
    }
    let mut fields: Vec<usize> = pieces.iter().flat_map(|(_, fields)| fields.clone()).collect();
    sort_distinct(&mut fields);
    // A value that is one-to-one gives back all the fields it is made of; several may keep one together.
    let recovered = |field: &usize| {
        let own = |(_, fields): &&ShapedPart| fields.as_slice() == [*field];
        pieces.iter().any(|(shape, fields)| shape.one_to_one && fields.contains(field))
            || Keeps::all(pieces.iter().filter(own).filter_map(|(shape, _)| shape.keeps).collect())
    };
    Shape {
        kind: Kind::Bytes,
        order: order(pieces),
        one_to_one: is_readable(pieces) && !fields.is_empty() && fields.iter().all(recovered),
        distinct: pieces.iter().try_fold(1u64, |product, (shape, _)| product.checked_mul(shape.distinct?)),
        width,
        alphabet,
        by_position,
        range: None,
        offset: 0,
        unit: 1,
        terminator: None,
        prefix_free: false,
        keeps: None,
        scale: None,
        null: None,
    }
}

/// The parts as one formula: which end themselves, and what is known of the whole.
pub(super) fn whole(mut parts: Vec<TypedPart>) -> TypedFormula {
    let shapes: Vec<ShapedPart> =
        parts.iter().map(|part| (part.shape.clone(), part.fields.clone())).collect();
    for (index, part) in parts.iter_mut().enumerate() {
        part.self_delimiting = part.shape.ends_itself_before(shapes.get(index + 1).map(|(shape, _)| shape));
    }
    let shape = sequence(&shapes);
    let nullable_end = NullableEnd::of(parts.iter().map(|part| &part.shape));
    TypedFormula { parts, shape, nullable_end, columns: Vec::new(), kinds: Vec::new() }
}

impl TypedFormula {
    /// True if it can be told where each part of a key ends.
    pub fn is_readable(&self) -> bool {
        let pieces: Vec<ShapedPart> =
            self.parts.iter().map(|part| (part.shape.clone(), part.fields.clone())).collect();
        is_readable(&pieces)
    }
}

/// A value with the fields it is made of, each once.
pub(super) fn with_fields(expression: &Expression) -> ShapedPart {
    let mut fields = Vec::new();
    expression.fields(&mut fields);
    sort_distinct(&mut fields);
    (expression.shape(), fields)
}
