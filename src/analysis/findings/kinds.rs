//! Findings about tables with several kinds of records.

use super::facts::KeyFacts;
use super::finding::{Finding, FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::{Evidence, Review};
use super::{FindingRule, by_weight, found_by};
use crate::analysis::report::{KeyFaults, PreparedReport, WriteTraits};
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::design::split::SplitPoints;
use crate::design::{Document, RecordKind, normal_form};
use crate::formula::typed::TypedPart;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;
use serde_json::json;

/// Adds the findings about the row key of each kind, on its own records where there are some; with edits that may fix them if these
/// are wanted.
pub fn add_of_kinds(
    (study, table): (&Document, usize),
    points: &SplitPoints,
    (records, fixes): (Option<&Records>, bool),
    all: &mut Vec<Finding>,
) {
    let Some(whole) = study.tables.get(table).filter(|table| !table.kinds.is_empty()) else { return };
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let kinds = records.map(|records| Encoder::new(records, &names, &[&whole.typed]).kinds(0));
    for (number, kind) in whole.kinds.iter().enumerate() {
        let Some(study) = study.of_kind(table, number) else { continue };
        let Some(design) = study.tables.first() else { continue };
        let own = records.zip(kinds.as_ref()).map(|(records, kinds)| {
            let rows = (0..).zip(kinds).filter(|(_, kind)| **kind == Some(number));
            records.part(&rows.map(|(row, _)| row).collect::<Vec<u32>>())
        });
        let wanted = |rule: &FindingRule| rule.of_key;
        let found = match own.as_ref().filter(|own| own.rows > 0) {
            None => found_by(
                &Review { study: &study, design, points, evidence: None, asked: Vec::new(), fixes },
                wanted,
            ),
            Some(own) => {
                let keys = Encoder::new(own, &names, &[&design.typed]).encode().pop().unwrap_or_default();
                let keys = KeyTable::new(keys, 0);
                let arrival = study.arrival.as_deref();
                let writes = WriteTraits::of(&study, design, own);
                let mut prepared = PreparedReport::new(&keys, own);
                prepared.set_time(&keys, own, arrival, None, None);
                prepared.set_writes(writes);
                let formula = (&design.typed, study.fields.as_slice());
                prepared.set_faults(KeyFaults::of(formula, (own, &keys), arrival, writes));
                let report = prepared.report(&keys, points);
                let facts = KeyFacts::default();
                let evidence = Some(Evidence::new((own, &keys), &report, &facts));
                found_by(
                    &Review { study: &study, design, points, evidence, asked: Vec::new(), fixes },
                    wanted,
                )
            }
        };
        let name = &kind.typed.name;
        all.extend(found.into_iter().map(|found| {
            let edits = found.fix.into_iter().chain(found.others);
            let mut edits = edits.filter_map(|fix| fix.of_kind(name));
            Finding {
                kind: Some(name.clone()),
                title: format!("{name}: {}", found.title),
                message: format!("{name}: {}", found.message),
                fix: edits.next(),
                others: edits.collect(),
                ..found
            }
        }));
    }
    by_weight(all);
}

/// Row keys that records of several kinds share.
pub fn meeting(review: &Review) -> Vec<RuleHit> {
    let Some(evidence) = review.evidence.as_ref().filter(|_| !review.design.kinds.is_empty()) else {
        return Vec::new();
    };
    let records = evidence.keyed();
    let names: Vec<&str> = review.study.fields.iter().map(|field| field.name.as_str()).collect();
    let kinds = Encoder::new(records, &names, &[&review.design.typed]).kinds(0);
    let mut all: Vec<(&[u8], usize)> = (0..records.rows)
        .zip(kinds)
        .filter_map(|(row, kind)| Some((evidence.key(row), kind?)))
        .filter(|(key, _)| !key.is_empty())
        .collect();
    sort(&mut all);
    all.dedup();
    let (mut rows, mut example) = (0u64, None);
    let mut shares = vec![false; review.design.kinds.len()];
    for row in all.chunk_by(|one, other| one.0 == other.0).filter(|row| row.len() > 1) {
        rows += 1;
        for (_, kind) in row {
            shares.get_mut(*kind).into_iter().for_each(|shares| *shares = true);
        }
        example = example.or(match row {
            [(key, one), (_, other), ..] => Some((*key, *one, *other)),
            _ => None,
        });
    }
    let Some((key, one, other)) = example else { return Vec::new() };
    let name = |kind: usize| review.design.kinds.get(kind).map_or("", |kind| kind.typed.name.as_str());
    let formula = |kind: usize| review.design.kinds.get(kind).map(|kind| kind.rowkey.as_str());
    // One key for both is meant to be one row.
    let meant = formula(one) == formula(other);
    let severity = if meant { FindingSeverity::Note } else { FindingSeverity::Warning };
    let hit = RuleHit::new(severity)
        .with("rows", rows)
        .with("kind", name(one))
        .with("other", name(other))
        .with("example", to_string_binary(key));
    vec![if meant { hit } else { hit.or_by(marked(review, &shares)) }]
}

/// The row keys with a mark for their kind: behind the parts with which all of those that share keys begin, which keeps rows
/// of one value together, or in front of every key.
fn marked(review: &Review, shares: &[bool]) -> Vec<DesignFix> {
    let kinds = &review.design.kinds;
    let marks = marks(kinds);
    let sharing = || kinds.iter().zip(shares).filter(|(_, shares)| **shares).map(|(kind, _)| kind);
    let common = common_parts(&sharing().collect::<Vec<_>>());
    let behind = |(number, kind): (usize, &RecordKind)| {
        if !shares.get(number).is_some_and(|shares| *shares) {
            return Some(kind.rowkey.clone());
        }
        let texts = kind.formula()?.parts.iter().map(|part| part.text.as_str());
        let mut texts: Vec<&str> = texts.collect();
        let mark = marks.get(number)?.as_str();
        if texts.get(common) != Some(&mark) {
            texts.insert(common, mark);
        }
        Some(texts.join(" + "))
    };
    let front =
        |(number, kind): (usize, &RecordKind)| Some(format!("{} + {}", marks.get(number)?, kind.rowkey));
    let behind: Option<Vec<String>> =
        (common > 0).then(|| kinds.iter().enumerate().map(behind).collect()).flatten();
    let front: Option<Vec<String>> = kinds.iter().enumerate().map(front).collect();
    let both = behind.into_iter().chain(front);
    both.filter_map(|rowkeys| with_rowkeys(review, &rowkeys)).collect()
}

/// A literal for each kind: the first letter of its name where no other begins with it, its number from 1 on elsewhere.
fn marks(kinds: &[RecordKind]) -> Vec<String> {
    let letter = |kind: &RecordKind| kind.typed.name.chars().next().filter(char::is_ascii_alphanumeric);
    let mut letters: Vec<Option<char>> = kinds.iter().map(letter).collect();
    sort(&mut letters);
    let lettered = letters.windows(2).all(|pair| pair.first() != pair.last()) && !letters.contains(&None);
    let mark = |(number, kind): (usize, &RecordKind)| match letter(kind).filter(|_| lettered) {
        Some(letter) => format!("'{letter}'"),
        None => format!("x'{:02x}'", number + 1),
    };
    kinds.iter().enumerate().map(mark).collect()
}

/// How many parts all of these row keys begin with that have one width.
fn common_parts(kinds: &[&RecordKind]) -> usize {
    let Some((first, others)) = kinds.split_first() else { return 0 };
    let parts = first.formula().map_or(&[][..], |typed| &typed.parts);
    let same = |(place, part): &(usize, &TypedPart)| {
        let also = |kind: &&RecordKind| {
            kind.formula()
                .and_then(|typed| typed.parts.get(*place))
                .is_some_and(|other| other.text == part.text)
        };
        !part.uses_rest && part.shape.width.exact().is_some() && others.iter().all(also)
    };
    parts.iter().enumerate().take_while(same).count()
}

/// The table with other row keys of its kinds.
fn with_rowkeys(review: &Review, rowkeys: &[String]) -> Option<DesignFix> {
    let place = review.study.tables.iter().position(|table| table.name == review.design.name)?;
    let mut tables = normal_form(review.study).get("tables").cloned()?;
    let kinds = tables.get_mut(place)?.get_mut("kinds")?;
    for (kind, rowkey) in review.design.kinds.iter().zip(rowkeys) {
        *kinds.get_mut(&kind.typed.name)?.get_mut("rowkey")? = json!(rowkey);
    }
    Some(DesignFix { tables: Some(tables), ..DesignFix::default() })
}
