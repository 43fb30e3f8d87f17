//! From what the rounds left to suggestions: chosen from the front, measured on all records, explained.

use super::front::{Objectives, best_by, chosen, cover, factor};
use super::key::{KeyPart, KeyPlan};
use super::measure::{Cut, Ground, Measured, rate};
use super::progress::{SearchPhase, Steps};
use super::reasons::Reasoning;
use super::score::{DesignScores, Scoring, SuggestNote};
use super::search::{Candidate, Scored, TableSet, measure};
use super::told::*;
use super::{DRAWS, MOST_ROWS, Search};
use crate::analysis::Analysis;
use crate::base::Problem;
use crate::compare::moves;
use crate::design::{Design, Study, normal_form};
use crate::scan::{self, PlanKind};

/// Most suggestions.
const MOST: usize = 7;
/// Most points of the front that are told.
const MOST_TOLD: usize = 60;
/// Scores that differ by less of themselves are ties.
const TIE: f64 = 0.02;

/// Inputs of the final suggestions.
pub(super) struct Finish<'s, 'a> {
    /// The search.
    pub search: &'s Search<'a>,
    /// How designs are scored.
    pub scoring: Scoring<'a>,
    /// The records of the last round.
    pub ground: &'s Ground<'a>,
    /// The keys of the last round.
    pub scored: &'s [Scored],
    /// The tables on the front.
    pub sets: Vec<TableSet>,
}

/// A table of a suggestion, measured on all records.
struct FinalTable {
    scored: Scored,
    design: Design,
    analysis: Analysis,
}

impl Finish<'_, '_> {
    /// The whole answer.
    pub fn told(mut self, steps: &mut Steps<'_>) -> Result<Suggestions, Problem> {
        let objectives: Vec<Objectives> = self.sets.iter().map(|set| set.objectives).collect();
        let points = chosen(&objectives, &(0..objectives.len()).collect::<Vec<_>>(), &[], MOST_TOLD);
        let mut points = if objectives.len() <= MOST_TOLD { (0..objectives.len()).collect() } else { points };
        points.sort_unstable();
        self.sets = points.iter().filter_map(|&at| self.sets.get(at).cloned()).collect();
        let objectives: Vec<Objectives> = self.sets.iter().map(|set| set.objectives).collect();
        let points: Vec<usize> = (0..objectives.len()).collect();
        let fixed = self.extremes(&objectives, &points);
        let chosen = chosen(&objectives, &points, &fixed, MOST);
        let cover = cover(&objectives, &points, &chosen);
        let more;
        let whole = if self.ground.records.rows == self.search.all.rows {
            self.ground
        } else {
            more = self.search.ground(MOST_ROWS, DRAWS[2]);
            &more
        };
        let given = self.given(whole, steps)?;
        let mut suggestions = Vec::new();
        for (at, &point) in chosen.iter().enumerate() {
            steps.of(SearchPhase::Final, at, chosen.len())?;
            if let Some(set) = self.sets.get(point) {
                suggestions.push(self.suggestion(set, whole, given.as_ref(), steps)?);
            }
        }
        self.label(&mut suggestions, given.as_ref().map(|given| &given.scored));
        let front = self.sets.iter().enumerate().map(|(at, set)| FrontDesign {
            rowkeys: self.rowkeys(set),
            scores: set.scores.clone(),
            suggestion: chosen.iter().position(|&point| point == at),
        });
        let considered = Considered {
            rounds: self.search.rounds.clone(),
            sets: self.sets.len(),
            alternatives: self.alternatives(chosen.first().and_then(|&point| self.sets.get(point)), steps)?,
        };
        let mut notes = self.search.notes();
        notes.extend(self.more_notes(whole, &suggestions));
        Ok(Suggestions {
            front: front.collect(),
            cover,
            baseline: given.map(|given| BaselineDesign {
                rowkey: given.scored.candidate.rowkey,
                scores: given.scored.scores,
            }),
            suggestions,
            profile: self.search.profile.fields.clone(),
            considered,
            notes,
            rows: self.search.all.all_rows(),
            cost: self.search.options.cost,
        })
    }

