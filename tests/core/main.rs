//! The promises of the core, a folder for each room of `src/`: one program is compiled and linked in half the time of forty.

mod common;
mod rooms;

mod bytes;
mod records;

mod formula;

mod design;
mod keys;

mod scan;

mod hbase;
mod summary;

mod analysis;
mod compare;
mod emit;
mod gallery;
mod observe;
mod suggest;
