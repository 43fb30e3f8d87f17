//! Fixes measured before they are offered: each is made in the document and judged on the same records as the design that it
//! mends. One that leaves its finding, makes the verdict worse or brings a fault as severe is not offered; the next candidate is
//! tried in its place.

mod effort;

pub(in crate::analysis) use self::effort::Effort;

use self::effort::{GUESSED, Measured};
use crate::analysis::findings::{DesignFix, Finding, FindingSeverity, FixMeasure};
use crate::analysis::report::{Report, Verdict, VerdictSeverity};
use crate::base::Problem;
use crate::base::map::Map;
use crate::design::{Document, WriteKind, normal_form, parse};
use crate::keys::duplicates::Duplicates;
use crate::records::Records;
use serde_json::{Value, json};
use std::rc::Rc;

/// Records that a fix is measured on; of more, a sample by hash of position.
const MEASURED_ON: usize = 1 << 16;
/// Records on which a fix that helps the sample is measured again, all of them: what comes in bursts is thinner in a sample.
const PROVEN_ON: usize = 1 << 18;
/// Most different edits that are tried for one table.
const MOST_TRIED: usize = 40;

/// Row keys under other designs that are kept, to be judged again with other splits.
const MOST_KEPT: usize = 12;
/// Row keys kept where the records are more than [`MEASURED_ON`]: each takes that much more memory.
const MOST_KEPT_WHOLE: usize = 4;

/// The verdict of rows that spread, and are too few to see more: of the same keys in more regions, no worse than a good one.
const UNSEEN: &str = "verdict.too-sparse";
/// The share of all rows by which the largest region may grow.
const GATHERED: f64 = 0.05;

/// Candidates that are looked at beyond the first after which a finding is gone, for one with fewer drawbacks.
const BEYOND: usize = 3;

/// A table with its verdict and findings, and what reading and storing it takes.
pub(in crate::analysis) struct JudgedTable {
    /// The verdict.
    pub verdict: Verdict,
    /// The findings.
    pub found: Vec<Finding>,
    /// The effort of its queries and keys.
    pub effort: Effort,
    /// Rows and spread.
    pub harm: Harm,
}

/// Harm that no fix may add to.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Harm {
    /// Rows that others of their key hide, where these are not written again on purpose.
    hidden: usize,
    /// Records without a key.
    rejected: u64,
    /// Rows of the largest region beside the mean, and their share.
    largest: (f64, f64),
}

impl Harm {
    /// That of the rows of a report.
    pub fn of(report: &Report, kind: WriteKind) -> Self {
        let Duplicates { rows, keys, .. } = report.keys.duplicates;
        Self {
            hidden: if kind.is_append() { rows - keys.min(rows) } else { 0 },
            rejected: report.refused.count,
            largest: (
                report.skew.max_over_mean,
                f64::from(report.skew.max) / report.keys.count.max(1) as f64,
            ),
        }
    }

    /// True if an edit that leads to `after` hides or rejects more records, or gathers them in one region.
    fn grows_to(&self, after: &Self) -> bool {
        let gathers = after.largest.0 > self.largest.0 && after.largest.1 > self.largest.1 + GATHERED;
        after.hidden > self.hidden || after.rejected > self.rejected || gathers
    }
}

/// The same with no more of the findings than is compared.
struct Judged {
    verdict: Verdict,
    found: Vec<Fault>,
    effort: Effort,
    harm: Harm,
}

impl From<JudgedTable> for Judged {
    fn from(JudgedTable { verdict, found, effort, harm }: JudgedTable) -> Self {
        Self { verdict, found: faults(&found), effort, harm }
    }
}

/// A finding without its sentences.
#[derive(Clone)]
struct Fault {
    code: &'static str,
    name: &'static str,
    severity: FindingSeverity,
    args: Map<&'static str, String>,
}

