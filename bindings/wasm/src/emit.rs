//! Exports of a design.

use crate::convert::{checked, from_js, set};
use crate::encode::DesignHandle;
use js_sys::{Array, Object};
use rowscape::emit::{self, EMITTERS, EmitSubject, EmittedText, HbaseVersion};
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
    /// A text by its name: `file`, `language` and `text`. `lengths` as in `storage`; `hbase`: the version it is for; `kind`: the kind
    /// of records whose row key is meant, where the text is of one and the table holds several.
    pub fn emit(
        &self,
        name: &str,
        lengths: JsValue,
        hbase: Option<String>,
        kind: Option<String>,
    ) -> Result<JsValue, JsValue> {
        if let Some(kind) = kind.filter(|_| emit::is_of_key(name)) {
            return self.of_kind(&kind)?.emit(name, lengths, hbase, None);
        }
        let Some(mut subject) = self.subject(hbase)? else { return Ok(JsValue::NULL) };
        let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
        subject.lengths = lengths.unwrap_or(subject.lengths);
        object(checked(emit::emit(name, &subject))?)
    }

    /// A text that leads from the design that the table has so far to this one.
    #[wasm_bindgen(js_name = emitFrom)]
    pub fn emit_from(
        &self,
        name: &str,
        from: &DesignHandle,
        hbase: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let (Some(subject), Some(from)) = (self.subject(hbase)?, from.subject(None)?) else {
            return Ok(JsValue::NULL);
        };
        object(checked(emit::emit_from(name, &from, &subject))?)
    }
}

impl DesignHandle {
    fn subject(&self, hbase: Option<String>) -> Result<Option<EmitSubject<'_>>, JsValue> {
        let Some((study, design)) = self.table() else { return Ok(None) };
        let mut subject = EmitSubject::new(study, design, self.points());
        if let Some(version) = hbase {
            subject.hbase = checked(HbaseVersion::named(&version))?;
        }
        Ok(Some(subject))
    }
}

fn object(emitted: EmittedText) -> Result<JsValue, JsValue> {
    let object: JsValue = Object::new().into();
    set(&object, "file", emitted.file)?;
    set(&object, "language", emitted.language)?;
    set(&object, "text", emitted.text)?;
    Ok(object)
}
