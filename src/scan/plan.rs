//! From a query to its plan.

use super::LIMIT;
use super::choices::ChoiceReason;
use super::delivery::{DeliveryPlan, OrderBasis, RowDelivery, delivery};
use super::domain::FieldDomain;
use super::filter::{FilteredScan, ScanFilter, filter};
use super::kinds;
use super::known::KnownRanges;
use super::phoenix::{PhoenixScan, PhoenixScanKind, is_of_phoenix, phoenix_scan};
use super::piece::{KeyPiece, KeyPieces, pieces};
use super::range::{KeyRange, merged};
use super::walk::{LooseReason, WalkEnd, WalkOutcome, walk};
use crate::base::Problem;
use crate::base::map::Set;
use crate::design::Query;
use crate::formula::typed::TypedFormula;
use crate::records::field::Field;
use crate::records::field::write::number;
use serde::Serialize;
use std::rc::Rc;

/// How the rows are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PlanKind {
    /// No key can match.
    Nothing,
    /// The rows are named: one `Get` a row.
    Get,
    /// A scan for each range.
    Scan,
    /// The whole table is read.
    FullScan,
}

/// How a query is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryPlan {
    /// How the rows are asked for.
    pub kind: PlanKind,
    /// Ranges of row keys, ascending and apart, that hold every matching row.
    pub ranges: Vec<KeyRange>,
    /// Parts of the ranges that hold every matching row, for rows written by the formula: a scan that someone wrote does as
    /// well when it holds these.
    pub needed: Vec<KeyRange>,
    /// True if every row in the ranges matches, for rows written by the formula.
    pub exact: bool,
    /// Filters that drop the others in the region server, or make one scan of many.
    pub filters: Vec<ScanFilter>,
    /// The work that the wanted order takes.
    pub delivery: RowDelivery,
    /// Ranges by index in the order in which their scans run, where rows asked for in order come in another than that of
    /// the keys; else empty.
    pub turns: Vec<usize>,
    /// Matching rows after which reading stops, of each scan where they are merged; rows that tie with the last are read, too. `None` without a limit, and where all
    /// rows have to be read to sort them.
    pub stops_after: Option<u32>,
    /// Why the ranges are what they are, with the columns of the part concerned.
    pub reasons: Vec<Problem>,
}

impl QueryPlan {
    /// The ranges by index in the order in which they are read.
    pub fn in_turn(&self) -> Vec<usize> {
        match self.turns.as_slice() {
            [] if self.delivery.reversed => (0..self.ranges.len()).rev().collect(),
            [] => (0..self.ranges.len()).collect(),
            turns => turns.to_vec(),
        }
    }
}

/// Plans a query. `domains` are its conditions by index of the field, as [`super::read`] gives them.
pub fn plan(typed: &TypedFormula, fields: &[Field], query: &Query, domains: &[FieldDomain]) -> QueryPlan {
    plan_known(typed, fields, query, domains, &KnownRanges::default())
}

/// The same when the ranges of fields are known, which tell in what order rows come.
pub fn plan_known(
    typed: &TypedFormula,
    fields: &[Field],
    query: &Query,
    domains: &[FieldDomain],
    known: &KnownRanges,
) -> QueryPlan {
    planned(typed, fields, query, (domains, known), true)
}

/// The same without reasons and filters, which take longer to find than the ranges.
pub fn plan_ranges(
    typed: &TypedFormula,
    fields: &[Field],
    query: &Query,
    domains: &[FieldDomain],
    known: &KnownRanges,
) -> QueryPlan {
    planned(typed, fields, query, (domains, known), false)
}

