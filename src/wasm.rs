//! The JavaScript surface: handles and columns across the boundary, no logic.
//!
//! Documents and reports cross as plain objects, rows as typed arrays copied out of wasm memory. Every refusal is an
//! `Error` with `code`, `place` and `args` beside its English `message`.

use crate::analysis::{Analysis, ReportOptions};
use crate::error::Problem;
use crate::ingest;
use crate::{design, formula, row, split};
use js_sys::{Float64Array, Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A value as plain objects, arrays, strings and numbers.
fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(JsValue::from)
}

fn from_js<T: serde::de::DeserializeOwned>(value: JsValue, code: &'static str) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|error| thrown(&Problem::new(code).with("error", error)))
}

fn set(object: &JsValue, name: &str, value: impl Into<JsValue>) -> Result<(), JsValue> {
    Reflect::set(object, &name.into(), &value.into()).map(|_| ())
}

/// A problem as a plain object with its English sentence.
fn plain(problem: &Problem) -> Result<JsValue, JsValue> {
    let object = to_js(problem)?;
    set(&object, "message", problem.sentence())?;
    Ok(object)
}

fn plain_all(problems: &[Problem]) -> Result<JsValue, JsValue> {
    Ok(problems.iter().map(plain).collect::<Result<js_sys::Array, _>>()?.into())
}

/// A problem as a JavaScript `Error` to throw.
fn thrown(problem: &Problem) -> JsValue {
    let error = js_sys::Error::new(&problem.to_string());
    error.set_name("RowscapeError");
    if let Ok(object) = plain(problem) {
        let _ = js_sys::Object::assign(&error, &object.unchecked_into());
    }
    error.into()
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What a file of this name holds, from its first bytes.
#[wasm_bindgen]
pub fn guess(head: &[u8], name: &str) -> Result<JsValue, JsValue> {
    let guess = ingest::guess(head, name);
    let object = to_js(&guess)?;
    set(&object, "problems", plain_all(&guess.problems)?)?;
    Ok(object)
}

/// The steps and encodings of formulas, for completion and help.
#[wasm_bindgen]
pub fn steps() -> Result<JsValue, JsValue> {
    to_js(&formula::steps::catalogue())
}

/// Reads a design document: its normal form, or what is wrong with it.
#[wasm_bindgen(js_name = checkDesign)]
pub fn check_design(document: &str) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let (design, problems) = match design::parse(document) {
        Ok(study) => (to_js(&design::normal_form(&study))?, Vec::new()),
        Err(problems) => (JsValue::NULL, problems),
    };
    set(&object, "design", design)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// Checks a formula against fields: its parts with their properties, or what is wrong with it.
#[wasm_bindgen(js_name = checkFormula)]
pub fn check_formula(source: &str, fields: JsValue) -> Result<JsValue, JsValue> {
    let fields: Vec<crate::field::Field> = from_js(fields, "input.wrong-shape")?;
    let object: JsValue = js_sys::Object::new().into();
    let parsed = formula::parse(source);
    let printed = parsed.as_ref().map_or(JsValue::NULL, |formula| formula.to_string().into());
    let checked =
        parsed.map_err(|problem| vec![problem]).and_then(|formula| formula::check(&formula, &fields));
    let (parts, problems) = match checked {
        Ok(typed) => (formula::describe::describe(&typed, &fields), Vec::new()),
        Err(problems) => (Vec::new(), problems),
    };
    set(&object, "printed", printed)?;
    set(&object, "parts", to_js(&parts)?)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// The split points of a `splits` member of a design, in `\xNN` notation.
#[wasm_bindgen(js_name = splitPoints)]
pub fn split_points(splits: &str) -> Result<JsValue, JsValue> {
    let object: JsValue = js_sys::Object::new().into();
    let points = split::Splits::from_text(splits).and_then(|splits| splits.points());
    let (points, problems) = match points {
        Ok(points) => (points.iter().map(row::to_string_binary).collect::<Vec<_>>(), Vec::new()),
        Err(problem) => (Vec::new(), vec![problem]),
    };
    set(&object, "points", to_js(&points)?)?;
    set(&object, "problems", plain_all(&problems)?)?;
    Ok(object)
}

/// Records read from files or made up, in memory as columns.
#[wasm_bindgen(js_name = Records)]
pub struct RecordsHandle {
    reader: Option<ingest::Reader>,
    records: Rc<crate::records::Records>,
    problems: ingest::ReadProblems,
    bytes: f64,
}

#[wasm_bindgen(js_class = Records)]
impl RecordsHandle {
    /// Ready to read files of this form.
    #[wasm_bindgen(constructor)]
    pub fn new(input: JsValue) -> Result<RecordsHandle, JsValue> {
        let input: ingest::Input = from_js(input, "input.wrong-shape")?;
        let reader = ingest::Reader::new(&input).map_err(|problem| thrown(&problem))?;
        Ok(Self { reader: Some(reader), records: Rc::default(), problems: Default::default(), bytes: 0.0 })
    }

    /// Records made up by a description, for `fields` when they are given.
    pub fn generate(spec: JsValue, fields: JsValue) -> Result<RecordsHandle, JsValue> {
        let spec: ingest::generate::Spec = from_js(spec, "generate.wrong-shape")?;
        let fields: Option<Vec<crate::field::Field>> = from_js(fields, "input.wrong-shape")?;
        let records =
            ingest::Generator::all(&spec, &fields.unwrap_or_default()).map_err(|problem| thrown(&problem))?;
        Ok(Self { reader: None, records: Rc::new(records), problems: Default::default(), bytes: 0.0 })
    }

    /// Reads the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        if let Some(reader) = &mut self.reader {
            reader.push(chunk);
        }
    }

    /// Begins another file.
    #[wasm_bindgen(js_name = nextFile)]
    pub fn next_file(&mut self, name: &str) {
        if let Some(reader) = &mut self.reader {
            reader.next_file(name);
        }
    }

    /// Ends the last file: from here on the records can be analysed.
    pub fn finish(&mut self) {
        if let Some(mut reader) = self.reader.take() {
            reader.finish();
            self.bytes = reader.bytes() as f64;
            self.problems = reader.problems().clone();
            self.records = Rc::new(reader.into_records());
        }
    }

    fn current(&self) -> &crate::records::Records {
        self.reader.as_ref().map_or(&*self.records, ingest::Reader::records)
    }

    /// Number of records so far.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> u32 {
        self.current().rows as u32
    }

    /// Bytes read so far.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> f64 {
        self.reader.as_ref().map_or(self.bytes, |reader| reader.bytes() as f64)
    }

    /// Bytes of memory the records take.
    #[wasm_bindgen(getter)]
    pub fn memory(&self) -> f64 {
        self.current().memory() as f64
    }

    /// What went wrong with whole records.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        let problems = self.reader.as_ref().map_or(&self.problems, ingest::Reader::problems);
        let object = to_js(problems)?;
        set(&object, "ragged", (problems.ragged_short + problems.ragged_long) as f64)?;
        set(&object, "first", plain_all(&problems.first)?)?;
        Ok(object)
    }

    /// The values of a record as text, in the order of the fields.
    pub fn row(&self, index: u32) -> Vec<String> {
        self.current().row_text(index as usize)
    }
}

