//! Tables as HBase's own files show them.

use crate::error::{Failure, detached, plain, plain_all};
use pyo3::prelude::*;
use rowscape::error::Problem;
use rowscape::observe::{Depth, GivenFile, Metric, ObserveOptions, ObserveStep, Observer};
use serde_json::json;
use std::fs::File;
use std::io::{Read, Result as IoResult, Seek, SeekFrom};

/// Bytes of an open file from a place on: as many as were asked for, unless it ends before.
fn read_at(file: &mut File, from: u64, length: u64) -> IoResult<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The answer about files of HBase, as JSON text. `files` have their sizes and the times of their last changes; `wanted` is a metric and a number of regions; times are milliseconds since 1970.
#[pyfunction]
pub fn observe(
    py: Python<'_>,
    files: Vec<(String, u64, i64)>,
    all: bool,
    table: Option<String>,
    times: (Option<i64>, Option<i64>),
    wanted: (Option<String>, Option<usize>),
    memory: u64,
) -> PyResult<String> {
    detached(py, || {
        let (since, until) = times;
        let (metric, regions) = wanted;
        let depth = if all { Depth::All } else { Depth::Index };
        let times = (since.is_some() || until.is_some())
            .then(|| (since.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX)));
        let given = |(path, bytes, changed)| GivenFile { path, bytes, changed: Some(changed) };
        let files = files.into_iter().map(given).collect();
        let metric = metric.as_deref().and_then(Metric::named);
        let mut observer =
            Observer::new(files, ObserveOptions { depth, table, times, metric, regions, memory });
        let mut open: Option<(usize, File)> = None;
        loop {
            match observer.step() {
                ObserveStep::Done => break,
                ObserveStep::Progress(..) => {}
                ObserveStep::Need(at, range) => {
                    let file = match open.take() {
                        Some((known, file)) if known == at => Ok(file),
                        _ => File::open(observer.path(at)),
                    };
                    let read = file.and_then(|mut file| {
                        let bytes = read_at(&mut file, range.start, range.end - range.start)?;
                        Ok((file, bytes))
                    });
                    match read {
                        Ok((file, bytes)) => {
                            open = Some((at, file));
                            observer.give(range.start, bytes);
                        }
                        Err(error) => {
                            observer.fail(Problem::new("observe.unreadable").with("error", error));
                        }
                    }
                }
            }
        }
        let answer = observer.answer();
        if answer.tables.is_empty() {
            let problem = answer.files.iter().find_map(|file| file.problem.clone());
            return Err(Failure::from(problem.unwrap_or_else(|| Problem::new("observe.nothing"))).into());
        }
        let mut value = json!(answer);
        for (at, table) in answer.tables.iter().enumerate() {
            value["tables"][at]["headline"] = plain(&table.headline);
            value["tables"][at]["notes"] = plain_all(&table.notes);
            if let Some(requests) = &table.requests {
                value["tables"][at]["requests"]["headline"] = plain(&requests.headline);
            }
        }
        for (at, file) in answer.files.iter().enumerate() {
            if let Some(problem) = &file.problem {
                value["files"][at]["problem"] = plain(problem);
            }
        }
        Ok(value.to_string())
    })
}
