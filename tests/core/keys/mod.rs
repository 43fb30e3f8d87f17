//! Row keys made and read back.

mod cases;
mod decode;
mod encode;
mod speed;
