//! Designs side by side on the same records: every figure, what is better and what worse, and which rows move.

pub mod alter;
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

use crate::analysis::{Analysis, ReportOptions, require_columns};
use crate::base::Problem;
use crate::design::split::{SplitPoints, Splits};
use crate::design::{Design, Document, Query};
use crate::keys::encode::{EncodedKeys, Encoder};
use crate::keys::table::KeyTable;
use crate::records::Records;
use crate::scan::{self, KnownRanges, QueryMatcher};
use serde::Serialize;
use std::rc::Rc;

/// A table of a document.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The document.
    pub study: &'a Document,
    /// Number of the table.
    pub table: usize,
}

impl<'a> Candidate<'a> {
    /// The table.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn design(self) -> Result<&'a Design, Problem> {
        self.study.table(self.table)
    }

    fn names(self) -> Vec<&'a str> {
        self.study.fields.iter().map(|field| field.name.as_str()).collect()
    }
}

/// Under which splits designs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComparedSplits {
    /// Other keys under equal shares of the records, as many as each has regions: split points of one key judge no other.
    #[default]
    EqualShares,
    /// Each under the splits of its design.
    Designed,
}

/// A figure that matters most, of a design and of the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeadingFigure {
    /// Name of the query that it is of; `None` of a figure of the table.
    pub query: Option<String>,
    /// Code of its measure.
    pub code: &'static str,
    /// The figure that it counts.
    pub unit: &'static str,
    /// The value of the first design.
    pub before: f64,
    /// The value of this design.
    pub now: f64,
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
    /// How it differs from the first in what matters most: its hottest region, the cost of each query, its bytes.
    pub leading: Vec<LeadingFigure>,
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
    /// True of a sample.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// True if each key was cut into equal shares of the records, as many as its design has regions, and not as designed.
    #[serde(rename = "equalShares")]
    pub equal_shares: bool,
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
            require_columns(records, &candidate.study.fields, typed, candidate.study.arrival.as_deref())?;
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
    study: &Document,
    design: &Design,
    points: &SplitPoints,
    held: Option<(&KeyTable, &Records)>,
) -> Option<QueryAnswer> {
    let (fields, typed) = (&study.fields, &design.typed);
    let domains = scan::read(query, fields, "").ok()?;
    let known = held.map(|(_, records)| KnownRanges::of(records, fields, std::slice::from_ref(query)));
    let plan = scan::plan_known(typed, fields, query, &domains, &known.unwrap_or_default());
    let counted = held.map(|(table, records)| {
        let matching = QueryMatcher::new(records, fields, &domains).in_cells(
            design,
            (records, fields),
            &domains,
            study.arrival.as_deref(),
        );
        // The limit ends a scan of all records; of a sample it would end one of too few.
        let limited = (records.all_rows() == records.rows as u64)
            .then(|| scan::count_limited(&plan, table, &matching))
            .flatten();
        limited.unwrap_or_else(|| scan::count(&plan.ranges, table, &matching))
    });
    Some(QueryAnswer { regions: scan::regions(&plan.ranges, points).len(), plan, counted, cells: None })
}

/// Holds designs against the first of them.
///
/// # Errors
/// `compare.too-few`, `design.no-such-table`, splits that HBase would refuse, records that lack a field.
pub fn compare(
    records: &Rc<Records>,
    candidates: &[Candidate<'_>],
    splits: ComparedSplits,
) -> Result<Comparison, Problem> {
    let [base, others @ ..] = candidates else { return Err(Problem::new("compare.too-few")) };
    if others.is_empty() {
        return Err(Problem::new("compare.too-few"));
    }
    let sampled = SampleSize::of(records);
    let equal_shares = in_equal_shares(candidates, splits)?;
    let (mut analyses, mut measured) = (Vec::new(), Vec::new());
    for (candidate, keys) in candidates.iter().zip(encode_all(records, candidates)?) {
        let (analysis, design) = measure(records, keys, *candidate, base.design()?.servers, equal_shares)?;
        analyses.push(analysis);
        measured.push(Some(design));
    }
    let of_design = lines(MEASURES, &measured, sampled);
    let has_wide_rows = |candidate: &Candidate<'_>| {
        candidate
            .design()
            .is_ok_and(|design| design.typed.columns.iter().any(|column| column.qualifier.is_some()))
    };
    let wide = candidates.iter().any(has_wide_rows);
    let ask = |query: &Query| {
        let answer = |(candidate, analysis): (&Candidate<'_>, &Analysis)| {
            let (table, points) = analysis.placed();
            let design = candidate.design().ok()?;
            let answer = answer_by(query, candidate.study, design, points, Some((table, records)))?;
            let cells = answer.cells_of(design).filter(|_| wide);
            Some(QueryAnswer { cells, ..answer })
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
            leading: leading(&of_design, &queries, index),
            better: changed(&all, index, MeasureChange::Better),
            worse: changed(&all, index, MeasureChange::Worse),
            moves: from.map(|from| moves(from.placed(), analysis.placed(), records.rows).of_all(sampled)),
        });
    }
    let (rows, sampled) = (records.all_rows(), records.rows as u64);
    Ok(Comparison {
        rows,
        sampled,
        estimated: sampled < rows,
        equal_shares,
        designs,
        lines: of_design,
        queries,
    })
}

