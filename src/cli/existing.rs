//! `table`: a table that is in use, read from what HBase's shell prints, and the way from there to a design.

use super::args::CommandArgs;
use super::document::DesignDocument;
use super::figures::{bytes, count, percent};
use super::input;
use super::json::{lines, said_all};
use super::migrate::heading;
use super::shell::{FINE, FOUND, Failure, Shell};
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::{described, said, say};
use crate::analysis::report::SaidProblem;
use crate::base::Problem;
use crate::base::limits::SHELL_BYTES;
use crate::base::units::MB;
use crate::design::split::SplitPoints;
use crate::emit::{act_commands, reshape_commands};
use crate::hbase::existing::{
    ExistingTable, ExistingText, ReshapeStep, TableJudgement, check, judge, read, reshape,
};
use serde_json::{Value, json};

/// Regions that are listed.
const LISTED: usize = 64;

/// A table of the text with all that follows.
struct ReadTable<'a> {
    table: &'a ExistingTable,
    judgement: Option<TableJudgement>,
    /// Commands that even out its load.
    acts: String,
    /// Steps to the regions of the design, and their commands; `None` without a design.
    reshape: Option<(Vec<ReshapeStep>, String)>,
}

/// Runs the command.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let file = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-text"))?;
    let text = input::text(shell, file, &SHELL_BYTES)?;
    check(&text)?;
    let mut found = read(&text, None);
    if found.tables.is_empty() {
        return Err(Failure::from(found.problems).in_file(&input::name_of(file)));
    }
    let wanted = match asked.words.get(2) {
        Some(path) => {
            let document = DesignDocument::read(shell, path, asked)?;
            let design = document.design()?;
            if design.splits.need_records() {
                return Err(Problem::new("cli.splits-need-records").into());
            }
            Some((of_name(&mut found, &design.name), design.splits.points()?))
        }
        None => None,
    };
    let of_design =
        |place: usize| wanted.as_ref().filter(|(of, _)| *of == Some(place)).map(|(_, points)| points);
    let tables = found.tables.iter().enumerate();
    let tables: Vec<ReadTable<'_>> =
        tables.map(|(place, table)| judged(table, of_design(place))).collect::<Result<_, Problem>>()?;
    match asked.has("json") {
        true => shell.write(lines(&json(&found, &tables)).as_bytes()),
        false => {
            for table in &tables {
                print(shell, table);
            }
            let name = input::name_of(file);
            for problem in &found.problems {
                shell.line(&harmless(&described(problem, Some(&name), None)));
            }
        }
    }
    Ok(if found.problems.is_empty() { FINE } else { FOUND })
}

/// The table that a design is of: the one of its name, or the only one. It is a problem if there is none.
fn of_name(found: &mut ExistingText, name: &str) -> Option<usize> {
    let tables = &found.tables;
    let only = (tables.len() == 1).then_some(0);
    let place = tables.iter().position(|table| table.name == name).or(only);
    if place.is_none() && !tables.is_empty() {
        let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        let problem = Problem::new("existing.other-tables").with("table", name);
        found.problems.push(problem.with("known", known.join(", ")));
    }
    place
}

fn judged<'a>(table: &'a ExistingTable, wanted: Option<&SplitPoints>) -> Result<ReadTable<'a>, Problem> {
    let judgement = judge(table);
    let acts = judgement.as_ref().map(|judgement| act_commands(table, &judgement.acts)).unwrap_or_default();
    let reshape = match wanted {
        Some(wanted) => {
            let steps = reshape(&table.split_points()?, wanted);
            let commands = reshape_commands(&table.name, &steps, &table.regions);
            Some((steps, commands))
        }
        None => None,
    };
    Ok(ReadTable { table, judgement, acts, reshape })
}

fn json(found: &ExistingText, tables: &[ReadTable<'_>]) -> Value {
    let of = |read: &ReadTable<'_>| {
        let mut table = json!(read.table);
        table["judgement"] = json!(read.judgement);
        if let Some(judgement) = &read.judgement {
            table["judgement"]["verdict"] = json!(SaidProblem::from(judgement.verdict.clone()));
            table["judgement"]["commands"] = json!(read.acts);
        }
        if let Some((steps, commands)) = &read.reshape {
            table["reshape"] = json!({ "steps": steps, "commands": commands });
        }
        table
    };
    json!({
        "forms": found.forms,
        "tables": tables.iter().map(of).collect::<Vec<_>>(),
        "problems": said_all(&found.problems),
    })
}

fn print(shell: &mut Shell<'_>, read: &ReadTable<'_>) {
    let table = read.table;
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
    shell.line(&shell.style.ink(
        Ink::Bold,
        &say(code, &[("name", &name), ("regions", &regions), ("size", &size), ("keys", &keys)]),
    ));
    if let Some(judgement) = &read.judgement {
        let ink = if judgement.hot { Ink::Red } else { Ink::Green };
        shell.line(&shell.style.ink(ink, &harmless(&said(&judgement.verdict))));
        if judgement.servers.len() > 1 {
            servers(shell, judgement);
        }
    }
    if table.regions.iter().any(|region| region.requests.is_some() || region.megabytes.is_some()) {
        listed(shell, table);
    }
    if !read.acts.is_empty() {
        heading(shell, "cli.table-acts");
        read.acts.lines().for_each(|line| shell.line(&harmless(line)));
    }
    match &read.reshape {
        Some((steps, _)) if steps.is_empty() => shell.line(&say("cli.table-same", &[])),
        Some((_, commands)) => {
            heading(shell, "cli.migrate-commands");
            commands.lines().for_each(|line| shell.line(&harmless(line)));
        }
        None => {}
    }
}

fn servers(shell: &mut Shell<'_>, judgement: &TableJudgement) {
    shell.line("");
    let mut table = PrintedTable::new(&[
        (ColumnAlign::Left, say("cli.table-server", &[])),
        (ColumnAlign::Right, say("cli.table-regions", &[])),
        (ColumnAlign::Right, say("cli.table-share", &[])),
    ]);
    for server in &judgement.servers {
        table.row(vec![server.server.clone(), count(server.regions as u64), percent(server.share)]);
    }
    table.print(shell);
}

fn listed(shell: &mut Shell<'_>, table: &ExistingTable) {
    shell.line("");
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
    printed.print(shell);
    if table.regions.len() > LISTED {
        let more = count((table.regions.len() - LISTED) as u64);
        shell.line(&say("cli.table-more", &[("count", &more)]));
    }
}
