//! Row keys suggested for a study.

use crate::error::{checked, thrown};
use crate::records::{Needed, records};
use pyo3::prelude::*;
use rowscape::design::parse_asked;
use rowscape::suggest::{SuggestOptions, SuggestSearch};
use serde_json::json;
use std::rc::Rc;

/// Suggestions for a study and its records, as JSON text.
#[pyfunction]
pub fn suggest(py: Python<'_>, study: &str, data: &Bound<'_, PyAny>, options: &str) -> PyResult<String> {
    let asked = parse_asked(study).map_err(|problems| thrown(py, &problems))?;
    let options = checked(py, SuggestOptions::parse(options))?;
    let records = records(py, &Needed::all(&asked.document), data)?;
    let mut search = SuggestSearch::new(asked, Rc::new(records), options);
    loop {
        // Ctrl-C ends the search.
        py.check_signals()?;
        if let Some(found) = search.turn() {
            return Ok(json!(checked(py, found)?).to_string());
        }
    }
}
