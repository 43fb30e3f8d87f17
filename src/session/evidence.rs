//! Knowledge of the records of a design: all of them, or counts of all and a sample.

use crate::analysis::findings::Finding;
use crate::analysis::report::Report;
use crate::analysis::stream::Stream;
use crate::analysis::summary_file::SummaryFile;
use crate::analysis::{Analysis, ReportOptions};
use crate::base::Problem;
use crate::design::Document;
use crate::records::Records;
use crate::scan::RowsRead;
use std::rc::Rc;

/// Records that are held, with counts where these are more.
pub struct Evidence {
    /// The records, or a sample of them.
    pub records: Rc<Records>,
    counts: Counts,
}

/// Counts of records.
enum Counts {
    /// Nothing beyond the records.
    None,
    /// All records, as they passed.
    Stream(Box<Stream>),
    /// Those of a summary.
    File(Rc<SummaryFile>),
}

impl Evidence {
    /// All records are held.
    pub fn held(records: Records) -> Self {
        Self { records: Rc::new(records), counts: Counts::None }
    }

    /// A sample is held; all were counted.
    pub fn counted(sample: Records, stream: Stream) -> Self {
        Self { records: Rc::new(sample), counts: Counts::Stream(Box::new(stream)) }
    }

    /// A summary counted all; the sample in it is held.
    pub fn of_summary(summary: Rc<SummaryFile>) -> Self {
        Self { records: Rc::new(summary.records()), counts: Counts::File(summary) }
    }

    /// The summary, where it is of one.
    pub fn summary(&self) -> Option<&SummaryFile> {
        match &self.counts {
            Counts::File(summary) => Some(summary),
            _ => None,
        }
    }

    /// True if findings are of a sample of the records.
    pub fn is_sample(&self) -> bool {
        self.records.all_rows() > self.records.rows as u64
    }

    /// Rows that the queries of the design read of all records; none where all are held.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn rows_read(&mut self, table: usize) -> Result<Vec<Option<RowsRead>>, Problem> {
        Ok(match &mut self.counts {
            Counts::Stream(stream) => stream.known(0)?.queries,
            Counts::File(summary) => summary.known(table, 0)?.queries,
            Counts::None => Vec::new(),
        })
    }

    /// Refuses a summary from which the sampled records were left out.
    ///
    /// # Errors
    /// `summary.no-samples`.
    pub fn check_samples(&self) -> Result<(), Problem> {
        self.summary().map_or(Ok(()), SummaryFile::check_samples)
    }

    /// A table of the study on the records, or on the sample of them.
    ///
    /// # Errors
    /// Splits that HBase would refuse; a summary without samples.
    pub fn analysis(&self, study: &Document, table: usize) -> Result<Analysis, Problem> {
        self.check_samples()?;
        Ok(Analysis::of(study, table, self.records.clone())?.once())
    }

    /// Where all records land under a table of the study, and the findings.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn judged(&mut self, study: &Document, table: usize) -> Result<(Report, Vec<Finding>), Problem> {
        if let Some(summary) = self.summary() {
            return Ok((summary.report(table)?, summary.findings(table)?));
        }
        let mut analysis = self.analysis(study, table)?;
        if let Counts::Stream(stream) = &mut self.counts {
            let report = stream.report()?;
            let findings = analysis.findings_of(study, table, &report)?;
            return Ok((report, findings));
        }
        let findings = analysis.findings(study, table)?;
        Ok((analysis.report(&ReportOptions::default())?, findings))
    }
}
