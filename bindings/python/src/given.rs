//! The subject of an answer: rows, the counts of a summary, or a design alone.

use crate::error::Failure;
use crate::records::{Batches, Needed};
use crate::summary::SummaryHandle;
use pyo3::prelude::*;
use rowscape::design::Document;
use rowscape::ingest::Generator;
use rowscape::ingest::generate::GeneratorSpec;
use rowscape::records::Records;
use rowscape::summary_file::SummaryFile;

/// Records of some source.
pub enum Given {
    /// Arrow data.
    Rows(Batches),
    /// The counts of more records than are in memory.
    Summary(Box<SummaryFile>),
    /// Those that the design generates, if it does.
    Nothing,
}

impl Given {
    /// From Arrow data, a summary or None.
    ///
    /// # Errors
    /// `TypeError` for anything else.
    pub fn of(py: Python<'_>, data: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(data) = data else { return Ok(Self::Nothing) };
        match data.cast::<SummaryHandle>() {
            Ok(summary) => {
                let summary = summary.get();
                Ok(Self::Summary(Box::new(py.detach(|| summary.counts()))))
            }
            Err(_) => Ok(Self::Rows(Batches::of(data)?)),
        }
    }

    /// The records, of a summary the sampled ones; `None` without any.
    ///
    /// # Errors
    /// Errors of the source; a summary of another design or without samples; an invalid description of generated records.
    pub fn records(self, study: &Document, needed: &Needed) -> Result<Option<Records>, Failure> {
        match self {
            Self::Rows(batches) => batches.records(needed).map(Some),
            Self::Summary(summary) => {
                summary.check_design(study)?;
                summary.check_samples()?;
                Ok(Some(summary.records()))
            }
            Self::Nothing => Ok(generated(study)?),
        }
    }
}

/// The records that a design generates; `None` if it describes none.
fn generated(study: &Document) -> Result<Option<Records>, rowscape::Problem> {
    let spec = study.generate.as_ref().map(GeneratorSpec::of).transpose()?;
    spec.map(|spec| Generator::all(&spec, &study.fields)).transpose()
}
