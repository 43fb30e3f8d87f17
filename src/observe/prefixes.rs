//! Beginnings that many rows share.

use super::tally::TallyView;
use crate::base::estimate::Estimate;
use crate::bytes::sort::sort_by_key;
use std::cmp::Reverse;

/// A row with its cells.
type CountedRow<'a> = (&'a [u8], u64);

/// Prefixes named.
const NAMED: usize = 10;
/// A prefix is named that loses less than this part of the cells of a shorter one.
const KEPT: f64 = 0.9;
/// The least share of a prefix that is named.
const PREFIX_SHARE: f64 = 0.1;

/// Beginnings of rows that have a large share of all cells.
pub fn prefixes(view: &TallyView<'_>) -> Vec<(Vec<u8>, Estimate)> {
    let rows = view.rows();
    let all: u64 = rows.iter().map(|(_, cells)| cells).sum();
    let least = (all as f64 * PREFIX_SHARE).max(1.0) as u64;
    let mut found = Vec::new();
    longest(&rows, 0, (least, all), &mut found);
    sort_by_key(&mut found, |(_, cells): &(Vec<u8>, u64)| Reverse(*cells));
    found.truncate(NAMED);
    found.into_iter().map(|(prefix, cells)| (prefix, Estimate::exact(cells as f64))).collect()
}

/// Follows the beginnings of sorted rows while one byte more keeps nearly all of their cells; what parts into several is followed where
/// each of these is large.
fn longest(rows: &[(&[u8], u64)], depth: usize, (least, cells): (u64, u64), found: &mut Vec<(Vec<u8>, u64)>) {
    let (mut rows, mut depth, mut cells) = (rows, depth, cells);
    loop {
        let mut parts: Vec<(&[CountedRow<'_>], u64)> = rows
            .chunk_by(|(a, _), (b, _)| a.get(depth) == b.get(depth))
            .filter(|part| part.first().is_some_and(|(row, _)| row.len() > depth))
            .map(|part| (part, part.iter().map(|(_, cells)| cells).sum()))
            .filter(|(_, cells)| *cells >= least)
            .collect();
        sort_by_key(&mut parts, |(_, cells)| Reverse(*cells));
        match parts.first() {
            Some((part, most)) if *most as f64 >= cells as f64 * KEPT && part.len() > 1 => {
                (rows, cells) = (part, *most);
                depth += 1;
            }
            Some(_)
                if parts.len() > 1
                    || depth == 0
                    || parts.first().is_some_and(|(_, most)| *most * 2 >= cells) =>
            {
                for (part, cells) in parts {
                    longest(part, depth + 1, (least, cells), found);
                }
                return;
            }
            _ => break,
        }
    }
    if let Some((row, _)) = rows.first().filter(|_| depth > 0) {
        found.push((row.get(..depth).unwrap_or(row).to_vec(), cells));
    }
}
