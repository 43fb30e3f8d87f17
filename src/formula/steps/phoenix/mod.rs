//! Columns of a Phoenix primary key, by their types in SQL: `phoenix.bigint`, `phoenix.varchar` and so on.
//!
//! The bytes are those that `UPSERT` of Phoenix 5.2.1 writes. What Phoenix would change without a word is refused.

mod fixed;
mod varying;

pub use fixed::*;
pub use varying::*;

use super::{Arguments, Bound, Parameter, Step};
use crate::codec::phoenix::SortOrder;
use crate::error::Problem;
use crate::field::Kind;
use crate::formula::properties::{Alphabet, Order, Shape};

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

fn sort_order(arguments: Arguments<'_>) -> Result<SortOrder, Problem> {
    match arguments.text(0) {
        "" | "asc" => Ok(SortOrder::Ascending),
        "desc" => Ok(SortOrder::Descending),
        other => Err(Problem::new("phoenix.sort-order").with("found", other)),
    }
}

/// How bytes order that ascending are in this order.
fn turned(order: SortOrder, ascending: Order) -> Order {
    match order {
        SortOrder::Ascending => ascending,
        SortOrder::Descending => ascending.then(Order::Reversed),
    }
}

/// What bytes of this set become.
fn turned_bytes(order: SortOrder, set: Alphabet) -> Alphabet {
    set.bytes().fold(Alphabet::NONE, |all, byte| {
        let mut byte = [byte];
        order.turn(&mut byte);
        all.union(Alphabet::of(&byte))
    })
}
