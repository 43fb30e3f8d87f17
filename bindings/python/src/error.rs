//! Problems as Python exceptions.

use pyo3::prelude::*;
use rowscape::error::Problem;
use serde_json::{Value, json};

/// A problem with its English sentence.
pub fn plain(problem: &Problem) -> Value {
    let mut value = json!(problem);
    if let Value::Object(members) = &mut value {
        members.insert("message".to_owned(), problem.sentence().into());
        members.insert("shown".to_owned(), problem.to_string().into());
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
