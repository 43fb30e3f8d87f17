//! Queries that bound the time that is the timestamp of all cells: HBase skips store files that have no cell of such times.

use super::domain::FieldDomain;
use super::plan::{PlanKind, QueryPlan};
use crate::base::Problem;
use crate::design::{Constant, Design};
use crate::records::field::Field;

/// The timestamps that the cells of all matching rows have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampedTimes {
    /// Index of the time field.
    pub field: usize,
    /// The first, in milliseconds; 0 when the query names none.
    pub from: i64,
    /// The first beyond, in milliseconds; `i64::MAX` when the query names none.
    pub to: i64,
}

/// The timestamps that a query can ask for and lose no matching row; `None` where it does not bound the
/// timestamp that all cells have. `domains` are its conditions by index of the field.
pub fn stamped_times(design: &Design, fields: &[Field], domains: &[FieldDomain]) -> Option<StampedTimes> {
    let name = design.stamped()?;
    let field = fields.iter().position(|field| field.name == name)?;
    let (first, last) = match domains.get(field)? {
        &FieldDomain::Numbers(first, last) => (first, last),
        FieldDomain::Values(values) => match values.as_slice() {
            &[Constant::Number(time)] => (time, time),
            _ => return None,
        },
        _ => return None,
    };
    // HBase takes no negative times.
    Some(StampedTimes { field, from: first.max(0), to: last.saturating_add(1).max(0) })
}

impl QueryPlan {
    /// Adds to the reasons that store files are skipped, where the query bounds the timestamp of all cells.
    pub fn tell_stamped(&mut self, design: &Design, fields: &[Field], domains: &[FieldDomain]) {
        let scans = matches!(self.kind, PlanKind::Scan | PlanKind::FullScan);
        if let (true, Some(_), Some(field)) =
            (scans, stamped_times(design, fields, domains), design.stamped())
        {
            self.reasons.push(Problem::new("plan.stamped").with("field", field));
        }
    }
}
