//! Findings about where writes go, and about one thing, such as a device or a customer, that writes more than its share.

use super::alike::EqualValues;
use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, apart, is_of_arrival, salted};
use super::review::{Evidence, Review};
use crate::base::figures::{percent, tenths};
use crate::bytes::row::to_string_binary;
use crate::bytes::strings::ByteStrings;
use crate::records::ColumnValues;
use crate::records::field::shape::Order;
use serde_json::json;

/// Rows from which a share of them means something.
pub(super) const ENOUGH: usize = 100;
/// Stretches of the period in which the busiest is looked for.
const STRETCHES: usize = 100;
/// Sampled rows of a stretch from which a share of them means something.
const STRETCH_ROWS: u32 = 10;
/// Share of all rows below which nobody is too busy.
const LEAST_BUSY: f64 = 0.05;

/// One value of the leading parts has more rows than a region should.
pub fn frequent(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = review.evidence.as_ref().filter(|evidence| evidence.rows() >= ENOUGH) else {
        return Vec::new();
    };
    let (Some((index, part)), regions) = (review.lead(), review.points.regions()) else { return Vec::new() };
    let Some(alike) = evidence.alike(index) else { return Vec::new() };
    let Some((id, value, rows)) = alike.most() else { return Vec::new() };
    let share = rows as f64 / evidence.rows() as f64;
    let fair = 1.0 / regions as f64;
    // A bucket or another part of few values is as frequent as it is meant to be.
    let meant = 1.0 / alike.distinct() as f64;
    if regions < 2 || share < 2.0 * fair || share < 4.0 * meant || share < 0.05 {
        return Vec::new();
    }
    let severity = if share >= 4.0 * fair { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let busiest = busiest(review, evidence, |row| alike.has(row, id));
    vec![
        RuleHit::new(severity)
            .at(part.span)
            .with("value", to_string_binary(value))
            .with("part", &part.text)
            .with("share", percent(share))
            .with("times", tenths(share / fair))
            .with("rate", busiest.map_or("?".to_owned(), |busiest| percent(busiest.share)))
            .mended_by(salted(review, apart(review, |other| other != index))),
    ]
}

/// Regions of very unlike size that no one value explains.
pub fn skewed(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let verdict = &evidence.report.verdict;
    if verdict.code != "verdict.skewed" || !frequent(review).is_empty() {
        return Vec::new();
    }
    let regions = review.points.regions();
    vec![
        RuleHit::new(FindingSeverity::Warning)
            .with("times", tenths(evidence.report.skew.max_over_mean))
            .with("gini", format!("{:.2}", evidence.report.skew.gini))
            .mended_by(DesignFix::splits(json!({ "sample": regions }))),
    ]
}

/// The stretch of the period in which some rows were the largest share of all.
struct BusiestStretch {
    /// Their share in it.
    share: f64,
    /// Rows of theirs a second in it.
    per_second: f64,
}

/// When the rows for which `own` holds were busiest; `None` when the time of arrival is not known.
fn busiest(review: &Review, evidence: &Evidence, own: impl Fn(usize) -> bool) -> Option<BusiestStretch> {
    let arrival = review.study.arrival.as_deref()?;
    let ColumnValues::Integers(times) = &evidence.sample.column(arrival)?.values else { return None };
    let (&first, &last) = (times.iter().min()?, times.iter().max()?);
    let span = i128::from(last) - i128::from(first) + 1;
    let mut stretches = [(0u32, 0u32); STRETCHES];
    for (row, &time) in times.iter().enumerate() {
        let at = (i128::from(time) - i128::from(first)) * STRETCHES as i128 / span;
        if let Some((all, theirs)) = stretches.get_mut(at as usize) {
            *all += 1;
            *theirs += u32::from(own(row));
        }
    }
    let share = |&(all, theirs): &(u32, u32)| {
        if all < STRETCH_ROWS { 0.0 } else { f64::from(theirs) / f64::from(all) }
    };
    let busiest = stretches.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let of_sample = evidence.all.all_rows() as f64 / evidence.rows().max(1) as f64;
    let seconds = span as f64 / STRETCHES as f64 / 1000.0;
    Some(BusiestStretch { share: share(busiest), per_second: f64::from(busiest.1) * of_sample / seconds })
}

/// Rows a second, as the sentence has them.
fn rate(per_second: f64) -> String {
    if per_second < 0.05 { "< 0.1".to_owned() } else { tenths(per_second) }
}

/// One thing whose rows lie in order of time, so that all it writes at a moment goes to one region, wherever that is
/// split, and that is more than a server's share.
pub fn busy(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = review.evidence.as_ref().filter(|evidence| evidence.rows() >= ENOUGH) else {
        return Vec::new();
    };
    let parts = &review.design.typed.parts;
    let of_time =
        |order| matches!(order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed);
    let rises = parts.iter().position(|part| of_time(part.shape.order) && is_of_arrival(review, part));
    let lead = review.lead().map_or(0, |(lead, _)| lead);
    let Some(count) = rises.filter(|&count| count > lead) else { return Vec::new() };
    let mut prefixes = ByteStrings::default();
    for row in 0..evidence.rows() {
        let parts = evidence.parts.iter().take(count);
        parts.for_each(|values| prefixes.bytes.extend_from_slice(values.get(row)));
        prefixes.end();
    }
    let alike = EqualValues::of(&prefixes);
    let Some((id, value, rows)) = alike.most() else { return Vec::new() };
    let share = rows as f64 / evidence.rows() as f64;
    let most = review.design.servers.map_or(review.points.regions() as u64, u64::from).max(1);
    if most < 2 || share < LEAST_BUSY || share * most as f64 <= 2.0 || !frequent(review).is_empty() {
        return Vec::new();
    }
    let Some(busiest) = busiest(review, evidence, |row| alike.has(row, id)) else { return Vec::new() };
    vec![
        RuleHit::new(FindingSeverity::Warning)
            .with("value", to_string_binary(value))
            .with("share", percent(share))
            .with("busiest", percent(busiest.share))
            .with("rate", rate(busiest.per_second))
            .with("servers", most)
            .mended_by(salted(review, apart(review, |index| index >= count))),
    ]
}
