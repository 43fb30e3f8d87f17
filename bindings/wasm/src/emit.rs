//! Exports of a design.

use crate::convert::{checked, from_js, set};
use crate::encode::DesignHandle;
use js_sys::{Array, Object};
use rowscape::emit::{self, EMITTERS, EmitSubject, HbaseVersion};
use rowscape::storage::table::KeyLengths;
use wasm_bindgen::prelude::*;

/// The texts that a design can be taken as: `name` and `language` of each.
#[wasm_bindgen]
pub fn emitters() -> Result<JsValue, JsValue> {
    let all = Array::new();
    for emitter in EMITTERS {
        let object: JsValue = Object::new().into();
        set(&object, "name", emitter.name)?;
        set(&object, "language", emitter.language)?;
        all.push(&object);
    }
    Ok(all.into())
}

#[wasm_bindgen(js_class = Design)]
impl DesignHandle {
    /// A text by its name: `file`, `language` and `text`. `lengths` as in `storage`; `hbase`: the version it is for.
    pub fn emit(&self, name: &str, lengths: JsValue, hbase: Option<String>) -> Result<JsValue, JsValue> {
        let Some((study, design)) = self.table() else { return Ok(JsValue::NULL) };
        let mut subject = EmitSubject::new(study, design, self.points());
        let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
        subject.lengths = lengths.unwrap_or(subject.lengths);
        if let Some(version) = hbase {
            subject.hbase = checked(HbaseVersion::named(&version))?;
        }
        let emitted = checked(emit::emit(name, &subject))?;
        let object: JsValue = Object::new().into();
        set(&object, "file", emitted.file)?;
        set(&object, "language", emitted.language)?;
        set(&object, "text", emitted.text)?;
        Ok(object)
    }
}
