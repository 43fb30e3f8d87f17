//! Orders of fields that some query can use, and the keys that an expert would make of them.

use super::key::{Form, KeyPart, KeyPlan};
use super::profile::Profile;
use crate::base::map::Set;
use crate::base::units::{DAY, HOUR};
use crate::design::{Condition, OrderDirection, Query};
use crate::records::field::{Field, Kind};

/// Fields of which all orders are tried.
const ALL_ORDERS_OF: usize = 4;
/// Most orders.
const MOST_ORDERS: usize = 160;
/// Equality fields of a query of which all orders are tried.
const ALL_EQUAL: usize = 3;
/// Periods between two fields: an hour, four, six, a day, a week, four.
const PERIODS: [i64; 6] = [HOUR, 4 * HOUR, 6 * HOUR, DAY, 7 * DAY, 28 * DAY];
/// Fewest values of a field that is reversed.
const LEAST_REVERSED: usize = 100;
/// Most buckets of one byte.
const MOST_BUCKETS: u32 = 256;

/// Fields that a query tests, by index.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AskedFields {
    /// Fields with given values.
    pub equal: Vec<usize>,
    /// Fields with a range or prefix, then the one of the order.
    pub ranged: Vec<usize>,
    /// The shortest range of a time in milliseconds.
    pub window: Option<i64>,
    /// The time that is wanted newest first.
    pub newest_first: Option<usize>,
}

/// The fields that a query asks for, of those that can be in a key.
pub(super) fn asked(query: &Query, fields: &[Field], profile: &Profile) -> AskedFields {
    let mut asked = AskedFields::default();
    for (index, field) in fields.iter().enumerate().filter(|(index, _)| profile.is_whole(*index)) {
        match query.conditions.get(&field.name) {
            Some(Condition::Eq(_) | Condition::In(_)) => asked.equal.push(index),
            Some(_) => asked.ranged.push(index),
            None => {}
        }
    }
    if let Some(order) = &query.order
        && let Some(index) = fields.iter().position(|field| field.name == order.field)
        && profile.is_whole(index)
    {
        if !asked.ranged.contains(&index) && !asked.equal.contains(&index) {
            asked.ranged.push(index);
        }
        let is_time = fields.get(index).is_some_and(|field| field.kind == Kind::Time);
        let newest = is_time && order.direction == OrderDirection::Descending;
        asked.newest_first = newest.then_some(index);
    }
    if let Ok(domains) = crate::scan::read(query, fields, "") {
        let windows = fields.iter().zip(&domains).filter(|(field, _)| field.kind == Kind::Time);
        asked.window = windows
            .filter_map(|(_, domain)| match domain {
                crate::scan::FieldDomain::Numbers(first, last) => last.checked_sub(*first),
                _ => None,
            })
            .min();
    }
    asked
}

/// Orders of fields to begin keys with, each at most once.
pub(super) fn orders(asked: &[AskedFields], profile: &Profile) -> Vec<Vec<usize>> {
    let mut all: Vec<usize> =
        asked.iter().flat_map(|of| of.equal.iter().chain(&of.ranged)).copied().collect();
    if let Some(arrival) = profile.arrival.filter(|&arrival| profile.is_usable(arrival)) {
        all.push(arrival);
    }
    all.sort_unstable();
    all.dedup();
    // One that no query names may spread the writes, too, unless another tells it.
    let follows = |field: usize| profile.of(field).is_some_and(|of| !of.depends_on.is_empty());
    let leads = |field: usize| !profile.identity.is_measured(field) && !profile.identity.is_id(field);
    let open = |&field: &usize| !all.contains(&field) && !follows(field) && leads(field);
    let others = profile.identifying.iter().copied().filter(open);
    let whole: Vec<usize> = all.iter().copied().chain(others).collect();
    if whole.len() <= ALL_ORDERS_OF {
        all = whole;
    }
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    if all.len() <= ALL_ORDERS_OF {
        arrangements(&all, &mut Vec::new(), &mut found);
    } else {
        asked.iter().for_each(|of| of_query(of, profile.arrival, &mut found));
        for (one, other) in pairs(asked) {
            both(one, other, &mut found);
        }
    }
    let mut seen = Set::new();
    found.retain(|order| seen.insert(order.clone()));
    found.truncate(MOST_ORDERS);
    found
}

