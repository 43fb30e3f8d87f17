//! Findings about what a table is made of: families, versions, time to live, regions for its size and servers.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, own_table, resplit};
use super::review::Review;
use super::sequential::sequential;
use crate::analysis::report::servers::active;
use crate::analysis::report::{WritePace, WriteTraits};
use crate::base::Problem;
use crate::base::figures::{in_days, percent, tenths};
use crate::base::units::DAY_SECONDS;
use crate::design::{Family, GrowthAmount};
use crate::hbase::sizing::{SizingNeed, bytes_at_most, regions_without_splits, sizing};
use crate::hbase::sizing::{latest_compaction, longest_ttl};
use crate::hbase::storage::table::KeyLengths;
use crate::scan::period;

/// Families that nobody minds.
const FAMILIES: usize = 3;
/// Versions that nobody minds.
const VERSIONS: u32 = 100;
/// Versions that a fix keeps.
const FEW_VERSIONS: u32 = 3;
/// Times that one family may have the rows of another.
const UNLIKE: u64 = 10;
/// Rows of a table of which nothing is known.
const MANY_ROWS: u64 = 1_000_000_000;
/// Share of the stretches of time with a wrong number of written regions from which it is the design.
const MOSTLY: f64 = 0.5;
/// Times the regions suggested from which a table has too many for its size.
const TOO_MANY: u64 = 10;

/// More families than flushes and compactions bear.
pub fn many_families(review: &Review) -> Vec<RuleHit> {
    let families = review.design.families.len();
    let found =
        || RuleHit::new(FindingSeverity::Warning).with("families", families).mended_by(joined(review));
    (families > FAMILIES).then(found).into_iter().collect()
}

/// More versions than a row should carry.
pub fn many_versions(review: &Review) -> Vec<RuleHit> {
    let many = review.design.families.iter().filter(|family| family.versions >= VERSIONS);
    many.map(|family| {
        let mut families = review.design.families.clone();
        for few in families.iter_mut().filter(|few| few.name == family.name) {
            few.versions = FEW_VERSIONS;
            few.min_versions = few.min_versions.map(|least| least.min(FEW_VERSIONS));
        }
        let found = RuleHit::new(FindingSeverity::Warning).with("family", &family.name);
        let cost = Problem::new("finding.cost.history").with("family", &family.name);
        let cost = cost.with("kept", FEW_VERSIONS).with("versions", family.versions);
        let fix = DesignFix { costs: vec![cost.into()], ..DesignFix::families(families) };
        found.with("versions", family.versions).mended_by(fix)
    })
    .collect()
}

/// Families that differ in nothing but their cells joined into one, where qualifiers allow.
fn joined(review: &Review) -> Option<DesignFix> {
    let all = &review.design.families;
    let as_one = |one: &Family, other: &Family| {
        let of = |family: &Family| Family { name: String::new(), cells: Vec::new(), ..family.clone() };
        of(one) == of(other)
    };
    let mut families: Vec<Family> = Vec::new();
    for family in all {
        let Some(joined) = families.iter_mut().find(|joined| as_one(joined, family)) else {
            families.push(family.clone());
            continue;
        };
        for cell in &family.cells {
            if joined.cells.iter().any(|held| held.qualifier == cell.qualifier) {
                return None;
            }
            joined.cells.push(cell.clone());
        }
    }
    (families.len() <= FAMILIES).then(|| DesignFix::families(families))
}

