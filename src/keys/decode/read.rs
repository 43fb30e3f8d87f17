//! From the bytes of a value back to the fields it is made of.

use super::cut::{KeyCuts, PieceContent, SequencePiece};
use super::value::{KnownFields, apply, belongs, bytes_of, of_bytes};
use crate::formula::typed::Expression;
use crate::formula::vector::Vector;

/// Most places that are tried in a key, for the time it takes.
const MOST_TRIED: usize = 20_000;

/// As many bytes of a value count as another try.
const BYTES_A_TRY: usize = 32;

/// Most readings of one value that are followed.
const MOST_WITHIN: usize = 256;

/// Reads values, and counts what it has tried.
pub(super) struct KeyReader {
    left: usize,
    /// True if readings may be missing.
    pub gave_up: bool,
    /// The furthest piece of the key that was begun, and where.
    pub furthest: (usize, usize),
}

/// A piece begun at `at`: where it may still end, and what is known from those before it.
struct Frame<I> {
    at: usize,
    ends: I,
    known: Vec<KnownFields>,
}

impl KeyReader {
    pub fn new() -> Self {
        Self { left: MOST_TRIED, gave_up: false, furthest: (0, 0) }
    }

    /// All ways to read a sequence: tells `found` where each piece ends and what is then known, until that says stop.
    pub fn sequence(
        &mut self,
        cuts: &KeyCuts<'_, '_>,
        known: KnownFields,
        outermost: bool,
        found: &mut dyn FnMut(&[usize], KnownFields) -> bool,
    ) {
        if !cuts.fit() {
            return;
        }
        let mut ends: Vec<usize> = Vec::new();
        let mut frames = vec![Frame { at: 0, ends: cuts.ends(0, 0), known: vec![known] }];
        while let Some(frame) = frames.last_mut() {
            let Some(end) = frame.ends.next() else {
                frames.pop();
                ends.pop();
                continue;
            };
            let (at, index) = (frame.at, ends.len());
            let Some(left) = self.left.checked_sub(1 + (end - at) / BYTES_A_TRY) else {
                self.gave_up = true;
                return;
            };
            self.left = left;
            if outermost {
                self.furthest = self.furthest.max((index, at));
            }
            let (Some(piece), Some(bytes)) = (cuts.pieces.get(index), cuts.bytes.get(at..end)) else {
                continue;
            };
            let known = std::mem::take(&mut frame.known);
            let read: Vec<KnownFields> =
                known.iter().flat_map(|known| self.piece(piece, bytes, known)).collect();
            frame.known = known;
            if read.is_empty() {
                continue;
            }
            ends.push(end);
            if ends.len() < cuts.pieces.len() {
                frames.push(Frame { at: end, ends: cuts.ends(ends.len(), end), known: read });
                continue;
            }
            for known in read {
                if !found(&ends, known) {
                    self.gave_up = true;
                    return;
                }
            }
            ends.pop();
        }
    }

    fn piece(&mut self, piece: &SequencePiece<'_>, bytes: &[u8], known: &KnownFields) -> Vec<KnownFields> {
        match piece.content {
            PieceContent::Literal(_) => vec![known.clone()],
            PieceContent::Value(expression) => self.value(expression, of_bytes(bytes), known.clone()),
        }
    }

    /// The ways to read a value, each with what is then known besides `known`; none when it is no value of the expression
    /// or contradicts what is known. A step that does not keep its value adds nothing.
    fn value(&mut self, expression: &Expression, value: Vector, mut known: KnownFields) -> Vec<KnownFields> {
        let (mut expression, mut value) = (expression, value);
        loop {
            match expression {
                Expression::Literal(bytes) => return matching(bytes == bytes_of(&value), known),
                Expression::Salt { shape, .. } => return matching(belongs(&value, shape), known),
                Expression::Field { index, shape } => {
                    let same = belongs(&value, shape)
                        && (known.add(*index, value.clone()) || known.get(index) == Some(&value));
                    return matching(same, known);
                }
                Expression::Join { separator, parts, .. } => {
                    let pieces = SequencePiece::joined(separator, parts);
                    let mut all = Vec::new();
                    self.sequence(&KeyCuts::new(&pieces, bytes_of(&value)), known, false, &mut |_, known| {
                        if !all.contains(&known) {
                            all.push(known);
                        }
                        all.len() < MOST_WITHIN
                    });
                    return all;
                }
                Expression::Apply { inverse: None, .. } => return vec![known],
                Expression::Apply { input, shape, .. } => {
                    let Some(before) = before(expression, &value) else { return Vec::new() };
                    // One of several values that give this result.
                    if !shape.one_to_one && matches!(**input, Expression::Field { .. }) {
                        return vec![known];
                    }
                    (expression, value) = (input, before);
                }
            }
        }
    }
}

/// How far these bytes of a part go back to the field it is made of: the last value, and the expression it is of.
pub(super) fn back(expression: &Expression, value: Vector) -> (&Expression, Vector) {
    let (mut expression, mut value) = (expression, value);
    while let Expression::Apply { input, .. } = expression
        && let Some(before) = before(expression, &value)
    {
        (expression, value) = (input, before);
    }
    (expression, value)
}

/// The input of a step, from its result; `None` when there is none or the step has no way back.
fn before(expression: &Expression, value: &Vector) -> Option<Vector> {
    let Expression::Apply { operation, inverse, .. } = expression else { return None };
    let before = apply(inverse.as_deref()?, value)?;
    (apply(operation.as_ref(), &before).as_ref() == Some(value)).then_some(before)
}

fn matching(matches: bool, known: KnownFields) -> Vec<KnownFields> {
    if matches { vec![known] } else { Vec::new() }
}
