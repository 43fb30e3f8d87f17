//! Bytes as HBase writes and orders them.

use crate::convert::checked;
use rowscape::row;
use wasm_bindgen::prelude::*;

/// `Bytes.toStringBinary`.
#[wasm_bindgen(js_name = toStringBinary)]
pub fn to_string_binary(bytes: &[u8]) -> String {
    row::to_string_binary(bytes)
}

/// Reads `\xNN` notation; `as_hbase`: exactly as `Bytes.toBytesBinary`, which takes what it does not understand as text.
#[wasm_bindgen(js_name = toBytesBinary)]
pub fn to_bytes_binary(text: &str, as_hbase: bool) -> Result<Vec<u8>, JsValue> {
    checked(if as_hbase { row::to_bytes_binary(text) } else { row::from_string_binary(text) })
}

/// The stop row of a scan over a prefix; empty at the table's end.
#[wasm_bindgen(js_name = prefixStop)]
pub fn prefix_stop(prefix: &[u8]) -> Vec<u8> {
    row::prefix_stop_row(prefix)
}