/// All arrangements of some of these fields.
fn arrangements(left: &[usize], begun: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    for (at, &field) in left.iter().enumerate() {
        begun.push(field);
        found.push(begun.clone());
        let rest: Vec<usize> =
            left.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, &f)| f).collect();
        arrangements(&rest, begun, found);
        begun.pop();
    }
}

/// Equality fields in every order, then a range; the time of arrival at every place.
fn of_query(of: &AskedFields, arrival: Option<usize>, found: &mut Vec<Vec<usize>>) {
    let few = of.equal.get(..ALL_EQUAL).unwrap_or(&of.equal);
    let rest = of.equal.get(few.len()..).unwrap_or_default();
    let mut starts = Vec::new();
    arrangements(few, &mut Vec::new(), &mut starts);
    starts.retain(|start| start.len() == few.len());
    if starts.is_empty() {
        starts.push(Vec::new());
    }
    for mut start in starts {
        start.extend(rest);
        let ranges: Vec<Option<usize>> = of.ranged.iter().copied().map(Some).chain([None]).collect();
        for range in ranges {
            let whole: Vec<usize> = start.iter().copied().chain(range).collect();
            if let Some(arrival) = arrival.filter(|arrival| !whole.contains(arrival)) {
                for at in 0..=whole.len() {
                    let mut with = whole.clone();
                    with.insert(at, arrival);
                    found.push(with);
                }
            }
            found.push(whole);
        }
    }
}

fn pairs(asked: &[AskedFields]) -> impl Iterator<Item = (&AskedFields, &AskedFields)> {
    asked.iter().enumerate().flat_map(|(at, one)| {
        asked.iter().enumerate().filter(move |(other, _)| *other != at).map(move |(_, other)| (one, other))
    })
}

/// Orders that serve two queries: what both know, what the first knows, and so on.
fn both(one: &AskedFields, other: &AskedFields, found: &mut Vec<Vec<usize>>) {
    let common: Vec<usize> = one.equal.iter().copied().filter(|field| other.equal.contains(field)).collect();
    if common.is_empty() {
        return;
    }
    let mut order = common;
    let more = one.equal.iter().chain(&one.ranged).chain(&other.equal).chain(&other.ranged);
    for &field in more {
        if !order.contains(&field) {
            order.push(field);
        }
    }
    found.push(order);
}

/// Inputs that determine which keys an order yields.
pub(super) struct CandidateParts<'a> {
    /// The fields.
    pub fields: &'a [Field],
    /// Fields that each query tests.
    pub asked: &'a [AskedFields],
    /// Region servers.
    pub servers: u32,
    /// True if random salts are wanted.
    pub random: bool,
    /// True if the writes are far below what one region takes: nothing needs to be spread.
    pub calm: bool,
}

