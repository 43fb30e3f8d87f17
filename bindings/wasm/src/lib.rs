//! The JavaScript surface: handles and columns across the boundary, no logic; one file per subject.
//!
//! Documents and reports cross as plain objects, rows as typed arrays copied out of wasm memory. Every refusal is an
//! `Error` with `code`, `place` and `args` beside its English `message`.
//!
//! A feature per module that is built: `whole` (page, npm package and figures), `keys` (row keys alone), `formats` (files that are no text), `cli` (the command line).

#[cfg(feature = "whole")]
mod analysis;
#[cfg(feature = "keys")]
mod bytes;
#[cfg(feature = "whole")]
mod cells;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "keys")]
mod codec;
#[cfg(feature = "whole")]
mod compare;
#[cfg(feature = "keys")]
mod convert;
#[cfg(feature = "keys")]
mod decode;
#[cfg(feature = "whole")]
mod design;
#[cfg(feature = "whole")]
mod emit;
#[cfg(feature = "keys")]
mod encode;
#[cfg(feature = "whole")]
mod existing;
#[cfg(feature = "formats")]
mod formats;
#[cfg(feature = "keys")]
mod hash;
#[cfg(feature = "formats")]
mod keys;
#[cfg(feature = "formats")]
mod observe;
#[cfg(feature = "whole")]
mod plan;
#[cfg(feature = "whole")]
mod records;
#[cfg(feature = "whole")]
mod review;
#[cfg(feature = "keys")]
mod salt;
#[cfg(feature = "keys")]
mod sentences;
#[cfg(feature = "whole")]
mod slices;
#[cfg(feature = "keys")]
mod splits;
#[cfg(feature = "formats")]
mod sql;
#[cfg(feature = "whole")]
mod storage;
#[cfg(feature = "whole")]
mod stream;
#[cfg(feature = "whole")]
mod suggest;
#[cfg(feature = "whole")]
mod summary;
#[cfg(all(test, target_family = "wasm", feature = "whole"))]
mod tests;
#[cfg(feature = "whole")]
mod tick;
#[cfg(feature = "keys")]
mod value;

#[cfg(feature = "keys")]
use wasm_bindgen::prelude::*;

/// Sets what the core leaves to its host.
#[cfg(feature = "keys")]
#[wasm_bindgen(start)]
pub fn start() {
    rowscape::base::host::set_sentence(sentences::template);
    rowscape::base::host::set_parse_float(value::parsed);
}

/// The version of the package.
#[cfg(feature = "whole")]
#[wasm_bindgen]
pub fn version() -> String {
    rowscape::VERSION.to_owned()
}
