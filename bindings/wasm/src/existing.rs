//! Tables as they are, and the way from there.

use crate::convert::{checked, plain_all, set, to_js};
use rowscape::existing;
use rowscape::split::Splits;
use wasm_bindgen::prelude::*;

/// Tables read from output of HBase's shell, a file of split keys or a list of row keys; `plain` says which of
/// the last two plain lines are: `splits` or `keys`.
#[wasm_bindgen(js_name = existingTables)]
pub fn existing_tables(text: &str, plain: Option<String>) -> Result<JsValue, JsValue> {
    let found = existing::read(text, plain.as_deref());
    let object = to_js(&found)?;
    set(&object, "problems", plain_all(&found.problems)?)?;
    Ok(object)
}

/// Splits and merges from one way of splitting a table to another, each as the `splits` member of a design.
#[wasm_bindgen]
pub fn reshape(from: &str, to: &str) -> Result<JsValue, JsValue> {
    let points = |splits: &str| checked(Splits::from_text(splits).and_then(|splits| splits.points()));
    to_js(&existing::reshape(&points(from)?, &points(to)?))
}
