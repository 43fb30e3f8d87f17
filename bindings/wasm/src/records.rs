//! Records: what a file holds, reading it, making records up.

use crate::convert::{checked, from_js, plain, plain_all, set, thrown, to_js};
use crate::encode::Columns;
use crate::slices::EncodedFirst;
use crate::suggest::asked;
use rowscape::design;
use rowscape::design::FirstDesign;
use rowscape::error::Problem;
use rowscape::hbase::row_keys::{DeclaredKey, guess_declared, guess_file, guess_of_design};
use rowscape::ingest;
use rowscape::ingest::guess::{Guess, SaidOfFile};
use rowscape::ingest::packed::problem_of;
use rowscape::keys::reader::reader_of;
use rowscape::records::Records;
use serde::Deserialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The form of a file of this name, from its first bytes; `header` says whether its first row is names, `declared` are the columns
/// that a design reads, `encoding` names that of a file without a byte order mark, `stated` is what a packed file states, as JSON.
#[wasm_bindgen]
pub fn guess(
    head: &[u8],
    name: &str,
    header: Option<bool>,
    declared: Option<Vec<String>>,
    encoding: Option<String>,
    stated: Option<String>,
) -> Result<JsValue, JsValue> {
    let declared = declared.unwrap_or_default();
    let guess = |said: &SaidOfFile<'_>| guess_declared(head, name, said);
    guess_to_js(&with_known(header, &declared, encoding, stated, guess)?)
}

/// The same for a design, of whose tables row keys are taken back to their fields: all that is known is JSON.
#[wasm_bindgen(js_name = guessOfDesign)]
pub fn guess_for_design(head: &[u8], known: &str) -> Result<JsValue, JsValue> {
    let Known { name, header, declared, encoding, stated, document } = parsed(known)?;
    let study = design::parse(&document).ok();
    let keys = study.iter().flat_map(DeclaredKey::of_study).collect::<Vec<_>>();
    let guess = |said: &SaidOfFile<'_>| guess_of_design(head, &name, said, &keys);
    guess_to_js(&with_known(header, &declared, encoding, stated, guess)?)
}

/// A file of which this is known: see [`guess`].
#[derive(Deserialize)]
struct Known {
    name: String,
    header: Option<bool>,
    #[serde(default)]
    declared: Vec<String>,
    encoding: Option<String>,
    stated: Option<String>,
    document: String,
}

/// The same with a `design` for the file and, where it contains row keys, how these are built: `keys`. That its lines are row keys, a
/// person can say.
#[wasm_bindgen(js_name = guessFile)]
pub fn guess_of_file(
    head: &[u8],
    name: &str,
    keys: bool,
    header: Option<bool>,
    declared: Vec<String>,
    encoding: Option<String>,
    stated: Option<String>,
) -> Result<JsValue, JsValue> {
    let guess = |said: &SaidOfFile<'_>| guess_file(head, name, said, keys);
    let found = with_known(header, &declared, encoding, stated, guess)?;
    let object = guess_to_js(&found.guess)?;
    if let Some(keys) = &found.keys {
        set(&object, "keys", to_js(keys)?)?;
    }
    if let Some(design) = &found.design() {
        set(&object, "design", to_js(design)?)?;
    }
    Ok(object)
}

/// A first design of these fields.
#[wasm_bindgen(js_name = firstDesign)]
pub fn first_design(fields: JsValue) -> Result<JsValue, JsValue> {
    let fields: Vec<rowscape::field::Field> = from_js(fields, "input.wrong-shape")?;
    to_js(&FirstDesign::of_fields(&fields, &[]))
}

