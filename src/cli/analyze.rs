//! `analyze`: where the rows of a design land.

use super::analysed::AnalysedDocument;
use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::figures::{count, percent};
use super::linted::LintedTable;
use super::loaded::held_so_far;
use super::picture::Picture;
use super::style::{Ink, harmless, shortened};
use super::table::{ColumnAlign, PrintedTable};
use super::words::say;
use super::{heat, html, json, lint, sarif, svg};
use crate::analysis::findings::FindingSeverity;
use crate::analysis::report::{Report, VerdictSeverity as Grade};
use crate::base::Problem;

/// Regions that are listed; of more, those with most rows.
const LISTED: usize = 32;
/// Columns of the bar behind a region.
const BAR: usize = 20;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let mut document = DesignDocument::asked(context, asked)?;
    let mut tables = document.tables(asked);
    let is_single = ["json", "svg", "html", "sarif"].iter().any(|form| asked.has(form));
    if is_single || asked.reads_standard_input() {
        document.only_first(context, &mut tables);
    }
    let mut worst = FINE;
    for (place, table) in tables.into_iter().enumerate() {
        if place > 0 {
            context.line("");
        }
        document.table = table;
        worst = worst.max(one(context, asked, &document)?);
    }
    Ok(worst)
}

/// Judges a table.
fn one(
    context: &mut CommandContext<'_>,
    asked: &CommandArgs,
    document: &DesignDocument,
) -> Result<u8, Failure> {
    let threshold = lint::threshold(asked)?;
    let quiet = asked.is_quiet()?;
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let mut held = held_so_far(context, document, &files)?;
    let (report, findings) = held.evidence.judged(&document.study, document.table)?;
    let analysed = AnalysedDocument { document, report: &report, findings: &findings, held: &held };
    if !quiet {
        print(context, &analysed);
    }
    if asked.has("json") {
        context.write(json::analysed(&analysed).as_bytes());
    }
    if !held.broken.is_empty() {
        // No file is left that tells half of it.
        return Err(held.broken.into());
    }
    if let Some(path) = asked.get("svg") {
        let image = svg::image(&report, &document.title()).ok_or_else(|| Problem::new("cli.no-time"))?;
        context.save(path, image.as_bytes())?;
    }
    if let Some(path) = asked.get("html") {
        context.save(path, html::report(&analysed).as_bytes())?;
    }
    if let Some(path) = asked.get("sarif") {
        context.save(
            path,
            sarif::log(&[LintedTable {
                document,
                table: document.table,
                findings: findings.as_slice().into(),
            }])
            .as_bytes(),
        )?;
    }
    let worst = findings.iter().map(|finding| finding.severity).chain(grade(&report)).max();
    Ok(if threshold.is_some_and(|threshold| worst >= Some(threshold)) { FOUND } else { FINE })
}

/// The severity of a verdict as one of findings.
fn grade(report: &Report) -> Option<FindingSeverity> {
    match report.verdict.severity {
        Grade::Good => None,
        Grade::Warning => Some(FindingSeverity::Warning),
        Grade::Bad => Some(FindingSeverity::Bad),
    }
}

fn print(context: &mut CommandContext<'_>, analysed: &AnalysedDocument<'_>) {
    let AnalysedDocument { document, report, findings, .. } = *analysed;
    let (severity, sentence, also) = analysed.headline();
    let (ink, code) = match severity {
        Grade::Good => (Ink::Green, "cli.good"),
        Grade::Warning => (Ink::Yellow, "cli.warning"),
        Grade::Bad => (Ink::Red, "cli.bad"),
    };
    let style = context.style;
    let title = style.ink(Ink::Bold, &harmless(&document.title()));
    context.line(&format!("{title}  {}", style.ink(Ink::Dim, &key(document))));
    lint::paragraph(context, &format!("{} ", style.ink(ink, &say(code, &[]))), &harmless(sentence));
    lint::paragraph(context, &" ".repeat(lint::INSET), &harmless(also));
    context.line("");
    for line in analysed.summary() {
        context.line(&line);
    }
    if !findings.is_empty() {
        context.line("");
        lint::print(context, findings);
    }
    context.line("");
    regions(context, report);
    let title = |most: u64| say("cli.heat", &[("rows", &count(most))]);
    heat::draw(context, &title, &|bands, columns| Picture::of(report, bands, columns));
}

fn key(document: &DesignDocument) -> String {
    document.design().map(|design| harmless(&design.rowkey)).unwrap_or_default()
}

fn regions(context: &mut CommandContext<'_>, report: &Report) {
    let mut listed: Vec<_> = report.regions.iter().collect();
    if listed.len() > LISTED {
        crate::bytes::sort::sort_by_key(&mut listed, |region| std::cmp::Reverse(region.records));
        listed.truncate(LISTED);
        crate::bytes::sort::sort_by_key(&mut listed, |region| region.index);
        let [shown, all] = [LISTED as u64, report.region_count as u64].map(count);
        context.line(&say("cli.busiest-regions", &[("shown", &shown), ("all", &all)]));
    }
    let most = listed.iter().map(|region| region.records).max().unwrap_or_default().max(1);
    let full = if context.style.columns >= 100 { BAR } else { BAR / 2 };
    let heading = |code| say(code, &[]);
    let shared = listed.iter().any(|region| region.rows != region.records);
    let mut columns = vec![
        (ColumnAlign::Right, heading("cli.region")),
        (ColumnAlign::Left, heading("cli.start")),
        (ColumnAlign::Left, heading("cli.stop")),
        (ColumnAlign::Right, heading("cli.rows")),
    ];
    columns.extend(shared.then(|| (ColumnAlign::Right, heading("cli.records"))));
    columns.extend([(ColumnAlign::Right, heading("cli.share")), (ColumnAlign::Left, String::new())]);
    let mut table = PrintedTable::new(&columns);
    for region in listed {
        let bar = (u64::from(region.records) * full as u64).div_ceil(u64::from(most)) as usize;
        let mut cells = vec![
            region.index.to_string(),
            shortened(&region.start, 28),
            shortened(&region.stop, 28),
            count(u64::from(region.rows)),
        ];
        cells.extend(shared.then(|| count(u64::from(region.records))));
        cells.extend([percent(region.share), "#".repeat(bar)]);
        table.row(cells);
    }
    table.print(context);
}
