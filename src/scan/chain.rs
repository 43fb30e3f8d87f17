//! A value made of one field by steps one after the other, and what a range of the field makes of it.

use super::known::common;
use super::runs::LAST_TIME;
use crate::design::Constant;
use crate::formula::steps::{ArgumentValue, Step};
use crate::formula::typed::Expression;
use crate::formula::vector::ColumnOperation;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, Shape};

struct Link<'a> {
    operation: &'a dyn ColumnOperation,
    step: &'static Step,
    arguments: &'a [ArgumentValue],
}

/// Steps from a field.
pub(super) struct StepChain<'a> {
    /// Index of the field.
    pub field: usize,
    shape: &'a Shape,
    links: Vec<Link<'a>>,
}

/// Values of the field, both included, of which all have one result.
pub(super) struct ValueRun {
    pub first: i64,
    pub last: i64,
    pub value: Constant,
}

/// Properties of a chain for a range of its field.
pub(super) struct NarrowedChain {
    /// The shape of the result.
    pub shape: Shape,
    /// How each step orders.
    orders: Vec<Order>,
}

/// More stretches than these and a cyclic value is as good as unordered.
const MOST_STRETCHES: usize = 3;

/// Lengths of runs that are tried before a run is measured.
const SEEN_LENGTHS: usize = 4;

/// The last place up to `most` from `first` on that is the same as it, where no later one is once one is not.
pub(super) fn last_same(first: u64, most: u64, same: impl Fn(u64) -> bool) -> u64 {
    let (mut good, mut bad, mut step) = (first, None, 1);
    while bad.is_none() && good < most {
        let next = good.saturating_add(step).min(most);
        if same(next) {
            good = next
        } else {
            bad = Some(next)
        }
        step = step.saturating_mul(2);
    }
    while let Some(outside) = bad.filter(|outside| outside - good > 1) {
        let middle = good.midpoint(outside);
        if same(middle) { good = middle } else { bad = Some(middle) }
    }
    good
}

/// The last place from `inside` on before `outside` that is not beyond, where all from the first that is on are.
fn last_before(mut inside: i64, mut outside: i64, beyond: impl Fn(i64) -> bool) -> i64 {
    while outside.abs_diff(inside) > 1 {
        let middle = inside.midpoint(outside);
        if beyond(middle) { outside = middle } else { inside = middle }
    }
    inside
}

pub(super) fn ascends(order: Order) -> bool {
    matches!(order, Order::Strict | Order::Weak)
}

pub(super) fn descends(order: Order) -> bool {
    matches!(order, Order::Reversed | Order::WeakReversed)
}

/// The field that a cyclic value is made of, and how far apart the values of the field are, at the least, from where
/// its results begin anew to where they do again.
pub fn period(expression: &Expression) -> Option<(usize, u64)> {
    let chain = StepChain::of(expression)?;
    let (least, most) = chain.field_range();
    let at = chain.cyclic(&chain.narrow(least, most)?.orders)?;
    let turning = chain.links.get(at)?.operation;
    // The first value of the field from which on the cyclic step is given `turn` or more.
    let first = |turn: i64| {
        let (mut below, mut from) = (0i64.clamp(least, most), most);
        while from.abs_diff(below) > 1 {
            let middle = below.midpoint(from);
            if chain.number(middle, at)? >= turn { from = middle } else { below = middle }
        }
        Some(from)
    };
    let mut turn = turning.turn(chain.number(0i64.clamp(least, most), at)?)?;
    let mut shortest: Option<u64> = None;
    // Four years in a row hold a leap year.
    for _ in 0..4 {
        let next = turning.turn(turn)?;
        let length = first(next)?.abs_diff(first(turn)?);
        shortest = Some(shortest.map_or(length, |shortest| shortest.min(length)));
        turn = next;
    }
    Some((chain.field, shortest?))
}

/// The order that a value made of one field keeps over the values that are not negative: two's complement begins anew below.
pub fn natural_order(expression: &Expression) -> Order {
    let Some(chain) = StepChain::of(expression) else { return expression.shape().order };
    let (least, most) = chain.field_range();
    let most = if chain.kind() == Kind::Time { most.min(LAST_TIME) } else { most };
    chain.narrow(least.max(0), most).map_or(Order::None, |narrow| narrow.shape.order)
}

impl<'a> StepChain<'a> {
    /// The chain that an expression is, if it is one.
    pub fn of(expression: &'a Expression) -> Option<Self> {
        match expression {
            Expression::Field { index, shape } => Some(Self { field: *index, shape, links: Vec::new() }),
            Expression::Apply { input, operation, step, arguments, .. } => {
                let mut chain = Self::of(input)?;
                chain.links.push(Link { operation: operation.as_ref(), step, arguments });
                Some(chain)
            }
            _ => None,
        }
    }

    /// The kind of the field.
    pub fn kind(&self) -> Kind {
        self.shape.kind
    }

    /// Least and greatest value of the field.
    pub fn field_range(&self) -> (i64, i64) {
        self.shape.range.unwrap_or((i64::MIN, i64::MAX))
    }

