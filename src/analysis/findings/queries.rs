//! Findings about what queries cost, and about scans as they were written down.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, SALTS, apart, families, reordered, resalted};
use super::query_keys;
use super::review::{PlannedQuery, Review};
use crate::base::Problem;
use crate::base::figures::tenths;
use crate::base::units::DAY_SECONDS;
use crate::bytes::row::to_string_binary;
use crate::design::{GrowthAmount, WriteKind};
use crate::formula::typed::TypedPart;
use crate::hbase::sizing::latest_compaction;
use crate::records::field::shape::Order;
use crate::scan::{KeyRange, PlanKind, regions};

/// Rows read for one returned from which the ranges are wide, and from which they are too wide.
const OVER_READ: [u64; 2] = [3, 10];
/// Rows read in vain that nobody minds. The records at hand are often a few of those to come, so it is not many.
const FEW_ROWS: u64 = 20;
/// Scans of one query from which they are many.
const MANY_SCANS: usize = 32;

fn asked<'a>(review: &'a Review) -> impl Iterator<Item = (&'a str, &'a PlannedQuery)> {
    review
        .asked
        .iter()
        .filter_map(|asked| Some((review.study.queries.get(asked.query)?.name.as_str(), asked)))
}

/// Queries that read the whole table though they ask for a part of it.
pub fn full_scan(review: &Review) -> Vec<RuleHit> {
    let full = asked(review)
        .filter(|(_, asked)| asked.plan.kind == PlanKind::FullScan && asked.restricted && !ends_early(asked));
    full.map(|(name, asked)| {
        let limit = asked.plan.stops_after.filter(|_| asked.counted.is_none());
        let found = RuleHit::new(FindingSeverity::Bad).with("query", name);
        let found = found.with("until", limit.map_or("", |_| "finding.full-scan.until"));
        let found = found.with("limit", limit.map_or_else(String::new, |limit| limit.to_string()));
        found.mended_by(asked_first(review, asked)).or_by(query_keys::fixes(review, asked))
    })
    .collect()
}

/// True if the limit of a query ends its scan before the end of the table: counted, so what it reads is judged.
fn ends_early(asked: &PlannedQuery) -> bool {
    asked.limited.zip(asked.counted).is_some_and(|(limited, all)| limited.read < all.read)
}

/// The key with those parts in front that a query knows, when it asks for nothing that the key does not hold.
fn asked_first(review: &Review, asked: &PlannedQuery) -> Option<DesignFix> {
    let query = review.study.queries.get(asked.query)?;
    let held = |name: &String| {
        let parts = &review.design.typed.parts;
        parts.iter().any(|part| part.fields.iter().any(|&field| review.name(field) == name))
    };
    let known = |part: &TypedPart| {
        !part.fields.is_empty() && part.fields.iter().all(|&field| query.gives(review.name(field)))
    };
    query.conditions.keys().all(held).then(|| reordered(review, known))?
}

/// Queries that read far more rows than they return.
pub fn over_read(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    let scanned = |asked: &PlannedQuery| {
        asked.plan.kind == PlanKind::Scan || asked.plan.kind == PlanKind::FullScan && ends_early(asked)
    };
    for (name, asked) in asked(review).filter(|(_, asked)| scanned(asked) && !asked.plan.exact) {
        let Some(counted) = asked.limited.or(asked.counted) else { continue };
        let times = counted.read / counted.returned.max(1);
        if times < OVER_READ[0] || counted.read - counted.returned < FEW_ROWS {
            continue;
        }
        let severity = if times < OVER_READ[1] { FindingSeverity::Note } else { FindingSeverity::Warning };
        all.push(
            RuleHit::new(severity)
                .with("query", name)
                .with("read", counted.read)
                .with("returned", counted.returned)
                .mended_by(asked_first(review, asked)),
        );
    }
    all
}

/// Queries that need a scan for each of many salts or periods.
pub fn many_scans(review: &Review) -> Vec<RuleHit> {
    let many = asked(review)
        .filter(|(_, asked)| asked.plan.kind == PlanKind::Scan && asked.plan.ranges.len() > MANY_SCANS);
    many.map(|(name, asked)| {
        let touched = regions(&asked.plan.ranges, review.points).len();
        let salts = review.lead().and_then(|(_, part)| part.shape.distinct);
        let many = salts.filter(|&salts| salts > MANY_SCANS as u64);
        RuleHit::new(FindingSeverity::Warning)
            .with("query", name)
            .with("scans", asked.plan.ranges.len())
            .with("regions", touched)
            .or_by(
                many.into_iter()
                    .flat_map(|salts| FEWER_SALTS.map(|fewer| resalted(review, salts, fewer)))
                    .flatten(),
            )
    })
    .collect()
}

