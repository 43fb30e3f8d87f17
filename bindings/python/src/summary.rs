//! Summaries as files: counted, merged, opened.

use crate::design::{DesignHandle, answer};
use crate::error::{Failure, checked, detached};
use crate::records::{Batches, Needed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rowscape::error::Problem;
use rowscape::records::Records;
use rowscape::session::PORTION_ROWS;
use rowscape::summary_file::{PartPlace, Summarizer, SummarizerOptions, SummaryFile};
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts the records of a part.
#[pyclass(frozen, module = "rowscape._rowscape")]
pub struct PartHandle {
    part: Mutex<Option<Summarizer>>,
    needed: Needed,
}

impl PartHandle {
    fn count(&self, records: Records) -> Result<(), Problem> {
        match &mut *locked(&self.part) {
            Some(part) => part.add(records),
            None => Err(Problem::new("records.finished")),
        }
    }

    /// Counts records portion by portion.
    fn count_all(&self, batches: Batches) -> Result<(), Failure> {
        let mut records = self.needed.none();
        for batch in batches {
            self.needed.add(&batch?, &mut records)?;
            if records.rows >= PORTION_ROWS {
                self.count(std::mem::replace(&mut records, self.needed.none()))?;
            }
        }
        Ok(self.count(records)?)
    }
}

#[pymethods]
impl PartHandle {
    #[new]
    fn new(py: Python<'_>, design: &DesignHandle, id: &str, name: &str, samples: bool) -> PyResult<Self> {
        let options = SummarizerOptions { id: id.to_owned(), name: name.to_owned(), no_samples: !samples };
        let part = checked(py, Summarizer::new(design.study.clone(), PartPlace::Values, options))?;
        Ok(Self { part: Mutex::new(Some(part)), needed: Needed::of(&design.study) })
    }

    /// Counts records.
    fn add(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let batches = Batches::of(data)?;
        detached(py, || self.count_all(batches))
    }

    /// Number of records so far.
    #[getter]
    fn rows(&self, py: Python<'_>) -> u64 {
        py.detach(|| locked(&self.part).as_ref().map_or(0, Summarizer::rows))
    }

    /// The summary of the part, which is then at its end.
    fn finish(&self, py: Python<'_>) -> PyResult<SummaryHandle> {
        detached(py, || {
            let part = locked(&self.part).take().ok_or_else(|| Problem::new("records.finished"))?;
            Ok(SummaryHandle(Mutex::new(part.finish())))
        })
    }
}

/// The counts of records under all tables of a design document.
#[pyclass(frozen, module = "rowscape._rowscape")]
pub struct SummaryHandle(Mutex<SummaryFile>);

impl SummaryHandle {
    /// The counts so far.
    pub fn counts(&self) -> SummaryFile {
        locked(&self.0).clone()
    }
}

#[pymethods]
impl SummaryHandle {
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        detached(py, || Ok(Self(Mutex::new(SummaryFile::from_bytes(bytes)?))))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| locked(&self.0).to_bytes()))
    }

    /// Adds the counts of other parts of the same design.
    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        detached(py, || {
            // One lock at a time: two threads may merge two summaries into each other.
            let other = other.counts();
            Ok(locked(&self.0).merge(other)?)
        })
    }

    /// The same without sampled rows, keys and values.
    fn without_samples(&self, py: Python<'_>) -> Self {
        py.detach(|| Self(Mutex::new(self.counts().without_samples())))
    }

    /// The design document as JSON text.
    fn document(&self, py: Python<'_>) -> String {
        py.detach(|| locked(&self.0).document().to_owned())
    }

    /// Rows, sampled rows and parts, as JSON text.
    fn about(&self, py: Python<'_>) -> String {
        py.detach(|| about(&locked(&self.0))).to_string()
    }

    /// Report, findings and picture of a table, as JSON text.
    fn analyze(&self, py: Python<'_>, table: Option<&str>) -> PyResult<String> {
        detached(py, || Ok(analyzed(&locked(&self.0), table)?.to_string()))
    }
}

fn about(file: &SummaryFile) -> Value {
    let parts = file.parts().iter().map(|part| {
        let id = part.id.map(|byte| format!("{byte:02x}")).concat();
        json!({ "id": id, "rows": part.rows, "name": part.name })
    });
    let parts: Vec<_> = parts.collect();
    json!({ "rows": file.summary().rows, "sampled": sampled(file), "parts": parts })
}

fn analyzed(file: &SummaryFile, table: Option<&str>) -> Result<Value, Problem> {
    let study = file.study();
    let number = table.map_or(Ok(0), |table| study.table_number(table))?;
    let report = file.report(number)?;
    let findings = file.findings(number)?;
    let title = study.tables.get(number).map(|design| design.name.clone()).unwrap_or_default();
    Ok(answer(&report, json!(findings), &title, file.summary().rows, sampled(file)))
}

fn sampled(file: &SummaryFile) -> Option<u64> {
    file.has_samples().then(|| file.summary().sample.len() as u64)
}

/// The contents of a mutex. A count that panicked leaves the counts of the records before it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
