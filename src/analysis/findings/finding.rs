//! The result of a rule, and the finding made of it.

use super::fix::DesignFix;
use crate::base::map::Map;
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingSeverity {
    /// Good to know; nothing is wrong.
    Note,
    /// Costs something, or may.
    Warning,
    /// Will hurt.
    Bad,
}

/// A rule's answer about one design.
#[derive(Clone, Debug, Default)]
pub struct RuleHit {
    /// How much it matters here.
    pub severity: Option<FindingSeverity>,
    /// Columns of the formula it is about, characters from 1, end exclusive.
    pub columns: Option<(usize, usize)>,
    /// The evidence: named arguments of the sentences.
    pub args: Map<&'static str, String>,
    /// Edits that may fix it, the best first. The first that helps on the records is offered.
    pub fixes: Vec<DesignFix>,
    /// Rows of a sample of its own that it was judged by.
    pub sample: Option<usize>,
}

impl RuleHit {
    /// With nothing said yet.
    pub fn new(severity: FindingSeverity) -> Self {
        Self { severity: Some(severity), ..Self::default() }
    }

    /// Adds a piece of evidence.
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.add(name, value.to_string());
        self
    }

    /// The body of [`RuleHit::with`], compiled once for all types.
    fn add(&mut self, name: &'static str, value: String) {
        self.args.insert(name, value);
    }

    /// Says which part of the formula it is about.
    pub fn at(mut self, columns: (usize, usize)) -> Self {
        self.columns = Some(columns);
        self
    }

    /// Adds an edit that may fix it, to be tried after those added before.
    pub fn mended_by(mut self, fix: impl Into<Option<DesignFix>>) -> Self {
        self.fixes.extend(fix.into());
        self
    }

    /// Adds edits that may fix it, the best first.
    pub fn or_by(mut self, fixes: impl IntoIterator<Item = DesignFix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// A finding with its sentences.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Stable code, such as `RS101`.
    pub code: &'static str,
    /// Stable name.
    pub name: &'static str,
    /// How much it matters.
    pub severity: FindingSeverity,
    /// The kind of records it is about, of a table that holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Columns of the formula it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<(usize, usize)>,
    /// The evidence.
    pub args: Map<&'static str, String>,
    /// The state of affairs in English, without a final full stop.
    pub title: String,
    /// The evidence in English; empty where the title has it all.
    pub detail: String,
    /// Title and detail as one text.
    pub message: String,
    /// Why it matters.
    pub why: String,
    /// The advice in English.
    pub remedy: String,
    /// The edit that does it, where one can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<DesignFix>,
    /// Edits to try where that one does not help, the best first.
    #[serde(skip)]
    pub others: Vec<DesignFix>,
    /// True when it was judged by a sample of the records.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    /// The same by the name that everything estimated has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// Where to read more.
    pub reference: &'static str,
}
