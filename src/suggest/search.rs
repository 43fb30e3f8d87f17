//! The search: many keys on few records, fewer on more, tables put together, and what is left on all records.

use super::bucketed::Bucketed;
use super::cost::QueryCost;
use super::front::{Objectives, front, layers};
use super::key::KeyPlan;
use super::measure::{Candidate, Measured, RoundInputs, SplitChoice, rate};
use super::progress::{SearchPhase, Step, Steps};
use super::score::Scoring;
use super::scores::{DesignScores, FrontDesign};
use super::shape::RowShape;
use crate::base::Problem;
use crate::base::map::Set;
use crate::design::{Document, Query, typed_of};
use crate::formula::typed::TypedFormula;

/// Formulas that are encoded together, and keys that they make at most.
const TOGETHER: usize = 24;
const KEYS_TOGETHER: usize = 1 << 17;
/// Formulas that are compiled in one step.
const COMPILED_TOGETHER: usize = 64;

/// A candidate with its scores.
#[derive(Clone)]
pub(super) struct Scored {
    /// The key.
    pub candidate: Candidate,
    /// Its measured figures.
    pub measured: Measured,
    /// As a design of this table alone.
    pub scores: DesignScores,
    /// The same as three numbers.
    pub objectives: Objectives,
}

impl Scored {
    /// The shape of its records, where they are not rows of their own.
    pub fn shape(&self) -> Option<RowShape> {
        self.candidate.shape().map(|of| of.shape)
    }
}

/// One table or several, by index among the scored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableSet {
    /// The tables.
    pub tables: Vec<usize>,
    /// Their scores together.
    pub scores: DesignScores,
    /// The same as three numbers.
    pub objectives: Objectives,
}

/// Compiles keys: each formula once, those that are no formula left out.
pub(super) async fn candidates(
    keys: Vec<KeyPlan>,
    study: &Document,
    formula: impl Fn(&KeyPlan) -> String,
    (split_choices, late): (impl Fn(&KeyPlan) -> Vec<SplitChoice>, impl Fn(&KeyPlan) -> usize),
    step: &Step,
) -> Vec<Candidate> {
    let mut seen = Set::new();
    let mut all = Vec::new();
    let Some(design) = study.tables.first() else { return all };
    for (index, key) in keys.into_iter().enumerate() {
        if index % COMPILED_TOGETHER == 0 {
            step.rest().await;
        }
        let rowkey = formula(&key);
        if !seen.insert(rowkey.clone()) {
            continue;
        }
        if let Some(typed) = typed_of(study, design, &rowkey) {
            all.push(Candidate { split_choices: split_choices(&key), key, rowkey, typed, table: None });
        }
    }
    // The simpler of two equals is found first.
    crate::bytes::sort::sort_by_key(&mut all, |of| {
        (of.key.complexity(), late(&of.key), of.rowkey.len(), of.rowkey.clone())
    });
    all
}

/// Measures candidates.
///
/// # Errors
/// `suggest.cancelled`; records that lack a field.
pub(super) async fn measure(
    inputs: &RoundInputs<'_>,
    scoring: &Scoring<'_>,
    all: Vec<Candidate>,
    phase: SearchPhase,
    steps: &mut Steps,
) -> Result<Vec<Scored>, Problem> {
    let count = all.len();
    let mut scored = Vec::with_capacity(count);
    let together = (KEYS_TOGETHER / inputs.records.rows.max(1)).clamp(1, TOGETHER);
    let mut bucketed = Bucketed::new(inputs);
    let mut left = all.into_iter().peekable();
    while left.peek().is_some() {
        let batch: Vec<Candidate> = left.by_ref().take(together).collect();
        let whole = batch.iter().filter(|of| !bucketed.is_of(of));
        let formulas: Vec<&TypedFormula> = whole.map(|of| &of.typed).collect();
        let mut keys = inputs.encode(&formulas)?.into_iter();
        for candidate in batch {
            steps.of(phase.clone(), scored.len(), count).await;
            let step = steps.step(phase.clone(), scored.len() as f64 / count as f64);
            let measured = if bucketed.is_of(&candidate) {
                bucketed.measured(&candidate)?
            } else {
                let Some(keys) = keys.next() else { continue };
                let measured = inputs.measure(scoring, &candidate, keys, &step).await;
                bucketed.keep(&candidate, measured.as_ref());
                measured
            };
            scored.extend(measured.map(|measured| {
                let scores = scoring.of(&[&measured]);
                let objectives = scoring.objectives(&scores);
                Scored { candidate, measured, scores, objectives }
            }));
        }
    }
    Ok(scored)
}

