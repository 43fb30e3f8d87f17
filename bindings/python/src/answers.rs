//! Answers that the command line gives too, as the same JSON: bytes and growth of a table, designs compared, migrations, and tables
//! that are in use.

use crate::design::DesignHandle;
use crate::error::{Failure, detached};
use crate::given::Given;
use crate::records::Needed;
use pyo3::prelude::*;
use rowscape::analysis::{Analysis, MeasuredTable, ReportOptions, RetainedVersions};
use rowscape::compare::{Candidate, ComparedSplits};
use rowscape::design::Document;
use rowscape::emit::{TablesInUse, migration_answer};
use rowscape::error::Problem;
use rowscape::existing;
use rowscape::migrate::migration;
use rowscape::records::Records;
use rowscape::report::Report;
use serde_json::json;
use std::rc::Rc;

/// The bytes of a table, and the regions for them, as JSON text.
#[pyfunction]
pub fn size(
    py: Python<'_>,
    design: &DesignHandle,
    data: Option<Bound<'_, PyAny>>,
    rows: Option<u64>,
) -> PyResult<String> {
    let given = Given::of(py, data.as_ref())?;
    detached(py, || {
        let measured = Measured::of(design, given)?;
        Ok(measured.table(design)?.size(rows)?.json().to_string())
    })
}

/// Months of a table's life, as JSON text.
#[pyfunction]
pub fn grow(py: Python<'_>, design: &DesignHandle, data: Option<Bound<'_, PyAny>>) -> PyResult<String> {
    let given = Given::of(py, data.as_ref())?;
    detached(py, || {
        let measured = Measured::of(design, given)?;
        Ok(json!(measured.table(design)?.outlook()?).to_string())
    })
}

/// The figures of a table by its records.
#[derive(Default)]
struct Measured {
    report: Option<Report>,
    /// `None` of a sample.
    left: Option<RetainedVersions>,
}

impl Measured {
    fn of(design: &DesignHandle, given: Given) -> Result<Self, Failure> {
        let (study, table) = (&design.study, design.table);
        if let Given::Summary(summary) = given {
            summary.check_design(study)?;
            let report = Some(summary.report(table)?);
            let records = summary.records();
            if records.all_rows() > records.rows as u64 {
                return Ok(Self { report, left: None });
            }
            let left = Some(summary.analysis(table)?.left(design.design()?));
            return Ok(Self { report, left });
        }
        let Some(records) = given.records(study, &Needed::of(study))? else { return Ok(Self::default()) };
        let mut analysis = Analysis::of(study, table, Rc::new(records))?;
        let left = Some(analysis.left(design.design()?));
        Ok(Self { report: Some(analysis.report(&ReportOptions::default())?), left })
    }

    fn table<'a>(&'a self, design: &'a DesignHandle) -> Result<MeasuredTable<'a>, Problem> {
        let (report, left) = (self.report.as_ref(), self.left.as_ref());
        Ok(MeasuredTable { study: &design.study, design: design.design()?, report, left })
    }
}

/// Designs on the same records, as JSON text: of summaries on the sampled ones. `equal`: keys are split into equal shares of the
/// records, else as their designs say.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    designs: Vec<Py<DesignHandle>>,
    data: Option<Bound<'_, PyAny>>,
    equal: bool,
) -> PyResult<String> {
    let given = Given::of(py, data.as_ref())?;
    let designs: Vec<&DesignHandle> = designs.iter().map(Py::get).collect();
    let splits = if equal { ComparedSplits::EqualShares } else { ComparedSplits::Designed };
    detached(py, || {
        if designs.len() < 2 {
            return Err(Problem::new("compare.too-few").into());
        }
        let records = records_of(&designs, given)?;
        let records = records.ok_or_else(|| Problem::new("suggest.no-rows"))?;
        let candidates: Vec<Candidate<'_>> = designs.iter().map(|design| candidate(design)).collect();
        Ok(json!(rowscape::compare::compare(&Rc::new(records), &candidates, splits)?).to_string())
    })
}

/// The way from a design to another, as JSON text; with records, how many rows move.
#[pyfunction]
pub fn migrate(
    py: Python<'_>,
    origin: &DesignHandle,
    target: &DesignHandle,
    data: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let given = Given::of(py, data.as_ref())?;
    detached(py, || {
        let records = records_of(&[origin, target], given)?;
        let found = migration(candidate(origin), candidate(target), records.as_ref())?;
        Ok(migration_answer(&origin.design()?.name, &found).to_string())
    })
}

fn records_of(designs: &[&DesignHandle], given: Given) -> Result<Option<Records>, Failure> {
    let studies: Vec<&Document> = designs.iter().map(|design| &design.study).collect();
    let Some(first) = studies.first() else { return Ok(None) };
    given.records(first, &Needed::of_any(&studies))
}

fn candidate(design: &DesignHandle) -> Candidate<'_> {
    Candidate { study: &design.study, table: design.table }
}

/// Tables that are in use, read from output of HBase's shell, as JSON text; with a design the way to its regions. `plain`: what lines
/// that are no such output are, `splits` or `keys`.
#[pyfunction]
pub fn table(
    py: Python<'_>,
    text: &str,
    design: Option<&DesignHandle>,
    plain: Option<&str>,
) -> PyResult<String> {
    detached(py, || {
        let design = design.map(DesignHandle::design).transpose()?;
        let found = TablesInUse::of(existing::read(text, plain), design)?.json();
        Ok(found.to_string())
    })
}
