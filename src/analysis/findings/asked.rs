//! Findings about how a query is put to HBase: rows as the shell reads them, and times that the key does not tell.

use super::finding::{FindingSeverity, RuleHit};
use super::queries::rescanned;
use super::review::{PlannedQuery, Review};
use super::sequential::is_ordered;
use crate::base::units::DAY_SECONDS;
use crate::bytes::row::from_string_binary;
use crate::formula::typed::TypedPart;
use crate::scan::{self, FieldDomain, KeyRange};

/// Seconds in which no table sees its keys come round, as years of two digits do.
const LIFE: u64 = 50 * 365 * DAY_SECONDS;

/// Rows given with `\x00` as four characters, as the shell hands them on from single quotes.
pub fn quoted_bytes(review: &Review) -> Vec<RuleHit> {
    let hit = |asked: &PlannedQuery| {
        let given = asked.written.as_ref()?;
        let written = String::from_utf8(given.start.clone()).ok()?;
        let meant = KeyRange { start: from_string_binary(&written).ok()?, stop: given.stop.clone() };
        // Read as bytes it is where the rows are, and as text it is not.
        let begins = |range: &KeyRange| asked.plan.ranges.iter().any(|asked| asked.start == range.start);
        if begins(given) || !begins(&meant) {
            return None;
        }
        let name = &review.study.queries.get(asked.query)?.name;
        let found = RuleHit::new(FindingSeverity::Bad).with("query", name).with("written", written);
        Some(found.mended_by(rescanned(review, asked)))
    };
    review.asked.iter().filter_map(hit).collect()
}

/// Queries of a time by a part that comes round: its keys are also those of other rounds.
pub fn other_rounds(review: &Review) -> Vec<RuleHit> {
    let Review { study, design, .. } = review;
    let comes_round = design.typed.parts.iter().find_map(|part| {
        let (field, round) = scan::period(&part.expression)?;
        // The timestamps of cells are those of the arrival.
        let is_arrival = study.fields.get(field).map(|field| &field.name) == study.arrival.as_ref();
        (is_arrival && round / 1000 < LIFE).then_some((part, field))
    });
    let Some((part, field)) = comes_round else { return Vec::new() };
    // A date beside the time of day tells one day from the next.
    let tells_rounds = |other: &TypedPart| {
        other.fields.iter().eq([&field]) && is_ordered(other) && scan::period(&other.expression).is_none()
    };
    if design.typed.parts.iter().any(tells_rounds) {
        return Vec::new();
    }
    let hit = |asked: &PlannedQuery| {
        let query = study.queries.get(asked.query)?;
        let domains = scan::read(query, &study.fields, "").ok()?;
        let Some(&FieldDomain::Numbers(from, last)) = domains.get(field) else { return None };
        if asked.plan.exact || from == i64::MIN || last == i64::MAX {
            return None;
        }
        let found = RuleHit::new(FindingSeverity::Note).at(part.span).with("query", &query.name);
        Some(found.with("part", &part.text).with("from", from).with("to", last + 1))
    };
    review.asked.iter().filter_map(hit).collect()
}
