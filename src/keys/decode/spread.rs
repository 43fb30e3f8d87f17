//! A number or time that no part holds whole, from parts that each hold some of it: the day and the time of day, the
//! quotient and the remainder.
//!
//! Nothing is known here of single steps. A part in order of the field leaves a range of values, found by halving; one that
//! goes round leaves a range in each of its turns.

use super::value::{KnownFields, belongs, evaluate};
use crate::formula::typed::Expression;
use crate::formula::vector::Vector;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, Shape};
use std::cmp::Ordering;

/// Most turns of a part that are looked through.
const MOST_TURNS: usize = 128;

/// From the first to the last value that is left.
type Range = (i64, i64);

/// The facts about a field in a part: the value of the step that has no way back.
pub(super) struct FieldHint<'a> {
    pub expression: &'a Expression,
    pub value: Vector,
}

/// The value of the field that these hints leave, when it is only one.
pub(super) fn gathered(field: usize, hints: &[FieldHint<'_>]) -> Option<Vector> {
    let shape = hints.iter().find_map(|hint| field_shape(hint.expression, field))?;
    if !matches!(shape.kind, Kind::Integer | Kind::Time) {
        return None;
    }
    let all = shape.range.unwrap_or((i64::MIN, i64::MAX));
    let mut left = vec![all];
    let mut pending: Vec<Sought<'_, '_>> =
        hints.iter().filter_map(|hint| Sought::new(field, hint, all)).collect();
    // Until one has too many turns in what the others leave.
    while let Some((place, narrower)) =
        pending.iter().enumerate().find_map(|(place, sought)| Some((place, sought.narrowed(&left)?)))
    {
        left = narrower;
        pending.swap_remove(place);
    }
    let unit = shape.unit.max(1);
    let mut values = left.into_iter().filter_map(|(first, last)| {
        let short = first.checked_add(shape.offset)?.rem_euclid(unit);
        let first = first.checked_add((unit - short) % unit)?;
        let several = first.checked_add(unit).is_some_and(|second| second <= last);
        (first <= last).then_some((first, several))
    });
    let (value, several) = values.next()?;
    let value = Vector::Integers(vec![value]);
    (!several && values.next().is_none() && belongs(&value, &shape)).then_some(value)
}

fn field_shape(expression: &Expression, field: usize) -> Option<Shape> {
    match expression {
        Expression::Field { index, shape } if *index == field => Some(shape.clone()),
        Expression::Apply { input, .. } => field_shape(input, field),
        _ => None,
    }
}

/// A hint being followed.
struct Sought<'h, 'a> {
    field: usize,
    hint: &'h FieldHint<'a>,
    order: Order,
    /// A value that no step refuses: those refused below it lie at the lower end, the others at the upper one.
    taken: i64,
}

impl<'h, 'a> Sought<'h, 'a> {
    /// `None` for a hint that has no order, or that takes none of the values tried.
    fn new(field: usize, hint: &'h FieldHint<'a>, (first, last): Range) -> Option<Self> {
        let order = hint.expression.shape().order;
        let sought = Self { field, hint, order, taken: 0 };
        let tried = [0, 1, -1, first / 2 + last / 2, first, last].map(|value: i64| value.clamp(first, last));
        let taken = tried.into_iter().find(|&value| sought.of(hint.expression, value).is_some())?;
        (order != Order::None).then_some(Self { taken, ..sought })
    }

    fn of(&self, expression: &Expression, value: i64) -> Option<Vector> {
        evaluate(expression, &KnownFields::from_iter([(self.field, Vector::Integers(vec![value]))]), None)
            .ok()
    }

    /// Where the hint lies, seen from this value of the field.
    fn compare(&self, value: i64) -> Ordering {
        let Some(made) = self.of(self.hint.expression, value) else { return value.cmp(&self.taken) };
        let order = match (&made, &self.hint.value) {
            (Vector::Integers(a), Vector::Integers(b)) => a.cmp(b),
            (Vector::Strings(a), Vector::Strings(b)) => a.get(0).cmp(b.get(0)),
            _ => Ordering::Equal,
        };
        match self.order {
            Order::Reversed | Order::WeakReversed => order.reverse(),
            _ => order,
        }
    }

    /// The values of a range, in which the part never falls, that make the hint.
    fn within(&self, (first, last): Range) -> Option<Range> {
        let low = least(first, last, |value| self.compare(value) != Ordering::Less)?;
        let above = least(low, last, |value| self.compare(value) == Ordering::Greater);
        let high = above.map_or(Some(last), |above| above.checked_sub(1))?;
        (low <= high).then_some((low, high))
    }

    /// The rest of these ranges; `None` when there are too many turns in them.
    fn narrowed(&self, ranges: &[Range]) -> Option<Vec<Range>> {
        let mut left = Vec::new();
        for &range in ranges {
            match self.order {
                Order::Cyclic => self.in_turns(range, &mut left)?,
                _ => left.extend(self.within(range)),
            }
        }
        Some(left)
    }

    /// The same in each turn of the part; `None` when there are too many.
    fn in_turns(&self, (mut first, last): Range, found: &mut Vec<Range>) -> Option<()> {
        let Expression::Apply { input, operation, .. } = self.hint.expression else { return None };
        if !matches!(input.shape().order, Order::Strict | Order::Weak) {
            return None;
        }
        let number = |value| match self.of(input, value) {
            Some(Vector::Integers(numbers)) => numbers.first().copied(),
            _ => None,
        };
        for _ in 0..MOST_TURNS {
            let turn = operation.turn(number(first)?)?;
            let next = least(first, last, |value| number(value).is_some_and(|number| number >= turn));
            let end = next.map_or(last, |next| next.saturating_sub(1));
            found.extend(self.within((first, end)));
            let Some(next) = next else { return Some(()) };
            first = next;
        }
        None
    }
}

/// The least value from `first` to `last` for which a condition holds that, once it does, holds for all above.
fn least(first: i64, last: i64, holds: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut high) = (i128::from(first), i128::from(last) + 1);
    while low < high {
        let middle = (low + high).div_euclid(2);
        if holds(middle as i64) { high = middle } else { low = middle + 1 }
    }
    (low <= i128::from(last)).then_some(low as i64)
}
