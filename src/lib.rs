//! Design an HBase row key and see where its rows land, before the table exists.

pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod codec;
pub mod compare;
pub mod decode;
pub mod design;
pub mod encode;
pub mod error;
pub mod existing;
pub mod field;
pub mod findings;
pub mod formula;
pub mod hash;
pub mod ingest;
pub mod json;
pub mod key_table;
pub mod migrate;
pub mod pass;
pub mod records;
pub mod report;
pub mod row;
pub mod salt;
pub mod scan;
pub mod settings;
pub mod simulate;
pub mod sizing;
pub mod sort;
pub mod split;
pub mod storage;
pub mod stream;
pub mod summary;
// The command line is a module of its own, without the surface of the library.
#[cfg(all(target_arch = "wasm32", not(feature = "cli")))]
mod wasm;

pub use error::{Place, Problem};