/// Salts that may do in place of many: the second shares no factor with the steps that numbers come in.
const FEWER_SALTS: [u64; 2] = [SALTS as u64, 17];

/// Keys with a random salt that someone wants to read again.
pub fn random_salt(review: &Review) -> Vec<RuleHit> {
    let random = review.design.typed.parts.iter().find(|part| part.expression.is_random());
    let Some(part) = random.filter(|_| !review.asked.is_empty()) else { return Vec::new() };
    // One behind a counter divides it into sub-rows, which one scan reads.
    let is_last = review.design.typed.parts.last().is_some_and(|last| last.span == part.span);
    if is_last && review.design.writes == WriteKind::Counter {
        return Vec::new();
    }
    let salts = part.shape.distinct.unwrap_or(0);
    let found =
        RuleHit::new(FindingSeverity::Bad).at(part.span).with("part", &part.text).with("salts", salts);
    let bucket = apart(review, |_| true).map(|parts| format!("bucket({parts}, {salts})"));
    let computed = bucket.and_then(|bucket| review.rewritten(&format!("salt({salts})"), &bucket));
    vec![found.mended_by(computed.map(DesignFix::rowkey))]
}

/// Rows wanted newest first from keys that have the oldest first, or in an order the key does not keep.
pub fn other_order(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for (name, asked) in
        asked(review).filter(|(_, asked)| asked.plan.delivery.reversed || asked.plan.delivery.sort)
    {
        let Some(order) = review.study.queries.get(asked.query).and_then(|query| query.order.as_ref()) else {
            continue;
        };
        let found = RuleHit::new(if asked.plan.delivery.sort {
            FindingSeverity::Warning
        } else {
            FindingSeverity::Note
        });
        let how = if asked.plan.delivery.sort {
            "finding.other-order.sort"
        } else {
            "finding.other-order.reversed"
        };
        let found = found.with("query", name).with("field", &order.field).with("how", how);
        all.push(
            found.mended_by(reversed_time(review, &order.field).filter(|_| asked.plan.delivery.reversed)),
        );
    }
    all
}

/// The same key with the time counted down.
fn reversed_time(review: &Review, field: &str) -> Option<DesignFix> {
    let strict = |order| matches!(order, Order::Strict | Order::Weak);
    let of_field = |part: &&crate::formula::typed::TypedPart| {
        strict(part.shape.order)
            && part.fields.len() == 1
            && part.fields.iter().all(|&index| review.name(index) == field)
    };
    let part = review.design.typed.parts.iter().find(of_field)?;
    let declared = review.study.fields.iter().find(|other| other.name == field)?;
    (declared.kind == crate::records::field::Kind::Time)
        .then(|| review.rewritten(&part.text, &format!("{field}.millis().reverseLong().decimal(19)")))?
        .map(DesignFix::rowkey)
}

/// Scans as someone wrote them that miss rows they are meant to find. Rows of the records that are missed are worse than
/// rows of other values that would be.
pub fn foreign_scan(review: &Review) -> Vec<RuleHit> {
    written(review)
        .filter(|(_, asked, given)| !finds_all(asked, given))
        .map(|(name, asked, given)| {
            let wanted = asked.plan.ranges.first();
            let matching = asked.counted.map_or(0, |counted| counted.returned);
            let missed = matching.saturating_sub(asked.given.map_or(0, |given| given.returned));
            // Without a matching record, a scan beside all that can match is the wrong one.
            let beside = matching == 0 && !asked.plan.needed.iter().any(|range| meet(given, range));
            let (severity, how) = match missed > 0 || beside {
                true => (FindingSeverity::Bad, "finding.foreign-scan.misses"),
                false => (FindingSeverity::Note, "finding.foreign-scan.can-miss"),
            };
            let found = RuleHit::new(severity).with("query", name).with("how", how);
            let [start, stop] = as_written(asked, given);
            let found = found.with("start", start).with("stop", stop);
            let mut right = wanted.map_or_else(Default::default, |range| {
                [&range.start, &range.stop].map(|row| to_string_binary(row))
            });
            if asked.reversed {
                right.reverse();
            }
            found
                .with("rightStart", &right[0])
                .with("rightStop", &right[1])
                .with("missed", missed)
                .with("scans", asked.plan.ranges.len())
                .mended_by(rescanned(review, asked))
        })
        .collect()
}

/// Start and stop row of a scan as someone wrote it.
fn as_written(asked: &PlannedQuery, given: &KeyRange) -> [String; 2] {
    let [start, stop] = [&given.start, &given.stop].map(Vec::as_slice);
    match (asked.reversed, start.split_last(), stop.split_last()) {
        (true, Some((_, below)), Some((_, from))) => [from, below].map(to_string_binary),
        _ => [start, stop].map(to_string_binary),
    }
}

