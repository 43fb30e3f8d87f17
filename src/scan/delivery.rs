//! In which order rows come out of the ranges, against the order they are wanted in.

use super::chain::StepChain;
use super::choices::{ChoiceReason, few};
use super::domain::FieldDomain;
use super::piece::KeyPiece;
use super::walk::{WalkEnd, WalkOutcome, WalkState};
use crate::design::OrderDirection;
use crate::formula::sequence;
use crate::records::field::Kind;
use crate::records::field::shape::{Order, Shape};
use serde::Serialize;

/// What has to be done for rows to come in the order asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowDelivery {
    /// The scan has to run from the last row to the first: `Scan.setReversed`.
    pub reversed: bool,
    /// Several scans come sorted each by itself and have to be merged row by row.
    pub merge: bool,
    /// Keys are in another order: all rows have to be read, then sorted.
    pub sort: bool,
}

/// For rows wanted in order of a field.
pub(super) fn delivery(
    (field, kind): (usize, Kind),
    direction: OrderDirection,
    outcome: &WalkOutcome,
    pieces: &[KeyPiece],
    ranges: usize,
) -> RowDelivery {
    let sort = RowDelivery { sort: true, ..RowDelivery::default() };
    let of = |state: &WalkState| state.domains.get(field).cloned().unwrap_or(FieldDomain::Any);
    if outcome.states.iter().all(|state| of(state).known().is_some()) {
        return RowDelivery::default();
    }
    let (Some(state), &(WalkEnd::Ranges(at, _) | WalkEnd::Stopped(at))) =
        (outcome.states.first(), &outcome.end)
    else {
        return RowDelivery { sort: outcome.states.len() > 1, ..RowDelivery::default() };
    };
    let stored = stored_order(pieces.get(at..).unwrap_or_default(), field, state);
    let reversed = match (stored, direction) {
        (Order::Strict, OrderDirection::Ascending) | (Order::Reversed, OrderDirection::Descending) => false,
        (Order::Strict | Order::Reversed, _) => true,
        _ => return sort,
    };
    RowDelivery {
        reversed,
        merge: ranges > 1 && !one_after_another(outcome.states.iter().map(|state| of(state).hull(kind))),
        sort: false,
    }
}

/// Whether each state has a range of its own, so that the scans can be run one after another.
fn one_after_another(domains: impl Iterator<Item = FieldDomain>) -> bool {
    let mut ends = Vec::new();
    for domain in domains {
        match domain {
            FieldDomain::Numbers(first, last) => ends.push((first, last)),
            _ => return false,
        }
    }
    crate::bytes::sort::sort(&mut ends);
    ends.windows(2).all(|pair| matches!(pair, [before, next] if before.1 < next.0))
}

/// How rows with one prefix are ordered by a field.
fn stored_order(pieces: &[KeyPiece], field: usize, state: &WalkState) -> Order {
    let mut shapes: Vec<(Shape, Vec<usize>)> = Vec::new();
    for piece in pieces {
        let known = few(&piece.expression, &state.domains, 1).filter(|few| few.by == ChoiceReason::Known);
        let known = known.and_then(|few| few.choices.into_iter().next());
        let chain = StepChain::of(&piece.expression).filter(|chain| chain.field == field);
        shapes.push(match (known, chain) {
            (Some(choice), _) => (Shape::literal(choice.value.bytes()), Vec::new()),
            (None, Some(chain)) => {
                let shape = match state.domains.get(field).map(|domain| domain.hull(chain.kind())) {
                    Some(FieldDomain::Numbers(first, last)) => {
                        chain.narrow(first, last).map(|narrow| Shape {
                            order: match chain.stretches(first, last) {
                                Some(all) if all.len() == 1 => chain.order_in_stretch(&narrow),
                                _ => narrow.shape.order,
                            },
                            ..narrow.shape
                        })
                    }
                    _ => None,
                };
                (shape.unwrap_or_else(|| piece.shape.clone()), vec![field])
            }
            (None, None) => (piece.shape.clone(), piece.fields.clone()),
        });
    }
    match shapes.iter().find(|(shape, fields)| !(shape.distinct == Some(1) && fields.is_empty())) {
        Some((_, fields)) if *fields == [field] => sequence(&shapes).order,
        _ => Order::None,
    }
}
