//! Made-up values that stand for the most frequent ones of a field.

use super::made::{bytes_like, number_like};
use super::sources::{CANDIDATES, FieldSources, TAIL, TRIED_ON};
use super::values::Values;
use crate::records::field::{Field, Kind};
use crate::records::generate::{is_hex, made_up, shape_of};

/// Values that were tried in the place of others.
#[derive(Default)]
struct Attempts {
    /// The place among the values replaced, and the value tried.
    tried: Vec<(usize, String)>,
    /// [`TRIED_ON`] records for each of them, with the value.
    changed: Vec<(u32, String)>,
}

impl Attempts {
    /// Adds a value in the place of one, tried on some of these records; on the first of all where there are none.
    fn add(&mut self, number: usize, text: String, rows: &[u32]) {
        let each = (rows.len() / TRIED_ON).max(1);
        let on = rows.iter().step_by(each).chain(std::iter::repeat(&0)).take(TRIED_ON);
        self.changed.extend(on.map(|&row| (row, text.clone())));
        self.tried.push((number, text));
    }

    /// True if the value was tried.
    fn has(&self, text: &str) -> bool {
        self.tried.iter().any(|(_, tried)| tried == text)
    }

    /// For each of `count` values the one with the highest score that no value before took.
    fn best(&self, count: usize, score: impl Fn(usize) -> usize) -> Vec<String> {
        let mut taken: Vec<String> = Vec::new();
        for number in 0..count {
            let own = self.tried.iter().enumerate();
            let own = own.filter(|(_, (of, text))| *of == number && !taken.contains(text));
            let mut best: Option<(usize, &String)> = None;
            for (place, (_, text)) in own {
                let score = score(place);
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, text));
                }
            }
            let fallback = self.tried.iter().find(|(of, _)| *of == number).map(|(_, text)| text);
            taken.push(best.map(|(_, text)| text).or(fallback).cloned().unwrap_or_default());
        }
        taken
    }
}

impl FieldSources<'_> {
    /// Made-up values in the place of some: of the same length and alphabet, and where they can be, in the same regions.
    pub fn surrogates(
        &mut self,
        index: usize,
        field: &Field,
        values: &Values,
        top: &[usize],
        stride: (i64, i64),
        named: bool,
    ) -> Vec<String> {
        let attempts = self.attempts(field, values, top, stride, &self.rows_with(values, top, named));
        let landed = self.landing.filter(|_| named).map(|landing| landing.with(index, &attempts.changed));
        let score = |attempt: usize| match (&landed, self.landing) {
            (Some(landed), Some(landing)) => {
                let on = attempt * TRIED_ON..(attempt + 1) * TRIED_ON;
                let pairs = attempts.changed.get(on.clone()).unwrap_or_default().iter();
                let pairs = pairs.zip(landed.get(on).unwrap_or_default());
                pairs.filter(|((row, _), region)| landing.of(*row) == **region).count()
            }
            _ => 0,
        };
        attempts.best(top.len(), score)
    }

    /// For each of these values the first records that have it; none where it does not matter where they land.
    fn rows_with(&self, values: &Values, top: &[usize], named: bool) -> Vec<Vec<u32>> {
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
        rows
    }

    /// Made-up values for each of these, and the records that they are tried on.
    fn attempts(
        &mut self,
        field: &Field,
        values: &Values,
        top: &[usize],
        stride: (i64, i64),
        rows: &[Vec<u32>],
    ) -> Attempts {
        let hex = top.iter().filter_map(|&place| values.texts.get(place)).all(|text| is_hex(text));
        let mut attempts = Attempts::default();
        for (number, &place) in top.iter().enumerate() {
            let Some(text) = values.texts.get(place) else { continue };
            if field.kind == Kind::Boolean || self.is_named(text) {
                attempts.add(number, text.clone(), &[]);
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
                if rows.is_empty() && attempts.has(&candidate) {
                    candidate = self.other(text, field, hex, stride, values, &attempts);
                }
                if attempt % 2 == 1 && !start.is_empty() && length > 1 {
                    // Begins as the keys of its region do.
                    let kept = attempt / 2 % (length - 1) + 1;
                    candidate = self.begun(&start, kept, &candidate, values).unwrap_or(candidate);
                }
                attempts.add(number, candidate, rows);
            }
        }
        attempts
    }

    /// A made-up value that none before it is; of numbers as short as `text` there can be too few, then one of a digit more.
    fn other(
        &mut self,
        text: &str,
        field: &Field,
        hex: bool,
        stride: (i64, i64),
        values: &Values,
        before: &Attempts,
    ) -> String {
        let longer = format!("{text}0");
        let mut made = String::new();
        for like in [text, &longer].into_iter().take(if field.kind == Kind::Integer { 2 } else { 1 }) {
            for _ in 0..CANDIDATES {
                made = self.candidate(like, field, hex, stride, values);
                if !before.has(&made) {
                    return made;
                }
            }
        }
        made
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
}
