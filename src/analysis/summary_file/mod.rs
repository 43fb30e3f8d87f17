//! Summaries as files: the counts of all tables of a design document, with the document and the parts they were counted in.
//!
//! A part is summarised by [`Summarizer`], wherever its records lie, and parts are merged in any order. The form is that of
//! `docs/summary-format.md`.

mod difference;
mod fixed;
mod form;
mod sample;
mod summarizer;

pub use fixed::with_fixed_splits;
pub use form::{MAGIC, PARTS, VERSION};
pub use summarizer::{PartPlace, Summarizer, SummarizerOptions};

use crate::analysis::Analysis;
use crate::analysis::findings::{Finding, of_design};
use crate::analysis::report::{KnownValues, Report, report_of};
use crate::base::Problem;
use crate::base::json::text;
use crate::design::{Document, normal_form};
use crate::records::Records;
use crate::summary::Summary;
use difference::difference;
use std::rc::Rc;

/// Identifies a part: equal for the same records, wherever they were read.
pub type PartId = [u8; 16];

/// A part of the records, summarised by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SummaryPart {
    /// Its identity.
    pub id: PartId,
    /// Number of its records.
    pub rows: u64,
    /// The name it was given, or those of its files.
    pub name: String,
}

/// The counts of records under all tables of a design document.
#[derive(Clone)]
pub struct SummaryFile {
    study: Document,
    /// The document in normal form.
    document: String,
    /// Ascending, each once.
    parts: Vec<SummaryPart>,
    summary: Summary,
}

impl SummaryFile {
    /// The design document.
    pub fn study(&self) -> &Document {
        &self.study
    }

    /// The design document as text, in normal form.
    pub fn document(&self) -> &str {
        &self.document
    }

    /// The parts, ascending by their identities.
    pub fn parts(&self) -> &[SummaryPart] {
        &self.parts
    }

    /// The counts, a design for each table.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// True if sampled rows and keys are held.
    pub fn has_samples(&self) -> bool {
        self.summary.has_samples()
    }

    /// Rejects a summary without sampled rows.
    ///
    /// # Errors
    /// `summary.no-samples`.
    pub fn check_samples(&self) -> Result<(), Problem> {
        if self.has_samples() { Ok(()) } else { Err(Problem::new("summary.no-samples")) }
    }

    /// Leaves out everything that shows single records: see [`Summary::without_samples`].
    pub fn without_samples(mut self) -> Self {
        self.summary = self.summary.without_samples();
        self
    }

    /// Adds the counts of other parts. Parts without samples leave none in the whole.
    ///
    /// # Errors
    /// `summary.part-twice`, `summary.other-design` with the path of the first difference; `limit.exceeded` for too many parts.
    /// Nothing is changed then.
    pub fn merge(&mut self, other: Self) -> Result<(), Problem> {
        self.check_design(&other.study)?;
        if let Some(twice) = other.parts.iter().find(|part| self.position(part).is_ok()) {
            return Err(Problem::new("summary.part-twice")
                .with("part", &twice.name)
                .with("count", twice.rows));
        }
        PARTS.check(self.parts.len() + other.parts.len())?;
        self.summary.take_in(other.summary)?;
        for part in other.parts {
            if let Err(place) = self.position(&part) {
                self.parts.insert(place, part);
            }
        }
        Ok(())
    }

    /// Refuses another design.
    ///
    /// # Errors
    /// `summary.other-design`.
    pub fn check_design(&self, other: &Document) -> Result<(), Problem> {
        let (own, other) = (normal_form(&self.study), normal_form(other));
        match difference(&own, &other) {
            None => Ok(()),
            Some((path, [expected, found])) => Err(Problem::new("summary.other-design")
                .with("found", found)
                .with("expected", expected)
                .at_path(path)),
        }
    }

    fn position(&self, part: &SummaryPart) -> Result<usize, usize> {
        self.parts.binary_search_by_key(&part.id, |known| known.id)
    }

    /// The sampled records, as a sample of all: at most 4,096, without those of which a value has more than 256 bytes. None where
    /// samples were left out.
    pub fn records(&self) -> Records {
        sample::records(&self.study.fields, &self.summary)
    }

    /// Where all records land under a table, exactly, and what the sample tells besides.
    ///
    /// # Errors
    /// `design.no-such-table`; `report.too-many-rows`.
    pub fn report(&self, table: usize) -> Result<Report, Problem> {
        report_of(&self.study, self.study.table(table)?, (&self.summary, table), &self.records())
    }

    /// Values and queries of a table; the `most` busiest values of each field and of the leading parts.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn known(&self, table: usize, most: usize) -> Result<KnownValues, Problem> {
        let design = self.study.table(table)?;
        Ok(KnownValues::of(&self.summary, table, &self.study, &design.typed, most))
    }

    /// A table on the sampled records.
    ///
    /// # Errors
    /// `design.no-such-table`; fields beyond those that a summary holds.
    pub fn analysis(&self, table: usize) -> Result<Analysis, Problem> {
        Analysis::of(&self.study, table, Rc::new(self.records()))
    }

    /// The findings about a table and the sampled records; without these, about the table alone.
    ///
    /// # Errors
    /// As [`SummaryFile::analysis`].
    pub fn findings(&self, table: usize) -> Result<Vec<Finding>, Problem> {
        match self.has_samples() {
            true => self.analysis(table)?.findings_of(&self.study, table, &self.report(table)?),
            false => of_design(&self.study, table),
        }
    }
}

/// The text of a document by which parts agree.
fn document_text(study: &Document) -> String {
    text(&normal_form(study))
}
