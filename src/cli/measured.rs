//! Figures of a table that follow from records where there are some, else from the design alone.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::held::held;
use super::shell::{Failure, Shell};
use crate::analysis::VersionsLeft;
use crate::analysis::report::Report;
use crate::base::Problem;
use crate::base::units::DAY;
use crate::design::{ASSUMED_SERVERS, Growth, GrowthAmount};
use crate::hbase::storage::table::KeyLengths;

/// Months to look ahead where the document does not say.
const MONTHS: u32 = 12;

/// A table of a document, and the report on its records where there are some.
pub struct MeasuredTable {
    /// The document.
    pub document: DesignDocument,
    /// Where the records land; `None` without records.
    pub report: Option<Report>,
    /// The versions that are left of them; `None` of records that do not fit into memory.
    pub left: Option<VersionsLeft>,
}

impl MeasuredTable {
    /// The document that the command names, on the records that it names or the document describes.
    ///
    /// # Errors
    /// Errors of the document and of the records.
    pub fn read(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<Self, Failure> {
        let document = DesignDocument::asked(shell, asked)?;
        let files: Vec<&str> =
            asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
        if files.is_empty() && !document.has_records() {
            return Ok(Self { document, report: None, left: None });
        }
        let mut held = held(shell, &document, &files)?;
        let report = Some(held.judged(&document)?.0);
        let whole = !held.is_sample();
        let left = if whole { Some(held.analysis(&document)?.left(document.design()?)) } else { None };
        Ok(Self { document, report, left })
    }

    /// Lengths of row keys: measured, else those of the formula.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn lengths(&self) -> Result<KeyLengths, Problem> {
        let keys = self.report.as_ref().map(|report| &report.keys).filter(|keys| keys.count > 0);
        match keys {
            Some(keys) => Ok(keys.into()),
            None => Ok(self.document.design()?.typed.shape.width.into()),
        }
    }

    /// Regions that the table is made with.
    ///
    /// # Errors
    /// `design.no-such-table`; split points that HBase would reject.
    pub fn regions(&self) -> Result<u32, Problem> {
        let splits = &self.document.design()?.splits;
        let regions = match &self.report {
            Some(report) => report.region_count,
            None if splits.need_records() => return Err(Problem::new("cli.splits-need-records")),
            None => splits.points()?.regions(),
        };
        Ok(u32::try_from(regions).unwrap_or(u32::MAX))
    }

    /// Region servers.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn servers(&self) -> Result<u32, Problem> {
        Ok(self.document.design()?.servers.unwrap_or(ASSUMED_SERVERS))
    }

    /// How the table grows: as the document says, else as the records came.
    ///
    /// # Errors
    /// `cli.no-growth` where neither tells.
    pub fn growth(&self) -> Result<Growth, Problem> {
        if let Some(growth) = self.document.study.growth {
            return Ok(growth);
        }
        let told = self.report.as_ref().and_then(|report| {
            let time = report.time.as_ref()?;
            let days = time.step * f64::from(time.buckets) / DAY as f64;
            (days > 0.0).then(|| (report.keys.count as f64 / days).round().max(1.0) as u64)
        });
        let per_day = told.ok_or_else(|| Problem::new("cli.no-growth"))?;
        Ok(Growth { amount: GrowthAmount::Rows, now: 0, per_day, months: MONTHS, arrivals: None })
    }
}
