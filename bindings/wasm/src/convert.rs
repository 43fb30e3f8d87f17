//! Values across the boundary: documents and reports as plain objects, refusals as errors.

use js_sys::{Reflect, Uint8Array, Uint32Array};
use rowscape::bytes::strings::ByteStrings;
use rowscape::error::Problem;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A value as plain objects, arrays, strings and numbers.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&rowscape::json::text(value))
}

/// A plain object, array, text or number as a value.
#[cfg(feature = "whole")]
pub fn from_js<T: serde::de::DeserializeOwned>(value: JsValue, code: &'static str) -> Result<T, JsValue> {
    let value = read(&value).map_err(|error| (error, code));
    value.and_then(|value| T::deserialize(value).map_err(|error| (error.to_string(), code))).map_err(wrong)
}

/// A JavaScript value as `JSON.stringify` writes it; nothing for `undefined`.
#[cfg(feature = "whole")]
pub fn read(value: &JsValue) -> Result<serde_json::Value, String> {
    let text = js_sys::JSON::stringify(value).map_err(|error| {
        let error: Option<&js_sys::Error> = error.dyn_ref();
        error.map_or_else(String::new, |error| error.message().into())
    })?;
    match JsValue::from(text).as_string() {
        Some(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        None => Ok(serde_json::Value::Null),
    }
}

#[cfg(feature = "whole")]
pub fn wrong((error, code): (String, &'static str)) -> JsValue {
    thrown(&Problem::new(code).with("error", error))
}

pub fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) -> Result<(), JsValue> {
    Reflect::set(object, &name.into(), &value.into()).map(|_| ())
}

/// A problem as a plain object with its English sentence.
pub fn plain(problem: &Problem) -> Result<JsValue, JsValue> {
    let object = to_js(problem)?;
    set(&object, "message", problem.sentence())?;
    Ok(object)
}

pub fn plain_all(problems: &[Problem]) -> Result<JsValue, JsValue> {
    Ok(problems.iter().map(plain).collect::<Result<js_sys::Array, _>>()?.into())
}

/// A problem as a JavaScript `Error` to throw.
pub fn thrown(problem: &Problem) -> JsValue {
    let error = js_sys::Error::new(&problem.to_string());
    error.set_name("RowscapeError");
    if let Ok(object) = plain(problem) {
        let _ = js_sys::Object::assign(&error, &object.unchecked_into());
    }
    error.into()
}

/// All that is wrong as one JavaScript `Error`: the first of the problems, all of them under `problems`.
pub fn thrown_all(problems: &[Problem]) -> JsValue {
    let error = thrown(problems.first().unwrap_or(&Problem::new("design.invalid")));
    if let Ok(all) = plain_all(problems) {
        let _ = set(&error, "problems", all);
    }
    error
}

/// The result, or the error to throw.
pub fn checked<T>(result: Result<T, Problem>) -> Result<T, JsValue> {
    result.map_err(|problem| thrown(&problem))
}

/// Byte strings as `bytes`, laid end to end, and `ends`.
pub fn columns(strings: &ByteStrings) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    set(&object, "bytes", Uint8Array::from(strings.bytes.as_slice()))?;
    set(&object, "ends", Uint32Array::from(strings.ends.as_slice()))?;
    Ok(object)
}
