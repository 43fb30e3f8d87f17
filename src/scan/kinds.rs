//! Queries of a table with several kinds of records: a plan for each kind that can match, put together.

use super::delivery::RowDelivery;
use super::domain::FieldDomain;
use super::filter::ScanFilter;
use super::plan::{PlanKind, QueryPlan};
use super::range::{KeyRange, merged};
use crate::base::Problem;
use crate::bytes::sort::{sort, sort_distinct};
use crate::design::{Constant, KindView, Query};
use crate::formula::typed::{TypedFormula, TypedKind};
use crate::formula::vector::Vector;
use crate::records::field::shape::Shape;

/// Plans each kind that can match by itself, and puts the plans together.
pub(super) fn planned(
    typed: &TypedFormula,
    query: &Query,
    domains: &[FieldDomain],
    plan: impl Fn(&TypedFormula, &[FieldDomain]) -> QueryPlan,
) -> QueryPlan {
    let of = |kind: &TypedKind| {
        let formula = kind.formula.as_ref()?;
        let plan = plan(formula, &domains_of(kind, formula, domains)?);
        (plan.kind != PlanKind::Nothing).then_some(plan)
    };
    let mut plans: Vec<Option<QueryPlan>> = typed.kinds.iter().map(of).collect();
    let shapes: Vec<Option<&Shape>> =
        typed.kinds.iter().map(|kind| kind.formula.as_ref().map(|formula| &formula.shape)).collect();
    let apart = |(number, plan): (usize, &Option<QueryPlan>)| {
        let others = shapes.iter().enumerate().filter(|(other, _)| *other != number);
        let others = others.filter_map(|(_, shape)| *shape);
        plan.as_ref().is_none_or(|plan| is_apart(plan, others))
    };
    let apart = plans.iter().enumerate().all(apart);
    let mut asked = plans.iter_mut().filter_map(Option::take);
    let Some(first) = asked.next() else { return nothing() };
    let rest: Vec<QueryPlan> = asked.collect();
    let several = !rest.is_empty();
    let mut plan = if several { together(first, rest, &shapes, query) } else { first };
    // Columns are those in the formula of the table.
    plan.reasons.iter_mut().for_each(|reason| (reason.place.column, reason.place.end) = (None, None));
    if !apart {
        loosen(&mut plan);
    }
    plan
}

/// The conditions as records of one kind have them; `None` where none of that kind can match.
pub fn domains_of_kind(
    kind: &KindView,
    formula: &TypedFormula,
    domains: &[FieldDomain],
) -> Option<Vec<FieldDomain>> {
    domains_of(&kind.telling, formula, domains)
}

/// Takes into account that rows of other kinds may lie in the ranges of a plan of one kind.
pub fn among_kinds(plan: &mut QueryPlan, kind: &KindView) {
    if !is_apart(plan, kind.others.iter().map(|other| &other.shape)) {
        loosen(plan);
    }
}

/// True if no key of these shapes can be in the ranges of a plan.
fn is_apart<'s>(plan: &QueryPlan, mut others: impl Iterator<Item = &'s Shape>) -> bool {
    others.all(|shape| plan.ranges.iter().all(|range| holds_none(range, shape)))
}

/// Rows of other kinds lie in the ranges, too, and no filter knows them.
fn loosen(plan: &mut QueryPlan) {
    plan.exact = false;
    for filter in &mut plan.filters {
        if let ScanFilter::Fuzzy { exact, .. } = filter {
            *exact = false;
        }
    }
    plan.reasons.push(Problem::new("plan.other-kinds"));
}

/// The plan of a query that no record can match.
fn nothing() -> QueryPlan {
    QueryPlan {
        kind: PlanKind::Nothing,
        ranges: Vec::new(),
        needed: Vec::new(),
        exact: true,
        filters: Vec::new(),
        delivery: RowDelivery::default(),
        turns: Vec::new(),
        stops_after: None,
        reasons: vec![Problem::new("plan.nothing-matches")],
    }
}

