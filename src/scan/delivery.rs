//! In which order rows come out of the ranges, against the order they are wanted in.

use super::chain::StepChain;
use super::choices::{ChoiceReason, few};
use super::domain::FieldDomain;
use super::known::{KnownRanges, ValueRange};
use super::piece::KeyPiece;
use super::range::KeyRange;
use super::walk::{WalkEnd, WalkOutcome, WalkState};
use crate::base::map::Set;
use crate::design::{Constant, OrderDirection};
use crate::formula::sequence;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, Shape};
use serde::Serialize;

/// The work that brings rows into the wanted order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowDelivery {
    /// The scan has to run from the last row to the first: `Scan.setReversed`.
    pub reversed: bool,
    /// Several scans come sorted each by itself and have to be merged row by row.
    pub merge: bool,
    /// Keys are in another order: all rows have to be read, then sorted.
    pub sort: bool,
    /// Bytes at the beginning of a key by which rows are in order, where rows that have them in common are in any order among
    /// themselves and have to be sorted: a part that rounds the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tied: Option<usize>,
    /// The facts about values that the order of keys rests on, beside the design and the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<OrderBasis>,
}

/// The source that rules out values which break the order of keys, when the design and the query do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum OrderBasis {
    /// The values of the records at hand.
    Records,
    /// Nothing: it is taken for granted that no value is negative.
    NotNegative,
}

/// How rows are delivered, and in which turn the ranges are read for it.
#[derive(Default)]
pub(super) struct DeliveryPlan {
    pub delivery: RowDelivery,
    /// Ranges by index in the order their scans run, where that is not the order of the keys.
    pub turns: Vec<usize>,
    /// The piece whose values tie, by index.
    pub tying: Option<usize>,
}

impl DeliveryPlan {
    fn new(delivery: RowDelivery) -> Self {
        Self { delivery, ..Self::default() }
    }

    /// The less there is left to sort, the better.
    fn rank(&self) -> u8 {
        match self.delivery {
            RowDelivery { sort: true, .. } => 0,
            RowDelivery { tied: Some(_), .. } => 1,
            _ => 2,
        }
    }
}

/// For rows wanted in order of a field, out of merged ranges.
pub(super) fn delivery(
    (field, kind): (usize, Kind),
    direction: OrderDirection,
    outcome: &WalkOutcome,
    pieces: &[KeyPiece],
    ranges: &[KeyRange],
    known: &KnownRanges,
) -> DeliveryPlan {
    let asked = AskedOrder { field, kind, direction, outcome, pieces, ranges };
    let plain = asked.delivered(None);
    let whole = matches!(kind, Kind::Integer | Kind::Time);
    if plain.rank() == 2 || !whole {
        return plain;
    }
    let (values, basis) = match known.get(field) {
        Some(values) => (values, OrderBasis::Records),
        None => (ValueRange { first: 0, last: i64::MAX, unit: 1 }, OrderBasis::NotNegative),
    };
    let by_values = asked.delivered(Some(values));
    if by_values.rank() <= plain.rank() {
        return plain;
    }
    DeliveryPlan { delivery: RowDelivery { basis: Some(basis), ..by_values.delivery }, ..by_values }
}

/// The least and the greatest value of a field behind a prefix.
type ValueStretch = (Constant, Constant);

/// Ranges that a state reads.
struct OwnRanges {
    /// Those of the merged ranges that hold them, by index.
    places: Vec<usize>,
    /// The first row.
    start: Vec<u8>,
}

struct AskedOrder<'a> {
    field: usize,
    kind: Kind,
    direction: OrderDirection,
    outcome: &'a WalkOutcome,
    pieces: &'a [KeyPiece<'a>],
    ranges: &'a [KeyRange],
}

