//! Sub-formulas with a name, which may use each other: each is checked after those that it uses.

use super::check::FormulaChecker;
use super::refused::at;
use super::scope::{CheckedValue, NamedFormula, Scope};
use super::syntax::{Formula, GivenArgument, Term, TermSource};
use super::typed::Expression;
use crate::base::Problem;
use crate::base::map::{Map, Set};
use crate::records::field::Field;

/// Bytes of a text that count as another source.
const LONG: usize = 64;

impl Scope<'_> {
    /// Adds sub-formulas, which may name each other in any order.
    ///
    /// # Errors
    /// All that is wrong, each with the name of its sub-formula: a name that is also a field, sub-formulas made of
    /// themselves, what [`Self::check`] refuses.
    pub fn name(&mut self, formulas: &Map<String, Formula>) -> Result<(), Vec<(String, Problem)>> {
        let mut problems = Vec::new();
        let mut pending: Map<&str, (&Formula, Set<&str>)> = Map::new();
        for (name, formula) in formulas {
            if self.field(name).is_some() {
                problems.push((name.clone(), Problem::new("design.let-is-field").with("name", name)));
            }
            let mut uses = Set::new();
            formula.parts.iter().for_each(|part| names(part, &mut uses));
            uses.retain(|used| formulas.contains_key(*used));
            pending.insert(name, (formula, uses));
        }
        // Those that are wrong: what uses them is not looked at.
        let mut wrong: Set<&str> = Set::new();
        let mut order = LetOrder::of(&pending);
        while !pending.is_empty() {
            let ready = std::mem::take(&mut order.ready);
            if ready.is_empty() {
                let cycle = cycle(&pending);
                let first = cycle.first().copied().unwrap_or_default();
                let round = [&cycle[..], &[first]].concat().join(", ");
                let problem = Problem::new("design.let-cycle").with("name", first).with("round", round);
                problems.push((first.to_owned(), problem));
                for name in cycle {
                    pending.remove(name);
                    wrong.insert(name);
                    order.settle(name);
                }
            }
            for name in ready {
                let Some((formula, uses)) = pending.remove(name) else { continue };
                order.settle(name);
                if uses.iter().any(|used| wrong.contains(used)) {
                    wrong.insert(name);
                    continue;
                }
                match self.named(formula) {
                    Ok(named) => drop(self.named.insert(name.to_owned(), named)),
                    Err(all) => {
                        wrong.insert(name);
                        problems.extend(all.into_iter().map(|problem| (name.to_owned(), problem)));
                    }
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn named(&self, formula: &Formula) -> Result<NamedFormula, Vec<Problem>> {
        let rest = formula.parts.iter().find(|part| part.uses_of_rest() > 0);
        if let Some(part) = rest {
            return Err(vec![at(part.span, Problem::new("formula.rest-in-let"))]);
        }
        let mut checker = FormulaChecker::new(self);
        let parts: Vec<(CheckedValue, String)> = match formula.parts.as_slice() {
            [part] if !self.is_several(part) => {
                let value = checker.term(part).map_err(|problem| vec![problem])?;
                vec![(value, part.to_string())]
            }
            _ => checker.written_parts(formula)?.into_iter().map(|part| (part.value, part.text)).collect(),
        };
        let size = parts.iter().map(|((expression, ..), _)| size(expression, self.fields)).sum();
        Ok(NamedFormula { parts, size })
    }
}

/// The order in which sub-formulas can be checked, worked out in one pass over the names they use.
struct LetOrder<'n> {
    /// Those that wait for no other, and have not been taken yet.
    ready: Vec<&'n str>,
    /// For how many others each waits.
    waits: Map<&'n str, usize>,
    /// Those that wait for each.
    users: Map<&'n str, Vec<&'n str>>,
}

impl<'n> LetOrder<'n> {
    fn of(pending: &Map<&'n str, (&Formula, Set<&'n str>)>) -> Self {
        let waits: Map<&str, usize> = pending.iter().map(|(&name, (_, uses))| (name, uses.len())).collect();
        let mut users: Map<&str, Vec<&str>> = Map::new();
        for (&name, (_, uses)) in pending {
            uses.iter().for_each(|&used| users.change(used, |users| users.push(name)));
        }
        let ready = waits.iter().filter(|(_, count)| **count == 0).map(|(&name, _)| name).collect();
        Self { ready, waits, users }
    }

    /// A sub-formula is done with: those that waited for it alone are ready.
    fn settle(&mut self, name: &str) {
        for user in self.users.remove(name).unwrap_or_default() {
            let left = self.waits.get(user).map_or(0, |count| count.saturating_sub(1));
            self.waits.insert(user, left);
            if left == 0 {
                self.ready.push(user);
            }
        }
    }
}

/// Number of sources and steps; a long text or name counts as several, as each step behind it holds it.
fn size(expression: &Expression, fields: &[Field]) -> usize {
    let length = match expression {
        Expression::Literal(bytes) => bytes.len(),
        Expression::Field { index, .. } => fields.get(*index).map_or(0, |field| field.name.len()),
        _ => 0,
    };
    1 + length / LONG + expression.inputs().iter().map(|input| size(input, fields)).sum::<usize>()
}

/// The names in a term.
fn names<'t>(term: &'t Term, all: &mut Set<&'t str>) {
    match &term.source {
        TermSource::Field(name) => drop(all.insert(name)),
        TermSource::Call(call) => {
            for argument in &call.arguments {
                if let GivenArgument::Term(term) = &argument.value {
                    names(term, all);
                }
            }
        }
        TermSource::Text(_) | TermSource::Bytes(_) | TermSource::Rest => {}
    }
}

/// Names that lead round to the first, when every name waits for another.
fn cycle<'n>(pending: &Map<&'n str, (&Formula, Set<&'n str>)>) -> Vec<&'n str> {
    let mut way: Vec<&str> = Vec::new();
    let mut seen = Set::new();
    let mut name = pending.keys().next().copied();
    while let Some(here) = name.filter(|here| seen.insert(*here)) {
        way.push(here);
        let uses = pending.get(here).map(|(_, uses)| uses);
        name = uses.and_then(|uses| uses.iter().find(|used| pending.contains_key(*used)).copied());
    }
    let start = way.iter().position(|&known| Some(known) == name).unwrap_or(0);
    way.split_off(start)
}
