//! The JavaScript surface: handles and columns across the boundary, no logic; one file a subject.
//!
//! Documents and reports cross as plain objects, rows as typed arrays copied out of wasm memory. Every refusal is an
//! `Error` with `code`, `place` and `args` beside its English `message`.

mod analysis;
mod bytes;
mod codec;
mod compare;
mod decode;
mod design;
#[cfg(feature = "emit")]
mod emit;
mod encode;
mod existing;
mod hash;
mod plan;
mod records;
mod review;
mod salt;
pub(crate) mod sentences;
mod splits;
mod storage;
mod stream;
mod value;

use crate::error::Problem;
use crate::formula::vector::ByteStrings;
use js_sys::{Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A value as plain objects, arrays, strings and numbers.
fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&crate::json::text(value))
}

/// A plain object, array, text or number as a value.
fn from_js<T: serde::de::DeserializeOwned>(value: JsValue, code: &'static str) -> Result<T, JsValue> {
    let value = read(&value).map_err(|error| (error, code));
    value.and_then(|value| T::deserialize(value).map_err(|error| (error.to_string(), code))).map_err(wrong)
}

/// What JavaScript's `JSON` makes of a value; nothing is what it makes of `undefined`.
fn read(value: &JsValue) -> Result<serde_json::Value, String> {
    let text = js_sys::JSON::stringify(value).map_err(|error| {
        let error: Option<&js_sys::Error> = error.dyn_ref();
        error.map_or_else(String::new, |error| error.message().into())
    })?;
    match JsValue::from(text).as_string() {
        Some(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        None => Ok(serde_json::Value::Null),
    }
}

fn wrong((error, code): (String, &'static str)) -> JsValue {
    thrown(&Problem::new(code).with("error", error))
}

fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) -> Result<(), JsValue> {
    Reflect::set(object, &name.into(), &value.into()).map(|_| ())
}

/// A problem as a plain object with its English sentence.
fn plain(problem: &Problem) -> Result<JsValue, JsValue> {
    let object = to_js(problem)?;
    set(&object, "message", problem.sentence())?;
    Ok(object)
}

fn plain_all(problems: &[Problem]) -> Result<JsValue, JsValue> {
    Ok(problems.iter().map(plain).collect::<Result<js_sys::Array, _>>()?.into())
}

/// A problem as a JavaScript `Error` to throw.
fn thrown(problem: &Problem) -> JsValue {
    let error = js_sys::Error::new(&problem.to_string());
    error.set_name("RowscapeError");
    if let Ok(object) = plain(problem) {
        let _ = js_sys::Object::assign(&error, &object.unchecked_into());
    }
    error.into()
}

/// All that is wrong as one JavaScript `Error`: the first of the problems, all of them under `problems`.
fn thrown_all(problems: &[Problem]) -> JsValue {
    let error = thrown(problems.first().unwrap_or(&Problem::new("design.invalid")));
    if let Ok(all) = plain_all(problems) {
        let _ = set(&error, "problems", all);
    }
    error
}

/// What was made, or the refusal to throw.
fn checked<T>(result: Result<T, Problem>) -> Result<T, JsValue> {
    result.map_err(|problem| thrown(&problem))
}

/// Byte strings as `bytes`, laid end to end, and `ends`.
fn columns(strings: &ByteStrings) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    set(&object, "bytes", Uint8Array::from(strings.bytes.as_slice()))?;
    set(&object, "ends", Uint32Array::from(strings.ends.as_slice()))?;
    Ok(object)
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
