//! `analyze`: where the rows of a design land.

use super::args::Asked;
use super::document::Document;
use super::figures::{bytes, count, moment, percent};
use super::held::{Held, held_so_far};
use super::shell::{FINE, FOUND, Failure, Shell};
use super::style::{Ink, harmless};
use super::table::{Align, Table};
use super::words::say;
use super::{heat, html, json, lint, sarif, svg};
use crate::analysis::findings::{Finding, Severity};
use crate::analysis::report::{Reason, Refusal, Report, Severity as Grade};
use crate::base::Problem;

/// Regions that are listed; of more, those with most rows.
const LISTED: usize = 32;
/// Refused rows shown of each reason.
const REFUSED_SHOWN: usize = 3;
/// Characters shown of what was found in one.
const FOUND_SHOWN: usize = 24;
/// Columns of the bar behind a region.
const BAR: usize = 20;

/// What `analyze` found, for all its forms.
pub struct Analysed<'a> {
    /// The document.
    pub document: &'a Document,
    /// Where the rows land.
    pub report: &'a Report,
    /// What is to be said of it.
    pub findings: &'a [Finding],
    /// The records.
    pub held: &'a Held,
}

impl Analysed<'_> {
    /// What stands at the top: its severity, the sentence, and what goes below it. The verdict tells where rows land; a finding
    /// that is worse goes before it.
    pub fn headline(&self) -> (Grade, &str, Option<&str>) {
        let verdict = &self.report.verdict;
        let worse = self.findings.iter().find(|finding| finding.severity == Severity::Bad);
        match worse.filter(|_| verdict.severity != Grade::Bad) {
            Some(finding) => (Grade::Bad, &finding.message, Some(&verdict.message)),
            None => (verdict.severity, &verdict.message, None),
        }
    }
}

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &Asked) -> Result<u8, Failure> {
    let threshold = lint::threshold(asked)?;
    let quiet = quiet(asked)?;
    let document = Document::asked(shell, asked)?;
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let mut held = held_so_far(shell, &document, &files)?;
    let (report, findings) = held.judged(&document)?;
    let analysed = Analysed { document: &document, report: &report, findings: &findings, held: &held };
    if !quiet {
        print(shell, &analysed);
    }
    if asked.has("json") {
        shell.write(json::analysed(&analysed).as_bytes());
    }
    if !held.broken.is_empty() {
        // No file is left that tells half of it.
        return Err(held.broken.into());
    }
    if let Some(path) = asked.get("svg") {
        let image = svg::image(&report, &document.title()).ok_or_else(|| Problem::new("cli.no-time"))?;
        shell.save(path, image.as_bytes())?;
    }
    if let Some(path) = asked.get("html") {
        shell.save(path, html::report(&analysed).as_bytes())?;
    }
    if let Some(path) = asked.get("sarif") {
        shell.save(path, sarif::log(&[(&document, &findings)]).as_bytes())?;
    }
    let worst = findings.iter().map(|finding| finding.severity).chain(grade(&report)).max();
    Ok(if threshold.is_some_and(|threshold| worst >= Some(threshold)) { FOUND } else { FINE })
}

/// Whether something else than the text for a person goes to standard output.
///
/// # Errors
/// Two things that would.
pub fn quiet(asked: &Asked) -> Result<bool, Failure> {
    let files = ["html", "svg", "sarif"].iter().filter(|name| asked.get(name) == Some("-"));
    match files.count() + usize::from(asked.has("json")) {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Problem::new("cli.one-output").into()),
    }
}

/// The severity of a verdict as one of findings.
fn grade(report: &Report) -> Option<Severity> {
    match report.verdict.severity {
        Grade::Good => None,
        Grade::Warning => Some(Severity::Warning),
        Grade::Bad => Some(Severity::Bad),
    }
}

fn print(shell: &mut Shell<'_>, analysed: &Analysed<'_>) {
    let Analysed { document, report, findings, held } = *analysed;
    let (severity, sentence, also) = analysed.headline();
    let (ink, code) = match severity {
        Grade::Good => (Ink::Green, "cli.good"),
        Grade::Warning => (Ink::Yellow, "cli.warning"),
        Grade::Bad => (Ink::Red, "cli.bad"),
    };
    let style = shell.style;
    let title = style.ink(Ink::Bold, &harmless(&document.title()));
    shell.line(&format!("{title}  {}", style.ink(Ink::Dim, &key(document))));
    lint::paragraph(shell, &format!("{} ", style.ink(ink, &say(code, &[]))), &harmless(sentence));
    if let Some(also) = also {
        lint::paragraph(shell, &" ".repeat(lint::INSET), &harmless(also));
    }
    shell.line("");
    for line in summary(report, held) {
        shell.line(&line);
    }
    if !findings.is_empty() {
        shell.line("");
        lint::print(shell, findings);
    }
    shell.line("");
    regions(shell, report);
    heat::draw(shell, report);
}