    /// The balanced one, then the extremes, each once.
    fn extremes(&self, objectives: &[Objectives], points: &[usize]) -> Vec<usize> {
        let mut fixed = Vec::new();
        let balanced = self.search.options.prefer.powers();
        for powers in [balanced, [64, 1, 1], [1, 64, 1], [1, 1, 64]] {
            fixed.extend(best_by(objectives, points, powers).filter(|at| !fixed.contains(at)));
        }
        fixed
    }

    fn rowkeys(&self, set: &TableSet) -> Vec<String> {
        let of = set.tables.iter().filter_map(|&at| self.scored.get(at));
        of.map(|of| of.candidate.rowkey.clone()).collect()
    }

    /// The design that the document came with, on all records.
    fn given(&self, whole: &Ground<'_>, steps: &mut Steps<'_>) -> Result<Option<FinalTable>, Problem> {
        let Some(candidate) = self.search.given_candidate() else { return Ok(None) };
        let name = self.search.study.tables.first().map(|design| design.name.clone());
        self.table(candidate, name.unwrap_or_default(), whole, steps).map(Some)
    }

    /// A table measured on all records.
    fn table(
        &self,
        candidate: Candidate,
        name: String,
        whole: &Ground<'_>,
        steps: &mut Steps<'_>,
    ) -> Result<FinalTable, Problem> {
        let study = self.search.study;
        let mut measured = measure(whole, &self.scoring, vec![candidate], SearchPhase::Final, steps)?;
        let missing = || Problem::new("suggest.no-splits");
        let scored = measured.pop().ok_or_else(missing)?;
        let base = study.tables.first().ok_or_else(missing)?;
        let design = Design {
            name,
            lets: base.lets.clone(),
            rowkey: scored.candidate.rowkey.clone(),
            typed: scored.candidate.typed.clone(),
            splits: scored.measured.splits.clone(),
            servers: Some(self.search.servers),
            ..base.clone()
        };
        let (fields, arrival) = (study.fields.clone(), study.arrival.clone());
        let records = whole.records.clone();
        let analysis = Analysis::new(records, fields, design.typed.clone(), &design.splits, arrival)?;
        Ok(FinalTable { scored, design, analysis })
    }

    fn suggestion(
        &self,
        set: &TableSet,
        whole: &Ground<'_>,
        given: Option<&FinalTable>,
        steps: &mut Steps<'_>,
    ) -> Result<Suggestion, Problem> {
        let study = self.search.study;
        let base = study.tables.first().map(|design| design.name.clone()).unwrap_or_default();
        let mut tables: Vec<FinalTable> = Vec::new();
        for (index, of) in set.tables.iter().filter_map(|&at| self.scored.get(at)).enumerate() {
            let name = match index {
                0 => base.clone(),
                _ => format!("{base}_{}", index + 1),
            };
            // As many regions as on the sample, at the split points of all records.
            let mut candidate = of.candidate.clone();
            let buckets = candidate.key.buckets().filter(|&count| count as usize == of.measured.regions);
            candidate.cuts = vec![match (candidate.cuts.first(), buckets) {
                (Some(Cut::Buckets(count)), Some(_)) => Cut::Buckets(*count),
                _ => Cut::Shares(of.measured.regions as u32),
            }];
            tables.push(self.table(candidate, name, whole, steps)?);
        }
        let measured: Vec<&Measured> = tables.iter().map(|of| &of.scored.measured).collect();
        let scores = self.scoring.of(&measured);
        let document = self.document(&tables, &measured);
        let reasoning = self.reasoning();
        let mut reasons: Vec<SuggestNote> = Vec::new();
        for table in &tables {
            let key = &table.scored.candidate.key;
            reasons.extend(reasoning.of(key, &table.design.splits, table.scored.measured.regions));
        }
        if let [first, others @ ..] = tables.as_slice() {
            for other in others {
                let problem = Problem::new("suggest.second-table").with("table", &other.design.name);
                reasons.push(problem.with("first", &first.design.name).into());
            }
        }
        let moves = given.zip(tables.first()).map(|(given, table)| {
            let found = moves(given.analysis.placed(), table.analysis.placed(), whole.records.rows);
            MovedRows { rewritten: found.rewritten, moved: found.moved }
        });
        Ok(Suggestion {
            rowkeys: self.rowkeys(set),
            label: "alternative",
            labels: Vec::new(),
            queries: self.queries(&tables, &measured),
            design: normal_form(&document),
            scores,
            reasons,
            without: self.without(set, steps)?,
            ties: self.ties(set),
            moves,
        })
    }

