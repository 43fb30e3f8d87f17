//! Findings about bytes.

use super::finding::{FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::Review;
use crate::design::{Family, Qualifier};
use serde_json::json;

/// Bytes of a key on average, repeated in every cell, from which it is worth a word.
const LONG_KEY: f64 = 100.0;
/// Bytes of a family or qualifier name that nobody minds.
const SHORT_NAME: usize = 8;
/// Bytes of the longest key from which a key without a bound is worth a word, and by how much it passes the mean.
const LONGEST: usize = 256;
/// See [`LONGEST`].
const OVER_MEAN: f64 = 2.0;
/// Rows that a cost is shown for when there are no records.
pub(super) const ROWS: u64 = 1_000_000;

/// Keys longer than what they stand for needs.
pub fn long_key(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let keys = &evidence.report.keys;
    if keys.mean < LONG_KEY {
        return Vec::new();
    }
    let cells = review.design.families.iter().map(|family| family.cells.len()).sum::<usize>().max(1);
    vec![
        RuleHit::new(FindingSeverity::Warning)
            .with("mean", format!("{:.0}", keys.mean))
            .with("max", keys.max)
            .with("cells", cells)
            .with("total", keys.bytes.saturating_mul(cells as u64))
            .mended_by(shorter(review)),
    ]
}

/// The key with its hashes in bytes in place of digits; without any, with the longest part hashed.
fn shorter(review: &Review) -> Option<DesignFix> {
    let formula = &review.design.rowkey;
    let sampled = |fix: DesignFix| fix.and_splits(json!({ "sample": review.points.regions() }));
    if formula.contains(".hex()") {
        return Some(sampled(DesignFix::rowkey(formula.replace(".hex()", ".raw()"))));
    }
    longest(review).map(DesignFix::rowkey).map(sampled)
}

/// The key with its longest part hashed.
fn longest(review: &Review) -> Option<String> {
    review.evidence.as_ref()?;
    let parts = review.design.typed.parts.iter().enumerate();
    let plain = parts.filter(|(_, part)| part.shape.one_to_one && part.fields.len() == 1);
    let bytes = |index: usize| Some(review.part(index)?.values.bytes());
    let (_, part) = plain.max_by_key(|&(index, _)| bytes(index))?;
    review.rewritten(&part.text, &format!("{}.md5().raw()", part.text))
}

/// Keys that nothing keeps from being far longer than most.
pub fn unbounded(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let keys = &evidence.report.keys;
    let parts = review.design.typed.parts.iter().enumerate();
    let open = parts.filter(|(_, part)| part.shape.width.max.is_none());
    let longest = |index: usize| review.part(index)?.values.used().map(|(value, _)| value.len()).max();
    let Some((_, part)) = open.max_by_key(|(index, _)| longest(*index)) else { return Vec::new() };
    if keys.max < LONGEST || (keys.max as f64) < OVER_MEAN * keys.mean {
        return Vec::new();
    }
    let found = RuleHit::new(FindingSeverity::Warning).at(part.span).with("part", &part.text);
    let found = found.with("max", keys.max).with("mean", format!("{:.0}", keys.mean));
    let hashed = review.rewritten(&part.text, &format!("{}.md5().raw()", part.text));
    let fix = hashed
        .map(|formula| DesignFix::rowkey(formula).and_splits(json!({ "sample": review.points.regions() })));
    vec![found.mended_by(fix)]
}

/// Names that are repeated in every cell and could be shorter.
pub fn long_names(review: &Review) -> Vec<RuleHit> {
    let rows = review.evidence.as_ref().map_or(ROWS, |evidence| evidence.report.rows.max(1));
    let mut saved = 0;
    let mut names = Vec::new();
    for family in &review.design.families {
        let cells = family.cells.len().max(1);
        if family.name.len() > SHORT_NAME {
            saved += (family.name.len() - 1) * cells;
            names.push(family.name.as_str());
        }
        for name in family.cells.iter().filter_map(|cell| cell.qualifier.text()) {
            if qualifier_length(name) > SHORT_NAME {
                saved += qualifier_length(name) - 2;
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let found = RuleHit::new(FindingSeverity::Note).with("names", names.join(", ")).with("rows", rows);
    let found = found.with("saved", rows.saturating_mul(saved as u64)).with("perRow", saved);
    vec![found.mended_by(DesignFix::families(renamed(&review.design.families)))]
}

/// The families with names of a letter and qualifiers of two; longer abbreviations where those are taken.
fn renamed(families: &[Family]) -> Vec<Family> {
    let mut families = families.to_vec();
    let mut names: Vec<String> = families.iter().map(|family| family.name.clone()).collect();
    for family in &mut families {
        if family.name.len() > SHORT_NAME {
            family.name = abbreviated(&family.name, 1, &mut names);
        }
        let texts = family.cells.iter().filter_map(|cell| cell.qualifier.text());
        let mut taken: Vec<String> = texts.map(str::to_owned).collect();
        for cell in &mut family.cells {
            if let Qualifier::Literal(name) = &mut cell.qualifier
                && qualifier_length(name) > SHORT_NAME
            {
                *name = abbreviated(name, 2, &mut taken);
            }
        }
    }
    families
}

/// An abbreviation of at least `letters` letters that is not taken: the initials of its words, its first letters, or the initials with
/// more letters of the last word; else the name itself.
fn abbreviated(name: &str, letters: usize, taken: &mut Vec<String>) -> String {
    let words = words(name);
    let initials = |words: &[String]| words.iter().filter_map(|word| word.chars().next()).collect::<String>();
    let whole: String = words.concat();
    let first = |length: usize| whole.chars().take(length).collect::<String>();
    let longer = words.split_last().into_iter().flat_map(|(last, before)| {
        let before = initials(before);
        (2..=last.chars().count())
            .map(move |length| before.chars().chain(last.chars().take(length)).collect::<String>())
    });
    let several = words.len() > 1 && words.len() >= letters;
    let all = several.then(|| initials(&words)).into_iter().chain([first(letters)]).chain(longer);
    let shorter = |short: &String| !short.is_empty() && short.len() < name.len() && !taken.contains(short);
    let short = all.filter(|short| short.chars().count() >= letters).find(shorter);
    let short = short.unwrap_or_else(|| name.to_owned());
    taken.push(short.clone());
    short
}

/// The words of a name: letters and digits between other characters, at a capital behind a small letter, and at a number.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for char in name.chars() {
        let begins = !before.is_ascii_alphanumeric()
            || char.is_ascii_uppercase() && !before.is_ascii_uppercase()
            || char.is_ascii_digit() && !before.is_ascii_digit();
        if char.is_ascii_alphanumeric() {
            match words.last_mut().filter(|_| !begins) {
                Some(word) => word.push(char),
                None => words.push(char.to_string()),
            }
        }
        before = char;
    }
    words
}

/// Bytes of a qualifier.
fn qualifier_length(qualifier: &str) -> usize {
    crate::bytes::row::from_string_binary(qualifier).map_or(0, |bytes| bytes.len())
}
