//! `size`: the bytes of a table, and how many regions it should have.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::figures::{bytes, count, moment};
use super::grow::print_rows;
use super::json::lines;
use super::measured::MeasuredDocument;
use super::migrate::heading;
use super::style::harmless;
use super::table::{ColumnAlign, PrintedTable};
use super::words::{said, say};
use crate::analysis::RetainedVersions;
use crate::base::Problem;
use crate::hbase::sizing::{RuleAnswer, SharedFamily, Sizing};
use crate::hbase::storage::table::{CellBytes, FamilyBytes, TableBytes};

/// The sentences of the rules.
const RULES: [(&str, &str); 6] = [
    ("no-split", "cli.size-no-split"),
    ("region-of-6-to-8-gb", "cli.size-region-of-6-to-8-gb"),
    ("by-table-size", "cli.size-by-table-size"),
    ("every-server", "cli.size-every-server"),
    ("written-at-once", "cli.size-written-at-once"),
    ("regions-of-a-server", "cli.size-regions-of-a-server"),
];

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let measured = MeasuredDocument::read(context, asked)?;
    let wrong = |text: &str| Problem::new("cli.wrong-rows").with("found", text);
    let rows = asked.get("rows").map(|text| text.parse().map_err(|_| wrong(text))).transpose()?;
    let size = measured.table()?.size(rows)?;
    if asked.has("json") {
        context.write(lines(&size.json()).as_bytes());
        return Ok(FINE);
    }
    print_storage(context, &size.storage);
    let shared = size.families.iter().filter(|family| 2 * family.alone <= family.together);
    shared.for_each(|of| print_shared(context, of));
    size.versions.iter().for_each(|left| print_left(context, left));
    match &size.sizing {
        Some((regions, growth, ahead)) => {
            print_sizing(context, regions, growth.months);
            ahead.iter().for_each(|ahead| print_rows(context, ahead));
        }
        None => context.line(&say("cli.size-no-growth", &[])),
    }
    Ok(FINE)
}

fn print_storage(context: &mut CommandContext<'_>, found: &TableBytes) {
    let [rows, cells] = [found.rows, found.cells].map(count);
    let total = bytes(found.total as f64);
    let words = [("rows", rows.as_str()), ("cells", &cells), ("total", &total)];
    context.line(&say("cli.size-total", &words));
    if found.made_up {
        context.line(&say("cli.size-made-up", &[]));
    }
    if !found.exact {
        let least = bytes(found.least as f64);
        context.line(&match found.most {
            Some(most) => say("cli.size-inexact", &[("least", &least), ("most", &bytes(most as f64))]),
            None => say("cli.size-unbounded", &[("least", &least)]),
        });
    }
    context.line(&say("cli.size-byte-less", &[("bytes", &bytes(found.byte_less as f64))]));
    if found.update.reads > 0 {
        let [reads, writes] = [found.update.reads, found.update.writes].map(|size| bytes(size as f64));
        context.line(&say("cli.size-update", &[("reads", &reads), ("writes", &writes)]));
    }
    for problem in &found.problems {
        context.line(&said(problem));
    }
    context.line("");
    let codes = ["cli.size-keys", "cli.size-names", "cli.size-overhead", "cli.size-values", "cli.size-all"];
    let estimates = ["cli.size-files", "cli.size-prefix", "cli.size-fast-diff", "cli.size-compressed"];
    let mut headings = vec![(ColumnAlign::Left, say("cli.size-family", &[]))];
    headings.extend(codes.iter().chain(&estimates).map(|code| (ColumnAlign::Right, say(code, &[]))));
    let mut table = PrintedTable::new(&headings);
    let exact = |of: &CellBytes| {
        let names = of.family.saturating_add(of.qualifier);
        [of.row, names, of.overhead, of.value, of.total()].map(|size| bytes(size as f64))
    };
    for family in &found.families {
        let between = [family.files, family.prefix, family.fast_diff, family.compressed];
        let between = between.map(|range| match range.least == range.most {
            true => bytes(range.least as f64),
            false => format!("{} – {}", bytes(range.least as f64), bytes(range.most as f64)),
        });
        table.row(std::iter::once(family.name.clone()).chain(exact(&family.bytes)).chain(between).collect());
        for column in family.columns.iter().filter(|_| family.columns.len() > 1) {
            let name = format!("  {}:{}", family.name, column.qualifier);
            table.row(std::iter::once(name).chain(exact(&column.bytes)).collect());
        }
    }
    table.print(context);
    context.line(&say("cli.size-estimates", &[]));
    found.families.iter().for_each(|family| print_compacted(context, family));
}

