//! What a table takes, and how it grows.

use super::{checked, from_js, thrown_all, to_js};
use crate::error::Problem;
use crate::storage::table::{self, KeyLengths};
use crate::{design, simulate};
use wasm_bindgen::prelude::*;

/// The bytes of `rows` rows of table number `table` of a design document. `lengths` holds `min` and `max`, and `count`
/// and `bytes` of measured keys, as `keys` of a report does; without it the widths of the formula are taken.
#[wasm_bindgen]
pub fn storage(document: &str, table: u32, lengths: JsValue, rows: f64) -> Result<JsValue, JsValue> {
    let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
    let missing = || Problem::new("design.no-such-table").with("table", table);
    let design = checked(study.tables.get(table as usize).ok_or_else(missing))?;
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let lengths = lengths.unwrap_or_else(|| design.typed.shape.width.into());
    to_js(&table::storage(design, lengths, rows as u64))
}

/// Months of a table's life, day by day; see `Spec`.
#[wasm_bindgen]
pub fn simulate(spec: JsValue) -> Result<JsValue, JsValue> {
    let spec: simulate::Spec = from_js(spec, "simulate.wrong-spec")?;
    to_js(&simulate::simulate(&spec).map_err(|problems| thrown_all(&problems))?)
}
