//! Summaries as files: counted, merged, opened.

use crate::design::{DesignHandle, answer};
use crate::error::{checked, thrown};
use crate::records::{Needed, batches, read};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowscape::error::Problem;
use rowscape::records::Records;
use rowscape::summary_file::{PartPlace, Summarizer, SummarizerOptions, SummaryFile};
use serde_json::json;

/// Records counted at a time.
const PORTION: usize = 1 << 18;

/// Counts the records of a part.
#[pyclass(unsendable, module = "rowscape._rowscape")]
pub struct PartHandle {
    part: Option<Summarizer>,
    needed: Needed,
}

impl PartHandle {
    fn count(&mut self, records: Records) -> Result<(), Problem> {
        self.part.as_mut().map_or(Ok(()), |part| part.add(records))
    }
}

#[pymethods]
impl PartHandle {
    #[new]
    fn new(py: Python<'_>, design: &DesignHandle, id: &str, name: &str, samples: bool) -> PyResult<Self> {
        let options = SummarizerOptions { id: id.to_owned(), name: name.to_owned(), no_samples: !samples };
        let part = checked(py, Summarizer::new(design.study.clone(), PartPlace::Values, options))?;
        Ok(Self { part: Some(part), needed: Needed::of(&design.study) })
    }

    /// Counts records.
    fn add(&mut self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut records = self.needed.none();
        for batch in batches(data)? {
            checked(py, self.needed.add(&read(batch)?, &mut records))?;
            if records.rows >= PORTION {
                let full = std::mem::replace(&mut records, self.needed.none());
                checked(py, self.count(full))?;
            }
        }
        checked(py, self.count(records))
    }

    /// Number of records so far.
    #[getter]
    fn rows(&self) -> u64 {
        self.part.as_ref().map_or(0, Summarizer::rows)
    }

    /// The summary of the part, which is then at its end.
    fn finish(&mut self, py: Python<'_>) -> PyResult<SummaryHandle> {
        let part = self.part.take().ok_or_else(|| thrown(py, &[Problem::new("records.finished")]))?;
        Ok(SummaryHandle(part.finish()))
    }
}

/// The counts of records under all tables of a design document.
#[pyclass(unsendable, module = "rowscape._rowscape")]
pub struct SummaryHandle(SummaryFile);

#[pymethods]
impl SummaryHandle {
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Ok(Self(checked(py, SummaryFile::from_bytes(bytes))?))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Adds the counts of other parts of the same design.
    fn merge(&mut self, py: Python<'_>, other: &Self) -> PyResult<()> {
        checked(py, self.0.merge(other.0.clone()))
    }

    /// The same without sampled rows, keys and values.
    fn without_samples(&self) -> Self {
        Self(self.0.clone().without_samples())
    }

    /// The design document as JSON text.
    fn document(&self) -> &str {
        self.0.document()
    }

    /// Rows, sampled rows and parts, as JSON text.
    fn about(&self) -> String {
        let parts = self.0.parts().iter().map(|part| {
            let id = part.id.map(|byte| format!("{byte:02x}")).concat();
            json!({ "id": id, "rows": part.rows, "name": part.name })
        });
        let sampled = self.0.has_samples().then(|| self.0.summary().sample.len());
        let parts: Vec<_> = parts.collect();
        json!({ "rows": self.0.summary().rows, "sampled": sampled, "parts": parts }).to_string()
    }

    /// Report, findings and picture of a table, as JSON text.
    fn analyze(&self, py: Python<'_>, table: Option<&str>) -> PyResult<String> {
        let study = self.0.study();
        let number = checked(py, table.map_or(Ok(0), |table| study.table_number(table)))?;
        let report = checked(py, self.0.report(number))?;
        let findings = checked(py, self.0.findings(number))?;
        let title = study.tables.get(number).map(|design| design.name.clone()).unwrap_or_default();
        let sampled = self.0.has_samples().then(|| self.0.summary().sample.len() as u64);
        Ok(answer(&report, json!(findings), &title, self.0.summary().rows, sampled).to_string())
    }
}
