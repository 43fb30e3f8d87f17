//! `compare`: designs side by side on the same records.

use super::args::CommandArgs;
use super::card::{CardSide, card};
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::figures::{bytes, count, decimal, percent};
use super::json::lines;
use super::loaded::held;
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::say;
use crate::base::Problem;
use crate::compare::{
    Candidate, ComparedSplits, Comparison, LeadingFigure, MeasureChange, MeasureLine, compare,
};
use serde_json::json;

/// Words of `--splits`.
const SPLITS: &[(&str, ComparedSplits)] =
    &[("equal", ComparedSplits::EqualShares), ("designed", ComparedSplits::Designed)];

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let mut documents = Vec::new();
    for path in asked.words.iter().skip(1) {
        documents.push(DesignDocument::read(context, path, asked)?);
    }
    let base = documents.first().ok_or_else(|| Problem::new("cli.no-design"))?;
    // The keys of all are held together.
    let sides = if documents.len() > 1 { documents.len() } else { base.study.tables.len() };
    context.memory /= sides.max(1) as u64;
    if sides < 2 {
        return Err(Problem::new("compare.too-few").into());
    }
    let files: Vec<&str> = asked.all("data").collect();
    if let Some(other) = documents.iter().skip(1).find(|document| document.summary.is_some()) {
        return Err(Failure::from(Problem::new("cli.summary-first")).in_file(&other.path));
    }
    let mut held = held(context, base, &files)?;
    held.evidence.check_samples()?;
    let candidates: Vec<Candidate<'_>> = match documents.as_slice() {
        // The tables of one document.
        [only] => (0..only.study.tables.len()).map(|table| Candidate { study: &only.study, table }).collect(),
        several => several
            .iter()
            .map(|document| Candidate { study: &document.study, table: document.table })
            .collect(),
    };
    let splits = asked.one_of("splits", SPLITS)?.unwrap_or_default();
    let comparison = compare(&held.evidence.records, &candidates, splits)?;
    if let Some(path) = asked.get("svg") {
        let mut sides = Vec::new();
        for (number, &Candidate { study, table }) in candidates.iter().enumerate().take(2) {
            // Each in its own regions, as the table would have them.
            let (report, _) = held.evidence.judged(study, table)?;
            let design = study.table(table)?;
            let document = documents.get(number).filter(|_| documents.len() > 1);
            let name = document.map_or_else(|| design.name.clone(), DesignDocument::title);
            sides.push((name, design.rowkey.as_str(), report));
        }
        let sides: Vec<CardSide<'_>> =
            sides.iter().map(|(name, rowkey, report)| CardSide { name, rowkey, report }).collect();
        let image = card(&sides).ok_or_else(|| Problem::new("cli.no-time"))?;
        context.save(path, image.as_bytes())?;
    }
    if asked.has("json") {
        context.write(lines(&json!(comparison)).as_bytes());
        return Ok(FINE);
    }
    if held.evidence.is_sample() {
        let [sample, rows] = [held.evidence.records.rows as u64, held.evidence.records.all_rows()].map(count);
        context.line(&say("cli.compared-sample", &[("sample", &sample), ("rows", &rows)]));
    }
    print(context, &comparison);
    Ok(FINE)
}

fn print(context: &mut CommandContext<'_>, comparison: &Comparison) {
    let style = context.style;
    for (number, side) in (1..).zip(&comparison.designs) {
        let name = style.ink(Ink::Bold, &harmless(&side.name));
        context.line(&format!("{number}  {name}  {}", style.ink(Ink::Dim, &harmless(&side.rowkey))));
    }
    if comparison.equal_shares {
        context.line(&say("cli.equal-shares", &[]));
    }
    for (number, side) in (1..).zip(&comparison.designs).skip(1) {
        for figure in &side.leading {
            context.line(&leading(number, figure));
        }
    }
    context.line("");
    let columns = comparison.designs.len();
    table(context, &say("cli.measure", &[]), &comparison.lines, columns);
    for query in &comparison.queries {
        context.line("");
        table(context, &say("cli.of-query", &[("query", &query.name)]), &query.lines, columns);
    }
    context.line("");
    for (number, side) in (1..).zip(&comparison.designs).skip(1) {
        let [better, worse] = [side.better.len() as u64, side.worse.len() as u64].map(count);
        let number = number.to_string();
        let words = [("design", number.as_str()), ("better", &better), ("worse", &worse)];
        context.line(&say("cli.better-worse", &words));
        if let Some(moves) = &side.moves {
            let rewritten = count(moves.rewritten);
            // Equal shares are regions of no table.
            let moved = if comparison.equal_shares {
                say("cli.rewritten", &[("rewritten", &rewritten)])
            } else {
                say("cli.moved", &[("moved", &count(moves.moved)), ("rewritten", &rewritten)])
            };
            context.line(&format!("   {moved}"));
        }
    }
}

/// How a design differs from the first in one of the figures that matter most.
fn leading(number: usize, of: &LeadingFigure) -> String {
    let what = match &of.query {
        Some(query) => format!("“{}” {}", harmless(query), say(of.code, &[])),
        None => say(of.code, &[]),
    };
    let [now, before] = [of.now, of.before].map(|value| figure(value, of.unit));
    let design = number.to_string();
    say("cli.leading", &[("design", &design), ("what", &what), ("now", &now), ("before", &before)])
}

fn table(context: &mut CommandContext<'_>, title: &str, lines: &[MeasureLine], columns: usize) {
    let mut headings = vec![(ColumnAlign::Left, title.to_owned())];
    headings.extend((1..=columns).map(|number| (ColumnAlign::Right, number.to_string())));
    let mut table = PrintedTable::new(&headings);
    for line in lines {
        let mut row = vec![say(line.code, &[])];
        for (at, (value, change)) in line.values.iter().zip(&line.changes).enumerate() {
            let between = line.between.get(at).copied().flatten().filter(|[low, high]| low < high);
            let between = between.map(|ends| ends.map(|end| figure(end, line.unit)));
            let between = between.map(|[low, high]| format!(" ({low} – {high})")).unwrap_or_default();
            row.push(format!(
                "{}{between}{}",
                value.map_or_else(|| "–".to_owned(), |value| figure(value, line.unit)),
                mark(change)
            ));
        }
        table.row(row);
    }
    table.print(context);
}

/// The sign behind a figure that is better or worse than that of the first design.
pub fn mark(change: &MeasureChange) -> &'static str {
    match change {
        MeasureChange::Better => " +",
        MeasureChange::Worse => " -",
        MeasureChange::Same | MeasureChange::Other | MeasureChange::Unknown => "  ",
    }
}

/// A figure in its unit.
pub fn figure(value: f64, unit: &str) -> String {
    match unit {
        "share" => percent(value),
        "bytes" if value >= 1024.0 => bytes(value),
        "rows" | "cells" => count(value.round() as u64),
        "queries" => say(if value > 0.0 { "cli.yes" } else { "cli.no" }, &[]),
        _ => decimal(value),
    }
}
