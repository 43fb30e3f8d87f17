//! Row keys for records and queries: keys are made of the fields that queries ask for, measured by the encoder, the planner and
//! the key table, and those that no other beats in everything are told, a few of them as whole designs.
//!
//! `docs/suggest.md` has the cost model and the rounds of the search.

mod aging;
mod answer;
mod baseline;
mod bucketed;
mod builder;
mod cells;
mod cost;
mod declared;
mod distinct;
mod draws;
mod evidence;
mod front;
mod identity;
mod intervals;
mod key;
mod kinds;
mod measure;
mod note;
mod notes;
mod orders;
mod phoenix;
mod price;
mod profile;
mod progress;
mod questions;
mod reasons;
mod roles;
mod score;
mod scores;
mod search;
mod sensitive;
mod shape;
mod shapes;
mod shared;
mod table_of_kinds;
mod task;
mod texts;
mod words;

pub use crate::scan::CostModel;
pub use answer::*;
pub use note::SuggestNote;
pub use profile::{FieldProfile, NumberRange};
pub use progress::{SearchPhase, SearchProgress};
pub use questions::{Asks, ProposedQuery, proposed_queries};
pub use scores::{DesignScores, FrontDesign};
pub use shape::RowShape;
pub use table_of_kinds::KindRowKey;
pub use task::SuggestSearch;
pub use words::query_of_words;

use crate::base::Problem;
use crate::base::map::Set;
use crate::base::units::DAY_SECONDS;
use crate::design::{ASSUMED_SERVERS, Design, Document, GrowthAmount, Query, RecordCell, SuggestRequest};
use crate::formula::typed::{TypedColumn, TypedFormula};
use crate::records::Records;
use crate::records::field::shape::Order;
use crate::scan::is_of_phoenix;
use builder::SuggestionBuilder;
use declared::Declared;
use identity::{LIFE, TableLife};
use key::{KeyPart, KeyPlan};
use measure::{Candidate, RoundInputs, RoundOptions, SplitChoice};
use orders::{AskedFields, CandidateParts, asked, orders};
use profile::{KnownIdentity, Profile};
use progress::{Step, Steps, at_once};
use reasons::Reasoning;
use score::Scoring;
use search::{Scored, candidates, measure, most, on_the_front, promising, shortlist, table_sets};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Most regions of a table unless more are asked for.
const MOST_REGIONS: u32 = 64;
/// Records of the first round, and of the second.
const ROWS: [usize; 2] = [1 << 12, 20_000];
/// Records so few that every cut is tried in the first round.
const FEW_ROWS: usize = 1 << 10;
/// Most keys of the first round.
const MOST_KEYS: usize = 1200;
/// Keys that sets of tables are made of.
const KEPT: usize = 120;
/// Plans of the second round: more keys go on to it where queries are few.
const PLANS: usize = 6000;
/// Values drawn for each query in the first round, at least in the second, and for suggestions.
const DRAWS: [usize; 3] = [6, 4, 16];
/// Records that suggestions are scored on.
pub(crate) const MOST_ROWS: usize = 200_000;

/// Finds row keys for a document and records.
///
/// # Errors
/// `suggest.cancelled`; records that lack a field.
pub fn suggest(
    asked: &SuggestRequest,
    records: &Rc<Records>,
    options: &SuggestOptions,
    progress: SearchProgress<'_>,
) -> Result<Suggestions, Problem> {
    let mut search = SuggestSearch::new(asked.clone(), records.clone(), options.clone());
    loop {
        if let Some(found) = search.poll() {
            return found;
        }
        let (phase, done) = search.progress();
        if !progress(&phase, done) {
            return Err(Problem::new("suggest.cancelled"));
        }
    }
}

