//! Short scans in place of one long one: one for each known value of fields in front that a query does not ask for.

use super::LIMIT;
use super::domain::FieldDomain;
use super::known::{KnownRanges, known_values};
use super::piece::pieces;
use super::plan::{PlanKind, QueryPlan, plan_known};
use crate::design::Query;
use crate::formula::typed::TypedFormula;
use crate::records::Records;
use crate::records::field::Field;

/// Another way to answer a query, for tables that hold no other values of some fields than the records at hand.
#[derive(Clone, Debug, PartialEq)]
pub struct SkipScan {
    /// The fields whose known values are asked for one by one, by index.
    pub fields: Vec<usize>,
    /// The scans.
    pub plan: QueryPlan,
}

/// The short scans that a query can be answered by; `None` when nothing in front of what it asks for is left open, or has
/// more values than are asked for one by one.
pub fn skip_scan(
    typed: &TypedFormula,
    fields: &[Field],
    query: &Query,
    domains: &[FieldDomain],
    records: &Records,
    known: &KnownRanges,
) -> Option<SkipScan> {
    let pieces = pieces(typed);
    let asked = |field: &usize| domains.get(*field).is_some_and(FieldDomain::is_restricted);
    let last = pieces.iter().rposition(|piece| piece.fields.iter().any(asked))?;
    let mut open: Vec<usize> = pieces
        .iter()
        .take(last)
        .flat_map(|piece| &piece.fields)
        .filter(|field| !asked(field))
        .copied()
        .collect();
    crate::bytes::sort::sort(&mut open);
    open.dedup();
    if open.is_empty() {
        return None;
    }
    let mut listed = domains.to_vec();
    for &field in &open {
        let values = known_values(records, fields.get(field)?, LIMIT)?;
        *listed.get_mut(field)? = FieldDomain::Values(values);
    }
    let plan = plan_known(typed, fields, query, &listed, known);
    let short = matches!(plan.kind, PlanKind::Scan | PlanKind::Get) && plan.ranges.len() > 1;
    short.then_some(SkipScan { fields: open, plan })
}
