//! Keys that follow time, seen in the formula, or in some records by their arrival: few are enough, and they need not be dense.

use super::chance::may_be_chance;
use super::writes::is_of;
use crate::base::units::DAY;
use crate::bytes::sort::{sort_by, sort_by_key};
use crate::formula::typed::{Expression, TypedPart, walk};
use crate::formula::vector::Vector;
use crate::records::field::shape::{Keeps, Order};
use crate::records::field::{Field, Kind};
use crate::records::{ColumnValues, Records};
use crate::scan::period;
use std::cmp::Ordering;

/// The share of changes in one direction from which values follow time.
const ONE_WAY: f64 = 0.95;
/// A function of time spreads what it runs through, or leaves, within so many milliseconds.
const MINUTE: i64 = 60_000;
/// Values that stay for so many milliseconds outlast what is planned with the records of a table: a quarter of a year, and no whole
/// number of days or hours.
pub(super) const QUARTER: i64 = 92 * DAY - 25_997_123;
/// Values that turn back as often as once in so many milliseconds are those of senders that report in turn.
const TURN: i64 = 3_600_000;

/// Evidence that a part follows time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowsBy {
    /// It goes one way from one record to the next.
    Order,
    /// Neighbors go either way, and records half the period apart one way.
    Trend,
    /// It is made of the time alone, and stays, or goes round, for longer than a minute.
    Slowness,
    /// No time of arrival is known, and that in the key is taken for it.
    OwnTime,
}

/// How the first part that differs between keys follows time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowsTime {
    /// The evidence.
    pub by: FollowsBy,
    /// Share of the changes in one direction.
    pub share: f64,
    /// Rows looked at, and their different values.
    looked_at: (usize, usize),
    /// True if all records have one value of it, which the next ones will not.
    pub is_constant: bool,
}

impl FollowsTime {
    /// True if each value lies in about one of so many regions: it takes all that is written at its time.
    pub fn fills_one_region(&self, regions: usize) -> bool {
        let (rows, values) = self.looked_at;
        matches!(self.by, FollowsBy::Order | FollowsBy::Slowness) && (values > regions || 2 * values >= rows)
    }

    /// The code of the words for it.
    pub fn how(&self) -> &'static str {
        match self.by {
            _ if self.is_constant => "finding.sequential.formula",
            FollowsBy::Order => "finding.sequential.time",
            FollowsBy::Trend => "finding.sequential.trend",
            FollowsBy::Slowness => "finding.sequential.slow",
            FollowsBy::OwnTime => "finding.sequential.untimed",
        }
    }

    /// How a part follows time that has these values in some records.
    pub(super) fn of(
        part: &TypedPart,
        (fields, arrival): (&[Field], Option<&str>),
        (records, values): (&Records, &HeldValues),
        values_of: impl FnOnce(&Expression) -> HeldValues,
    ) -> Option<Self> {
        let of_time = of_one_time(part, fields);
        let formula = of_time.and_then(|_| by_formula(&part.expression));
        let known = |by, share| Some(Self { by, share, looked_at: values.looked_at(), is_constant: false });
        let other = match (formula, of_time) {
            (Some(None), _) => return None,
            (Some(Some(_)), Some(_)) if arrival.is_none() => return known(FollowsBy::OwnTime, 1.0),
            (Some(Some(by)), Some(field)) if is_of(arrival, field) => return known(by, 1.0),
            // Another time that goes with the arrival is as good.
            (Some(Some(_)), _) => Some(values_of(source(&part.expression))),
            (None, _) => None,
        };
        let moments = moments(records, arrival?)?;
        let (by, share) = in_records(&moments, other.as_ref().unwrap_or(values))?;
        known(by, share)
    }
}

impl FollowsTime {
    /// How a part follows time that is made of the arrival alone and has one value in all records, such as their day. `later` has the
    /// values of the same records a quarter of a year later.
    pub(super) fn of_constant(
        part: &TypedPart,
        (fields, arrival): (&[Field], Option<&str>),
        values: &HeldValues,
        later: impl FnOnce(&Expression) -> HeldValues,
    ) -> Option<Self> {
        of_one_time(part, fields).filter(|field| is_of(arrival, field))?;
        let by = by_formula(&part.expression)??;
        let is_constant =
            !values.is_empty() && !values.differ() && !values.begin_alike(&later(&part.expression));
        is_constant.then(|| Self { by, share: 1.0, looked_at: values.looked_at(), is_constant })
    }
}

/// The time that a part is made of, and of nothing else.
fn of_one_time<'f>(part: &TypedPart, fields: &'f [Field]) -> Option<&'f Field> {
    let [field] = part.fields.as_slice() else { return None };
    fields.get(*field).filter(|field| field.kind == Kind::Time && !part.expression.is_random())
}

/// The formula shows of a function of time that it goes one way, or round in more than a minute, or stays as it is for that. The
/// inner `None` where it does neither, the outer where its properties do not say.
fn by_formula(expression: &Expression) -> Option<Option<FollowsBy>> {
    let order = expression.shape().order;
    if matches!(order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed) {
        return Some(Some(FollowsBy::Order));
    }
    if let Some((_, round)) = period(expression) {
        return Some((round > MINUTE.unsigned_abs()).then_some(FollowsBy::Slowness));
    }
    let mut stays = false;
    walk(expression, &mut |inner| {
        stays |= match inner.shape().keeps {
            Some(Keeps::Above(length) | Keeps::Within { fine: length, .. }) => length >= MINUTE,
            None => false,
        };
    });
    stays.then_some(Some(FollowsBy::Slowness))
}

