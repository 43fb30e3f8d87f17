//! What a rule found, and the finding made of it.

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

/// What a rule found.
#[derive(Clone, Debug, Default)]
pub struct RuleHit {
    /// How much it matters here.
    pub severity: Option<FindingSeverity>,
    /// Columns of the formula it is about, characters from 1, end exclusive.
    pub columns: Option<(usize, usize)>,
    /// The evidence: named arguments of the sentences.
    pub args: Map<&'static str, String>,
    /// How to mend it, where an edit can.
    pub fix: Option<DesignFix>,
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

    /// What [`RuleHit::with`] does for all types, compiled once.
    fn add(&mut self, name: &'static str, value: String) {
        self.args.insert(name, value);
    }

    /// Says which part of the formula it is about.
    pub fn at(mut self, columns: (usize, usize)) -> Self {
        self.columns = Some(columns);
        self
    }

    /// Says how to mend it, where an edit can.
    pub fn mended_by(mut self, fix: impl Into<Option<DesignFix>>) -> Self {
        self.fix = fix.into();
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
    /// Columns of the formula it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<(usize, usize)>,
    /// The evidence.
    pub args: Map<&'static str, String>,
    /// What was found, in English.
    pub message: String,
    /// Why it matters.
    pub why: String,
    /// What to do.
    pub remedy: String,
    /// The edit that does it, where one can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<DesignFix>,
    /// Where to read more.
    pub reference: &'static str,
}
