//! From what the rounds left to suggestions: chosen from the front, measured on all records, explained.

use super::aging::Aging;
use super::answer::*;
use super::declared::Declared;
use super::front::{Objectives, TIE, beats, chosen, cover, layers};
use super::key::{KeyPart, KeyPlan};
use super::measure::{Candidate, Measured, MeasuredTable, RoundInputs, rate};
use super::note::SuggestNote;
use super::orders::AskedFields;
use super::progress::{SearchPhase, Step, Steps};
use super::reasons::Reasoning;
use super::score::Scoring;
use super::scores::{DesignScores, FrontDesign};
use super::search::{DEAR, Scored, TableSet, measure};
use super::shape::RowShape;
use super::{DRAWS, MOST_ROWS, Search, takes_timestamps};
use crate::base::Problem;
use crate::base::figures::{one_decimal, percent};
use crate::base::json::text;
use crate::compare::moves;
use crate::design::{Design, Document, Query, normal_form, parse};
use crate::scan::{self, PlanKind, QueryMatcher, RankedPlan, RowsRead};
use std::collections::BTreeMap;

/// Most suggestions.
const MOST: usize = 7;
/// Most points of the front that are told.
const MOST_ON_FRONT: usize = 60;
/// Most variants of the balanced design.
const VARIANTS: usize = 2;

/// Inputs of the final suggestions.
pub(super) struct SuggestionBuilder<'s, 'a> {
    /// The search.
    pub search: &'s Search<'a>,
    /// How designs are scored.
    pub scoring: Scoring<'a>,
    /// The records of the last round.
    pub inputs: &'s RoundInputs<'a>,
    /// All keys that were measured in the last round.
    pub measured: &'s [Scored],
    /// The keys that tables are made of, then tables in other shapes.
    pub scored: Vec<Scored>,
    /// How many of them have a row for each record.
    pub plain: usize,
    /// The tables on the front; those in other shapes are added once the others are chosen.
    pub sets: Vec<TableSet>,
}

/// A table of a suggestion, measured on all records.
struct FinalTable {
    scored: Scored,
    /// How it answers each query for the values that it names.
    plans: Vec<Option<SuggestedQuery>>,
    aging: Option<Aging>,
    moves: Option<MovedRows>,
}

/// The tables of all suggestions, by shape, row key and number of regions.
type FinalTables = BTreeMap<(Option<RowShape>, String, usize), FinalTable>;

/// The name of a table among all.
fn name_of(of: &Scored) -> (Option<RowShape>, String, usize) {
    (of.shape(), of.candidate.rowkey.clone(), of.measured.regions)
}

