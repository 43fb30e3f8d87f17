//! Digests and hashes.

use crate::convert::thrown;
use rowscape::Problem;
use rowscape::bytes::strings::ByteStrings;
use rowscape::hash::{self, md5};
use wasm_bindgen::prelude::*;

fn unknown(name: &str) -> JsValue {
    thrown(&Problem::new("input.wrong-shape").with("error", format_args!("unknown hash {name}")))
}

/// The digest of that name: `md5`, `sha1` or `sha256`.
#[wasm_bindgen]
pub fn digest(name: &str, message: &[u8]) -> Result<Vec<u8>, JsValue> {
    match name {
        "md5" => {
            let (mut messages, mut digests) = (ByteStrings::default(), ByteStrings::default());
            messages.push(message);
            md5::digests(&messages, &mut digests);
            Ok(digests.bytes)
        }
        "sha1" => Ok(hash::sha1(message).to_vec()),
        "sha256" => Ok(hash::sha256(message).to_vec()),
        _ => Err(unknown(name)),
    }
}

/// The hash of that name as a number, signed as in Java: of bytes, with a seed where it takes one.
#[wasm_bindgen(js_name = hashNumber)]
pub fn hash_number(name: &str, bytes: &[u8], seed: i32) -> Result<f64, JsValue> {
    Ok(f64::from(match name {
        "crc32" => return Ok(hash::crc32(bytes).into()),
        "java" => hash::java_bytes(bytes),
        "murmur" => hash::murmur(bytes, seed),
        "murmur3" => hash::murmur3(bytes, seed),
        "jenkins" => hash::jenkins(bytes, seed),
        _ => return Err(unknown(name)),
    }))
}

/// `String.hashCode` of a text's UTF-16 units.
#[wasm_bindgen(js_name = stringHash)]
pub fn string_hash(units: &[u16]) -> i32 {
    hash::java_units(units.iter().copied())
}
