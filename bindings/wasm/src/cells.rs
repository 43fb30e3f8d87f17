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
    let length = length as usize;
    let refused =
        |code, limit: usize| Err(thrown(&Problem::new(code).with("length", length).with("limit", limit)));
    let limit = split::longest_split_key(table as usize);
    match what {
        "start" if length > MAX_ROW_LENGTH => refused("row.start-too-long", MAX_ROW_LENGTH),
        "start" => Ok(()),
        "split" if length == 0 => refused("split.empty-key", limit),
        "split" if length > limit => refused("split.key-too-long", limit),
        "split" => Ok(()),
        _ => checked(row::check_length(length)),
    }
}