impl SuggestionBuilder<'_, '_> {
    /// The whole answer.
    pub async fn build(mut self, steps: &mut Steps) -> Result<Suggestions, Problem> {
        let objectives: Vec<Objectives> = self.sets.iter().map(|set| set.objectives).collect();
        let mut points = layers(&objectives, MOST_ON_FRONT - VARIANTS - (self.scored.len() - self.plain));
        points.sort_unstable();
        self.sets = points.iter().filter_map(|&at| self.sets.get(at).cloned()).collect();
        let objectives: Vec<Objectives> = self.sets.iter().map(|set| set.objectives).collect();
        let points: Vec<usize> = (0..objectives.len()).collect();
        let fixed = self.extremes(&objectives);
        let shaped = self.shaped_sets();
        let best = self.best_shaped(&shaped);
        let variants = self.variants(fixed.first(), steps).await?;
        let most = MOST - best.len() - variants.len();
        let mut chosen = chosen(&objectives, &points, &fixed, most);
        chosen.extend(best.iter().map(|at| self.sets.len() + at));
        self.sets.extend(shaped);
        let objectives: Vec<Objectives> = self.sets.iter().map(|set| set.objectives).collect();
        let cover = cover(&objectives, &(0..objectives.len()).collect::<Vec<usize>>(), &chosen);
        chosen.extend(self.sets.len()..self.sets.len() + variants.len());
        self.sets.extend(variants);
        let more;
        let whole = if self.inputs.records.rows == self.search.all.rows {
            self.inputs
        } else {
            more = self.search.inputs(MOST_ROWS, (DRAWS[2], SearchPhase::Final), steps).await?;
            &more
        };
        let given = self.given(whole, steps).await?;
        let sets: Vec<&TableSet> = chosen.iter().filter_map(|&point| self.sets.get(point)).collect();
        let tables = self.tables(&sets, whole, given.as_ref(), steps).await?;
        let without = self.without(&sets, steps).await?;
        let mut suggestions = Vec::new();
        for ((set, without), sensitive) in sets.iter().zip(without).zip(self.sensitive(&chosen)) {
            suggestions.push(self.suggestion(set, &tables, without, sensitive));
        }
        // Designs that do not hold on all records are no suggestions.
        let kept = self.sound(&suggestions, &chosen);
        let mut keep = kept.iter();
        suggestions.retain(|_| keep.next().is_none_or(|keep| *keep));
        let mut keep = kept.iter();
        chosen.retain(|_| keep.next().is_none_or(|keep| *keep));
        self.label(&mut suggestions, given.as_ref().map(|(given, _)| given));
        // The balanced one comes first.
        if let Some(balanced) = suggestions.iter().position(|of| of.labels.contains(&"balanced")) {
            suggestions.get_mut(..=balanced).unwrap_or_default().rotate_right(1);
            chosen.get_mut(..=balanced).unwrap_or_default().rotate_right(1);
        }
        let front = self.sets.iter().enumerate().map(|(at, set)| FrontDesign {
            rowkeys: self.rowkeys(set),
            shape: self.shape_of(set),
            scores: set.scores.clone(),
            suggestion: chosen.iter().position(|&point| point == at),
        });
        let considered = Considered {
            rounds: self.search.rounds.clone(),
            sets: self.sets.len(),
            alternatives: self
                .alternatives(chosen.first().and_then(|&point| self.sets.get(point)), steps)
                .await?,
        };
        let mut notes = self.search.notes();
        notes.extend(self.more_notes(whole, &suggestions));
        Ok(Suggestions {
            front: front.collect(),
            cover,
            baseline: given
                .map(|(given, _)| BaselineDesign { rowkey: given.candidate.rowkey, scores: given.scores }),
            suggestions,
            profile: self.search.profile.fields.clone(),
            considered,
            notes,
            rows: self.search.all.all_rows(),
            cost: self.search.options.cost,
        })
    }

    /// For each suggestion whether it is a document that can be read, costs no more than others, and is not beaten in everything.
    fn sound(&self, suggestions: &[Suggestion], chosen: &[usize]) -> Vec<bool> {
        let least = suggestions.iter().map(|of| of.scores.reads).fold(f64::INFINITY, f64::min);
        let objectives: Vec<Objectives> =
            suggestions.iter().map(|of| self.scoring.objectives(&of.scores)).collect();
        let is_plain = |at: usize| {
            let set = chosen.get(at).and_then(|&point| self.sets.get(point));
            set.is_some_and(|set| set.tables.iter().all(|&table| table < self.plain))
        };
        let sound = |(at, of): (usize, &Suggestion)| {
            let full = of.queries.iter().all(|query| query.kind == PlanKind::FullScan);
            let beaten = objectives.get(at).is_some_and(|own| {
                objectives.iter().enumerate().any(|(other, of)| is_plain(other) && beats(of, own))
            });
            (full || of.scores.reads <= DEAR * least)
                && !(is_plain(at) && beaten)
                && parse(&text(&of.design)).is_ok()
        };
        suggestions.iter().enumerate().map(sound).collect()
    }