/// The file that a major compaction leaves.
fn print_compacted(context: &mut CommandContext<'_>, family: &FamilyBytes) {
    let of = family.compacted;
    if of.none == 0 {
        return;
    }
    let sizes = [of.none, of.row_index, of.prefix, of.diff, of.fast_diff].map(|size| bytes(size as f64));
    let names = ["none", "index", "prefix", "diff", "fast"];
    let mut words = vec![("family", family.name.as_str())];
    words.extend(names.into_iter().zip(sizes.iter().map(String::as_str)));
    context.line(&harmless(&say("cli.size-compacted", &words)));
    if of.mob > 0 {
        let size = bytes(of.mob as f64);
        let words = [("family", family.name.as_str()), ("bytes", size.as_str())];
        context.line(&harmless(&say("cli.size-mob", &words)));
    }
}

/// A family that lies in more regions than it would fill.
fn print_shared(context: &mut CommandContext<'_>, of: &SharedFamily) {
    let counts = [of.rows, of.alone, of.together, of.files].map(count);
    let [rows, alone, together, files] = counts.each_ref().map(String::as_str);
    let words = [
        ("family", of.name.as_str()),
        ("rows", rows),
        ("alone", alone),
        ("together", together),
        ("files", files),
    ];
    context.line(&harmless(&say("cli.size-shared", &words)));
    if of.region_bytes < of.flush_bytes {
        let sizes = [of.region_bytes, of.flush_bytes, of.with_others].map(|size| bytes(size as f64));
        let words =
            [("family", of.name.as_str()), ("each", &sizes[0]), ("bound", &sizes[1]), ("part", &sizes[2])];
        context.line(&harmless(&say("cli.size-flushed", &words)));
    }
}

/// How many versions of cells are left, where some are not.
fn print_left(context: &mut CommandContext<'_>, left: &RetainedVersions) {
    for family in left.families.iter().filter(|family| family.left != family.written) {
        let figures = [family.written, family.cells, family.left].map(count);
        let time = left.at.map(|at| moment(at as f64, 1000.0)).unwrap_or_default();
        let words = [
            ("family", family.name.as_str()),
            ("written", &figures[0]),
            ("cells", &figures[1]),
            ("left", &figures[2]),
            ("time", &time),
        ];
        let code = if left.at.is_some() { "cli.size-left" } else { "cli.size-left-in-order" };
        context.line(&harmless(&say(code, &words)));
    }
}

fn print_sizing(context: &mut CommandContext<'_>, found: &Sizing, months: u32) {
    heading(context, "cli.size-regions");
    let [size, regions, months] = [bytes(found.bytes as f64), count(found.suggested), months.to_string()];
    let words = [("size", size.as_str()), ("regions", &regions), ("months", &months)];
    context.line(&say("cli.size-suggested", &words));
    if !found.bearable {
        context.line(&say("cli.size-unbearable", &[]));
    }
    let mut table = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.size-rule", &[])),
        (ColumnAlign::Left, say("cli.size-answer", &[])),
        (ColumnAlign::Left, say("cli.size-source", &[])),
    ]);
    for rule in &found.rules {
        let answer = match rule.answer {
            RuleAnswer::Regions { least, most: Some(most) } if least <= 1 => {
                say("cli.size-most", &[("most", &count(most))])
            }
            RuleAnswer::Regions { least, most: Some(most) } => {
                format!("{} – {}", count(least), count(most))
            }
            RuleAnswer::Regions { least, most: None } => say("cli.size-least", &[("least", &count(least))]),
            RuleAnswer::NotCovered => say("cli.size-silent", &[]),
            RuleAnswer::Contradiction { regions, splits_at, .. } => {
                let size = bytes(splits_at as f64);
                say("cli.size-splits", &[("regions", &count(regions)), ("size", &size)])
            }
        };
        let source = say("cli.size-published", &[]);
        let source = if rule.source.is_empty() { source } else { rule.source.to_owned() };
        let name = RULES.iter().find(|(name, _)| *name == rule.name).map_or(rule.name, |(_, code)| *code);
        table.row(vec![say(name, &[]), answer, source]);
    }
    table.print(context);
}