fn planned(
    typed: &TypedFormula,
    fields: &[Field],
    query: &Query,
    (domains, known): (&[FieldDomain], &KnownRanges),
    explained: bool,
) -> QueryPlan {
    if !typed.kinds.is_empty() {
        let of_kind = |typed: &TypedFormula, domains: &[FieldDomain]| {
            planned(typed, fields, query, (domains, known), explained)
        };
        return kinds::planned(typed, query, domains, of_kind);
    }
    let pieces = pieces(typed);
    let mut reasons = Reasons { typed, fields, pieces: &pieces, all: Vec::new() };
    let (asked, listed) = without_long_lists(domains, &mut reasons);
    let nothing = asked.contains(&FieldDomain::Values(Vec::new()));
    let asked = asked.into_iter().map(Rc::new).collect();
    let outcome = walk(&pieces, &Rc::new(asked), explained);
    let of = |ranges: fn(&WalkOutcome) -> Vec<KeyRange>| {
        if nothing { Vec::new() } else { merged(ranges(&outcome)) }
    };
    let (ranges, needed) = (of(|outcome| outcome.ranges().concat()), of(WalkOutcome::needed));
    let kind = kind_of(&outcome, &ranges);
    let open: Vec<usize> = (0..domains.len())
        .filter(|field| domains.get(*field).is_some_and(FieldDomain::is_restricted))
        .filter(|field| !outcome.pinned.contains(field) || listed.contains(field))
        .collect();
    let whole_key = kind == PlanKind::Get && typed.shape.one_to_one && listed.is_empty();
    let in_key = fields_of(&pieces);
    let exact = kind == PlanKind::Nothing
        || open.is_empty()
        || (whole_key && open.iter().all(|field| in_key.contains(field)));
    let order = query.order.as_ref().and_then(|order| {
        let field = fields.iter().position(|field| field.name == order.field)?;
        Some((field, fields.get(field)?.kind, order.direction))
    });
    let ordered = order.filter(|_| kind != PlanKind::Nothing);
    let ordering = match ordered {
        Some((field, kind, direction)) => {
            delivery((field, kind), direction, &outcome, &pieces, &ranges, known)
        }
        None => DeliveryPlan::default(),
    };
    let scans = matches!(kind, PlanKind::Scan | PlanKind::FullScan);
    let stops_after = query.limit.filter(|_| scans && !ordering.delivery.sort);
    if !explained {
        let (filters, reasons) = (Vec::new(), Vec::new());
        let DeliveryPlan { delivery, turns, .. } = ordering;
        return QueryPlan { kind, ranges, needed, exact, filters, delivery, turns, stops_after, reasons };
    }
    reasons.of_walk(&outcome, kind, stops_after);
    if !exact {
        reasons.of_open(&outcome, &open, &in_key);
    }
    let mut filters =
        if exact { Vec::new() } else { filters_of(&pieces, &outcome, &open, ordering.delivery.reversed) };
    if ranges.len() > 1 && kind == PlanKind::Scan {
        filters.push(ScanFilter::MultiRowRange);
    }
    if let Some((field, ..)) = ordered {
        let late = query.limit.filter(|_| scans && ordering.delivery.sort);
        reasons.of_order(&ordering, field, ranges.len(), late, known);
    }
    if explained && is_of_phoenix(typed) {
        reasons.of_phoenix(query);
    }
    let DeliveryPlan { delivery, turns, .. } = ordering;
    QueryPlan { kind, ranges, needed, exact, filters, delivery, turns, stops_after, reasons: reasons.all }
}

