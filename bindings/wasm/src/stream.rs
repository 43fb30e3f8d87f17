//! More records than memory holds.

use crate::analysis::{report_to_js, study};
use crate::convert::{checked, thrown, to_js};
use crate::records::{RecordsHandle, damage, parsed, problems_to_js};
use rowscape::error::Problem;
use rowscape::ingest;
use rowscape::session::PORTION_ROWS;
use rowscape::stream::Stream;
use rowscape::summary::Summary;
use wasm_bindgen::prelude::*;

/// Counts records of any number for one design as they are read, and keeps a sample of them.
#[wasm_bindgen(js_name = Stream)]
pub struct StreamHandle {
    stream: Stream,
    reader: ingest::RecordReader,
}

#[wasm_bindgen(js_class = Stream)]
impl StreamHandle {
    /// Goes on with what `records` has read so far, for table number `table` of a design document; `records` is then empty.
    #[wasm_bindgen(constructor)]
    pub fn new(
        records: &mut RecordsHandle,
        document: &str,
        table: Option<u32>,
    ) -> Result<StreamHandle, JsValue> {
        let refuse = |problem: Problem| thrown(&problem);
        let study = study(document)?;
        let stream = Stream::new(study, table.unwrap_or(0) as usize).map_err(refuse)?;
        let reader = records.reader.take().ok_or_else(|| refuse(Problem::new("records.finished")))?;
        // Keys of records that are not held are of no use.
        records.first.replace(None);
        let mut handle = Self { stream, reader };
        handle.count()?;
        Ok(handle)
    }

    /// Reads the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), JsValue> {
        self.reader.push(chunk);
        if self.reader.records().rows < PORTION_ROWS { Ok(()) } else { self.count() }
    }

    /// Begins another file.
    #[wasm_bindgen(js_name = nextFile)]
    pub fn next_file(&mut self, name: &str) {
        self.reader.next_file(name);
    }

    /// Leaves out the record under way: what the file is packed in is damaged from here on, as `problem` says in JSON.
    #[wasm_bindgen(js_name = breakOff)]
    pub fn break_off(&mut self, problem: Option<String>) {
        self.reader.break_off_for(damage(problem));
    }

    /// Takes what the file that begins states of its columns, as JSON.
    pub fn state(&mut self, stated: &str) -> Result<(), JsValue> {
        let stated: ingest::StatedFile = parsed(stated)?;
        checked(self.reader.state(&stated))
    }

    /// Ends the last file.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        self.reader.finish();
        self.count()
    }

    fn count(&mut self) -> Result<(), JsValue> {
        let portion = self.reader.take_records_so_far();
        self.stream.add(portion).map_err(|problem| thrown(&problem))
    }

    /// Number of records so far.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> f64 {
        self.stream.rows() as f64 + self.reader.records().rows as f64
    }

    /// Bytes read so far.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.reader.bytes() as f64
    }

    /// Problems met while reading, and how each file was read.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        problems_to_js(self.reader.problems())
    }

    /// Where all records land that were counted, exactly.
    pub fn report(&mut self) -> Result<JsValue, JsValue> {
        let report = self.stream.report().map_err(|problem| thrown(&problem))?;
        report_to_js(&report)
    }

    /// The counts by value and by query; `most` values of each field.
    pub fn known(&mut self, most: Option<u32>) -> Result<JsValue, JsValue> {
        to_js(&checked(self.stream.known(most.unwrap_or(10) as usize))?)
    }

    /// The counts so far, in the binary form.
    pub fn summary(&mut self) -> Result<Vec<u8>, JsValue> {
        checked(self.stream.summary()).map(Summary::to_bytes)
    }

    /// A uniform sample of the records.
    pub fn sample(&mut self) -> RecordsHandle {
        let (problems, bytes) = (self.reader.problems().clone(), self.reader.bytes() as f64);
        RecordsHandle { problems, bytes, ..RecordsHandle::of(self.stream.sample().clone()) }
    }
}
