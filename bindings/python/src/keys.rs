//! Row keys as an Arrow array.

use crate::error::plain_all;
use arrow_array::builder::BinaryBuilder;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, BinaryArray};
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use rowscape::encode::{EncodedKeys, RefusedRow};
use rowscape::error::Problem;
use rowscape::records::Records;
use std::sync::Arc;

/// The row keys of records, in their order; null for a record without one.
#[pyclass(frozen, module = "rowscape._rowscape")]
pub struct Keys {
    array: Arc<BinaryArray>,
    refused: u64,
    problems: String,
}

impl Keys {
    /// The keys that a formula has made of records.
    ///
    /// # Errors
    /// `row.no-room` for more bytes than an array of Arrow has.
    pub fn new(records: &Records, encoded: &EncodedKeys) -> Result<Self, Problem> {
        if i32::try_from(encoded.keys.bytes.len()).is_err() {
            return Err(Problem::new("row.no-room"));
        }
        let mut builder = BinaryBuilder::with_capacity(encoded.keys.len(), encoded.keys.bytes.len());
        for key in encoded.keys.iter() {
            builder.append_option((!key.is_empty()).then_some(key));
        }
        let problem = |refused: &RefusedRow| {
            let column = refused.column.and_then(|column| records.columns.get(column));
            let invalid =
                column.and_then(|column| column.first_invalid.iter().find(|(row, ..)| *row == refused.row));
            let mut problem = Problem::new(invalid.map_or(refused.code, |&(.., code)| code));
            if let Some((_, text, _)) = invalid {
                problem = problem.with("found", text);
            }
            problem.place.field = column.map(|column| column.field.name.clone());
            problem.place.row = Some(u64::from(refused.row) + 1);
            problem
        };
        let problems: Vec<Problem> = encoded.refused.first.iter().map(problem).collect();
        Ok(Self {
            array: Arc::new(builder.finish()),
            refused: encoded.refused.count(),
            problems: plain_all(&problems).to_string(),
        })
    }
}

#[pymethods]
impl Keys {
    /// Number of records without a key.
    #[getter]
    fn refused(&self) -> u64 {
        self.refused
    }

    /// Why the first of them have none, as JSON text.
    fn problems_json(&self) -> &str {
        &self.problems
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let length = self.array.len() as isize;
        let at = if index < 0 { index + length } else { index };
        if !(0..length).contains(&at) {
            return Err(pyo3::exceptions::PyIndexError::new_err("key index out of range"));
        }
        let at = at as usize;
        Ok((!self.array.is_null(at)).then(|| PyBytes::new(py, self.array.value(at))))
    }

    /// The array by the Arrow C data interface; another type is not cast to.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let schema = FFI_ArrowSchema::try_from(&DataType::Binary);
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let array = FFI_ArrowArray::new(&self.array.to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}
