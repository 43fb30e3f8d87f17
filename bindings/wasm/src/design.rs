//! Design documents and formulas.

use crate::convert::{from_js, plain_all, set, to_js};
use rowscape::{design, formula};
use wasm_bindgen::prelude::*;

/// The steps and encodings of formulas, for completion and help.
#[wasm_bindgen]
pub fn steps() -> Result<JsValue, JsValue> {
    to_js(&formula::steps::catalogue())
}

/// Reads a design document: its normal form, or what is wrong with it.
#[wasm_bindgen(js_name = checkDesign)]
pub fn check_design(document: &str) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let (design, problems) = match design::parse(document) {
        Ok(study) => (to_js(&design::normal_form(&study))?, Vec::new()),
        Err(problems) => (JsValue::NULL, problems),
    };
    set(&object, "design", design)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// Checks a formula against fields and, of `names`, the members `let` and `lookup` of its document: its parts with their properties, or what is wrong with it.
#[wasm_bindgen(js_name = checkFormula)]
pub fn check_formula(
    source: &str,
    fields: JsValue,
    names: Option<js_sys::Object>,
) -> Result<JsValue, JsValue> {
    let fields: Vec<rowscape::field::Field> = from_js(fields, "input.wrong-shape")?;
    let object: JsValue = js_sys::Object::new().into();
    let names = match names {
        Some(names) => from_js(names.into(), "input.wrong-shape")?,
        None => serde_json::json!({}),
    };
    let scope = design::scope_of(&names, &fields);
    let parsed = formula::parse(source);
    let printed = parsed.as_ref().map_or(JsValue::NULL, |formula| formula.to_string().into());
    let checked = parsed.map_err(|problem| vec![problem]).and_then(|formula| scope?.check(&formula));
    let (parts, problems) = match checked {
        Ok(typed) => (formula::describe::describe(&typed, &fields), Vec::new()),
        Err(problems) => (Vec::new(), problems),
    };
    set(&object, "printed", printed)?;
    set(&object, "parts", to_js(&parts)?)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// The fields that some design or query of a document names; none when the document can't be read.
#[wasm_bindgen(js_name = namedFields)]
pub fn named_fields(document: &str) -> Vec<String> {
    let named = |study: design::Study| study.named_fields().into_iter().map(str::to_owned).collect();
    design::parse(document).map(named).unwrap_or_default()
}