/// The most promising: front after front, for each query those that answer it for least, and the best pairs of tables.
pub(super) async fn promising(
    scoring: &Scoring<'_>,
    scored: Vec<Scored>,
    (most, tables): (usize, usize),
    step: &Step,
) -> Result<Vec<Scored>, Problem> {
    let objectives: Vec<Objectives> = scored.iter().map(|of| of.objectives).collect();
    let mut kept = layers(&objectives, if tables > 1 { most * 2 / 3 } else { most });
    if tables > 1 {
        kept.extend(of_pairs(scoring, &scored, most / 3, step).await?);
    }
    let queries = scored.first().map_or(0, |of| of.measured.queries.len());
    let each = (most / 4 / queries.max(1)).clamp(1, 4);
    for query in 0..queries {
        let cost = |at: &usize| {
            let of = scored.get(*at);
            of.and_then(|of| of.measured.queries.get(query)).map_or(f64::INFINITY, |cost| cost.load())
        };
        let hot = |at: &usize| scored.get(*at).map_or(f64::INFINITY, |of| of.objectives[0]);
        let mut places: Vec<usize> = (0..scored.len()).collect();
        crate::bytes::sort::sort_by(&mut places, |a, b| (cost(a) * hot(a)).total_cmp(&(cost(b) * hot(b))));
        kept.extend(places.into_iter().take(each));
    }
    kept.sort_unstable();
    kept.dedup();
    let mut at = 0;
    let mut scored = scored;
    scored.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
    Ok(scored)
}

/// Weights of writes, reads and bytes by which pairs of tables are looked for.
const PAIRS: [[i32; 3]; 3] = [[0, 1, 0], [1, 1, 1], [1, 2, 0]];

/// At most `most` tables of those pairs that together do best.
async fn of_pairs(
    scoring: &Scoring<'_>,
    scored: &[Scored],
    most: usize,
    step: &Step,
) -> Result<Vec<usize>, Problem> {
    let reads = |of: &Scored| -> Vec<f64> {
        let queries = scoring.study.queries.iter().zip(&of.measured.queries);
        queries.map(|(query, cost)| rate(query) * cost.load()).collect()
    };
    let reads: Vec<Vec<f64>> = scored.iter().map(reads).collect();
    // For each weighting and table the best partner.
    let mut best = PAIRS.map(|_| vec![(f64::INFINITY, 0usize); scored.len()]);
    for (one, (of, own)) in scored.iter().zip(&reads).enumerate() {
        step.rest().await;
        for (other, (with, others)) in scored.iter().zip(&reads).enumerate().skip(one + 1) {
            let together: f64 = own.iter().zip(others).map(|(a, b)| a.min(*b)).sum();
            let sums =
                [of.objectives[0] + with.objectives[0], together, of.objectives[2] + with.objectives[2]];
            for (powers, best) in PAIRS.iter().zip(&mut best) {
                let product = sums.iter().zip(powers).map(|(sum, &power)| sum.powi(power)).product();
                if let Some(held) = best.get_mut(one).filter(|held| product < held.0) {
                    *held = (product, other);
                }
            }
        }
    }
    let mut tables: Vec<usize> = Vec::new();
    for of_weights in best {
        let mut pairs: Vec<(f64, usize, usize)> =
            of_weights.into_iter().enumerate().map(|(one, (product, other))| (product, one, other)).collect();
        pairs.retain(|(product, ..)| product.is_finite());
        crate::bytes::sort::sort_by(&mut pairs, |a, b| a.0.total_cmp(&b.0));
        let mut added = Set::new();
        for (_, one, other) in pairs {
            if added.len() + 2 > most / PAIRS.len() {
                break;
            }
            added.extend([one, other]);
        }
        tables.extend(added.iter().copied());
    }
    Ok(tables)
}

/// Keys that no other beats in everything, of those that leave the fewest queries to be sorted.
pub(super) fn on_the_front<'s>(scored: &'s [Scored], queries: &[Query]) -> Vec<&'s Scored> {
    let sorted = |of: &Scored| most(queries, &[&of.measured], |cost| cost.sorted);
    let fewest = scored.iter().map(sorted).min();
    let scored: Vec<&Scored> = scored.iter().filter(|of| Some(sorted(of)) == fewest).collect();
    let objectives: Vec<Objectives> = scored.iter().map(|of| of.objectives).collect();
    front(&objectives).into_iter().filter_map(|at| scored.get(at).copied()).collect()
}

