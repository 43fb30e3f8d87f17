//! Findings about bytes, and about what the table is made of.

use super::{Found, Review, Severity};

/// Bytes of a key on average, repeated in every cell, from which it is worth a word.
const LONG_KEY: f64 = 100.0;
/// Bytes of a family or qualifier name that nobody minds.
const SHORT_NAME: usize = 8;
/// Families that nobody minds.
const FAMILIES: usize = 3;
/// Versions that nobody minds.
const VERSIONS: u32 = 100;
/// Rows that a cost is shown for when there are no records.
const ROWS: u64 = 1_000_000;

/// Keys longer than what they stand for needs.
pub fn long_key(review: &Review) -> Vec<Found> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let keys = &evidence.report.keys;
    if keys.mean < LONG_KEY {
        return Vec::new();
    }
    let cells = review.design.families.iter().map(|family| family.cells.len()).sum::<usize>().max(1);
    vec![
        Found::new(Severity::Warning)
            .with("mean", format!("{:.0}", keys.mean))
            .with("max", keys.max)
            .with("cells", cells)
            .with("total", keys.bytes.saturating_mul(cells as u64)),
    ]
}

/// Names that are repeated in every cell and could be shorter.
pub fn long_names(review: &Review) -> Vec<Found> {
    let rows = review.evidence.as_ref().map_or(ROWS, |evidence| evidence.report.rows.max(1));
    let mut saved = 0;
    let mut names = Vec::new();
    for family in &review.design.families {
        let cells = family.cells.len().max(1);
        if family.name.len() > SHORT_NAME {
            saved += (family.name.len() - 1) * cells;
            names.push(family.name.as_str());
        }
        let length =
            |qualifier: &str| crate::row::from_string_binary(qualifier).map_or(0, |bytes| bytes.len());
        for cell in family.cells.iter().filter(|cell| length(&cell.qualifier) > SHORT_NAME) {
            saved += length(&cell.qualifier) - 2;
            names.push(cell.qualifier.as_str());
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let found = Found::new(Severity::Note).with("names", names.join(", ")).with("rows", rows);
    vec![found.with("saved", rows.saturating_mul(saved as u64)).with("perRow", saved)]
}

/// More families than flushes and compactions bear.
pub fn many_families(review: &Review) -> Vec<Found> {
    let families = review.design.families.len();
    let found = || Found::new(Severity::Warning).with("families", families);
    (families > FAMILIES).then(found).into_iter().collect()
}

/// More versions than a row should carry.
pub fn many_versions(review: &Review) -> Vec<Found> {
    let many = review.design.families.iter().filter(|family| family.versions >= VERSIONS);
    many.map(|family| {
        Found::new(Severity::Warning).with("family", &family.name).with("versions", family.versions)
    })
    .collect()
}