/// The fields that the key is made of.
fn fields_of(pieces: &[KeyPiece<'_>]) -> Set<usize> {
    pieces.iter().flat_map(|piece| piece.fields.iter().copied()).collect()
}

/// True if every row in the ranges of a walk matches.
pub(super) fn settles(
    typed: &TypedFormula,
    pieces: &[KeyPiece<'_>],
    domains: &[FieldDomain],
    outcome: &WalkOutcome,
) -> bool {
    let mut open = (0..domains.len())
        .filter(|field| domains.get(*field).is_some_and(FieldDomain::is_restricted))
        .filter(|field| !outcome.pinned.contains(field));
    let in_key = fields_of(pieces);
    let whole_key = matches!(outcome.end, WalkEnd::Complete) && typed.shape.one_to_one;
    open.all(|field| whole_key && in_key.contains(&field))
}

/// The domains with lists too long to be asked value by value replaced by their range, and the fields of those.
fn without_long_lists(domains: &[FieldDomain], reasons: &mut Reasons<'_>) -> (Vec<FieldDomain>, Vec<usize>) {
    let mut listed = Vec::new();
    let mut asked = domains.to_vec();
    for (field, domain) in asked.iter_mut().enumerate() {
        let count = match domain {
            FieldDomain::Values(values) => values.len(),
            FieldDomain::Prefixes(prefixes) => prefixes.len(),
            _ => 0,
        };
        if count > LIMIT {
            reasons.push(Problem::new("plan.list-as-range").with("count", count), None, &[field]);
            listed.push(field);
            *domain = reasons.fields.get(field).map_or(FieldDomain::Any, |field| domain.hull(field.kind));
        }
    }
    (asked, listed)
}

fn kind_of(outcome: &WalkOutcome, ranges: &[KeyRange]) -> PlanKind {
    match (&outcome.end, ranges) {
        (_, []) => PlanKind::Nothing,
        (_, [range]) if range.is_all() => PlanKind::FullScan,
        (WalkEnd::Complete, _) => PlanKind::Get,
        _ => PlanKind::Scan,
    }
}

/// Filters that drop rows that do not match; `open` are the fields that the ranges do not settle.
fn filters_of(pieces: &KeyPieces, outcome: &WalkOutcome, open: &[usize], reversed: bool) -> Vec<ScanFilter> {
    let from = match outcome.end {
        WalkEnd::Ranges(at, _) | WalkEnd::Stopped(at) => at,
        WalkEnd::Complete => pieces.len(),
    };
    let told = |field: &usize| !matches!(outcome.loose.get(field), Some(LooseReason::OpenEnd(_)));
    let readable = outcome.loose.keys().all(told);
    let exact = |pinned: &Set<usize>| open.iter().all(|field| pinned.contains(field));
    let found = filter(pieces, &outcome.states, from, FilteredScan { readable, reversed }, exact);
    found.into_iter().collect()
}

struct Reasons<'a> {
    typed: &'a TypedFormula,
    fields: &'a [Field],
    pieces: &'a [KeyPiece<'a>],
    all: Vec<Problem>,
}