/// Designs of one table that no other beats.
pub(super) fn shortlist(scored: &[Scored], queries: &[Query]) -> Vec<FrontDesign> {
    let design = |of: &Scored| FrontDesign {
        rowkeys: vec![of.candidate.rowkey.clone()],
        shape: None,
        scores: of.scores.clone(),
        suggestion: None,
    };
    on_the_front(scored, queries).into_iter().map(design).collect()
}

/// All sets of up to `most` tables, of which only those on the front are kept.
pub(super) async fn table_sets(
    scoring: &Scoring<'_>,
    scored: &[Scored],
    most: usize,
    step: &Step,
) -> Result<Vec<TableSet>, Problem> {
    let set = |tables: &[usize]| {
        let of: Vec<&Measured> = tables.iter().filter_map(|&at| Some(&scored.get(at)?.measured)).collect();
        let scores = scoring.of(&of);
        let objectives = scoring.objectives(&scores);
        TableSet { tables: tables.to_vec(), scores, objectives }
    };
    let answers_something = |tables: &[usize]| {
        let of: Vec<&Measured> = tables.iter().filter_map(|&at| Some(&scored.get(at)?.measured)).collect();
        let queries = scoring.study.queries.len();
        (0..of.len()).all(|table| (0..queries).any(|query| Scoring::cheapest(&of, query).0 == table))
    };
    let mut sets: Vec<TableSet> = (0..scored.len()).map(|at| set(&[at])).collect();
    // Two equals of a set differ in nothing: what stands in several tables is looked for among the best.
    let mut begun: Vec<Vec<usize>> = (0..scored.len()).map(|at| vec![at]).collect();
    for _ in 1..most.min(scoring.study.queries.len()) {
        let mut longer = Vec::new();
        for tables in &begun {
            step.rest().await;
            let next = tables.last().map_or(0, |last| last + 1);
            let with = |at: usize| tables.iter().copied().chain([at]).collect::<Vec<usize>>();
            let more = (next..scored.len()).map(with).filter(|tables| answers_something(tables));
            let from = longer.len();
            longer.extend(more);
            sets.extend(longer.get(from..).unwrap_or_default().iter().map(|tables| set(tables)));
        }
        begun = longer;
        sets = on_front(affordable(sets, &scoring.study.queries, scored));
    }
    Ok(on_front(affordable(sets, &scoring.study.queries, scored)))
}

/// How many times as much as the cheapest a design may cost to read.
pub(super) const DEAR: f64 = 20.0;

/// How many of the queries that are asked have a share above one half.
pub(super) fn most(queries: &[Query], tables: &[&Measured], share: fn(&QueryCost) -> f64) -> usize {
    let asked = queries.iter().enumerate().filter(|(_, query)| rate(query) > 0.0);
    let is_most = |query| Scoring::cheapest(tables, query).1.is_some_and(|cost| share(cost) > 0.5);
    asked.filter(|(query, _)| is_most(*query)).count()
}

/// Without those that read the whole table for every query, those whose reads cost far more than the cheapest, and those that leave more
/// queries to be sorted than others of as many tables, unless all do.
fn affordable(mut sets: Vec<TableSet>, queries: &[Query], scored: &[Scored]) -> Vec<TableSet> {
    let most = |set: &TableSet, share: fn(&QueryCost) -> f64| {
        let of: Vec<&Measured> =
            set.tables.iter().filter_map(|&at| Some(&scored.get(at)?.measured)).collect();
        most(queries, &of, share)
    };
    let all = queries.iter().filter(|query| rate(query) > 0.0).count();
    let reads_all = |set: &TableSet| all > 0 && most(set, |cost| cost.full) == all;
    let least = sets.iter().map(|set| set.scores.reads).fold(f64::INFINITY, f64::min);
    if !sets.iter().all(reads_all) {
        sets.retain(|set| set.scores.reads <= DEAR * least && !reads_all(set));
    }
    let sorted: Vec<(usize, usize)> =
        sets.iter().map(|set| (set.tables.len(), most(set, |cost| cost.sorted))).collect();
    let fewest = |tables: usize| sorted.iter().filter(|of| of.0 == tables).map(|of| of.1).min();
    let fewest: Vec<Option<usize>> =
        (0..=sets.iter().map(|set| set.tables.len()).max().unwrap_or(0)).map(fewest).collect();
    let mut of = sorted.iter();
    sets.retain(|_| of.next().is_none_or(|of| fewest.get(of.0).copied().flatten() == Some(of.1)));
    sets
}

fn on_front(sets: Vec<TableSet>) -> Vec<TableSet> {
    let objectives: Vec<Objectives> = sets.iter().map(|set| set.objectives).collect();
    let kept = front(&objectives);
    let mut at = 0;
    let mut sets = sets;
    sets.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
    sets
}