/// The same, at rest between two turns.
async fn found(
    asked: &SuggestRequest,
    records: &Rc<Records>,
    options: &SuggestOptions,
    steps: &mut Steps,
) -> Result<Suggestions, Problem> {
    let declared = Declared::new(asked, records).of_rows(MOST_ROWS);
    let mut search = Search::new(&declared, options, steps).await?;
    if records.rows == 0 {
        return Ok(search.nothing("suggest.no-rows"));
    }
    if search.study.tables.first().is_some_and(|design| !design.kinds.is_empty()) {
        return search.run_of_kinds(steps).await;
    }
    let keys = search.keys(steps).await?;
    if keys.is_empty() {
        return Ok(search.nothing("suggest.no-fields"));
    }
    search.run(keys, steps).await
}

/// A row key as it was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyScores {
    /// Its scores.
    pub scores: DesignScores,
    /// Queries for which it reads the whole table.
    pub full: usize,
    /// Queries whose rows must be sorted.
    pub sorted: usize,
    /// Fields that it would have to hold so that no two records of the table are alike, and each query finds what it tests.
    pub lacking: usize,
}

/// The scores of row keys on all records, as those of suggestions are made: each under the cut with the coolest writes. `None`
/// for one that is no formula of the document.
///
/// # Errors
/// Records that lack a field.
pub fn score_keys(
    asked: &SuggestRequest,
    records: &Rc<Records>,
    options: &SuggestOptions,
    rowkeys: &[String],
) -> Result<Vec<Option<KeyScores>>, Problem> {
    at_once(async |steps| scored_keys(asked, records, options, rowkeys, steps).await)
}

async fn scored_keys(
    asked: &SuggestRequest,
    records: &Rc<Records>,
    options: &SuggestOptions,
    rowkeys: &[String],
    steps: &mut Steps,
) -> Result<Vec<Option<KeyScores>>, Problem> {
    let declared = Declared::as_given(asked, records).of_rows(MOST_ROWS);
    let search = Search::new(&declared, options, steps).await?;
    let inputs = search.inputs(MOST_ROWS, (DRAWS[2], SearchPhase::Final), steps).await?;
    let scoring = search.scoring();
    let mut scores = Vec::with_capacity(rowkeys.len());
    for rowkey in rowkeys {
        let part = KeyPart::Given { text: rowkey.clone(), holds: Vec::new() };
        let step = steps.step(SearchPhase::Final, 0.0);
        let mut candidates = search.compiled(vec![KeyPlan { parts: vec![part] }], 1, &step).await;
        for of in &mut candidates {
            let buckets = of.typed.parts.first().filter(|part| part.text.ends_with(".uint8()"));
            let count =
                buckets.and_then(|part| part.shape.distinct).and_then(|count| u32::try_from(count).ok());
            let count = count.filter(|&count| count <= search.most_regions() && !scoring.is_calm());
            of.split_choices.splice(0..0, count.map(SplitChoice::Buckets));
        }
        let parts = candidates.iter().flat_map(|of| &of.typed.parts);
        let holding = parts.filter(|part| part.shape.one_to_one || part.shape.order != Order::None);
        let held: Vec<usize> = holding.flat_map(|part| part.fields.iter().copied()).collect();
        let measured = measure(&inputs, &scoring, candidates, SearchPhase::Final, steps).await?.pop();
        let queries = &search.study.queries;
        scores.push(measured.map(|of| KeyScores {
            full: most(queries, &[&of.measured], |cost| cost.full),
            sorted: most(queries, &[&of.measured], |cost| cost.sorted),
            lacking: search.profile.tail(&held, &search.tested).len(),
            scores: of.scores,
        }));
    }
    Ok(scores)
}

/// Results of the rounds.
struct Rounds<'a> {
    /// The records of the last one.
    inputs: RoundInputs<'a>,
    /// All keys that were measured in it.
    measured: Vec<Scored>,
    /// The most promising of them.
    scored: Vec<Scored>,
}

/// Inputs and state of a search.
struct Search<'a> {
    declared: &'a Declared,
    given: &'a SuggestRequest,
    study: &'a Document,
    all: &'a Rc<Records>,
    options: &'a SuggestOptions,
    profile: Profile,
    asked: Vec<AskedFields>,
    /// Fields that queries test and no cell holds.
    tested: Vec<usize>,
    servers: u32,
    rounds: Vec<SearchRound>,
}

