//! Where the values of each field come from in a profile.

use super::landing::Landing;
use super::numbers::{histogram, round_step, stride};
use super::period::describe;
use super::values::Values;
use super::words::Words;
use crate::bytes::sort::sort;
use crate::design::Document;
use crate::records::field::{Field, Kind};
use crate::records::generate::{
    GeneratedField, GeneratorSpec, Random, Rhythm, Shares, ValueSource, made_up, shape_of,
};
use crate::records::{Column, ColumnValues, Records};

/// Made-up values tried for one of the records.
pub(super) const CANDIDATES: usize = 32;
/// Records that a made-up value is tried on.
pub(super) const TRIED_ON: usize = 4;
/// Records with rarer values that are looked at for where they land.
pub(super) const TAIL: usize = 256;
/// From this share of neighboring records on, a value follows the order of the records.
const FOLLOWS: f64 = 0.95;

/// How much of the records is described.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Values of a field.
    values: usize,
    /// Sources of its other values.
    pub(super) rest: usize,
    /// Weights of the curve.
    curve: usize,
    /// The fields described.
    fields: Described,
}

/// Fields that are described.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Described {
    /// Those that a key is made of, and the time of arrival.
    OfKeys,
    /// Those, and what queries name.
    Named,
    All,
}

impl Limits {
    /// From most to least: the first that fits is taken.
    pub const LADDER: [Self; 10] = [
        Self { values: 64, rest: 12, curve: 240, fields: Described::All },
        Self { values: 40, rest: 12, curve: 168, fields: Described::Named },
        Self { values: 24, rest: 12, curve: 168, fields: Described::Named },
        Self { values: 16, rest: 8, curve: 120, fields: Described::Named },
        Self { values: 10, rest: 6, curve: 84, fields: Described::Named },
        Self { values: 6, rest: 4, curve: 48, fields: Described::Named },
        Self { values: 3, rest: 2, curve: 24, fields: Described::Named },
        Self { values: 0, rest: 1, curve: 12, fields: Described::Named },
        Self { values: 16, rest: 4, curve: 48, fields: Described::OfKeys },
        Self { values: 0, rest: 1, curve: 12, fields: Described::OfKeys },
    ];
}

/// Describes the fields of records.
pub struct FieldSources<'a> {
    records: &'a Records,
    study: &'a Document,
    pub(super) landing: Option<&'a Landing<'a>>,
    words: &'a Words,
    pub(super) limits: Limits,
    pub(super) random: Random,
    /// Records in the order of arrival; as they come where that is not known.
    order: Vec<u32>,
}

impl<'a> FieldSources<'a> {
    /// For these records; `words` are the texts that the document names.
    pub fn new(
        records: &'a Records,
        study: &'a Document,
        landing: Option<&'a Landing<'a>>,
        words: &'a Words,
        limits: Limits,
    ) -> Self {
        let mut order: Vec<u32> = (0..records.rows as u32).collect();
        if let Some((times, column)) = arrival(records, study) {
            order.retain(|&row| !column.invalid.get(row as usize));
            let time = |row: &u32| times.get(*row as usize).copied().unwrap_or_default();
            order.sort_by_key(time);
        }
        Self { records, study, landing, words, limits, random: Random::new(records.rows as u64), order }
    }

    /// Records that land alike.
    pub fn description(&mut self) -> GeneratorSpec {
        let mut spec =
            GeneratorSpec { rows: self.records.rows as u64, rhythm: Rhythm::Flat, ..Default::default() };
        if let Some((times, _)) = arrival(self.records, self.study) {
            let ascending: Vec<i64> =
                self.order.iter().filter_map(|&row| times.get(row as usize).copied()).collect();
            describe(&ascending, self.limits.curve, &mut spec);
        }
        let named = self.study.named_fields();
        for (index, column) in self.records.columns.iter().enumerate() {
            let name = &column.field.name;
            let Some(field) = self.study.fields.iter().find(|field| field.name == *name) else { continue };
            let used = if self.is_of_keys(name) {
                Described::OfKeys
            } else if named.contains(&name.as_str()) {
                Described::Named
            } else {
                Described::All
            };
            if used > self.limits.fields {
                continue;
            }
            let is_named = used < Described::All;
            let missing = column.invalid.count() * 10_000 / (self.records.rows as u64).max(1);
            spec.fields.push(GeneratedField {
                name: name.clone(),
                from: self.source(index, column, field, is_named),
                kind: None,
                format: None,
                zone: None,
                missing: missing as u32,
            });
        }
        spec
    }

    /// True if a key or a qualifier is made of a field, or it tells when records arrive or whether they are written.
    fn is_of_keys(&self, name: &str) -> bool {
        let field = self.study.fields.iter().position(|field| field.name == name);
        let mut parts = self.study.tables.iter().flat_map(|design| design.typed.named_parts());
        self.study.arrival.as_deref() == Some(name)
            || self.study.operation.as_ref().is_some_and(|operation| operation.field == name)
            || field.is_some_and(|field| parts.any(|part| part.fields.contains(&field)))
    }