impl CandidateParts<'_> {
    /// The keys that begin with an order of fields and end with those that distinguish records.
    pub fn keys(&self, order: &[usize], tail: Vec<usize>, profile: &Profile, found: &mut Vec<KeyPlan>) {
        let whole: Vec<usize> = order.iter().copied().chain(tail).collect();
        if whole.is_empty() {
            return;
        }
        let plain = KeyPlan::of_fields(&whole);
        let mut keys = vec![plain.clone()];
        keys.extend(self.newest_first(&plain));
        keys.extend(self.with_periods(&plain));
        if !self.calm {
            for key in keys.clone() {
                self.spread(&key, profile, &mut keys);
            }
        }
        found.append(&mut keys);
    }

    /// With the time counted down, where a query wants the newest first.
    fn newest_first(&self, key: &KeyPlan) -> Option<KeyPlan> {
        let time = self.asked.iter().find_map(|of| of.newest_first)?;
        let newest = KeyPart::Field { field: time, form: Form::NewestFirst };
        let at = key
            .parts
            .iter()
            .position(|part| matches!(part, KeyPart::Field { field, .. } if *field == time))?;
        Some(key.replaced(at, newest))
    }

    /// With a coarse period between the first field and the second, its length from the ranges asked for.
    fn with_periods(&self, key: &KeyPlan) -> Vec<KeyPlan> {
        let fields = key.fields();
        let time = fields.iter().skip(2).find(|&&field| self.is_time(field));
        let (Some(&time), Some(&first)) = (time, fields.first()) else { return Vec::new() };
        let windows: Vec<i64> = self.asked.iter().filter_map(|of| of.window).collect();
        let near =
            |length: &i64| windows.iter().any(|&window| *length <= 2 * window && window / length <= 64);
        let lengths = PERIODS.iter().copied().filter(near);
        let between = lengths.map(|length| {
            key.with(usize::from(!self.is_time(first)), KeyPart::Period { field: time, length })
        });
        between.collect()
    }

    fn is_time(&self, field: usize) -> bool {
        self.fields.get(field).is_some_and(|field| field.kind == Kind::Time)
    }

    /// With what spreads the writes: a bucket or digest of the first field, a bucket of another one that queries know, a salt
    /// from what makes the record unique.
    fn spread(&self, key: &KeyPlan, profile: &Profile, keys: &mut Vec<KeyPlan>) {
        let fields = key.fields();
        let Some(&first) = fields.first() else { return };
        let counts = [self.servers, 2 * self.servers].map(|count| count.clamp(2, MOST_BUCKETS));
        let bucket = |of: Vec<usize>, count: u32| key.behind(KeyPart::Bucket { of, count });
        let known = |field: usize| self.asked.iter().any(|of| of.equal.contains(&field));
        for count in counts {
            for &field in
                fields.iter().filter(|&&field| !self.is_time(field) && (known(field) || field == first))
            {
                keys.push(bucket(vec![field], count));
            }
            let unique = self.unique_part(&fields, profile, count);
            let is_new = |&field: &usize| self.is_time(field) || !known(field) && field != first;
            if unique.len() != 1 || unique.first().is_some_and(is_new) {
                keys.push(bucket(unique, count));
            }
        }
        self.spread_within(key, profile, keys);
        if !self.is_time(first) && key.parts.first().is_some_and(|part| matches!(part, KeyPart::Field { .. }))
        {
            keys.push(key.behind(KeyPart::Hash { field: first, bytes: 2 }));
            let reversible =
                matches!(self.fields.get(first).map(|field| field.kind), Some(Kind::Text | Kind::Integer));
            // Few values lie elsewhere when they are reversed, and no more evenly.
            let many = profile.of(first).is_some_and(|of| of.distinct >= LEAST_REVERSED);
            if reversible && many {
                keys.push(key.replaced(0, KeyPart::Field { field: first, form: Form::Reversed }));
            }
        }
        if self.random {
            keys.extend(counts.map(|count| key.behind(KeyPart::Random { count })));
        }
    }

    /// With what spreads an entity that is too hot for one region: a bucket that changes within the moment, behind the entity, so
    /// that all of its rows are still one range, or in front.
    fn spread_within(&self, key: &KeyPlan, profile: &Profile, keys: &mut Vec<KeyPlan>) {
        let fields = key.fields();
        let Some((&first, rest)) = fields.split_first() else { return };
        let share = profile.of(first).map_or(0.0, |of| of.top_share);
        if self.is_time(first) || rest.is_empty() || share * f64::from(self.servers) <= 1.0 {
            return;
        }
        let second = profile.arrival.filter(|arrival| rest.contains(arrival));
        for count in [self.servers, 2 * self.servers].map(|count| count.clamp(2, MOST_BUCKETS)) {
            let salt = KeyPart::Bucket { of: self.unique_part(rest, profile, count), count };
            keys.push(key.with(1, salt));
            if let Some(field) = second {
                let second = KeyPart::Second { field, count };
                keys.extend([key.with(1, second.clone()), key.behind(second)]);
            }
        }
    }

    /// The fields that a salt is computed from: one with many even values, else all.
    fn unique_part(&self, fields: &[usize], profile: &Profile, count: u32) -> Vec<usize> {
        let even = |&&field: &&usize| {
            let of = profile.of(field);
            !self.is_time(field)
                && !profile.identity.is_measured(field)
                && of.is_some_and(|of| {
                    of.distinct >= 64 * count as usize && of.top_share * f64::from(count) < 0.1
                })
        };
        match fields.iter().rev().find(even) {
            Some(&field) => vec![field],
            None => {
                // One salt of the same fields, whatever the order of the key; what ranges are asked of comes last, for a plan
                // that lacks a field before it need not go through the values of a range.
                let mut all = fields.to_vec();
                all.sort_unstable_by_key(|&field| (self.is_time(field), field));
                all
            }
        }
    }
}