impl<'a> Search<'a> {
    async fn new(
        declared: &'a Declared,
        options: &'a SuggestOptions,
        steps: &mut Steps,
    ) -> Result<Self, Problem> {
        let (given, all, study) = (&declared.asked, &declared.records, &declared.asked.document);
        let is_named = |index: &usize| {
            let named = study.fields.get(*index).map(|field| field.name.as_str()).unwrap_or_default();
            let tests = |query: &Query| {
                let orders = query.order.as_ref().is_some_and(|order| order.field == named);
                orders || query.conditions.contains_key(named)
            };
            study.queries.iter().any(tests)
        };
        let named: Vec<usize> = (0..study.fields.len()).filter(is_named).collect();
        // Where records replace each other, the key given says what a row is.
        let keyed = study.tables.first().filter(|design| given.keyed && !design.writes.is_append());
        let index = |name: &String| study.fields.iter().position(|field| field.name == *name);
        let stated = || study.identity.iter().map(index).collect::<Option<Vec<usize>>>();
        let stated = (!study.identity.is_empty()).then(stated).flatten();
        let own = keyed.map(|design| own_fields(&design.typed)).or(stated);
        let in_cells = study.tables.first().map(|design| cell_fields(design, study)).unwrap_or_default();
        let is_open = |field: &usize| keyed.is_none() && !in_cells.contains(field);
        let tested: Vec<usize> = named.iter().copied().filter(is_open).collect();
        let known = KnownIdentity {
            named: &named,
            tested: &tested,
            own: own.as_deref(),
            rewritten: study.tables.first().is_some_and(|design| !design.writes.is_append()),
            life: life(study, all.all_rows() as f64),
        };
        let mut profile = Profile::new(all, &study.fields, study.arrival.as_deref(), known, steps).await?;
        let tested = tested.into_iter().filter(|&field| profile.is_whole(field)).collect();
        let asked: Vec<AskedFields> =
            study.queries.iter().map(|query| asked(query, &study.fields, &profile)).collect();
        profile.shorten(&declared.digits, &declared.lookups);
        profile.keep_order(asked.iter().flat_map(|of| of.ranged.iter().copied()));
        let servers =
            study.tables.first().and_then(|design| design.servers).unwrap_or(ASSUMED_SERVERS).max(1);
        let rounds = Vec::new();
        Ok(Self { declared, given, study, all, options, profile, asked, tested, servers, rounds })
    }

