//! `migrate`: from a design to another, step by step.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::figures::count;
use super::json::lines;
use super::lint::paragraph;
use super::loaded::held;
use super::style::{Ink, harmless};
use super::table::{ColumnAlign, PrintedTable};
use super::words::{said, say};
use crate::base::Problem;
use crate::compare::Candidate;
use crate::compare::migrate::{Migration, MigrationWay, migration};
use crate::emit::{alter_commands, migration_answer};

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let [from, to] = match asked.words.get(1..).unwrap_or_default() {
        [from, to, ..] => {
            [DesignDocument::read(context, from, asked)?, DesignDocument::read(context, to, asked)?]
        }
        _ => return Err(Problem::new("cli.two-designs").into()),
    };
    let files: Vec<&str> = asked.words.iter().skip(3).map(String::as_str).chain(asked.all("data")).collect();
    let records = match files.is_empty() && !from.has_records() {
        true => None,
        // The keys of both are held together.
        false => {
            context.memory /= 2;
            let held = held(context, &from, &files)?;
            held.evidence.check_samples()?;
            Some(held.evidence.records)
        }
    };
    let ends = [&from, &to].map(|document| Candidate { study: &document.study, table: document.table });
    let found = migration(ends[0], ends[1], records.as_deref())?;
    let table = &from.design()?.name;
    match asked.has("json") {
        true => context.write(lines(&migration_answer(table, &found)).as_bytes()),
        false => print(context, &found, &alter_commands(table, &found.families, &found.reshape)),
    }
    Ok(FINE)
}

fn print(context: &mut CommandContext<'_>, found: &Migration, commands: &str) {
    let way = match found.way {
        MigrationWay::Nothing => "cli.migrate-nothing",
        MigrationWay::Alter => "cli.migrate-alter",
        MigrationWay::Reshape => "cli.migrate-reshape",
        MigrationWay::InPlace => "cli.migrate-in-place",
        MigrationWay::NewTable => "cli.migrate-new-table",
    };
    context.line(&context.style.ink(Ink::Bold, &say(way, &[])));
    if let Some(moves) = &found.moves {
        let [rows, rewritten, moved] = [moves.rows, moves.rewritten, moves.moved].map(count);
        let words = [("rows", rows.as_str()), ("rewritten", &rewritten), ("moved", &moved)];
        context.line(&say("cli.migrate-moves", &words));
    }
    let lists = [
        ("cli.migrate-steps", &found.steps, true),
        ("cli.migrate-clients", &found.clients, false),
        ("cli.migrate-checks", &found.checks, false),
    ];
    for (title, list, in_order) in lists.into_iter().filter(|(_, list, _)| !list.is_empty()) {
        heading(context, title);
        for (number, problem) in (1..).zip(list) {
            let lead = if in_order { format!("{number:2}. ") } else { "  - ".to_owned() };
            paragraph(context, &lead, &harmless(&capital(&said(problem))));
        }
    }
    if !found.queries.is_empty() {
        heading(context, "cli.migrate-queries");
        let column = |code| (ColumnAlign::Right, say(code, &[]));
        let mut table = PrintedTable::new(&[
            (ColumnAlign::Left, say("cli.migrate-query", &[])),
            column("cli.migrate-before"),
            column("cli.migrate-meanwhile"),
            column("cli.migrate-after"),
        ]);
        for query in &found.queries {
            let figures = [query.before, query.meanwhile, query.after].map(|scans| count(scans as u64));
            table.row(std::iter::once(query.name.clone()).chain(figures).collect());
        }
        table.print(context);
    }
    if !commands.is_empty() {
        heading(context, "cli.migrate-commands");
        commands.lines().for_each(|line| context.line(&harmless(line)));
    }
}

/// A line of a list begins as a sentence does.
fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

/// A line above a list.
pub fn heading(context: &mut CommandContext<'_>, code: &str) {
    context.line("");
    context.line(&context.style.ink(Ink::Bold, &say(code, &[])));
}