/// The analysis of a candidate's keys and what is measured of it; `servers` where its document names none.
fn measure(
    records: &Rc<Records>,
    keys: EncodedKeys,
    candidate: Candidate<'_>,
    servers: Option<u32>,
    equal_shares: bool,
) -> Result<(Analysis, MeasuredDesign), Problem> {
    let Candidate { study, table } = candidate;
    let design = candidate.design()?;
    let shared = if equal_shares { Some(study.split_by(table, own_shares(design)?)) } else { None };
    let mut analysis = Analysis::of_keys(shared.as_ref().unwrap_or(study), table, records.clone(), keys)?;
    let findings = Some(analysis.findings(study, table)?);
    analysis.forget_findings();
    let report = analysis.report(&ReportOptions::default())?;
    let servers = design.servers.or(servers);
    let measured = MeasuredDesign::new(design, servers, report, findings, SampleSize::of(records));
    Ok((analysis, measured))
}

/// True if each key is cut into equal shares: not where all have one key and differ in their splits.
fn in_equal_shares(candidates: &[Candidate<'_>], splits: ComparedSplits) -> Result<bool, Problem> {
    let designs = candidates.iter().map(|candidate| candidate.design()).collect::<Result<Vec<_>, _>>()?;
    let keys_differ = designs.windows(2).any(|pair| matches!(pair, [a, b] if a.keys() != b.keys()));
    Ok(splits == ComparedSplits::EqualShares && keys_differ)
}

/// Equal shares of the records, as many as a design has regions.
fn own_shares(design: &Design) -> Result<Splits, Problem> {
    Ok(match &design.splits {
        shares @ Splits::Sample { .. } => shares.clone(),
        splits => Splits::Sample { regions: splits.points()?.regions() as i64 },
    })
}

/// Measures of a table that matter most, each the first in which both differ.
const LEADING: [&[&str]; 2] = [
    &["measure.hottest-share", "measure.written-at-once", "measure.largest-share"],
    &["measure.table-bytes"],
];
/// The cost of a query: the first in which both differ.
const LEADING_OF_QUERY: &[&str] = &["measure.cells-read", "measure.rows-read", "measure.ranges"];

/// How design number `index` differs from the first in what matters most.
fn leading(lines: &[MeasureLine], queries: &[QueryLines], index: usize) -> Vec<LeadingFigure> {
    let figure = |lines: &[MeasureLine], codes: &[&str], query: Option<&String>| {
        let found = codes.iter().find_map(|code| {
            let line = lines.iter().find(|line| line.code == *code)?;
            let (before, now) = (line.values.first().copied()??, line.values.get(index).copied()??);
            let change = line.changes.get(index);
            let differs = matches!(change, Some(MeasureChange::Better | MeasureChange::Worse));
            differs.then_some((line, before, now))
        });
        let (line, before, now) = found?;
        Some(LeadingFigure { query: query.cloned(), code: line.code, unit: line.unit, before, now })
    };
    if index == 0 {
        return Vec::new();
    }
    let [hottest, bytes] = LEADING.map(|codes| figure(lines, codes, None));
    let of_queries = queries.iter().map(|query| figure(&query.lines, LEADING_OF_QUERY, Some(&query.name)));
    [hottest].into_iter().chain(of_queries).chain([bytes]).flatten().collect()
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
