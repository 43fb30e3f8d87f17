//! Fixes measured before they are offered: each is made in the document and judged on the same records as the design that it
//! mends. One that leaves its finding, makes the verdict worse or brings another fault is not offered; the next candidate is
//! tried in its place.

mod effort;

use self::effort::{Effort, GUESSED, Measured};
use crate::analysis::findings::{
    DesignFix, Evidence, Finding, FindingSeverity, FixMeasure, PlannedQuery, Review, findings,
};
use crate::analysis::held::check_held;
use crate::analysis::report::{KeyFaults, PreparedReport, Report, Verdict, VerdictSeverity, WriteTraits};
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

/// A design with its verdict and findings, and what reading and storing it takes.
struct Judged {
    verdict: Verdict,
    found: Vec<(&'static str, FindingSeverity)>,
    effort: Effort,
}

/// Keeps the first fix of each finding that helps on these records, and says what it comes to.
pub(in crate::analysis) fn keep_proven(
    (study, table): (&Study, usize),
    records: &Records,
    (report, asked): (&Report, &[PlannedQuery]),
    found: &mut [Finding],
) {
    if found.iter().all(|finding| finding.fix.is_none()) {
        return;
    }
    let sampled = records.rows > MEASURED_ON;
    let looked_at = if sampled { Cow::Owned(records.sampled(MEASURED_ON)) } else { Cow::Borrowed(records) };
    let before = if sampled { judged(study, table, &looked_at).ok() } else { None };
    let before = before.unwrap_or_else(|| Judged {
        verdict: report.verdict.clone(),
        found: severities(found),
        effort: Effort::of(study, asked, &report.keys),
    });
    let mut trials = Trials { study, table, records: &looked_at, tried: Vec::new() };
    let measured = Measured { rows: looked_at.rows as u64, of: records.all_rows() };
    for finding in found {
        let candidates = finding.fix.take().into_iter().chain(std::mem::take(&mut finding.others));
        let mut proven: Option<DesignFix> = None;
        for mut fix in candidates {
            let Some((own, added)) = trials.judged(&fix).and_then(<[Judged]>::split_first) else { continue };
            let helps = is_better((finding.code, finding.severity), &before.found, &own.found)
                && rank(own.verdict.severity) <= rank(before.verdict.severity)
                && added.iter().all(|added| is_sound(finding.code, &before, added));
            if !helps {
                continue;
            }
            let (verdict, estimated) = (own.verdict.clone(), measured.is_estimated());
            fix.costs.retain(|cost| cost.code != GUESSED);
            let costs =
                before.effort.costs(&own.effort, added.iter().map(|added| &added.effort), &fix, &measured);
            fix.costs.extend(costs);
            fix.measured = Some(FixMeasure { rows: measured.rows, of: measured.of, estimated, verdict });
            let done = own.verdict.severity != VerdictSeverity::Bad;
            // One that leaves the verdict bad is offered where no other does better.
            if done || proven.is_none() {
                proven = Some(fix);
            }
            if done {
                break;
            }
        }
        finding.fix = proven;
    }
}

/// Edits that were tried; the same often answers several findings.
struct Trials<'a> {
    study: &'a Study,
    table: usize,
    records: &'a Records,
    tried: Vec<(Value, Option<Vec<Judged>>)>,
}

impl Trials<'_> {
    /// The table with an edit made, and the tables that it adds; `None` if it can't be made, or too many were tried.
    fn judged(&mut self, fix: &DesignFix) -> Option<&[Judged]> {
        let edit = json!(fix);
        let known = self.tried.iter().position(|(known, _)| *known == edit);
        if known.is_none() && self.tried.len() == MOST_TRIED {
            return None;
        }
        let place = known.unwrap_or_else(|| {
            let after = edited(self.study, self.table, fix).and_then(|edited| {
                let added = self.study.tables.len()..edited.tables.len();
                let of = |table| judged(&edited, table, self.records).ok();
                std::iter::once(self.table).chain(added).map(of).collect()
            });
            self.tried.push((edit, after));
            self.tried.len() - 1
        });
        self.tried.get(place)?.1.as_deref()
    }
}

/// True when an added table lacks the finding that it is added for, and has none that the first table did not have.
fn is_sound(code: &str, before: &Judged, added: &Judged) -> bool {
    let known = |&&(other, found): &&(&str, FindingSeverity)| {
        found == FindingSeverity::Note
            || before.found.iter().any(|&(code, severity)| code == other && severity >= found)
    };
    rank(added.verdict.severity) <= rank(before.verdict.severity)
        && added.found.iter().all(|&(other, _)| other != code)
        && added.found.iter().all(|found| known(&found))
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

/// True when there is less of a finding than before, and no new fault. A note is no fault.
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
            found == FindingSeverity::Note || count(after, other, found) <= count(before, other, found)
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
    let found = severities(&findings(&review));
    Ok(Judged {
        effort: Effort::of(study, &review.asked, &report.keys),
        found,
        verdict: report.verdict.clone(),
    })
}