    fn scoring(&self) -> Scoring<'a> {
        Scoring { study: self.study, servers: self.servers as usize }
    }

    fn most_regions(&self) -> u32 {
        self.options.regions.unwrap_or(MOST_REGIONS.min(4 * self.servers)).max(1)
    }

    /// Keys to begin with.
    async fn keys(&mut self, steps: &mut Steps) -> Result<Vec<KeyPlan>, Problem> {
        if let Some(design) = self.phoenix_table() {
            return Ok(self.kept(self.phoenix_keys(design)));
        }
        let orders = orders(&self.asked, &self.profile);
        let parts = CandidateParts {
            fields: &self.study.fields,
            asked: &self.asked,
            servers: self.servers,
            random: self.options.allow_random_salt,
            calm: self.scoring().is_calm(),
        };
        let mut keys = Vec::new();
        for (done, order) in orders.iter().enumerate() {
            let step = steps.step(SearchPhase::Orders, done as f64 / orders.len() as f64);
            step.rest().await;
            let tail = self.profile.tail(order, &self.tested);
            parts.keys(order, tail, &self.profile, &mut keys);
        }
        if self.given.keyed {
            keys.extend(self.neighbours());
        }
        Ok(self.kept(keys))
    }

    /// The field of this name.
    fn field(&self, name: &str) -> Option<usize> {
        self.study.fields.iter().position(|field| field.name == name)
    }

    /// True if a key holds the fields that are to be kept.
    fn keeps(&self, key: &KeyPlan) -> bool {
        let held = key.fields();
        self.options.keep.iter().filter_map(|name| self.field(name)).all(|field| held.contains(&field))
    }

    /// Keys that hold what is to be kept.
    fn kept(&self, keys: Vec<KeyPlan>) -> Vec<KeyPlan> {
        let kept: Vec<KeyPlan> = keys.into_iter().filter(|key| self.keeps(key)).collect();
        let prefix = self.options.keep.iter().find(|name| self.field(name).is_none());
        let Some(prefix) = prefix else { return kept };
        let begun = KeyPart::Given { text: prefix.clone(), holds: Vec::new() };
        kept.into_iter().map(|key| key.behind(begun.clone())).collect()
    }

    /// How the table of a key may be cut.
    fn split_choices(&self, key: &KeyPlan, round: usize) -> Vec<SplitChoice> {
        let most = self.most_regions();
        if self.scoring().is_calm() || self.servers == 1 && most == 1 {
            return vec![SplitChoice::Shares(1)];
        }
        let mut split_choices = Vec::new();
        if let Some(count) = key.buckets().filter(|&count| count <= most) {
            split_choices.push(SplitChoice::Buckets(count));
        }
        let shares =
            [1, self.servers, 2 * self.servers, most].map(|count| SplitChoice::Shares(count.min(most)));
        match (round, split_choices.is_empty()) {
            (0, true) => split_choices.push(SplitChoice::Shares((2 * self.servers).min(most))),
            (0, false) => {}
            _ => split_choices.extend(shares),
        }
        split_choices
    }

    async fn compiled(&self, keys: Vec<KeyPlan>, round: usize, step: &Step) -> Vec<Candidate> {
        let formula = |key: &KeyPlan| key.formula(&self.study.fields, &self.profile);
        let split_choices = |key: &KeyPlan| self.split_choices(key, round);
        let late = |key: &KeyPlan| key.late_constants(&self.profile);
        let mut all = candidates(keys, self.study, formula, (split_choices, late), step).await;
        if self.phoenix_table().is_some() {
            all.retain(|of| is_of_phoenix(&of.typed));
        }
        all
    }

    /// Some of the records, all of them where they are no more than `rows`.
    async fn inputs(
        &self,
        rows: usize,
        (draws, phase): (usize, SearchPhase),
        steps: &mut Steps,
    ) -> Result<RoundInputs<'a>, Problem> {
        let rows = self.all.sampled_rows((0..self.all.rows as u32).collect(), rows);
        let records =
            if rows.len() < self.all.rows { Rc::new(self.all.chosen(&rows)) } else { self.all.clone() };
        let options = RoundOptions {
            draws,
            seed: self.options.seed,
            servers: self.servers as usize,
            model: self.options.cost,
            planned: !matches!(phase, SearchPhase::Sample),
        };
        steps.at(phase.clone(), 0.0).await;
        let step = steps.step(phase, 0.0);
        RoundInputs::new(self.study, self.all, (records, &rows), &self.profile, (options, &step)).await
    }

    /// The rounds, in which keys are measured.
    async fn rounds(&mut self, keys: Vec<KeyPlan>, steps: &mut Steps) -> Result<Rounds<'a>, Problem> {
        let scoring = self.scoring();
        let queries = self.study.queries.len().max(1);
        let inputs = self.inputs(ROWS[0], (DRAWS[0], SearchPhase::Sample), steps).await?;
        let step = steps.step(SearchPhase::Sample, 0.0);
        let mut found = self.compiled(keys, usize::from(self.all.rows <= FEW_ROWS), &step).await;
        thin(&mut found, MOST_KEYS);
        let kept = (PLANS / queries / DRAWS[2]).clamp(KEPT, 2 * KEPT);
        let scored = self.round(&scoring, &inputs, found, (SearchPhase::Sample, kept), steps).await?;
        let draws = if self.all.rows <= ROWS[1] { DRAWS[2] } else { PLANS / queries / scored.len().max(1) };
        let draws = draws.clamp(DRAWS[1], DRAWS[2]);
        let inputs = self.inputs(ROWS[1], (draws, SearchPhase::Measure), steps).await?;
        let keys = scored.into_iter().map(|of| of.candidate.key).collect();
        let found = self.compiled(keys, 1, &steps.step(SearchPhase::Measure, 0.0)).await;
        let mut scored =
            self.round(&scoring, &inputs, found, (SearchPhase::Measure, MOST_KEYS), steps).await?;
        let near = self.near(&scored, &steps.step(SearchPhase::Near, 0.0)).await;
        scored.extend(self.round(&scoring, &inputs, near, (SearchPhase::Near, MOST_KEYS), steps).await?);
        let measured = scored.clone();
        let tables = self.options.tables.min(queries);
        let step = steps.step(SearchPhase::Tables, 0.0);
        let scored = promising(&scoring, scored, (KEPT, tables), &step).await?;
        Ok(Rounds { inputs, measured, scored })
    }

    /// The rounds, then sets of tables, then the suggestions.
    async fn run(mut self, keys: Vec<KeyPlan>, steps: &mut Steps) -> Result<Suggestions, Problem> {
        let scoring = self.scoring();
        let Rounds { inputs, measured, scored } = self.rounds(keys, steps).await?;
        if scored.is_empty() {
            return Ok(self.nothing("suggest.no-fields"));
        }
        let step = steps.step(SearchPhase::Tables, 0.0);
        let sets = table_sets(&scoring, &scored, self.options.tables, &step).await?;
        let shaped = self.shaped(&inputs, &scoring, (&sets, &scored), steps).await?;
        let plain = scored.len();
        let scored = [scored, shaped].concat();
        SuggestionBuilder {
            search: &self,
            scoring,
            inputs: &inputs,
            measured: &measured,
            scored,
            plain,
            sets,
        }
        .build(steps)
        .await
    }

    /// Keys next to those on the front that were not measured yet: of the same fields, with one choice taken back.
    async fn near(&self, scored: &[Scored], step: &Step) -> Vec<Candidate> {
        let known: Set<&str> = scored.iter().map(|of| of.candidate.rowkey.as_str()).collect();
        let reasoning =
            Reasoning { study: self.study, profile: &self.profile, asked: &self.asked, answers: Vec::new() };
        let sorted = |key: &KeyPlan| {
            let mut fields = key.fields();
            fields.sort_unstable();
            fields
        };
        let mut near = Vec::new();
        for of in on_the_front(scored, &self.study.queries) {
            let fields = sorted(&of.candidate.key);
            let others = reasoning.taken_back(&of.candidate.key).into_iter().map(|(_, key)| key);
            near.extend(others.filter(|key| {
                let few = key.buckets().is_none_or(|count| count <= 2 * self.servers.max(1));
                sorted(key) == fields
                    && few
                    && !key.is_text()
                    && key.holds_given_of(&of.candidate.key)
                    && self.profile.identity.has_measured_last(&key.fields())
            }));
        }
        let mut found = self.compiled(near, 1, step).await;
        found.retain(|of| !known.contains(of.rowkey.as_str()));
        found
    }

    /// Measures keys and keeps the most promising of those that lose no record.
    async fn round(
        &mut self,
        scoring: &Scoring<'_>,
        inputs: &RoundInputs<'_>,
        found: Vec<Candidate>,
        (phase, kept): (SearchPhase, usize),
        steps: &mut Steps,
    ) -> Result<Vec<Scored>, Problem> {
        let candidates = found.len();
        let mut scored = measure(inputs, scoring, found, phase.clone(), steps).await?;
        let may_repeat = self.may_repeat(inputs);
        scored.retain(|of| {
            let held = of.candidate.key.fields();
            let is_whole = self.tested.iter().all(|field| held.contains(field));
            is_whole && of.measured.refused == 0 && may_repeat.contains(&of.measured.repeated)
        });
        if phase == SearchPhase::Sample {
            let first: Vec<FrontDesign> = shortlist(&scored, &self.study.queries);
            steps.at(SearchPhase::Shortlist(first.into()), 1.0).await;
        }
        let step = match phase {
            SearchPhase::Sample => steps.step(SearchPhase::Measure, 0.0),
            phase => steps.step(phase, 1.0),
        };
        let tables = self.options.tables.min(self.study.queries.len());
        let scored = promising(scoring, scored, (kept, tables), &step).await?;
        self.rounds.push(SearchRound { rows: inputs.records.rows, candidates, kept: scored.len() });
        Ok(scored)
    }

    /// How many records may share the key of another: those that agree in all identifying fields. Where records replace each other, as
    /// many as do under the key given, which says what a row is; any number without one.
    fn may_repeat(&self, inputs: &RoundInputs<'_>) -> RangeInclusive<u64> {
        match self.study.tables.first().filter(|design| !design.writes.is_append()) {
            Some(design) if self.given.keyed => {
                let own = inputs.repeated_by(&design.typed);
                own..=own
            }
            Some(_) => 0..=u64::MAX,
            None => 0..=inputs.alike,
        }
    }

    /// The answer when there is nothing to suggest, with the reason.
    fn nothing(&self, code: &'static str) -> Suggestions {
        let mut notes: Vec<SuggestNote> = vec![Problem::new(code).into()];
        notes.extend(self.notes());
        Suggestions {
            suggestions: Vec::new(),
            front: Vec::new(),
            cover: 1.0,
            baseline: None,
            profile: self.profile.fields.clone(),
            considered: Considered { rounds: self.rounds.clone(), ..Considered::default() },
            notes,
            rows: self.all.all_rows(),
            cost: self.options.cost,
        }
    }
}