/// The conditions as records of one kind have them; `None` where none of that kind can match.
fn domains_of(kind: &TypedKind, formula: &TypedFormula, domains: &[FieldDomain]) -> Option<Vec<FieldDomain>> {
    let mut own: Vec<Constant> = match kind.values.as_ref() {
        Vector::Integers(values) => values.iter().map(|&value| Constant::Number(value)).collect(),
        Vector::Strings(values) => values.iter().map(|value| Constant::Bytes(value.to_vec())).collect(),
    };
    sort_distinct(&mut own);
    let all = own.len();
    let asked = domains.get(kind.field).unwrap_or(&FieldDomain::Any);
    own.retain(|value| match value {
        Constant::Number(number) => asked.has_number(*number),
        Constant::Bytes(bytes) => asked.has_bytes(bytes),
    });
    if own.is_empty() {
        return None;
    }
    let lacks = |field: usize| kind.fields.as_ref().is_some_and(|fields| !fields.contains(&field));
    if domains.iter().enumerate().any(|(field, domain)| domain.is_restricted() && lacks(field)) {
        return None;
    }
    let mut domains = domains.to_vec();
    // A key need not tell what all of its kind have in common.
    let told = formula.parts.iter().any(|part| part.fields.contains(&kind.field));
    let open = own.len() == all && !told;
    *domains.get_mut(kind.field)? = if open { FieldDomain::Any } else { FieldDomain::Values(own) };
    Some(domains)
}

/// One plan of those of several kinds.
fn together(first: QueryPlan, rest: Vec<QueryPlan>, shapes: &[Option<&Shape>], query: &Query) -> QueryPlan {
    let mut all = first;
    let count = rest.len() + 1;
    let mut gets = all.kind == PlanKind::Get;
    for plan in rest {
        gets &= plan.kind == PlanKind::Get;
        all.ranges.extend(plan.ranges);
        all.needed.extend(plan.needed);
        all.exact &= plan.exact;
        for reason in plan.reasons {
            if !all.reasons.contains(&reason) {
                all.reasons.push(reason);
            }
        }
    }
    let close = |ranges: Vec<KeyRange>| if gets { merged(ranges) } else { closed(merged(ranges), shapes) };
    (all.ranges, all.needed) = (close(all.ranges), close(all.needed));
    all.kind = match all.ranges.as_slice() {
        [range] if range.is_all() => PlanKind::FullScan,
        _ if gets => PlanKind::Get,
        _ => PlanKind::Scan,
    };
    let many = all.kind == PlanKind::Scan && all.ranges.len() > 1;
    all.filters = if many { vec![ScanFilter::MultiRowRange] } else { Vec::new() };
    all.delivery = RowDelivery { sort: query.order.is_some(), ..RowDelivery::default() };
    all.turns = Vec::new();
    all.stops_after = query.limit.filter(|_| !gets && query.order.is_none());
    let ordered = |code: &str| {
        code.strip_prefix("plan.").is_some_and(|rest| rest.starts_with("order-"))
            || code == "plan.limit-after-sort"
    };
    all.reasons.retain(|reason| !ordered(reason.code));
    all.reasons.push(Problem::new("plan.kinds").with("count", count));
    if let Some(order) = &query.order {
        all.reasons.push(Problem::new("plan.order-sorted").with("fields", &order.field).with("count", count));
    }
    all
}

/// Ranges with those made one between which no key can be.
fn closed(mut ranges: Vec<KeyRange>, shapes: &[Option<&Shape>]) -> Vec<KeyRange> {
    sort(&mut ranges);
    let mut all: Vec<KeyRange> = Vec::new();
    for range in ranges {
        let gap = all.last().map(|last| KeyRange { start: last.stop.clone(), stop: range.start.clone() });
        let empty = gap.is_some_and(|gap| shapes.iter().flatten().all(|shape| holds_none(&gap, shape)));
        match all.last_mut() {
            Some(last) if empty => last.stop = range.stop,
            _ => all.push(range),
        }
    }
    all
}

/// True if no key of a shape can be in a range.
fn holds_none(range: &KeyRange, shape: &Shape) -> bool {
    let prefix = range.common_prefix();
    let at = |index: usize| shape.by_position.get(index).copied().unwrap_or(shape.alphabet);
    prefix.iter().enumerate().any(|(index, &byte)| !at(index).contains(byte))
        || prefix.len() < range.start.len() && shape.width.max.is_some_and(|max| max <= prefix.len() as u64)
        || shape.width.max.is_some_and(|max| max < prefix.len() as u64)
}
