//! Split points and regions.

use crate::convert::{checked, columns};
use rowscape::bytes::strings::ByteStrings;
use rowscape::split::{SplitAlgorithm, SplitPoints, Splits};
use rowscape::{Problem, split};
use wasm_bindgen::prelude::*;

/// The split keys of a `splits` member as HBase makes them, before a table sorts and checks them.
#[wasm_bindgen(js_name = splitKeys)]
pub fn split_keys(splits: &str) -> Result<JsValue, JsValue> {
    columns(&checked(Splits::from_text(splits).and_then(|splits| splits.keys()))?)
}

/// The first and the last row of an algorithm, unless others are asked for.
#[wasm_bindgen(js_name = algorithmRows)]
pub fn algorithm_rows(name: &str) -> Result<JsValue, JsValue> {
    let unknown = || Problem::new("split.unknown-algorithm").with("found", name).with("known", known());
    let algorithm = checked(SplitAlgorithm::named(name).ok_or_else(unknown))?;
    let mut rows = ByteStrings::default();
    rows.push(algorithm.first);
    rows.push(algorithm.last);
    columns(&rows)
}

fn known() -> String {
    split::ALGORITHMS.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
}

/// `Bytes.split(start, end, inclusive, num)`.
#[wasm_bindgen(js_name = splitBytes)]
pub fn split_bytes(start: &[u8], end: &[u8], inclusive: bool, num: f64) -> Result<JsValue, JsValue> {
    columns(&checked(split::split_bytes(start, end, inclusive, num as i64))?)
}

/// The regions of a table, by their split points: sorted and checked.
#[wasm_bindgen]
pub struct Regions(SplitPoints);

#[wasm_bindgen]
impl Regions {
    /// The split points of a table made with these split keys: `bytes` laid end to end, and `ends`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, ends: Vec<u32>) -> Result<Regions, JsValue> {
        checked(SplitPoints::new(ByteStrings { bytes, ends })).map(Self)
    }

    /// The split points of a table made by a `splits` member.
    pub fn of(splits: &str) -> Result<Regions, JsValue> {
        checked(Splits::from_text(splits).and_then(|splits| splits.points())).map(Self)
    }

    /// The split points, ascending.
    pub fn points(&self) -> Result<JsValue, JsValue> {
        columns(self.0.keys())
    }

    /// The region that holds a key, counted from 0.
    #[wasm_bindgen(js_name = regionOf)]
    pub fn region_of(&self, key: &[u8]) -> u32 {
        self.0.region_of(key) as u32
    }
}
