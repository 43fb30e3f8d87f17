//! Slices of a large file, which other instances of the module read and encode.

use crate::analysis::study;
use crate::records::RecordsHandle;
use rowscape::encode::{Encoder, FirstKeys};
use wasm_bindgen::prelude::*;

/// The keys of the first records under one table of a document.
pub(super) struct EncodedFirst {
    document: String,
    table: u32,
    pub(super) keys: FirstKeys,
}

#[wasm_bindgen(js_class = Records)]
impl RecordsHandle {
    /// A reader of the rest of the file from this byte on, where a record begins; `undefined` where it can't be read by itself.
    #[wasm_bindgen(js_name = apartFrom)]
    pub fn apart_from(&self, base: f64) -> Option<RecordsHandle> {
        self.reader.as_ref()?.apart_from(base as u64).map(Self::reading)
    }

    /// Makes room for the records of so many more bytes, by those read so far.
    #[wasm_bindgen(js_name = reserveFor)]
    pub fn reserve_for(&mut self, bytes: f64) {
        if let Some(reader) = &mut self.reader {
            reader.reserve_for(bytes as u64);
        }
    }

    /// Makes the keys of the records so far, of `expected` in all, for a later analysis under this table of the document.
    pub fn encode(&mut self, document: &str, table: u32, expected: u32) {
        let keys = self.encoded(document, table, expected as usize, self.take_first(document, table));
        let keys = keys.map(|keys| EncodedFirst { document: document.to_owned(), table, keys });
        self.first.replace(keys);
    }

    /// Goes on from the keys of the first records.
    fn encoded(&self, document: &str, table: u32, expected: usize, first: FirstKeys) -> Option<FirstKeys> {
        let records = self.current();
        let study = study(document).ok()?;
        let design = study.tables.get(table as usize)?;
        // Random parts depend on places, which row groups have only once those before them are taken in.
        let is_of_tables = self.reader.as_ref().is_some_and(|reader| reader.is_of_tables());
        let mut parts = design.typed.each().flat_map(|of| &of.parts);
        if is_of_tables && parts.any(|part| part.expression.is_random()) {
            return None;
        }
        let held = |field: &rowscape::field::Field| {
            records.column(&field.name).is_some_and(|column| column.field.kind == field.kind)
        };
        if !design.typed.fields().all(|field| study.fields.get(field).is_some_and(held)) {
            return None;
        }
        let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
        Encoder::new(records, &names, &[&design.typed]).encode_on(first, expected)
    }

    /// The records of a slice as bytes; `undefined` where they can't be taken in elsewhere.
    #[wasm_bindgen(js_name = recordsForm)]
    pub fn records_form(&self) -> Option<Vec<u8>> {
        self.reader.as_ref()?.piece_form()
    }

    /// The keys of some of its records as bytes; `undefined` where none were made.
    #[wasm_bindgen(js_name = keysForm)]
    pub fn keys_form(&self, from: u32, to: u32) -> Option<Vec<u8>> {
        let first = self.first.borrow();
        Some(first.as_ref()?.keys.form(from as usize..(to as usize).min(self.current().rows)))
    }

    /// Takes in the records of the next slice. False where that can't be: its bytes are to be pushed.
    #[wasm_bindgen(js_name = takeRecords)]
    pub fn take_records(&mut self, form: &[u8]) -> bool {
        // The keys of the slice are of use only behind those of all records before it.
        let made = self.first.borrow().as_ref().map_or(0, |first| first.keys.len());
        if made < self.current().rows {
            self.first.replace(None);
        }
        self.reader.as_mut().is_some_and(|reader| reader.take_in_form(form))
    }

    /// Takes in keys of the slice that was taken in last, some after the other.
    #[wasm_bindgen(js_name = takeKeys)]
    pub fn take_keys(&mut self, form: &[u8]) {
        let taken = self.first.get_mut().as_mut().is_some_and(|first| first.keys.take_in(form));
        if !taken {
            self.first.replace(None);
        }
    }

    /// The keys made for this table of a document; none are kept.
    pub(super) fn take_first(&self, document: &str, table: u32) -> FirstKeys {
        let made = self.first.take().filter(|made| (made.document.as_str(), made.table) == (document, table));
        made.map(|made| made.keys).filter(|keys| keys.len() <= self.current().rows).unwrap_or_default()
    }
}
