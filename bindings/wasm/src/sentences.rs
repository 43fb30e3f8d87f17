//! The sentences, which the module asks of who loaded it.

use js_sys::{Function, JsString};
use std::borrow::Cow;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static SENTENCES: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Says where sentences come from: `of(code)` gives one as `data/messages/en.json` has it, or nothing. Without it codes stand
/// for themselves.
#[wasm_bindgen(js_name = setSentences)]
pub fn set_sentences(of: Function) {
    SENTENCES.with_borrow_mut(|sentences| *sentences = Some(of));
}

/// The sentence of a code, its arguments not filled in.
pub fn template(code: &str) -> Option<Cow<'static, str>> {
    let of = SENTENCES.with_borrow(Clone::clone)?;
    let sentence = of.call1(&JsValue::NULL, &JsString::from(code)).ok()?;
    sentence.as_string().map(Cow::Owned)
}
