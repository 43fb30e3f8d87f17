//! Cells as HBase measures them.

use crate::convert::{checked, from_js, thrown, to_js};
use rowscape::Problem;
use rowscape::row::{self, MAX_ROW_LENGTH};
use rowscape::split;
use rowscape::storage::key_value;
use wasm_bindgen::prelude::*;

/// The bytes of a cell from those of its parts.
#[wasm_bindgen(js_name = keyValue)]
pub fn key_value(parts: JsValue) -> Result<JsValue, JsValue> {
    let parts = from_js(parts, "input.wrong-shape")?;
    to_js(&checked(key_value::size(parts))?)
}

/// Throws when HBase takes no row (`row`), row to scan from (`start`), or split key (`split`, of a table whose name has
/// `table` bytes) of this length.
#[wasm_bindgen(js_name = checkLength)]
pub fn check_length(what: &str, length: f64, table: f64) -> Result<(), JsValue> {
    // A length has 64 bits here, so that an error names it as it was given.
    let (length, longest) = (length as u64, MAX_ROW_LENGTH as u64);
    let refused =
        |code, limit: u64| Err(thrown(&Problem::new(code).with("length", length).with("limit", limit)));
    let limit = split::longest_split_key(table as usize) as u64;
    match what {
        "start" if length > longest => refused("row.start-too-long", longest),
        "start" => Ok(()),
        "split" if length == 0 => refused("split.empty-key", limit),
        "split" if length > limit => refused("split.key-too-long", limit),
        "split" => Ok(()),
        _ if length > longest => refused("row.too-long", longest),
        _ => checked(row::check_length(length as usize)),
    }
}
