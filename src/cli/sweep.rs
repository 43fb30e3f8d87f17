//! `sweep`: a design with one of its numbers varied.

use super::args::CommandArgs;
use super::compare::{figure, mark};
use super::context::{CommandContext, FINE, Failure};
use super::document::DesignDocument;
use super::figures::count;
use super::json::lines;
use super::loaded::held;
use super::style::harmless;
use super::table::{ColumnAlign, PrintedTable};
use super::words::{said, say};
use crate::base::Problem;
use crate::compare::{Candidate, MeasureLine, ParameterSetting, Sweep, VariedParameter, parameters, sweep};
use serde_json::{Value, json};

/// Runs the command.
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let document = DesignDocument::asked(context, asked)?;
    let known = parameters(document.design()?)?;
    let Some(wanted) = asked.get("vary") else {
        listed(context, asked, &known);
        return Ok(FINE);
    };
    let request = request(wanted, asked.get("values"), &known)?;
    let files: Vec<&str> = asked.words.iter().skip(2).map(String::as_str).chain(asked.all("data")).collect();
    let held = held(context, &document, &files)?;
    let candidate = Candidate { study: &document.study, table: document.table };
    held.evidence.check_samples()?;
    let found = sweep(&held.evidence.records, candidate, &crate::base::json::text(&request))?;
    match asked.has("json") {
        true => context.write(lines(&json!(found)).as_bytes()),
        false => print(context, &found),
    }
    Ok(FINE)
}

/// Lists the parameters, where nobody says which.
fn listed(context: &mut CommandContext<'_>, asked: &CommandArgs, known: &[VariedParameter]) {
    if asked.has("json") {
        context.write(lines(&json!(known)).as_bytes());
        return;
    }
    context.line(&say("cli.sweep-known", &[]));
    for parameter in known {
        let value = parameter.value.map_or_else(String::new, |value| value.to_string());
        let name = name_of(parameter);
        let words = [("name", name.as_str()), ("text", &harmless(&parameter.text)), ("value", &value)];
        let code = if parameter.value.is_some() { "cli.sweep-number" } else { "cli.sweep-order" };
        context.line(&format!("  {}", say(code, &words)));
    }
}

/// The word for a parameter behind `--vary`: `regions`, `order` or the place of a number.
fn name_of(parameter: &VariedParameter) -> String {
    parameter.number.map_or_else(|| parameter.parameter.to_owned(), |number| number.to_string())
}

/// A request to vary the wanted parameter.
fn request(wanted: &str, values: Option<&str>, known: &[VariedParameter]) -> Result<Value, Problem> {
    let parameter = known.iter().find(|parameter| name_of(parameter) == wanted).ok_or_else(|| {
        let all: Vec<String> = known.iter().map(name_of).collect();
        Problem::new("cli.sweep-unknown").with("found", wanted).with("known", all.join(", "))
    })?;
    let mut request = json!({ "parameter": parameter.parameter });
    if let Some(number) = parameter.number {
        request["number"] = number.into();
    }
    if let Some(values) = values {
        let number = |text: &str| {
            let number = text.trim().parse::<i64>();
            number.map_err(|_| Problem::new("cli.sweep-values").with("found", text.trim()))
        };
        let list: Vec<i64> = values.split(',').map(number).collect::<Result<_, _>>()?;
        request["values"] = list.into();
    }
    Ok(request)
}

fn print(context: &mut CommandContext<'_>, found: &Sweep) {
    context.line(&say("cli.sweep-of", &[("text", &harmless(&found.parameter.text))]));
    if found.estimated {
        context.line(&say("cli.compared-sample", &[("sample", &count(found.sampled))]));
    }
    let tables = std::iter::once((None, &found.lines))
        .chain(found.queries.iter().map(|of| (Some(&of.name), &of.lines)));
    for (query, lines) in tables {
        context.line("");
        if let Some(query) = query {
            context.line(&say("cli.of-query", &[("query", &harmless(query))]));
        }
        table(context, found, lines);
    }
    for (variant, problem) in
        found.variants.iter().filter_map(|variant| variant.problem.as_ref().map(|problem| (variant, problem)))
    {
        let words = [("setting", setting(&variant.setting)), ("problem", problem.message.clone())];
        let words: Vec<(&'static str, &str)> =
            words.iter().map(|(name, word)| (*name, word.as_str())).collect();
        context.line(&harmless(&say("cli.sweep-problem", &words)));
    }
}

/// A row for each variant, a column for each figure that differs between them.
fn table(context: &mut CommandContext<'_>, found: &Sweep, lines: &[MeasureLine]) {
    let differs = |line: &&MeasureLine| line.values.windows(2).any(|pair| matches!(pair, [a, b] if a != b));
    let shown: Vec<&MeasureLine> = lines.iter().filter(differs).collect();
    if shown.is_empty() {
        context.line(&said(&Problem::new("cli.sweep-alike")));
        return;
    }
    // The names of figures are too long for headings.
    let letters = || ('a'..='z').map(String::from);
    for (letter, line) in letters().zip(&shown) {
        context.line(&format!("  {letter}  {}", say(line.code, &[])));
    }
    let mut headings = vec![(ColumnAlign::Right, say("cli.sweep-setting", &[]))];
    headings.extend(letters().take(shown.len()).map(|letter| (ColumnAlign::Right, letter + "  ")));
    let mut table = PrintedTable::new(&headings);
    for (index, variant) in found.variants.iter().enumerate() {
        if variant.problem.is_some() {
            continue;
        }
        let cells = shown.iter().map(|line| {
            let value = line.values.get(index).copied().flatten();
            let value = value.map_or_else(|| "–".to_owned(), |value| figure(value, line.unit));
            value + line.changes.get(index).map_or("  ", mark)
        });
        table.row(std::iter::once(setting(&variant.setting)).chain(cells).collect());
    }
    table.print(context);
}

fn setting(of: &Option<ParameterSetting>) -> String {
    match of {
        None => say("cli.sweep-now", &[]),
        Some(ParameterSetting::Number(number)) => number.to_string(),
        Some(ParameterSetting::Order(order)) => {
            order.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        }
    }
}
