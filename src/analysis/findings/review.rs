//! The input of the rules.

use super::alike::EqualValues;
use super::facts::{ExpressionValues, KeyFacts, text_of};
use crate::analysis::report::Report;
use crate::design::split::SplitPoints;
use crate::design::{Design, Document, Query};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::formula::vector::Vector;
use crate::keys::encode::{Encoder, RecordValues};
use crate::keys::table::KeyTable;
use crate::records::field::Kind;
use crate::records::field::shape::Order;
use crate::records::{Column, Records};
use crate::scan::{self, KeyRange, KnownRanges, QueryMatcher, QueryPlan, RowsRead};
use std::cell::Cell;
use std::rc::Rc;

/// Most records that rules look at one by one; of more, a sample of as many.
const LOOKED_AT: usize = 1 << 20;

/// Encodings that put negative numbers after positive ones.
pub(super) const SIGNED: [&str; 5] = ["int8", "int16", "int32", "int64", "float64"];

/// A design, and what is known of its records.
pub struct Review<'a> {
    /// The document.
    pub study: &'a Document,
    /// The table under review.
    pub design: &'a Design,
    /// Its split points.
    pub points: &'a SplitPoints,
    /// The records' side of it; `None` without records.
    pub evidence: Option<Evidence<'a>>,
    /// How the queries of the document are answered; those that can't be read are left out.
    pub asked: Vec<PlannedQuery>,
    /// True if edits that fix findings are wanted, too.
    pub fixes: bool,
}

/// How a query is answered.
pub struct PlannedQuery {
    /// Its number in the document.
    pub query: usize,
    /// True when it asks for less than everything.
    pub restricted: bool,
    /// Its plan.
    pub plan: QueryPlan,
    /// Rows read and returned by the plan; `None` without records.
    pub counted: Option<RowsRead>,
    /// The same up to the limit of the query, where reading can stop there.
    pub limited: Option<RowsRead>,
    /// The rows of a scan that someone wrote for it.
    pub written: Option<KeyRange>,
    /// True if that scan is reversed, as its start row sorts above its stop row.
    pub reversed: bool,
    /// Rows read by that scan, and those of them that match; `None` without records.
    pub given: Option<RowsRead>,
}

impl PlannedQuery {
    /// The queries of a study planned for a design; counted on sorted keys and their records when there are some.
    pub fn all(study: &Document, design: &Design, held: Option<(&KeyTable, &Records)>) -> Vec<Self> {
        let known = held.map(|(_, records)| KnownRanges::of(records, &study.fields, &study.queries));
        let known = known.unwrap_or_default();
        let asked = |(query, asked): (usize, &Query)| {
            let domains = scan::read(asked, &study.fields, "").ok()?;
            let plan = scan::plan_known(&design.typed, &study.fields, asked, &domains, &known);
            let written = asked.scan.as_ref().and_then(|[start, stop]| {
                let row = |text: &str| crate::bytes::row::from_string_binary(text).ok();
                Some((row(start)?, row(stop)?))
            });
            let reversed = written.as_ref().is_some_and(|(start, stop)| !stop.is_empty() && start > stop);
            let written = written.map(|(start, stop)| match reversed {
                // From the start row down to the one above the stop row.
                true => KeyRange { start: [&stop[..], &[0]].concat(), stop: [&start[..], &[0]].concat() },
                false => KeyRange { start, stop },
            });
            let held = held.map(|(table, records)| {
                (
                    table,
                    QueryMatcher::new(records, &study.fields, &domains).in_cells(
                        design,
                        (records, &study.fields),
                        &domains,
                        study.arrival.as_deref(),
                    ),
                )
            });
            let held = held.as_ref();
            let counted = held.map(|(table, matching)| scan::count_plan(&plan, table, matching));
            let limited = held.and_then(|(table, matching)| scan::count_limited(&plan, table, matching));
            let given = held.zip(written.as_ref()).map(|((table, matching), written)| {
                scan::count(std::slice::from_ref(written), table, matching)
            });
            Some(Self {
                query,
                restricted: domains.iter().any(scan::FieldDomain::is_restricted),
                counted,
                limited,
                given,
                plan,
                written,
                reversed,
            })
        };
        let of_table = study.queries.iter().enumerate().filter(|(_, query)| query.is_of(design));
        of_table.filter_map(asked).collect()
    }
}

