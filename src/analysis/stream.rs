//! More records than memory holds: counted exactly as they pass, with a sample kept for what-if questions.

use crate::analysis::counter::{Counter, ParallelCounter};
use crate::analysis::report::{KnownValues, Report, report_of};
use crate::base::Problem;
#[cfg(not(target_arch = "wasm32"))]
use crate::base::workers::Workers;
use crate::design::{Design, Document};
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::{Records, RowSample};
use crate::summary::{Summary, fingerprint};
use std::sync::Arc;

/// Records held as a sample: a share estimated from them is off by less than a quarter of a percentage point, 19 times of 20.
pub const SAMPLED_ROWS: usize = 200_000;

/// A design on its way over records that come in portions.
pub struct Stream {
    study: Document,
    design: Design,
    /// Begun with the first portion, from which equal shares are taken where the splits ask for them.
    counting: Option<ParallelCounter>,
    #[cfg(not(target_arch = "wasm32"))]
    workers: Option<Arc<Workers>>,
    sample: RowSample,
}

impl Stream {
    /// For table number `table` of a study.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn new(study: Document, table: usize) -> Result<Self, Problem> {
        let design = study.table(table)?.clone();
        Ok(Self {
            study,
            design,
            counting: None,
            #[cfg(not(target_arch = "wasm32"))]
            workers: None,
            sample: RowSample::new(SAMPLED_ROWS),
        })
    }

    /// Counts on these threads; before any records.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn counted_on(self, workers: Option<Arc<Workers>>) -> Self {
        Self { workers, ..self }
    }

    /// Counts a portion of the records; the last one is held until the next.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn add(&mut self, records: Records) -> Result<(), Problem> {
        let records = Arc::new(records);
        self.sample.add(Arc::clone(&records));
        if self.counting.is_none() {
            self.counting = Some(self.begin()?);
        }
        if let Some(counting) = &mut self.counting {
            counting.add(&records, self.sample.last_up_to(counting.bound()));
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<ParallelCounter, Problem> {
        let fields = &self.study.fields;
        let points = if self.design.splits.need_records() {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let encoder = Encoder::new(self.sample.records(), &names, &[&self.design.typed]);
            let keys = encoder.encode().pop().map(|keys| KeyTable::new(keys, 0)).unwrap_or_default();
            self.design.splits.points_for(&keys)?
        } else {
            self.design.splits.points()?
        };
        let study = fingerprint(&self.study);
        let designs = [(&self.design.typed, &points)];
        let arrival = self.study.arrival.as_deref();
        let counted = self.study.named_fields();
        let pass = Counter::of_study(study, fields, &designs, arrival, &self.study.queries, &counted);
        #[cfg_attr(target_arch = "wasm32", expect(unused_mut))]
        let mut counting = ParallelCounter::new(pass.with_operation(self.study.operation.as_ref()));
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(workers) = &self.workers {
            counting.count_on(workers);
        }
        Ok(counting)
    }

    /// Number of records so far.
    pub fn rows(&self) -> u64 {
        self.counting.as_ref().map_or(0, ParallelCounter::rows)
    }

    /// Where all records land that have passed.
    ///
    /// # Errors
    /// Splits that HBase would refuse; `report.too-many-rows`.
    pub fn report(&mut self) -> Result<Report, Problem> {
        self.summary()?;
        let Self { study, design, counting, sample, .. } = self;
        let missing = || Problem::new("design.no-such-table").with("table", 0);
        let summary = counting.as_ref().map(ParallelCounter::so_far).ok_or_else(missing)?;
        report_of(study, design, (summary, 0), sample.records())
    }

    /// The counts so far.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn summary(&mut self) -> Result<&Summary, Problem> {
        let mut counting = match self.counting.take() {
            Some(counting) => counting,
            None => self.begin()?,
        };
        counting.settle();
        Ok(self.counting.insert(counting).so_far())
    }

    /// Values and queries; the `most` busiest values of each field and of the leading parts.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn known(&mut self, most: usize) -> Result<KnownValues, Problem> {
        self.summary()?;
        let summary = self.counting.as_ref().map(ParallelCounter::so_far);
        let known = summary.map(|summary| KnownValues::of(summary, 0, &self.study, &self.design.typed, most));
        known.ok_or_else(|| Problem::new("design.no-such-table").with("table", 0))
    }

    /// Adds what was counted elsewhere of other files.
    ///
    /// # Errors
    /// `summary.different-studies`; splits that HBase would refuse.
    pub fn merge(&mut self, other: Summary) -> Result<(), Problem> {
        self.summary()?;
        match &mut self.counting {
            Some(counting) => counting.merge(other),
            None => Ok(()),
        }
    }

    /// Holds fewer records as the sample from now on, where it has come to more than so many bytes or rows.
    pub fn keep_within(&mut self, bytes: usize, rows: usize) {
        self.sample.keep_within(bytes, rows);
    }

    /// A uniform sample of the records, at most [`SAMPLED_ROWS`] of them.
    pub fn sample(&mut self) -> &Records {
        self.sample.records()
    }
}
