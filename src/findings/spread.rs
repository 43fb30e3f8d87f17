//! Findings about where writes go.

use super::alike::Alike;
use super::entity::busiest;
use super::fix::{apart, is_of_arrival, salted};
use super::{Evidence, Fix, Found, Review, Severity};
use crate::formula::properties::Order;
use crate::report::figures::{percent, tenths};
use serde_json::json;

/// Rows from which a share of them means something.
pub(super) const ENOUGH: usize = 100;
/// Of neighbouring rows in order of arrival, the share whose leading part rises (or falls) from which it is sequential.
const RISING: f64 = 0.95;
/// Of the changes of a leading part, the share in one direction from which it goes one way.
const ONE_WAY: f64 = 0.9;

/// The leading part rises with the arrival of records, so all writes of a moment go to one region.
pub fn sequential(review: &Review) -> Vec<Found> {
    let Some((index, part)) = review.lead() else { return Vec::new() };
    let by_data = review
        .evidence
        .as_ref()
        .filter(|evidence| evidence.rows() >= ENOUGH)
        .map(|evidence| rising(evidence, index));
    let ordered =
        matches!(part.shape.order, Order::Strict | Order::Weak | Order::Reversed | Order::WeakReversed);
    let found = match by_data {
        // Few values that rise, such as months, may spread no worse than the parts after them: what was written tells.
        Some((share, distinct)) => {
            let written = review.evidence.as_ref().map(|evidence| evidence.report.verdict.code);
            share >= RISING
                && (distinct > review.points.regions().max(8) || written == Some("verdict.sequential"))
        }
        None => ordered && is_of_arrival(review, part),
    };
    if !found {
        return Vec::new();
    }
    let share = by_data.map_or_else(|| "100%".to_owned(), |(share, _)| percent(share));
    let found = Found::new(Severity::Bad).at(part.span).with("part", &part.text).with("share", share);
    vec![found.mended_by(salted(review, apart(review, |_| true)))]
}

/// Share of neighbouring sampled rows whose part does not fall (or, falling, does not rise), and its different values.
/// The share is 0 where a part is mostly one value and otherwise goes up and down alike.
fn rising(evidence: &Evidence, part: usize) -> (f64, usize) {
    let Some(values) = evidence.parts.get(part) else { return (0.0, 0) };
    let steps = |lag: usize| {
        let (mut up, mut down) = (0usize, 0usize);
        for row in lag..values.len() {
            match values.get(row - lag).cmp(values.get(row)) {
                std::cmp::Ordering::Less => up += 1,
                std::cmp::Ordering::Greater => down += 1,
                std::cmp::Ordering::Equal => {}
            }
        }
        (up, down, values.len().saturating_sub(lag).max(1))
    };
    let (up, down, pairs) = steps(1);
    let (later_up, later_down, later) = steps(values.len() / 2);
    // A part that goes one way seldom turns; late records turn it and leave the trend between the halves.
    let one_way = up.max(down) as f64 >= ONE_WAY * (up + down) as f64;
    let trend = 2 * later_up.max(later_down) >= later;
    let steady = pairs - up.min(down);
    let share = if up + down > 0 && (one_way || trend) { steady as f64 / pairs as f64 } else { 0.0 };
    (share, evidence.alike(part).map_or(0, Alike::distinct))
}

/// One value of the leading parts has more rows than a region should.
pub fn frequent(review: &Review) -> Vec<Found> {
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
    let severity = if share >= 4.0 * fair { Severity::Bad } else { Severity::Warning };
    let busiest = busiest(review, evidence, |row| alike.has(row, id));
    vec![
        Found::new(severity)
            .at(part.span)
            .with("value", crate::row::to_string_binary(value))
            .with("part", &part.text)
            .with("share", percent(share))
            .with("times", tenths(share / fair))
            .with("rate", busiest.map_or("?".to_owned(), |busiest| percent(busiest.share)))
            .mended_by(salted(review, apart(review, |other| other != index))),
    ]
}

/// Regions of very unlike size that no one value explains.
pub fn skewed(review: &Review) -> Vec<Found> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let verdict = &evidence.report.verdict;
    if verdict.code != "verdict.skewed" || !frequent(review).is_empty() {
        return Vec::new();
    }
    let regions = review.points.regions();
    vec![
        Found::new(Severity::Warning)
            .with("times", tenths(evidence.report.skew.max_over_mean))
            .with("gini", format!("{:.2}", evidence.report.skew.gini))
            .mended_by(Fix::splits(json!({ "sample": regions }))),
    ]
}
