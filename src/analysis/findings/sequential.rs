//! The finding about keys that only ever rise.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{apart, is_of_arrival, salted, spread_anew};
use super::pace::{Gathered, paced};
use super::review::{Evidence, Review};
use super::spread::ENOUGH;
use crate::analysis::report::{CountingValues, VerdictSeverity};
use crate::base::figures::{in_one_unit, percent};
use crate::bytes::sort::sort_by_key;
use crate::formula::typed::TypedPart;
use crate::records::ColumnValues;
use crate::records::field::Kind;
use crate::records::field::shape::Order;
use std::cmp::Ordering;

/// The share of neighbouring moments whose leading part rises (or falls) from which it is sequential.
const RISING: f64 = 0.95;
/// The share of the changes of a leading part in one direction from which it goes one way.
const ONE_WAY: f64 = 0.9;
/// The share of moments half the period apart in one direction from which a part follows time, however many come late: of values
/// that change at random it is a half.
const TREND: f64 = 0.75;
/// Fewest moments of which one after the other rises by no accident: seven steps go one way once in 64 times.
const MOMENTS: usize = 8;

/// Verdicts that judge no spread.
const UNDECIDED: [&str; 3] = ["verdict.one-region", "verdict.too-few-rows", "verdict.too-sparse"];

/// How a leading part goes one way: the code of the words for it, and the evidence.
type RisingWay = (&'static str, Vec<(&'static str, String)>);

/// The leading part rises with the arrival of records, so all writes of a moment go to one region.
pub fn sequential(review: &Review) -> Vec<RuleHit> {
    let Some((index, part)) = leading(review) else { return Vec::new() };
    let gathered = review.evidence.as_ref().and_then(|evidence| by_interval(evidence));
    let way = match &review.evidence {
        // Counted by interval, and spread at all lengths or gathered by one sender after the other.
        Some(evidence) if gathered.is_none() && is_judged(evidence) => None,
        Some(evidence) => match moments(review, evidence, part) {
            None => evidence.report.writing.counting.map(counting),
            Some(moments) => {
                let few = evidence.rows() < ENOUGH;
                let seen = rising(review, evidence, index, &moments);
                seen.or_else(|| by_shape(review, part).filter(|_| few))
            }
        },
        None => by_shape(review, part),
    };
    let Some((how, evidence)) = way.or_else(|| gathered.clone()) else { return Vec::new() };
    let found = RuleHit::new(severity(review, gathered.is_some()))
        .at(part.span)
        .with("part", &part.text)
        .with("how", how);
    let found = evidence.into_iter().fold(found, |found, (name, value)| found.with(name, value));
    let found = found.mended_by(salted(review, apart(review, |_| true))).or_by(spread_anew(review));
    let writing = review.evidence.as_ref().and_then(|evidence| evidence.report.writing.regions);
    let share = writing.map_or(1.0, |found| found.share);
    vec![paced(review, found, share, Gathered::InRegion)]
}

/// Rows that go one way, too few to be counted by interval, weigh no more than the verdict on them, unless that says itself
/// that it judges no spread.
fn severity(review: &Review, gathered: bool) -> FindingSeverity {
    let verdict = review.evidence.as_ref().map(|evidence| &evidence.report.verdict);
    match verdict {
        Some(verdict)
            if !gathered
                && verdict.severity == VerdictSeverity::Warning
                && !UNDECIDED.contains(&verdict.code) =>
        {
            FindingSeverity::Warning
        }
        _ => FindingSeverity::Bad,
    }
}

/// The first part that differs between the records at hand.
fn leading<'r>(review: &'r Review) -> Option<(usize, &'r TypedPart)> {
    let first = review.lead()?;
    let differs = |index: usize| {
        let values = review.part(index);
        values.is_none_or(|values| values.alike().distinct() > 1)
    };
    let parts = review.design.typed.parts.iter().enumerate();
    parts.skip(first.0).find(|&(index, _)| differs(index)).or(Some(first))
}

