//! Findings about telling records apart, and about getting them back.

use super::alike::EqualValues;
use super::finding::{FindingSeverity, RuleHit};
use super::fix::{DesignFix, families, with_field};
use super::review::{Evidence, Review};
use super::size::ROWS;
use crate::analysis::report::REJECTED;
use crate::base::figures::percent;
use crate::design::{RecordCell, typed_of};
use crate::formula::typed::{Expression, TypedFormula, walk};
use crate::hbase::storage::table::CELL_OVERHEAD;
use crate::records::{ColumnValues, Records};

/// From this share of rows on, it is the key that does not tell records apart.
const OVERWRITTEN: f64 = 0.01;
/// From this chance on that two records share a hash, it is said.
const CHANCE: f64 = 0.001;
/// Colliding pairs from which that is more than a note.
const LIKELY: f64 = 0.01;

/// Rows with a key that another row has.
pub fn overwritten(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = &review.evidence else { return Vec::new() };
    let duplicates = &evidence.report.keys.duplicates;
    if duplicates.rows == 0 || !review.design.writes.is_append() {
        return Vec::new();
    }
    let share = duplicates.rows as f64 / evidence.report.keys.count.max(1) as f64;
    let severity = if share >= OVERWRITTEN { FindingSeverity::Warning } else { FindingSeverity::Note };
    let example = duplicates.examples.first().map(|example| example.key.clone()).unwrap_or_default();
    let named = review.design.typed.columns.iter().any(|column| column.qualifier.is_some());
    vec![
        RuleHit::new(severity)
            .with("rows", duplicates.rows)
            .with("keys", duplicates.keys)
            .with("share", percent(share))
            .with("example", example)
            .with("what", if named { "finding.overwritten.cells" } else { "finding.overwritten.key" })
            .mended_by(if named { None } else { told_apart(review) }),
    ]
}

/// Records without a row key.
pub fn rejected(review: &Review) -> Vec<RuleHit> {
    let Some(report) = review.evidence.as_ref().map(|evidence| evidence.report) else { return Vec::new() };
    let refused = &report.refused;
    let Some(reason) = refused.reasons.first().filter(|_| refused.count > 0) else { return Vec::new() };
    let share = refused.count as f64 / report.rows.max(1) as f64;
    let severity = if share >= REJECTED { FindingSeverity::Bad } else { FindingSeverity::Warning };
    let found = RuleHit::new(severity)
        .with("rows", refused.count)
        .with("all", report.rows)
        .with("share", percent(share))
        .with("field", reason.field.as_deref().unwrap_or("?"))
        .with("which", if reason.field.is_some() { "finding.rejected-records.which" } else { "" })
        .with("reason", reason.code)
        .with("found", "…")
        .with("length", "…")
        .with("reasonRows", reason.count);
    // Only the first of them are kept as they stood in their files.
    let first = refused
        .first
        .iter()
        .filter(|first| first.code == reason.code && first.place.field == reason.field)
        .filter_map(|first| Some((first.args.get("found")?.as_str(), first.place.row)));
    let first: Vec<(&str, Option<u64>)> = first.collect();
    let times = |value: &str| first.iter().filter(|(other, _)| *other == value).count();
    let example = first.iter().rev().max_by_key(|(value, _)| times(value));
    let (value, row) = example.copied().unwrap_or_default();
    vec![found.with("example", value).with("row", row.map_or("?".to_owned(), |row| row.to_string()))]
}

/// The key with the field at its end that tells apart all records it does not yet.
fn told_apart(review: &Review) -> Option<DesignFix> {
    let evidence = review.evidence.as_ref().filter(|_| review.fixes)?;
    let found = evidence.facts.told_apart.get_or_init(|| field_behind(review, evidence));
    // Whoever is told of it has looked at the records.
    evidence.keyed();
    found.clone().map(DesignFix::rowkey)
}