/// A design applied to records: encoded and sorted once.
#[wasm_bindgen(js_name = Analysis)]
pub struct AnalysisHandle(Analysis);

#[wasm_bindgen(js_class = Analysis)]
impl AnalysisHandle {
    /// Encodes and sorts the keys of table number `table` of a design document (the first when left out).
    #[wasm_bindgen(constructor)]
    pub fn new(
        records: &RecordsHandle,
        document: &str,
        table: Option<u32>,
    ) -> Result<AnalysisHandle, JsValue> {
        let refuse = |problem: Problem| thrown(&problem);
        let study = design::parse(document)
            .map_err(|problems| problems.first().map_or_else(|| Problem::new("design.invalid"), Clone::clone))
            .map_err(refuse)?;
        let index = table.unwrap_or(0) as usize;
        let design = study.tables.into_iter().nth(index);
        let design =
            design.ok_or_else(|| refuse(Problem::new("design.no-such-table").with("table", index)))?;
        let points = design.splits.points().map_err(refuse)?;
        Ok(Self(Analysis::new(records.records.clone(), study.fields, design.typed, points, study.arrival)))
    }

    /// Where the rows land; cheap to ask again with other splits.
    pub fn report(&mut self, options: JsValue) -> Result<JsValue, JsValue> {
        let options: Option<ReportOptions> = from_js(options, "report.wrong-options")?;
        let report = self.0.report(&options.unwrap_or_default()).map_err(|problem| thrown(&problem))?;
        let object = to_js(&report)?;
        let moments: JsValue = js_sys::Object::new().into();
        set(&moments, "rows", Uint32Array::from(report.moment_rows.as_slice()))?;
        set(&moments, "largestShare", Float64Array::from(report.moment_largest_share.as_slice()))?;
        set(&moments, "effective", Float64Array::from(report.moment_effective.as_slice()))?;
        set(&object, "moments", moments)?;
        set(&object, "heat", Uint32Array::from(report.heat.as_slice()))?;
        Ok(object)
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