/// The fields of a row key, and of the names of its cells.
fn own_fields(typed: &TypedFormula) -> Vec<usize> {
    let names = typed.columns.iter().filter_map(|column| column.qualifier.as_ref());
    let parts = typed.parts.iter().chain(names.flat_map(|name| &name.parts));
    parts.flat_map(|part| part.fields.iter().copied()).collect()
}

/// The fields of the values and names of cells, and the time of arrival, which is their timestamp.
fn cell_fields(design: &Design, study: &Document) -> Vec<usize> {
    let formulas = design.typed.columns.iter().flat_map(TypedColumn::formulas);
    let mut fields: Vec<usize> = formulas.flat_map(own_fields).collect();
    let stamps = study.fields.iter().position(|field| Some(&field.name) == study.arrival.as_ref());
    fields.extend(stamps.filter(|_| takes_timestamps(design)));
    fields
}

/// True if all cells of a table can have the time of arrival as their timestamp.
fn takes_timestamps(design: &Design) -> bool {
    let mut cells = design.families.iter().flat_map(|family| &family.cells).peekable();
    let free = |cell: &RecordCell| cell.timestamp.is_none() && !cell.value.is_packed();
    design.kinds.is_empty() && design.writes.is_append() && cells.peek().is_some() && cells.all(free)
}

/// The rows that the table will hold: as growth says, else of a year at the rate of writes, else so many times the records.
fn life(study: &Document, records: f64) -> TableLife {
    let rate = study.write_rate().map(|of| of.per_second);
    let growth = study.growth.filter(|of| of.amount == GrowthAmount::Rows);
    let grown = growth.map(|of| of.after(of.days()) as f64);
    let of_year = || rate.map(|rate| rate * 365.0 * DAY_SECONDS as f64);
    TableLife { rows: grown.or_else(of_year).unwrap_or(LIFE * records).max(records), rate }
}

/// Leaves out some of too many, evenly: simpler ones come first, so that all kinds stay.
fn thin(all: &mut Vec<Candidate>, most: usize) {
    let count = all.len();
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        count <= most || (at * most) / count != ((at - 1) * most) / count
    });
}
