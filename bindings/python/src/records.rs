//! Arrow tables to records.

use crate::column::Filling;
use crate::error::thrown;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::ArrowError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rowscape::design::Document;
use rowscape::error::Problem;
use rowscape::field::Field;
use rowscape::records::{Column, ColumnValues, Records};
use std::sync::Arc;

/// Joins the texts of several columns.
const BLANK: &str = " ";

/// The fields of a document that its tables, queries and settings name, each with the Arrow columns that it is read from.
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
    pub fn add(&self, batch: &RecordBatch, records: &mut Records) -> Result<(), Problem> {
        let bytes = batch.get_array_memory_size();
        if !records.has_room(batch.num_rows(), bytes) {
            return Err(Problem::new("row.no-room"));
        }
        let row = records.rows;
        for (field, column) in self.fields.iter().zip(&mut records.columns) {
            let array = array_of(field, batch)?;
            Filling::new(field)?.append(&array, column, row)?;
        }
        let starts: Vec<u32> = (row as u32..(row + batch.num_rows()) as u32).collect();
        records.add_positions(0, 0, &starts);
        Ok(())
    }
}

/// The Arrow column of a field: of several columns their texts, joined by a blank.
fn array_of(field: &Field, batch: &RecordBatch) -> Result<ArrayRef, Problem> {
    let column = |name: &String| {
        let missing =
            || Problem::new("records.field-not-held").with("field", name).at_field(field.name.clone());
        batch.column_by_name(name).cloned().ok_or_else(missing)
    };
    if let [name] = field.columns() {
        return column(name);
    }
    let text = Field {
        kind: rowscape::field::Kind::Text,
        format: None,
        from: Vec::new(),
        width: None,
        ..field.clone()
    };
    let filling = Filling::new(&text)?;
    let mut columns = Vec::new();
    for name in field.columns() {
        let mut texts = Column::new(&text);
        filling.append(&column(name)?, &mut texts, 0)?;
        columns.push(texts);
    }
    let joined = (0..batch.num_rows()).map(|row| {
        let texts: Option<Vec<String>> = columns.iter().map(|column| text_of(column, row)).collect();
        texts.map(|texts| texts.join(BLANK))
    });
    Ok(Arc::new(joined.collect::<StringArray>()))
}

fn text_of(column: &Column, row: usize) -> Option<String> {
    let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
    let text = dictionary.get(*ids.get(row)?);
    (!column.invalid.get(row)).then(|| String::from_utf8_lossy(text).into_owned())
}

/// The batches of anything that gives Arrow data.
///
/// # Errors
/// `TypeError` for anything else.
pub fn batches(
    data: &Bound<'_, PyAny>,
) -> PyResult<Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>> {
    if data.hasattr("__arrow_c_stream__")? {
        return Ok(Box::new(RecordBatchStreamReader::from_pyarrow_bound(data)?));
    }
    if data.hasattr("__arrow_c_array__")? {
        return Ok(Box::new(std::iter::once(Ok(RecordBatch::from_pyarrow_bound(data)?))));
    }
    let kind = data.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "data must be Arrow data, such as a pyarrow Table or a polars or pandas DataFrame, not {kind}"
    )))
}

/// All rows of Arrow data as records.
pub fn records(py: Python<'_>, needed: &Needed, data: &Bound<'_, PyAny>) -> PyResult<Records> {
    let mut records = needed.none();
    for batch in batches(data)? {
        needed.add(&read(batch)?, &mut records).map_err(|problem| thrown(py, &[problem]))?;
    }
    Ok(records)
}

/// A batch, or what its source says.
pub fn read(batch: Result<RecordBatch, ArrowError>) -> PyResult<RecordBatch> {
    batch.map_err(|error| PyValueError::new_err(error.to_string()))
}