    fn source(&mut self, index: usize, column: &Column, field: &Field, named: bool) -> ValueSource {
        let is_time = field.kind == Kind::Time;
        if is_time && self.follows_arrival(column) {
            return ValueSource::Arrival;
        }
        let values = Values::of(column);
        let is_number = matches!(field.kind, Kind::Integer | Kind::Time);
        if named && let Some(sequence) = self.sequence(&values, field) {
            return sequence;
        }
        let most = if is_time { 0 } else { self.limits.values };
        let top = values.top(if named { most } else { most.min(4) });
        let stride = if is_number { stride(&values.numbers) } else { (1, 0) };
        let surrogates = self.surrogates(index, field, &values, &top, stride, named);
        let weight = |place: usize| values.counts.get(place).copied().unwrap_or_default();
        let shown: Vec<(String, u32)> =
            surrogates.into_iter().zip(&top).map(|(text, &place)| (text, weight(place))).collect();
        let rest = if is_number {
            let all = values.numbers.iter().zip(&values.counts).enumerate();
            let others: Vec<(i64, u32)> = all
                .filter(|(place, (_, count))| **count > 0 && !top.contains(place))
                .map(|(_, (number, count))| (*number, *count))
                .collect();
            histogram(&others, stride, if named { 2 * self.limits.rest } else { 2 })
        } else {
            self.shapes(index, field, &values, &top, named)
        };
        let repeat = if named { values.repeats(&self.order) } else { 0 };
        if shown.is_empty() && rest.is_empty() {
            // No record has a value.
            return ValueSource::Choice(vec![String::new()]);
        }
        match (shown.is_empty(), rest.as_slice()) {
            (true, [(source, _)]) if repeat == 0 => source.clone(),
            _ => ValueSource::Shares(Shares { values: shown, rest, repeat }),
        }
    }

    /// True if the times of a column are those of arrival, or never far from them.
    fn follows_arrival(&self, column: &Column) -> bool {
        let Some((arrivals, arrival)) = arrival(self.records, self.study) else {
            return true;
        };
        let ColumnValues::Integers(times) = &column.values else { return true };
        if arrival.field.name == column.field.name {
            return true;
        }
        let time = |row: Option<&u32>| row.and_then(|&row| arrivals.get(row as usize)).copied();
        let span = time(self.order.last()).zip(time(self.order.first())).map_or(0, |(a, b)| a.abs_diff(b));
        let valid = self.order.iter().filter(|&&row| !column.invalid.get(row as usize));
        let (near, all) = valid.fold((0u32, 0u32), |(near, all), &row| {
            let row = row as usize;
            let apart = times.get(row).zip(arrivals.get(row)).map_or(0, |(a, b)| a.abs_diff(*b));
            (near + u32::from(apart <= span / 20), all + 1)
        });
        near * 10 >= all * 9
    }

    /// Numbers, or texts that end in numbers, that rise with every record or every few.
    fn sequence(&mut self, values: &Values, field: &Field) -> Option<ValueSource> {
        let (rising, not_falling) = values.rising(&self.order);
        let distinct = values.distinct();
        if not_falling < FOLLOWS || distinct < 20 || rising < 0.01 {
            return None;
        }
        let (numbers, prefix, digits) = match field.kind {
            Kind::Integer => (values.numbers.clone(), String::new(), 0),
            Kind::Text => numbered(&values.texts)?,
            _ => return None,
        };
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        let every = (values.rows as usize).div_ceil(distinct).max(1) as u64;
        let steps = (values.rows as u64 / every).saturating_sub(1).max(1);
        let step = (last.abs_diff(first) / steps).max(1) as i64;
        let unit = round_step(last.abs_diff(first), 20);
        let start = first.div_euclid(unit) * unit;
        let prefix = match self.is_named(&prefix) {
            true => prefix,
            false => made_up(&shape_of([prefix.as_str()].into_iter(), false), &mut self.random),
        };
        Some(ValueSource::Sequence { start, step, digits, prefix, every })
    }

    pub(super) fn is_named(&self, text: &str) -> bool {
        self.words.names(text)
    }
}

/// The times of arrival, and their column; those of another field where the document names none.
fn arrival<'a>(records: &'a Records, study: &Document) -> Option<(&'a [i64], &'a Column)> {
    let times = || study.fields.iter().find(|field| field.kind == Kind::Time);
    let name = study.arrival.as_deref().or_else(|| times().map(|field| field.name.as_str()))?;
    let column = records.column(name)?;
    match &column.values {
        ColumnValues::Integers(times) => Some((times, column)),
        ColumnValues::Strings { .. } => None,
    }
}

/// Texts that differ only in the number at their end: the numbers in order, what comes before them, and their digits where
/// those are always as many.
fn numbered(texts: &[String]) -> Option<(Vec<i64>, String, u32)> {
    let first = texts.first()?;
    let digits = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let prefix = first.get(..first.len() - digits(first))?;
    let mut numbers = Vec::new();
    for text in texts {
        let number = text.strip_prefix(prefix)?;
        if number.is_empty() || number.len() > 18 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        numbers.push(number.parse().ok()?);
    }
    let width = first.len() - prefix.len();
    let padded = texts.iter().all(|text| text.len() == first.len());
    // Texts that grow with their number are in another order than their numbers.
    sort(&mut numbers);
    Some((numbers, prefix.to_owned(), if padded { width as u32 } else { 1 }))
}
