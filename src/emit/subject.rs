//! The input that all emitted texts share.

use crate::base::Problem;
use crate::design::split::SplitPoints;
use crate::design::{Design, Document};
use crate::hbase::storage::table::KeyLengths;

/// The input of an emitted text.
#[derive(Clone, Copy)]
pub struct EmitSubject<'a> {
    /// The document.
    pub study: &'a Document,
    /// The table of it.
    pub design: &'a Design,
    /// Where the table is split; the problem when that is not known.
    pub points: Result<&'a SplitPoints, &'a Problem>,
    /// Lengths of its row keys, from which settings follow.
    pub lengths: KeyLengths,
}

impl<'a> EmitSubject<'a> {
    /// A table whose split points are these, and of whose keys only the formula is known.
    pub fn new(study: &'a Document, design: &'a Design, points: &'a Result<SplitPoints, Problem>) -> Self {
        Self { study, design, points: points.as_ref(), lengths: design.typed.shape.width.into() }
    }

    /// The split points.
    pub(super) fn points(&self) -> Result<&'a SplitPoints, Problem> {
        self.points.map_err(Clone::clone)
    }
}
