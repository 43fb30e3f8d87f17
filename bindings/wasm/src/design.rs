//! Design documents and formulas: what the page and the package do with them beyond keys.

use crate::convert::{checked, from_js, plain, plain_all, set, to_js};
use crate::encode::{Columns, DesignHandle};
use rowscape::key_table::KeyTable;
use rowscape::split::Splits;
use rowscape::{decode, design, formula, row};
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

/// The formula of a row key builder in Java or Scala, for records of these fields, with what it rests on; else the piece that is not
/// understood.
#[wasm_bindgen(js_name = formulaOfCode)]
pub fn formula_of_code(code: &str, fields: JsValue) -> Result<JsValue, JsValue> {
    let fields: Vec<rowscape::field::Field> = from_js(fields, "input.wrong-shape")?;
    match formula::code::read(code, &fields) {
        Ok(found) => to_js(&found),
        Err(problem) => {
            let object: JsValue = js_sys::Object::new().into();
            set(&object, "problem", plain(&problem)?)?;
            Ok(object)
        }
    }
}

/// The fields that some design or query of a document names; none when the document can't be read.
#[wasm_bindgen(js_name = namedFields)]
pub fn named_fields(document: &str) -> Vec<String> {
    let named = |study: design::Document| study.named_fields().into_iter().map(str::to_owned).collect();
    design::parse(document).map(named).unwrap_or_default()
}

/// The split points of a `splits` member of a design, in `\xNN` notation.
#[wasm_bindgen(js_name = splitPoints)]
pub fn split_points(splits: &str) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let points = Splits::from_text(splits).and_then(|splits| splits.points());
    let (points, problems) = match points {
        Ok(points) => (points.iter().map(row::to_string_binary).collect::<Vec<_>>(), Vec::new()),
        Err(problem) => (Vec::new(), vec![problem]),
    };
    set(&object, "points", to_js(&points)?)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// [`DesignHandle::decode`] of a table of a document, the key in the notation of the HBase shell (`\xNN`).
#[wasm_bindgen(js_name = decodeKey)]
pub fn decode_key(document: &str, table: Option<String>, key: &str) -> Result<JsValue, JsValue> {
    let key = checked(row::from_string_binary(key))?;
    DesignHandle::new(document, table)?.decode(&key)
}

#[wasm_bindgen(js_class = Design)]
impl DesignHandle {
    /// The document in normal form.
    pub fn document(&self) -> Result<JsValue, JsValue> {
        let Some((study, _)) = self.table() else { return Ok(JsValue::NULL) };
        to_js(&design::normal_form(study))
    }

    /// Two records that share a key: two of those given, or else two made up; null when the formula keeps all apart, or
    /// none were found.
    pub fn collision(&self, given: Option<Columns>) -> Result<JsValue, JsValue> {
        let Some((study, table)) = self.table() else { return Ok(JsValue::NULL) };
        let among = match given {
            Some(given) => {
                let (records, keys) = self.keys(&given)?;
                let sorted = KeyTable::new(keys, 0);
                decode::collision_among(&table.typed, &study.fields, &records, &sorted)
            }
            None => None,
        };
        to_js(&among.or_else(|| decode::collision(&table.typed, &study.fields)))
    }
}
