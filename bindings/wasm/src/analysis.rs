//! A design applied to records.

use crate::convert::{checked, from_js, set, thrown, to_js};
use crate::records::RecordsHandle;
use js_sys::{Float64Array, Reflect, Uint8Array, Uint32Array};
use rowscape::analysis::{Analysis, ReportOptions};
use rowscape::error::Problem;
use rowscape::report::Report;
use rowscape::{design, row};
use wasm_bindgen::prelude::*;

/// A design applied to records: encoded and sorted once.
#[wasm_bindgen(js_name = Analysis)]
pub struct AnalysisHandle(pub(super) Analysis);

#[wasm_bindgen(js_class = Analysis)]
impl AnalysisHandle {
    /// Encodes and sorts the keys of table number `table` of a design document (the first when left out).
    #[wasm_bindgen(constructor)]
    pub fn new(
        records: &RecordsHandle,
        document: &str,
        table: Option<u32>,
    ) -> Result<AnalysisHandle, JsValue> {
        let index = table.unwrap_or(0);
        let first = records.take_first(document, index);
        let records = records.records.clone();
        checked(Analysis::after(&study(document)?, index as usize, records, first)).map(Self)
    }

    /// Where the rows land; cheap to ask again with other splits. With a document, which has the row key of this analysis, under table
    /// number `table` of it.
    pub fn report(
        &mut self,
        options: JsValue,
        document: Option<String>,
        table: Option<u32>,
    ) -> Result<JsValue, JsValue> {
        let options: Option<ReportOptions> = from_js(options, "report.wrong-options")?;
        let options = options.unwrap_or_default();
        let report = match document {
            Some(document) => self.0.report_of(&study(&document)?, table.unwrap_or(0) as usize, &options),
            None => self.0.report(&options),
        };
        report_to_js(&checked(report)?)
    }

    /// The findings about table number `table` of a document that has the row key of this analysis.
    pub fn findings(&mut self, document: &str, table: Option<u32>) -> Result<JsValue, JsValue> {
        let found = self.0.findings(&study(document)?, table.unwrap_or(0) as usize);
        to_js(&found.map_err(|problem| thrown(&problem))?)
    }

    /// The fix of a finding of such a document, by its place, as it helps all the records; undefined if none does.
    #[wasm_bindgen(js_name = provenFix)]
    pub fn proven_fix(
        &mut self,
        document: &str,
        table: Option<u32>,
        finding: u32,
    ) -> Result<JsValue, JsValue> {
        let fix = self.0.proven_fix(&study(document)?, table.unwrap_or(0) as usize, finding as usize);
        checked(fix)?.map_or(Ok(JsValue::UNDEFINED), |fix| to_js(&fix))
    }

    /// The versions of cells left of the records, under the families of table number `table` of a document that has the row key of
    /// this analysis.
    pub fn left(&self, document: &str, table: Option<u32>) -> Result<JsValue, JsValue> {
        let study = study(document)?;
        let index = table.unwrap_or(0) as usize;
        to_js(&self.0.left(checked(study.table(index))?))
    }

    /// The counts by value and by query of a document that has the row key of this analysis; `most` values of each field.
    pub fn known(&self, document: &str, most: Option<u32>) -> Result<JsValue, JsValue> {
        to_js(&self.0.known(&study(document)?, most.unwrap_or(10) as usize))
    }

    /// The profile of the records in a link, for table number `table` of a document that has the row key of this analysis.
    pub fn profile(&mut self, document: &str, table: Option<u32>) -> Result<JsValue, JsValue> {
        let found = self.0.profile(document, &study(document)?, table.unwrap_or(0) as usize);
        to_js(&found.map_err(|problem| thrown(&problem))?)
    }

    /// At most `count` keys in order from rank `first` on, as columns.
    pub fn keys(&self, first: u32, count: u32) -> Result<JsValue, JsValue> {
        let keys = self.0.keys(first as usize, count as usize);
        let times: Vec<f64> =
            keys.times.iter().map(|time| time.map_or(f64::NAN, |time| time as f64)).collect();
        let object: JsValue = js_sys::Object::new().into();
        set(&object, "bytes", Uint8Array::from(keys.keys.bytes.as_slice()))?;
        set(&object, "ends", Uint32Array::from(keys.keys.ends.as_slice()))?;
        set(&object, "rows", Uint32Array::from(keys.rows.as_slice()))?;
        let numbers: Vec<f64> = keys.numbers.iter().map(|&number| number as f64).collect();
        set(&object, "numbers", Float64Array::from(numbers.as_slice()))?;
        set(&object, "times", Float64Array::from(times.as_slice()))?;
        set(&object, "spans", Uint32Array::from(keys.spans.as_slice()))?;
        set(&object, "parts", self.0.part_count() as f64)?;
        Ok(object)
    }

    /// How many keys sort below `key`, given in `\xNN` notation.
    pub fn rank(&self, key: &str) -> Result<f64, JsValue> {
        let key = row::from_string_binary(key).map_err(|problem| thrown(&problem))?;
        Ok(self.0.rank(&key) as f64)
    }

    /// Number of keys.
    #[wasm_bindgen(getter, js_name = keyCount)]
    pub fn key_count(&self) -> f64 {
        self.0.key_count() as f64
    }

    /// Bytes of memory held besides the records.
    #[wasm_bindgen(getter)]
    pub fn memory(&self) -> f64 {
        self.0.memory() as f64
    }
}

/// The study of a document, or its first problem thrown.
pub(super) fn study(document: &str) -> Result<design::Document, JsValue> {
    let first = |problems: Vec<Problem>| {
        problems.into_iter().next().unwrap_or_else(|| Problem::new("design.invalid"))
    };
    design::parse(document).map_err(|problems| thrown(&first(problems)))
}

/// Counts as JavaScript's numbers.
fn numbers(counts: &[u64]) -> Float64Array {
    let numbers: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    Float64Array::from(numbers.as_slice())
}

/// A report as a plain object, its columns as typed arrays.
pub(super) fn report_to_js(report: &Report) -> Result<JsValue, JsValue> {
    let object = to_js(report)?;
    let moments: JsValue = js_sys::Object::new().into();
    set(&moments, "rows", Uint32Array::from(report.moment_rows.as_slice()))?;
    set(&moments, "largestShare", Float64Array::from(report.moment_largest_share.as_slice()))?;
    set(&moments, "effective", Float64Array::from(report.moment_effective.as_slice()))?;
    set(&object, "moments", moments)?;
    set(&object, "heat", Uint32Array::from(report.heat.as_slice()))?;
    if let Some(bytes) = &report.key_bytes {
        set(&object, "keyBytes", numbers(bytes))?;
    }
    if let Some(reads) = &report.reads {
        set(&object, "reads", numbers(reads))?;
    }
    if let Some(servers) = &report.servers {
        let of = Reflect::get(&object, &"servers".into())?;
        set(&of, "load", numbers(&servers.load))?;
    }
    Ok(object)
}
