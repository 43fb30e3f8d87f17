//! Suggestions whose place depends on a constant of the cost model: with half or twice of it another design takes the place.

use super::builder::SuggestionBuilder;
use super::front::{Objectives, TIE, beats, factor};
use super::measure::{Measured, rate};
use super::scores::DesignScores;
use super::search::{DEAR, TableSet};
use crate::scan::CountedWork;

impl SuggestionBuilder<'_, '_> {
    /// For each of some sets the constants that change its place: another design is then no worse in anything and better in
    /// something, or it is no longer the best in what it is the best in, or is in more.
    pub(super) fn sensitive(&self, sets: &[usize]) -> Vec<Vec<&'static str>> {
        // Those in other shapes come last: the price of their updates is not counted as work.
        let plain = self.plain_sets();
        let scores: Vec<&DesignScores> = plain.iter().map(|set| &set.scores).collect();
        let rowkeys: Vec<Vec<String>> = plain.iter().map(|set| self.rowkeys(set)).collect();
        let held = self.roles(&plain.iter().map(|set| set.objectives).collect::<Vec<_>>(), &scores, &rowkeys);
        let mut all: Vec<Vec<&'static str>> = sets.iter().map(|_| Vec::new()).collect();
        for changed in self.search.options.cost.changed() {
            let reads = |tables: &[&Measured]| self.reads_of(tables, |work| changed.price(work));
            let of_set = |set: &&TableSet| {
                let [writes, _, bytes] = set.objectives;
                [writes, reads(&self.measured_of(set)), bytes]
            };
            let objectives: Vec<Objectives> = plain.iter().map(of_set).collect();
            let alone = self.scored.iter().take(self.plain).map(|of| {
                let [writes, _, bytes] = of.objectives;
                [writes, reads(&[&of.measured]), bytes]
            });
            let others: Vec<Objectives> = objectives.iter().copied().chain(alone).collect();
            let least = objectives.iter().map(|of| of[1]).fold(f64::INFINITY, f64::min);
            let roles = self.roles(&objectives, &scores, &rowkeys);
            for (&place, constants) in sets.iter().zip(&mut all) {
                let beaten = objectives
                    .get(place)
                    .is_some_and(|own| own[1] > DEAR * least || others.iter().any(|of| beats(of, own)));
                let moved = held.iter().zip(&roles).any(|(held, now)| {
                    let pair = (*held).zip(*now).filter(|(held, now)| held != now);
                    pair.filter(|&(held, now)| held == place || now == place).is_some_and(|(held, now)| {
                        let pair = objectives.get(held).zip(objectives.get(now));
                        pair.is_some_and(|(held, now)| factor(held, now) > 1.0 + TIE)
                    })
                });
                if (beaten || moved) && constants.last() != Some(&changed.constant) {
                    constants.push(changed.constant);
                }
            }
        }
        all
    }

    fn measured_of(&self, set: &TableSet) -> Vec<&Measured> {
        set.tables.iter().filter_map(|&at| Some(&self.scored.get(at)?.measured)).collect()
    }

    /// Units per second of all queries, each put to the table that answers it for least.
    fn reads_of(&self, tables: &[&Measured], price: impl Fn(&CountedWork) -> f64) -> f64 {
        let queries = self.search.study.queries.iter().enumerate();
        let of_query = |(index, query): (usize, &crate::design::Query)| {
            let costs = tables.iter().filter_map(|table| Some(price(&table.queries.get(index)?.work)));
            costs.reduce(f64::min).map_or(0.0, |least| rate(query) * least)
        };
        queries.map(of_query).sum::<f64>().max(1e-9)
    }
}
