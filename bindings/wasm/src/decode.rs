//! Row keys back into fields.

use crate::convert::{checked, plain, plain_all, set, to_js};
use crate::encode::DesignHandle;
use js_sys::{Array, Reflect};
use rowscape::decode;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_class = Design)]
impl DesignHandle {
    /// A key back into parts and fields, with why those are lost that it does not tell.
    pub fn decode(&self, key: &[u8]) -> Result<JsValue, JsValue> {
        let Some((study, table)) = self.table() else { return Ok(JsValue::NULL) };
        let decoded = checked(decode::decode(&table.typed, &study.fields, key))?;
        let object = to_js(&decoded)?;
        set(&object, "problems", plain_all(&decoded.problems)?)?;
        let fields: Array = Reflect::get(&object, &"fields".into())?.unchecked_into();
        for (field, plain_field) in decoded.fields.iter().zip(fields.iter()) {
            if let Some(lost) = &field.lost {
                set(&plain_field, "lost", plain(lost)?)?;
            }
        }
        Ok(object)
    }
}
