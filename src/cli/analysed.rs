//! Results of `analyze`, and the sentences that all its forms share.

use super::document::DesignDocument;
use super::figures::{bytes, count, moment};
use super::loaded::LoadedRecords;
use super::style::harmless;
use super::summary::held_in;
use super::words::{said, say};
use crate::analysis::findings::{Finding, FindingSeverity};
use crate::analysis::report::{RefusalReason, Report, SaidProblem, VerdictSeverity as Grade};
use crate::base::Problem;
use crate::design::WriteKind;
use crate::keys::figures::CellFigures;
use crate::records::read::{EncodingBy, ReadFile};

/// Refused rows shown of each reason.
const REFUSED_SHOWN: usize = 3;
/// Characters shown of what was found in one.
const FOUND_SHOWN: usize = 24;

/// Results of `analyze`, for all its forms.
pub struct AnalysedDocument<'a> {
    /// The document.
    pub document: &'a DesignDocument,
    /// Where the rows land.
    pub report: &'a Report,
    /// The findings.
    pub findings: &'a [Finding],
    /// The records.
    pub held: &'a LoadedRecords,
}

impl AnalysedDocument<'_> {
    /// The figures in sentences.
    pub fn summary(&self) -> Vec<String> {
        summary(
            self.report,
            self.held,
            self.document.design().map_or_else(|_| WriteKind::default(), |design| design.writes),
        )
    }

    /// Severity, headline and supporting line: those of the verdict, which shows where rows land, or the title of a worse
    /// finding above the verdict's headline.
    pub fn headline(&self) -> (Grade, &str, &str) {
        let verdict = &self.report.verdict;
        let worse = self.findings.iter().find(|finding| finding.severity == FindingSeverity::Bad);
        match worse.filter(|_| verdict.severity != Grade::Bad) {
            Some(finding) => (Grade::Bad, &finding.title, &verdict.title),
            None => (verdict.severity, &verdict.title, &verdict.detail),
        }
    }
}

fn summary(report: &Report, held: &LoadedRecords, writes: WriteKind) -> Vec<String> {
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
        let axis = (time.start as f64, time.start as f64 + time.step * f64::from(time.buckets));
        let (start, end) =
            time.first.zip(time.last).map_or(axis, |(first, last)| (first as f64, last as f64));
        let moment = |at: f64| moment(at, time.step);
        lines.push(say(
            "cli.period",
            &[("field", &time.field), ("start", &moment(start)), ("end", &moment(end))],
        ));
    }
    if report.untimed > 0 {
        lines.push(said(&Problem::new("cli.untimed").with("count", report.untimed)));
    }
    lines.extend(read_as(held));
    if held.generated {
        lines.push(say("cli.generated", &[]));
    }
    if let Some(summary) = held.evidence.summary() {
        lines.push(held_in(summary));
    }
    if held.evidence.is_sample() && held.evidence.summary().is_none() {
        let [sample, rows] = [held.evidence.records.rows as u64, held.evidence.records.all_rows()].map(count);
        lines.push(say("cli.sampled", &[("sample", &sample), ("rows", &rows)]));
    }
    // Rows that are written again on purpose hide nothing.
    if keys.duplicates.keys > 0 && writes.is_append() {
        let duplicates = &keys.duplicates;
        lines.push(say(
            match (keys.cells.as_ref().is_some_and(CellFigures::is_named), duplicates.estimated) {
                (false, false) => "cli.duplicates",
                (false, true) => "cli.duplicates-estimated",
                (true, false) => "cli.duplicate-cells",
                (true, true) => "cli.duplicate-cells-estimated",
            },
            &[("keys", &count(duplicates.keys as u64)), ("rows", &count(duplicates.rows as u64))],
        ));
    }
    lines.extend(keys.cells.iter().flat_map(row_cells));
    for reason in &report.refused.reasons {
        let sentence = say("cli.refused", &[("count", &count(reason.count)), ("reason", &reason.message)]);
        lines.push(format!("{sentence}{}", first_refused(report, reason)));
    }
    lines.iter().map(|line| harmless(line)).collect()
}

/// Rows and cells, where records of one key write cells of their own; and records that write none.
fn row_cells(cells: &CellFigures) -> Vec<String> {
    let of = |figure: u64| count(figure);
    let all = cells.columns.iter().map(|column| column.cells).sum();
    let code = match (cells.estimated, cells.most) {
        (true, _) => "cli.row-cells-estimated",
        (false, 1) => "cli.row-cells-alone",
        (false, _) => "cli.row-cells",
    };
    let figures = [("rows", of(cells.rows)), ("cells", of(all)), ("most", of(cells.most))];
    let mut lines = vec![say(code, &figures.each_ref().map(|(name, figure)| (*name, figure.as_str())))];
    let missing = cells.columns.iter().map(|column| column.missing).max().unwrap_or(0);
    if missing > 0 {
        lines.push(said(&Problem::new("cli.cell-missing").with("count", missing)));
    }
    lines
}

/// How files were read: the first of each form and encoding, then how many more there are.
fn read_as(held: &LoadedRecords) -> Vec<String> {
    let mut told: Vec<&ReadFile> = Vec::new();
    for file in &held.problems.files {
        let is_alike = |known: &&ReadFile| {
            (known.format, known.encoding, known.by) == (file.format, file.encoding, file.by)
        };
        if !told.iter().any(is_alike) {
            told.push(file);
        }
    }
    let more = held.problems.files.len() - told.len();
    let mut lines: Vec<String> = told.into_iter().map(how_read).collect();
    if more > 0 {
        lines.push(said(&Problem::new("cli.more-files").with("count", more)));
    }
    lines
}

fn how_read(file: &ReadFile) -> String {
    let by = match file.by {
        EncodingBy::Mark => "cli.read-as-by-mark",
        EncodingBy::Given => "cli.read-as-by-given",
        EncodingBy::Assumed => "cli.read-as-by-assumed",
    };
    let encoding = file.encoding.name().to_uppercase();
    let args = [
        ("file", file.name.as_str()),
        ("format", file.format.shown()),
        ("encoding", &encoding),
        ("by", &say(by, &[])),
    ];
    say("cli.read-as", &args)
}

/// The field concerned and the first rows with what was found in them, in brackets; empty where no field is.
fn first_refused(report: &Report, reason: &RefusalReason) -> String {
    let Some(field) = &reason.field else { return String::new() };
    let same = |refused: &&SaidProblem| refused.code == reason.code && refused.place.field == reason.field;
    let rows = report.refused.first.iter().filter(same).take(REFUSED_SHOWN).filter_map(|refused| {
        let found: String = refused.args.get("found")?.chars().take(FOUND_SHOWN).collect();
        Some(say("cli.refused-row", &[("row", &count(refused.place.row?)), ("found", &found)]))
    });
    let all: Vec<String> = std::iter::once(field.clone()).chain(rows).collect();
    format!(" ({})", all.join("; "))
}