impl AskedOrder<'_> {
    /// How rows come when the field has no values but these.
    fn delivered(&self, values: Option<ValueRange>) -> DeliveryPlan {
        let states = &self.outcome.states;
        let with = DeliveryPlan::new;
        let forward = RowDelivery::default();
        let sort = || with(RowDelivery { sort: true, ..forward });
        let first = states.first().map(|state| self.domain(state));
        let first = first.as_ref().and_then(FieldDomain::known);
        if first.is_some() && states.iter().all(|state| self.domain(state).known() == first) {
            return with(forward);
        }
        let stretches: Option<Vec<ValueStretch>> =
            states.iter().map(|state| stretch(self.domain(state), self.kind)).collect();
        if stretches.as_ref().is_some_and(|all| all.iter().all(|(first, last)| first == last)) {
            // One value each: whichever way rows with it are read.
            let backward = RowDelivery { reversed: true, ..forward };
            let turned = |delivery: RowDelivery| {
                let turns = self.one_after_another(stretches.as_ref()?, delivery.reversed)?;
                Some(DeliveryPlan { turns, ..DeliveryPlan::new(delivery) })
            };
            return turned(forward).or_else(|| turned(backward)).unwrap_or_else(sort);
        }
        let (Some(state), &(WalkEnd::Ranges(at, _) | WalkEnd::Stopped(at))) =
            (states.first(), &self.outcome.end)
        else {
            return if states.len() > 1 { sort() } else { with(forward) };
        };
        let pieces = self.pieces.get(at..).unwrap_or_default();
        let StoredOrder { order, tying } = stored_order(pieces, self.field, state, values);
        let reversed = match (order, self.direction) {
            (Order::Strict, OrderDirection::Ascending) | (Order::Reversed, OrderDirection::Descending) => {
                false
            }
            (Order::Strict | Order::Reversed, _) => true,
            _ => return sort(),
        };
        let prefix = state.prefix.len();
        let tied = match tying {
            None => None,
            Some((_, length)) if states.iter().all(|state| state.prefix.len() == prefix) => {
                Some(prefix + length)
            }
            Some(_) => return sort(),
        };
        let tying = tying.map(|(piece, _)| at + piece);
        let delivery = RowDelivery { reversed, tied, ..forward };
        let with = |delivery| DeliveryPlan { tying, ..DeliveryPlan::new(delivery) };
        let turns = stretches.and_then(|stretches| self.one_after_another(&stretches, reversed));
        if let Some(turns) = turns {
            return DeliveryPlan { turns, ..with(delivery) };
        }
        // A range in which rows of several prefixes follow each other is in no order itself.
        let mut taken = Set::new();
        let mut own = self.own_ranges().into_iter().flat_map(|own| own.places);
        match own.all(|place| taken.insert(place)) {
            true => with(RowDelivery { merge: self.ranges.len() > 1, ..delivery }),
            false => sort(),
        }
    }

    fn domain(&self, state: &WalkState) -> FieldDomain {
        state.domains.get(self.field).map_or(FieldDomain::Any, |domain| domain.as_ref().clone())
    }

    /// For each state, the ranges that it reads.
    fn own_ranges(&self) -> Vec<OwnRanges> {
        let place = |own: &KeyRange| {
            let after = self.ranges.partition_point(|range| range.start <= own.start);
            after.checked_sub(1).filter(|_| !own.is_empty())
        };
        let of = |own: Vec<KeyRange>| {
            let mut places: Vec<usize> = own.iter().filter_map(place).collect();
            crate::bytes::sort::sort(&mut places);
            places.dedup();
            OwnRanges { places, start: own.into_iter().map(|range| range.start).min().unwrap_or_default() }
        };
        self.outcome.ranges().into_iter().map(of).collect()
    }

    /// The turns of the ranges, empty for the order of keys, when each state has a stretch of values of its own, so that
    /// the scans can be run one after another.
    fn one_after_another(&self, stretches: &[ValueStretch], reversed: bool) -> Option<Vec<usize>> {
        let mut own: Vec<(&ValueStretch, OwnRanges)> = stretches.iter().zip(self.own_ranges()).collect();
        crate::bytes::sort::sort_by(&mut own, |a, b| a.0.cmp(b.0));
        let follows = |before: &ValueStretch, next: &ValueStretch| {
            before.1 < next.0 || (before == next && before.0 == before.1)
        };
        if !own.windows(2).all(|pair| matches!(pair, [before, next] if follows(before.0, next.0))) {
            return None;
        }
        if self.direction == OrderDirection::Descending {
            own.reverse();
        }
        let mut turns: Vec<usize> = Vec::new();
        let mut taken = Set::new();
        let mut before: Option<(&ValueStretch, Vec<u8>)> = None;
        for (values, OwnRanges { places, start }) in own {
            // Different values with the same first row are in no order.
            let goes_on = before.is_none_or(|(of, before)| {
                of == values || if reversed { start < before } else { before < start }
            });
            match places.as_slice() {
                [] => {}
                // Ranges that touch were made one, which is in order as long as keys go on as values do.
                [range] if turns.last() == Some(range) && goes_on => {}
                [range] if taken.insert(*range) => turns.push(*range),
                _ => return None,
            }
            before = Some((values, start));
        }
        let of_keys = turns.iter().enumerate().all(|(place, &range)| {
            let place = if reversed { turns.len().saturating_sub(place + 1) } else { place };
            range == place
        });
        Some(if of_keys { Vec::new() } else { turns })
    }
}

