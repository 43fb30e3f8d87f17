//! `create`: a table as its command makes it.

use super::expression::Variables;
use super::families::ExistingFamily;
use super::ruby::{RubyValue, arguments, command};
use super::table::{ExistingRegion, ExistingTable, of_line};
use crate::base::{Problem, Problems};
use crate::bytes::row::{from_string_binary, to_bytes_binary, to_string_binary};
use crate::design::split::{SplitAlgorithm, Splits};
use std::collections::HashSet;

/// Signs at which a value is computed in a way that is not read.
const COMPUTES: [char; 7] = ['(', '.', '`', '*', '+', '%', '/'];
/// Letters shown of what is not read.
const SHOWN: usize = 40;

/// The command that a line begins with, behind a prompt if there is one.
pub(super) fn begins(line: &str) -> Option<&str> {
    let command = command(line).unwrap_or(line).trim_start();
    let rest = command.strip_prefix("create")?;
    rest.trim_start_matches([' ', '(']).starts_with(['\'', '"']).then_some(command)
}

/// The table that a whole command makes, which begins on a line. The problems say what HBase would do otherwise than its writer may
/// think.
pub(super) fn read(
    command: &str,
    line: u64,
    variables: &Variables,
    problems: &mut Problems,
) -> ExistingTable {
    let before = problems.len();
    let mut made = MadeTable {
        table: ExistingTable::default(),
        line,
        problems,
        known: HashSet::new(),
        regions: None,
        algorithm: None,
    };
    let text = command.trim_start().trim_start_matches("create").trim();
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    match arguments(text.trim_end_matches([';', ' ']), variables) {
        Ok(all) => all.into_iter().enumerate().for_each(|(at, value)| made.take(at, value)),
        Err(rest) => {
            let computed = rest.starts_with(COMPUTES) || rest.starts_with('"') && rest.contains("#{");
            made.object(if computed { "existing.create-computed" } else { "existing.create-cut" }, rest);
        }
    }
    if made.table.points.is_empty() && made.problems.len() == before {
        made.by_algorithm();
    }
    if made.table.points.is_empty() && made.problems.len() == before {
        // HBase makes one region of a table without splits.
        made.table.regions.push(ExistingRegion::default());
    }
    made.table
}

/// A table in the making.
struct MadeTable<'p> {
    table: ExistingTable,
    /// The line that the command begins on.
    line: u64,
    problems: &'p mut Problems,
    /// Its split points.
    known: HashSet<String>,
    /// `NUMREGIONS`.
    regions: Option<i64>,
    /// `SPLITALGO`.
    algorithm: Option<String>,
}

impl MadeTable<'_> {
    fn tell(&mut self, problem: Problem) {
        self.problems.push(of_line(problem, self.line));
    }

    fn object(&mut self, code: &'static str, found: impl ToString) {
        let mut shown = found.to_string();
        if let Some((end, _)) = shown.char_indices().nth(SHOWN) {
            shown.truncate(end);
            shown.push('…');
        }
        self.tell(Problem::new(code).with("found", shown));
    }

    /// Takes an argument by its place.
    fn take(&mut self, at: usize, value: RubyValue) {
        match value {
            RubyValue::Text { text, .. } if at == 0 => self.table.name = text,
            RubyValue::Text { text, .. } => self.table.families.push(ExistingFamily::named(text)),
            RubyValue::Hash(pairs) => {
                pairs.iter().for_each(|(name, value)| self.set(name, value));
                self.table.families.extend(ExistingFamily::of_pairs(&pairs));
            }
            RubyValue::Word(_) | RubyValue::List(_) => {}
        }
    }

    fn set(&mut self, name: &str, value: &RubyValue) {
        match (name, value) {
            ("SPLITS", RubyValue::List(keys)) => keys.iter().for_each(|key| self.split(key)),
            ("SPLITS", other) => self.object("existing.create-no-list", printed(other)),
            ("SPLITS_FILE", file) => self.object("existing.create-file", printed(file)),
            ("NUMREGIONS", RubyValue::Word(count)) => self.regions = count.parse().ok(),
            ("NUMREGIONS", other) => self.object("existing.create-regions", printed(other)),
            ("SPLITALGO", name) => self.algorithm = Some(printed(name)),
            _ => {}
        }
    }

    /// Takes a split key as `Bytes.toBytesBinary` makes it of the text that Ruby hands over.
    fn split(&mut self, key: &RubyValue) {
        let RubyValue::Text { text, written } = key else {
            return self.object("existing.create-no-text", printed(key));
        };
        let point = match to_bytes_binary(text) {
            Ok(bytes) if bytes.is_empty() => {
                return self.tell(Problem::new("existing.create-empty"));
            }
            Ok(bytes) => to_string_binary(&bytes),
            Err(problem) => return self.tell(problem),
        };
        if text.contains('\u{fffd}') {
            let problem = Problem::new("existing.create-quotes").with("found", written);
            self.tell(problem.with("point", &point));
        } else if let Err(problem) = from_string_binary(text) {
            self.tell(problem);
        }
        if !self.known.insert(point.clone()) {
            self.object("existing.create-twice", &point);
        }
        self.table.points.push(point);
    }

    /// The split keys of `NUMREGIONS` and `SPLITALGO`.
    fn by_algorithm(&mut self) {
        let (regions, name) = match (self.regions, self.algorithm.take()) {
            (None, None) => return,
            (Some(regions), Some(name)) if regions > 1 => (regions, name),
            (Some(regions), Some(_)) => return self.object("existing.create-regions", regions),
            _ => return self.tell(Problem::new("existing.create-both")),
        };
        let Some(algorithm) = SplitAlgorithm::named(&name) else {
            return self.object("existing.create-algorithm", name);
        };
        let splits = Splits::Algorithm { algorithm, regions, first: None, last: None };
        match splits.keys() {
            Ok(keys) => {
                self.table.points = (0..keys.len()).map(|at| to_string_binary(keys.get(at))).collect();
            }
            Err(problem) => self.tell(problem),
        }
    }
}

fn printed(value: &RubyValue) -> String {
    match value {
        RubyValue::Text { text, .. } | RubyValue::Word(text) => text.clone(),
        RubyValue::List(all) => format!("[{}]", all.iter().map(printed).collect::<Vec<_>>().join(", ")),
        RubyValue::Hash(_) => "{…}".to_owned(),
    }
}