fn key(document: &Document) -> String {
    document.design().map(|design| harmless(&design.rowkey)).unwrap_or_default()
}

/// The figures in sentences, also for the report as a page.
pub fn summary(report: &Report, held: &Held) -> Vec<String> {
    let keys = &report.keys;
    let counted = |code, number| say(code, &[("count", &count(number))]);
    let records = counted("cli.count-records", report.rows);
    let number = counted("cli.count-keys", keys.count);
    let regions = counted("cli.count-regions", report.region_count as u64);
    let [least, most] = [keys.min as u64, keys.max as u64].map(count);
    let figures = [
        ("records", records.as_str()),
        ("keys", &number),
        ("least", &least),
        ("most", &most),
        ("bytes", &bytes(keys.bytes as f64)),
        ("regions", &regions),
    ];
    let code = if keys.min == keys.max { "cli.figures-fixed" } else { "cli.figures" };
    let mut lines = vec![say(code, &figures)];
    if let Some(time) = &report.time {
        let end = time.start as f64 + time.step * f64::from(time.buckets);
        let moment = |at: f64| moment(at, time.step);
        lines.push(say(
            "cli.period",
            &[("field", &time.field), ("start", &moment(time.start as f64)), ("end", &moment(end))],
        ));
    }
    if held.generated {
        lines.push(say("cli.generated", &[]));
    }
    if held.is_sample() {
        lines.push(say("cli.sampled", &[("sample", &count(held.records.rows as u64))]));
    }
    if keys.duplicates.keys > 0 {
        let duplicates = &keys.duplicates;
        lines.push(say(
            "cli.duplicates",
            &[("keys", &count(duplicates.keys as u64)), ("rows", &count(duplicates.rows as u64))],
        ));
    }
    for reason in &report.refused.reasons {
        let sentence = say("cli.refused", &[("count", &count(reason.count)), ("reason", &reason.message)]);
        lines.push(format!("{sentence}{}", first_refused(report, reason)));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

/// The field concerned and the first rows with what was found in them, in brackets; empty where no field is.
fn first_refused(report: &Report, reason: &Reason) -> String {
    let Some(field) = &reason.field else { return String::new() };
    let same = |refused: &&Refusal| refused.code == reason.code && refused.place.field == reason.field;
    let rows = report.refused.first.iter().filter(same).take(REFUSED_SHOWN).filter_map(|refused| {
        let found: String = refused.args.get("found")?.chars().take(FOUND_SHOWN).collect();
        Some(say("cli.refused-row", &[("row", &count(refused.place.row?)), ("found", &found)]))
    });
    let all: Vec<String> = std::iter::once(field.clone()).chain(rows).collect();
    format!(" ({})", all.join("; "))
}

fn regions(shell: &mut Shell<'_>, report: &Report) {
    let mut listed: Vec<_> = report.regions.iter().collect();
    if listed.len() > LISTED {
        crate::bytes::sort::sort_by_key(&mut listed, |region| std::cmp::Reverse(region.rows));
        listed.truncate(LISTED);
        crate::bytes::sort::sort_by_key(&mut listed, |region| region.index);
        let [shown, all] = [LISTED as u64, report.region_count as u64].map(count);
        shell.line(&say("cli.busiest-regions", &[("shown", &shown), ("all", &all)]));
    }
    let most = listed.iter().map(|region| region.rows).max().unwrap_or_default().max(1);
    let full = if shell.style.columns >= 100 { BAR } else { BAR / 2 };
    let heading = |code| say(code, &[]);
    let mut table = Table::new(&[
        (Align::Right, heading("cli.region")),
        (Align::Left, heading("cli.start")),
        (Align::Left, heading("cli.stop")),
        (Align::Right, heading("cli.rows")),
        (Align::Right, heading("cli.share")),
        (Align::Left, String::new()),
    ]);
    for region in listed {
        let bar = (u64::from(region.rows) * full as u64).div_ceil(u64::from(most)) as usize;
        table.row(vec![
            region.index.to_string(),
            heat::shortened(&region.start, 28),
            heat::shortened(&region.stop, 28),
            count(u64::from(region.rows)),
            percent(region.share),
            "#".repeat(bar),
        ]);
    }
    table.print(shell);
}
