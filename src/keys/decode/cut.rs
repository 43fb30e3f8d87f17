//! Where the values of a sequence can begin and end in its bytes, by their widths, alphabets and terminators.

use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Shape;

/// The kind of a piece of a sequence.
#[derive(Clone, Copy)]
pub(super) enum PieceContent<'a> {
    /// These bytes.
    Literal(&'a [u8]),
    /// A value.
    Value(&'a Expression),
}

/// A piece of a sequence: a part of a key, or of a join.
pub(super) struct SequencePiece<'a> {
    pub content: PieceContent<'a>,
    shape: Shape,
}

impl<'a> SequencePiece<'a> {
    fn literal(bytes: &'a [u8]) -> Self {
        Self { content: PieceContent::Literal(bytes), shape: Shape::literal(bytes) }
    }

    fn value(expression: &'a Expression) -> Self {
        match expression {
            Expression::Literal(bytes) => Self::literal(bytes),
            _ => Self { content: PieceContent::Value(expression), shape: expression.shape() },
        }
    }

    /// The parts of a key.
    pub fn parts(typed: &'a TypedFormula) -> Vec<Self> {
        typed.parts.iter().map(|part| Self::value(&part.expression)).collect()
    }

    /// The parts of a join and the separators between them.
    pub fn joined(separator: &'a [u8], parts: &'a [Expression]) -> Vec<Self> {
        let mut pieces = Vec::new();
        for part in parts {
            if !pieces.is_empty() && !separator.is_empty() {
                pieces.push(Self::literal(separator));
            }
            pieces.push(Self::value(part));
        }
        pieces
    }

    /// The first and last place where it can end when it begins at `at`. From there on all bytes up to `run` are of its
    /// alphabet, and `terminator` is the first place of its terminator.
    fn ends(&self, bytes: &[u8], at: usize, run: usize, terminator: Option<usize>) -> Option<(usize, usize)> {
        let rest = bytes.get(at..)?;
        if let PieceContent::Literal(literal) = self.content {
            let end = at + literal.len();
            return rest.starts_with(literal).then_some((end, end));
        }
        let shape = &self.shape;
        if let Some(&[null]) = shape.null
            && rest.first() == Some(&null)
        {
            return Some((at + 1, at + 1));
        }
        let place = |width: u64| usize::try_from(width).map_or(usize::MAX, |width| at.saturating_add(width));
        let foreign = rest.iter().zip(&shape.by_position).position(|(&byte, set)| !set.contains(byte));
        let most = shape.width.max.map_or(run, place).min(run);
        let (least, most) = (place(shape.width.min), foreign.map_or(most, |foreign| most.min(at + foreign)));
        let (least, most) = match shape.terminator {
            Some(_) => (least.max(terminator? + 1), most.min(terminator? + 1)),
            None => (least, most),
        };
        (least <= most).then_some((least, most))
    }

    /// [`SequencePiece::ends`] at one place.
    fn ends_from(&self, bytes: &[u8], at: usize) -> Option<(usize, usize)> {
        let rest = bytes.get(at..)?;
        let run = rest.iter().take_while(|&&byte| self.shape.alphabet.contains(byte)).count();
        let terminator = self.shape.terminator.and_then(|end| rest.iter().position(|&byte| byte == end));
        self.ends(bytes, at, at + run, terminator.map(|place| at + place))
    }

    /// [`SequencePiece::ends`] at every place, the last first.
    fn all_ends(&self, bytes: &[u8]) -> impl Iterator<Item = Option<(usize, usize)>> {
        let (mut run, mut terminator) = (bytes.len(), None);
        (0..=bytes.len()).rev().map(move |at| {
            if let Some(&byte) = bytes.get(at) {
                run = if self.shape.alphabet.contains(byte) { run } else { at };
                terminator = if self.shape.terminator == Some(byte) { Some(at) } else { terminator };
            }
            self.ends(bytes, at, run, terminator)
        })
    }
}

/// Where each piece of a sequence can begin, such that it and all after it fill the bytes.
pub(super) struct KeyCuts<'a, 'b> {
    pub pieces: &'b [SequencePiece<'a>],
    pub bytes: &'b [u8],
    /// By piece and place; one more than there are pieces.
    begins: Vec<Vec<bool>>,
}

impl<'a, 'b> KeyCuts<'a, 'b> {
    pub fn new(pieces: &'b [SequencePiece<'a>], bytes: &'b [u8]) -> Self {
        let mut next = vec![false; bytes.len() + 1];
        next.iter_mut().last().into_iter().for_each(|end| *end = true);
        let mut begins = vec![next];
        for piece in pieces.iter().rev() {
            let next = begins.last().map_or(&[][..], Vec::as_slice);
            // How many places before each are good.
            let mut before = vec![0u32];
            before.extend(next.iter().scan(0, |count, &good| {
                *count += u32::from(good);
                Some(*count)
            }));
            let good = |least: usize, most: usize| before.get(most + 1) > before.get(least);
            let ends = piece.all_ends(bytes);
            let mut own: Vec<bool> =
                ends.map(|ends| ends.is_some_and(|(least, most)| good(least, most))).collect();
            own.reverse();
            begins.push(own);
        }
        begins.reverse();
        Self { pieces, bytes, begins }
    }

    /// True if the pieces can fill the bytes at all.
    pub fn fit(&self) -> bool {
        self.begins.first().and_then(|places| places.first()).is_some_and(|&fits| fits)
    }

    /// The places, ascending, where the piece of this index can end when it begins at `at`.
    pub fn ends(&self, index: usize, at: usize) -> impl Iterator<Item = usize> + use<'_, 'a, 'b> {
        let (least, most) = self
            .pieces
            .get(index)
            .and_then(|piece| piece.ends_from(self.bytes, at))
            .map_or((1, 0), |ends| ends);
        let next = self.begins.get(index + 1);
        (least..=most).filter(move |&end| next.and_then(|next| next.get(end)).is_some_and(|&good| good))
    }

    /// Where reading from the left comes to an end: the first piece that stands nowhere, counting from 0, and the first
    /// place where it could have begun. The count of pieces when bytes are left over.
    pub fn stuck(&self) -> (usize, usize) {
        let mut reached = vec![false; self.bytes.len() + 1];
        reached.iter_mut().take(1).for_each(|start| *start = true);
        for (index, piece) in self.pieces.iter().enumerate() {
            // How many more stretches of possible ends begin than end at each place.
            let mut change = vec![0i32; self.bytes.len() + 2];
            for (&here, ends) in reached.iter().rev().zip(piece.all_ends(self.bytes)) {
                if let Some((least, most)) = ends.filter(|_| here) {
                    change.iter_mut().skip(least).take(1).for_each(|place| *place += 1);
                    change.iter_mut().skip(most + 1).take(1).for_each(|place| *place -= 1);
                }
            }
            let next = change.iter().scan(0, |open, change| {
                *open += change;
                Some(*open > 0)
            });
            let next: Vec<bool> = next.take(reached.len()).collect();
            if !next.contains(&true) {
                return (index, reached.iter().position(|&here| here).unwrap_or_default());
            }
            reached = next;
        }
        (self.pieces.len(), reached.iter().rposition(|&here| here).unwrap_or_default())
    }
}
