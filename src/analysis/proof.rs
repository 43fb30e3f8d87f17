//! Fixes measured before they are offered: each is made in the document and judged on the same records as the design that it
//! mends. One that leaves its finding, makes the verdict worse or brings a finding as bad is not offered; the next candidate is
//! tried in its place.

use super::findings::{
    DesignFix, Evidence, Finding, FindingSeverity, FixMeasure, PlannedQuery, Review, findings,
};
use super::held::check_held;
use super::report::{KeyFaults, PreparedReport, Report, Verdict, VerdictSeverity, WriteTraits};
use crate::base::Problem;
use crate::design::{Study, normal_form, parse};
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Records that a fix is measured on; of more, a sample by hash of position.
const MEASURED_ON: usize = 1 << 16;
/// Most different edits that are tried for one table.
const MOST_TRIED: usize = 40;

/// A design with its verdict and findings.
struct Judged {
    verdict: Verdict,
    found: Vec<Finding>,
}

/// Keeps the first fix of each finding that helps on these records, and says what it comes to.
pub(super) fn keep_proven(
    (study, table): (&Study, usize),
    records: &Records,
    report: &Report,
    found: &mut [Finding],
) {
    if found.iter().all(|finding| finding.fix.is_none()) {
        return;
    }
    let sampled = records.rows > MEASURED_ON;
    let looked_at = if sampled { Cow::Owned(records.sampled(MEASURED_ON)) } else { Cow::Borrowed(records) };
    let before = if sampled { judged(study, table, &looked_at).ok() } else { None };
    let (verdict, all): (&Verdict, Vec<(&str, FindingSeverity)>) = match &before {
        Some(before) => (&before.verdict, severities(&before.found)),
        None => (&report.verdict, severities(found)),
    };
    let before = (rank(verdict.severity), all);
    // The same edit often answers several findings.
    let mut tried: Vec<(Value, Option<Vec<Judged>>)> = Vec::new();
    for finding in found {
        let candidates = finding.fix.take().into_iter().chain(std::mem::take(&mut finding.others));
        finding.fix = candidates.into_iter().find_map(|mut fix| {
            let edit = json!(fix);
            let known = tried.iter().position(|(known, _)| *known == edit);
            if known.is_none() && tried.len() == MOST_TRIED {
                return None;
            }
            let place = known.unwrap_or_else(|| {
                let after = edited(study, table, &fix).and_then(|edited| {
                    // Tables that the edit adds are judged, too.
                    let added = study.tables.len()..edited.tables.len();
                    let of = |table| judged(&edited, table, &looked_at).ok();
                    std::iter::once(table).chain(added).map(of).collect()
                });
                tried.push((edit, after));
                tried.len() - 1
            });
            let (own, added) = tried.get(place)?.1.as_ref()?.split_first()?;
            let after = severities(&own.found);
            let helps = is_better((finding.code, finding.severity), &before.1, &after)
                && rank(own.verdict.severity) <= before.0
                && added.iter().all(|added| is_sound(finding.code, &before, added));
            let verdict = own.verdict.clone();
            fix.measured = Some(FixMeasure { rows: looked_at.rows as u64, estimated: sampled, verdict });
            helps.then_some(fix)
        });
    }
}

/// True when an added table lacks the finding that it is added for, and has none as bad that the first table did not have.
fn is_sound(code: &str, before: &(u8, Vec<(&str, FindingSeverity)>), added: &Judged) -> bool {
    let known = |other: &Finding| {
        before.1.iter().any(|&(code, severity)| code == other.code && severity >= other.severity)
    };
    let fault = |other: &&Finding| other.severity == FindingSeverity::Bad;
    rank(added.verdict.severity) <= before.0
        && added.found.iter().all(|other| other.code != code)
        && added.found.iter().filter(fault).all(known)
}

fn severities(found: &[Finding]) -> Vec<(&'static str, FindingSeverity)> {
    found.iter().map(|finding| (finding.code, finding.severity)).collect()
}

fn rank(severity: VerdictSeverity) -> u8 {
    match severity {
        VerdictSeverity::Good => 0,
        VerdictSeverity::Warning => 1,
        VerdictSeverity::Bad => 2,
    }
}

/// True when there is less of a finding than before, and nothing new that is as bad. A note is no fault.
fn is_better(
    (code, severity): (&str, FindingSeverity),
    before: &[(&str, FindingSeverity)],
    after: &[(&str, FindingSeverity)],
) -> bool {
    let count = |all: &[(&str, FindingSeverity)], code: &str, least: FindingSeverity| {
        all.iter().filter(|(other, found)| *other == code && *found >= least).count()
    };
    count(after, code, severity) < count(before, code, severity)
        && after.iter().all(|&(other, found)| {
            found < severity
                || found == FindingSeverity::Note
                || count(after, other, found) <= count(before, other, found)
        })
}

/// The study with an edit made in one of its tables.
fn edited(study: &Study, table: usize, fix: &DesignFix) -> Option<Study> {
    let mut document = normal_form(study);
    if let Some(tables) = &fix.tables {
        *document.get_mut("tables")? = tables.clone();
    }
    if let Some(queries) = &fix.queries {
        document.as_object_mut()?.insert("queries".to_owned(), json!(queries));
    }
    let own = document.get_mut("tables")?.get_mut(table)?.as_object_mut()?;
    let members = [
        ("rowkey", fix.rowkey.as_ref().map(|rowkey| json!(rowkey))),
        ("splits", fix.splits.clone()),
        ("families", fix.families.as_ref().map(|families| json!(families))),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            own.insert(name.to_owned(), value);
        }
    }
    parse(&crate::base::json::text(&document)).ok()
}

/// The verdict and the findings of a table of a study on records.
fn judged(study: &Study, table: usize, records: &Records) -> Result<Judged, Problem> {
    let design = study.tables.get(table);
    let design = design.ok_or_else(|| Problem::new("design.no-such-table").with("table", table))?;
    let arrival = study.arrival.as_deref();
    check_held(records, &study.fields, &design.typed, arrival)?;
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&design.typed]).encode().pop().unwrap_or_default();
    let keys = KeyTable::new(keys, 0);
    let points = design.splits.points_for(&keys)?;
    let mut prepared = PreparedReport::new(&keys, records);
    if let Some(arrival) = arrival {
        prepared.set_time(&keys, records, arrival, None, None);
    }
    let writes = WriteTraits::of(&design.typed, &study.fields, arrival, records);
    let writes = writes.on(design.servers).at(study.write_rate()).by(design.writes);
    prepared.set_writes(writes);
    prepared.set_faults(KeyFaults::of((&design.typed, &study.fields), (records, &keys), arrival, writes));
    let report = prepared.report(&keys, &points).on_servers(design.servers);
    let evidence = Some(Evidence::new(design, records, &keys, &report));
    let asked = PlannedQuery::all(study, design, Some((&keys, records)));
    let review = Review { study, design, points: &points, evidence, asked, fixes: false };
    let found = findings(&review);
    Ok(Judged { verdict: report.verdict, found })
}