/// The formula of that key.
fn field_behind(review: &Review, evidence: &Evidence) -> Option<String> {
    // Most fields leave some of these alike, and the others need not be looked at.
    let shared = evidence.shared();
    if shared.rows == 0 {
        return None;
    }
    let all = evidence.keyed();
    let tells_apart = |records: &Records, formula: &TypedFormula| {
        EqualValues::of(&review.keys_of(records, formula)).repeated() == 0
    };
    let held = |field: &usize| review.design.typed.parts.iter().any(|part| part.fields.contains(field));
    (0..review.study.fields.len()).filter(|field| !held(field)).find_map(|field| {
        let text = with_field(review, field)?;
        let formula = typed_of(review.study, review.design, &text)?;
        (tells_apart(&shared, &formula) && tells_apart(all, &formula)).then_some(text)
    })
}

/// True if some part holds all of a field, be it joined with others.
fn recovered(review: &Review, field: usize) -> bool {
    let mut parts = review.design.typed.parts.iter().filter(|part| !part.uses_rest);
    parts.any(|part| part.fields.contains(&field) && is_whole(&part.expression))
}

/// True if a step is a hash.
fn hashes(step: &str) -> bool {
    digests(step) || matches!(step, "crc32" | "murmur" | "murmur3" | "jenkins" | "javaHash" | "bytesHash")
}

/// True if a step is a hash that stands for what it is made of.
fn digests(step: &str) -> bool {
    matches!(step, "md5" | "sha1" | "sha256")
}

/// True if a value keeps all of what it is made of: no step on the way to it loses anything.
fn is_whole(expression: &Expression) -> bool {
    let lossless = match expression {
        // Ambiguity from before a step is not a loss of that step, unless the step is a hash.
        Expression::Apply { input, step, .. } => {
            expression.shape().one_to_one || !input.shape().one_to_one && !hashes(step.name)
        }
        Expression::Salt { .. } => false,
        Expression::Field { .. } | Expression::Literal(_) | Expression::Join { .. } => true,
    };
    lossless && expression.inputs().iter().all(is_whole)
}

/// Records told apart by a hash cut so short that some will meet.
pub fn collisions(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in review.design.typed.parts.iter().filter(|part| !part.shape.one_to_one) {
        if part.fields.iter().all(|&field| recovered(review, field)) || part.fields.is_empty() {
            continue;
        }
        let mut hashed = None;
        walk(&part.expression, &mut |expression| {
            if let Expression::Apply { step, input, .. } = expression
                && hashes(step.name)
            {
                hashed = Some(&**input);
            }
        });
        let Some(input) = hashed else { continue };
        // 4 bits for each character of hexadecimal text, 8 for each byte.
        let hex = part.shape.alphabet.len() <= 16;
        let bits =
            part.shape.width.exact().map_or(64, |width| width.min(64) * if hex { 4 } else { 8 }) as f64;
        let bits = part.shape.distinct.map_or(bits, |distinct| bits.min((distinct as f64).log2()));
        let values = distinct_values(review, input);
        let pairs = values * values / 2.0 / 2f64.powf(bits);
        let chance = pairs.min(1.0);
        if chance < CHANCE || bits < 8.0 {
            continue;
        }
        let severity = match pairs {
            some if some >= 1.0 => FindingSeverity::Bad,
            likely if likely >= LIKELY => FindingSeverity::Warning,
            _ => FindingSeverity::Note,
        };
        all.push(
            RuleHit::new(severity)
                .at(part.span)
                .with("part", &part.text)
                .with("bits", format!("{bits:.0}"))
                .with("values", format!("{values:.0}"))
                .with("pairs", if pairs >= 1.0 { format!("{pairs:.0}") } else { format!("{pairs:.3}") })
                .mended_by(
                    whole_hash(&part.text)
                        .and_then(|text| review.rewritten(&part.text, &text))
                        .map(DesignFix::rowkey),
                ),
        );
    }
    all
}