    /// The balanced design with its texts as numbers, where that saves bytes, and with the other identity, where there is one. The first
    /// has limits that later values can be beyond, the second more or fewer bytes than a design on the front.
    async fn variants(
        &mut self,
        balanced: Option<&usize>,
        steps: &mut Steps,
    ) -> Result<Vec<TableSet>, Problem> {
        let Some(set) = balanced.and_then(|&at| self.sets.get(at)).cloned() else { return Ok(Vec::new()) };
        if self.is_of_kinds() {
            return Ok(Vec::new());
        }
        let keys = set.tables.iter().filter_map(|&at| Some(&self.scored.get(at)?.candidate.key));
        let other =
            |key: &KeyPlan| key.with_other_identity(&self.search.profile.identity, &self.search.tested);
        let [compact, other] = [
            keys.clone().map(|key| Some(key.compact())).collect::<Option<Vec<KeyPlan>>>(),
            keys.map(other).collect(),
        ];
        let mut variants = Vec::new();
        for (is_compact, keys) in [(true, compact), (false, other)] {
            let found = self.measured(keys.unwrap_or_default(), steps).await?;
            let Some(found) = found.into_iter().collect::<Option<Vec<Scored>>>() else { continue };
            let scores = self.scoring.of(&found.iter().map(|of| &of.measured).collect::<Vec<_>>());
            let is_worth = !is_compact || scores.bytes_per_row + 1.0 < set.scores.bytes_per_row;
            if !found.is_empty() && is_worth {
                let tables = (self.scored.len()..).take(found.len()).collect();
                variants.push(TableSet { tables, objectives: self.scoring.objectives(&scores), scores });
                self.scored.extend(found);
            }
        }
        Ok(variants)
    }

    /// True if each kind of records has a key of its own.
    fn is_of_kinds(&self) -> bool {
        self.search.study.tables.first().is_some_and(|design| !design.kinds.is_empty())
    }

    pub(super) fn rowkeys(&self, set: &TableSet) -> Vec<String> {
        let of = set.tables.iter().filter_map(|&at| self.scored.get(at));
        of.map(|of| of.candidate.rowkey.clone()).collect()
    }

    /// The design that the document came with, on all records.
    async fn given(
        &self,
        whole: &RoundInputs<'_>,
        steps: &mut Steps,
    ) -> Result<Option<(Scored, MeasuredTable)>, Problem> {
        let Some(candidate) = self.search.given_candidate() else { return Ok(None) };
        let step = steps.step(SearchPhase::Final, 0.0);
        step.rest().await;
        Ok(Some(self.measured_whole(candidate, whole, &step).await?))
    }

    /// A key measured on all records, with its table.
    async fn measured_whole(
        &self,
        candidate: Candidate,
        whole: &RoundInputs<'_>,
        step: &Step,
    ) -> Result<(Scored, MeasuredTable), Problem> {
        let missing = || Problem::new("suggest.no-splits");
        let keys = whole.encode(&[&candidate.typed])?.pop().ok_or_else(missing)?;
        let table = whole.table(&self.scoring, &candidate, keys, step).await.ok_or_else(missing)?;
        let measured = table.measured.clone();
        let scores = self.scoring.of(&[&measured]);
        let objectives = self.scoring.objectives(&scores);
        Ok((Scored { candidate, measured, scores, objectives }, table))
    }

