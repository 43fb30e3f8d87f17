//! Designs side by side, with figures of published cases.

mod cases;
mod designs;
mod migrate;
mod sides;
mod sweeps;
