//! The finding about a row that takes a large share of the increments.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::Review;
use super::spread::{DEVIATIONS, shown};
use crate::analysis::report::{WritePace, WriteTraits};
use crate::base::Problem;
use crate::base::figures::one_decimal;

/// Sub-rows that a counter is divided into, at least and at most.
const SUB_ROWS: [usize; 2] = [16, 1024];

/// One row takes a large share of the increments. HBase does those of one row one after the other.
pub fn hot_row(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let Some(hot) = &evidence.report.faults.hot_row else { return Vec::new() };
    let rate = review.study.write_rate();
    let pace = WriteTraits::default().at(rate).of_row(hot.share());
    let (severity, told) = match pace {
        WritePace::High => (FindingSeverity::Bad, "finding.hot-row.high"),
        WritePace::Near => (FindingSeverity::Warning, "finding.hot-row.near"),
        WritePace::Unknown if hot.stands_out => (FindingSeverity::Warning, "finding.hot-row.unknown"),
        WritePace::Unknown | WritePace::Low => return Vec::new(),
    };
    let when = if hot.for_a_time { "finding.hot-row.for-a-time" } else { "finding.hot-row.whole" };
    let mut hit = RuleHit::new(severity)
        .with("row", &hot.row)
        .with("share", shown(evidence, hot.rows as usize, hot.of as usize, DEVIATIONS))
        .with("when", when)
        .with("pace", told);
    let mut sub_rows = SUB_ROWS[0];
    if let Some(rate) = rate {
        let increments = hot.share() * rate.per_second;
        hit = hit.with("writes", one_decimal(increments)).with("capacity", one_decimal(rate.row));
        // As many as leave each at a quarter of what a row takes.
        let wanted = (4.0 * increments / rate.row).ceil().clamp(0.0, SUB_ROWS[1] as f64) as usize;
        sub_rows = wanted.next_power_of_two().clamp(SUB_ROWS[0], SUB_ROWS[1]);
    }
    vec![hit.with("subRows", sub_rows).mended_by(divided(review, sub_rows))]
}

/// The key with a number behind it that divides a counter into sub-rows, which one scan reads: computed from a field that the
/// key does not hold, or else by chance.
fn divided(review: &Review, sub_rows: usize) -> Option<DesignFix> {
    let digits = sub_rows.saturating_sub(1).checked_ilog10().unwrap_or(0) + 1;
    let formula = format!("{} + '-' + salt({sub_rows}).decimal({digits})", review.design.rowkey);
    let of_query = |name: &String| {
        let cost = Problem::new("finding.cost.sub-rows").with("query", name);
        cost.with("subRows", sub_rows).into()
    };
    let costs = review.study.queries.iter().map(|query| of_query(&query.name)).collect();
    Some(DesignFix { costs, ..DesignFix::rowkey(formula) })
}