    /// The tables of all suggestions on all records, each measured once.
    async fn tables(
        &self,
        sets: &[&TableSet],
        whole: &RoundInputs<'_>,
        given: Option<&(Scored, MeasuredTable)>,
        steps: &mut Steps,
    ) -> Result<FinalTables, Problem> {
        let mut wanted: Vec<usize> = sets.iter().flat_map(|set| set.tables.iter().copied()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let matched = self.matched(whole, &steps.step(SearchPhase::Final, 0.0)).await;
        let mut tables = FinalTables::new();
        for (done, of) in wanted.iter().filter_map(|&at| self.scored.get(at)).enumerate() {
            let step = steps.step(SearchPhase::Final, done as f64 / wanted.len() as f64);
            step.rest().await;
            // SplitChoice anew: bursts are short, and a sample has few of their records.
            let (scored, table) = self.measured_whole(of.candidate.clone(), whole, &step).await?;
            let plans = self.plans(&scored, &table, (whole, &matched), &step).await;
            step.rest().await;
            let moves = given.map(|(_, given)| {
                let [from, to] = [given, &table].map(|of| (&of.table, &of.points));
                let found = moves(from, to, whole.records.rows);
                MovedRows { rewritten: found.rewritten, moved: found.moved }
            });
            step.rest().await;
            let aging = whole.aging(&table);
            tables.insert(name_of(of), FinalTable { scored, plans, aging, moves });
        }
        Ok(tables)
    }

    /// The rows that match each query for the values that it names.
    async fn matched(&self, whole: &RoundInputs<'_>, step: &Step) -> Vec<u64> {
        let study = self.search.study;
        let of = |query| {
            let Ok(domains) = scan::read(query, &study.fields, "") else { return 0 };
            let matching = QueryMatcher::new(&whole.records, &study.fields, &domains)
                .written_at(&whole.records, study.arrival.as_deref());
            (0..whole.records.rows).filter(|&row| matching.matches(row)).count() as u64
        };
        let mut matched = Vec::with_capacity(study.queries.len());
        for query in &study.queries {
            step.rest().await;
            matched.push(of(query));
        }
        matched
    }

    fn suggestion(
        &self,
        set: &TableSet,
        measured: &FinalTables,
        without: Vec<TakenBack>,
        sensitive: Vec<&'static str>,
    ) -> Suggestion {
        let of = set.tables.iter().filter_map(|&at| self.scored.get(at));
        let tables: Vec<&FinalTable> = of.filter_map(|of| measured.get(&name_of(of))).collect();
        let designs = self.designs(&tables);
        let measured: Vec<&Measured> = tables.iter().map(|of| &of.scored.measured).collect();
        let mut reasons: Vec<SuggestNote> = Vec::new();
        for (index, table) in tables.iter().enumerate() {
            let answers = table.plans.iter().enumerate().map(|(query, plan)| {
                let own = Scoring::cheapest(&measured, query).0 == index;
                plan.as_ref().filter(|_| own).map(|plan| plan.filter)
            });
            let reasoning = Reasoning { answers: answers.collect(), ..self.reasoning() };
            let measured = &table.scored.measured;
            let calm = self.scoring.is_calm();
            let cut = (&measured.splits, measured.regions, calm);
            reasons.extend(match table.scored.candidate.kinds() {
                Some(kinds) => kinds.reasons.clone(),
                None => reasoning.of(&table.scored.candidate.key),
            });
            reasons.push(reasoning.of_cut(&table.scored.candidate.key, cut).into());
            if let Some(shape) = table.scored.candidate.shape() {
                reasons.extend(reasoning.shape(shape, &measured.stored));
            }
            if self.stamps(&table.scored.candidate) {
                let arrival = self.search.study.arrival.clone().unwrap_or_default();
                reasons.push(Problem::new("suggest.stamped").with("field", arrival).into());
            }
            reasons.extend(table.aging.map(|aging| self.reasoning().aging(aging)));
        }
        if let [first, others @ ..] = designs.as_slice() {
            for other in others {
                let index = self.search.phoenix_table().and_then(|_| self.search.index_of(first, other));
                let problem = match index {
                    Some(sql) => Problem::new("suggest.phoenix-index").with("sql", sql),
                    None => Problem::new("suggest.second-table").with("first", &first.name),
                };
                reasons.push(problem.with("table", &other.name).into());
            }
        }
        if !sensitive.is_empty() {
            let constants: Vec<String> = sensitive.iter().map(|constant| format!("`{constant}`")).collect();
            reasons.push(Problem::new("suggest.sensitive").with("constants", constants.join(", ")).into());
        }
        Suggestion {
            rowkeys: self.rowkeys(set),
            kinds: tables
                .first()
                .and_then(|table| Some(table.scored.candidate.kinds()?.keys()))
                .unwrap_or_default(),
            shape: self.shape_of(set),
            label: "alternative",
            labels: Vec::new(),
            queries: self.queries(&tables, &designs, &measured),
            scores: self.scoring.of(&measured),
            design: normal_form(&self.document(designs, &measured)),
            reasons,
            without,
            ties: self.ties(set),
            sensitive,
            moves: tables.first().and_then(|table| table.moves),
        }
    }

    /// The tables as those of a document: the first has its name, the others the same with a number.
    fn designs(&self, tables: &[&FinalTable]) -> Vec<Design> {
        let Some(base) = self.search.study.tables.first() else { return Vec::new() };
        let design = |(index, of): (usize, &&FinalTable)| {
            let mut design = Design {
                name: if index == 0 { base.name.clone() } else { format!("{}_{}", base.name, index + 1) },
                rowkey: match of.scored.candidate.kinds() {
                    Some(_) => String::new(),
                    None => of.scored.candidate.rowkey.clone(),
                },
                typed: of.scored.candidate.typed.clone(),
                splits: of.scored.measured.splits.clone(),
                servers: Some(self.search.servers),
                ..of.scored.candidate.design().unwrap_or(base).clone()
            };
            if self.stamps(&of.scored.candidate) {
                let cells = design.families.iter_mut().flat_map(|family| &mut family.cells);
                cells.for_each(|cell| cell.timestamp = self.search.study.arrival.clone());
            }
            design
        };
        tables.iter().enumerate().map(design).collect()
    }

    /// True if cells have the time of arrival as their timestamp: queries test it, and the key lacks it.
    fn stamps(&self, of: &Candidate) -> bool {
        let (study, arrival) = (self.search.study, self.search.profile.arrival);
        let named = |field: usize| {
            let tests = |asked: &AskedFields| asked.equal.contains(&field) || asked.ranged.contains(&field);
            self.search.asked.iter().any(tests)
                && !of.key.parts.iter().any(|part| part.made_of().contains(&field))
        };
        let takes = study.tables.first().is_some_and(takes_timestamps);
        of.shape().is_none() && takes && arrival.is_some_and(named)
    }

    fn reasoning(&self) -> Reasoning<'_> {
        let search = self.search;
        Reasoning {
            study: search.study,
            profile: &search.profile,
            asked: &search.asked,
            answers: search.study.queries.iter().map(|_| Some(true)).collect(),
        }
    }