/// Keys that come round again before the rows of the last round are gone.
pub fn loop_key(review: &Review) -> Vec<RuleHit> {
    let parts = &review.design.typed.parts;
    let arrival = review.study.arrival.as_deref();
    let cycles = parts.iter().find_map(|part| {
        let (field, period) = period(&part.expression)?;
        (arrival == Some(review.name(field))).then_some((part, period / 1000))
    });
    let Some((part, round)) = cycles else { return Vec::new() };
    // An earlier part of the key may distinguish the rounds.
    let told = |other: &&crate::formula::typed::TypedPart| {
        other.span < part.span
            && super::fix::is_of_arrival(review, other)
            && period(&other.expression).is_none()
    };
    if parts.iter().any(|other| told(&other)) {
        return Vec::new();
    }
    let compaction = latest_compaction(review.study.cluster.unwrap_or_default().major_compaction_days);
    let longest = longest_ttl(round, compaction);
    let lives = review.design.families.iter().filter_map(|family| family.ttl).max();
    let Some(ttl) = lives.map(u64::from).filter(|&ttl| longest.is_none_or(|longest| ttl > longest)) else {
        return Vec::new();
    };
    let severity = if ttl > round { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let found = RuleHit::new(severity).at(part.span).with("part", &part.text).with("round", in_days(round));
    let found = found.with("ttl", in_days(ttl)).with("compaction", in_days(compaction));
    let shorter = longest.and_then(|longest| u32::try_from(longest).ok()).map(|longest| {
        let mut families = review.design.families.clone();
        families.iter_mut().for_each(|family| family.ttl = family.ttl.map(|ttl| ttl.min(longest)));
        DesignFix::families(families)
    });
    vec![found.with("longest", longest.map_or("0".to_owned(), in_days)).mended_by(shorter)]
}

/// Regions written at the same time: fewer than servers, or more than their memory bears.
pub fn active_regions(review: &Review) -> Vec<RuleHit> {
    let (Some(evidence), Some(servers)) = (&review.evidence, review.design.servers) else {
        return Vec::new();
    };
    let cluster = review.study.cluster.unwrap_or_default();
    let Some(active) = active(evidence.report, servers, &cluster) else { return Vec::new() };
    let few = active.too_few > MOSTLY;
    let rate = WriteTraits::default().at(review.study.write_rate());
    let enough = few && rate.of_server(1.0) == WritePace::Low;
    // A key that rises with time writes one region however many there are: that is said already.
    if servers < 2 || !(few || active.too_many > MOSTLY) || enough || !sequential(review).is_empty() {
        return Vec::new();
    }
    let how = if few { "finding.active-regions.few" } else { "finding.active-regions.many" };
    let share = percent(if few { active.too_few } else { active.too_many });
    let found = RuleHit::new(FindingSeverity::Warning).with("written", active.median).with("share", share);
    let found = found.with("servers", servers).with("atLeast", active.at_least).with("upTo", active.up_to);
    let regions = if few { 2 * u64::from(servers) } else { active.up_to };
    vec![found.with("how", how).mended_by(resplit(review, regions))]
}

/// Regions too few for the size the table will have, or far too many.
pub fn region_count(review: &Review) -> Vec<RuleHit> {
    let Some(growth) = &review.study.growth else { return Vec::new() };
    let cluster = review.study.cluster.unwrap_or_default();
    let keys = match &review.evidence {
        Some(evidence) => KeyLengths::from(&evidence.report.keys),
        None => KeyLengths::from(review.design.typed.shape.width),
    };
    let bytes = bytes_at_most(growth, review.design, &keys);
    let need = SizingNeed { bytes, servers: review.design.servers.unwrap_or(1), cluster };
    let suggested = sizing(&need).suggested;
    let regions = review.points.regions() as u64;
    let few = regions < regions_without_splits(bytes, cluster.max_region());
    // Two regions a server are worth having, however small.
    if !few && regions <= suggested.saturating_mul(TOO_MANY) {
        return Vec::new();
    }
    let how = if few { "finding.region-count.few" } else { "finding.region-count.many" };
    let found = RuleHit::new(if few { FindingSeverity::Note } else { FindingSeverity::Warning })
        .with("regions", regions);
    let found = found.with("gigabytes", tenths(bytes as f64 / crate::base::units::GB as f64));
    let found = found.with("months", growth.months).with("suggested", suggested);
    vec![found.with("how", how).mended_by(resplit(review, suggested))]
}

/// Cells whose timestamps are another time than that of their arrival, and that expire: late ones at once.
pub fn event_ttl(review: &Review) -> Vec<RuleHit> {
    let arrival = review.study.arrival.as_deref();
    let stamped = |family: &Family| {
        let mut timestamps = family.cells.iter().filter_map(|cell| cell.timestamp.as_deref());
        let field = timestamps.find(|field| arrival != Some(*field))?.to_owned();
        Some((family.ttl?, family.name.clone(), field))
    };
    let found = |(ttl, family, field): (u32, String, String)| {
        let mut families = review.design.families.clone();
        let cells = families.iter_mut().flat_map(|family| &mut family.cells);
        cells.filter(|cell| cell.timestamp.as_ref() == Some(&field)).for_each(|cell| cell.timestamp = None);
        let found = RuleHit::new(FindingSeverity::Note).with("family", family).with("field", field);
        found.with("ttl", in_days(u64::from(ttl))).mended_by(DesignFix::families(families))
    };
    review.design.families.iter().filter_map(stamped).map(found).collect()
}

/// Rows of the table at the end of the time looked ahead, or else of the records; very many where neither tells.
fn rows_to_come(review: &Review) -> u64 {
    let growth = review.study.growth.filter(|growth| growth.amount == GrowthAmount::Rows);
    let held = review.evidence.as_ref().map(|evidence| evidence.report.keys.count).filter(|count| *count > 0);
    growth.map(|growth| growth.at_most(None)).or(held).unwrap_or(MANY_ROWS).max(1)
}

/// Families of one table of which one keeps far fewer rows than another, and lies in all of its regions.
pub fn unlike_families(review: &Review) -> Vec<RuleHit> {
    let days = review.study.growth.map_or(365, |growth| growth.days());
    let most = u64::from(days) * DAY_SECONDS;
    // Rows that live longer are more, by the seconds in which they come.
    let all = rows_to_come(review);
    let lives = |family: &Family| {
        let seconds = family.lives().map_or(most, |ttl| u64::from(ttl).min(most)).max(1);
        seconds.saturating_mul(family.rows.of(all)).max(1)
    };
    let families = || review.design.families.iter().filter(|family| !family.cells.is_empty());
    let shortest = families().min_by_key(|family| lives(family));
    let (Some(few), Some(many)) = (shortest, families().max_by_key(|family| lives(family))) else {
        return Vec::new();
    };
    let times = lives(many) / lives(few);
    if times < UNLIKE {
        return Vec::new();
    }
    let found = RuleHit::new(FindingSeverity::Warning).with("few", &few.name).with("many", &many.name);
    let found = found.with("times", times).with("regions", review.points.regions());
    let longest = lives(many);
    vec![
        found.mended_by(own_table(review, |family| {
            !family.cells.is_empty() && longest / lives(family) >= UNLIKE
        })),
    ]
}