/// The least and the greatest value of a domain that has both.
fn stretch(domain: FieldDomain, kind: Kind) -> Option<ValueStretch> {
    if matches!(kind, Kind::Float | Kind::Decimal) {
        // Columns do not hold them in order.
        return None;
    }
    if let Some(value) = domain.known() {
        return Some((value.clone(), value.clone()));
    }
    match domain.hull(kind) {
        FieldDomain::Numbers(first, last) => Some((Constant::Number(first), Constant::Number(last))),
        _ => None,
    }
}

/// How rows with one prefix are ordered by a field.
struct StoredOrder {
    /// Strict, reversed or none.
    order: Order,
    /// The piece by which they are in order where several values of the field share one, by index, and the bytes up to its
    /// end.
    tying: Option<(usize, usize)>,
}

/// The order when the field has no values but these.
fn stored_order(
    pieces: &[KeyPiece],
    field: usize,
    state: &WalkState,
    values: Option<ValueRange>,
) -> StoredOrder {
    let mut shapes: Vec<(Shape, Vec<usize>)> = Vec::new();
    for piece in pieces {
        let known = few(&piece.expression, &state.domains, 1).filter(|few| few.by == ChoiceReason::Known);
        let known = known.and_then(|few| few.choices.into_iter().next());
        let chain = StepChain::of(&piece.expression).filter(|chain| chain.field == field);
        shapes.push(match (known, chain) {
            (Some(choice), _) => (Shape::literal(choice.value.bytes()), Vec::new()),
            (None, Some(chain)) => {
                let asked = state.domains.get(field).map(|domain| domain.hull(chain.kind()));
                let shape = narrowed(&chain, asked, values);
                (shape.unwrap_or_else(|| piece.shape.clone()), vec![field])
            }
            (None, None) => (piece.shape.clone(), piece.fields.clone()),
        });
    }
    let none = StoredOrder { order: Order::None, tying: None };
    let varies = |(shape, fields): &(Shape, Vec<usize>)| !(shape.distinct == Some(1) && fields.is_empty());
    let Some(lead) = shapes.iter().position(varies) else { return none };
    let Some((shape, _)) = shapes.get(lead).filter(|(_, fields)| *fields == [field]) else { return none };
    let order = sequence(&shapes).order;
    if matches!(order, Order::Strict | Order::Reversed) {
        return StoredOrder { order, tying: None };
    }
    let kept = shapes.get(lead + 1).is_none_or(|(next, _)| shape.keeps_order_before(next));
    let order = match shape.order {
        Order::Weak => Order::Strict,
        Order::WeakReversed => Order::Reversed,
        _ => return none,
    };
    let widths = shapes.iter().take(lead + 1).map(|(shape, _)| shape.width.exact());
    match widths.sum::<Option<u64>>().and_then(|width| usize::try_from(width).ok()) {
        Some(width) if kept => StoredOrder { order, tying: Some((lead, width)) },
        _ => none,
    }
}

/// The shape of a chain for the values that are asked for, as far as the field has them.
fn narrowed(chain: &StepChain, asked: Option<FieldDomain>, values: Option<ValueRange>) -> Option<Shape> {
    let (first, last) = match (asked, values) {
        (Some(FieldDomain::Numbers(first, last)), Some(values)) => {
            // An empty set of values has no order.
            if first > values.last || last < values.first {
                (first, last)
            } else {
                (first.max(values.first), last.min(values.last))
            }
        }
        (Some(FieldDomain::Numbers(first, last)), None) => (first, last),
        (Some(FieldDomain::Any) | None, Some(values)) => (values.first, values.last),
        _ => return None,
    };
    let narrow = chain.narrow_by(first, last, values.map(|values| values.unit))?;
    let once = chain.stretches(first, last).is_some_and(|all| all.len() == 1);
    let order = if once { chain.order_in_stretch(&narrow) } else { narrow.shape.order };
    Some(Shape { order, ..narrow.shape })
}
