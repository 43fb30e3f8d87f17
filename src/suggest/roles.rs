//! Designs of the front that have a role: the balanced one, the best in one respect, the best of each shape; and what suggestions are
//! called for it.

use super::aging::HOT;
use super::answer::Suggestion;
use super::builder::SuggestionBuilder;
use super::front::{Objectives, best_by, factor, simplest_by};
use super::scores::DesignScores;
use super::search::{Scored, TableSet};
use super::shape::RowShape;

/// A score that is less by no more than this share of it makes no shape the best.
const LITTLE: f64 = 1e-3;

/// Codes of the reasons for a text as a number.
const LIMITS: [&str; 2] = ["suggest.as-id", "suggest.as-number"];

/// Labels of a suggestion that is the best in one respect, with the weights of writes, reads and bytes: whatever is worse in it by a
/// hundredth is so by a factor of 26,000.
const EXTREMES: [(&str, [i32; 3]); 3] =
    [("spreads-writes", [1024, 1, 1]), ("cheapest-reads", [1, 1024, 1]), ("shortest-keys", [1, 1, 1024])];

impl SuggestionBuilder<'_, '_> {
    /// Tables in other shapes on the front.
    pub(super) fn shaped_sets(&self) -> Vec<TableSet> {
        let shaped = self.scored.iter().enumerate().skip(self.plain);
        let set = |(at, of): (usize, &Scored)| TableSet {
            tables: vec![at],
            scores: of.scores.clone(),
            objectives: of.objectives,
        };
        shaped.map(set).collect()
    }

    /// The best of each shape.
    pub(super) fn best_shaped(&self, sets: &[TableSet]) -> Vec<usize> {
        let objectives: Vec<Objectives> = sets.iter().map(|set| set.objectives).collect();
        let powers = self.search.options.prefer.powers();
        let best = |shape| {
            let of_shape = |at: &usize| sets.get(*at).and_then(|set| self.shape_of(set)) == Some(shape);
            let points: Vec<usize> = (0..sets.len()).filter(of_shape).collect();
            best_by(&objectives, &points, powers)
        };
        RowShape::ALL.into_iter().filter_map(best).collect()
    }

    /// The shape of the records of a set, where they are not rows of their own.
    pub(super) fn shape_of(&self, set: &TableSet) -> Option<RowShape> {
        set.tables.first().and_then(|&at| self.scored.get(at)?.shape())
    }

    /// The sets with a row for each record and no limits of their values.
    pub(super) fn plain_sets(&self) -> Vec<&TableSet> {
        let is_plain = |set: &&TableSet| set.tables.iter().all(|&at| at < self.plain);
        self.sets.iter().filter(is_plain).collect()
    }

    /// The balanced one, then the extremes.
    pub(super) fn roles(
        &self,
        objectives: &[Objectives],
        scores: &[&DesignScores],
        rowkeys: &[Vec<String>],
    ) -> [Option<usize>; 4] {
        let points: Vec<usize> = (0..objectives.len()).collect();
        let [writes, reads, bytes] = EXTREMES.map(|(_, powers)| best_by(objectives, &points, powers));
        [self.balanced(objectives, scores, rowkeys), writes, reads, bytes]
    }

    /// The balanced one, then the extremes, each once.
    pub(super) fn extremes(&self, objectives: &[Objectives]) -> Vec<usize> {
        let scores: Vec<&DesignScores> = self.sets.iter().map(|set| &set.scores).collect();
        let rowkeys: Vec<Vec<String>> = self.sets.iter().map(|set| self.rowkeys(set)).collect();
        let mut fixed: Vec<usize> = Vec::new();
        for at in self.roles(objectives, &scores, &rowkeys).into_iter().flatten() {
            if !fixed.contains(&at) {
                fixed.push(at);
            }
        }
        fixed
    }

    /// The balanced one. Where no rate of writes is known, the share alone counts, as in a review: it is none of which a region
    /// takes most writes, if there is another.
    fn balanced(
        &self,
        objectives: &[Objectives],
        scores: &[&DesignScores],
        rowkeys: &[Vec<String>],
    ) -> Option<usize> {
        let powers = self.search.options.prefer.powers();
        let rated = self.search.study.write_rate().is_some();
        let cool = |at: &usize| scores.get(*at).is_some_and(|of| rated || of.hottest_region < HOT);
        let points: Vec<usize> = (0..objectives.len()).filter(cool).collect();
        let all: Vec<usize> = (0..objectives.len()).collect();
        let steps = |at: usize| {
            rowkeys.get(at).into_iter().flatten().map(|key| key.matches(['(', '+']).count() + 1).sum()
        };
        simplest_by(objectives, if points.is_empty() { &all } else { &points }, powers, steps)
    }

    /// Says what each suggestion is the best in.
    pub(super) fn label(&self, suggestions: &mut [Suggestion], given: Option<&Scored>) {
        let objectives: Vec<Objectives> =
            suggestions.iter().map(|of| self.scoring.objectives(&of.scores)).collect();
        // Those in other shapes and with limits come last, and are called so first.
        let is_limited = |of: &Suggestion| of.reasons.iter().any(|of| LIMITS.contains(&of.code));
        let plain = suggestions.iter().take_while(|of| of.shape.is_none() && !is_limited(of)).count();
        let scores: Vec<&DesignScores> = suggestions.iter().take(plain).map(|of| &of.scores).collect();
        let shapes = suggestions.iter().enumerate();
        let shapes = shapes.filter_map(|(at, of)| Some((of.shape?.label(), Some(at))));
        let mut best: Vec<(&'static str, Option<usize>)> = shapes.collect();
        let (plain, shaped): (Vec<usize>, Vec<usize>) = (0..objectives.len()).partition(|&at| at < plain);
        let rowkeys: Vec<Vec<String>> = suggestions.iter().map(|of| of.rowkeys.clone()).collect();
        let simple = objectives.get(..plain.len()).unwrap_or_default();
        best.push(("balanced", self.balanced(simple, &scores, &rowkeys)));
        for (score, (label, powers)) in EXTREMES.into_iter().enumerate() {
            // Another shape is the best in what it is clearly better in; what updates read is no read of a query.
            let value = |at: usize| match (score, suggestions.get(at), objectives.get(at)) {
                (1, Some(of), _) => of.scores.reads,
                (_, _, Some(of)) => of.get(score).copied().unwrap_or(f64::INFINITY),
                _ => f64::INFINITY,
            };
            let simple = best_by(&objectives, &plain, powers);
            let least = shaped.iter().copied().min_by(|a, b| value(*a).total_cmp(&value(*b)));
            let is_better =
                |&at: &usize| simple.is_none_or(|simple| value(at) < value(simple) * (1.0 - LITTLE));
            best.push((label, least.filter(is_better).or(simple)));
        }
        if let Some(given) = given {
            let far =
                |at: &usize| objectives.get(*at).map_or(f64::INFINITY, |own| factor(own, &given.objectives));
            best.push(("closest", plain.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))));
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
}
