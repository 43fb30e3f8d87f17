//! Problems with whole records.

use super::batch::RecordBatch;
use crate::base::Problem;
use serde::Serialize;

/// Problems that are kept for the report.
pub(super) const SHOWN: usize = 20;

/// Problems with whole records. Values that could not be read are noted in their column.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReadProblems {
    /// Records with too few fields; the fields they lack are invalid.
    pub ragged_short: u64,
    /// Records with too many fields; the further ones are ignored.
    pub ragged_long: u64,
    /// Records that are not among the rows at all.
    pub refused: u64,
    /// The first of them.
    pub first: Vec<Problem>,
}

/// The place in the files that problems are noted for.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceInFile {
    /// Name of the file; empty when it has none.
    pub file: String,
    /// Records met in this file before, refused ones too.
    pub met: u64,
}

impl ReadProblems {
    /// Notes the records of a batch that are too short or too long (of fields there should be `width`) and those refused.
    pub(super) fn note(&mut self, batch: &RecordBatch, width: usize, place: &PlaceInFile) {
        for &(index, found) in &batch.ragged {
            let short = (found as usize) < width;
            self.ragged_short += u64::from(short);
            self.ragged_long += u64::from(!short);
            if self.first.len() < SHOWN {
                let code = if short { "input.short-record" } else { "input.long-record" };
                let problem = Problem::new(code).with("found", found).with("expected", width);
                self.show_at(problem, place, u64::from(index));
            }
        }
        self.refused += batch.refused.len() as u64;
        for (before, &(index, code)) in batch.refused.iter().enumerate().take(SHOWN) {
            self.show_at(Problem::new(code), place, u64::from(index) + before as u64);
        }
    }

    /// Notes that the record now begun is refused.
    pub(super) fn refuse(&mut self, problem: Problem, place: &PlaceInFile) {
        self.refused += 1;
        self.show_at(problem, place, 0);
    }

    /// Keeps a problem for the report, while there is room.
    pub(super) fn show(&mut self, mut problem: Problem, place: &PlaceInFile) {
        if self.first.len() < SHOWN {
            problem.place.file = Some(&place.file).filter(|name| !name.is_empty()).cloned();
            self.first.push(problem);
        }
    }

    /// A problem of the record `index` records on.
    fn show_at(&mut self, mut problem: Problem, place: &PlaceInFile, index: u64) {
        problem.place.row = Some(place.met + index + 1);
        self.show(problem, place);
    }
}
