//! The finding about keys that only ever rise.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{apart, is_of_arrival, salted, spread_anew};
use super::pace::{Gathered, paced};
use super::review::{Evidence, Review};
use crate::analysis::report::{CountingValues, FollowsBy, VerdictSeverity};
use crate::base::figures::{in_one_unit, percent};
use crate::design::WriteKind;
use crate::formula::typed::TypedPart;
use crate::records::field::shape::Order;

/// Verdicts that judge no spread.
const UNDECIDED: [&str; 3] = ["verdict.one-region", "verdict.too-few-rows", "verdict.too-sparse"];

/// How a leading part goes one way: the code of the words for it, and the evidence.
type RisingWay = (&'static str, Vec<(&'static str, String)>);

/// The leading part rises with the arrival of records, so all writes of a moment go to one region.
pub fn sequential(review: &Review) -> Vec<RuleHit> {
    let Some(part) = leading(review) else { return Vec::new() };
    let gathered = review.evidence.as_ref().and_then(|evidence| by_interval(evidence));
    let way = match &review.evidence {
        Some(evidence) => follows(evidence, gathered.is_some())
            .or_else(|| gathered.clone())
            .or_else(|| evidence.report.writing.counting.map(counting)),
        None => by_shape(review, part).filter(|_| review.design.writes != WriteKind::Bulk),
    };
    let Some((how, evidence)) = way else { return Vec::new() };
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
fn leading<'r>(review: &'r Review) -> Option<&'r TypedPart> {
    let first = review.lead()?;
    let differs = |index: usize| {
        let values = review.part(index);
        values.is_none_or(|values| values.alike().distinct() > 1)
    };
    let parts = review.design.typed.parts.iter().enumerate();
    parts.skip(first.0).find(|&(index, _)| differs(index)).or(Some(first)).map(|(_, part)| part)
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

/// The part follows time, and one region takes its writes. A part with few values, such as months, may leave the spread to the parts
/// behind it, so the rows of each region decide.
fn follows(evidence: &Evidence, gathered: bool) -> Option<RisingWay> {
    let (regions, unseen) =
        (evidence.report.region_count, evidence.report.verdict.code == "verdict.follows-unseen");
    let found = evidence.report.writing.follows?;
    // A measured share says more than that the part is made of time.
    let measured = gathered && found.by == FollowsBy::Slowness;
    let takes_all = gathered || unseen || regions == 1 || found.fills_one_region(regions);
    (takes_all && !measured).then(|| (found.how(), vec![("share", percent(found.share))]))
}

fn counting(CountingValues { step, share }: CountingValues) -> RisingWay {
    ("finding.sequential.counts", vec![("step", step.to_string()), ("share", percent(share))])
}

/// The answer of the formula alone.
fn by_shape(review: &Review, part: &TypedPart) -> Option<RisingWay> {
    (is_ordered(part) && is_of_arrival(review, part)).then(|| ("finding.sequential.formula", Vec::new()))
}
