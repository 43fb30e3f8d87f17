//! Fixes measured before they are offered: each is made in the document and judged on the same records as the design that it
//! mends. One that leaves its finding, makes the verdict worse or brings a fault as severe is not offered; the next candidate is
//! tried in its place.

mod effort;

use self::effort::{Effort, GUESSED, Measured};
use crate::analysis::findings::{
    DesignFix, Evidence, Finding, FindingSeverity, FixMeasure, PlannedQuery, Review, add_of_kinds, findings,
};
use crate::analysis::held::check_held;
use crate::analysis::report::{KeyFaults, PreparedReport, Report, Verdict, VerdictSeverity, WriteTraits};
use crate::base::Problem;
use crate::base::map::Map;
use crate::design::{Document, normal_form, parse};
use crate::keys::encode::Encoder;
use crate::keys::table::KeyTable;
use crate::records::Records;
use serde_json::{Value, json};
use std::borrow::Cow;

/// Records that a fix is measured on; of more, a sample by hash of position.
const MEASURED_ON: usize = 1 << 16;
/// Most different edits that are tried for one table.
const MOST_TRIED: usize = 40;

/// Candidates that are looked at beyond the first after which a finding is gone, for one with fewer drawbacks.
const BEYOND: usize = 3;

/// A design with its verdict and findings, and what reading and storing it takes.
struct Judged {
    verdict: Verdict,
    found: Vec<Fault>,
    effort: Effort,
}

/// A finding without its sentences.
#[derive(Clone)]
struct Fault {
    code: &'static str,
    name: &'static str,
    severity: FindingSeverity,
    args: Map<&'static str, String>,
}

/// Keeps the fix of each finding that helps most on these records, and says what it comes to.
pub(in crate::analysis) fn keep_proven(
    (study, table): (&Document, usize),
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
        found: faults(found),
        effort: Effort::of(study, asked, &report.keys),
    });
    let mut trials = Trials { study, table, records: &looked_at, tried: Vec::new() };
    let measured = Measured { rows: looked_at.rows as u64, of: records.all_rows() };
    for finding in found {
        let candidates = finding.fix.take().into_iter().chain(std::mem::take(&mut finding.others));
        let mut best: Option<(Drawbacks, DesignFix)> = None;
        let mut beyond = 0;
        for mut fix in candidates {
            // After one that leaves its finding, all others are looked at.
            let gone = best.as_ref().map(|(drawbacks, _)| drawbacks).filter(|drawbacks| !drawbacks.stays);
            beyond += usize::from(gone.is_some());
            if beyond > BEYOND || gone.is_some_and(|drawbacks| *drawbacks == Drawbacks::default()) {
                break;
            }
            let Some(after) = trials.judged(&fix) else { continue };
            let Some(drawbacks) = drawbacks((finding.code, finding.severity), &before, after) else {
                continue;
            };
            if best.as_ref().is_none_or(|(best, _)| drawbacks < *best) {
                before.tell(after, &mut fix, &measured);
                best = Some((drawbacks, fix));
            }
        }
        finding.fix = best.map(|(_, fix)| fix);
    }
}

impl Judged {
    /// Says of a fix what it costs, which lesser faults it brings, and to what verdict it leads.
    fn tell(&self, after: &[Self], fix: &mut DesignFix, measured: &Measured) {
        let Some((own, added)) = after.split_first() else { return };
        fix.costs.retain(|cost| cost.code != GUESSED);
        let costs = self.effort.costs(&own.effort, added.iter().map(|added| &added.effort), fix, measured);
        fix.costs.extend(costs);
        for Fault { code, name, args, .. } in
            after.iter().flat_map(|after| brought(&self.found, &after.found))
        {
            let mut cost = Problem::new("finding.cost.brings").with("code", code);
            args.iter().for_each(|(name, value)| drop(cost.args.insert(name, value.clone())));
            fix.costs.push(cost.with("finding", format!("finding.{name}")).into());
        }
        let (verdict, estimated) = (own.verdict.clone(), measured.is_estimated());
        fix.measured = Some(FixMeasure { rows: measured.rows, of: measured.of, estimated, verdict });
    }
}

/// Drawbacks of a fix that helps, the worst first.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Drawbacks {
    /// The finding stays, less severe.
    stays: bool,
    /// The verdict is as bad as before.
    bad: bool,
    /// Less severe faults are new.
    brings: bool,
}

