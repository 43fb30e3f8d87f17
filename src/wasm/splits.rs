//! Split points.

use super::{plain_all, set, to_js};
use crate::{row, split};
use wasm_bindgen::prelude::*;

/// The split points of a `splits` member of a design, in `\xNN` notation.
#[wasm_bindgen(js_name = splitPoints)]
pub fn split_points(splits: &str) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let points = split::Splits::from_text(splits).and_then(|splits| splits.points());
    let (points, problems) = match points {
        Ok(points) => (points.iter().map(row::to_string_binary).collect::<Vec<_>>(), Vec::new()),
        Err(problem) => (Vec::new(), vec![problem]),
    };
    set(&object, "points", to_js(&points)?)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}
