//! Scan plans: the ranges of published practice, and on random designs that no matching row is left out.

#[path = "plans/cases.rs"]
mod cases;
#[path = "plans/limits.rs"]
mod limits;
#[path = "plans/random.rs"]
mod random;
#[path = "plans/study.rs"]
mod study;
