//! What a formula may name: fields, sub-formulas with a name, lookup tables.

use super::check::{Checker, Valued};
use super::lookup::Lookups;
use super::refused::at;
use super::syntax::{Formula, Given, Source, Term};
use super::typed::{Expression, Typed};
use crate::base::Problem;
use crate::base::map::{Map, Set};
use crate::records::field::shape::{Alphabet, Order, Shape, Width, decimal_width};
use crate::records::field::time::{DAY, TimeFormat};
use crate::records::field::{Field, Kind};

/// Most values that the sub-formulas of one formula may come to: names within names grow fast.
pub(super) const MAX_VALUES: usize = 1000;

/// What formulas are checked against.
pub struct Scope<'a> {
    pub(super) fields: &'a [Field],
    pub(super) lookups: Lookups,
    pub(super) named: Map<String, Named>,
}

/// A sub-formula with a name.
pub(super) struct Named {
    /// Its parts, each with its text: one of any kind, or several of which each is text or bytes.
    pub parts: Vec<(Valued, String)>,
    /// Number of sources and steps in it.
    pub size: usize,
}

impl<'a> Scope<'a> {
    /// Fields and lookup tables.
    pub fn new(fields: &'a [Field], lookups: Lookups) -> Self {
        Self { fields, lookups, named: Map::new() }
    }

    /// Adds sub-formulas, which may name each other in any order.
    ///
    /// # Errors
    /// All that is wrong, each with the name of its sub-formula: a name that is also a field, sub-formulas made of
    /// themselves, what [`Self::check`] refuses.
    pub fn name(&mut self, formulas: &Map<String, Formula>) -> Result<(), Vec<(String, Problem)>> {
        let mut problems = Vec::new();
        let mut pending: Map<&str, (&Formula, Set<&str>)> = Map::new();
        for (name, formula) in formulas {
            if self.fields.iter().any(|field| field.name == *name) {
                problems.push((name.clone(), Problem::new("design.let-is-field").with("name", name)));
            }
            let mut uses = Set::new();
            formula.parts.iter().for_each(|part| names(part, &mut uses));
            uses.retain(|used| formulas.contains_key(*used));
            pending.insert(name, (formula, uses));
        }
        // Those that are wrong: what uses them is not looked at.
        let mut wrong: Set<&str> = Set::new();
        while !pending.is_empty() {
            let waits = |uses: &Set<&str>| uses.iter().any(|used| pending.contains_key(used));
            let ready: Vec<&str> =
                pending.iter().filter(|(_, (_, uses))| !waits(uses)).map(|(&name, _)| name).collect();
            if ready.is_empty() {
                let cycle = cycle(&pending);
                let first = cycle.first().copied().unwrap_or_default();
                let round = [&cycle[..], &[first]].concat().join(", ");
                let problem = Problem::new("design.let-cycle").with("name", first).with("round", round);
                problems.push((first.to_owned(), problem));
                for name in cycle {
                    pending.remove(name);
                    wrong.insert(name);
                }
            }
            for name in ready {
                let Some((formula, uses)) = pending.remove(name) else { continue };
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

    fn named(&self, formula: &Formula) -> Result<Named, Vec<Problem>> {
        let rest = formula.parts.iter().find(|part| part.uses_of_rest() > 0);
        if let Some(part) = rest {
            return Err(vec![at(part.span, Problem::new("formula.rest-in-let"))]);
        }
        let mut checker = Checker::new(self);
        let parts: Vec<(Valued, String)> = match formula.parts.as_slice() {
            [part] if !self.is_several(part) => {
                let value = checker.term(part).map_err(|problem| vec![problem])?;
                vec![(value, part.to_string())]
            }
            _ => checker.written_parts(formula)?.into_iter().map(|part| (part.value, part.text)).collect(),
        };
        let size = parts.iter().map(|((expression, ..), _)| size(expression)).sum();
        Ok(Named { parts, size })
    }

    /// Whether a term is nothing but the name of several parts.
    fn is_several(&self, term: &Term) -> bool {
        self.several(term).is_some()
    }

    /// The sub-formula of several parts that a term names, and nothing else.
    pub(super) fn several(&self, term: &Term) -> Option<&Named> {
        let Source::Field(name) = &term.source else { return None };
        self.named.get(name).filter(|named| term.steps.is_empty() && named.parts.len() > 1)
    }

    /// Checks a formula.
    ///
    /// # Errors
    /// All that is wrong, each with its columns: unknown names and steps (with the nearest known name), steps that do
    /// not fit the value before them (with those that would), wrong arguments.
    pub fn check(&self, formula: &Formula) -> Result<Typed, Vec<Problem>> {
        Checker::new(self).check(formula)
    }
}

/// Number of sources and steps.
fn size(expression: &Expression) -> usize {
    1 + expression.inputs().iter().map(size).sum::<usize>()
}

/// The names in a term.
fn names<'t>(term: &'t Term, all: &mut Set<&'t str>) {
    match &term.source {
        Source::Field(name) => drop(all.insert(name)),
        Source::Call(call) => {
            for argument in &call.arguments {
                if let Given::Term(term) = &argument.value {
                    names(term, all);
                }
            }
        }
        Source::Text(_) | Source::Bytes(_) | Source::Rest => {}
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

/// What is known of a field before any step.
pub(super) fn field_shape(field: &Field) -> Result<Shape, Problem> {
    let times = match (field.kind, &field.format) {
        (Kind::Time, Some(format)) => Some(TimeFormat::parse(format, field.zone.as_deref())?),
        (Kind::Time, None) => return Err(Problem::new("field.time-without-format").at_field(&field.name)),
        _ => None,
    };
    let range = match field.kind {
        Kind::Boolean => Some((0, 1)),
        _ => times.as_ref().map(TimeFormat::range),
    };
    Ok(Shape {
        kind: field.kind,
        order: Order::Strict,
        one_to_one: true,
        distinct: (field.kind == Kind::Boolean).then_some(2),
        width: match (field.kind, field.format.as_deref()) {
            (Kind::Bytes, Some("uuid")) => Width::fixed(16),
            (kind, _) if kind.is_fixed() => decimal_width(range),
            _ => field.width.map_or(Width::UNBOUNDED, |width| Width::fixed(width.into())),
        },
        alphabet: if field.kind == Kind::Text { Alphabet::UTF8 } else { Alphabet::ALL },
        by_position: Vec::new(),
        range,
        offset: times.as_ref().map_or(0, TimeFormat::offset),
        unit: times.as_ref().map_or(1, |format| format.resolution().min(DAY)),
        terminator: None,
        prefix_free: false,
        keeps: None,
        scale: matches!(field.kind, Kind::Integer | Kind::Time).then_some(1),
    })
}