/// The drawbacks of a table with an edit made, and of those that it adds; `None` if it does not help: nothing is less severe,
/// the verdict is worse, or a new fault is as severe. A note is no fault.
fn drawbacks(
    (code, severity): (&'static str, FindingSeverity),
    before: &Judged,
    after: &[Judged],
) -> Option<Drawbacks> {
    let (own, added) = after.split_first()?;
    let fewer = |least| count(&own.found, code, least) < count(&before.found, code, least);
    let no_worse = |after: &Judged| {
        rank(after.verdict.severity) <= rank(before.verdict.severity)
            && brought(&before.found, &after.found).all(|fault| fault.severity < severity)
    };
    let helps = fewer(severity)
        && after.iter().all(no_worse)
        && added.iter().all(|added| count(&added.found, code, FindingSeverity::Note) == 0);
    helps.then(|| Drawbacks {
        stays: !fewer(severity.min(FindingSeverity::Warning)),
        bad: own.verdict.severity == VerdictSeverity::Bad,
        brings: after.iter().any(|after| brought(&before.found, &after.found).next().is_some()),
    })
}

/// Number of findings of a code that are at least so severe.
fn count(found: &[Fault], code: &str, least: FindingSeverity) -> usize {
    found.iter().filter(|fault| fault.code == code && fault.severity >= least).count()
}

/// Faults that are new. A note is none.
fn brought<'a>(before: &'a [Fault], after: &'a [Fault]) -> impl Iterator<Item = &'a Fault> {
    after.iter().filter(|&&Fault { code, severity, .. }| {
        severity > FindingSeverity::Note && count(after, code, severity) > count(before, code, severity)
    })
}

fn faults(found: &[Finding]) -> Vec<Fault> {
    let fault = |Finding { code, name, severity, args, .. }: &Finding| Fault {
        code,
        name,
        severity: *severity,
        args: args.clone(),
    };
    found.iter().map(fault).collect()
}

/// Edits that were tried; the same often answers several findings.
struct Trials<'a> {
    study: &'a Document,
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

fn rank(severity: VerdictSeverity) -> u8 {
    match severity {
        VerdictSeverity::Good => 0,
        VerdictSeverity::Warning => 1,
        VerdictSeverity::Bad => 2,
    }
}

/// The study with an edit made in one of its tables.
fn edited(study: &Document, table: usize, fix: &DesignFix) -> Option<Document> {
    let mut document = normal_form(study);
    if let Some(tables) = &fix.tables {
        *document.get_mut("tables")? = tables.clone();
    }
    if let Some(queries) = &fix.queries {
        document.as_object_mut()?.insert("queries".to_owned(), json!(queries));
    }
    let own = document.get_mut("tables")?.get_mut(table)?.as_object_mut()?;
    if let Some((kind, rowkey)) = fix.kind.as_ref().zip(fix.rowkey.as_ref()) {
        *own.get_mut("kinds")?.get_mut(kind)?.get_mut("rowkey")? = json!(rowkey);
    }
    let of_table = fix.rowkey.as_ref().filter(|_| fix.kind.is_none());
    let members = [
        ("rowkey", of_table.map(|rowkey| json!(rowkey))),
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
fn judged(study: &Document, table: usize, records: &Records) -> Result<Judged, Problem> {
    let design = study.tables.get(table);
    let design = design.ok_or_else(|| Problem::new("design.no-such-table").with("table", table))?;
    let arrival = study.arrival.as_deref();
    check_held(records, &study.fields, &design.typed, arrival)?;
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let keys = Encoder::new(records, &names, &[&design.typed]).encode().pop().unwrap_or_default();
    let keys = KeyTable::new(keys, 0);
    let points = design.splits.points_for(&keys)?;
    let mut prepared = PreparedReport::new(&keys, records);
    prepared.set_time(&keys, records, arrival, None, None);
    let writes = WriteTraits::of(&design.typed, &study.fields, arrival, records);
    let writes = writes.on(design.servers).at(study.write_rate()).by(design.writes);
    prepared.set_writes(writes);
    prepared.set_faults(KeyFaults::of((&design.typed, &study.fields), (records, &keys), arrival, writes));
    let report = prepared.report(&keys, &points).on_servers(design.servers);
    let evidence = Some(Evidence::new(design, records, &keys, &report));
    let asked = PlannedQuery::all(study, design, Some((&keys, records)));
    let review = Review { study, design, points: &points, evidence, asked, fixes: false };
    let mut all = findings(&review);
    add_of_kinds((study, table), &points, (Some(records), false), &mut all);
    let found = faults(&all);
    Ok(Judged {
        effort: Effort::of(study, &review.asked, &report.keys),
        found,
        verdict: report.verdict.clone(),
    })
}