/// The field that a value is made of.
fn source(expression: &Expression) -> &Expression {
    expression.inputs().first().map_or(expression, source)
}

/// Values of records, as far as these have one.
pub(super) struct HeldValues {
    values: Vector,
    held: Vec<bool>,
}

impl HeldValues {
    /// Values, and whether each record has one. Empty text is none.
    pub fn new((values, mut held): (Vector, Vec<bool>)) -> Self {
        if let Vector::Strings(values) = &values {
            held.iter_mut().zip(values.iter()).for_each(|(held, value)| *held &= !value.is_empty());
        }
        Self { values, held }
    }

    /// True if some records differ.
    pub fn differ(&self) -> bool {
        let mut rows = self.rows();
        rows.next().is_some_and(|first| rows.any(|row| self.compare(first, row) != Ordering::Equal))
    }

    /// True if the first record that has a value has the same one among others.
    fn begin_alike(&self, other: &Self) -> bool {
        let first = self.rows().next();
        first.is_some_and(|row| match (&self.values, &other.values) {
            (Vector::Strings(own), Vector::Strings(other)) => own.get(row) == other.get(row),
            (Vector::Integers(own), Vector::Integers(other)) => own.get(row) == other.get(row),
            _ => false,
        })
    }

    /// True without a record that has one.
    pub fn is_empty(&self) -> bool {
        self.rows().next().is_none()
    }

    fn rows(&self) -> impl Iterator<Item = usize> + Clone {
        self.held.iter().enumerate().filter(|(_, held)| **held).map(|(row, _)| row)
    }

    fn has(&self, row: usize) -> bool {
        self.held.get(row).is_some_and(|held| *held)
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        match &self.values {
            Vector::Strings(values) => values.get(one).cmp(values.get(other)),
            Vector::Integers(values) => values.get(one).cmp(&values.get(other)),
        }
    }

    /// Rows and their different values.
    fn looked_at(&self) -> (usize, usize) {
        let mut rows: Vec<usize> = self.rows().collect();
        let count = rows.len();
        sort_by(&mut rows, |&one, &other| self.compare(one, other));
        rows.dedup_by(|one, other| self.compare(*one, *other) == Ordering::Equal);
        (count, rows.len())
    }
}

/// One row for each time of arrival, in ascending order: the order of rows with the same time is unknown.
fn moments(records: &Records, arrival: &str) -> Option<Vec<(i64, usize)>> {
    let column = records.column(arrival)?;
    let ColumnValues::Integers(times) = &column.values else { return None };
    let rows = times.iter().enumerate().filter(|(row, _)| !column.invalid.get(*row));
    let mut moments: Vec<(i64, usize)> = rows.map(|(row, &time)| (time, row)).collect();
    sort_by_key(&mut moments, |moment| *moment);
    moments.dedup_by_key(|(time, _)| *time);
    Some(moments)
}

/// The share of changes in one direction, where it is large.
fn in_records(moments: &[(i64, usize)], values: &HeldValues) -> Option<(FollowsBy, f64)> {
    let moments: Vec<&(i64, usize)> = moments.iter().filter(|(_, row)| values.has(*row)).collect();
    let (mut near, mut far) = (Steps::default(), [Steps::default(); 3]);
    let count = moments.len();
    // A part that goes round goes one way over a lag beside a multiple of its round, but not over three.
    let lags = [1, count / 2, count * 3 / 7, count * 4 / 9];
    for (lag, steps) in lags.into_iter().zip(std::iter::once(&mut near).chain(&mut far)) {
        for (before, after) in moments.iter().zip(moments.iter().skip(lag)) {
            match values.compare(before.1, after.1) {
                Ordering::Less => steps.up += 1,
                Ordering::Greater => steps.down += 1,
                Ordering::Equal => steps.same += 1,
            }
        }
    }
    let up = near.up > near.down;
    let trend = far.iter().all(|steps| {
        steps.go_one_way()
            && (steps.up > steps.down) == (far[0].up > far[0].down)
            && 2 * steps.changes() >= steps.same
    });
    let turns = i64::from(if up { near.down } else { near.up });
    let span = moments.last()?.0.saturating_sub(moments.first()?.0);
    let near_goes = near.go_one_way() && (trend || turns == 0 || span / (turns + 1) > TURN);
    match (near_goes, trend) {
        (true, _) => Some((FollowsBy::Order, near.share())),
        (false, true) => Some((FollowsBy::Trend, far[0].share())),
        (false, false) => None,
    }
}

/// Steps from values to others.
#[derive(Clone, Copy, Default)]
struct Steps {
    up: u32,
    down: u32,
    same: u32,
}

impl Steps {
    fn changes(self) -> u32 {
        self.up + self.down
    }

    fn share(self) -> f64 {
        f64::from(self.up.max(self.down)) / f64::from(self.changes().max(1))
    }

    fn go_one_way(self) -> bool {
        self.share() >= ONE_WAY && !may_be_chance(self.up.max(self.down), self.changes(), 2)
    }
}