impl Reasons<'_> {
    /// Adds a reason, with the part of a piece and fields as its arguments.
    fn push(&mut self, mut reason: Problem, piece: Option<usize>, fields: &[usize]) {
        let part =
            piece.and_then(|piece| self.pieces.get(piece)).and_then(|piece| self.typed.parts.get(piece.part));
        if let Some(part) = part {
            reason = reason.with("part", &part.text).at_columns(part.span.0, part.span.1);
        }
        let names =
            fields.iter().filter_map(|&field| self.fields.get(field)).map(|field| field.name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            reason = reason.with("fields", names);
        }
        if !self.all.contains(&reason) {
            self.all.push(reason);
        }
    }

    /// The obstacles that the walk met.
    fn of_walk(&mut self, outcome: &WalkOutcome, kind: PlanKind, stops_after: Option<u32>) {
        if kind == PlanKind::Nothing {
            return self.push(Problem::new("plan.nothing-matches"), None, &[]);
        }
        for spread in &outcome.spreads {
            let code =
                if spread.by == ChoiceReason::Every { "plan.every-value" } else { "plan.period-by-period" };
            self.push(Problem::new(code).with("count", spread.count), Some(spread.piece), &[]);
        }
        for &(piece, count, limit) in &outcome.too_many {
            let reason = Problem::new("plan.too-many-ranges").with("count", count).with("limit", limit);
            self.push(reason, Some(piece), &[]);
        }
        if let WalkEnd::Stopped(at) = outcome.end {
            let fields = self.pieces.get(at).map(|piece| piece.fields.clone()).unwrap_or_default();
            let asked = |field: &&usize| {
                let domain = outcome.states.first().and_then(|state| state.domains.get(**field));
                domain.is_some_and(|domain| domain.is_restricted())
            };
            let (asked, free): (Vec<usize>, Vec<usize>) = fields.iter().partition(|field| asked(field));
            match free.is_empty() && !asked.is_empty() {
                true => self.push(Problem::new("plan.part-keeps-no-order"), Some(at), &asked),
                false => self.push(Problem::new("plan.part-not-asked"), Some(at), &free),
            }
        }
        if kind == PlanKind::FullScan {
            let all = Problem::new("plan.full-scan");
            let first = |limit| Problem::new("plan.full-scan-limited").with("limit", limit);
            self.push(stops_after.map_or(all, first), None, &[]);
        }
    }

    /// The scan that Phoenix makes, where the key is one of its own.
    #[inline(never)]
    fn of_phoenix(&mut self, query: &Query) {
        let Some(PhoenixScan { kind, fields }) = phoenix_scan(self.typed, self.fields, query) else { return };
        let code = match kind {
            PhoenixScanKind::FullScan => "plan.phoenix-full-scan",
            PhoenixScanKind::RangeScan => "plan.phoenix-range-scan",
            PhoenixScanKind::SkipScan => "plan.phoenix-skip-scan",
            PhoenixScanKind::PointLookup => "plan.phoenix-point-lookup",
        };
        self.push(Problem::new(code).with("fields", fields.join(", ")), None, &[]);
    }

    /// Why rows that do not match are read, for each field that is not settled.
    fn of_open(&mut self, outcome: &WalkOutcome, open: &[usize], in_key: &Set<usize>) {
        for &field in open {
            let (code, piece) = match outcome.loose.get(&field) {
                _ if !in_key.contains(&field) => ("plan.field-not-in-key", None),
                Some(&LooseReason::OpenEnd(piece)) => ("plan.part-open-end", Some(piece)),
                Some(&LooseReason::ManyToOne(piece)) => ("plan.part-many-to-one", Some(piece)),
                Some(&LooseReason::Widened(piece)) => ("plan.range-widened", Some(piece)),
                None => ("plan.field-behind-range", None),
            };
            // The part has no end, so report it once, however many fields it leaves open.
            let fields = if code == "plan.part-open-end" { &[][..] } else { &[field] };
            self.push(Problem::new(code), piece, fields);
        }
    }

    /// How `ranges` scans bring rows in the order of a field. `late`: a limit that counts only once all rows are sorted.
    fn of_order(
        &mut self,
        ordering: &DeliveryPlan,
        field: usize,
        ranges: usize,
        late: Option<u32>,
        known: &KnownRanges,
    ) {
        self.of_delivery(ordering.delivery, field, ranges, known);
        if ordering.tying.is_some() {
            self.push(Problem::new("plan.order-tied"), ordering.tying, &[field]);
        }
        if !ordering.turns.is_empty() {
            self.push(Problem::new("plan.order-in-turn").with("count", ordering.turns.len()), None, &[field]);
        }
        if let Some(limit) = late {
            self.push(Problem::new("plan.limit-after-sort").with("limit", limit), None, &[field]);
        }
    }

    fn of_delivery(&mut self, delivery: RowDelivery, field: usize, ranges: usize, known: &KnownRanges) {
        for (holds, code) in [
            (delivery.reversed, "plan.order-reversed"),
            (delivery.merge, "plan.order-merged"),
            (delivery.sort, "plan.order-sorted"),
        ] {
            if holds {
                self.push(Problem::new(code).with("count", ranges), None, &[field]);
            }
        }
        let basis = match (delivery.basis, known.get(field), self.fields.get(field)) {
            (Some(OrderBasis::Records), Some(range), Some(of)) => {
                let [first, last] = [range.first, range.last].map(|end| number(of, end));
                Problem::new("plan.order-by-records").with("first", first).with("last", last)
            }
            (Some(OrderBasis::NotNegative), ..) => Problem::new("plan.order-not-negative"),
            _ => return,
        };
        self.push(basis, None, &[field]);
    }
}
