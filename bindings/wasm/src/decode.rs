//! Row keys back into fields.

use crate::convert::{checked, plain, plain_all, set, to_js};
use crate::encode::{Columns, DesignHandle};
use js_sys::{Array, Reflect};
use rowscape::key_table::KeyTable;
use rowscape::{decode, row};
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

/// [`DesignHandle::decode`] of a table of a document, the key in the notation of the HBase shell (`\xNN`).
#[wasm_bindgen(js_name = decodeKey)]
pub fn decode_key(document: &str, table: Option<String>, key: &str) -> Result<JsValue, JsValue> {
    let key = checked(row::from_string_binary(key))?;
    DesignHandle::new(document, table)?.decode(&key)
}
