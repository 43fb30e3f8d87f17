//! What the rules look at.

use super::alike::EqualValues;
use crate::analysis::report::Report;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use crate::design::{Design, Query, Study};
use crate::formula::typed::{Expression, TypedPart};
use crate::formula::vector::Vector;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::{Column, Records};
use crate::scan::{self, KeyRange, QueryMatcher, QueryPlan, RowsRead};
use std::cell::OnceCell;

/// Records looked at one by one.
const SAMPLED: usize = 8192;

/// A design, and what is known of its records.
pub struct Review<'a> {
    /// The document.
    pub study: &'a Study,
    /// The table under review.
    pub design: &'a Design,
    /// Its split points.
    pub points: &'a SplitPoints,
    /// What the records say; `None` without any.
    pub evidence: Option<Evidence<'a>>,
    /// How the queries of the document are answered; those that can't be read are left out.
    pub asked: Vec<PlannedQuery>,
}

/// How a query is answered.
pub struct PlannedQuery {
    /// Its number in the document.
    pub query: usize,
    /// Whether it asks for less than everything.
    pub restricted: bool,
    /// Its plan.
    pub plan: QueryPlan,
    /// Rows read and returned by the plan; `None` without records.
    pub counted: Option<RowsRead>,
    /// A scan that someone wrote for it.
    pub written: Option<KeyRange>,
    /// Rows read by that scan, and those of them that match; `None` without records.
    pub given: Option<RowsRead>,
}

impl PlannedQuery {
    /// The queries of a study planned for a design; counted on sorted keys and their records when there are some.
    pub fn all(study: &Study, design: &Design, held: Option<(&KeyTable, &Records)>) -> Vec<Self> {
        let asked = |(query, asked): (usize, &Query)| {
            let domains = scan::read(asked, &study.fields, "").ok()?;
            let plan = scan::plan(&design.typed, &study.fields, asked, &domains);
            let written = asked.scan.as_ref().and_then(|[start, stop]| {
                let row = |text: &str| crate::bytes::row::from_string_binary(text).ok();
                Some(KeyRange { start: row(start)?, stop: row(stop)? })
            });
            let held =
                held.map(|(table, records)| (table, QueryMatcher::new(records, &study.fields, &domains)));
            let held = held.as_ref();
            let counted = held.map(|(table, matching)| scan::count_plan(&plan, table, matching));
            let given = held.zip(written.as_ref()).map(|((table, matching), written)| {
                scan::count(std::slice::from_ref(written), table, matching)
            });
            Some(Self {
                query,
                restricted: domains.iter().any(scan::FieldDomain::is_restricted),
                counted,
                given,
                plan,
                written,
            })
        };
        study.queries.iter().enumerate().filter_map(asked).collect()
    }
}

/// What the records say of a design.
pub struct Evidence<'a> {
    /// Where all of them land.
    pub report: &'a Report,
    /// The records, as they stand in their files.
    pub all: &'a Records,
    /// Some of them, evenly spaced.
    pub sample: Records,
    /// The bytes of each part of their keys.
    pub parts: Vec<ByteStrings>,
    /// Which of them are equal, of parts that were asked for.
    alike: Vec<OnceCell<EqualValues>>,
}

impl<'a> Evidence<'a> {
    /// Of a report and the records it was made from.
    pub fn new(study: &Study, design: &Design, records: &'a Records, report: &'a Report) -> Self {
        let step = records.rows.div_ceil(SAMPLED).max(1);
        let rows: Vec<u32> = (0..records.rows as u32).step_by(step).collect();
        let sample = records.chosen(&rows);
        let parts = parts_of(study, design, &sample);
        let alike = parts.iter().map(|_| OnceCell::new()).collect();
        Self { report, all: records, sample, parts, alike }
    }

    /// Which bytes of a part are equal.
    pub(super) fn alike(&self, part: usize) -> Option<&EqualValues> {
        Some(
            self.alike
                .get(part)?
                .get_or_init(|| EqualValues::of(self.parts.get(part).unwrap_or(&ByteStrings::default()))),
        )
    }

    /// Number of sampled records.
    pub fn rows(&self) -> usize {
        self.sample.rows
    }
}

impl Review<'_> {
    /// The values of an expression for the sampled records; `None` without records. Those refused are left out.
    pub fn values(&self, expression: &Expression) -> Option<Vector> {
        let evidence = self.evidence.as_ref()?;
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        Some(Encoder::new(&evidence.sample, &names, &[]).values(expression))
    }

    /// The numbers of an expression for the sampled records.
    pub fn numbers(&self, expression: &Expression) -> Vec<i64> {
        match self.values(expression) {
            Some(Vector::Integers(numbers)) => numbers,
            _ => Vec::new(),
        }
    }

    /// The bytes of each part of the keys of these records.
    pub fn parts_of(&self, records: &Records) -> Vec<ByteStrings> {
        parts_of(self.study, self.design, records)
    }

    /// The column of a field among the sampled records.
    pub fn column(&self, field: usize) -> Option<&Column> {
        let name = &self.study.fields.get(field)?.name;
        self.evidence.as_ref()?.sample.column(name)
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

    /// The formula with a stretch of it, given in columns, written in another way.
    pub fn rewritten(&self, from: &str, to: &str) -> Option<String> {
        let formula = &self.design.rowkey;
        formula.contains(from).then(|| formula.replacen(from, to, 1))
    }
}

/// The bytes of each part of the keys of these records.
fn parts_of(study: &Study, design: &Design, records: &Records) -> Vec<ByteStrings> {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    Encoder::new(records, &names, &[]).all_parts(&design.typed)
}

/// Calls `visit` for an expression and all it is made of.
pub fn walk<'e>(expression: &'e Expression, visit: &mut dyn FnMut(&'e Expression)) {
    visit(expression);
    for inner in expression.inputs() {
        walk(inner, visit);
    }
}
