//! The input of the rules.

use super::alike::EqualValues;
use crate::analysis::report::Report;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use crate::design::{Design, Document, Query};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::field::Kind;
use crate::records::field::shape::Order;
use crate::records::{Column, Records};
use crate::scan::{self, KeyRange, KnownRanges, QueryMatcher, QueryPlan, RowsRead};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

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
    /// A scan that someone wrote for it.
    pub written: Option<KeyRange>,
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
                Some(KeyRange { start: row(start)?, stop: row(stop)? })
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
    /// The records with a key, or a sample of them. What has no key lies in no region and belongs to nobody.
    keyed: Cow<'a, Records>,
    /// The keys of all of them.
    table: &'a KeyTable,
    /// The bytes of each part of their keys, of parts that were asked for.
    parts: Vec<OnceCell<ByteStrings>>,
    /// The distinct ones of each.
    alike: Vec<OnceCell<EqualValues>>,
    /// The number of different values that a hash in front is made of.
    pub(super) hashed: OnceCell<Option<usize>>,
    /// True when a rule has looked at the records one by one since this was last cleared.
    looked_at: Cell<bool>,
}

impl<'a> Evidence<'a> {
    /// Holds a report together with the records and keys that it was made from.
    pub fn new(design: &Design, records: &'a Records, table: &'a KeyTable, report: &'a Report) -> Self {
        let keyed = if table.refused.count() == 0 && records.rows <= LOOKED_AT {
            Cow::Borrowed(records)
        } else {
            let rows = (0..).zip(table.keyed(records.rows)).filter_map(|(row, keyed)| keyed.then_some(row));
            Cow::Owned(records.chosen(&records.sampled_rows(rows.collect(), LOOKED_AT)))
        };
        let parts = design.typed.parts.len();
        Self {
            report,
            all: records,
            keyed,
            table,
            parts: (0..parts).map(|_| OnceCell::new()).collect(),
            alike: (0..parts).map(|_| OnceCell::new()).collect(),
            hashed: OnceCell::new(),
            looked_at: Cell::new(false),
        }
    }

    /// The records with a key, or a sample of them.
    pub fn keyed(&self) -> &Records {
        self.looked_at.set(true);
        &self.keyed
    }

    /// All records whose key another has too, or neighbours in the order of keys if they are very many.
    pub fn shared(&self) -> Records {
        self.all.chosen(&self.table.shared_rows(LOOKED_AT))
    }

    /// The first `most` records that stand one after the other; `None` of a sample, which leaves some out.
    pub fn neighbours(&self, most: usize) -> Option<Records> {
        let held = if self.keyed.rows as u64 == self.report.keys.count { &self.keyed } else { self.all };
        let rows: Vec<u32> = (0..held.rows.min(most) as u32).collect();
        (self.all.all_rows() == self.all.rows as u64).then(|| held.chosen(&rows))
    }

    /// Number of those records.
    pub fn rows(&self) -> usize {
        self.keyed.rows
    }

    /// True when they are a sample: of the records at hand, or because those are one.
    pub fn is_sample(&self) -> bool {
        (self.keyed.rows as u64) < self.report.keys.count || self.all.all_rows() > self.all.rows as u64
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
    /// The values of an expression for the records with a key; `None` without records.
    pub fn values(&self, expression: &Expression) -> Option<Vector> {
        let records = self.evidence.as_ref()?.keyed();
        Some(self.encoder(records, &[]).values(expression))
    }

    /// The numbers of an expression for the records with a key.
    pub fn numbers(&self, expression: &Expression) -> Vec<i64> {
        match self.values(expression) {
            Some(Vector::Integers(numbers)) => numbers,
            _ => Vec::new(),
        }
    }

    /// The bytes of a part of the keys.
    pub fn part(&self, index: usize) -> Option<&ByteStrings> {
        let evidence = self.evidence.as_ref()?;
        let made = || self.part_of(evidence.keyed(), index);
        evidence.looked_at.set(true);
        Some(evidence.parts.get(index)?.get_or_init(|| made().unwrap_or_default()))
    }

    /// The keys of the records with a key.
    pub(super) fn keys(&self, evidence: &Evidence) -> ByteStrings {
        self.keys_of(evidence.keyed(), &self.design.typed)
    }

    /// The keys that records have under a formula.
    pub(super) fn keys_of(&self, records: &Records, formula: &TypedFormula) -> ByteStrings {
        let mut keys = [ByteStrings::default()];
        self.encoder(records, &[formula]).encode_rows(0..records.rows, &mut keys, |_, _| ());
        let [keys] = keys;
        keys
    }

    /// The bytes of a part of the keys of other records.
    pub fn part_of(&self, records: &Records, index: usize) -> Option<ByteStrings> {
        // With the design a part is computed once for each value of a field, where these repeat.
        let encoder = self.encoder(records, &[&self.design.typed]);
        match encoder.values(&self.design.typed.parts.get(index)?.expression) {
            Vector::Strings(values) => Some(values),
            Vector::Integers(_) => None,
        }
    }

    /// The distinct bytes of a part.
    pub(super) fn alike(&self, index: usize) -> Option<&EqualValues> {
        let values = self.part(index)?;
        let alike = self.evidence.as_ref()?.alike.get(index)?;
        Some(alike.get_or_init(|| EqualValues::of(values)))
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

    /// Number of records.
    pub fn rows(&self) -> u64 {
        self.evidence.as_ref().map_or(0, |evidence| evidence.report.rows)
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
