//! Findings about where writes go.

use super::entity::busiest;
use super::fix::{apart, salted};
use super::{Fix, Found, Review, Severity};
use crate::base::figures::{percent, tenths};
use serde_json::json;

/// Rows from which a share of them means something.
pub(super) const ENOUGH: usize = 100;

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
            .with("value", crate::bytes::row::to_string_binary(value))
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
