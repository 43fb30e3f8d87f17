//! Where the values of each field come from in a profile.

use super::landing::{Landing, NOWHERE};
use super::numbers::{histogram, round_step, stride};
use super::period::describe;
use super::values::Values;
use super::words::Words;
use crate::bytes::sort::{sort, sort_by_key};
use crate::design::Study;
use crate::records::field::{Field, Kind};
use crate::records::generate::{
    Entities, GeneratedField, GeneratorSpec, Random, Rhythm, Shares, ValueSource, is_hex, made_up, shape_of,
};
use crate::records::{Column, ColumnValues, Records};

/// Made-up values tried for one of the records.
const CANDIDATES: usize = 32;
/// Records that a made-up value is tried on.
const TRIED_ON: usize = 4;
/// Records with rarer values that are looked at for where they land.
const TAIL: usize = 256;
/// Most values to draw from, of one field.
const MOST_THINGS: u64 = 8_000_000;
/// Values looked at for the shape of their length.
const SHAPED: usize = 2000;
/// From this share of neighboring records on, a value follows the order of the records.
const FOLLOWS: f64 = 0.95;

/// How much of the records is described.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Values of a field.
    values: usize,
    /// Sources of its other values.
    rest: usize,
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
    study: &'a Study,
    landing: Option<&'a Landing<'a>>,
    words: &'a Words,
    limits: Limits,
    random: Random,
    /// Records in the order of arrival; as they come where that is not known.
    order: Vec<u32>,
}

