//! A table under review: queries as scans, findings, settings, what queries ask of regions.

use crate::analysis::{AnalysisHandle, study};
use crate::convert::{checked, from_js, plain, set, thrown_all, to_js};
use crate::encode::{Columns, DesignHandle};
use crate::plan::{describe, model, price};
use js_sys::Array;
use rowscape::analysis::{Analysis, PlanPricing};
use rowscape::design::{Design, Document, read_query};
use rowscape::emit::alter_command;
use rowscape::ingest::columns::records;
use rowscape::settings::{self, TableSetting};
use rowscape::storage::table::KeyLengths;
use rowscape::{findings, row, scan};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

fn table(study: &Document, table: Option<u32>) -> Result<&Design, JsValue> {
    checked(study.table(table.unwrap_or(0) as usize))
}

/// The findings about a table of a document without any record.
#[wasm_bindgen(js_name = findingsOf)]
pub fn findings_of(document: &str, table: Option<u32>) -> Result<JsValue, JsValue> {
    to_js(&checked(findings::of_design(&study(document)?, table.unwrap_or(0) as usize))?)
}

/// Rows that each query reads and returns, judged on records made up as the document describes; null where it can't be told.
#[wasm_bindgen]
pub fn estimate(document: &str, number: Option<u32>) -> Result<JsValue, JsValue> {
    let study = study(document)?;
    to_js(&scan::estimate(&study, table(&study, number)?))
}

/// Settings that follow from the key of a table, each with its reason. `lengths` as in `storage`.
#[wasm_bindgen]
pub fn settings(document: &str, number: Option<u32>, lengths: JsValue) -> Result<JsValue, JsValue> {
    let study = study(document)?;
    let design = table(&study, number)?;
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let lengths = lengths.unwrap_or_else(|| design.typed.shape.width.into());
    let all = settings::settings(&study, design, &lengths);
    Ok(all.iter().map(setting).collect::<Result<Array, _>>()?.into())
}

/// The command of the shell that makes these settings; null where there are none.
#[wasm_bindgen(js_name = settingsCommand)]
pub fn settings_command(
    document: &str,
    number: Option<u32>,
    lengths: JsValue,
) -> Result<Option<String>, JsValue> {
    let study = study(document)?;
    let design = table(&study, number)?;
    let lengths: Option<KeyLengths> = from_js(lengths, "storage.wrong-lengths")?;
    let lengths = lengths.unwrap_or_else(|| design.typed.shape.width.into());
    let all = settings::settings(&study, design, &lengths);
    Ok((!all.is_empty()).then(|| alter_command(&design.name, &all)))
}

fn setting(setting: &TableSetting) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let configuration: JsValue = js_sys::Object::new().into();
    for (name, value) in &setting.configuration {
        set(&configuration, name, value.as_str())?;
    }
    set(&object, "family", setting.family.as_deref())?;
    set(&object, "name", setting.name)?;
    set(&object, "value", setting.value.as_str())?;
    set(&object, "configuration", configuration)?;
    set(&object, "reason", plain(&setting.reason)?)?;
    Ok(object)
}

/// The tables of a document whose formula can have made a key (in `\xNN` notation), with what it then tells.
#[wasm_bindgen(js_name = decodeTogether)]
pub fn decode_together(document: &str, key: &str) -> Result<JsValue, JsValue> {
    let key = checked(row::from_string_binary(key))?;
    let readings = settings::readings(&study(document)?, &key);
    let reading = |(table, _): &(usize, rowscape::decode::Decoded)| {
        let object: JsValue = js_sys::Object::new().into();
        set(&object, "table", *table as f64)?;
        let handle = DesignHandle::new(document, Some(table.to_string()))?;
        set(&object, "decoded", handle.decode(&key)?)?;
        Ok(object)
    };
    Ok(readings.iter().map(reading).collect::<Result<Array, JsValue>>()?.into())
}

#[wasm_bindgen(js_class = Analysis)]
impl AnalysisHandle {
    /// The reads per second of the regions and servers of a table of this row key, by the queries of a document.
    pub fn reads(&self, document: &str, number: Option<u32>) -> Result<JsValue, JsValue> {
        let study = study(document)?;
        let design = table(&study, number)?;
        to_js(&checked(self.0.reads(&study, design))?)
    }
}

#[wasm_bindgen(js_class = Design)]
impl DesignHandle {
    /// How a query, as JSON text, is answered: the whole, or the page behind the row `after`; with records, what it costs under
    /// the constants of `cost`, too.
    pub fn plan(
        &self,
        query: &str,
        after: Option<String>,
        cost: Option<String>,
        given: Option<Columns>,
    ) -> Result<JsValue, JsValue> {
        let Some((study, design)) = self.table() else { return Ok(JsValue::NULL) };
        let query = read_query(query, &study.fields).map_err(|problems| thrown_all(&problems))?;
        let after = checked(after.map(|row| row::from_string_binary(&row)).transpose())?;
        let pricing = PlanPricing { families: design.into(), model: model(cost)?, known: &[] };
        let object: JsValue = js_sys::Object::new().into();
        set(&object, "name", query.name.as_str())?;
        let domains = scan::read(&query, &study.fields, "queries[0]");
        let domains = domains.map_err(|problems| thrown_all(&problems))?;
        let Some(given) = given else {
            let points = design.splits.points().ok();
            let mut plan = scan::plan(&design.typed, &study.fields, &query, &domains);
            if let Some(after) = after {
                let skipped = scan::prefix_length(&design.typed, &domains);
                plan = checked(scan::next_page(&plan, skipped, &after))?.plan;
            }
            plan.tell_stamped(design, &study.fields, &domains);
            describe(&object, &plan, points.as_ref())?;
            return Ok(object);
        };
        let analysis = analysis(study, self.index(), given)?;
        let planned = match after {
            Some(after) => {
                Some(analysis.page(&query, &pricing, after).map_err(|problems| thrown_all(&problems))?)
            }
            None => analysis.priced(std::slice::from_ref(&query), &pricing).pop().flatten(),
        };
        if let Some(mut planned) = planned {
            planned.plan.tell_stamped(design, &study.fields, &domains);
            describe(&object, &planned.plan, Some(analysis.points()))?;
            set(&object, "rows", to_js(&planned.counted)?)?;
            price(&object, &planned)?;
        }
        Ok(object)
    }

    /// The findings about the table; of records too, when they are given.
    pub fn findings(&self, given: Option<Columns>) -> Result<JsValue, JsValue> {
        let Some((study, _)) = self.table() else { return Ok(JsValue::NULL) };
        let index = self.index();
        let Some(given) = given else { return to_js(&checked(findings::of_design(study, index))?) };
        to_js(&checked(analysis(study, index, given)?.findings(study, index))?)
    }
}

/// The records given, under a table of a study.
fn analysis(study: &Document, table: usize, given: Columns) -> Result<Analysis, JsValue> {
    let records = Rc::new(checked(records(&study.fields, &given.0))?);
    checked(Analysis::of(study, table, records))
}
