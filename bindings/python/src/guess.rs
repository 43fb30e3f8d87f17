//! First designs for files.

use crate::error::{Failure, detached};
use pyo3::prelude::*;
use rowscape::base::json;
use rowscape::hbase::phoenix::{self, PhoenixText, is_sql};
use rowscape::hbase::row_keys::{guess_file, guess_keys, guess_with_text};
use rowscape::records::guess::SaidOfFile;
use rowscape::session::HEAD;

/// A first design for a file with these first bytes, of which records need no more than [`HEAD`], as JSON text. `keys` says that its lines are row keys;
/// `data` are records as text that these are the row keys of.
#[pyfunction]
pub fn guess(
    py: Python<'_>,
    head: Vec<u8>,
    name: &str,
    keys: bool,
    header: Option<bool>,
    data: Option<Vec<u8>>,
) -> PyResult<String> {
    detached(py, || {
        let said = SaidOfFile { header, ..SaidOfFile::default() };
        if let Some(data) = data {
            let design = guess_with_text(&head, (name, &said), &data).map_err(Failure::from)?;
            return Ok(json::text(&serde_json::json!(design)));
        }
        let text = String::from_utf8_lossy(&head);
        if !keys && is_sql(&text) {
            let PhoenixText { design, problems } = phoenix::read(&text);
            let design = design.ok_or_else(|| Failure::from(problems))?;
            return Ok(json::text(&design));
        }
        let first = head.get(..HEAD).unwrap_or(&head);
        let mut found = guess_file(first, name, &said, keys);
        // The first keys of a table are alike in much in which others differ.
        if found.keys.is_some() {
            found = guess_keys(&head, name, &said, keys);
        }
        let design = found.first_design(name).map_err(Failure::from)?;
        Ok(json::text(&serde_json::json!(design)))
    })
}
