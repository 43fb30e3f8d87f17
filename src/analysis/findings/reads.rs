//! The finding about reads that gather in a region or on a server.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{equal_shares, spread_anew};
use super::review::Review;
use super::spread::DEVIATIONS;
use crate::analysis::report::{WritePace, may_be_chance, pace};
use crate::base::figures::{one_decimal, percent, percent_between, share_bounds, tenths};
use crate::scan::popular_reads;

/// Times an even share from which a region or server takes far more reads than others.
const TIMES: f64 = 2.0;
/// Share of the reads below which nothing is said of a region.
const LEAST: f64 = 0.1;

/// The index of the largest, with its share, where it is far more than an even share and not by chance.
fn hot(loads: &[f64], draws: f64) -> Option<(usize, f64)> {
    let all: f64 = loads.iter().sum();
    let (index, most) = loads.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let (share, places) = (most / all, loads.len());
    let stands_out = places > 1 && share >= LEAST.max(TIMES / places as f64);
    let chance = || may_be_chance((share * draws).round() as u32, draws.round() as u32, places);
    (all > 0.0 && stands_out && !chance()).then_some((index, share))
}

/// A region, or else a server, that takes far more than its share of the reads.
pub fn hot_reads(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let Some(reads) = popular_reads(review.study, review.design, review.points, evidence.all) else {
        return Vec::new();
    };
    let cluster = review.study.cluster.unwrap_or_default();
    let of_region = hot(&reads.load.regions, reads.draws)
        .map(|found| (found, "finding.hot-reads.region", reads.load.regions.len(), cluster.region_reads));
    let of_server = || {
        hot(&reads.load.servers, reads.draws)
            .map(|found| (found, "finding.hot-reads.server", reads.load.servers.len(), cluster.server_reads))
    };
    let Some(((place, share), what, places, capacity)) = of_region.or_else(of_server) else {
        return Vec::new();
    };
    let (per_second, capacity) = (share * reads.load.requests, f64::from(capacity));
    let how = if reads.rated { pace(per_second, capacity) } else { WritePace::Unknown };
    let (severity, told) = match how {
        WritePace::High => (FindingSeverity::Bad, "finding.hot-reads.high"),
        WritePace::Near => (FindingSeverity::Warning, "finding.hot-reads.near"),
        WritePace::Unknown => (FindingSeverity::Warning, "finding.hot-reads.unknown"),
        WritePace::Low => return Vec::new(),
    };
    let (of, draws) = ((share * reads.draws).round(), reads.draws.round());
    let told_share = if reads.sampled {
        let (low, high) = share_bounds(of, draws, DEVIATIONS);
        percent_between(low, high)
    } else {
        percent(share)
    };
    let sample = reads.sampled.then_some(draws as usize);
    let hit = RuleHit { sample, ..RuleHit::new(severity) }
        .with("what", what)
        .with("place", place)
        .with("places", places)
        .with("share", told_share)
        .with("times", tenths(share * places as f64))
        .with("reads", one_decimal(per_second))
        .with("capacity", one_decimal(capacity))
        .with("pace", told);
    vec![hit.or_by(equal_shares(review)).or_by(spread_anew(review))]
}
