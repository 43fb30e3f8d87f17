//! `table`: a table that is in use, read from what HBase's shell prints, and the way from there to a design.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, FOUND, Failure};
use super::document::DesignDocument;
use super::figures::{bytes, count, percent};
use super::input;
use super::json::lines;
use super::migrate::heading;
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::{described, said, say};
use crate::base::Problem;
use crate::base::limits::SHELL_BYTES;
use crate::base::units::MB;
use crate::emit::{TableInUse, TablesInUse};
use crate::hbase::existing::{ExistingTable, TableJudgement, check, of_sql, read};
use crate::hbase::phoenix::is_sql;

/// Regions that are listed.
const LISTED: usize = 64;

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let file = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-text"))?;
    let text = input::text(context, file, &SHELL_BYTES)?;
    check(&text)?;
    let name = input::name_of(file);
    let found = if is_sql(&text) { of_sql(&text) } else { read(&text, None) };
    if found.tables.is_empty() {
        return Err(Failure::from(found.problems).in_file(&name));
    }
    let design = match asked.words.get(2) {
        Some(path) => Some(DesignDocument::read(context, path, asked)?),
        None => None,
    };
    let design = design.as_ref().map(DesignDocument::design).transpose()?;
    if design.is_some_and(|design| design.splits.need_records()) {
        return Err(Problem::new("cli.splits-need-records").into());
    }
    let found = TablesInUse::of(found, design).map_err(|problems| Failure::from(problems).in_file(&name))?;
    match asked.has("json") {
        true => context.write(lines(&found.json()).as_bytes()),
        false => {
            for (table, answer) in found.text.tables.iter().zip(&found.answers) {
                print(context, table, answer);
            }
            for problem in &found.text.problems {
                context.line(&harmless(&described(problem, Some(&name), None)));
            }
        }
    }
    Ok(if found.text.problems.is_empty() { FINE } else { FOUND })
}

fn print(context: &mut CommandContext<'_>, table: &ExistingTable, answer: &TableInUse) {
    let name = if table.name.is_empty() { say("cli.table-unnamed", &[]) } else { harmless(&table.name) };
    let [regions, keys] = [table.regions.len(), table.keys.len()].map(|number| count(number as u64));
    let size: Option<f64> = table.regions.iter().map(|region| region.megabytes).sum();
    let size = size.map(|size| bytes(size * MB as f64)).filter(|_| !table.regions.is_empty());
    let code = match &size {
        Some(_) => "cli.table-sized",
        // Row keys alone show no regions.
        None if table.regions.is_empty() && !table.keys.is_empty() => "cli.table-keys",
        None => "cli.table-of",
    };
    let size = size.unwrap_or_default();
    context.line(&context.style.ink(
        Ink::Bold,
        &say(code, &[("name", &name), ("regions", &regions), ("size", &size), ("keys", &keys)]),
    ));
    if let Some(judgement) = &answer.judgement {
        let ink = if judgement.hot { Ink::Red } else { Ink::Green };
        context.line(&context.style.ink(ink, &harmless(&said(&judgement.verdict))));
        if judgement.servers.len() > 1 {
            servers(context, judgement);
        }
    }
    if table.regions.iter().any(|region| region.requests.is_some() || region.megabytes.is_some()) {
        listed(context, table);
    }
    if !answer.acts.is_empty() {
        heading(context, "cli.table-acts");
        answer.acts.lines().for_each(|line| context.line(&harmless(line)));
    }
    match &answer.reshape {
        Some((steps, _)) if steps.is_empty() => context.line(&say("cli.table-same", &[])),
        Some((_, commands)) => {
            heading(context, "cli.migrate-commands");
            commands.lines().for_each(|line| context.line(&harmless(line)));
        }
        None => {}
    }
}

fn servers(context: &mut CommandContext<'_>, judgement: &TableJudgement) {
    context.line("");
    let mut table = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say("cli.table-regions", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
    ]);
    for server in &judgement.servers {
        table.row(vec![server.server.clone(), count(server.regions as u64), percent(server.share)]);
    }
    table.print(context);
}

fn listed(context: &mut CommandContext<'_>, table: &ExistingTable) {
    context.line("");
    let mut printed = PrintedTable::new(&[
        (ColumnAlign::Right, say("cli.table-region", &[])),
        (ColumnAlign::Left, say("cli.table-start", &[])),
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say("cli.table-size", &[])),
        (ColumnAlign::Right, say("cli.table-requests", &[])),
    ]);
    for (index, region) in table.regions.iter().enumerate().take(LISTED) {
        let none = || "–".to_owned();
        printed.row(vec![
            count(index as u64),
            region.start.clone(),
            region.server.clone().unwrap_or_else(none),
            region.megabytes.map_or_else(none, |size| bytes(size * MB as f64)),
            region.requests.map_or_else(none, |requests| count(requests as u64)),
        ]);
    }
    printed.print(context);
    if table.regions.len() > LISTED {
        let more = count((table.regions.len() - LISTED) as u64);
        context.line(&say("cli.table-more", &[("count", &more)]));
    }
}
