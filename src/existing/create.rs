//! `create`: a table as its command makes it.

use super::ExistingTable;
use super::families::ExistingFamily;
use super::ruby::{Value, arguments};
use crate::error::Problem;
use crate::row::{from_string_binary, to_bytes_binary, to_string_binary};
use crate::split::{Algorithm, Splits};

/// The command that a line begins with, behind a prompt if there is one.
pub(super) fn begins(line: &str) -> Option<&str> {
    let command = super::text::command(line).unwrap_or(line).trim_start();
    let rest = command.strip_prefix("create")?;
    rest.trim_start_matches([' ', '(']).starts_with(['\'', '"']).then_some(command)
}

/// The table that a whole command makes, and what HBase would do otherwise than its writer may think.
pub(super) fn read(command: &str) -> (ExistingTable, Vec<Problem>) {
    let mut table = ExistingTable::default();
    let mut problems = Vec::new();
    let text = command.trim_start().trim_start_matches("create").trim();
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let all = match arguments(text.trim_end_matches([';', ' '])) {
        Ok(all) => all,
        Err(rest) => {
            let found: String = rest.chars().take(40).collect();
            return (table, vec![Problem::new("existing.create-cut").with("found", found)]);
        }
    };
    let (mut regions, mut algorithm) = (None, None);
    for (at, value) in all.into_iter().enumerate() {
        match value {
            Value::Text { text, .. } if at == 0 => table.name = text,
            Value::Text { text, .. } => table.families.push(ExistingFamily::named(text)),
            Value::Hash(pairs) => {
                for (name, value) in &pairs {
                    match (name.as_str(), value) {
                        ("SPLITS", Value::List(keys)) => points(keys, &mut table, &mut problems),
                        ("SPLITS", other) => problems
                            .push(Problem::new("existing.create-no-list").with("found", printed(other))),
                        ("SPLITS_FILE", file) => {
                            problems.push(Problem::new("existing.create-file").with("found", printed(file)))
                        }
                        ("NUMREGIONS", Value::Word(count)) => regions = count.parse::<i64>().ok(),
                        ("NUMREGIONS", other) => problems
                            .push(Problem::new("existing.create-regions").with("found", printed(other))),
                        ("SPLITALGO", name) => algorithm = Some(printed(name)),
                        _ => {}
                    }
                }
                table.families.extend(ExistingFamily::of_pairs(&pairs));
            }
            Value::Word(_) | Value::List(_) => {}
        }
    }
    if table.points.is_empty() && problems.is_empty() {
        by_algorithm(regions, algorithm, &mut table, &mut problems);
    }
    (table, problems)
}

fn printed(value: &Value) -> String {
    match value {
        Value::Text { text, .. } | Value::Word(text) => text.clone(),
        Value::List(all) => format!("[{}]", all.iter().map(printed).collect::<Vec<_>>().join(", ")),
        Value::Hash(_) => "{…}".to_owned(),
    }
}

/// The split keys of `SPLITS`, as `Bytes.toBytesBinary` makes them of the texts that Ruby hands over.
fn points(keys: &[Value], table: &mut ExistingTable, problems: &mut Vec<Problem>) {
    for key in keys {
        let Value::Text { text, written } = key else {
            problems.push(Problem::new("existing.create-no-text").with("found", printed(key)));
            continue;
        };
        let bytes = match to_bytes_binary(text) {
            Ok(bytes) => bytes,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        if bytes.is_empty() {
            problems.push(Problem::new("existing.create-empty"));
            continue;
        }
        let point = to_string_binary(&bytes);
        if text.contains('\u{fffd}') {
            problems
                .push(Problem::new("existing.create-quotes").with("found", written).with("point", &point));
        } else if let Err(problem) = from_string_binary(text) {
            problems.push(problem);
        }
        if table.points.contains(&point) {
            problems.push(Problem::new("existing.create-twice").with("found", &point));
        }
        table.points.push(point);
    }
}

/// The split keys of `NUMREGIONS` and `SPLITALGO`.
fn by_algorithm(
    regions: Option<i64>,
    name: Option<String>,
    table: &mut ExistingTable,
    problems: &mut Vec<Problem>,
) {
    let (regions, name) = match (regions, name) {
        (None, None) => return,
        (Some(regions), Some(name)) if regions > 1 => (regions, name),
        (Some(regions), Some(_)) => {
            return problems.push(Problem::new("existing.create-regions").with("found", regions));
        }
        _ => return problems.push(Problem::new("existing.create-both")),
    };
    let Some(algorithm) = Algorithm::named(&name) else {
        return problems.push(Problem::new("existing.create-algorithm").with("found", name));
    };
    let splits = Splits::Algorithm { algorithm, regions, first: None, last: None };
    match splits.keys() {
        Ok(keys) => table.points = (0..keys.len()).map(|at| to_string_binary(keys.get(at))).collect(),
        Err(problem) => problems.push(problem),
    }
}
