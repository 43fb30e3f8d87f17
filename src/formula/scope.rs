//! Names that a formula may use: fields, named sub-formulas, lookup tables.

use super::lookup::Lookups;
use super::syntax::{Term, TermSource};
use super::typed::Expression;
use crate::base::map::Map;
use crate::base::units::DAY;
use crate::base::{Problem, limits};
use crate::records::field::shape::{Alphabet, Order, Shape, Width, decimal_width};
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// Most values that the sub-formulas of one formula may come to.
pub(super) const MAX_VALUES: usize = limits::NAMED_VALUES.most as usize;

/// A value of the formula, its kind and its canonical text.
pub(super) type CheckedValue = (Expression, Kind, String);

/// The names that formulas are checked against.
pub struct Scope<'a> {
    pub(super) fields: &'a [Field],
    /// Place of each field by its name.
    places: HashMap<&'a str, usize>,
    pub(super) lookups: Lookups,
    pub(super) named: Map<String, NamedFormula>,
    /// Sources and steps that all formulas took by name so far.
    spent: Rc<Cell<usize>>,
}

/// A sub-formula with a name.
pub(super) struct NamedFormula {
    /// Its parts, each with its text: one of any kind, or several of which each is text or bytes.
    pub parts: Vec<(CheckedValue, String)>,
    /// Number of sources and steps in it.
    pub size: usize,
}

impl<'a> Scope<'a> {
    /// Fields and lookup tables.
    pub fn new(fields: &'a [Field], lookups: Lookups) -> Self {
        let mut places = HashMap::new();
        for (index, field) in fields.iter().enumerate() {
            places.entry(field.name.as_str()).or_insert(index);
        }
        Self { fields, places, lookups, named: Map::new(), spent: Rc::default() }
    }

    /// The same, where what formulas take by name counts together with that of other scopes.
    pub fn counting(self, spent: &Rc<Cell<usize>>) -> Self {
        Self { spent: spent.clone(), ..self }
    }

    /// Counts sources and steps that a formula takes by name.
    pub(super) fn spend(&self, size: usize) -> Result<(), Problem> {
        self.spent.set(self.spent.get().saturating_add(size));
        limits::ALL_NAMED_VALUES.check(self.spent.get())
    }

    /// The fields.
    pub fn fields(&self) -> &'a [Field] {
        self.fields
    }

    /// The field of that name, and its place.
    pub(super) fn field(&self, name: &str) -> Option<(usize, &'a Field)> {
        let &index = self.places.get(name)?;
        Some((index, self.fields.get(index)?))
    }

    /// True if a term is nothing but the name of several parts.
    pub(super) fn is_several(&self, term: &Term) -> bool {
        self.several(term).is_some()
    }

    /// The sub-formula of several parts that a term names, and nothing else.
    pub(super) fn several(&self, term: &Term) -> Option<&NamedFormula> {
        let TermSource::Field(name) = &term.source else { return None };
        self.named.get(name).filter(|named| term.steps.is_empty() && named.parts.len() > 1)
    }
}

/// Properties of a field before any step.
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
        null: field.nullable.then_some(b"".as_slice()),
    })
}