/// True if a scan holds every row that can match: other start and stop rows than the plan's may do as well.
fn finds_all(asked: &PlannedQuery, given: &KeyRange) -> bool {
    asked.plan.needed.iter().all(|range| holds(given, range))
}

/// Scans as someone wrote them that read on past the rows they are meant to find.
pub fn wide_scan(review: &Review) -> Vec<RuleHit> {
    written(review)
        .filter(|(_, asked, given)| {
            finds_all(asked, given) && !asked.plan.ranges.iter().any(|range| holds(range, given))
        })
        .filter(|(_, asked, _)| match (asked.given, asked.counted) {
            (Some(given), Some(counted)) => given.read > counted.read,
            _ => true,
        })
        .map(|(name, asked, given)| {
            let [start, stop] = as_written(asked, given);
            let found = RuleHit::new(FindingSeverity::Warning).with("query", name).with("start", start);
            let right = match asked.reversed {
                true => asked.plan.ranges.first().map(|range| to_string_binary(&range.start)),
                false => asked.plan.ranges.last().map(|range| to_string_binary(&range.stop)),
            };
            found
                .with("stop", if stop.is_empty() { "…".to_owned() } else { stop })
                .with("rightStop", right.unwrap_or_default())
                .with("read", asked.given.map_or(0, |given| given.read))
                .with("returned", asked.counted.map_or(0, |counted| counted.returned))
                .mended_by(rescanned(review, asked))
        })
        .collect()
}

/// The queries with the scan of one as it is planned; without a scan where several are needed.
pub(super) fn rescanned(review: &Review, asked: &PlannedQuery) -> DesignFix {
    let mut queries = review.study.queries.clone();
    let rows = |range: &KeyRange| [&range.start, &range.stop].map(|row| to_string_binary(row));
    if let Some(query) = queries.get_mut(asked.query) {
        query.scan = match asked.plan.ranges.as_slice() {
            [range] => Some(rows(range)),
            _ => None,
        };
    }
    DesignFix { queries: Some(queries), ..DesignFix::default() }
}

/// Queries that take rows from the front and delete them: each scan crosses what the ones before it left.
pub fn queue(review: &Review) -> Vec<RuleHit> {
    let taking = asked(review).filter(|(_, asked)| {
        let deletes = review.study.queries.get(asked.query).is_some_and(|query| query.deletes);
        deletes && matches!(asked.plan.kind, PlanKind::Scan | PlanKind::FullScan)
    });
    let cluster = review.study.cluster.unwrap_or_default();
    let apart = latest_compaction(cluster.major_compaction_days);
    taking
        .filter_map(|(name, asked)| {
            let query = review.study.queries.get(asked.query)?;
            // All that comes in a day is taken and deleted; without growth, what the queries take.
            let taken = query.rate.unwrap_or(0.0) * f64::from(query.limit.unwrap_or(1)) * DAY_SECONDS as f64;
            let grown = review.study.growth.filter(|growth| growth.amount == GrowthAmount::Rows);
            let per_day = grown.map_or(taken, |growth| growth.per_day as f64);
            let found = RuleHit::new(FindingSeverity::Warning).with("query", name);
            let found = found.with("days", tenths(apart as f64 / DAY_SECONDS as f64));
            let found = found.with("markers", format!("{:.0}", per_day * apart as f64 / DAY_SECONDS as f64));
            Some(found.mended_by(expiring(review, asked)))
        })
        .collect()
}

/// Rows that expire after a day, or sooner where they do, in place of being deleted.
fn expiring(review: &Review, asked: &PlannedQuery) -> Option<DesignFix> {
    let mut queries = review.study.queries.clone();
    let query = queries.get_mut(asked.query)?;
    query.deletes = false;
    let cost = Problem::new("finding.cost.until-expired").with("query", &query.name);
    let mut families = families(review);
    families
        .iter_mut()
        .for_each(|family| family.ttl = Some(family.ttl.unwrap_or(u32::MAX).min(DAY_SECONDS as u32)));
    Some(DesignFix { queries: Some(queries), costs: vec![cost.into()], ..DesignFix::families(families) })
}

/// The queries that come with a scan someone wrote, and find something.
fn written<'a>(review: &'a Review) -> impl Iterator<Item = (&'a str, &'a PlannedQuery, &'a KeyRange)> {
    asked(review).filter_map(|(name, asked)| Some((name, asked, asked.written.as_ref()?)))
}

/// True if some row is in both.
fn meet(one: &KeyRange, other: &KeyRange) -> bool {
    (other.stop.is_empty() || one.start < other.stop) && (one.stop.is_empty() || other.start < one.stop)
}

fn holds(outer: &KeyRange, inner: &KeyRange) -> bool {
    outer.start <= inner.start
        && (outer.stop.is_empty() || (!inner.stop.is_empty() && inner.stop <= outer.stop))
}