/// The part with all of its hash written, where it says how much: `.hex(5)` becomes `.hex()`.
fn whole_hash(text: &str) -> Option<String> {
    [".hex(", ".HEX(", ".raw("].iter().find_map(|step| {
        let (before, after) = text.rsplit_once(step)?;
        let (kept, rest) = after.split_once(')')?;
        (!kept.is_empty()).then(|| format!("{before}{step}){rest}"))
    })
}

/// Different values of an expression over all records with a key: counted, or estimated where these are a sample.
fn distinct_values(review: &Review, input: &Expression) -> f64 {
    let Some(values) = review.values(input) else { return 0.0 };
    let values = values.alike();
    match &review.evidence {
        Some(evidence) if evidence.is_sample() => values.distinct_among(evidence.all_rows()),
        _ => values.distinct() as f64,
    }
}

/// Fields of which the key keeps nothing but a hash.
pub fn lost(review: &Review) -> Vec<RuleHit> {
    let mut all = Vec::new();
    for part in &review.design.typed.parts {
        let stored = |name: &str| {
            let mut cells = review.design.families.iter().flat_map(|family| &family.cells);
            cells.any(|cell| cell.qualifier.text() == Some(name))
        };
        let fields: Vec<&str> = part
            .fields
            .iter()
            .filter(|&&field| !recovered(review, field))
            .map(|&field| review.name(field))
            .filter(|name| !stored(name))
            .collect();
        let mut hashed = false;
        walk(&part.expression, &mut |expression| {
            if let Expression::Apply { step, .. } = expression {
                hashed |= digests(step.name);
            }
        });
        if !fields.is_empty() && hashed {
            let cells = cells(review, &fields);
            let (rows, bytes) = stored_again(review, &cells);
            all.push(
                RuleHit::new(FindingSeverity::Note)
                    .at(part.span)
                    .with("part", &part.text)
                    .with("fields", fields.join(", "))
                    .with("rows", rows)
                    .with("bytes", bytes)
                    .mended_by(with_cells(review, cells)),
            );
        }
    }
    all
}

/// A cell for each of these fields, as long as its values are on average.
fn cells(review: &Review, fields: &[&str]) -> Vec<RecordCell> {
    let of = |name: &&str| {
        let column = review.evidence.as_ref().and_then(|evidence| evidence.keyed().column(name));
        let bytes = column.map_or(8, |column| match &column.values {
            ColumnValues::Integers(_) => 8,
            ColumnValues::Strings { ids, dictionary } => {
                let length = |&id: &u32| dictionary.entries.get(id as usize).len();
                ids.iter().map(length).sum::<usize>().div_ceil(ids.len().max(1))
            }
        });
        RecordCell::literal(*name, bytes as u32)
    };
    fields.iter().map(of).collect()
}

/// The rows there are, and the bytes that these cells add to them.
fn stored_again(review: &Review, cells: &[RecordCell]) -> (u64, u64) {
    let report = review.evidence.as_ref().map(|evidence| evidence.report);
    let rows = report.map_or(ROWS, |report| report.rows.max(1));
    let key = report.map_or(review.design.typed.shape.width.min, |report| report.keys.mean.round() as u64);
    let family = review.design.families.first().map_or(1, |family| family.name.len());
    let frame = CELL_OVERHEAD.saturating_add(key).saturating_add(family as u64);
    let of = |cell: &RecordCell| {
        let name = cell.qualifier.bytes().map_or(0, |name| name.len()) as u64;
        frame.saturating_add(name + u64::from(cell.value.each().unwrap_or(0)))
    };
    (rows, cells.iter().map(of).fold(0, u64::saturating_add).saturating_mul(rows))
}

/// The first family with these cells too.
fn with_cells(review: &Review, cells: Vec<RecordCell>) -> Option<DesignFix> {
    let mut families = families(review);
    families.first_mut()?.cells.extend(cells);
    Some(DesignFix::families(families))
}
