//! The core in wasm under Node.
#![cfg(target_arch = "wasm32")]

mod common;