impl<'a> FieldSources<'a> {
    /// For these records; `words` are the texts that the document names.
    pub fn new(
        records: &'a Records,
        study: &'a Study,
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

    /// True if a key is made of a field, or it tells when records arrive or whether they are written.
    fn is_of_keys(&self, name: &str) -> bool {
        let field = self.study.fields.iter().position(|field| field.name == name);
        let mut parts = self.study.tables.iter().flat_map(|design| &design.typed.parts);
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
        let stand_ins = self.stand_ins(index, field, &values, &top, stride, named);
        let weight = |place: usize| values.counts.get(place).copied().unwrap_or_default();
        let shown: Vec<(String, u32)> =
            stand_ins.into_iter().zip(&top).map(|(text, &place)| (text, weight(place))).collect();
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

    /// Made-up values in the place of some: of the same length and alphabet, and where they can be, in the same regions.
    fn stand_ins(
        &mut self,
        index: usize,
        field: &Field,
        values: &Values,
        top: &[usize],
        stride: (i64, i64),
        named: bool,
    ) -> Vec<String> {
        let hex = top.iter().filter_map(|&place| values.texts.get(place)).all(|text| is_hex(text));
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); top.len()];
        if self.landing.is_some() && named {
            for (row, place) in (0..).zip(&values.of_row) {
                let number = top.iter().position(|top| *top == *place as usize);
                let own = number.and_then(|number| rows.get_mut(number));
                if let Some(own) = own.filter(|own| own.len() < TAIL) {
                    own.push(row);
                }
            }
        }
        let mut tried: Vec<(usize, String)> = Vec::new();
        let mut changed: Vec<(u32, String)> = Vec::new();
        for (number, &place) in top.iter().enumerate() {
            let Some(text) = values.texts.get(place) else { continue };
            if field.kind == Kind::Boolean || self.is_named(text) {
                tried.push((number, text.clone()));
                changed.extend(vec![(0, text.clone()); TRIED_ON]);
                continue;
            }
            let rows = rows.get(number).map(Vec::as_slice).unwrap_or_default();
            let start = match (rows.first(), self.landing) {
                (Some(&row), Some(landing)) if field.kind == Kind::Text => landing.start(landing.of(row)),
                _ => String::new(),
            };
            let length = text.chars().count();
            for attempt in 0..if rows.is_empty() { 1 } else { CANDIDATES } {
                let mut candidate = self.candidate(text, field, hex, stride, values);
                if attempt % 2 == 1 && !start.is_empty() && length > 1 {
                    // Begins as the keys of its region do.
                    let kept = attempt / 2 % (length - 1) + 1;
                    candidate = self.begun(&start, kept, &candidate, values).unwrap_or(candidate);
                }
                let each = (rows.len() / TRIED_ON).max(1);
                let on = rows.iter().step_by(each).chain(std::iter::repeat(&0)).take(TRIED_ON);
                changed.extend(on.map(|&row| (row, candidate.clone())));
                tried.push((number, candidate));
            }
        }
        let landed = self.landing.filter(|_| named).map(|landing| landing.with(index, &changed));
        let score = |number: usize| match (&landed, self.landing) {
            (Some(landed), Some(landing)) => {
                let on = number * TRIED_ON..(number + 1) * TRIED_ON;
                let pairs = changed.get(on.clone()).unwrap_or_default().iter();
                let pairs = pairs.zip(landed.get(on).unwrap_or_default());
                pairs.filter(|((row, _), region)| landing.of(*row) == **region).count()
            }
            _ => 0,
        };
        let mut taken: Vec<String> = Vec::new();
        for number in 0..top.len() {
            let own =
                tried.iter().enumerate().filter(|(_, (of, text))| *of == number && !taken.contains(text));
            let mut best: Option<(usize, &String)> = None;
            for (place, (_, text)) in own {
                let score = score(place);
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, text));
                }
            }
            let fallback = tried.iter().find(|(of, _)| *of == number).map(|(_, text)| text);
            taken.push(best.map(|(_, text)| text).or(fallback).cloned().unwrap_or_default());
        }
        taken
    }

    /// A made-up value like `text` that no record has, where chance finds one.
    fn candidate(
        &mut self,
        text: &str,
        field: &Field,
        hex: bool,
        (stride, rest): (i64, i64),
        values: &Values,
    ) -> String {
        let mut made = String::new();
        for _ in 0..CANDIDATES {
            made = match field.kind {
                Kind::Text => made_up(&shape_of([text].into_iter(), hex), &mut self.random),
                Kind::Bytes => bytes_like(text, field, &mut self.random),
                _ => number_like(text, &mut self.random),
            };
            if field.kind == Kind::Integer
                && stride > 1
                && let Ok(number) = made.parse::<i64>()
            {
                made = (number - number.rem_euclid(stride) + rest).to_string();
            }
            let is_value = match field.kind {
                Kind::Integer => {
                    made.parse().is_ok_and(|number| values.numbers.binary_search(&number).is_ok())
                }
                Kind::Text | Kind::Bytes => values.within(&made),
                _ => values.texts.contains(&made),
            };
            if !is_value {
                break;
            }
        }
        made
    }

    /// A made-up value that begins with some characters of a region's start key, and is none of the records'. Where all like
    /// it are, it ends in a letter.
    fn begun(&mut self, start: &str, kept: usize, made: &str, values: &Values) -> Option<String> {
        let free = |text: &String| !values.within(text);
        let begun: String = start.chars().take(kept).chain(made.chars().skip(kept)).collect();
        if begun.chars().count() != made.chars().count() {
            return None;
        }
        if free(&begun) {
            return Some(begun);
        }
        let mut ended = begun;
        ended.pop()?;
        ended.push_str(&made_up("a", &mut self.random));
        Some(ended).filter(free)
    }

    fn is_named(&self, text: &str) -> bool {
        self.words.names(text)
    }

    /// The shapes of the other values, by their length; by where they land, too, where their characters decide that.
    fn shapes(
        &mut self,
        index: usize,
        field: &Field,
        values: &Values,
        top: &[usize],
        named: bool,
    ) -> Vec<(ValueSource, u32)> {
        let all = values.counts.iter().enumerate();
        let places: Vec<usize> = all
            .filter(|(place, count)| **count > 0 && !top.contains(place))
            .map(|(place, _)| place)
            .collect();
        let texts = || places.iter().filter_map(|&place| values.texts.get(place));
        let hex = texts().take(SHAPED).all(|text| is_hex(text));
        let mut lengths: Vec<(u32, usize)> = Vec::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for &place in &places {
            let length = values.texts.get(place).map_or(0, |text| text.chars().count());
            let rows = values.counts.get(place).copied().unwrap_or_default();
            let at = lengths.iter().position(|(_, other)| *other == length).unwrap_or_else(|| {
                lengths.push((0, length));
                members.push(Vec::new());
                lengths.len() - 1
            });
            if let Some((sum, _)) = lengths.get_mut(at) {
                *sum += rows;
            }
            if let Some(members) = members.get_mut(at) {
                members.push(place);
            }
        }
        let mut parts: Vec<(u32, Entities)> = Vec::new();
        for ((rows, _), members) in lengths.iter().zip(&members) {
            let shown = members.iter().take(SHAPED).filter_map(|&place| values.texts.get(place));
            let shape = match field.kind {
                Kind::Bytes => shape_of_bytes(shown.map(String::as_str), field),
                Kind::Text => shape_of(shown.map(String::as_str), hex),
                _ => shape_of_number(shown.map(String::as_str)),
            };
            let rows_of = |place: &usize| values.counts.get(*place).copied().unwrap_or_default();
            let count = drawn_from(members.iter().map(rows_of)).min(MOST_THINGS / lengths.len() as u64);
            parts.push((*rows, Entities { count, shape, ..Default::default() }));
        }
        sort_by_key(&mut parts, |(rows, _)| std::cmp::Reverse(*rows));
        let most = if named { self.limits.rest } else { 2 };
        parts.truncate(most.max(1));
        let by_region =
            if named && field.kind == Kind::Text { self.by_region(index, values, top, &parts) } else { None };
        let parts = by_region.unwrap_or(parts);
        parts.into_iter().map(|(rows, entities)| (source_of(entities, field), rows)).collect()
    }

    /// The same divided by regions, with made-up beginnings that land there; `None` where any text of the shape lands alike.
    fn by_region(
        &mut self,
        index: usize,
        values: &Values,
        top: &[usize],
        parts: &[(u32, Entities)],
    ) -> Option<Vec<(u32, Entities)>> {
        let landing = self.landing?;
        let rows = (0..).zip(&values.of_row).filter(|(_, place)| !top.contains(&(**place as usize)));
        let rows: Vec<(u32, u32)> = rows
            .map(|(row, &place)| (row, place))
            .filter(|(row, place)| landing.of(*row) != NOWHERE && (*place as usize) < values.texts.len())
            .collect();
        let rows: Vec<(u32, u32)> = rows.iter().step_by(rows.len().div_ceil(TAIL).max(1)).copied().collect();
        if rows.is_empty() {
            return None;
        }
        let main = &parts.first()?.1;
        let shape_for = |place: u32| {
            let length = values.texts.get(place as usize).map_or(0, |text| text.chars().count());
            let fits = parts.iter().find(|(_, entities)| entities.shape.chars().count() == length);
            &fits.map_or(main, |(_, entities)| entities).shape
        };
        let filled: Vec<(u32, String)> =
            rows.iter().map(|&(row, place)| (row, made_up(shape_for(place), &mut self.random))).collect();
        let mut apart: Vec<i64> = vec![0; landing.count()];
        let mut add = |region: u32, one: i64| {
            if let Some(count) = apart.get_mut(region as usize) {
                *count += one;
            }
        };
        rows.iter().for_each(|&(row, _)| add(landing.of(row), 1));
        landing.with(index, &filled).into_iter().for_each(|region| add(region, -1));
        let apart =
            apart.iter().map(|count| count.unsigned_abs()).sum::<u64>() as f64 / 2.0 / rows.len() as f64;
        let chance = (landing.count().min(rows.len()) as f64 / rows.len() as f64).sqrt() * 0.6;
        if apart <= 0.08 + chance {
            return None;
        }
        let mut regions: Vec<u32> = rows.iter().map(|&(row, _)| landing.of(row)).collect();
        sort(&mut regions);
        let mut runs: Vec<(usize, u32)> = Vec::new();
        for region in regions {
            match runs.last_mut() {
                Some((count, last)) if *last == region => *count += 1,
                _ => runs.push((1, region)),
            }
        }
        sort_by_key(&mut runs, |(count, _)| std::cmp::Reverse(*count));
        let all: u32 = parts.iter().map(|(rows, _)| rows).sum();
        let things: u64 = parts.iter().map(|(_, entities)| entities.count).sum();
        let share = |whole: u64, count: usize| whole * count as u64 / rows.len() as u64;
        let mut found = Vec::new();
        let mut others = 0;
        for (count, region) in runs {
            let lead = if found.len() < self.limits.rest {
                self.lead(index, landing, region, &rows, &main.shape)
            } else {
                None
            };
            let Some(lead) = lead else {
                others += count;
                continue;
            };
            let shape: String = main.shape.chars().skip(lead.chars().count()).collect();
            let count_of = share(things, count).max(1);
            let mut entities = Entities { count: count_of, prefix: lead, shape, ..Default::default() };
            if entities.shape.is_empty() {
                entities.count = 1;
            }
            found.push((share(all.into(), count) as u32, entities));
        }
        if others > 0 {
            found.push((share(all.into(), others) as u32, main.clone()));
        }
        Some(found)
    }

    /// A made-up beginning of texts that land in a region.
    fn lead(
        &mut self,
        index: usize,
        landing: &Landing,
        region: u32,
        rows: &[(u32, u32)],
        shape: &str,
    ) -> Option<String> {
        let own: Vec<u32> =
            rows.iter().map(|(row, _)| *row).filter(|&row| landing.of(row) == region).collect();
        let own: Vec<u32> = own.iter().step_by(own.len().div_ceil(TRIED_ON).max(1)).copied().collect();
        let mut leads = Vec::new();
        let length = shape.chars().count();
        for number in 0..CANDIDATES {
            let kept: String = shape.chars().take((1 + number % 4).min(length)).collect();
            leads.push(made_up(&kept, &mut self.random));
        }
        let start: String = landing.start(region).chars().take(length).collect();
        if !start.is_empty() {
            leads.push(start);
        }
        let mut changed = Vec::new();
        for lead in &leads {
            let rest: String = shape.chars().skip(lead.chars().count()).collect();
            for row in &own {
                changed.push((*row, format!("{lead}{}", made_up(&rest, &mut self.random))));
            }
        }
        let landed = landing.with(index, &changed);
        let landed =
            landed.chunks(own.len().max(1)).map(|chunk| chunk.iter().filter(|one| **one == region).count());
        let (score, lead) = landed.zip(&leads).max_by_key(|(score, _)| *score)?;
        (score * 3 >= own.len() * 2).then(|| lead.clone())
    }
}

