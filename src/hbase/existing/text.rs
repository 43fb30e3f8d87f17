//! The text of a session of the shell, line by line.

use super::create;
use super::expression::Variables;
use super::families::ExistingFamily;
use super::meta::{MetaEntry, is_of_meta, told};
use super::regions::RegionColumns;
use super::ruby::{RubyCommand, command, is_prompt};
use super::table::{ExistingRegion, ExistingTable, ExistingText, of_line};
use crate::base::{Problem, Problems};
use crate::bytes::row::from_string_binary;
use crate::records::read::cells::{ShellCell, ShellCells, is_end};
use std::collections::{HashMap, HashSet};

/// Bytes of a family on several lines, beyond which it is none.
const LONGEST_FAMILY: usize = 1 << 16;

/// The command whose output the lines are.
enum SessionPart {
    Nothing,
    /// Rows of `list_regions`.
    Regions(RegionColumns),
    /// So many split keys to come, one a line.
    Splits(usize),
    /// Settings of families, and the beginning of one that a narrow terminal has broken.
    Families(String),
    /// Cells of a scan.
    Scan(ShellCells),
    /// A `create` command that goes on, and the line it begins on.
    Create(RubyCommand, u64),
    /// The table that one creates, unless it fails.
    Created(ExistingTable),
}

/// Reads line by line.
pub(super) struct SessionReader {
    within: SessionPart,
    /// The table that the command names.
    table: String,
    found: ExistingText,
    problems: Problems,
    /// Place of each table in what was found.
    places: HashMap<String, usize>,
    /// Regions of `hbase:meta` that are no more.
    gone: HashSet<String>,
    /// Variables that the session sets.
    variables: Variables,
}

impl SessionReader {
    pub fn new() -> Self {
        let found = ExistingText::default();
        Self {
            within: SessionPart::Nothing,
            table: String::new(),
            found,
            problems: Problems::new(),
            places: HashMap::new(),
            gone: HashSet::new(),
            variables: Variables::new(),
        }
    }

    /// Takes a line.
    pub fn line(&mut self, number: u64, line: &str) {
        if self.creates(number, line) || self.begins(line) {
            return;
        }
        let is_between = matches!(self.within, SessionPart::Nothing | SessionPart::Created(_));
        if is_between && self.variables.assign(command(line).unwrap_or(line)) {
            return;
        }
        if matches!(self.within, SessionPart::Nothing) && ShellCells::new().begins_at(line) {
            self.within = SessionPart::Scan(ShellCells::new());
        }
        let result = match &mut self.within {
            SessionPart::Nothing | SessionPart::Create(..) | SessionPart::Created(_) => Ok(()),
            SessionPart::Splits(left) => {
                *left -= 1;
                if *left == 0 {
                    self.within = SessionPart::Nothing;
                }
                self.split(line)
            }
            SessionPart::Regions(_) if line.trim().is_empty() => Ok(()),
            SessionPart::Regions(columns) => {
                let row = if columns.rule(line) { Ok(None) } else { columns.row(line).map(Some) };
                let ends = columns.tell_ends();
                row.map(|row| {
                    if let Some(row) = row {
                        let table = row.table().map(str::to_owned);
                        self.region(table, row.region, ends);
                    }
                })
            }
            SessionPart::Families(begun) => {
                begun.push_str(line.trim_start());
                if !begun.starts_with('{') || begun.len() > LONGEST_FAMILY {
                    begun.clear();
                }
                self.family();
                Ok(())
            }
            SessionPart::Scan(cells) => match cells.line(number, line) {
                Some(cell) => return self.cell(&cell),
                None => Ok(()),
            },
        };
        if let Err(problem) = result {
            self.problems.push(of_line(problem, number));
        }
    }

    /// True if the line is part of a `create` command.
    fn creates(&mut self, number: u64, line: &str) -> bool {
        if matches!(self.within, SessionPart::Splits(_)) {
            return false;
        }
        let begins = create::begins(line);
        if begins.is_some() || command(line).is_some() {
            self.end();
        }
        let (mut begun, at, text) = match (std::mem::replace(&mut self.within, SessionPart::Nothing), begins)
        {
            (_, Some(text)) => (RubyCommand::default(), number, text),
            // `hbase:001:1* ` stands before what goes on.
            (SessionPart::Create(begun, at), None) => match line.split_once("* ") {
                Some((prompt, text)) if is_prompt(prompt) => (begun, at, text),
                _ => (begun, at, line),
            },
            (within, None) => {
                self.within = within;
                return false;
            }
        };
        begun.push(text);
        if begun.goes_on() {
            self.within = SessionPart::Create(begun, at);
        } else {
            self.create(&begun.text, at);
        }
        true
    }

    /// Reads a whole `create` command that begins on a line.
    fn create(&mut self, command: &str, line: u64) {
        let table = create::read(command, line, &self.variables, &mut self.problems);
        self.table.clone_from(&table.name);
        self.start(SessionPart::Created(table), "create");
    }

