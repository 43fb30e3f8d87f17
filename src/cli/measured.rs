//! A table with the records of a command, for its bytes and its growth.

use super::args::CommandArgs;
use super::context::{CommandContext, Failure};
use super::document::DesignDocument;
use super::loaded::held;
use crate::analysis::report::Report;
use crate::analysis::{MeasuredTable, RetainedVersions};
use crate::base::Problem;

/// A table of a document, and the report on its records where there are some.
pub struct MeasuredDocument {
    document: DesignDocument,
    report: Option<Report>,
    /// `None` of records that do not fit into memory.
    left: Option<RetainedVersions>,
}

impl MeasuredDocument {
    /// The document that the command names, on the records that it names or the document describes.
    ///
    /// # Errors
    /// Errors of the document and of the records.
    pub fn read(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<Self, Failure> {
        let document = DesignDocument::asked(context, asked)?;
        let files: Vec<&str> =
            asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
        if files.is_empty() && !document.has_records() {
            return Ok(Self { document, report: None, left: None });
        }
        let mut held = held(context, &document, &files)?;
        let report = Some(held.evidence.judged(&document.study, document.table)?.0);
        let whole = !held.evidence.is_sample();
        let left = if whole {
            Some(held.evidence.analysis(&document.study, document.table)?.left(document.design()?))
        } else {
            None
        };
        Ok(Self { document, report, left })
    }

    /// The table.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn table(&self) -> Result<MeasuredTable<'_>, Problem> {
        let (report, left) = (self.report.as_ref(), self.left.as_ref());
        Ok(MeasuredTable { study: &self.document.study, design: self.document.design()?, report, left })
    }
}