/// A design's records with a key, and where they land.
pub struct Evidence<'a> {
    /// Where all of them land.
    pub report: &'a Report,
    /// The records, as they stand in their files.
    pub all: &'a Records,
    /// The keys of all of them.
    table: &'a KeyTable,
    /// Facts about them.
    pub(super) facts: &'a KeyFacts,
    /// True when a rule has looked at the records one by one since this was last cleared.
    looked_at: Cell<bool>,
}

impl<'a> Evidence<'a> {
    /// Holds a report together with the records and keys that it was made from, and with facts about exactly these.
    pub fn new(
        (records, table): (&'a Records, &'a KeyTable),
        report: &'a Report,
        facts: &'a KeyFacts,
    ) -> Self {
        Self { report, all: records, table, facts, looked_at: Cell::new(false) }
    }

    /// The records that rules look at where these are not all: those that have a key, or a sample of them. A record without a key
    /// lies in no region and belongs to nobody.
    fn chosen(&self) -> Option<&'a (Records, Vec<u32>)> {
        let chosen = || {
            if self.table.refused.count() == 0 && self.all.rows <= LOOKED_AT {
                return None;
            }
            let rows =
                (0..).zip(self.table.keyed(self.all.rows)).filter_map(|(row, keyed)| keyed.then_some(row));
            let rows = self.all.sampled_rows(rows.collect(), LOOKED_AT);
            Some((self.all.chosen(&rows), rows))
        };
        self.facts.chosen.get_or_init(chosen).as_ref()
    }

    /// The records with a key, or a sample of them.
    fn held(&self) -> &'a Records {
        self.chosen().map_or(self.all, |(records, _)| records)
    }

    /// The records with a key, or a sample of them.
    pub fn keyed(&self) -> &'a Records {
        self.looked_at.set(true);
        self.held()
    }

    /// The key of one of those records.
    pub fn key(&self, row: usize) -> &'a [u8] {
        let of_all = self.chosen().map_or(row as u32, |(_, rows)| rows.get(row).copied().unwrap_or(u32::MAX));
        self.table.key_of(of_all)
    }

    /// All records whose key another has too, or neighbours in the order of keys if they are very many.
    pub fn shared(&self) -> Records {
        self.all.chosen(&self.table.shared_rows(LOOKED_AT))
    }

    /// The first `most` records that stand one after the other; `None` of a sample, which leaves some out.
    pub fn neighbours(&self, most: usize) -> Option<Records> {
        let held = if self.rows() as u64 == self.report.keys.count { self.held() } else { self.all };
        let rows: Vec<u32> = (0..held.rows.min(most) as u32).collect();
        (self.all.all_rows() == self.all.rows as u64).then(|| held.chosen(&rows))
    }

    /// Number of the records that are looked at.
    pub fn rows(&self) -> usize {
        self.held().rows
    }

    /// True when they are a sample: of the records at hand, or because those are one.
    pub fn is_sample(&self) -> bool {
        (self.rows() as u64) < self.report.keys.count || self.all.all_rows() > self.all.rows as u64
    }

    /// Number of records with a key where all are counted of which these are a sample.
    pub fn all_rows(&self) -> f64 {
        let of_sample = self.all.all_rows() as f64 / self.all.rows.max(1) as f64;
        self.report.keys.count as f64 * of_sample
    }

    /// True when a rule has looked at a sample since this was last asked.
    pub(super) fn looked_at_sample(&self) -> bool {
        self.looked_at.replace(false) && self.is_sample()
    }
}