    /// Distance between values of the field: times may be whole seconds.
    pub fn unit(&self) -> i64 {
        self.shape.unit.max(1)
    }

    /// The least and the greatest value that a field has within a range; `None` when it has none.
    pub fn within(&self, first: i64, last: i64) -> Option<(i64, i64)> {
        let (unit, offset) = (self.unit(), self.shape.offset);
        let down =
            |value: i64| value.checked_add(offset)?.div_euclid(unit).checked_mul(unit)?.checked_sub(offset);
        let up = |value: i64| match down(value)? {
            low if low == value => Some(low),
            low => low.checked_add(unit),
        };
        let (least, most) = self.field_range();
        let (first, last) = if unit == 1 {
            (first.max(least), last.min(most))
        } else {
            (up(first.max(least))?, down(last.min(most))?)
        };
        (first <= last).then_some((first, last))
    }

    /// The part of a range that the steps take, where they keep its order: what they refuse lies at its ends.
    pub fn accepted(&self, first: i64, last: i64) -> Option<(i64, i64)> {
        let taken = |value: i64| self.value(&Constant::Number(value)).is_some();
        if taken(first) && taken(last) {
            return Some((first, last));
        }
        let tried = [first, last, 0, first.midpoint(last)];
        let inside = tried.into_iter().find(|value| (first..=last).contains(value) && taken(*value))?;
        let edge = |end: i64| {
            let (mut good, mut bad) = (inside, end);
            if taken(bad) {
                return bad;
            }
            while good.abs_diff(bad) > 1 {
                let middle = good.midpoint(bad);
                if taken(middle) { good = middle } else { bad = middle }
            }
            good
        };
        self.within(edge(first), edge(last))
    }

    /// The values of the field that the steps take, ascending, where each stretch of them keeps an order; `None` when that
    /// cannot be told.
    pub fn taken(&self) -> Option<Vec<(i64, i64)>> {
        let (least, most) = self.field_range();
        let (least, most) = self.within(least, most)?;
        let mut taken = Vec::new();
        for (first, last) in self.stretches(least, most)? {
            let order = self.order_in_stretch(&self.narrow(first, last)?);
            if !ascends(order) && !descends(order) {
                return None;
            }
            taken.push(self.accepted(first, last)?);
        }
        crate::bytes::sort::sort(&mut taken);
        Some(taken)
    }

    /// The result for a value of the field.
    pub fn value(&self, field: &Constant) -> Option<Constant> {
        self.through(field, 0, self.links.len())
    }

    fn number(&self, field: i64, links: usize) -> Option<i64> {
        match self.through(&Constant::Number(field), 0, links)? {
            Constant::Number(number) => Some(number),
            Constant::Bytes(_) => None,
        }
    }

    fn through(&self, input: &Constant, from: usize, to: usize) -> Option<Constant> {
        let links = self.links.get(from..to)?;
        links.iter().try_fold(input.clone(), |value, link| value.through(link.operation))
    }

    /// Properties when the field lies in a range.
    pub fn narrow(&self, first: i64, last: i64) -> Option<NarrowedChain> {
        self.narrow_by(first, last, None)
    }

    /// The same when all values of the field are whole multiples of a unit, too.
    pub fn narrow_by(&self, first: i64, last: i64, unit: Option<i64>) -> Option<NarrowedChain> {
        let mut shape = Shape { range: Some((first, last)), ..self.shape.clone() };
        if let Some(unit) = unit.filter(|_| shape.kind == Kind::Time) {
            // Local times are whole multiples of what UTC and the zone's offset both are.
            shape.unit = shape.unit.max(common(unit, shape.offset));
        }
        let mut orders = Vec::new();
        for link in &self.links {
            let bound = link.step.bind(link.arguments, &shape).ok()?;
            orders.push(bound.order);
            shape = link.step.shape(&shape, &bound);
        }
        Some(NarrowedChain { shape, orders })
    }

    /// The first step that gives results more than once or in another order than its input, and begins anew where that
    /// passes a certain value; only where before it the field's order is kept or turned round.
    fn turning(&self, orders: &[Order]) -> Option<(usize, bool)> {
        let begins_anew = |(link, order): (&Link<'_>, &Order)| match order {
            Order::Cyclic => true,
            Order::None => link.operation.turn(i64::MIN).is_some(),
            _ => false,
        };
        let at = self.links.iter().zip(orders).position(begins_anew)?;
        let before = orders.iter().take(at).fold(Order::Strict, |all, &order| all.then(order));
        (ascends(before) || descends(before)).then_some((at, descends(before)))
    }

    /// True if values of a range far from each other have the same result.
    pub fn repeats(&self, first: i64, last: i64) -> bool {
        self.narrow(first, last).is_none_or(|narrow| narrow.orders.contains(&Order::Cyclic))
    }

