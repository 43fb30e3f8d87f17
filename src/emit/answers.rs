//! Answers with the commands that they lead to, as JSON: migrations, and tables that are in use.

use super::{act_commands, alter_commands, reshape_commands};
use crate::analysis::report::{SaidProblem, said_all};
use crate::base::Problem;
use crate::compare::migrate::Migration;
use crate::design::Design;
use crate::design::split::SplitPoints;
use crate::hbase::existing::{ExistingTable, ExistingText, ReshapeStep, TableJudgement, judge, reshape};
use serde_json::{Value, json};

/// A migration from a table of this name: steps, clients and checks with their sentences, and the commands of HBase's shell.
pub fn migration_answer(table: &str, found: &Migration) -> Value {
    json!({
        "way": found.way,
        "moves": found.moves,
        "steps": said_all(&found.steps),
        "clients": said_all(&found.clients),
        "checks": said_all(&found.checks),
        "families": found.families,
        "reshape": found.reshape,
        "commands": alter_commands(table, &found.families, &found.reshape),
        "queries": found.queries,
    })
}

/// Tables that are in use, each with what its figures say and the way to the regions of a design.
pub struct TablesInUse {
    /// The tables, as the text shows them.
    pub text: ExistingText,
    /// For each of them, in their order.
    pub answers: Vec<TableInUse>,
}

/// The judgement of a table by its figures.
pub struct TableInUse {
    /// Where its requests or bytes go; `None` without figures.
    pub judgement: Option<TableJudgement>,
    /// Commands that even out its load.
    pub acts: String,
    /// Steps to the regions of the design, and their commands; `None` for a table that the design does not describe.
    pub reshape: Option<(Vec<ReshapeStep>, String)>,
}

impl TablesInUse {
    /// Judges the tables of a text. A design is that of the table of its name, or of the only one; it is a problem of the text if
    /// there is neither.
    ///
    /// # Errors
    /// The problems of a text without tables; split points that HBase would reject, or that follow from records.
    pub fn of(mut text: ExistingText, design: Option<&Design>) -> Result<Self, Vec<Problem>> {
        if text.tables.is_empty() {
            return Err(text.problems);
        }
        let wanted = design.map(|design| Ok((of_name(&mut text, &design.name), design.splits.points()?)));
        let wanted = wanted.transpose().map_err(|problem: Problem| vec![problem])?;
        let answer = |(place, table): (usize, &ExistingTable)| {
            let points = wanted.as_ref().filter(|(of, _)| *of == Some(place)).map(|(_, points)| points);
            TableInUse::of(table, points)
        };
        let answers = text.tables.iter().enumerate().map(answer).collect::<Result<_, Problem>>();
        Ok(Self { answers: answers.map_err(|problem| vec![problem])?, text })
    }

    /// As JSON: `forms`, `tables` and `problems`.
    pub fn json(&self) -> Value {
        let tables = self.text.tables.iter().zip(&self.answers).map(|(table, answer)| answer.json(table));
        json!({
            "forms": self.text.forms,
            "tables": tables.collect::<Vec<_>>(),
            "problems": said_all(&self.text.problems),
        })
    }
}

impl TableInUse {
    fn of(table: &ExistingTable, wanted: Option<&SplitPoints>) -> Result<Self, Problem> {
        let judgement = judge(table);
        let acts =
            judgement.as_ref().map(|judgement| act_commands(table, &judgement.acts)).unwrap_or_default();
        let reshape = match wanted {
            Some(wanted) => {
                let steps = reshape(&table.split_points()?, wanted);
                let commands = reshape_commands(&table.name, &steps, &table.regions);
                Some((steps, commands))
            }
            None => None,
        };
        Ok(Self { judgement, acts, reshape })
    }

    fn json(&self, table: &ExistingTable) -> Value {
        let mut table = json!(table);
        table["judgement"] = json!(self.judgement);
        if let Some(judgement) = &self.judgement {
            table["judgement"]["verdict"] = json!(SaidProblem::from(judgement.verdict.clone()));
            table["judgement"]["commands"] = json!(self.acts);
        }
        if let Some((steps, commands)) = &self.reshape {
            table["reshape"] = json!({ "steps": steps, "commands": commands });
        }
        table
    }
}

/// The table that a design describes: the one of its name, or the only one. It is a problem if there is none.
fn of_name(text: &mut ExistingText, name: &str) -> Option<usize> {
    let tables = &text.tables;
    let only = (tables.len() == 1).then_some(0);
    let place = tables.iter().position(|table| table.name == name).or(only);
    if place.is_none() && !tables.is_empty() {
        let known: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        let problem = Problem::new("existing.other-tables").with("table", name);
        text.problems.push(problem.with("known", known.join(", ")));
    }
    place
}
