//! Tables as they are, and the way from there.

use crate::convert::{checked, from_js, plain, plain_all, set, to_js};
use rowscape::emit::{act_commands, reshape_commands};
use rowscape::existing::{self, ExistingRegion, ExistingTable, ReshapeStep};
use rowscape::split::Splits;
use serde::Deserialize;
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

/// A region as a merge names it.
#[derive(Deserialize)]
struct NamedRegion {
    start: String,
    stop: String,
    encoded: Option<String>,
}

/// The commands of the shell that do steps of `reshape`; `regions` have the encoded names of those that are there.
#[wasm_bindgen(js_name = reshapeCommands)]
pub fn commands_of(table: &str, steps: JsValue, regions: JsValue) -> Result<String, JsValue> {
    let steps: Vec<ReshapeStep> = from_js(steps, "reshape.wrong-steps")?;
    let regions: Vec<NamedRegion> = from_js(regions, "reshape.wrong-steps")?;
    let region = |NamedRegion { start, stop, encoded }| ExistingRegion {
        start,
        stop,
        encoded,
        ..ExistingRegion::default()
    };
    let regions: Vec<ExistingRegion> = regions.into_iter().map(region).collect();
    Ok(reshape_commands(table, &steps, &regions))
}
