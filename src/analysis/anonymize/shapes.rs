//! The shapes of the values of a field that are too many to be listed.

use super::landing::{Landing, NOWHERE};
use super::made::{is_escaped, shape_of_bytes, shape_of_number};
use super::sources::{CANDIDATES, FieldSources, TAIL, TRIED_ON};
use super::values::Values;
use crate::bytes::sort::{sort, sort_by_key};
use crate::records::field::{Field, Kind};
use crate::records::generate::{Entities, ValueSource, is_hex, made_up, shape_of};

/// Most values to draw from, of one field.
const MOST_THINGS: u64 = 8_000_000;
/// Values looked at for the shape of their length.
const SHAPED: usize = 2000;

impl FieldSources<'_> {
    /// The shapes of the other values, by their length; by where they land, too, where their characters decide that.
    pub fn shapes(
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
        if !self.lands_elsewhere(index, values, &rows, parts, &main.shape) {
            return None;
        }
        let all: u32 = parts.iter().map(|(rows, _)| rows).sum();
        let things: u64 = parts.iter().map(|(_, entities)| entities.count).sum();
        let share = |whole: u64, count: usize| whole * count as u64 / rows.len() as u64;
        let mut found = Vec::new();
        let mut others = 0;
        for (count, region) in most_frequent(rows.iter().map(|&(row, _)| landing.of(row)).collect()) {
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

    /// True if made-up values of these shapes land in other regions than the values of these records do, by more than chance.
    fn lands_elsewhere(
        &mut self,
        index: usize,
        values: &Values,
        rows: &[(u32, u32)],
        parts: &[(u32, Entities)],
        main: &str,
    ) -> bool {
        let Some(landing) = self.landing else { return false };
        let shape_for = |place: u32| {
            let length = values.texts.get(place as usize).map_or(0, |text| text.chars().count());
            let fits = parts.iter().find(|(_, entities)| entities.shape.chars().count() == length);
            fits.map_or(main, |(_, entities)| &entities.shape)
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
        apart > 0.08 + chance
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

/// How often each of these regions comes, the most frequent first.
fn most_frequent(mut regions: Vec<u32>) -> Vec<(usize, u32)> {
    sort(&mut regions);
    let mut runs: Vec<(usize, u32)> = Vec::new();
    for region in regions {
        match runs.last_mut() {
            Some((count, last)) if *last == region => *count += 1,
            _ => runs.push((1, region)),
        }
    }
    sort_by_key(&mut runs, |(count, _)| std::cmp::Reverse(*count));
    runs
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
