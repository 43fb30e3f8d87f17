//! One parameter of a design varied: what it does to the spread of writes, the cost of reads and the bytes.

use super::measures::{MEASURES, MeasureLine, MeasuredDesign, QUERY_MEASURES, lines};
use super::variants::{ParameterSetting, SweepRequest, VariedParameter, read, variant};
use super::{Candidate, QueryLines, SampleSize, answer_by};
use crate::analysis::report::{KeyFaults, PreparedReport, SaidProblem, WriteTraits};
use crate::analysis::require_columns;
use crate::base::Problem;
use crate::design::Design;
use crate::design::split::SplitPoints;
use crate::formula::typed::TypedFormula;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;
use serde::Serialize;

/// Records that variants are tried on; of more, a uniform sample of them.
const SAMPLED: usize = 1 << 16;
/// Formulas whose keys are held at once.
const TOGETHER: usize = 8;

/// A variant of the design.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DesignVariant {
    /// The setting of the parameter; `None` for the design as it is.
    pub setting: Option<ParameterSetting>,
    /// Its row key; of a table with several kinds of records that of the varied kind, or those of all in one text.
    pub rowkey: String,
    /// Its splits, as in a document.
    pub splits: serde_json::Value,
    /// Why it makes no table.
    pub problem: Option<SaidProblem>,
}

/// Variants of a design and what they are worth. The first is the design as it is.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sweep {
    /// The parameter that is varied.
    pub parameter: VariedParameter,
    /// Records.
    pub rows: u64,
    /// Those of them that were looked at: all, or a uniform sample.
    pub sampled: u64,
    /// True of a sample.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// By what part of 1 any share may be off at most, 19 times of 20; 0 when all records were looked at.
    pub share_error: f64,
    /// The variants.
    pub variants: Vec<DesignVariant>,
    /// Measures, one value a variant; of a sample those that a sample tells.
    pub lines: Vec<MeasureLine>,
    /// Those of each query: ranges and regions it takes.
    pub queries: Vec<QueryLines>,
}

/// Varies a parameter of a design: `asked` is JSON text, as `read` takes it.
///
/// # Errors
/// Errors of `read`; records that lack a field.
pub fn sweep(records: &Records, candidate: Candidate<'_>, asked: &str) -> Result<Sweep, Problem> {
    let (study, design) = (candidate.study, candidate.design()?);
    require_columns(records, &study.fields, &design.typed, study.arrival.as_deref())?;
    let SweepRequest { parameter, settings, listed } = read(asked, design)?;
    let mut designs: Vec<(Option<ParameterSetting>, Result<Design, Problem>)> =
        vec![(None, Ok(design.clone()))];
    for setting in settings {
        let made = variant(study, design, &parameter, &setting);
        if listed || made.is_ok() {
            designs.push((Some(setting), made));
        }
    }
    let sampled = (records.rows > SAMPLED).then(|| records.sampled(SAMPLED));
    let looked_at = sampled.as_ref().unwrap_or(records);
    let of = SampleSize::of(looked_at);
    let found = VariantTrial { looked_at, candidate, sampled: of }.all(&designs);
    let mut variants = Vec::with_capacity(designs.len());
    let (mut measured, mut points) = (Vec::new(), Vec::new());
    for ((setting, made), found) in designs.iter().zip(found) {
        let (found, problem) = match found {
            Ok(found) => (Some(found), None),
            Err(problem) => (None, Some(problem)),
        };
        let shown = made.as_ref().unwrap_or(design);
        variants.push(DesignVariant {
            setting: setting.clone(),
            rowkey: shown.key_of(parameter.kind.as_deref()),
            splits: shown.splits.to_json(),
            problem: problem.map(SaidProblem::from),
        });
        let (one, its_points) = found.unzip();
        measured.push(one);
        points.push(its_points);
    }
    let ask = |query| {
        let answer = |((_, made), points): (&(_, Result<Design, Problem>), &Option<SplitPoints>)| {
            answer_by(query, study, made.as_ref().ok()?, points.as_ref()?, None)
        };
        let answers: Vec<_> = designs.iter().zip(&points).map(answer).collect();
        QueryLines { name: query.name.clone(), lines: lines(QUERY_MEASURES, &answers, of) }
    };
    Ok(Sweep {
        parameter,
        rows: records.all_rows(),
        sampled: looked_at.rows as u64,
        estimated: (looked_at.rows as u64) < records.all_rows(),
        share_error: of.map_or(0.0, SampleSize::share_error),
        variants,
        lines: lines(MEASURES, &measured, of),
        queries: study.queries.iter().map(ask).collect(),
    })
}

/// The records that variants are tried on.
struct VariantTrial<'a> {
    looked_at: &'a Records,
    candidate: Candidate<'a>,
    /// The whole that they are a sample of.
    sampled: Option<SampleSize>,
}

type TriedVariant = Result<(MeasuredDesign, SplitPoints), Problem>;

impl VariantTrial<'_> {
    /// The figures of each design; those of one formula share its keys.
    fn all(&self, designs: &[(Option<ParameterSetting>, Result<Design, Problem>)]) -> Vec<TriedVariant> {
        let mut formulas: Vec<(&TypedFormula, Vec<usize>)> = Vec::new();
        let mut texts: Vec<(String, Vec<&String>)> = Vec::new();
        let mut all: Vec<TriedVariant> = Vec::with_capacity(designs.len());
        for (index, (_, design)) in designs.iter().enumerate() {
            all.push(Err(design.as_ref().err().cloned().unwrap_or_else(|| Problem::new("design.invalid"))));
            let Ok(design) = design else { continue };
            let text = (design.rowkeys(), design.lets.values().collect());
            let known = texts.iter().position(|known| *known == text);
            match known.and_then(|known| formulas.get_mut(known)) {
                Some((_, users)) => users.push(index),
                None => {
                    texts.push(text);
                    formulas.push((&design.typed, vec![index]));
                }
            }
        }
        let names = self.candidate.names();
        for together in formulas.chunks(TOGETHER) {
            let typed: Vec<&TypedFormula> = together.iter().map(|(typed, _)| *typed).collect();
            let keys = Encoder::new(self.looked_at, &names, &typed).encode();
            for (keys, (typed, users)) in keys.into_iter().zip(together) {
                let table = KeyTable::new(keys, 0);
                let mut prepared = PreparedReport::new(&table, self.looked_at);
                let study = &self.candidate.study;
                prepared.set_time(&table, self.looked_at, study.arrival.as_deref(), None, None);
                let writes =
                    WriteTraits::of_key(typed, &study.fields, study.arrival.as_deref(), self.looked_at);
                for &user in users {
                    if let (Some((_, Ok(design))), Some(slot)) = (designs.get(user), all.get_mut(user)) {
                        let writes = writes.under(study, design);
                        prepared.set_writes(writes);
                        let (formula, held) = ((*typed, study.fields.as_slice()), (self.looked_at, &table));
                        prepared.set_faults(KeyFaults::of(formula, held, study.arrival.as_deref(), writes));
                        *slot = self.one(design, &table, &prepared);
                    }
                }
            }
        }
        all
    }

    fn one(&self, design: &Design, table: &KeyTable, prepared: &PreparedReport) -> TriedVariant {
        let points = design.splits.points_for(table)?;
        let report = prepared.report(table, &points);
        Ok((MeasuredDesign::new(design, design.servers, report, None, self.sampled), points))
    }
}