/// The times of arrival, and their column; those of another field where the document names none.
fn arrival<'a>(records: &'a Records, study: &Study) -> Option<(&'a [i64], &'a Column)> {
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

/// A number of the same digits.
fn number_like(text: &str, random: &mut Random) -> String {
    let mut first = true;
    let digit = |char: char| {
        if !char.is_ascii_digit() {
            return char;
        }
        let least = u8::from(first && char != '0');
        first = false;
        char::from(b'0' + least + random.below(10 - u64::from(least)) as u8)
    };
    text.chars().map(digit).collect()
}

/// Bytes of the same number, in the notation of the field.
fn bytes_like(text: &str, field: &Field, random: &mut Random) -> String {
    let shape = shape_of_bytes([text].into_iter(), field);
    if is_escaped(field) {
        return shape.chars().map(|_| format!("\\x{}", made_up("XX", random))).collect();
    }
    made_up(&shape, random)
}

/// True if bytes are written in the notation of the shell.
fn is_escaped(field: &Field) -> bool {
    field.kind == Kind::Bytes && field.format.as_deref().is_none_or(|format| format == "escaped")
}

fn shape_of_bytes<'t>(mut texts: impl Iterator<Item = &'t str>, field: &Field) -> String {
    let text = texts.next().unwrap_or_default();
    if !is_escaped(field) {
        return text.chars().map(|char| if char.is_ascii_hexdigit() { 'x' } else { char }).collect();
    }
    let bytes = crate::bytes::row::from_string_binary(text).unwrap_or_default();
    // `~` stands for a byte until the notation is written.
    "~".repeat(bytes.len())
}

fn shape_of_number<'t>(mut texts: impl Iterator<Item = &'t str>) -> String {
    let text = texts.next().unwrap_or_default();
    text.chars().map(|char| if char.is_ascii_digit() { '9' } else { char }).collect()
}

/// How many values there are to draw from so that about as many come as did, after Chao (1984): from those that came once
/// and those that came twice.
fn drawn_from(counts: impl Iterator<Item = u32>) -> u64 {
    let (mut all, mut once, mut twice) = (0u64, 0u64, 0u64);
    for count in counts {
        all += 1;
        once += u64::from(count == 1);
        twice += u64::from(count == 2);
    }
    (all + once * once.saturating_sub(1) / (2 * (twice + 1))).max(1)
}

fn source_of(entities: Entities, field: &Field) -> ValueSource {
    match is_escaped(field) {
        true => ValueSource::Text("\\x**".repeat(entities.shape.len())),
        false => ValueSource::Entity(entities),
    }
}