/// The row keys that a table makes of records, judged as often as its split points or the queries change.
pub(in crate::analysis) trait TrialKeys: Sized {
    /// Those of table number `table` of a study.
    ///
    /// # Errors
    /// `design.no-such-table`; fields that the records do not hold; splits that HBase would refuse.
    fn of_table(records: &Rc<Records>, study: &Document, table: usize) -> Result<Self, Problem>;

    /// The table as the study has it, with edits that may fix its findings if these are wanted, none of them tried.
    ///
    /// # Errors
    /// `design.no-such-table`; splits that HBase would reject.
    fn judged(&mut self, study: &Document, table: usize, fixes: bool) -> Result<JudgedTable, Problem>;
}

/// Edits tried on the same records, or on a sample of them.
pub(in crate::analysis) struct FixTrials<K> {
    records: Rc<Records>,
    sampled: bool,
    /// Edits tried on all records, up to [`PROVEN_ON`], where `records` is a sample.
    whole: Option<Box<Self>>,
    /// Their row keys under designs that differ in more than their splits.
    keys: Vec<TriedKeys<K>>,
    /// True if no more than the last of them are kept.
    once: bool,
}

/// Row keys of a design, by its description.
struct TriedKeys<K> {
    description: String,
    keys: K,
    /// True if the findings asked for last have used them.
    used: bool,
}

impl<K: TrialKeys> FixTrials<K> {
    /// Edits tried on these records; of many, on a sample. `once` keeps little for further findings.
    pub fn on(records: &Rc<Records>, once: bool) -> Self {
        let all = Self { once, ..Self::on_all(records) };
        if records.rows <= MEASURED_ON {
            return all;
        }
        let whole = (records.rows <= PROVEN_ON).then(|| Box::new(all));
        Self { records: Rc::new(records.sampled(MEASURED_ON)), sampled: true, whole, keys: Vec::new(), once }
    }

    /// Edits tried on all these records, however many.
    pub fn on_all(records: &Rc<Records>) -> Self {
        Self { records: Rc::clone(records), sampled: false, whole: None, keys: Vec::new(), once: true }
    }

    /// Forgets the keys that the findings before these have not used.
    fn begin(&mut self) {
        self.keys.retain(|keys| keys.used);
        self.keys.iter_mut().for_each(|keys| keys.used = false);
    }

    /// Keeps the fix of each finding about a table that helps most on these records, and says what it comes to.
    pub fn keep_proven(&mut self, (study, table): (&Document, usize), judged: &mut JudgedTable) {
        self.begin();
        let shown = || Judged {
            verdict: judged.verdict.clone(),
            found: faults(&judged.found),
            effort: judged.effort.clone(),
            harm: judged.harm,
        };
        let before = if self.sampled { self.judged(study, table).ok() } else { None };
        let mut whole = self.whole.take();
        let mut proof = whole.as_deref_mut().map(|whole| {
            whole.begin();
            (shown(), whole.measured(), Trials { study, table, edits: whole, tried: Vec::new() })
        });
        let (before, measured) = (before.unwrap_or_else(shown), self.measured());
        let mut trials = Trials { study, table, edits: self, tried: Vec::new() };
        for finding in &mut judged.found {
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
                let about = (finding.code, finding.severity);
                let same_keys = fix.rowkey.is_none() && fix.tables.is_none();
                let better = |found: &Drawbacks| best.as_ref().is_none_or(|(best, _)| found < best);
                let Some(after) = trials.judged(&fix) else { continue };
                let Some(mut found) = drawbacks(about, same_keys, &before, after).filter(better) else {
                    continue;
                };
                let (mut told, mut after) = ((&before, &measured), after);
                if let Some((shown, measured, trials)) = &mut proof {
                    let Some(of_all) = trials.judged(&fix) else { continue };
                    let Some(proven) = drawbacks(about, same_keys, shown, of_all).filter(better) else {
                        continue;
                    };
                    (found, told, after) = (proven, (&*shown, &*measured), of_all);
                }
                told.0.tell(after, &mut fix, told.1);
                best = Some((found, fix));
            }
            finding.fix = best.map(|(_, fix)| fix);
        }
        drop(proof);
        self.whole = whole;
    }

    fn measured(&self) -> Measured {
        Measured { rows: self.records.rows as u64, of: self.records.all_rows() }
    }

    /// The verdict and the findings of a table of a study.
    fn judged(&mut self, study: &Document, table: usize) -> Result<Judged, Problem> {
        let description = description_of_keys(study, table);
        if let Some(known) = self.keys.iter_mut().find(|known| known.description == description) {
            known.used = true;
            return known.keys.judged(study, table, false).map(Into::into);
        }
        let mut keys = K::of_table(&self.records, study, table)?;
        let judged = keys.judged(study, table, false);
        // The same edits are tried the next time, in the same order: to make room for the last of them would help none.
        let most = if self.records.rows > MEASURED_ON { MOST_KEPT_WHOLE } else { MOST_KEPT };
        if self.once {
            self.keys.clear();
        }
        if self.keys.len() < most {
            self.keys.push(TriedKeys { description, keys, used: true });
        }
        judged.map(Into::into)
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
    /// Queries take more scans.
    scans: bool,
    /// Less severe faults are new.
    brings: bool,
}

