//! Sentences of a search: what to know of the input, and of what was found.

use crate::base::Problem;
use crate::base::map::Map;
use serde::Serialize;

/// Something to know of the input or of what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestNote {
    /// Code of the sentence.
    pub code: &'static str,
    /// Its arguments.
    pub args: Map<&'static str, String>,
    /// The sentence.
    pub message: String,
    /// The kind of records that it is about, where a table has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl From<Problem> for SuggestNote {
    fn from(problem: Problem) -> Self {
        let message = problem.sentence();
        Self { code: problem.code, args: problem.args, message, kind: None }
    }
}

/// The name of a query as sentences have it.
pub(super) fn in_quotes(name: &str) -> String {
    format!("“{name}”")
}