    /// The document with these tables; of several, each query names the one that answers it.
    fn document(&self, designs: Vec<Design>, measured: &[&Measured]) -> Document {
        let mut study = self.search.study.clone();
        study.tables = designs;
        for (index, query) in study.queries.iter_mut().enumerate() {
            let (table, _) = Scoring::cheapest(measured, index);
            let named = study.tables.get(table).map(|design| design.name.clone());
            query.table = named.filter(|_| study.tables.len() > 1);
        }
        for (index, rate) in &self.search.declared.empty {
            if let Some(query) = study.queries.get_mut(*index) {
                query.rate = *rate;
            }
        }
        Declared::without_unused(&self.search.declared.lookups, &mut study);
        study
    }

    /// How a table answers each query for the values that it names: what `plan` says of the design.
    async fn plans(
        &self,
        of: &Scored,
        table: &MeasuredTable,
        (whole, matched): (&RoundInputs<'_>, &[u64]),
        step: &Step,
    ) -> Vec<Option<SuggestedQuery>> {
        let (study, typed) = (self.search.study, &of.candidate.typed);
        let plan = |(index, query): (usize, &Query)| {
            let domains = scan::read(query, &study.fields, "").ok()?;
            let plan = scan::plan_ranges(typed, &study.fields, query, &domains, &whole.known);
            let matching = whole.matcher(&of.candidate, &domains);
            let ranked = RankedPlan::new(plan, &table.table);
            let (plan, table_rows) = (&ranked.plan, table.table.rows());
            // The ranges hold every record that matches.
            let all = || match table_rows == table.table.len() {
                true => RowsRead {
                    read: ranked.rows(&table.table),
                    returned: matched.get(index).copied().unwrap_or(0),
                    ..RowsRead::default()
                },
                false => scan::count_plan(plan, &table.table, &matching),
            };
            let rows = scan::count_limited(plan, &table.table, &matching).unwrap_or_else(all);
            let bytes = rows.in_records().read as f64 * of.measured.bytes;
            let blocks = (bytes / self.search.options.cost.block_bytes).ceil() as u64;
            let cost = of.measured.queries.get(index)?;
            Some(SuggestedQuery {
                name: query.name.clone(),
                table: String::new(),
                kind: plan.kind,
                scans: plan.ranges.len(),
                regions: scan::regions(&plan.ranges, &table.points).len(),
                blocks: blocks.max(plan.ranges.len() as u64),
                rows_read: rows.read,
                rows_returned: rows.returned,
                filter: !plan.exact,
                exact: plan.exact,
                sorted: query.order.as_ref().map(|_| !plan.delivery.sort),
                cost: cost.load(),
                latency: cost.latency,
            })
        };
        let mut plans = Vec::with_capacity(study.queries.len());
        for query in study.queries.iter().enumerate() {
            step.rest().await;
            plans.push(plan(query));
        }
        plans
    }

    /// How each query is answered, by the table that does so for least.
    fn queries(
        &self,
        tables: &[&FinalTable],
        designs: &[Design],
        measured: &[&Measured],
    ) -> Vec<SuggestedQuery> {
        let answered = |index| {
            let (at, _) = Scoring::cheapest(measured, index);
            let plan = tables.get(at)?.plans.get(index)?.clone()?;
            Some(SuggestedQuery { table: designs.get(at)?.name.clone(), ..plan })
        };
        (0..self.search.study.queries.len()).filter_map(answered).collect()
    }

    /// The same tables with one choice of one of them taken back, for each of these sets.
    async fn without(&self, sets: &[&TableSet], steps: &mut Steps) -> Result<Vec<Vec<TakenBack>>, Problem> {
        let mut taken: Vec<(usize, usize, Problem)> = Vec::new();
        let mut keys: Vec<KeyPlan> = Vec::new();
        for (of_set, set) in sets.iter().enumerate() {
            if self.shape_of(set).is_some() || self.is_of_kinds() {
                continue;
            }
            for (place, of) in set.tables.iter().filter_map(|&at| self.scored.get(at)).enumerate() {
                for (choice, key) in self.reasoning().taken_back(&of.candidate.key) {
                    taken.push((of_set, place, choice));
                    keys.push(key);
                }
            }
        }
        let found = self.measured(keys, steps).await?;
        let mut all: Vec<Vec<TakenBack>> = sets.iter().map(|_| Vec::new()).collect();
        for ((of_set, place, choice), found) in taken.into_iter().zip(found) {
            let (Some(set), Some(found), Some(changes)) = (sets.get(of_set), found, all.get_mut(of_set))
            else {
                continue;
            };
            let mut tables: Vec<&Measured> =
                set.tables.iter().filter_map(|&at| Some(&self.scored.get(at)?.measured)).collect();
            if let Some(table) = tables.get_mut(place) {
                *table = &found.measured;
            }
            let change = ScoreChange::new(&set.scores, &self.scoring.of(&tables));
            changes.push(TakenBack { choice: choice.into(), rowkey: found.candidate.rowkey, change });
        }
        for (set, changes) in sets.iter().zip(&mut all) {
            changes.extend(self.without_shape(set));
        }
        Ok(all)
    }

    /// The same key with a row for each record.
    fn without_shape(&self, set: &TableSet) -> Option<TakenBack> {
        let of = set.tables.first().and_then(|&at| self.scored.get(at)?.candidate.shape())?;
        let plain = self.scored.iter().take(self.plain).find(|other| other.candidate.rowkey == of.tall)?;
        Some(TakenBack {
            choice: Problem::new("suggest.rows-instead").into(),
            rowkey: of.tall.clone(),
            change: ScoreChange::new(&set.scores, &plain.scores),
        })
    }

    /// Keys measured on the records of the last round, in their order; `None` for one that is no formula.
    async fn measured(&self, keys: Vec<KeyPlan>, steps: &mut Steps) -> Result<Vec<Option<Scored>>, Problem> {
        let (fields, profile) = (&self.search.study.fields, &self.search.profile);
        let rowkeys: Vec<String> = keys.iter().map(|key| key.formula(fields, profile)).collect();
        let mut by_key: BTreeMap<&str, &Scored> =
            self.measured.iter().map(|of| (of.candidate.rowkey.as_str(), of)).collect();
        let step = steps.step(SearchPhase::Final, 1.0);
        let mut candidates = self.search.compiled(keys, 1, &step).await;
        candidates.retain(|of| !by_key.contains_key(of.rowkey.as_str()));
        let scored = measure(self.inputs, &self.scoring, candidates, SearchPhase::Final, steps).await?;
        by_key.extend(scored.iter().map(|of| (of.candidate.rowkey.as_str(), of)));
        Ok(rowkeys.iter().map(|rowkey| by_key.get(rowkey.as_str()).map(|of| (*of).clone())).collect())
    }

    /// Designs of the last round whose scores differ by less than the sample can tell.
    fn ties(&self, set: &TableSet) -> Vec<Vec<String>> {
        let reads = set.scores.intervals.get("reads");
        let near = |a: f64, b: f64| (a - b).abs() <= TIE * a.abs().max(b.abs());
        let ties = |scores: &DesignScores| {
            let [own, other] = [&set.scores, scores].map(|scores| self.scoring.objectives(scores));
            let in_reads = reads.is_some_and(|[low, high]| (*low..=*high).contains(&scores.reads));
            near(own[0], other[0]) && near(own[2], other[2]) && (in_reads || near(own[1], other[1]))
        };
        if self.shape_of(set).is_some() {
            return Vec::new();
        }
        let alone = self.scored.iter().take(self.plain).filter(|_| set.tables.len() == 1);
        let alone = alone.filter(|of| ties(&of.scores)).map(|of| vec![of.candidate.rowkey.clone()]);
        let sets =
            self.plain_sets().into_iter().filter(|other| other.tables.len() > 1 && ties(&other.scores));
        let own = self.rowkeys(set);
        let mut all: Vec<Vec<String>> =
            alone.chain(sets.map(|set| self.rowkeys(set))).filter(|keys| *keys != own).collect();
        all.truncate(8);
        all
    }

    /// The well-known keys, and why they lost.
    async fn alternatives(
        &self,
        balanced: Option<&TableSet>,
        steps: &mut Steps,
    ) -> Result<Vec<KnownAlternative>, Problem> {
        let Some((balanced, best)) = balanced
            .filter(|_| !self.is_of_kinds())
            .and_then(|set| Some((set, self.scored.get(*set.tables.first()?)?)))
        else {
            return Ok(Vec::new());
        };
        let fields = best.candidate.key.fields();
        let plain = KeyPlan::of_fields(&fields);
        let mut keys: Vec<(&'static str, KeyPlan)> = Vec::new();
        if let Some(arrival) =
            self.search.profile.arrival.filter(|&arrival| self.search.profile.is_usable(arrival))
        {
            let rest = fields.iter().copied().filter(|&field| field != arrival);
            keys.push((
                "time-first",
                KeyPlan::of_fields(&std::iter::once(arrival).chain(rest).collect::<Vec<_>>()),
            ));
        }
        let count = self.search.servers.clamp(2, 256);
        keys.push(("random-salt", plain.behind(KeyPart::Random { count })));
        let text = KeyPart::Bucket { of: fields.clone(), count: 2 }.formula(
            &self.search.study.fields,
            &self.search.profile,
            false,
        );
        let text = text.replace("bucket(", "join('', ").replace(", 2).uint8()", ").md5()");
        keys.push(("full-hash", plain.behind(KeyPart::Given { text, holds: Vec::new() })));
        let mut all = Vec::new();
        let names: Vec<&'static str> = keys.iter().map(|(name, _)| *name).collect();
        let found = self.measured(keys.into_iter().map(|(_, key)| key).collect(), steps).await?;
        for (name, of) in names.into_iter().zip(found) {
            let Some(of) = of else { continue };
            let reason = lost(&of.scores, &balanced.scores);
            all.push(KnownAlternative {
                name,
                rowkey: of.candidate.rowkey.clone(),
                scores: of.scores,
                reason: reason.into(),
            });
        }
        Ok(all)
    }

    /// Notes on what was found.
    fn more_notes(&self, whole: &RoundInputs<'_>, suggestions: &[Suggestion]) -> Vec<SuggestNote> {
        let mut notes: Vec<Problem> = Vec::new();
        if !whole.held_out {
            notes.push(Problem::new("suggest.not-held-out"));
        }
        let rewritten = self.search.study.tables.first().is_some_and(|design| !design.writes.is_append());
        if whole.alike > 0 && !self.is_of_kinds() && !rewritten {
            notes.push(Problem::new("suggest.alike").with("rows", whole.alike));
        }
        if let Some(balanced) = suggestions.first() {
            for query in balanced.queries.iter().filter(|query| query.kind == PlanKind::FullScan) {
                let problem = Problem::new("suggest.full-scan").with("query", &query.name);
                notes.push(problem.with("cost", one_decimal(query.cost)));
            }
        }
        let rates: f64 = self.search.study.queries.iter().map(rate).sum();
        // With fewer regions than servers, it is not the values that gather the reads.
        let spread = suggestions
            .iter()
            .take(1)
            .filter(|of| of.scores.regions.iter().sum::<usize>() >= self.search.servers as usize);
        if let Some(hot) = spread.map(|of| of.scores.read_hottest_server).next()
            && hot > 2.0 / f64::from(self.search.servers)
            && rates > 0.0
            && self.search.servers > 1
        {
            notes.push(Problem::new("suggest.hot-reads").with("share", percent(hot)));
        }
        notes.into_iter().map(Into::into).collect()
    }
}

/// Why a well-known key lost against the balanced suggestion, with the score in which it is worse by most.
fn lost(own: &DesignScores, best: &DesignScores) -> Problem {
    let pairs = [
        ("suggest.lost-writes", own.hottest_server, best.hottest_server),
        ("suggest.lost-reads", own.reads, best.reads),
        ("suggest.lost-bytes", own.bytes_per_row, best.bytes_per_row),
    ];
    let worst = pairs.into_iter().max_by(|a, b| (a.1 / a.2.max(1e-9)).total_cmp(&(b.1 / b.2.max(1e-9))));
    let Some((code, own, best)) = worst.filter(|(_, own, best)| *own > best * (1.0 + TIE)) else {
        return Problem::new("suggest.not-lost");
    };
    let shown = |value: f64| match code {
        "suggest.lost-writes" => percent(value),
        _ => one_decimal(value),
    };
    Problem::new(code).with("own", shown(own)).with("best", shown(best))
}