/// The drawbacks of a table with an edit made, and of those that it adds; `None` if it does not help or harms: nothing is less
/// severe, the verdict is worse, a new fault is as severe, more records are hidden or rejected, more rows gather in one region, or
/// a query that had none takes a full scan. A note is no fault.
fn drawbacks(
    (code, severity): (&'static str, FindingSeverity),
    same_keys: bool,
    before: &Judged,
    after: &[Judged],
) -> Option<Drawbacks> {
    let (own, added) = after.split_first()?;
    let fewer = |least| count(&own.found, code, least) < count(&before.found, code, least);
    let no_worse = |after: &Judged| {
        let was_unseen = before.verdict.code == UNSEEN;
        let unseen = after.verdict.code == UNSEEN && (same_keys || was_unseen);
        let as_before = if was_unseen { 0 } else { rank(before.verdict.severity) };
        (unseen || rank(after.verdict.severity) <= as_before)
            && brought(&before.found, &after.found).all(|fault| fault.severity < severity)
    };
    let efforts = || after.iter().map(|after| &after.effort);
    let helps = fewer(severity)
        && !before.harm.grows_to(&own.harm)
        && added.iter().all(|added| before.harm.hidden >= added.harm.hidden)
        && !before.effort.becomes_full(efforts())
        && after.iter().all(no_worse)
        && added.iter().all(|added| count(&added.found, code, FindingSeverity::Note) == 0);
    helps.then(|| Drawbacks {
        stays: !fewer(severity.min(FindingSeverity::Warning)),
        bad: own.verdict.severity == VerdictSeverity::Bad,
        scans: before.effort.takes_more_scans(efforts()),
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
struct Trials<'a, K> {
    study: &'a Document,
    table: usize,
    edits: &'a mut FixTrials<K>,
    tried: Vec<(Value, Option<Vec<Judged>>)>,
}

impl<K: TrialKeys> Trials<'_, K> {
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
                let of = |table| self.edits.judged(&edited, table).ok();
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

/// All of a study that the row keys of a table and its cells follow from, as text: equal ones have the same.
pub(in crate::analysis) fn description_of_keys(study: &Document, table: usize) -> String {
    let mut document = normal_form(study);
    let mut own = document.get_mut("tables").and_then(|tables| tables.get_mut(table)).map(Value::take);
    if let Some(Value::Object(own)) = &mut own {
        own.remove("splits");
    }
    if let Value::Object(document) = &mut document {
        document.remove("queries");
        document.insert("tables".to_owned(), json!([own]));
    }
    crate::base::json::text(&document)
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
