//! Designs side by side, with figures of published cases.

#[path = "compare/cases.rs"]
mod cases;
#[path = "compare/designs.rs"]
mod designs;
#[path = "compare/sides.rs"]
mod sides;
#[path = "compare/sweeps.rs"]
mod sweeps;
