//! More records than memory holds: counted exactly as they pass, with a sample kept for what-if questions.

use crate::design::{Design, Study, normal_form};
use crate::encode::Encoder;
use crate::error::Problem;
use crate::formula::vector::ByteStrings;
use crate::hash::md5;
use crate::key_table::KeyTable;
use crate::pass::Pass;
use crate::records::{Records, RowSample};
use crate::report::Report;
use crate::summary::Summary;

/// Records held as a sample: a share estimated from them is off by less than a quarter of a percentage point, 19 times of 20.
pub const SAMPLED_ROWS: usize = 200_000;

/// A design on its way over records that come in portions.
pub struct Stream {
    study: Study,
    design: Design,
    /// Begun with the first portion, from which equal shares are taken where the splits ask for them.
    pass: Option<Pass>,
    sample: RowSample,
    rows: u64,
}

impl Stream {
    /// Of table number `table` of a study.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn new(study: Study, table: usize) -> Result<Self, Problem> {
        let design = study.tables.get(table).cloned();
        let design = design.ok_or_else(|| Problem::new("design.no-such-table").with("table", table))?;
        Ok(Self { study, design, pass: None, sample: RowSample::new(SAMPLED_ROWS), rows: 0 })
    }

    /// Counts a portion of the records; they can be dropped afterwards.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn add(&mut self, records: &Records) -> Result<(), Problem> {
        self.rows += records.rows as u64;
        self.sample.add(records);
        if self.pass.is_none() {
            self.pass = Some(self.begin()?);
        }
        if let Some(pass) = &mut self.pass {
            pass.add(records);
        }
        Ok(())
    }

    fn begin(&self) -> Result<Pass, Problem> {
        let fields = &self.study.fields;
        let points = if self.design.splits.need_records() {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let encoder = Encoder::new(self.sample.records(), &names, &[&self.design.typed]);
            let keys = encoder.encode().pop().map(|keys| KeyTable::new(keys, 0)).unwrap_or_default();
            self.design.splits.points_for(&keys)?
        } else {
            self.design.splits.points()?
        };
        let (mut document, mut digests) = (ByteStrings::default(), ByteStrings::default());
        document.push(normal_form(&self.study).to_string().as_bytes());
        md5::digests(&document, &mut digests);
        let study = digests.get(0).try_into().unwrap_or_default();
        let designs = [(&self.design.typed, &points)];
        let arrival = self.study.arrival.as_deref();
        let counted = self.study.named_fields();
        Ok(Pass::of_study(study, fields, &designs, arrival, &self.study.queries, &counted))
    }

    /// Number of records so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Where all records land that have passed.
    ///
    /// # Errors
    /// Splits that HBase would refuse; `report.too-many-rows`.
    pub fn report(&mut self) -> Result<Report, Problem> {
        let arrival = self.study.arrival.clone();
        let design = self.summary()?.designs.first();
        let design = design.ok_or_else(|| Problem::new("design.no-such-table").with("table", 0))?;
        Report::of_summary(design, arrival.as_deref())
    }

    /// What was counted so far.
    ///
    /// # Errors
    /// Splits that HBase would refuse.
    pub fn summary(&mut self) -> Result<&Summary, Problem> {
        if self.pass.is_none() {
            self.pass = Some(self.begin()?);
        }
        let pass = self.pass.as_ref().map(Pass::so_far);
        pass.ok_or_else(|| Problem::new("design.no-such-table").with("table", 0))
    }

    /// A uniform sample of the records, at most [`SAMPLED_ROWS`] of them.
    pub fn sample(&self) -> &Records {
        self.sample.records()
    }
}
