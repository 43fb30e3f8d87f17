//! The values that queries are asked for: drawn from the records, a time range as any window of its length.

use super::profile::{FieldProfile, Profile};
use crate::bytes::position::mix;
use crate::design::{Condition, Constant, Document, Popularity, Query};
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use crate::records::{ColumnValues, Records};
use crate::scan::{FieldDomain, QueryMatcher, read};

/// Parts of a window that it is moved by, at most: 2^16.
const PARTS: u64 = 1 << 16;

/// Records that are drawn for a value at most, before all are looked through.
const TRIES: u64 = 64;

/// A query with drawn values.
pub(super) struct QueryDraw {
    /// Its conditions by field.
    pub domains: Vec<FieldDomain>,
    /// Rows that match.
    pub matched: f64,
}

/// The conditions of a query for `count` draws: those that it names, or those of records with windows that hold them.
pub(super) fn draws(
    query: &Query,
    study: &Document,
    records: &Records,
    (count, seed): (usize, u64),
    profile: &Profile,
) -> Vec<Vec<FieldDomain>> {
    let fields = study.fields.as_slice();
    let Ok(named) = read(query, fields, "") else { return Vec::new() };
    if query.popularity == Popularity::Named || records.rows == 0 {
        return vec![named];
    }
    let kept = kept(query, study, &named);
    let matching = QueryMatcher::new(records, fields, &kept);
    // A record that lacks what the query asks for whatever the values is drawn anew.
    let draw = |index: u64| {
        let mut tries = (0..TRIES)
            .map(|other| (mix(seed ^ mix(index) ^ mix(other) ^ mix(0)) % records.rows as u64) as usize);
        tries
            .find(|&row| matching.matches(row))
            .or_else(|| (0..records.rows).find(|&row| matching.matches(row)))
    };
    let mut rows: Vec<usize> = (0..count as u64).filter_map(draw).collect();
    if rows.is_empty() {
        return vec![named];
    }
    if query.popularity == Popularity::Values {
        rows = distinct_rows(query, fields, records, &rows, seed);
    }
    let drawn = rows.iter().enumerate().map(|(index, &row)| {
        let part = mix(seed ^ mix(index as u64) ^ 1) % PARTS;
        drawn(query, study, (records, profile), &named, row, part)
    });
    drawn.collect()
}

/// The conditions of a query that it keeps in each draw: a prefix, a range that is open to one side, and the kind of records; all where it
/// is asked for the values that it names.
fn kept(query: &Query, study: &Document, named: &[FieldDomain]) -> Vec<FieldDomain> {
    let is_drawn = |field: &Field| match query.conditions.get(&field.name) {
        Some(Condition::Eq(_) | Condition::In(_) | Condition::Range { from: Some(_), to: Some(_) }) => {
            query.popularity != Popularity::Named && !study.tells_kinds(&field.name)
        }
        _ => false,
    };
    let of = |(field, domain): (&Field, &FieldDomain)| {
        if is_drawn(field) { FieldDomain::Any } else { domain.clone() }
    };
    study.fields.iter().zip(named).map(of).collect()
}

/// True if no record matches a query, whatever values are drawn.
pub(super) fn is_empty(query: &Query, study: &Document, records: &Records) -> bool {
    let fields = study.fields.as_slice();
    let Ok(named) = read(query, fields, "") else { return true };
    let kept = kept(query, study, &named);
    let matching = QueryMatcher::new(records, fields, &kept);
    records.rows > 0 && !(0..records.rows).any(|row| matching.matches(row))
}

/// Rows with distinct values of the fields asked for, from four times as many.
fn distinct_rows(
    query: &Query,
    fields: &[Field],
    records: &Records,
    rows: &[usize],
    seed: u64,
) -> Vec<usize> {
    let more =
        (0..3 * rows.len() as u64).map(|index| (mix(seed ^ mix(!index)) % records.rows as u64) as usize);
    let mut seen: Vec<Vec<Option<Constant>>> = Vec::new();
    let mut kept = Vec::new();
    for row in rows.iter().copied().chain(more) {
        let asked = fields.iter().filter(|field| query.conditions.contains_key(&field.name));
        let values: Vec<Option<Constant>> = asked.map(|field| value(records, field, row)).collect();
        if kept.len() < rows.len() && !seen.contains(&values) {
            seen.push(values);
            kept.push(row);
        }
    }
    kept
}

/// The value of a field in a record.
fn value(records: &Records, field: &Field, row: usize) -> Option<Constant> {
    let column = records.column(&field.name)?;
    match &column.values {
        _ if column.invalid.get(row) => None,
        ColumnValues::Integers(values) => Some(Constant::Number(*values.get(row)?)),
        ColumnValues::Strings { ids, dictionary } => {
            Some(Constant::Bytes(dictionary.get(*ids.get(row)?).to_vec()))
        }
    }
}

fn drawn(
    query: &Query,
    study: &Document,
    (records, profile): (&Records, &Profile),
    named: &[FieldDomain],
    row: usize,
    part: u64,
) -> Vec<FieldDomain> {
    let mut domains = named.to_vec();
    for ((index, field), domain) in study.fields.iter().enumerate().zip(&mut domains) {
        if study.tells_kinds(&field.name) {
            continue;
        }
        let Some(value) = value(records, field, row) else { continue };
        match (query.conditions.get(&field.name), &*domain, value) {
            (Some(Condition::Eq(_)), _, value) => *domain = FieldDomain::Values(vec![value]),
            (Some(Condition::In(_)), FieldDomain::Values(listed), own) => {
                let mut values: Vec<Constant> = (1..listed.len() as u64)
                    .filter_map(|other| {
                        let row = mix(part ^ mix(other)) % records.rows as u64;
                        self::value(records, field, row as usize)
                    })
                    .chain([own])
                    .collect();
                crate::bytes::sort::sort(&mut values);
                values.dedup();
                *domain = FieldDomain::Values(values);
            }
            (
                Some(Condition::Range { from: Some(_), to: Some(_) }),
                &FieldDomain::Numbers(first, last),
                own,
            ) => {
                let Constant::Number(own) = own else { continue };
                let known = profile.of(index).and_then(FieldProfile::integers);
                *domain = window(field, known, (first, last), own, part);
            }
            _ => {}
        }
    }
    domains
}

/// How far apart the values of a field are at the least.
pub(super) fn unit(field: &Field) -> i64 {
    match field.kind {
        Kind::Time => TimeFormat::parse(field.format.as_deref().unwrap_or("iso8601"), field.zone.as_deref())
            .map_or(1, |format| format.resolution()),
        _ => 1,
    }
}

/// A window of the same length that holds a value, within those of the records where it is shorter.
fn window(
    field: &Field,
    known: Option<[i64; 2]>,
    (first, last): (i64, i64),
    own: i64,
    part: u64,
) -> FieldDomain {
    let length = last.saturating_sub(first);
    let back = (i128::from(length) * i128::from(part) / i128::from(PARTS)) as i64;
    let unit = unit(field);
    let mut start = own.saturating_sub(back);
    if let Some([least, most]) = known {
        start = start.clamp(least, most.saturating_sub(length).max(least));
    }
    start = start.div_euclid(unit) * unit;
    FieldDomain::Numbers(start, start.saturating_add(length))
}