/// True if a part keeps the order of its values, or reverses it.
pub(super) fn is_ordered(part: &TypedPart) -> bool {
    matches!(part.shape.order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed)
}

/// One region at a time takes the writes, and goes on to do so. However late or out of order some come, and whatever the key
/// makes of time, it is seen in where they land.
fn by_interval(evidence: &Evidence) -> Option<RisingWay> {
    let writing = &evidence.report.writing;
    let found = writing.regions.filter(|found| writing.is_by_time(found))?;
    Some((
        "finding.sequential.interval",
        vec![("interval", in_one_unit(found.length)), ("share", percent(found.share))],
    ))
}

/// True when rows were counted by interval and region.
fn is_judged(evidence: &Evidence) -> bool {
    let writing = &evidence.report.writing;
    (writing.typical.is_some() || writing.regions.is_some()) && evidence.report.region_count > 1
}

fn counting(CountingValues { step, share }: CountingValues) -> RisingWay {
    ("finding.sequential.counts", vec![("step", step.to_string()), ("share", percent(share))])
}

fn by_time(share: f64) -> RisingWay {
    ("finding.sequential.time", vec![("share", percent(share))])
}

/// The answer of the formula alone.
fn by_shape(review: &Review, part: &TypedPart) -> Option<RisingWay> {
    (is_ordered(part) && is_of_arrival(review, part)).then(|| by_time(1.0))
}

/// One sampled row of each moment, by time. The order of the rows themselves says nothing: whoever exports a table gets its
/// rows sorted. `None` where it is not known when records arrive; but a key that begins with some time is taken to be written
/// as it stands.
fn moments(review: &Review, evidence: &Evidence, part: &TypedPart) -> Option<Vec<usize>> {
    let rows = || 0..evidence.rows();
    let Some(arrival) = &review.study.arrival else {
        let is_time =
            |&field: &usize| review.study.fields.get(field).is_some_and(|field| field.kind == Kind::Time);
        return (is_ordered(part) && part.fields.iter().any(is_time)).then(|| rows().collect());
    };
    let column = evidence.keyed().column(arrival)?;
    let ColumnValues::Integers(times) = &column.values else { return None };
    let mut moments: Vec<usize> = rows().filter(|&row| !column.invalid.get(row)).collect();
    sort_by_key(&mut moments, |&row| times.get(row));
    // Keep the first row of each timestamp: the order of rows with equal times is unknown.
    moments.dedup_by_key(|row| times.get(*row));
    Some(moments)
}

/// True if a part rises (or falls) from moment to moment: always, or with some that come late.
fn rising(review: &Review, evidence: &Evidence, part: usize, moments: &[usize]) -> Option<RisingWay> {
    let part = review.part(part)?;
    let value = |moment: usize| moments.get(moment).map_or(&[][..], |&row| part.values.get(row));
    let steps = |lag: usize| {
        let (mut up, mut down) = (0usize, 0usize);
        for moment in lag..moments.len() {
            match value(moment - lag).cmp(value(moment)) {
                Ordering::Less => up += 1,
                Ordering::Greater => down += 1,
                Ordering::Equal => {}
            }
        }
        (up, down, moments.len().saturating_sub(lag).max(1))
    };
    let (up, down, pairs) = steps(1);
    let (later_up, later_down, later) = steps(moments.len() / 2);
    // A part that goes one way seldom turns; late records turn it and leave the trend between the halves.
    // One that is mostly one value and otherwise goes up and down alike does neither.
    let one_way = up.max(down) as f64 >= ONE_WAY * (up + down) as f64;
    let trend = later_up.max(later_down) as f64 >= TREND * later as f64;
    let share = (pairs - up.min(down)) as f64 / pairs as f64;
    if up + down == 0 || !(one_way || trend) || share < RISING {
        return None;
    }
    // Few values that rise, such as months, may spread no worse than the parts after them: what was written tells.
    let distinct = part.alike().distinct();
    let many = moments.len() >= MOMENTS && distinct > review.points.regions().max(8);
    (many || by_interval(evidence).is_some()).then(|| by_time(share))
}
