//! Phoenix's SQL: read by the module for files that are no plain records, which is loaded when there is some.

use rowscape::hbase::phoenix::{PhoenixText, is_sql, read};
use rowscape::json;
use wasm_bindgen::prelude::*;

/// The design of statements, `null` where they create no table, and the problems, as JSON; `null` for a text that is no SQL.
#[wasm_bindgen(js_name = phoenixDesign)]
pub fn phoenix_design(text: &str) -> String {
    if !is_sql(text) {
        return "null".to_owned();
    }
    let PhoenixText { design, problems } = read(text);
    format!("{{\"design\":{},\"problems\":{}}}", json::text(&design), json::text(&problems))
}
