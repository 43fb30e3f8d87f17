//! Row keys made and read back.

mod cases;
mod cells;
mod decode;
mod encode;
mod kind_fixes;
mod kinds;
mod speed;
