//! Exports of a design.

use crate::design::DesignHandle;
use crate::error::{Failure, detached};
use crate::given::Given;
use crate::records::Needed;
use pyo3::prelude::*;
use rowscape::analysis::Analysis;
use rowscape::emit::{EMITTERS, EmitSubject, HbaseVersion, is_of_key};
use rowscape::error::Problem;
use rowscape::split::SplitPoints;
use serde_json::{Value, json};
use std::rc::Rc;

/// The exports as JSON text: name and language of each.
#[pyfunction]
pub fn emitters() -> String {
    let of =
        |emitter: &rowscape::emit::Emitter| json!({ "name": emitter.name, "language": emitter.language });
    EMITTERS.iter().map(of).collect::<Value>().to_string()
}

/// An export by its name, as JSON text: `file`, `language` and `text`. `origin` is the design that the table has so far.
#[pyfunction]
pub fn emit(
    py: Python<'_>,
    design: &DesignHandle,
    name: &str,
    data: Option<Bound<'_, PyAny>>,
    origin: Option<&DesignHandle>,
    hbase: Option<&str>,
    kind: Option<&str>,
) -> PyResult<String> {
    let given = Given::of(py, data.as_ref())?;
    detached(py, || {
        let points = points(design, given)?;
        let study = match kind.filter(|_| is_of_key(name)) {
            Some(kind) => Some(design.study.of_kind_named(design.table, kind)?),
            None => None,
        };
        let (study, table) = study.as_ref().map_or((&design.study, design.table), |study| (study, 0));
        let hbase = hbase.map_or(Ok(HbaseVersion::DEFAULT), HbaseVersion::named)?;
        let subject = EmitSubject { hbase, ..EmitSubject::new(study, study.table(table)?, &points) };
        let emitted = match origin {
            Some(origin) => {
                let of = origin.design()?;
                let points = of.splits.points();
                let from = EmitSubject::new(&origin.study, of, &points);
                rowscape::emit::emit_from(name, &from, &subject)?
            }
            None => rowscape::emit::emit(name, &subject)?,
        };
        Ok(json!({ "file": emitted.file, "language": emitted.language, "text": emitted.text }).to_string())
    })
}

/// The split points, from records where they follow from those; a problem where these are missing, for exports that need no points.
fn points(design: &DesignHandle, given: Given) -> Result<Result<SplitPoints, Problem>, Failure> {
    let splits = &design.design()?.splits;
    if !splits.need_records() || matches!(given, Given::Nothing) {
        return Ok(splits.points());
    }
    let Some(records) = given.records(&design.study, &Needed::of(&design.study))? else {
        return Ok(splits.points());
    };
    let analysis = Analysis::of(&design.study, design.table, Rc::new(records))?;
    Ok(Ok(analysis.points().clone()))
}
