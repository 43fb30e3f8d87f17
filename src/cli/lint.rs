//! `lint`: what is to be said of designs without any record.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::linted::LintedTable;
use super::style::{Ink, harmless, wrapped};
use super::words::say;
use super::{input, json, loaded, sarif};
use crate::analysis::findings::{self, DesignFix, Finding, FindingSeverity};
use crate::base::Problem;
use crate::base::json::text;
use serde_json::Value;

/// The words for severities.
const LEVELS: &[(&str, FindingSeverity)] =
    &[("note", FindingSeverity::Note), ("warning", FindingSeverity::Warning), ("bad", FindingSeverity::Bad)];

/// Columns that a finding's sentences are set in from the left.
pub const INSET: usize = 4;

/// From which severity on findings make the command fail.
///
/// # Errors
/// Another word.
pub fn threshold(asked: &CommandArgs) -> Result<Option<FindingSeverity>, Failure> {
    asked.one_of("fail-on", LEVELS)
}

/// The word for a severity, and its ink.
pub fn level(severity: FindingSeverity) -> (&'static str, Ink) {
    match severity {
        FindingSeverity::Note => ("note", Ink::Cyan),
        FindingSeverity::Warning => ("warning", Ink::Yellow),
        FindingSeverity::Bad => ("bad", Ink::Red),
    }
}

/// Runs the command: every table of every document, unless one is meant.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let threshold = threshold(asked)?.unwrap_or(FindingSeverity::Bad);
    let quiet = asked.is_quiet()?;
    let given: Vec<&String> = asked.words.iter().skip(1).collect();
    if given.is_empty() {
        return Err(Problem::new("cli.no-design").into());
    }
    let mut documents = Vec::new();
    for path in given {
        let one = asked.has("table") || path.contains(".json#");
        documents.push((DesignDocument::read(context, path, asked)?, one));
    }
    let mut all: Vec<LintedTable<'_>> = Vec::new();
    for (document, one) in &documents {
        let in_file = |problem: Problem| Failure::from(problem).in_file(&input::name_of(&document.path));
        let one = one.then_some(document.table..document.table + 1);
        for table in one.unwrap_or(0..document.study.tables.len()) {
            let findings = findings::of_design(&document.study, table).map_err(in_file)?;
            loaded::check_generated(document).map_err(in_file)?;
            all.push(LintedTable { document, table, findings: findings.into() });
        }
    }
    for LintedTable { document, table, findings: found } in all.iter().filter(|_| !quiet) {
        let name = document.table_name(*table);
        let heading = harmless(&format!("{} {name}", document.path));
        context.line(&context.style.ink(Ink::Bold, &heading));
        match found.is_empty() {
            true => context.line(&say("cli.nothing-found", &[])),
            false => print(context, found),
        }
    }
    if asked.has("json") {
        context.write(json::linted(&all).as_bytes());
    }
    if let Some(path) = asked.get("sarif") {
        context.save(path, sarif::log(&all).as_bytes())?;
    }
    let worst = all.iter().flat_map(|linted| linted.findings.iter()).map(|finding| finding.severity).max();
    Ok(if worst >= Some(threshold) { FOUND } else { FINE })
}

/// Prints findings, the worst first.
pub fn print(context: &mut CommandContext<'_>, findings: &[Finding]) {
    let style = context.style;
    for finding in findings {
        let (_, ink) = level(finding.severity);
        let word = say(
            match finding.severity {
                FindingSeverity::Note => "cli.note",
                FindingSeverity::Warning => "cli.warning",
                FindingSeverity::Bad => "cli.bad",
            },
            &[],
        );
        let head =
            format!("{} {} {}", style.ink(ink, &word), finding.code, style.ink(Ink::Dim, finding.name));
        context.line(&head);
        for text in [&finding.title, &finding.detail, &finding.why] {
            paragraph(context, &" ".repeat(INSET), &harmless(text));
        }
        paragraph(context, &format!("{}> ", " ".repeat(INSET - 2)), &harmless(&finding.remedy));
        for line in fix(finding) {
            paragraph(context, &" ".repeat(INSET + 2), &harmless(&line));
        }
    }
}

/// The edits of a fix, what they cost, and the verdict that they lead to.
pub fn fix(finding: &Finding) -> Vec<String> {
    let Some(fix) = &finding.fix else { return Vec::new() };
    let rowkey = fix.rowkey.iter().map(|rowkey| match &fix.kind {
        Some(kind) => say("cli.edit-kind", &[("kind", kind), ("rowkey", rowkey)]),
        None => say("cli.edit", &[("rowkey", rowkey)]),
    });
    let edit = |code, name, value: Option<Value>| value.map(|value| say(code, &[(name, &text(&value))]));
    let members = [
        edit("cli.edit-splits", "splits", fix.splits.clone()),
        edit(
            "cli.edit-families",
            "families",
            fix.families.as_ref().map(|families| serde_json::json!(families)),
        ),
        edit("cli.edit-tables", "tables", fix.tables.clone()),
        scan(finding, fix),
    ];
    let mut lines: Vec<String> = rowkey.chain(members.into_iter().flatten()).collect();
    lines.extend(fix.costs.iter().map(|cost| cost.message.clone()));
    if let Some(measured) = &fix.measured {
        let mut told = say("cli.fix-measured", &[("verdict", &measured.verdict.title)]);
        if measured.estimated {
            let sample = Problem::new("estimate.sample").with("sample", measured.rows);
            told = format!("{told} {}", sample.with("rows", measured.of).sentence());
        }
        lines.push(told);
    }
    lines
}

/// The other scan of the query that a finding is about.
fn scan(finding: &Finding, fix: &DesignFix) -> Option<String> {
    let named = finding.args.get("query")?;
    let query = fix.queries.iter().flatten().find(|query| query.name == *named)?;
    let [start, stop] = query.scan.as_ref()?;
    Some(say("cli.edit-scan", &[("query", named), ("start", start), ("stop", stop)]))
}

/// A text broken into lines, each set in as far as the first, which begins with `lead`.
pub fn paragraph(context: &mut CommandContext<'_>, lead: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    // Inks take no columns.
    let mut shown = 0;
    let mut inside = false;
    for char in lead.chars() {
        inside |= char == '\x1b';
        shown += usize::from(!inside);
        inside &= char != 'm';
    }
    let room = context.style.columns.saturating_sub(shown).max(20);
    for (number, line) in wrapped(text, room).iter().enumerate() {
        let begin = if number == 0 { lead.to_owned() } else { " ".repeat(shown) };
        context.line(&format!("{begin}{line}"));
    }
}
