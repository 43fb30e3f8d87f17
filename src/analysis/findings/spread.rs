//! Findings about where writes go, and about one thing, such as a device or a customer, that writes more than its share.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{
    DesignFix, apart, equal_shares, is_of_arrival, region_for_each_bucket, resplit, salted, spread_anew,
};
use super::pace::{Gathered, paced};
use super::review::{Evidence, Review};
use crate::analysis::report::{Concentration, SKEW_BAD, WritePace, WriteTraits};
use crate::base::figures::{in_one_unit, percent, percent_between, share_bounds, tenths};
use crate::base::host::ticking;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::design::WriteKind;
use crate::records::ColumnValues;

/// Rows from which a share of them means something.
pub(super) const ENOUGH: usize = 100;
/// Stretches of the period in which the busiest is looked for.
const STRETCHES: usize = 100;
/// Rows of a stretch from which a share of them means something.
const STRETCH_ROWS: u32 = 20;
/// Standard deviations within which a share of a sample lies 19 times of 20, and the largest of [`STRETCHES`] shares.
pub(super) const DEVIATIONS: f64 = 1.96;
/// See [`DEVIATIONS`].
const DEVIATIONS_OF_LARGEST: f64 = 3.5;
/// Times the mean of all values from which one is busy.
const TIMES_MEANT: f64 = 2.0;
/// Share of all rows below which nobody is too busy.
const LEAST_BUSY: f64 = 0.05;
/// Part of a share that it is at least taken for in a sample.
const IN_SAMPLES: f64 = 0.9;

/// A share of the rows with a key: counted, or between its bounds where these are a sample.
pub(super) fn shown(evidence: &Evidence, part: usize, whole: usize, deviations: f64) -> String {
    let (part, whole) = (part as f64, whole as f64);
    if !evidence.is_sample() {
        return percent(part / whole.max(1.0));
    }
    let (low, high) = share_bounds(part, whole, deviations);
    percent_between(low, high)
}

