//! Salts of Phoenix, HBaseWD and OpenTSDB.

use crate::convert::{checked, columns};
use rowscape::bytes::strings::ByteStrings;
use rowscape::salt;
use wasm_bindgen::prelude::*;

/// The byte `SaltingUtil` puts in front of a key.
#[wasm_bindgen(js_name = phoenixSalt)]
pub fn phoenix_salt(key: &[u8], buckets: i32) -> Result<u8, JsValue> {
    checked(salt::phoenix(key, buckets))
}

/// Where Phoenix splits a salted table.
#[wasm_bindgen(js_name = phoenixSaltPoints)]
pub fn phoenix_salt_points(buckets: i32) -> Result<JsValue, JsValue> {
    let mut points = ByteStrings::default();
    checked(salt::phoenix_split_points(buckets))?.iter().for_each(|point| points.push(point));
    columns(&points)
}

/// The byte HBaseWD's `OneByteSimpleHash` puts in front of a key.
#[wasm_bindgen(js_name = hbasewdPrefix)]
pub fn hbasewd_prefix(key: &[u8], buckets: i32) -> Result<u8, JsValue> {
    checked(salt::hbasewd(key, buckets))
}

/// The bytes OpenTSDB puts in front of a row, from the series' metric and tags.
#[wasm_bindgen(js_name = opentsdbSalt)]
pub fn opentsdb_salt(series: &[u8], buckets: i32, width: u32) -> Result<Vec<u8>, JsValue> {
    let width = width.min(salt::OPENTSDB_MAX_WIDTH as u32) as usize;
    Ok(salt::opentsdb(checked(salt::opentsdb_bucket(series, buckets))?, width).collect())
}