    /// True if the line begins or ends something.
    fn begins(&mut self, line: &str) -> bool {
        // Output that is printed verbatim may look like anything.
        if matches!(self.within, SessionPart::Splits(_)) {
            return false;
        }
        if let Some(command) = command(line) {
            self.end();
            self.table = quoted(command).unwrap_or_default().to_owned();
        } else if let Some(columns) = RegionColumns::read(line) {
            self.start(SessionPart::Regions(columns), "list_regions");
        } else if let Some(count) = line.strip_prefix("Total number of splits = ") {
            let regions: usize = count.trim().parse().unwrap_or(0);
            self.start(SessionPart::Splits(regions.saturating_sub(1)), "get_splits");
            if regions <= 1 {
                self.within = SessionPart::Nothing;
            }
            let table = self.table.clone();
            self.of(&table);
        } else if line.trim() == "COLUMN FAMILIES DESCRIPTION" {
            self.start(SessionPart::Families(String::new()), "describe");
        } else if let Some(cells) = ShellCells::below(line) {
            self.end();
            self.within = SessionPart::Scan(cells);
        } else if let Some(named) = line.strip_prefix("Table ").and_then(|rest| rest.split_once(" is ")) {
            self.end();
            self.table = named.0.to_owned();
        } else if is_end(line) {
            if matches!(self.within, SessionPart::Created(_)) && line.starts_with("ERROR: ") {
                self.within = SessionPart::Nothing;
            }
            self.end();
        } else {
            return false;
        }
        true
    }

    fn start(&mut self, within: SessionPart, form: &'static str) {
        self.end();
        self.within = within;
        self.is_of(form);
    }

    fn is_of(&mut self, form: &'static str) {
        if !self.found.forms.contains(&form) {
            self.found.forms.push(form);
        }
    }

    /// Ends what the lines were part of.
    fn end(&mut self) {
        match std::mem::replace(&mut self.within, SessionPart::Nothing) {
            SessionPart::Scan(mut cells) => {
                if let Some(cell) = cells.finish() {
                    self.cell(&cell);
                }
            }
            SessionPart::Create(begun, line) => {
                self.create(&begun.text, line);
                self.end();
            }
            SessionPart::Created(created) if !created.name.is_empty() => {
                let table = self.of(&created.name);
                table.points.extend(created.points);
                table.regions.extend(created.regions);
                table.families.extend(created.families);
            }
            _ => {}
        }
    }

    /// The table of this name.
    fn of(&mut self, name: &str) -> &mut ExistingTable {
        let tables = &mut self.found.tables;
        let place = self.places.get(name).copied().unwrap_or_else(|| {
            tables.push(ExistingTable { name: name.to_owned(), ..ExistingTable::default() });
            self.places.insert(name.to_owned(), tables.len() - 1);
            tables.len() - 1
        });
        &mut tables[place]
    }

    fn split(&mut self, line: &str) -> Result<(), Problem> {
        if from_string_binary(line)?.is_empty() {
            return Err(Problem::new("existing.empty-line"));
        }
        let table = self.table.clone();
        self.of(&table).points.push(line.to_owned());
        Ok(())
    }

    fn region(&mut self, table: Option<String>, region: ExistingRegion, ends: bool) {
        let table = self.of(&table.unwrap_or_else(|| self.table.clone()));
        if !ends {
            // Where one begins, the one before ends.
            if !region.start.is_empty() {
                table.points.push(region.start);
            }
            return;
        }
        table.regions.push(region);
    }

    fn family(&mut self) {
        let SessionPart::Families(begun) = &mut self.within else { return };
        if !begun.trim_end().ends_with('}') {
            return;
        }
        let text = std::mem::take(begun);
        let table = self.table.clone();
        if let Some(family) = ExistingFamily::read(&text) {
            self.of(&table).families.push(family);
        }
    }

    fn cell(&mut self, cell: &ShellCell) {
        let meta = is_of_meta(cell) || self.table == "hbase:meta";
        self.is_of(if meta { "meta" } else { "scan" });
        if !meta {
            let table = self.table.clone();
            let keys = &mut self.of(&table).keys;
            // Cells of a row follow each other.
            if keys.last() != Some(&cell.row) {
                keys.push(cell.row.clone());
            }
            return;
        }
        match told(cell) {
            Ok(None) => {}
            Ok(Some((_, encoded, MetaEntry::Gone))) => drop(self.gone.insert(encoded)),
            Ok(Some((table, encoded, MetaEntry::Server(server)))) => {
                let regions = &mut self.of(&table).regions;
                // Cells of a row follow each other.
                let last = regions.last_mut();
                if let Some(region) = last.filter(|region| region.encoded.as_ref() == Some(&encoded)) {
                    region.server = Some(server);
                }
            }
            Ok(Some((table, _, MetaEntry::Region(region)))) => self.region(Some(table), region, true),
            Err(problem) => self.problems.push(of_line(problem, cell.line)),
        }
    }

    /// All that was read, and what could not be.
    pub fn finish(mut self) -> (ExistingText, Problems) {
        if let SessionPart::Splits(left) = self.within {
            self.problems.push(Problem::new("existing.splits-cut").with("missing", left));
        }
        self.end();
        for table in &mut self.found.tables {
            let gone = |region: &ExistingRegion| {
                region.encoded.as_ref().is_some_and(|encoded| self.gone.contains(encoded))
            };
            table.regions.retain(|region| !gone(region));
            // Later text says more: a `create` command says less than a description.
            let mut known = HashSet::new();
            table.families.reverse();
            table.families.retain(|family| known.insert(family.name.clone()));
            table.families.reverse();
        }
        (self.found, self.problems)
    }
}

/// The first text of a command.
fn quoted(command: &str) -> Option<&str> {
    let from = command.find(['\'', '"'])?;
    let rest = command.get(from + 1..)?;
    rest.split(['\'', '"']).next()
}
