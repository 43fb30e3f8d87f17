//! JavaScript's values as Java's: a type says what it takes.

use crate::convert::thrown;
use js_sys::{BigInt, Date, JsString, Uint8Array};
use rowscape::Problem;
use rowscape::codec::RefusalCode;
use rowscape::codec::decimal::Decimal;
use serde::Deserialize;
use wasm_bindgen::prelude::*;

/// Greatest whole number that JavaScript's numbers tell from its neighbours.
const SAFE: f64 = 9_007_199_254_740_991.0;

pub(super) fn wrong(value: &JsValue, wanted: &'static str) -> JsValue {
    let found = match value {
        value if value.is_null() => "null".to_owned(),
        // A number, and not only that it is one: 1.5, NaN.
        value if value.as_f64().is_some() => digits(value).unwrap_or_default(),
        value => value.js_typeof().as_string().unwrap_or_default(),
    };
    thrown(&Problem::new("json.wrong-type").with("found", found).with("wanted", wanted))
}

/// The result of a codec, or its error to throw.
pub(super) fn coded<T>(result: Result<T, RefusalCode>) -> Result<T, JsValue> {
    result.map_err(|code| thrown(&Problem::new(code)))
}

/// A `BigDecimal` by its two parts.
#[derive(Deserialize)]
struct Parts {
    /// A text of digits, a `bigint` or a `number`.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    unscaled: JsValue,
    scale: i32,
}

/// A moment whose nanoseconds are told apart.
#[derive(Deserialize)]
struct Instant {
    millis: i64,
    /// The nanoseconds of the second; those of the milliseconds when left out.
    nanos: Option<u32>,
}

/// The bits of a float, hexadecimal: not every NaN survives being a `number`.
#[derive(Deserialize)]
struct Bits {
    bits: String,
}

/// A whole number: a `number` or a `bigint`.
pub(super) fn integer(value: &JsValue) -> Result<i64, JsValue> {
    match value.as_f64() {
        Some(number) if number.trunc() == number && number.abs() <= SAFE => Ok(number as i64),
        None if value.is_bigint() => {
            i64::try_from(value.clone()).map_err(|_| thrown(&Problem::new("field.integer-too-large")))
        }
        _ => Err(wrong(value, "a whole number")),
    }
}

/// The bits of a float given as [`Bits`].
fn bits(value: &JsValue) -> Option<u64> {
    let Bits { bits } = serde_wasm_bindgen::from_value(value.clone()).ok()?;
    u64::from_str_radix(&bits, 16).ok()
}

/// A number of 64 bits.
pub(super) fn double(value: &JsValue) -> Result<f64, JsValue> {
    let number = value.as_f64().or_else(|| bits(value).map(f64::from_bits));
    number.ok_or_else(|| wrong(value, "a number"))
}

/// A number of 32 bits: the nearest.
pub(super) fn float(value: &JsValue) -> Result<f32, JsValue> {
    let bits = || bits(value).and_then(|bits| u32::try_from(bits).ok()).map(f32::from_bits);
    let number = value.as_f64().map(|number| number as f32).or_else(bits);
    number.ok_or_else(|| wrong(value, "a number"))
}

/// A decimal number: `{ unscaled, scale }`, a text as `new BigDecimal(String)` takes it, a `bigint`, or a `number`
/// as JavaScript prints it.
pub(super) fn decimal(value: &JsValue) -> Result<Decimal, JsValue> {
    let refuse = || wrong(value, "a decimal number");
    if let Some(text) = digits(value) {
        return coded(Decimal::parse(text.as_bytes()));
    }
    let Parts { unscaled, scale } = serde_wasm_bindgen::from_value(value.clone()).map_err(|_| refuse())?;
    let text = digits(&unscaled).ok_or_else(refuse)?;
    let numerals = text.strip_prefix('-').unwrap_or(&text);
    let numbers: Option<Vec<u8>> =
        numerals.chars().map(|digit| digit.to_digit(10).map(|digit| digit as u8)).collect();
    coded(Decimal::new(text.starts_with('-'), &numbers.ok_or_else(refuse)?, scale))
}

/// The text that JavaScript prints for a `number` or `bigint`.
fn digits(value: &JsValue) -> Option<String> {
    if value.is_bigint() {
        return value.unchecked_ref::<BigInt>().to_string(10).ok()?.as_string();
    }
    match value.as_f64() {
        Some(_) => value.unchecked_ref::<js_sys::Number>().to_string_with_radix(10).ok()?.as_string(),
        None => value.as_string(),
    }
}

/// `true` or `false`.
pub(super) fn boolean(value: &JsValue) -> Result<bool, JsValue> {
    value.as_bool().ok_or_else(|| wrong(value, "true or false"))
}

/// The UTF-16 units of a text, paired or not.
pub(super) fn units(value: &JsValue) -> Result<Vec<u16>, JsValue> {
    let text: &JsString = value.dyn_ref().ok_or_else(|| wrong(value, "a text"))?;
    Ok(text.iter().collect())
}

/// Bytes.
pub(super) fn bytes(value: &JsValue) -> Result<Vec<u8>, JsValue> {
    let bytes: &Uint8Array = value.dyn_ref().ok_or_else(|| wrong(value, "a Uint8Array"))?;
    Ok(bytes.to_vec())
}

/// A moment: milliseconds since the epoch, a `Date`, or `{ millis, nanos }` with the nanoseconds of the second.
pub(super) fn moment(value: &JsValue) -> Result<(i64, u32), JsValue> {
    let Instant { millis, nanos } = match value.dyn_ref::<Date>() {
        Some(date) => Instant { millis: integer(&date.get_time().into())?, nanos: None },
        None if value.is_object() => serde_wasm_bindgen::from_value(value.clone())
            .map_err(|_| wrong(value, "milliseconds, or { millis, nanos }"))?,
        None => Instant { millis: integer(value)?, nanos: None },
    };
    let nanos = nanos.unwrap_or_else(|| (millis.rem_euclid(1000) * 1_000_000) as u32);
    match nanos < 1_000_000_000 {
        true => Ok((millis, nanos)),
        false => Err(wrong(value, "nanoseconds of a second")),
    }
}

/// A number in decimal digits, as JavaScript reads it: the core is built without tables for that.
pub fn parsed(text: &str) -> Option<f64> {
    let number = JsValue::from_str(text).unchecked_into_f64();
    (!text.is_empty() && !number.is_nan()).then_some(number)
}
