//! Pages of a result: the ranges that follow the last row delivered.

use super::count::{QueryMatcher, places, rows};
use super::plan::{PlanKind, QueryPlan};
use super::range::KeyRange;
use crate::base::Problem;
use crate::bytes::row::{prefix_stop_row, to_string_binary};
use crate::keys::table::KeyTable;

/// Most rows of merged streams among which the last row of a page is looked for.
const MERGED: usize = 1 << 20;

/// The rows behind those delivered.
#[derive(Clone, Debug, PartialEq)]
pub struct NextPage {
    /// Their plan.
    pub plan: QueryPlan,
    /// True if rows that were delivered are read again, as keys do not tell them from the others: all, where they have to be
    /// sorted; those that tie with the last one.
    pub repeats: bool,
}

/// The rows of a plan behind `key`, the last one delivered. `skipped`: bytes at the beginning of keys that are not compared when
/// streams are merged, as [`super::prefix_length`] has them. Rows of several streams that are otherwise equal come in order of
/// the ranges.
///
/// # Errors
/// `plan.after-outside` if no range holds the key.
pub fn next_page(plan: &QueryPlan, skipped: Option<usize>, key: &[u8]) -> Result<NextPage, Problem> {
    let outside = || Problem::new("plan.after-outside").with("key", to_string_binary(key));
    let at = plan.ranges.iter().position(|range| range.contains(key)).ok_or_else(outside)?;
    let turns = plan.in_turn();
    let cut: Option<Vec<(usize, KeyRange)>> = match (plan.delivery.merge, skipped) {
        _ if plan.delivery.sort => None,
        (true, None) => None,
        (true, Some(skipped)) => Some(behind_in_all(plan, (at, key), skipped)),
        (false, _) => {
            let behind = turns.iter().skip_while(|turn| **turn != at);
            let cut = |&turn: &usize| {
                let range = plan.ranges.get(turn)?;
                Some((turn, if turn == at { behind_in(plan, range, key) } else { range.clone() }))
            };
            Some(behind.filter_map(cut).collect())
        }
    };
    let repeats = cut.is_none() || plan.delivery.tied.is_some();
    let mut next = plan.clone();
    if let Some(mut cut) = cut {
        cut.retain(|(_, range)| !range.is_empty());
        let mut order: Vec<usize> = (0..cut.len()).collect();
        crate::bytes::sort::sort_by(&mut order, |a, b| place(&cut, *a).cmp(&place(&cut, *b)));
        next.turns = match plan.turns.as_slice() {
            [] => Vec::new(),
            _ => (0..cut.len()).filter_map(|turn| order.iter().position(|at| *at == turn)).collect(),
        };
        next.ranges = order.iter().filter_map(|&at| Some(cut.get(at)?.1.clone())).collect();
        next.needed.clone_from(&next.ranges);
    }
    next.kind = match (plan.kind, next.ranges.is_empty()) {
        (_, true) => PlanKind::Nothing,
        (PlanKind::FullScan, _) if !next.ranges.iter().any(KeyRange::is_all) => PlanKind::Scan,
        (kind, _) => kind,
    };
    if repeats {
        next.reasons.push(Problem::new("plan.page-repeats"));
    }
    Ok(NextPage { plan: next, repeats })
}

fn place(cut: &[(usize, KeyRange)], at: usize) -> Option<usize> {
    cut.get(at).map(|(place, _)| *place)
}

/// The rows of a range behind one of it; those that tie with it are in it once more.
fn behind_in(plan: &QueryPlan, range: &KeyRange, key: &[u8]) -> KeyRange {
    match plan.delivery.tied {
        Some(tied) => from_tie(plan, range, key.get(..tied).unwrap_or(key)),
        None => behind(plan, range, key, false),
    }
}

/// The rows of each stream behind a row of one of them.
fn behind_in_all(plan: &QueryPlan, (at, key): (usize, &[u8]), skipped: usize) -> Vec<(usize, KeyRange)> {
    let end = plan.delivery.tied.map_or(key.len(), |tied| tied.min(key.len()));
    let compared = key.get(skipped..end).unwrap_or_default();
    let of_stream = |(stream, range): (usize, &KeyRange)| {
        let own = [range.start.get(..skipped).unwrap_or(&range.start), compared].concat();
        let cut = match plan.delivery.tied {
            Some(_) => from_tie(plan, range, &own),
            None => behind(plan, range, &own, stream > at),
        };
        (stream, cut)
    };
    plan.ranges.iter().enumerate().map(of_stream).collect()
}

/// The rows of a range behind a row in the direction of the plan, with it where it is not delivered yet.
fn behind(plan: &QueryPlan, range: &KeyRange, row: &[u8], with: bool) -> KeyRange {
    let after = [row, &[0]].concat();
    let from = |row: &[u8]| KeyRange { start: row.max(&range.start).to_vec(), stop: range.stop.clone() };
    match (plan.delivery.reversed, with) {
        (false, true) => from(row),
        (false, false) => from(&after),
        (true, true) => until(range, &after),
        (true, false) => until(range, row),
    }
}

/// The rows of a range from those on that begin as the last one does.
fn from_tie(plan: &QueryPlan, range: &KeyRange, tie: &[u8]) -> KeyRange {
    match plan.delivery.reversed {
        false => KeyRange { start: tie.max(&range.start).to_vec(), stop: range.stop.clone() },
        true => until(range, &prefix_stop_row(tie)),
    }
}

/// The rows of a range before a row; the empty row is the end of the table.
fn until(range: &KeyRange, stop: &[u8]) -> KeyRange {
    let ends = |stop: &[u8]| stop.is_empty();
    let stop = match (ends(stop), ends(&range.stop)) {
        (true, _) => range.stop.as_slice(),
        (_, true) => stop,
        _ => stop.min(&range.stop),
    };
    KeyRange { start: range.start.clone(), stop: stop.to_vec() }
}

/// The row with which the limit of a plan is reached; `None` without a limit, with fewer rows, and where a client would have to
/// read too many to know it.
pub fn last_row(
    plan: &QueryPlan,
    skipped: Option<usize>,
    table: &KeyTable,
    matching: &QueryMatcher<'_>,
) -> Option<Vec<u8>> {
    let limit = plan.stops_after? as usize;
    let last = limit.checked_sub(1)?;
    let first_of = |range: &KeyRange, most: usize| -> Vec<Vec<u8>> {
        let found = rows(table, places(range, table), plan.delivery.reversed, matching);
        found.filter(|row| row.matches).map(|row| row.key.to_vec()).take(most).collect()
    };
    if !plan.delivery.merge {
        let mut left = last;
        for range in plan.in_turn().into_iter().filter_map(|turn| plan.ranges.get(turn)) {
            let mut found = first_of(range, left + 1);
            if found.len() > left {
                return found.pop();
            }
            left -= found.len();
        }
        return None;
    }
    let skipped = skipped.filter(|_| limit.saturating_mul(plan.ranges.len()) <= MERGED)?;
    let mut all: Vec<(Vec<u8>, usize, Vec<u8>)> = Vec::new();
    for (stream, range) in plan.ranges.iter().enumerate() {
        let compared = |key: Vec<u8>| (key.get(skipped..).unwrap_or_default().to_vec(), stream, key);
        all.extend(first_of(range, limit).into_iter().map(compared));
    }
    crate::bytes::sort::sort_by(&mut all, |a, b| {
        let order = a.0.cmp(&b.0);
        if plan.delivery.reversed { order.reverse() } else { order }.then(a.1.cmp(&b.1))
    });
    all.get(last).map(|(.., key)| key.clone())
}
