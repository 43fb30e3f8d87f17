//! Designs side by side on the same records: every figure, what is better and what worse, and which rows move.

mod measures;
pub mod migrate;
mod moves;
mod sampled;
mod spread;
mod sweep;
mod variants;

pub use measures::{
    BetterWay, MEASURES, Measure, MeasureChange, MeasureLine, MeasuredDesign, QUERY_MEASURES, QueryAnswer,
    SampleTells, lines,
};
pub use moves::{RegionMoves, RowMoves, moves};
pub use sampled::{SampleInterval, SampleSize};
pub use spread::{WriteSpread, at_once};
pub use sweep::{DesignVariant, Sweep, sweep};
pub use variants::{ParameterSetting, VariedParameter, parameters};

use crate::analysis::{Analysis, ReportOptions, check_held};
use crate::base::Problem;
use crate::design::split::SplitPoints;
use crate::design::{Design, Query, Study};
use crate::formula::typed::TypedFormula;
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::records::field::Field;
use crate::scan::{self, QueryMatcher};
use serde::Serialize;
use std::rc::Rc;

/// A table of a document.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The document.
    pub study: &'a Study,
    /// Number of the table.
    pub table: usize,
}

impl<'a> Candidate<'a> {
    /// The table.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn design(self) -> Result<&'a Design, Problem> {
        let missing = || Problem::new("design.no-such-table").with("table", self.table);
        self.study.tables.get(self.table).ok_or_else(missing)
    }

    fn names(self) -> Vec<&'a str> {
        self.study.fields.iter().map(|field| field.name.as_str()).collect()
    }
}

/// A design that is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedDesign {
    /// Name of the table.
    pub name: String,
    /// Its row key.
    pub rowkey: String,
    /// Codes of what is to be said of it, the worst first.
    pub findings: Vec<&'static str>,
    /// Measures in which it is better than the first.
    pub better: Vec<&'static str>,
    /// Measures in which it is worse.
    pub worse: Vec<&'static str>,
    /// Rows that lie elsewhere than under the first; `None` of the first itself.
    pub moves: Option<RowMoves>,
}

/// A query under every design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryLines {
    /// Its name.
    pub name: String,
    /// Its measures.
    pub lines: Vec<MeasureLine>,
}

/// Designs side by side; the first is what the others are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Records.
    pub rows: u64,
    /// Those of them that were looked at: all, or a uniform sample.
    pub sampled: u64,
    /// The designs.
    pub designs: Vec<ComparedDesign>,
    /// Their measures.
    pub lines: Vec<MeasureLine>,
    /// The queries of the first document under each.
    pub queries: Vec<QueryLines>,
}

/// The keys of all records under each design, encoded together where the documents have the same fields.
pub(crate) fn encode_all(
    records: &Records,
    candidates: &[Candidate<'_>],
) -> Result<Vec<EncodedKeys>, Problem> {
    let mut all = Vec::with_capacity(candidates.len());
    for same in candidates.chunk_by(|a, b| a.names() == b.names()) {
        let mut designs = Vec::with_capacity(same.len());
        for candidate in same {
            let typed = &candidate.design()?.typed;
            check_held(records, &candidate.study.fields, typed, candidate.study.arrival.as_deref())?;
            designs.push(typed);
        }
        let names = same.first().map(|candidate| candidate.names()).unwrap_or_default();
        all.extend(Encoder::new(records, &names, &designs).encode());
    }
    Ok(all)
}

/// How a row key answers a query; `None` when its fields cannot be asked so. Counted on sorted keys and their records when
/// there are some.
pub(crate) fn answer_by(
    query: &Query,
    fields: &[Field],
    typed: &TypedFormula,
    points: &SplitPoints,
    held: Option<(&KeyTable, &Records)>,
) -> Option<QueryAnswer> {
    let domains = scan::read(query, fields, "").ok()?;
    let plan = scan::plan(typed, fields, query, &domains);
    let counted = held.map(|(table, records)| {
        scan::count(&plan.ranges, table, &QueryMatcher::new(records, fields, &domains))
    });
    Some(QueryAnswer { regions: scan::regions(&plan.ranges, points).len(), plan, counted })
}

/// Holds designs against the first of them.
///
/// # Errors
/// `compare.too-few`, `design.no-such-table`, splits that HBase would refuse, records that lack a field.
pub fn compare(records: &Rc<Records>, candidates: &[Candidate<'_>]) -> Result<Comparison, Problem> {
    let [base, others @ ..] = candidates else { return Err(Problem::new("compare.too-few")) };
    if others.is_empty() {
        return Err(Problem::new("compare.too-few"));
    }
    let sampled = SampleSize::of(records);
    let mut analyses = Vec::with_capacity(candidates.len());
    let mut measured = Vec::with_capacity(candidates.len());
    for (candidate, keys) in candidates.iter().zip(encode_all(records, candidates)?) {
        let Candidate { study, table } = *candidate;
        let design = candidate.design()?;
        let mut analysis = Analysis::of_keys(
            records.clone(),
            study.fields.clone(),
            design.typed.clone(),
            &design.splits,
            study.arrival.clone(),
            keys,
        )?;
        let findings = Some(analysis.findings(study, table)?);
        let report = analysis.report(&ReportOptions::default())?;
        let servers = design.servers.or(base.design()?.servers);
        measured.push(Some(MeasuredDesign::new(design, servers, report, findings, sampled)));
        analyses.push(analysis);
    }
    let of_design = lines(MEASURES, &measured, sampled);
    let ask = |query: &Query| {
        let answer = |(candidate, analysis): (&Candidate<'_>, &Analysis)| {
            let (table, points) = analysis.placed();
            let typed = &candidate.design().ok()?.typed;
            answer_by(query, &candidate.study.fields, typed, points, Some((table, records)))
        };
        let answers: Vec<Option<QueryAnswer>> = candidates.iter().zip(&analyses).map(answer).collect();
        QueryLines { name: query.name.clone(), lines: lines(QUERY_MEASURES, &answers, sampled) }
    };
    let queries: Vec<QueryLines> = base.study.queries.iter().map(ask).collect();
    let all: Vec<&MeasureLine> =
        of_design.iter().chain(queries.iter().flat_map(|query| &query.lines)).collect();
    let mut designs = Vec::with_capacity(candidates.len());
    for (index, (candidate, analysis)) in candidates.iter().zip(&analyses).enumerate() {
        let design = candidate.design()?;
        let found = measured.get(index).and_then(Option::as_ref).and_then(|of| of.findings.as_ref());
        let from = analyses.first().filter(|_| index > 0);
        designs.push(ComparedDesign {
            name: design.name.clone(),
            rowkey: design.rowkey.clone(),
            findings: found.into_iter().flatten().map(|finding| finding.code).collect(),
            better: changed(&all, index, MeasureChange::Better),
            worse: changed(&all, index, MeasureChange::Worse),
            moves: from.map(|from| moves(from.placed(), analysis.placed(), records.rows).of_all(sampled)),
        });
    }
    let (rows, sampled) = (records.all_rows(), records.rows as u64);
    Ok(Comparison { rows, sampled, designs, lines: of_design, queries })
}

/// The codes of measures in which design number `index` has changed so against the first, each once.
fn changed(lines: &[&MeasureLine], index: usize, wanted: MeasureChange) -> Vec<&'static str> {
    let mut codes: Vec<&'static str> = Vec::new();
    for line in lines.iter().filter(|line| line.changes.get(index) == Some(&wanted)) {
        if !codes.contains(&line.code) {
            codes.push(line.code);
        }
    }
    codes
}
