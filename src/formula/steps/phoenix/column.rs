//! The sort order that all columns of a Phoenix key have.

use super::super::step::{Arguments, Bind, Step, StepParameter};
use crate::base::Problem;
use crate::bytes::codec::SortDirection;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order};

/// `'asc'`, which is meant when it is left out, or `'desc'`.
pub(super) const ORDER: StepParameter = StepParameter::Text { name: "order" };

/// A column that needs to be told its order and nothing else.
pub(super) const fn column(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    Step { name, takes, gives: Kind::Bytes, parameters: &[ORDER], required: 0, encoding: true, bind }
}

pub(super) fn sort_order(arguments: Arguments<'_>) -> Result<SortDirection, Problem> {
    arguments.direction("phoenix.sort-order")
}

/// How bytes order that ascending are in this order.
pub(super) fn turned(order: SortDirection, ascending: Order) -> Order {
    match order {
        SortDirection::Ascending => ascending,
        SortDirection::Descending => ascending.then(Order::Reversed),
    }
}

/// The set that bytes of this set become.
pub(super) fn turned_bytes(order: SortDirection, set: Alphabet) -> Alphabet {
    set.bytes().fold(Alphabet::NONE, |all, byte| {
        let mut byte = [byte];
        order.turn(&mut byte);
        all.union(Alphabet::of(&byte))
    })
}