    fn reasoning(&self) -> Reasoning<'_> {
        Reasoning { study: self.search.study, profile: &self.search.profile, asked: &self.search.asked }
    }

    /// The document with these tables; of several, each query names the one that answers it.
    fn document(&self, tables: &[FinalTable], measured: &[&Measured]) -> Study {
        let mut study = self.search.study.clone();
        study.tables = tables.iter().map(|of| of.design.clone()).collect();
        for (index, query) in study.queries.iter_mut().enumerate() {
            let (table, _) = Scoring::cheapest(measured, index);
            let named = study.tables.get(table).map(|design| design.name.clone());
            query.table = named.filter(|_| tables.len() > 1);
        }
        study
    }

    /// How each query is answered, for the values that it names: what `plan` says of the design.
    fn queries(&self, tables: &[FinalTable], measured: &[&Measured]) -> Vec<SuggestedQuery> {
        let study = self.search.study;
        let mut all = Vec::new();
        for (index, query) in study.queries.iter().enumerate() {
            let (at, cost) = Scoring::cheapest(measured, index);
            let (Some(table), Some(cost)) = (tables.get(at), cost) else { continue };
            let planned = table.analysis.planned(std::slice::from_ref(query)).pop().flatten();
            let Some(planned) = planned else { continue };
            let rows = planned.limited.unwrap_or(planned.counted);
            let regions = scan::regions(&planned.plan.ranges, table.analysis.points()).len();
            let bytes = rows.read as f64 * table.scored.measured.bytes;
            let blocks = (bytes / self.search.options.cost.block_bytes).ceil() as u64;
            all.push(SuggestedQuery {
                name: query.name.clone(),
                table: table.design.name.clone(),
                kind: planned.plan.kind,
                scans: planned.plan.ranges.len(),
                regions,
                blocks: blocks.max(planned.plan.ranges.len() as u64),
                rows_read: rows.read,
                rows_returned: rows.returned,
                filter: !planned.plan.exact,
                exact: planned.plan.exact,
                sorted: query.order.as_ref().map(|_| !planned.plan.delivery.sort),
                cost: cost.load(),
                latency: cost.latency,
            });
        }
        all
    }

    /// The same tables with one choice of one of them taken back.
    fn without(&self, set: &TableSet, steps: &mut Steps<'_>) -> Result<Vec<TakenBack>, Problem> {
        let mut all = Vec::new();
        let before: Vec<&Measured> =
            set.tables.iter().filter_map(|&at| Some(&self.scored.get(at)?.measured)).collect();
        for (place, of) in set.tables.iter().filter_map(|&at| self.scored.get(at)).enumerate() {
            let (choices, keys): (Vec<Problem>, Vec<KeyPlan>) =
                self.reasoning().taken_back(&of.candidate.key).into_iter().unzip();
            let found = self.measured(keys, steps)?;
            for (choice, found) in choices.into_iter().zip(found) {
                let Some(found) = found else { continue };
                let mut tables = before.clone();
                if let Some(table) = tables.get_mut(place) {
                    *table = &found.measured;
                }
                let after = self.scoring.of(&tables);
                let change = ScoreChange::new(&set.scores, &after);
                all.push(TakenBack { choice: choice.into(), rowkey: found.candidate.rowkey, change });
            }
        }
        Ok(all)
    }

    /// Keys measured on the records of the last round, in their order; `None` for one that is no formula.
    fn measured(&self, keys: Vec<KeyPlan>, steps: &mut Steps<'_>) -> Result<Vec<Option<Scored>>, Problem> {
        let mut all = Vec::with_capacity(keys.len());
        for key in keys {
            let candidates = self.search.compiled(vec![key], 1);
            all.push(measure(self.ground, &self.scoring, candidates, SearchPhase::Final, steps)?.pop());
        }
        Ok(all)
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
        let alone = self.scored.iter().filter(|_| set.tables.len() == 1);
        let alone = alone.filter(|of| ties(&of.scores)).map(|of| vec![of.candidate.rowkey.clone()]);
        let sets = self.sets.iter().filter(|other| other.tables.len() > 1 && ties(&other.scores));
        let own = self.rowkeys(set);
        let mut all: Vec<Vec<String>> =
            alone.chain(sets.map(|set| self.rowkeys(set))).filter(|keys| *keys != own).collect();
        all.truncate(8);
        all
    }

    /// Says what each suggestion is the best in.
    fn label(&self, suggestions: &mut [Suggestion], given: Option<&Scored>) {
        let objectives: Vec<Objectives> =
            suggestions.iter().map(|of| self.scoring.objectives(&of.scores)).collect();
        let points: Vec<usize> = (0..objectives.len()).collect();
        let powers = self.search.options.prefer.powers();
        let mut best = vec![("balanced", best_by(&objectives, &points, powers))];
        for (label, powers) in
            [("spreads-writes", [64, 1, 1]), ("cheapest-reads", [1, 64, 1]), ("shortest-keys", [1, 1, 64])]
        {
            best.push((label, best_by(&objectives, &points, powers)));
        }
        if let Some(given) = given {
            let far =
                |at: &usize| objectives.get(*at).map_or(f64::INFINITY, |own| factor(own, &given.objectives));
            best.push(("closest", points.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))));
        }
        let calm = self.scoring.is_calm();
        for (label, at) in best {
            if let Some(of) = at.and_then(|at| suggestions.get_mut(at)) {
                of.labels.push(label);
            }
        }
        for of in suggestions.iter_mut() {
            if calm && of.scores.regions.iter().all(|&regions| regions == 1) {
                of.labels.push("one-region");
            }
            of.label = of.labels.first().copied().unwrap_or("alternative");
        }
    }

    /// The well-known keys, and why they lost.
    fn alternatives(
        &self,
        balanced: Option<&TableSet>,
        steps: &mut Steps<'_>,
    ) -> Result<Vec<KnownAlternative>, Problem> {
        let Some((balanced, best)) =
            balanced.and_then(|set| Some((set, self.scored.get(*set.tables.first()?)?)))
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
        let found = self.measured(keys.into_iter().map(|(_, key)| key).collect(), steps)?;
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
    fn more_notes(&self, whole: &Ground<'_>, suggestions: &[Suggestion]) -> Vec<SuggestNote> {
        let mut notes: Vec<Problem> = Vec::new();
        if !whole.held_out {
            notes.push(Problem::new("suggest.not-held-out"));
        }
        if whole.alike > 0 {
            notes.push(Problem::new("suggest.alike").with("rows", whole.alike));
        }
        if let Some(balanced) = suggestions.first() {
            for query in balanced.queries.iter().filter(|query| query.kind == PlanKind::FullScan) {
                let problem = Problem::new("suggest.full-scan").with("query", &query.name);
                notes.push(problem.with("cost", format!("{:.1}", query.cost)));
            }
        }
        let rates: f64 = self.search.study.queries.iter().map(rate).sum();
        if let Some(hot) = suggestions.first().map(|of| of.scores.read_hottest_server)
            && hot > 2.0 / f64::from(self.search.servers)
            && rates > 0.0
            && self.search.servers > 1
        {
            notes.push(Problem::new("suggest.hot-reads").with("share", format!("{:.0}%", 100.0 * hot)));
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
        "suggest.lost-writes" => format!("{:.0}%", 100.0 * value),
        _ => format!("{value:.1}"),
    };
    Problem::new(code).with("own", shown(own)).with("best", shown(best))
}