/// The result of work on a file of which this is known.
fn with_known<T>(
    header: Option<bool>,
    declared: &[String],
    encoding: Option<String>,
    stated: Option<String>,
    work: impl FnOnce(&SaidOfFile<'_>) -> T,
) -> Result<T, JsValue> {
    let declared: Vec<&str> = declared.iter().map(String::as_str).collect();
    let encoding = match encoding {
        Some(name) => from_js(JsValue::from(name), "input.wrong-shape")?,
        None => None,
    };
    let stated = stated.map(|text| parsed::<ingest::StatedFile>(&text)).transpose()?;
    Ok(work(&SaidOfFile { header, encoding, declared: &declared, stated: stated.as_ref() }))
}

fn guess_to_js(guess: &Guess) -> Result<JsValue, JsValue> {
    let object = to_js(guess)?;
    set(&object, "problems", plain_all(&guess.problems)?)?;
    Ok(object)
}

/// Records read from files or made up, in memory as columns.
#[wasm_bindgen(js_name = Records)]
pub struct RecordsHandle {
    pub(super) reader: Option<ingest::RecordReader>,
    pub(super) records: Rc<Records>,
    pub(super) problems: ingest::ReadProblems,
    pub(super) bytes: f64,
    pub(super) first: RefCell<Option<EncodedFirst>>,
}

#[wasm_bindgen(js_class = Records)]
impl RecordsHandle {
    /// Ready to read files of this form.
    #[wasm_bindgen(constructor)]
    pub fn new(input: JsValue) -> Result<RecordsHandle, JsValue> {
        let input: ingest::Input = from_js(input, "input.wrong-shape")?;
        let reader = ingest::RecordReader::new(&input).map_err(|problem| thrown(&problem))?;
        Ok(Self::reading(reader))
    }

    /// Ready to read files of row keys, which are taken back to their fields.
    #[wasm_bindgen(js_name = ofKeys)]
    pub fn of_keys(input: JsValue) -> Result<RecordsHandle, JsValue> {
        let input: ingest::Input = from_js(input, "input.wrong-shape")?;
        Ok(Self::reading(reader_of(&input).map_err(|problem| thrown(&problem))?))
    }

    /// Records made up by a description, for `fields` when they are given.
    pub fn generate(spec: JsValue, fields: JsValue) -> Result<RecordsHandle, JsValue> {
        let spec: ingest::generate::GeneratorSpec = from_js(spec, "generate.wrong-shape")?;
        let fields: Option<Vec<rowscape::field::Field>> = from_js(fields, "input.wrong-shape")?;
        let records =
            ingest::Generator::all(&spec, &fields.unwrap_or_default()).map_err(|problem| thrown(&problem))?;
        Ok(Self::of(records))
    }

    /// Records given as columns of texts, in the order of the fields of a design document or a study.
    #[wasm_bindgen(js_name = ofColumns)]
    pub fn of_columns(document: &str, given: &Columns) -> Result<RecordsHandle, JsValue> {
        let fields = asked(document)?.document.fields;
        Ok(Self::of(checked(ingest::columns::records(&fields, &given.0))?))
    }

    /// Reads the next bytes of the file.
    pub fn push(&mut self, chunk: &[u8]) {
        if let Some(reader) = &mut self.reader {
            reader.push(chunk);
        }
    }

    /// Names the kinds of a table, of which files can be; a document that is no design, such as a study, has none.
    #[wasm_bindgen(js_name = ofKinds)]
    pub fn of_kinds(&mut self, document: &str, table: u32) {
        let (Some(reader), Ok(study)) = (&mut self.reader, rowscape::design::parse(document)) else { return };
        let kinds = study.tables.get(table as usize).map(|design| design.file_kinds(&study.fields));
        reader.of_kinds(kinds.unwrap_or_default());
    }

    /// Begins another file, of records of a kind where one is named.
    #[wasm_bindgen(js_name = nextFile)]
    pub fn next_file(&mut self, name: &str, kind: Option<String>) {
        let Some(reader) = &mut self.reader else { return };
        let kind = kind.and_then(|kind| reader.kind(&kind));
        reader.next_file_of(name, kind.as_ref());
    }

    /// Leaves out the record under way: what the file is packed in is damaged from here on, as `problem` says in JSON.
    #[wasm_bindgen(js_name = breakOff)]
    pub fn break_off(&mut self, problem: Option<String>) {
        if let Some(reader) = &mut self.reader {
            reader.break_off_for(damage(problem));
        }
    }

    /// Takes what the file that begins states of its columns, as JSON.
    pub fn state(&mut self, stated: &str) -> Result<(), JsValue> {
        let stated: ingest::StatedFile = parsed(stated)?;
        self.reader.as_mut().map_or(Ok(()), |reader| checked(reader.state(&stated)))
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

    /// Keeps only the columns of these fields, while reading.
    #[wasm_bindgen(js_name = keepOnly)]
    pub fn keep_only(&mut self, fields: Vec<String>) {
        if let Some(reader) = &mut self.reader {
            reader.keep_only(&fields);
        }
    }

    pub(super) fn reading(reader: ingest::RecordReader) -> Self {
        Self { reader: Some(reader), ..Self::of(Records::default()) }
    }

    pub(super) fn of(records: Records) -> Self {
        let records = Rc::new(records);
        Self { reader: None, records, problems: Default::default(), bytes: 0.0, first: RefCell::default() }
    }

    pub(super) fn current(&self) -> &Records {
        self.reader.as_ref().map_or(&*self.records, ingest::RecordReader::records)
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

    /// Problems met while reading, and how each file was read.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        problems_to_js(self.reader.as_ref().map_or(&self.problems, ingest::RecordReader::problems))
    }

    /// The values of a record as text, in the order of the fields.
    pub fn row(&self, index: u32) -> Vec<String> {
        self.current().row_text(index as usize)
    }
}

/// A value that the module for packed files says in JSON.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, JsValue> {
    let wrong = |error: serde_json::Error| thrown(&Problem::new("input.wrong-shape").with("error", error));
    serde_json::from_str(text).map_err(wrong)
}

/// The damage that a file was read up to: that of gzip where nothing is said.
pub(super) fn damage(problem: Option<String>) -> Problem {
    problem.and_then(|json| problem_of(&json)).unwrap_or_else(|| Problem::new("input.broken-gzip"))
}

/// A problem that the module for packed files says in JSON, with its sentence.
#[wasm_bindgen(js_name = problemOf)]
pub fn problem_with_sentence(problem: &str) -> Result<JsValue, JsValue> {
    plain(&problem_of(problem).unwrap_or_else(|| Problem::new("input.broken-table")))
}

/// A problem of a packed file with its sentence, for a file of which nothing was read.
#[wasm_bindgen(js_name = damageOf)]
pub fn damage_of(problem: String) -> Result<JsValue, JsValue> {
    plain(&damage(Some(problem)).with("rows", 0))
}

/// Problems met while reading, and how each file was read.
pub(super) fn problems_to_js(problems: &ingest::ReadProblems) -> Result<JsValue, JsValue> {
    let object = to_js(problems)?;
    set(&object, "ragged", (problems.ragged_short + problems.ragged_long) as f64)?;
    set(&object, "first", plain_all(&problems.first)?)?;
    set(&object, "files", to_js(&problems.files)?)?;
    Ok(object)
}
