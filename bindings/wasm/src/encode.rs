//! A design by itself: records to row keys, row keys to regions.

use crate::convert::{checked, columns, plain_all, set, thrown_all, to_js};
use rowscape::bytes::strings::ByteStrings;
use rowscape::design::{self, Design, Document};
use rowscape::encode::{EncodedKeys, Encoder, RefusedRow};
use rowscape::error::Problem;
use rowscape::ingest::columns::{GivenColumn, records};
use rowscape::records::Records;
use rowscape::split::SplitPoints;
use wasm_bindgen::prelude::*;

/// Records as columns of texts, in the order of the fields.
#[wasm_bindgen]
#[derive(Default)]
pub struct Columns(pub(super) Vec<GivenColumn>);

#[wasm_bindgen]
impl Columns {
    /// No columns yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Columns {
        Self::default()
    }

    /// Adds the column of the next field: its texts laid end to end, the records that have none, and how they are
    /// written when it is not as the field declares.
    pub fn add(&mut self, bytes: Vec<u8>, ends: Vec<u32>, missing: Vec<u32>, format: Option<String>) {
        self.0.push(GivenColumn { texts: ByteStrings { bytes, ends }, missing, format });
    }
}

/// A table of a design document.
#[wasm_bindgen(js_name = Design)]
pub struct DesignHandle {
    study: Document,
    table: usize,
    /// How it is split, unless that follows from records.
    points: Result<SplitPoints, Problem>,
}

impl DesignHandle {
    /// Which table of the study it is.
    #[cfg(feature = "whole")]
    pub(super) fn index(&self) -> usize {
        self.table
    }

    /// How it is split, unless that follows from records.
    #[cfg(feature = "whole")]
    pub(super) fn points(&self) -> &Result<SplitPoints, Problem> {
        &self.points
    }

    /// The study, and the table of it that this is.
    pub(super) fn table(&self) -> Option<(&Document, &Design)> {
        Some((&self.study, self.study.tables.get(self.table)?))
    }

    /// The records that the columns hold, and their keys.
    pub(super) fn keys(&self, given: &Columns) -> Result<(Records, EncodedKeys), JsValue> {
        let records = checked(records(&self.study.fields, &given.0))?;
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        let typed: Vec<_> = self.study.tables.get(self.table).iter().map(|table| &table.typed).collect();
        let keys = Encoder::new(&records, &names, &typed).encode().pop().unwrap_or_default();
        Ok((records, keys))
    }
}

#[wasm_bindgen(js_class = Design)]
impl DesignHandle {
    /// Reads a design document. Of several tables it is the one of this name, or of this number counted from 0.
    #[wasm_bindgen(constructor)]
    pub fn new(document: &str, table: Option<String>) -> Result<DesignHandle, JsValue> {
        let study = design::parse(document).map_err(|problems| thrown_all(&problems))?;
        let wanted = table.unwrap_or_else(|| "0".to_owned());
        let table = checked(study.table_number(&wanted))?;
        let none = || Err(Problem::new("design.no-such-table").with("table", &wanted));
        let points = study.tables.get(table).map_or_else(none, |table| table.splits.points());
        Ok(Self { study, table, points })
    }

    /// Name of the table.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.study.tables.get(self.table).map(|table| table.name.clone()).unwrap_or_default()
    }

    /// Its row key formula in canonical form.
    #[wasm_bindgen(getter)]
    pub fn rowkey(&self) -> String {
        self.study.tables.get(self.table).map(|table| table.rowkey.clone()).unwrap_or_default()
    }

    /// The names of its kinds of records; none where all have one row key.
    #[wasm_bindgen(getter)]
    pub fn kinds(&self) -> Vec<String> {
        let kinds = self.study.tables.get(self.table).map(|table| table.kinds.as_slice()).unwrap_or_default();
        kinds.iter().map(|kind| kind.typed.name.clone()).collect()
    }

    /// The design as records of one kind see it, in the regions of the whole table.
    #[wasm_bindgen(js_name = ofKind)]
    pub fn of_kind(&self, name: &str) -> Result<DesignHandle, JsValue> {
        let study = checked(self.study.of_kind_named(self.table, name))?;
        Ok(Self { study, table: 0, points: self.points.clone() })
    }

    /// The fields of a record.
    pub fn fields(&self) -> Result<JsValue, JsValue> {
        to_js(&self.study.fields)
    }

    /// The keys of records, a refused one empty, with the number of those and the first of them.
    pub fn encode(&self, given: &Columns) -> Result<JsValue, JsValue> {
        let (records, keys) = self.keys(given)?;
        let object = columns(&keys.keys)?;
        let first: Vec<Problem> = keys.refused.first.iter().map(|row| refusal(&records, row)).collect();
        set(&object, "refused", keys.refused.count() as f64)?;
        set(&object, "first", plain_all(&first)?)?;
        Ok(object)
    }

    /// The split points, ascending.
    #[wasm_bindgen(js_name = splitPoints)]
    pub fn split_points(&self) -> Result<JsValue, JsValue> {
        columns(checked(self.points.as_ref().map_err(Clone::clone))?.keys())
    }

    /// The region that holds a key, counted from 0.
    #[wasm_bindgen(js_name = regionOf)]
    pub fn region_of(&self, key: &[u8]) -> Result<u32, JsValue> {
        Ok(checked(self.points.as_ref().map_err(Clone::clone))?.region_of(key) as u32)
    }
}

/// Why a record got no key: where a value could not be read, what was wrong with it.
fn refusal(records: &Records, refused: &RefusedRow) -> Problem {
    let column = refused.column.and_then(|column| records.columns.get(column));
    let invalid = column
        .and_then(|column| column.first_invalid.iter().find(|(row, ..)| *row == refused.row))
        .map(|&(.., code)| code);
    let mut problem = Problem::new(invalid.unwrap_or(refused.code));
    problem.place.field = column.map(|column| column.field.name.clone());
    problem.place.row = Some(u64::from(refused.row) + 1);
    problem
}
