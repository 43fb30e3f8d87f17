//! Summaries as files: counted, merged, opened.

use crate::analysis::{report_to_js, study};
use crate::convert::{checked, set, to_js};
use crate::records::RecordsHandle;
use js_sys::{Array, Object};
use rowscape::design;
use rowscape::summary_file::{PartPlace, Summarizer, SummarizerOptions, SummaryFile, with_fixed_splits};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The counts of records under all tables of a design document.
#[wasm_bindgen(js_name = Summary)]
pub struct SummaryHandle(SummaryFile);

#[wasm_bindgen(js_class = Summary)]
impl SummaryHandle {
    /// Reads a summary file.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<SummaryHandle, JsValue> {
        checked(SummaryFile::from_bytes(bytes)).map(Self)
    }

    /// Counts records, which are taken, as a part. `file` names the file that they stand in; without one their places are made of
    /// their values. `part` tells them from equal ones.
    pub fn of(
        records: &mut RecordsHandle,
        document: &str,
        file: Option<String>,
        part: &str,
        no_samples: bool,
    ) -> Result<SummaryHandle, JsValue> {
        let options =
            SummarizerOptions { id: part.to_owned(), name: file.clone().unwrap_or_default(), no_samples };
        let place = file.map_or(PartPlace::Values, |file| PartPlace::Files(vec![file]));
        let mut counted = checked(Summarizer::new(study(document)?, place, options))?;
        checked(counted.add(Rc::unwrap_or_clone(std::mem::take(&mut records.records))))?;
        Ok(Self(counted.finish()))
    }

    /// A copy.
    pub fn copy(&self) -> SummaryHandle {
        Self(self.0.clone())
    }

    /// Adds the counts of other parts of the same design.
    pub fn merge(&mut self, other: &SummaryHandle) -> Result<(), JsValue> {
        checked(self.0.merge(other.0.clone()))
    }

    /// The same without sampled rows, keys and values.
    #[wasm_bindgen(js_name = withoutSamples)]
    pub fn without_samples(&self) -> SummaryHandle {
        Self(self.0.clone().without_samples())
    }

    /// The bytes of the file.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The design document as JSON text.
    pub fn document(&self) -> String {
        self.0.document().to_owned()
    }

    /// Number of a table; the first when left out.
    #[wasm_bindgen(js_name = tableNumber)]
    pub fn table_number(&self, table: Option<String>) -> Result<u32, JsValue> {
        let number = table.map_or(Ok(0), |table| self.0.study().table_number(&table));
        checked(number).map(|number| number as u32)
    }

    /// Number of records.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> f64 {
        self.0.summary().rows as f64
    }

    /// Number of sampled rows; `undefined` where they were left out.
    #[wasm_bindgen(getter)]
    pub fn sampled(&self) -> Option<f64> {
        self.0.has_samples().then(|| self.0.summary().sample.len() as f64)
    }

    /// The parts: `id` in hexadecimal digits, `rows`, `name`.
    pub fn parts(&self) -> Result<JsValue, JsValue> {
        let parts = self.0.parts().iter().map(|part| {
            let object: JsValue = Object::new().into();
            set(&object, "id", part.id.map(|byte| format!("{byte:02x}")).concat())?;
            set(&object, "rows", part.rows as f64)?;
            set(&object, "name", part.name.as_str())?;
            Ok(object)
        });
        parts.collect::<Result<Array, JsValue>>().map(JsValue::from)
    }

    /// The sampled rows as records; none where samples were left out.
    pub fn records(&self) -> RecordsHandle {
        RecordsHandle::of(self.0.records())
    }

    /// The counts by value and by query; `most` values of each field.
    pub fn known(&self, table: u32, most: u32) -> Result<JsValue, JsValue> {
        to_js(&checked(self.0.known(table as usize, most as usize))?)
    }

    /// Where all rows land under a table.
    pub fn report(&self, table: u32) -> Result<JsValue, JsValue> {
        report_to_js(&checked(self.0.report(table as usize))?)
    }

    /// The findings about a table and the sampled rows.
    pub fn findings(&self, table: u32) -> Result<JsValue, JsValue> {
        to_js(&checked(self.0.findings(table as usize))?)
    }
}

/// The document with the split points fixed that follow from records, as they follow from these.
#[wasm_bindgen(js_name = fixedSplits)]
pub fn fixed_splits(records: &RecordsHandle, document: &str) -> Result<String, JsValue> {
    let fixed = checked(with_fixed_splits(study(document)?, &records.records))?;
    Ok(rowscape::json::text(&design::normal_form(&fixed)))
}