    /// The cyclic step, when there is just one and before it the field's order is kept.
    fn cyclic(&self, orders: &[Order]) -> Option<usize> {
        let mut cyclic = orders.iter().enumerate().filter(|(_, order)| **order == Order::Cyclic);
        let (at, _) = cyclic.next()?;
        let kept = orders.iter().take(at).all(|&order| ascends(order));
        (kept && cyclic.next().is_none()).then_some(at)
    }

    /// The order within a stretch that a cyclic step passes through once.
    pub fn order_in_stretch(&self, narrow: &NarrowedChain) -> Order {
        let of = |order: Order| if order == Order::Cyclic { Order::Weak } else { order };
        narrow.orders.iter().fold(Order::Strict, |all, &order| all.then(of(order)))
    }

    /// A range of the field cut where a step begins anew, as a cyclic one does and two's complement at zero; one stretch
    /// when there is none.
    pub fn stretches(&self, first: i64, last: i64) -> Option<Vec<(i64, i64)>> {
        let narrow = self.narrow(first, last)?;
        let Some((at, falls)) = self.turning(&narrow.orders) else {
            return (!narrow.orders.contains(&Order::Cyclic)).then(|| vec![(first, last)]);
        };
        if narrow.orders.iter().skip(at + 1).any(|&order| order == Order::Cyclic) {
            return None;
        }
        let turning = self.links.get(at)?.operation;
        // Where the steps before it turn the order round, the range is gone through from its end.
        let of = |place: i64| if falls { first.wrapping_add(last).wrapping_sub(place) } else { place };
        let mut stretches = Vec::new();
        let mut low = first;
        while stretches.len() < MOST_STRETCHES {
            let turn = turning.turn(self.number(of(low), at)?);
            let beyond =
                |place: i64| turn.zip(self.number(of(place), at)).is_some_and(|(turn, at)| at >= turn);
            let inside = if beyond(last) { last_before(low, last, beyond) } else { last };
            let (from, to) = (of(low), of(inside));
            stretches.push((from.min(to), from.max(to)));
            if inside == last {
                return Some(stretches);
            }
            low = inside.saturating_add(1);
        }
        None
    }

    /// All results of a cyclic step and what follows it, when a range of the field (all of it without one) covers a
    /// whole cycle.
    pub fn cycle(&self, range: Option<(i64, i64)>, limit: usize) -> Option<Vec<Constant>> {
        let (least, most) = range.unwrap_or(self.field_range());
        let narrow = self.narrow(least, most)?;
        let at = self.cyclic(&narrow.orders)?;
        let link = self.links.get(at)?;
        let (first, last) = link.operation.cycle()?;
        let (low, high) = (self.number(least, at), self.number(most, at));
        let covered = low.zip(high).is_some_and(|(low, high)| high.abs_diff(low) >= last.abs_diff(first));
        if !covered {
            return None;
        }
        let tail = StepChain { field: self.field, shape: self.shape, links: Vec::new() };
        let value = |input: i64| self.through(&Constant::Number(input), at, self.links.len());
        let runs = tail.runs_of(first, last, limit, value)?;
        Some(runs.into_iter().map(|run| run.value).collect())
    }

    /// The results over a range, where they never fall or never rise: each with the values that have it.
    pub fn runs(&self, first: i64, last: i64, limit: usize) -> Option<Vec<ValueRun>> {
        self.runs_of(first, last, limit, |value| self.value(&Constant::Number(value)))
    }

    fn runs_of(
        &self,
        first: i64,
        last: i64,
        limit: usize,
        value_of: impl Fn(i64) -> Option<Constant>,
    ) -> Option<Vec<ValueRun>> {
        let Some((first, last)) = self.within(first, last) else { return Some(Vec::new()) };
        let unit = self.unit();
        // Places on the grid of values the field has.
        let most = last.abs_diff(first) / unit.unsigned_abs();
        let at = |place: u64| first.saturating_add_unsigned(place.saturating_mul(unit.unsigned_abs()));
        let mut runs: Vec<ValueRun> = Vec::new();
        let mut place = 0u64;
        let mut lengths: Vec<u64> = Vec::new();
        loop {
            let value = value_of(at(place))?;
            let same = |place: u64| value_of(at(place)).as_ref() == Some(&value);
            // Runs are mostly as long as one before: months have four lengths.
            let ends = |length: &&u64| {
                let last = place.saturating_add(**length - 1);
                last <= most && same(last) && (last == most || !same(last + 1))
            };
            let good = match lengths.iter().find(ends) {
                Some(length) => place + length - 1,
                None => last_same(place, most, same),
            };
            runs.push(ValueRun { first: at(place), last: at(good), value });
            if good >= most {
                return Some(runs);
            }
            let length = good - place + 1;
            if lengths.len() < SEEN_LENGTHS && !lengths.contains(&length) {
                lengths.push(length);
            }
            place = good + 1;
            // The first run may be cut short; from the second on their number can be told.
            let ahead = if runs.len() > 1 { (most - place) / length / 2 } else { 0 };
            if runs.len() as u64 + ahead > limit as u64 {
                return None;
            }
        }
    }
}
