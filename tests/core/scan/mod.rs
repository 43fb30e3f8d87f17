//! Scan plans: the ranges of published practice, and on random designs that no matching row is left out.

mod cases;
mod curves;
mod delivered;
mod limits;
mod priced;
mod random;
mod rows;
mod signed;
mod study;
