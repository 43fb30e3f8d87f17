//! The shipped designs: the keys, regions and findings that each has to give.

mod asked;
mod binary;
mod calls;
mod cases;
mod claims;
mod correct_it;
mod examples;
mod good;
mod lists;
mod logs;
pub mod opened;
mod orders;
mod principles;
mod products;
mod salts;
mod shown;
mod slices;
mod sources;
mod splits;
mod telemetry;
mod thinned;
mod threads;
mod weblog;
mod whole;
