//! Summaries without what shows single records.

use super::columns::RowCells;
use super::refusals::RefusedExamples;
use super::sample::HashSample;
use super::{DesignSummary, StudyFingerprint, Summary, ValueSummary};

impl Summary {
    /// True if sampled rows and keys are held: false once they were left out.
    pub fn has_samples(&self) -> bool {
        self.rows == 0 || !self.sample.is_empty()
    }

    /// Counts alone: no row, key or value of a record stays. What follows from those is no longer known: keys that rows share,
    /// values of fields and of leading parts, the lowest and the highest key, refused texts.
    pub fn without_samples(mut self) -> Self {
        self.sample = HashSample::default();
        self.fields.iter_mut().for_each(|field| field.values = ValueSummary::default());
        for design in &mut self.designs {
            design.leave_out_values();
            design.refused.each_mut(RefusedExamples::leave_out);
        }
        self
    }

    /// The same counts whatever the positions of the records: by it a part that comes twice is noticed, wherever its files lie.
    pub fn without_positions(mut self) -> Self {
        self.sample = HashSample::default();
        self.designs.iter_mut().for_each(|design| design.refused.each_mut(RefusedExamples::leave_out));
        self
    }

    /// The same counts for a study that is known by another fingerprint.
    pub(crate) fn of_study(mut self, study: StudyFingerprint) -> Self {
        self.study = study;
        self
    }
}

impl DesignSummary {
    fn leave_out_values(&mut self) {
        self.keys = HashSample::default();
        self.leading.iter_mut().for_each(|values| *values = ValueSummary::default());
        self.ends = self.ends.as_ref().map(|_| Default::default());
        self.columns.iter_mut().for_each(RowCells::leave_out);
    }
}

impl RowCells {
    fn leave_out(&mut self) {
        self.written = HashSample::default();
        self.columns.iter_mut().for_each(|column| column.cells = HashSample::default());
    }
}

impl RefusedExamples {
    fn leave_out(&mut self) {
        self.first = Vec::new();
    }
}
