//! Row keys suggested for a study.

use crate::error::detached;
use crate::records::{Batches, Needed};
use pyo3::prelude::*;
use rowscape::design::parse_request;
use rowscape::suggest::{SuggestOptions, SuggestSearch};
use serde_json::json;
use std::rc::Rc;

/// Suggestions for a study and its records, as JSON text.
#[pyfunction]
pub fn suggest(py: Python<'_>, study: &str, data: &Bound<'_, PyAny>, options: &str) -> PyResult<String> {
    let batches = Batches::of(data)?;
    detached(py, || {
        let asked = parse_request(study)?;
        let options = SuggestOptions::parse(options)?;
        let records = batches.records(&Needed::all(&asked.document))?;
        let mut search = SuggestSearch::new(asked, Rc::new(records), options);
        loop {
            // Ctrl-C ends the search.
            Python::attach(|py| py.check_signals())?;
            if let Some(found) = search.poll() {
                return Ok(json!(found?).to_string());
            }
        }
    })
}
