//! Regions that no key can fall into, and why.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, equal_shares, spread_anew};
use super::review::{Evidence, Review};
use crate::analysis::report::{DEAD_BAD, ROWS_FOR_A_SHARE, Report, WritePace, WriteTraits, rows_to_judge};
use crate::base::figures::percent;
use crate::design::split::Splits;
use crate::formula::typed::Expression;
use crate::records::field::shape::{Alphabet, Shape};
use serde_json::json;

/// Most regions looked at one by one.
const LOOKED_AT: usize = 100_000;

/// The least key not below `row` that an alphabet for each position allows; `None` when there is none.
fn least_from(shape: &Shape, row: &[u8]) -> Option<Vec<u8>> {
    let at = |position: usize| shape.by_position.get(position).copied().unwrap_or(shape.alphabet);
    let longest = shape.width.max.map_or(row.len(), |max| row.len().min(max as usize));
    // Where the key follows the row: as far as its bytes can occur.
    let common = row
        .iter()
        .take(longest)
        .enumerate()
        .take_while(|&(position, &byte)| at(position).contains(byte))
        .count();
    if common == row.len() {
        return Some(row.to_vec());
    }
    (0..=common.min(longest.saturating_sub(1))).rev().find_map(|position| {
        let byte = row.get(position).copied()?;
        let above = next_above(at(position), byte)?;
        let mut key = row.get(..position)?.to_vec();
        key.push(above);
        Some(key)
    })
}

fn next_above(alphabet: Alphabet, byte: u8) -> Option<u8> {
    alphabet.bytes().find(|&other| other > byte)
}

/// Regions that no key of the formula can fall into.
fn impossible(review: &Review) -> Vec<usize> {
    let shape = &review.design.typed.shape;
    let regions = review.points.regions();
    let dead = |&region: &usize| {
        let (start, stop) = review.points.boundaries(region);
        match least_from(shape, start) {
            // A beginning of the stop row that is not yet it sorts below.
            Some(least) => !stop.is_empty() && least.as_slice() >= stop,
            None => true,
        }
    };
    (0..regions.min(LOOKED_AT)).filter(dead).collect()
}

/// Regions that stay empty, and what makes them so.
pub fn dead(review: &Review) -> Vec<RuleHit> {
    let regions = review.points.regions();
    let never = impossible(review);
    // So many rows leave no region empty by accident, nor lie in one of several.
    let empty = review.evidence.as_ref().filter(|evidence| {
        let Report { keys, skew, .. } = evidence.report;
        let rows = keys.count as usize;
        rows >= rows_to_judge(regions) || rows >= ROWS_FOR_A_SHARE && skew.empty + 1 == regions
    });
    let count = empty.map_or(never.len(), |evidence| evidence.report.skew.empty.max(never.len()));
    // The region below the first key, and the one above the last, are often left on purpose.
    let many = count as f64 >= DEAD_BAD * regions as f64;
    let on_purpose = !many && count <= 2 && never.len() == count && only_ends(&never, regions);
    // One of two regions takes what one region can: that matters where it takes all, and not at a low rate.
    let all_in_one = |evidence: &&Evidence| {
        evidence.report.keys.count as usize >= ROWS_FOR_A_SHARE && evidence.report.skew.empty == 1
    };
    let few = regions < 2 || regions == 2 && empty.filter(all_in_one).is_none();
    if few || count == 0 || on_purpose {
        return Vec::new();
    }
    let pace = WriteTraits::default().at(review.study.write_rate()).of_region(1.0);
    let harmless = regions == 2 && matches!(pace, WritePace::Low | WritePace::Near);
    let (cause, fix) = cause(review);
    let severity = if many && !harmless { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let found = RuleHit::new(severity)
        .with("dead", count)
        .with("never", never.len())
        .with("regions", regions)
        .with("share", percent(count as f64 / regions as f64))
        .with("cause", cause);
    vec![found.mended_by(fix).or_by(equal_shares(review)).or_by(spread_anew(review))]
}

fn only_ends(dead: &[usize], regions: usize) -> bool {
    dead.iter().all(|&region| region == 0 || region + 1 == regions)
}

const UPPER: Alphabet = Alphabet::of(b"ABCDEF");
const LOWER: Alphabet = Alphabet::of(b"abcdef");
const DIGITS: Alphabet = Alphabet::of(b"0123456789");

fn meets(a: Alphabet, b: Alphabet) -> bool {
    a.bytes().any(|byte| b.contains(byte))
}

/// Why regions are dead, and the splits or the formula that leave none.
fn cause(review: &Review) -> (&'static str, DesignFix) {
    let shape = &review.design.typed.shape;
    let first = shape.by_position.first().copied().unwrap_or(shape.alphabet);
    let regions = review.points.regions();
    let points = || review.points.iter();
    let hex_points = points().any(|point| point.first().is_some_and(|&byte| LOWER.contains(byte)));
    if hex_points && meets(first, UPPER) && !meets(first, LOWER) {
        let lower = review.rewritten(".HEX(", ".hex(");
        return (
            "finding.dead-regions.upper-hex",
            lower.map_or(DesignFix::splits(json!({ "sample": regions })), DesignFix::rowkey),
        );
    }
    let lead = review.lead().and_then(|(_, part)| part.shape.distinct.map(|distinct| (part, distinct)));
    if let Some((part, salts)) = lead.filter(|&(_, salts)| (2..=regions as u64).contains(&salts)) {
        let digits = part.shape.width.exact().filter(|_| first.bytes().all(|byte| DIGITS.contains(byte)));
        let fix = match digits {
            Some(digits) => DesignFix::splits(json!({ "salts": salts, "digits": digits })),
            None if part.shape.width.exact() == Some(1)
                && matches!(part.expression, Expression::Apply { .. }) =>
            {
                DesignFix::splits(json!({ "salts": salts }))
            }
            None => DesignFix::splits(json!({ "sample": regions })),
        };
        return ("finding.dead-regions.few-salts", fix);
    }
    if first.bytes().all(|byte| DIGITS.contains(byte)) && hex_points {
        return (
            "finding.dead-regions.digits",
            DesignFix::splits(json!({ "algorithm": "DecimalStringSplit", "regions": regions })),
        );
    }
    let uniform = matches!(&review.design.splits, Splits::Algorithm { algorithm, .. } if algorithm.name == "UniformSplit");
    let written = review.lead().and_then(|(lead, _)| review.part(lead));
    let printed = |byte: u8| (0x20..0x7f).contains(&byte);
    let is_text = first.bytes().all(printed)
        || written.is_some_and(|written| {
            written.values.used().all(|(value, _)| value.iter().all(|&byte| printed(byte)))
        });
    if is_text && (uniform || points().any(|point| point.first().is_some_and(|&byte| byte >= 0x80))) {
        return ("finding.dead-regions.text", DesignFix::splits(json!({ "sample": regions })));
    }
    if regions == 2 {
        return ("finding.dead-regions.one-side", DesignFix::splits(json!({ "sample": 2 })));
    }
    ("finding.dead-regions.outside", DesignFix::splits(json!({ "sample": regions })))
}
