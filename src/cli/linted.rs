//! A table with its findings, as every form of results takes it.

use super::document::DesignDocument;
use crate::analysis::findings::Finding;
use std::borrow::Cow;

/// A table and what is to be said of it.
pub struct LintedTable<'a> {
    /// The document that has it.
    pub document: &'a DesignDocument,
    /// Its number.
    pub table: usize,
    /// The findings.
    pub findings: Cow<'a, [Finding]>,
}