/// One value of the leading parts has more rows than a region should.
pub fn frequent(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = review.evidence.as_ref().filter(|evidence| evidence.rows() >= ENOUGH) else {
        return Vec::new();
    };
    let (Some((index, part)), regions) = (review.lead(), review.points.regions()) else { return Vec::new() };
    let Some(values) = review.part(index) else { return Vec::new() };
    let alike = values.alike();
    let Some((id, value, rows)) = alike.most() else { return Vec::new() };
    let share = rows as f64 / evidence.rows() as f64;
    let fair = 1.0 / regions as f64;
    // A bucket or another part of few values is as frequent as it is meant to be.
    let meant = 1.0 / alike.distinct() as f64;
    if regions < 2 || share < 2.0 * fair || share < 4.0 * meant || share < 0.05 {
        return Vec::new();
    }
    // Split points within its rows divide them already.
    let over_mean = over_mean(review, evidence, |row| alike.has(row, id));
    if over_mean < 2.0 {
        return Vec::new();
    }
    let severity = if over_mean >= 4.0 { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let peak = busiest(review, evidence, |row| alike.has(row, id)).and_then(|busiest| busiest.share);
    let hit = RuleHit::new(severity)
        .at(part.span)
        .with("value", to_string_binary(value))
        .with("part", &part.text)
        .with("share", shown(evidence, rows, evidence.rows(), DEVIATIONS))
        .with("times", tenths(share / fair))
        .with("peak", peak.as_ref().map_or("", |_| "finding.frequent-value.peak"))
        .with("rate", peak.unwrap_or_default())
        .mended_by(salted(review, apart(review, |other| other != index)))
        .or_by(equal_shares(review))
        .or_by(spread_anew(review));
    vec![paced(review, hit, share, Gathered::InRegion)]
}

/// Times the mean that the region has which holds most of the rows for which `own` holds.
fn over_mean(review: &Review, evidence: &Evidence, own: impl Fn(usize) -> bool) -> f64 {
    let mut held: Vec<usize> = ticking(0..evidence.rows())
        .filter(|&row| own(row))
        .map(|row| review.points.region_of(evidence.key(row)))
        .collect();
    sort(&mut held);
    let most = held.chunk_by(|a, b| a == b).max_by_key(|rows| rows.len()).and_then(|rows| rows.first());
    let region = most.and_then(|most| evidence.report.regions.iter().find(|region| region.index == *most));
    region.map_or(0.0, |region| f64::from(region.records) / evidence.report.skew.mean.max(1.0))
}

/// Many rows of one sender arrive together, and so in one region. The next sender's lie elsewhere, and all is even in the end.
pub fn bursts(review: &Review) -> Vec<RuleHit> {
    let (Some(evidence), Some((index, part))) = (&review.evidence, review.lead()) else { return Vec::new() };
    let writing = &evidence.report.writing;
    let Some(found) = writing.regions.filter(|found| !writing.is_by_time(found)) else { return Vec::new() };
    let high = WriteTraits::default().at(review.study.write_rate()).of_region(found.share) == WritePace::High;
    let severity = if high { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let hit = RuleHit::new(severity)
        .at(part.span)
        .with("part", &part.text)
        .with("interval", in_one_unit(found.length))
        .with("share", percent(found.share))
        .with("lasts", percent(found.lasts))
        .mended_by(salted(review, apart(review, |other| other != index)))
        .or_by(spread_anew(review));
    vec![paced(review, hit, found.share, Gathered::InRegion)]
}

/// Other numbers of regions, which have no factor in common with the number of servers.
fn beside_servers(review: &Review) -> impl Iterator<Item = DesignFix> {
    let regions = review.points.regions() as u64;
    let servers = review.design.servers.map_or(1, u64::from);
    let prime = move |number: &u64| {
        (2..=servers).all(|factor| !servers.is_multiple_of(factor) || !number.is_multiple_of(factor))
    };
    (regions + 1..=2 * regions + servers).filter(prime).take(3).map(|regions| resplit(review, regions))
}

/// Regions written at the same time that lie on the same server.
pub fn one_server(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let writing = &evidence.report.writing;
    // Where one region takes all, so does its server: that is said already.
    // One sender after the other in a region is less than time on a server.
    let more = |found: &Concentration, region: Concentration| {
        writing.is_by_time(found) && !writing.is_by_time(&region)
    };
    let own = |found: &Concentration| writing.regions.is_none_or(|region| more(found, region));
    let Some(found) = writing.servers.filter(own) else { return Vec::new() };
    let high = WriteTraits::default().at(review.study.write_rate()).of_server(found.share) == WritePace::High;
    let bad = high || writing.is_by_time(&found);
    let hit = RuleHit::new(if bad { FindingSeverity::Bad } else { FindingSeverity::Warning })
        .with("servers", writing.server_count)
        .with("interval", in_one_unit(found.length))
        .with("share", percent(found.share))
        .with("lasts", percent(found.lasts))
        .or_by(beside_servers(review))
        .or_by(spread_anew(review));
    vec![paced(review, hit, found.share, Gathered::OnServer)]
}

/// Regions of very unlike size that no one value explains.
pub fn skewed(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    if evidence.report.verdict_of_keys != "verdict.skewed" || !frequent(review).is_empty() {
        return Vec::new();
    }
    let regions = review.points.regions();
    let severity = if evidence.report.skew.is_over(SKEW_BAD, regions) {
        FindingSeverity::Bad
    } else {
        FindingSeverity::Warning
    };
    let hit = RuleHit::new(severity)
        .with("times", tenths(evidence.report.skew.max_over_mean))
        .with("gini", format!("{:.2}", evidence.report.skew.gini))
        .mended_by(region_for_each_bucket(review))
        .or_by(equal_shares(review))
        .or_by(spread_anew(review));
    let share = evidence.report.skew.max_over_mean / regions.max(1) as f64;
    vec![paced(review, hit, share, Gathered::InRegion)]
}

/// The stretch of the period in which some rows were the largest share of all.
struct BusiestStretch {
    /// Their share in it, as the sentence has it; `None` where chance makes as much of their share of all rows.
    share: Option<String>,
    /// Rows of theirs a second in it.
    per_second: f64,
}

/// When the rows for which `own` holds were busiest; `None` when the time of arrival is not known.
fn busiest(review: &Review, evidence: &Evidence, own: impl Fn(usize) -> bool) -> Option<BusiestStretch> {
    let arrival = review.study.arrival.as_deref()?;
    let ColumnValues::Integers(times) = &evidence.keyed().column(arrival)?.values else { return None };
    let (&first, &last) = (times.iter().min()?, times.iter().max()?);
    let span = i128::from(last) - i128::from(first) + 1;
    let mut stretches = [(0u32, 0u32); STRETCHES];
    let mut whole = (0u32, 0u32);
    for (row, &time) in times.iter().enumerate() {
        let at = (i128::from(time) - i128::from(first)) * STRETCHES as i128 / span;
        if let Some(stretch) = stretches.get_mut(at as usize) {
            for (all, theirs) in [stretch, &mut whole] {
                *all += 1;
                *theirs += u32::from(own(row));
            }
        }
    }
    let share = |&(all, theirs): &(u32, u32)| {
        if all < STRETCH_ROWS { 0.0 } else { f64::from(theirs) / f64::from(all) }
    };
    let busiest = stretches.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let of_sample = evidence.all_rows() / evidence.rows().max(1) as f64;
    let seconds = span as f64 / STRETCHES as f64 / 1000.0;
    // The largest of many shares is above the true one by chance alone.
    let (even, rows) = (f64::from(whole.1) / f64::from(whole.0.max(1)), f64::from(busiest.0));
    let by_chance = even * rows + DEVIATIONS_OF_LARGEST * (even * (1.0 - even) * rows).sqrt();
    let peaks = f64::from(busiest.1) > by_chance;
    Some(BusiestStretch {
        share: peaks.then(|| shown(evidence, busiest.1 as usize, busiest.0 as usize, DEVIATIONS_OF_LARGEST)),
        per_second: f64::from(busiest.1) * of_sample / seconds,
    })
}

/// Rows a second, as the sentence has them.
fn rate(per_second: f64) -> String {
    if per_second < 0.05 { "<0.1".to_owned() } else { tenths(per_second) }
}

/// The share that the rows of no value of the first parts of the key exceed: that of the most frequent value of a field that one of
/// them holds whole.
fn most_share(review: &Review, evidence: &Evidence, parts: usize) -> f64 {
    let whole = review.design.typed.parts.iter().take(parts).filter(|part| part.shape.one_to_one);
    let shares = whole.filter_map(|part| {
        let [field] = part.fields.as_slice() else { return None };
        let busiest = evidence.report.busiest.iter().find(|busiest| busiest.field == review.name(*field))?;
        Some(f64::from(busiest.values.first()?.rows) / evidence.report.keys.count.max(1) as f64)
    });
    shares.fold(1.0, f64::min)
}

/// One thing whose rows lie in order of time, so that all it writes at a moment goes to one region, wherever that is
/// split, and that is more than a server's share.
pub fn busy(review: &Review) -> Vec<RuleHit> {
    let written = review.design.writes != WriteKind::Bulk;
    let enough = |evidence: &&Evidence| written && evidence.rows() >= ENOUGH;
    let Some(evidence) = review.evidence.as_ref().filter(enough) else { return Vec::new() };
    let parts = &review.design.typed.parts;
    let rises = parts.iter().position(|part| is_of_arrival(review, part) && review.keeps_order(part));
    let lead = review.lead().map_or(0, |(lead, _)| lead);
    let Some(count) = rises.filter(|&count| count > lead) else { return Vec::new() };
    if most_share(review, evidence, count) < LEAST_BUSY * IN_SAMPLES {
        return Vec::new();
    }
    let Some(alike) = review.beginnings(count) else { return Vec::new() };
    let Some((id, _, rows)) = alike.most() else { return Vec::new() };
    let share = rows as f64 / evidence.rows() as f64;
    let regions = review.points.regions() as u64;
    let most = review.design.servers.map_or(regions, |servers| u64::from(servers).min(regions));
    // A bucket, or one of few senders, has what it is meant to have.
    let meant = share * (alike.distinct() as f64) < TIMES_MEANT;
    // Where one place takes most of the writes for a time, more than its part is reason enough.
    let writing = &evidence.report.writing;
    let least = if writing.regions.or(writing.servers).is_some() { 1.0 } else { 2.0 };
    let little = share < LEAST_BUSY || share * most as f64 <= least;
    if most < 2 || little || meant || !frequent(review).is_empty() {
        return Vec::new();
    }
    let Some(busiest) = busiest(review, evidence, |row| alike.has(row, id)) else { return Vec::new() };
    // The value itself, without the separator behind it.
    let meaning = |index: &usize| {
        review.design.typed.parts.get(*index).is_some_and(|part| part.shape.distinct != Some(1))
    };
    let last = (0..count).rev().find(meaning).map_or(count, |last| last + 1);
    let row = (0..evidence.rows()).find(|&row| alike.has(row, id));
    let own = |index: usize| Some(review.part(index)?.values.get(row?).to_vec());
    let value: Vec<u8> = (0..last).filter_map(own).flatten().collect();
    let overall = shown(evidence, rows, evidence.rows(), DEVIATIONS);
    let hit = RuleHit::new(FindingSeverity::Warning)
        .with("value", to_string_binary(&value))
        .with("share", &overall)
        .with("busiest", busiest.share.unwrap_or(overall))
        .with("rate", rate(busiest.per_second))
        .with("servers", most)
        .mended_by(salted(review, apart(review, |index| index >= count)))
        .or_by(spread_anew(review));
    vec![paced(review, hit, share, Gathered::InRegion)]
}
