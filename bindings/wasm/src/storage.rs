//! The storage of a table, and its growth.

use crate::convert::{checked, from_js, plain_all, set, thrown_all, to_js};
use js_sys::Array;
use rowscape::design::Arrivals;
use rowscape::outlook::{OutlookNeed, outlook};
use rowscape::sizing::{RuleAnswer, SizingNeed, bytes_at_most, shared_families, sizing};
use rowscape::storage::layout::{LayoutItems, layouts};
use rowscape::storage::table::{self, KeyLengths};
use rowscape::{design, simulate};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

/// The bytes of `rows` rows of table number `table` of a design document. `lengths` holds `min` and `max`, and `count`
/// and `bytes` of measured keys, as `keys` of a report does; without it the widths of the formula are taken. `shared` has its
/// families, where there are several.
#[wasm_bindgen]
pub fn storage(document: &str, table: u32, lengths: JsValue, rows: f64) -> Result<JsValue, JsValue> {
    let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
    let design = checked(study.table(table as usize))?;
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let lengths = lengths.unwrap_or_else(|| design.typed.shape.width.into());
    let found = table::storage(design, &lengths, rows as u64);
    let regions = design.splits.points().map_or(1, |points| points.regions() as u64);
    let object = to_js(&found)?;
    let cluster = study.cluster.unwrap_or_default();
    set(&object, "shared", to_js(&shared_families(&found, regions, &cluster))?)?;
    Ok(object)
}

/// Months of a table's life, day by day; see `Spec`.
#[wasm_bindgen]
pub fn simulate(spec: JsValue) -> Result<JsValue, JsValue> {
    let spec: simulate::SimulationSpec = from_js(spec, "simulate.wrong-spec")?;
    to_js(&simulate::simulate(&spec).map_err(|problems| thrown_all(&problems))?)
}

/// Assumptions on the months ahead that a document does not hold.
#[derive(Deserialize)]
struct OutlookAsk {
    arrivals: Arrivals,
    servers: u32,
    regions: u32,
}

/// Months of a table's life under the growth and the cluster of its document; null without growth. `lengths` as in `storage`.
#[wasm_bindgen(js_name = outlook)]
pub fn outlook_of(document: &str, table: u32, lengths: JsValue, asked: JsValue) -> Result<JsValue, JsValue> {
    let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
    let design = checked(study.table(table as usize))?;
    let Some(growth) = study.growth else { return Ok(JsValue::NULL) };
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let OutlookAsk { arrivals, servers, regions } = from_js(asked, "simulate.wrong-spec")?;
    let need = OutlookNeed {
        design,
        keys: lengths.unwrap_or_else(|| design.typed.shape.width.into()),
        growth,
        arrivals,
        cluster: study.cluster.unwrap_or_default(),
        servers,
        regions,
    };
    to_js(&outlook(&need).map_err(|problems| thrown_all(&problems))?)
}

/// Regions by every rule, for the growth of a document; null without one. `lengths` as in `storage`.
#[wasm_bindgen(js_name = sizing)]
pub fn sizing_of(document: &str, table: u32, lengths: JsValue) -> Result<JsValue, JsValue> {
    let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
    let design = checked(study.table(table as usize))?;
    let Some(growth) = &study.growth else { return Ok(JsValue::NULL) };
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let lengths = lengths.unwrap_or_else(|| design.typed.shape.width.into());
    let bytes = bytes_at_most(growth, design, &lengths);
    let need = SizingNeed {
        bytes,
        servers: design.servers.unwrap_or(1),
        cluster: study.cluster.unwrap_or_default(),
    };
    let found = sizing(&need);
    let rules = Array::new();
    for rule in &found.rules {
        let one: JsValue = js_sys::Object::new().into();
        set(&one, "name", rule.name)?;
        set(&one, "source", rule.source)?;
        let (least, most, splits_at) = match rule.answer {
            RuleAnswer::Regions { least, most } => (Some(least), most, None),
            RuleAnswer::NotCovered => (None, None, None),
            RuleAnswer::Contradiction { regions, splits_at, .. } => {
                (Some(regions), Some(regions), Some(splits_at))
            }
        };
        for (name, figure) in [("least", least), ("most", most), ("splitsAt", splits_at)] {
            set(&one, name, figure.map(|figure| figure as f64))?;
        }
        rules.push(&one);
    }
    let object: JsValue = js_sys::Object::new().into();
    set(&object, "bytes", found.bytes as f64)?;
    set(&object, "suggested", found.suggested as f64)?;
    set(&object, "bearable", found.bearable)?;
    set(&object, "rules", rules)?;
    Ok(object)
}

/// The same items in several layouts. `items` are the figures of [`LayoutItems`] in their order.
#[wasm_bindgen(js_name = layouts)]
pub fn layouts_of(items: &[f64]) -> Result<JsValue, JsValue> {
    let figure = |index: usize| items.get(index).map_or(0, |&figure| figure as u64);
    let items = LayoutItems {
        entities: figure(0),
        items: figure(1),
        entity_key: figure(2),
        item_key: figure(3),
        offset: figure(4),
        per_row: figure(5),
        page_key: figure(6),
        value: figure(7),
        family: figure(8),
        qualifier: figure(9),
    };
    let all = Array::new();
    for layout in layouts(&items) {
        let one: JsValue = js_sys::Object::new().into();
        set(&one, "name", layout.name)?;
        for (name, figure) in [
            ("rows", layout.rows),
            ("cells", layout.cells),
            ("bytes", layout.bytes),
            ("keyBytes", layout.key_bytes),
            ("first", layout.first),
            ("all", layout.all),
            ("updateReads", layout.update.reads),
            ("updateBytes", layout.update.bytes),
            ("rowBytes", layout.row_bytes),
        ] {
            set(&one, name, figure as f64)?;
        }
        set(&one, "problems", plain_all(&layout.problems)?)?;
        all.push(&one);
    }
    Ok(all.into())
}
