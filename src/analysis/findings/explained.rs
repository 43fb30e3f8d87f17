//! Findings for readers who have none at hand: severity, condition and an example of each.

use super::FindingRule;
use crate::base::sentences::{Conclusion, render};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A rule in words, with an example.
#[derive(Clone, Debug)]
pub struct ExplainedRule {
    /// Severities, each with its condition where there are several: `warning; problem from 25% of the regions on`.
    pub severity: String,
    /// The condition that the rule looks for, in whole sentences.
    pub when: String,
    /// Title and evidence with made-up values.
    pub example: Conclusion,
    /// The mechanism.
    pub why: String,
    /// How to fix it, and the cost.
    pub fix: String,
}

#[derive(Deserialize)]
struct Entry {
    code: String,
    severity: String,
    when: String,
    #[serde(borrow)]
    example: BTreeMap<&'static str, Cow<'static, str>>,
}

impl FindingRule {
    /// The rule in words; `None` if `data/findings.json` lacks it, which a test rules out.
    pub fn explained(&self) -> Option<ExplainedRule> {
        let entries: Vec<Entry> = serde_json::from_str(include_str!("../../../data/findings.json")).ok()?;
        let entry = entries.into_iter().find(|entry| entry.code == self.code)?;
        let args = entry.example.into_iter().map(|(name, value)| (name, value.into_owned())).collect();
        let sentence = |part: &str| render(&["finding.", self.name, part].concat(), &args);
        Some(ExplainedRule {
            severity: entry.severity,
            when: entry.when,
            example: Conclusion::of(&["finding.", self.name].concat(), &args),
            why: sentence(".why"),
            fix: sentence(".fix"),
        })
    }
}
