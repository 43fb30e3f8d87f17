//! `grow`: months of a table's life.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::figures::{bytes, count};
use super::json::lines;
use super::measured::MeasuredDocument;
use super::style::Ink;
use super::table::{ColumnAlign, PrintedTable};
use super::words::{said, say};
use crate::base::Problem;
use crate::base::figures::percent;
use crate::hbase::outlook::Outlook;
use crate::hbase::storage::repeats::RowsAhead;
use serde_json::json;

/// Days between the rows of the table.
const MONTH: usize = 30;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let measured = MeasuredDocument::read(context, asked)?;
    let table = measured.table()?;
    let growth = table.growth()?;
    if table.report.is_none() && table.design.splits.need_records() {
        return Err(Problem::new("cli.splits-need-records").into());
    }
    let found = table.outlook()?;
    match asked.has("json") {
        true => context.write(lines(&json!(found)).as_bytes()),
        false => print(context, &found, growth.months),
    }
    Ok(FINE)
}

/// Rows of the records to come, and what is assumed of them.
pub(super) fn print_rows(context: &mut CommandContext<'_>, ahead: &RowsAhead) {
    let [records, rows] = [ahead.records, ahead.rows].map(count);
    let [before, last] = ahead.shares.map(percent);
    let words = [
        ("records", records.as_str()),
        ("rows", &rows),
        ("before", before.as_str()),
        ("share", last.as_str()),
    ];
    context.line(&say("cli.grow-rows", &words));
    let code = if ahead.falling { "cli.grow-rows-fall" } else { "cli.grow-rows-stay" };
    context.line(&say(code, &words));
}

fn print(context: &mut CommandContext<'_>, found: &Outlook, months: u32) {
    if let Some(last) = found.days.last() {
        let splits = found.days.iter().fold(0, |sum: u64, day| sum.saturating_add(day.splits));
        let words = [
            ("months", months.to_string()),
            ("regions", count(last.regions)),
            ("empty", count(last.empty)),
            ("largest", bytes(last.largest as f64)),
            ("size", bytes(last.live.saturating_add(last.stale) as f64)),
            ("splits", count(splits)),
            ("perDay", bytes(found.bytes_per_day as f64)),
        ];
        let words: Vec<(&'static str, &str)> =
            words.iter().map(|(name, word)| (*name, word.as_str())).collect();
        context.line(&context.style.ink(Ink::Bold, &say("cli.grow-sentence", &words)));
        context.line(&say(if splits > 0 { "cli.grow-splits" } else { "cli.grow-no-splits" }, &words));
    }
    if found.before > 0 {
        context.line(&say("cli.grow-before", &[("days", &count(found.before.into()))]));
    }
    if let Some(ahead) = &found.ahead {
        print_rows(context, ahead);
    }
    if let Some(over) = found.days.iter().position(|day| day.over_live > 0) {
        context.line(&say("cli.grow-over", &[("day", &count(over as u64 + 1))]));
    }
    if let Some(stopped) = &found.stopped {
        context.line(&context.style.ink(Ink::Red, &said(stopped)));
    }
    context.line("");
    let codes = ["cli.grow-regions", "cli.grow-empty", "cli.grow-largest", "cli.grow-live", "cli.grow-stale"];
    let mut headings = vec![(ColumnAlign::Right, say("cli.grow-day", &[]))];
    headings.extend(codes.map(|code| (ColumnAlign::Right, say(code, &[]))));
    let mut table = PrintedTable::new(&headings);
    for (index, day) in found.days.iter().enumerate() {
        if (index + 1) % MONTH != 0 && index + 1 != found.days.len() {
            continue;
        }
        let sizes = [day.largest, day.live, day.stale].map(|size| bytes(size as f64));
        let [largest, live, stale] = sizes;
        table.row(vec![count(index as u64 + 1), count(day.regions), count(day.empty), largest, live, stale]);
    }
    table.print(context);
}