impl Review<'_> {
    /// The values of an expression for the records with a key, numbers as eight bytes; `None` without records.
    pub fn values(&self, expression: &Expression) -> Option<Rc<ExpressionValues>> {
        let evidence = self.evidence.as_ref()?;
        let values = || self.encoder(evidence.keyed(), &[]).values_of(expression);
        evidence.looked_at.set(true);
        Some(evidence.facts.values.get(text_of(expression), || Rc::new(ExpressionValues::new(values()))))
    }

    /// The same; `None` for numbers, too.
    pub fn texts(&self, expression: &Expression) -> Option<Rc<ExpressionValues>> {
        if expression.shape().kind.is_fixed() { None } else { self.values(expression) }
    }

    /// The numbers of an expression for the records with a key.
    pub fn numbers(&self, expression: &Expression) -> Rc<Vec<i64>> {
        let Some(evidence) = &self.evidence else { return Rc::default() };
        let numbers = || match self.encoder(evidence.keyed(), &[]).values(expression) {
            Vector::Integers(numbers) => numbers,
            Vector::Strings(_) => Vec::new(),
        };
        evidence.looked_at.set(true);
        evidence.facts.numbers.get(text_of(expression), || Rc::new(numbers()))
    }

    /// The values of a part of the keys.
    pub fn part(&self, index: usize) -> Option<Rc<ExpressionValues>> {
        self.values(&self.design.typed.parts.get(index)?.expression)
    }

    /// The distinct beginnings of keys, made of their first parts.
    pub(super) fn beginnings(&self, parts: usize) -> Option<Rc<EqualValues>> {
        let evidence = self.evidence.as_ref()?;
        let distinct = || {
            let mut first = self.design.typed.clone();
            first.parts.truncate(parts);
            first.columns.clear();
            EqualValues::of(&self.keys_of(evidence.keyed(), &first))
        };
        evidence.looked_at.set(true);
        Some(evidence.facts.beginnings.get(parts, || Rc::new(distinct())))
    }

    /// The keys that records have under a formula.
    pub(super) fn keys_of(&self, records: &Records, formula: &TypedFormula) -> RecordValues {
        self.encoder(records, &[formula]).keys_of(0)
    }

    fn encoder<'r>(&self, records: &'r Records, formulas: &[&'r TypedFormula]) -> Encoder<'r> {
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        Encoder::new(records, &names, formulas)
    }

    /// The column of a field among the records with a key.
    pub fn column(&self, field: usize) -> Option<&Column> {
        let name = &self.study.fields.get(field)?.name;
        self.evidence.as_ref()?.keyed().column(name)
    }

    /// Number of records, of all where these are a sample.
    pub fn rows(&self) -> u64 {
        self.evidence.as_ref().map_or(0, |evidence| evidence.report.rows.max(evidence.all.all_rows()))
    }

    /// The name of a field.
    pub fn name(&self, field: usize) -> &str {
        self.study.fields.get(field).map_or("", |field| field.name.as_str())
    }

    /// The first part that differs between records, with its index.
    pub fn lead(&self) -> Option<(usize, &TypedPart)> {
        let parts = self.design.typed.parts.iter().enumerate();
        parts.into_iter().find(|(_, part)| part.shape.distinct != Some(1))
    }

    /// True if a part keeps the order of what it is made of, or the reverse. A signed integer does where none at hand changes
    /// the sign; times are taken for later than 1970 where there is no record.
    pub(super) fn keeps_order(&self, part: &TypedPart) -> bool {
        let kept =
            |order| matches!(order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed);
        if kept(part.shape.order) {
            return true;
        }
        let Expression::Apply { step, input, .. } = &part.expression else { return false };
        let is_time =
            |&field: &usize| self.study.fields.get(field).is_some_and(|field| field.kind == Kind::Time);
        let one_sign = || match &self.evidence {
            None => part.fields.iter().all(is_time),
            Some(_) => {
                let numbers = self.numbers(input);
                numbers.iter().all(|&number| number >= 0) || numbers.iter().all(|&number| number < 0)
            }
        };
        SIGNED.contains(&step.name) && kept(input.shape().order) && one_sign()
    }

    /// The formula with a stretch of it, given in columns, written in another way.
    pub fn rewritten(&self, from: &str, to: &str) -> Option<String> {
        let formula = &self.design.rowkey;
        formula.contains(from).then(|| formula.replacen(from, to, 1))
    }
}
