//! Findings about tables with several kinds of records.

use super::finding::{Finding, FindingSeverity, RuleHit};
use super::fix::DesignFix;
use super::review::{Evidence, Review};
use super::{FindingRule, by_weight, found_by};
use crate::analysis::report::{KeyFaults, PreparedReport, WriteTraits};
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort;
use crate::design::Document;
use crate::design::split::SplitPoints;
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;

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
                let writes = WriteTraits::of(&design.typed, &study.fields, arrival, own)
                    .by(design.writes)
                    .on(design.servers)
                    .at(study.write_rate());
                let mut prepared = PreparedReport::new(&keys, own);
                if let Some(arrival) = arrival {
                    prepared.set_time(&keys, own, arrival, None, None);
                }
                prepared.set_writes(writes);
                let formula = (&design.typed, study.fields.as_slice());
                prepared.set_faults(KeyFaults::of(formula, (own, &keys), arrival, writes));
                let report = prepared.report(&keys, points);
                let evidence = Some(Evidence::new(design, own, &keys, &report));
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
    let keys = review.keys(evidence);
    let mut all: Vec<(&[u8], usize)> = keys
        .iter()
        .zip(kinds)
        .filter_map(|(key, kind)| Some((key, kind?)))
        .filter(|(key, _)| !key.is_empty())
        .collect();
    sort(&mut all);
    all.dedup();
    let (mut rows, mut example) = (0u64, None);
    for row in all.chunk_by(|one, other| one.0 == other.0).filter(|row| row.len() > 1) {
        rows += 1;
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
    vec![
        RuleHit::new(severity)
            .with("rows", rows)
            .with("kind", name(one))
            .with("other", name(other))
            .with("example", to_string_binary(key))
            .or_by(told_apart(review, [one, other]).into_iter().filter(|_| !meant)),
    ]
}

/// Row keys of either of two kinds that tell its records from those of the other: the name of the kind behind them, or in front.
fn told_apart(review: &Review, kinds: [usize; 2]) -> Vec<DesignFix> {
    let kinds = || kinds.iter().rev().filter_map(|&kind| review.design.kinds.get(kind));
    let behind = kinds().map(|kind| (kind, format!("{} + '|{}'", kind.rowkey, kind.typed.name)));
    let in_front = kinds().map(|kind| (kind, format!("'{}|' + {}", kind.typed.name, kind.rowkey)));
    let plain = |name: &str| name.chars().all(|char| char.is_ascii_alphanumeric() || "-_.".contains(char));
    let all = behind.chain(in_front).filter(|(kind, _)| plain(&kind.typed.name));
    all.map(|(kind, rowkey)| DesignFix::kind(&kind.typed.name, rowkey)).collect()
}
