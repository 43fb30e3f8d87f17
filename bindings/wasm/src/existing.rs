//! Tables as they are, and the way from there.

use crate::convert::{checked, plain, plain_all, set, to_js};
use rowscape::emit::act_commands;
use rowscape::existing::{self, ExistingTable};
use rowscape::split::Splits;
use wasm_bindgen::prelude::*;

/// Tables read from output of HBase's shell, a file of split keys or a list of row keys; `plain` says which of
/// the last two plain lines are: `splits` or `keys`.
#[wasm_bindgen(js_name = existingTables)]
pub fn existing_tables(text: &str, plain: Option<String>) -> Result<JsValue, JsValue> {
    let found = existing::read(text, plain.as_deref());
    let object = to_js(&found)?;
    set(&object, "problems", plain_all(&found.problems)?)?;
    let tables = found.tables.iter().map(judged).collect::<Result<js_sys::Array, _>>()?;
    set(&object, "tables", tables)?;
    Ok(object)
}

/// A table with what its figures say, and the commands for that.
fn judged(table: &ExistingTable) -> Result<JsValue, JsValue> {
    let object = to_js(table)?;
    let judgement = match existing::judge(table) {
        Some(found) => {
            let judgement = to_js(&found)?;
            set(&judgement, "verdict", plain(&found.verdict)?)?;
            set(&judgement, "commands", act_commands(table, &found.acts))?;
            judgement
        }
        None => JsValue::NULL,
    };
    set(&object, "judgement", judgement)?;
    Ok(object)
}

/// Splits and merges from one way of splitting a table to another, each as the `splits` member of a design.
#[wasm_bindgen]
pub fn reshape(from: &str, to: &str) -> Result<JsValue, JsValue> {
    let points = |splits: &str| checked(Splits::from_text(splits).and_then(|splits| splits.points()));
    to_js(&existing::reshape(&points(from)?, &points(to)?))
}
