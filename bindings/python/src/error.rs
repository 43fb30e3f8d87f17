//! Problems as Python exceptions.

use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rowscape::error::{Problem, fill, render};
use rowscape::map::Map;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Sentences about data frames, in place of those about files.
static FRAMES: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// The English sentence of a code with these arguments, in words of data frames.
pub fn sentence(code: &str, args: &Map<&'static str, String>) -> String {
    let frames =
        FRAMES.get_or_init(|| serde_json::from_str(include_str!("../frames.json")).unwrap_or_default());
    let variant = match () {
        () if args.get("nearest").is_some() => "-near",
        () if args.get("known").is_some() => "-column",
        () => "",
    };
    let template = frames.get(&format!("{code}{variant}")).or_else(|| frames.get(code));
    template.map_or_else(|| render(code, args), |template| fill(template, args))
}

/// A problem with its English sentence.
pub fn plain(problem: &Problem) -> Value {
    let mut value = json!(problem);
    if let Value::Object(members) = &mut value {
        let (whole, plain) = (problem.to_string(), problem.sentence());
        let mut place = whole.strip_suffix(&plain).unwrap_or_default().to_owned();
        // Output of HBase's shell has lines, not rows.
        if problem.code.starts_with("existing.") {
            place = place.replacen("row ", "line ", 1);
        }
        let own = sentence(problem.code, &problem.args);
        members.insert("shown".to_owned(), (place + &own).into());
        members.insert("message".to_owned(), own.into());
    }
    value
}

/// Problems with their sentences.
pub fn plain_all(problems: &[Problem]) -> Value {
    problems.iter().map(plain).collect()
}

/// A `RowscapeError` with these problems.
pub fn thrown(py: Python<'_>, problems: &[Problem]) -> PyErr {
    let raised = py.import("rowscape._errors").and_then(|module| {
        module.getattr("RowscapeError")?.call_method1("_of", (plain_all(problems).to_string(),))
    });
    raised.map_or_else(|error| error, PyErr::from_value)
}

/// The result, or the exception to raise.
pub fn checked<T>(py: Python<'_>, result: Result<T, Problem>) -> PyResult<T> {
    result.map_err(|problem| thrown(py, &[problem]))
}

/// The reason why a call fails, where no Python exception can be made yet.
pub enum Failure {
    /// Problems of the document, the columns or the values.
    Problems(Vec<Problem>),
    /// The source of Arrow data fails.
    Source(ArrowError),
    /// An exception of Python.
    Raised(PyErr),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problems(vec![problem])
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Problems(problems)
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Self::Source(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// Runs work while other Python threads run.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    py.detach(work).map_err(|failure| match failure {
        Failure::Problems(problems) => thrown(py, &problems),
        Failure::Source(error) => PyValueError::new_err(error.to_string()),
        Failure::Raised(error) => error,
    })
}
