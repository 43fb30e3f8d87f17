//! Design documents and the table of them that is meant.

use super::args::CommandArgs;
use super::context::{CommandContext, Failure};
use super::input::{name_of, text_of};
use super::locate::{JsonPlace, locate, plain_text};
use super::source::ByteSource;
use super::summary::{is_summary, opened};
use super::words::say;
use crate::analysis::summary_file::SummaryFile;
use crate::base::Problem;
use crate::base::limits::DOCUMENT_BYTES;
use crate::design::{self, Design, Document};
use std::rc::Rc;

/// A design document.
#[derive(Clone)]
pub struct DesignDocument {
    /// Its path as given.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The design in it.
    pub study: Document,
    /// Number of the table that is meant.
    pub table: usize,
    /// The summary that the design is of.
    pub summary: Option<Rc<SummaryFile>>,
}

impl DesignDocument {
    /// Reads a document; `file.json#table` means that table of it, as `--table` does.
    ///
    /// # Errors
    /// A file that can't be read; everything that is wrong with the document, with line and column.
    pub fn read(context: &mut CommandContext<'_>, given: &str, asked: &CommandArgs) -> Result<Self, Failure> {
        let (path, table) = match given.split_once(".json#") {
            Some((path, table)) => (format!("{path}.json"), Some(table)),
            None => (given.to_owned(), asked.get("table")),
        };
        let name = name_of(&path);
        let mut source = ByteSource::open(context, &path)?;
        if is_summary(context, &mut source) {
            let summary = opened(context, source)?;
            let (text, study) = (summary.document().to_owned(), summary.study().clone());
            let table = table_of(&study, table, &name)?;
            return Ok(Self { path, text, study, table, summary: Some(Rc::new(summary)) });
        }
        let text = text_of(context, source, &DOCUMENT_BYTES)?;
        if !text.trim_start().starts_with('{') {
            return Err(Failure::from(Problem::new("cli.not-a-design")).in_file(&name));
        }
        let study = design::parse(&text).map_err(|problems| wrong(problems, &text, &name))?;
        let table = table_of(&study, table, &name)?;
        Ok(Self { path, text, study, table, summary: None })
    }

    /// The document that the command is about: the first word behind its name.
    ///
    /// # Errors
    /// No such word; see [`DesignDocument::read`].
    pub fn asked(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<Self, Failure> {
        let given = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-design"))?;
        Self::read(context, given, asked)
    }

    /// The tables that a command without `--table` is about: those that hold the same records side by side, else the first.
    pub fn tables(&self, asked: &CommandArgs) -> Vec<usize> {
        let names_one = asked.get("table").is_some()
            || asked.get("kind").is_some()
            || asked.words.get(1).is_some_and(|given| given.contains(".json#"));
        match self.study.side_by_side() {
            all if !names_one && !all.is_empty() => all,
            _ => vec![self.table],
        }
    }

    /// The first of these tables; the others are named on standard error.
    pub fn only_first(&self, context: &mut CommandContext<'_>, tables: &mut Vec<usize>) {
        let names: Vec<&str> = tables.iter().skip(1).map(|&table| self.table_name(table)).collect();
        if let Some(first) = tables.first().filter(|_| !names.is_empty()) {
            let words = [("table", self.table_name(*first)), ("others", &names.join(", "))];
            context.note(&say("cli.other-tables", &words));
        }
        tables.truncate(1);
    }

    /// The document as records of the kind of this name see it; as it is without a name.
    ///
    /// # Errors
    /// `design.no-such-kind`.
    pub fn of_kind(self, name: Option<&str>) -> Result<Self, Problem> {
        let Some(name) = name else { return Ok(self) };
        Ok(Self { study: self.study.of_kind_named(self.table, name)?, table: 0, ..self })
    }

    /// The table.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn design(&self) -> Result<&Design, Problem> {
        self.study.table(self.table)
    }

    /// True if it brings records without a file of them: it describes them, or is a summary of them.
    pub fn has_records(&self) -> bool {
        self.study.generate.is_some() || self.summary.is_some()
    }

    /// Name of the table, or of the document where it has only one without a name.
    pub fn title(&self) -> String {
        let table = self.study.tables.get(self.table).map(|table| table.name.clone()).unwrap_or_default();
        match &self.study.name {
            Some(name) if self.study.tables.len() == 1 => name.clone(),
            _ => table,
        }
    }

    /// Where the row keys of these tables stand in the text.
    pub fn rowkeys(&self, tables: &[usize]) -> Vec<Option<RowkeyPlace>> {
        let paths: Vec<String> = tables.iter().map(|table| format!("tables[{table}].rowkey")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).chain(["rowkey"]).collect();
        let mut places = locate(&self.text, &paths);
        let short = places.pop().flatten();
        let of = |(table, place): (&usize, Option<JsonPlace>)| {
            let place = place.or(short)?;
            let design = self.study.tables.get(*table);
            let as_written = plain_text(&self.text, place) == design.map(|design| design.rowkey.as_str());
            Some(RowkeyPlace { line: place.line, column: place.column, as_written })
        };
        tables.iter().zip(places).map(of).collect()
    }

    /// Name of a table of it.
    pub fn table_name(&self, table: usize) -> &str {
        self.study.tables.get(table).map(|table| table.name.as_str()).unwrap_or_default()
    }
}

/// The number of the table of this name, the first without one.
fn table_of(study: &Document, table: Option<&str>, name: &str) -> Result<usize, Failure> {
    let number = table.map_or(Ok(0), |table| study.table_number(table));
    number.map_err(|problem| Failure::from(problem).in_file(name))
}

/// Where a row key stands in the text of a document.
#[derive(Clone, Copy, Debug)]
pub struct RowkeyPlace {
    line: usize,
    column: usize,
    /// True if the formula stands in the text as it is.
    as_written: bool,
}

impl RowkeyPlace {
    /// Line and column, and the column behind, of columns of the formula where those can be told.
    pub fn of(self, columns: Option<(usize, usize)>) -> (usize, usize, Option<usize>) {
        match columns.filter(|_| self.as_written) {
            Some((from, to)) => (self.line, self.column + from, Some(self.column + to)),
            None => (self.line, self.column, None),
        }
    }
}

/// Problems of a document, each with its place.
fn wrong(problems: Vec<Problem>, text: &str, name: &str) -> Failure {
    let paths: Vec<&str> = problems.iter().map(|problem| problem.place.path.as_str()).collect();
    let places = locate(text, &paths);
    let placed = |(problem, place): (Problem, Option<JsonPlace>)| {
        let number = |name: &str| problem.args.get(name).and_then(|number| number.parse().ok());
        let at = match (problem.code, number("line"), number("column")) {
            ("json.invalid", Some(line), Some(column)) => Some((line, column)),
            _ => place.filter(|_| !problem.place.path.is_empty()).map(|place| (place.line, place.column)),
        };
        (problem, at)
    };
    let problems = problems.into_iter().zip(places).map(placed).collect();
    Failure { problems, ..Failure::from(Vec::new()).in_file(name) }
}
