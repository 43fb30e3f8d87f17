//! A box in two fields as ranges of a key that puts them into one number.

use super::chain::{StepChain, ascends};
use super::domain::{FieldDomain, FieldDomains};
use super::range::KeyRange;
use crate::bytes::row::prefix_stop_row;
use crate::design::Constant;
use crate::formula::steps::ArgumentValue;
use crate::formula::steps::curves::{Curve, GEOHASH, Z_ORDER, cell};
use crate::formula::typed::Expression;

/// Most ranges of a box behind one prefix.
pub(super) const MOST_RANGES: usize = 64;

/// Most squares that a box is cut into before they are put together.
const MOST_SQUARES: usize = 4096;

/// A curve with the values that its bits come from, in the order of their turns.
pub(super) struct CurveOf<'a> {
    curve: Curve,
    /// The value itself, and as it is written before the bits take turns.
    axes: [&'a Expression; 2],
    /// Their fields.
    pub fields: [usize; 2],
}

impl<'a> CurveOf<'a> {
    /// The curve that a piece of a key is; `None` if it is none.
    pub fn of(expression: &'a Expression) -> Option<Self> {
        let Expression::Apply { step, .. } = expression else { return None };
        if std::ptr::eq(*step, &GEOHASH) || std::ptr::eq(*step, &Z_ORDER) {
            Self::found(expression)
        } else {
            None
        }
    }

    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    fn found(expression: &'a Expression) -> Option<Self> {
        let Expression::Apply { input, step, arguments, .. } = expression else { return None };
        let [ArgumentValue::Number(argument)] = arguments.as_slice() else { return None };
        let curve = Curve::of(step.name, *argument)?;
        let [first, second] = input.inputs() else { return None };
        let axes = if matches!(curve, Curve::Geohash(_)) { [second, first] } else { [first, second] };
        let [one, other] = axes.map(|axis| StepChain::of(axis).map(|chain| chain.field));
        Some(Self { curve, axes, fields: [one?, other?] })
    }

    /// The ranges that hold all cells of the box that the domains leave, ascending, behind a prefix: at most so many.
    // Seldom needed: what loads before the first picture is without it.
    #[inline(never)]
    pub fn ranges(&self, prefix: &[u8], domains: &FieldDomains, most: usize) -> Vec<KeyRange> {
        let Some(first) = self.cells(0, domains) else { return Vec::new() };
        let Some(second) = self.cells(1, domains) else { return Vec::new() };
        let bits = self.curve.bits();
        let all: u32 = bits.iter().sum();
        let end = u64::MAX >> (u64::BITS - all);
        let row = |code: u64| {
            let mut row = prefix.to_vec();
            self.curve.write(code, &mut row);
            // Rows sort alike without the digits of nothing at the end.
            let nothing = if matches!(self.curve, Curve::Geohash(_)) { b'0' } else { 0 };
            let digits = row.get(prefix.len()..).unwrap_or_default();
            let kept = digits.iter().rposition(|&digit| digit != nothing).map_or(0, |last| last + 1);
            row.truncate(prefix.len() + kept);
            row
        };
        let range = |(first, last): (u64, u64)| KeyRange {
            start: row(first),
            stop: if last >= end { prefix_stop_row(prefix) } else { row(last + 1) },
        };
        covered(bits, [first, second], most).into_iter().map(range).collect()
    }

    /// The first and the last cell of an axis; `None` if no value is left.
    fn cells(&self, axis: usize, domains: &FieldDomains) -> Option<(u64, u64)> {
        let bits = self.curve.bits().get(axis).copied().unwrap_or_default();
        let whole = (0, (1u64 << bits) - 1);
        let (Some(expression), Some(field)) = (self.axes.get(axis), self.fields.get(axis)) else {
            return Some(whole);
        };
        let Some(chain) = StepChain::of(expression) else { return Some(whole) };
        let end = if axis == 0 { 180.0 } else { 90.0 };
        // A value beyond the ends is in no key: what is left of a range ends there.
        let of = |value: &Constant| -> Option<u64> {
            let bytes: [u8; 8] = chain.value(value)?.bytes().try_into().ok()?;
            match self.curve {
                Curve::Geohash(_) => {
                    let degrees = f64::from_be_bytes(bytes);
                    (!degrees.is_nan()).then(|| cell(degrees.clamp(-end, end), end, bits)).flatten()
                }
                Curve::ZOrder(_) => Some((i64::from_be_bytes(bytes).max(0) as u64).min(whole.1)),
            }
        };
        let between = |from: Option<&Constant>, to: Option<&Constant>| {
            let first = from.map_or(Some(whole.0), of).unwrap_or(whole.0);
            let last = to.map_or(Some(whole.1), of).unwrap_or(whole.1);
            (first <= last).then_some((first, last))
        };
        match domains.get(*field).map(AsRef::as_ref) {
            Some(FieldDomain::Values(values)) => {
                let cells = values.iter().map(of).collect::<Option<Vec<_>>>();
                let Some(cells) = cells else { return Some(whole) };
                Some((cells.iter().min().copied()?, cells.iter().max().copied()?))
            }
            Some(FieldDomain::Between { from, to, .. }) if is_field(expression) => {
                between(from.as_ref(), to.as_ref())
            }
            Some(&FieldDomain::Numbers(first, last)) if is_rising(expression, (first, last)) => {
                between(Some(&Constant::Number(first)), Some(&Constant::Number(last)))
            }
            _ => Some(whole),
        }
    }
}

