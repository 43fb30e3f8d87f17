//! Columns of a Phoenix primary key, by their types in SQL: `phoenix.bigint`, `phoenix.varchar` and so on.
//!
//! The bytes are those that `UPSERT` of Phoenix 5.2.1 writes. What Phoenix would change without a word is refused.

mod fixed;
mod varying;

pub use fixed::*;
pub use varying::*;

use super::{Arguments, Bound, Parameter, Step};
use crate::base::Problem;
use crate::bytes::codec::Direction;
use crate::records::field::Kind;
use crate::records::field::shape::{Alphabet, Order, Shape};

/// `'asc'`, which is meant when it is left out, or `'desc'`.
const ORDER: Parameter = Parameter::Text { name: "order" };

const ORDERS: &[&str] = &["('asc')", "('desc')", "()"];

type Bind = fn(Arguments<'_>, &Shape) -> Result<Bound, Problem>;

/// A column that needs to be told its order and nothing else.
const fn column(name: &'static str, takes: &'static [Kind], bind: Bind) -> Step {
    Step {
        name,
        takes,
        gives: Kind::Bytes,
        parameters: &[ORDER],
        required: 0,
        encoding: true,
        samples: ORDERS,
        bind,
    }
}

fn sort_order(arguments: Arguments<'_>) -> Result<Direction, Problem> {
    arguments.direction("phoenix.sort-order")
}

/// How bytes order that ascending are in this order.
fn turned(order: Direction, ascending: Order) -> Order {
    match order {
        Direction::Ascending => ascending,
        Direction::Descending => ascending.then(Order::Reversed),
    }
}

/// What bytes of this set become.
fn turned_bytes(order: Direction, set: Alphabet) -> Alphabet {
    set.bytes().fold(Alphabet::NONE, |all, byte| {
        let mut byte = [byte];
        order.turn(&mut byte);
        all.union(Alphabet::of(&byte))
    })
}
