//! Files that are no text: a module of its own, which is loaded once such a file is opened.

use rowscape::field::Field;
use rowscape::ingest::packed::{PackedForm, Step, Unpacker};
use rowscape::json;
use rowscape::records::formats::PackedFile;
use wasm_bindgen::prelude::*;

/// Nothing more comes.
const END: u8 = 0;
/// Bytes of the file are needed: `from` and `to`.
const NEED: u8 = 1;
/// The columns are known.
const STATED: u8 = 2;
/// The next bytes of text: [`PackedFileHandle::take`].
const TEXT: u8 = 3;
/// The file is damaged or not read; `take` gives the problem as JSON.
const PROBLEM: u8 = 4;

/// Turns a packed file into text, step by step.
#[wasm_bindgen(js_name = PackedFile)]
pub struct PackedFileHandle {
    file: PackedFile,
    taken: Vec<u8>,
    need: (f64, f64),
}

#[wasm_bindgen(js_class = PackedFile)]
impl PackedFileHandle {
    /// A file that begins so, of this size where it is known; nothing for a file that is not packed.
    pub fn open(head: &[u8], size: Option<f64>) -> Option<PackedFileHandle> {
        let form = PackedForm::told_by(head)?;
        let file = PackedFile::new(form, size.map(|size| size as u64));
        Some(Self { file, taken: Vec::new(), need: (0.0, 0.0) })
    }

    /// The next step, by its number.
    pub fn step(&mut self) -> u8 {
        match self.file.step() {
            Ok(Step::End) => END,
            Ok(Step::Stated) => STATED,
            Ok(Step::Need(range)) => {
                self.need = (range.start as f64, range.end as f64);
                NEED
            }
            Ok(Step::Text(text)) => {
                self.taken = text;
                TEXT
            }
            Err(problem) => {
                self.taken = json::text(&problem).into_bytes();
                PROBLEM
            }
        }
    }

    /// The first byte that is needed.
    #[wasm_bindgen(getter)]
    pub fn from(&self) -> f64 {
        self.need.0
    }

    /// The byte after the last that is needed.
    #[wasm_bindgen(getter)]
    pub fn to(&self) -> f64 {
        self.need.1
    }

    /// The bytes of the last step.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.taken)
    }

    /// Unpacks in a part of so many bytes of memory.
    pub fn within(&mut self, memory: f64) {
        self.file.within(memory as u64);
    }

    /// Gives bytes from `from` on; fewer than were asked for where the file ends.
    pub fn give(&mut self, from: f64, bytes: Vec<u8>) {
        self.file.give(from as u64, bytes);
    }

    /// Columns as the file states them, as JSON.
    pub fn stated(&self) -> String {
        json::text(&self.file.stated())
    }

    /// Reads only the columns that these fields, as JSON, are read from. False when they are none.
    pub fn choose(&mut self, fields: &str) -> bool {
        let fields: Result<Vec<Field>, _> = serde_json::from_str(fields);
        fields.map(|fields| self.file.choose(&fields)).is_ok()
    }

    /// The rows of each row group; none of files without row groups.
    #[wasm_bindgen(js_name = groupRows)]
    pub fn group_rows(&self) -> Vec<f64> {
        self.file.group_rows().into_iter().map(|rows| rows as f64).collect()
    }

    /// Goes on with the row groups from one to another, and no others. Only between two row groups.
    pub fn only(&mut self, from: u32, to: u32) {
        self.file.only(from as usize..to as usize);
    }

    /// Bytes of the file that will be read, where that is known.
    pub fn wanted(&self) -> Option<f64> {
        self.file.wanted().map(|bytes| bytes as f64)
    }
}