/// True if greater numbers of a range never have smaller values on an axis.
fn is_rising(axis: &Expression, (first, last): (i64, i64)) -> bool {
    // The bytes of negative numbers sort after the others; the numbers themselves do not.
    let number = axis.inputs().first();
    let chain = number.and_then(StepChain::of);
    is_field(axis)
        || chain.and_then(|chain| chain.narrow(first, last)).is_some_and(|narrow| ascends(narrow.shape.order))
}

/// True if an axis is a field as it is.
fn is_field(axis: &Expression) -> bool {
    matches!(axis.inputs(), [Expression::Field { .. }])
}

/// A square of cells: how many bits of each axis are settled, and which.
#[derive(Clone, Copy)]
struct Square {
    settled: [u32; 2],
    cells: [u64; 2],
    /// True if all of it lies in the box.
    is_whole: bool,
}

/// The stretches of a curve that hold all cells from the first to the last of each axis, ends included, ascending: at most so many.
/// Where they are too many, those with the least between them are put together.
fn covered(bits: [u32; 2], asked: [(u64, u64); 2], most: usize) -> Vec<(u64, u64)> {
    let all: u32 = bits.iter().sum();
    // In the order of the curve, as the halves of a square follow each other.
    let mut squares = vec![Square { settled: [0; 2], cells: [0; 2], is_whole: false }];
    for turn in 0..=all {
        let mut parts = Vec::new();
        for mut square in squares {
            let ends = |axis: usize| {
                let open = bits[axis] - square.settled[axis];
                let first = square.cells[axis] << open;
                (first, first + ((1u64 << open) - 1))
            };
            let [one, other] = [0, 1].map(|axis| (ends(axis), asked[axis]));
            let apart = |((first, last), (from, to)): ((u64, u64), (u64, u64))| last < from || first > to;
            let within = |((first, last), (from, to)): ((u64, u64), (u64, u64))| first >= from && last <= to;
            if apart(one) || apart(other) {
                continue;
            }
            square.is_whole |= within(one) && within(other);
            if square.is_whole || turn == all {
                parts.push(square);
                continue;
            }
            let axis = (turn % 2) as usize;
            for half in 0..2 {
                let mut part = square;
                part.settled[axis] += 1;
                part.cells[axis] = part.cells[axis] << 1 | half;
                parts.push(part);
            }
        }
        squares = parts;
        if squares.len() > MOST_SQUARES {
            break;
        }
    }
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for square in &squares {
        let open: u32 = (0..2).map(|axis| bits[axis] - square.settled[axis]).sum();
        let code = Curve::place(square.settled, square.cells);
        let (first, last) = match code.checked_shl(open) {
            Some(first) if open < u64::BITS => (first, first + ((1u64 << open) - 1)),
            _ => (0, u64::MAX),
        };
        match joined.last_mut() {
            Some(before) if before.1.checked_add(1) == Some(first) => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    with_least_between(joined, most.max(1))
}

/// At most so many stretches, put together where the least lies between them.
fn with_least_between(stretches: Vec<(u64, u64)>, most: usize) -> Vec<(u64, u64)> {
    let gap = |pair: &[(u64, u64)]| match pair {
        [before, after] => after.0 - before.1,
        _ => 0,
    };
    let mut gaps: Vec<u64> = stretches.windows(2).map(gap).collect();
    let Some(closed) = (gaps.len() + 1).checked_sub(most).filter(|closed| *closed > 0) else {
        return stretches;
    };
    crate::bytes::sort::sort(&mut gaps);
    let widest = gaps.get(closed - 1).copied().unwrap_or_default();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (first, last) in stretches {
        match joined.last_mut() {
            Some(before) if first - before.1 <= widest => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}
