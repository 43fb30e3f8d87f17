//! Arrow tables to records.

use crate::column::Filling;
use crate::error::Failure;
use crate::path;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::ArrowError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rowscape::base::nearest::nearest;
use rowscape::design::Document;
use rowscape::error::Problem;
use rowscape::field::Field;
use rowscape::records::{Column, ColumnValues, Records};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Joins the texts of several columns.
const BLANK: &str = " ";

/// The fields of a document that its tables, queries and settings name, each with the Arrow columns that it is read from. A column
/// within structs has the path to it as its name.
pub struct Needed {
    fields: Vec<Field>,
}

impl Needed {
    /// The fields that a document names.
    pub fn of(study: &Document) -> Self {
        let named = study.named_fields();
        let fields = study.fields.iter().filter(|field| named.contains(&field.name.as_str()));
        Self { fields: fields.cloned().collect() }
    }

    /// The fields of the first document that any of the documents names.
    pub fn of_any(studies: &[&Document]) -> Self {
        let named: BTreeSet<&str> = studies.iter().flat_map(|study| study.named_fields()).collect();
        let fields = studies.first().map(|study| study.fields.as_slice()).unwrap_or_default();
        Self { fields: fields.iter().filter(|field| named.contains(field.name.as_str())).cloned().collect() }
    }

    /// All fields of a document.
    pub fn all(study: &Document) -> Self {
        Self { fields: study.fields.clone() }
    }

    /// The columns that are read.
    pub fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        for column in self.fields.iter().flat_map(Field::columns) {
            if !columns.contains(column) {
                columns.push(column.clone());
            }
        }
        columns
    }

    /// Records with no rows yet.
    pub fn none(&self) -> Records {
        Records::new(&self.fields)
    }

    /// Adds the rows of a batch.
    ///
    /// # Errors
    /// `records.field-not-held` for a column that is missing, `records.field-of-another-type` for one of another type, `row.no-room`.
    pub fn add(&self, batch: &RecordBatch, records: &mut Records) -> Result<(), Failure> {
        let mut arrays = Vec::new();
        for field in &self.fields {
            let columns = field.columns().iter().map(|name| array_of(field, name, batch));
            arrays.push(columns.collect::<Result<Vec<_>, _>>()?);
        }
        let of_texts = arrays
            .iter()
            .zip(&records.columns)
            .filter(|(_, column)| matches!(column.values, ColumnValues::Strings { .. }));
        let bytes = of_texts.flat_map(|(arrays, _)| arrays).map(|(_, array)| bytes_of_texts(array)).max();
        if !records.has_room(batch.num_rows(), bytes.unwrap_or_default()) {
            return Err(Problem::new("row.no-room").into());
        }
        let row = records.rows;
        for ((field, arrays), column) in self.fields.iter().zip(arrays).zip(&mut records.columns) {
            match arrays.as_slice() {
                [one] => append(field, one, column, row)?,
                several => {
                    let joined: ArrayRef = Arc::new(joined(field, several, batch.num_rows())?);
                    Filling::new(field)?.append(&joined, column, row)?;
                }
            }
        }
        let starts: Vec<u32> = (row as u32..(row + batch.num_rows()) as u32).collect();
        records.add_positions(0, 0, &starts);
        Ok(())
    }
}

/// A column that a field is read from.
fn array_of<'f>(field: &Field, name: &'f str, batch: &RecordBatch) -> Result<(&'f str, ArrayRef), Failure> {
    if let Some(array) = path::find(batch, name)? {
        return Ok((name, array));
    }
    let known = path::names(batch.schema().fields());
    let problem = Problem::new("records.field-not-held").with("field", &field.name).with("column", name);
    let problem = problem.with("known", known.join(", ")).at_field(field.name.clone());
    Err(match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => problem.with("nearest", near),
        None => problem,
    }
    .into())
}

/// Appends the values of a column to those of a field that has `row` values so far.
fn append(
    field: &Field,
    (name, array): &(&str, ArrayRef),
    column: &mut Column,
    row: usize,
) -> Result<(), Problem> {
    Filling::new(field)?.append(array, column, row).map_err(|problem| problem.with("column", name))
}

/// Bytes of the texts of a column at most, about: no number has more than four characters for each of its bytes.
fn bytes_of_texts(array: &ArrayRef) -> usize {
    let bytes = array.to_data().get_slice_memory_size().unwrap_or_else(|_| array.get_array_memory_size());
    match array.data_type().primitive_width() {
        Some(_) => bytes.saturating_mul(4),
        None => bytes,
    }
}

/// The texts of several columns, joined by a blank.
fn joined(field: &Field, arrays: &[(&str, ArrayRef)], rows: usize) -> Result<StringArray, Problem> {
    let text = Field {
        kind: rowscape::field::Kind::Text,
        format: None,
        from: Vec::new(),
        nullable: false,
        width: None,
        ..field.clone()
    };
    let mut columns = Vec::new();
    for array in arrays {
        let mut texts = Column::new(&text);
        append(&text, array, &mut texts, 0)?;
        columns.push(texts);
    }
    let joined = (0..rows).map(|row| {
        let texts: Option<Vec<String>> = columns.iter().map(|column| text_of(column, row)).collect();
        texts.map(|texts| texts.join(BLANK))
    });
    Ok(joined.collect())
}

fn text_of(column: &Column, row: usize) -> Option<String> {
    let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
    let text = dictionary.get(*ids.get(row)?);
    (!column.invalid.get(row)).then(|| String::from_utf8_lossy(text).into_owned())
}

/// The batches of a source of Arrow data, which is read on any thread.
pub struct Batches(Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>);

impl Batches {
    /// The batches of anything that gives Arrow data.
    ///
    /// # Errors
    /// `TypeError` for anything else.
    pub fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if data.hasattr("__arrow_c_stream__")? {
            return Ok(Self(Box::new(RecordBatchStreamReader::from_pyarrow_bound(data)?)));
        }
        if data.hasattr("__arrow_c_array__")? {
            return Ok(Self(Box::new(std::iter::once(Ok(RecordBatch::from_pyarrow_bound(data)?)))));
        }
        let kind = data.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "data must be Arrow data, such as a pyarrow Table or a polars or pandas DataFrame, not {kind}"
        )))
    }

    /// All rows as records.
    ///
    /// # Errors
    /// Errors of the source and of [`Needed::add`].
    pub fn records(self, needed: &Needed) -> Result<Records, Failure> {
        let mut records = needed.none();
        for batch in self {
            needed.add(&batch?, &mut records)?;
        }
        Ok(records)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
