//! Design documents and the table of them that is meant.

use super::args::CommandArgs;
use super::input::{name_of, text};
use super::locate::{locate, plain_text};
use super::shell::{Failure, Shell};
use crate::base::Problem;
use crate::design::{self, Design, Study};

/// A design document.
pub struct DesignDocument {
    /// Its path as given.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The design in it.
    pub study: Study,
    /// Number of the table that is meant.
    pub table: usize,
}

impl DesignDocument {
    /// Reads a document; `file.json#table` means that table of it, as `--table` does.
    ///
    /// # Errors
    /// A file that can't be read; everything that is wrong with the document, with line and column.
    pub fn read(shell: &mut Shell<'_>, given: &str, asked: &CommandArgs) -> Result<Self, Failure> {
        let (path, table) = match given.split_once(".json#") {
            Some((path, table)) => (format!("{path}.json"), Some(table)),
            None => (given.to_owned(), asked.get("table")),
        };
        let text = text(shell, &path)?;
        let name = name_of(&path);
        if !text.trim_start().starts_with('{') {
            return Err(Failure::from(Problem::new("cli.not-a-design")).in_file(&name));
        }
        let study = design::parse(&text).map_err(|problems| wrong(problems, &text, &name))?;
        let number = table.map_or(Ok(0), |table| study.table_number(table));
        let table = number.map_err(|problem| Failure::from(problem).in_file(&name))?;
        Ok(Self { path, text, study, table })
    }

    /// The document that the command is about: the first word behind its name.
    ///
    /// # Errors
    /// No such word; see [`DesignDocument::read`].
    pub fn asked(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<Self, Failure> {
        let given = asked.words.get(1).ok_or_else(|| Problem::new("cli.no-design"))?;
        Self::read(shell, given, asked)
    }

    /// The table.
    ///
    /// # Errors
    /// `design.no-such-table`.
    pub fn design(&self) -> Result<&Design, Problem> {
        let missing = || Problem::new("design.no-such-table").with("table", self.table);
        self.study.tables.get(self.table).ok_or_else(missing)
    }

    /// Name of the table, or of the document where it has only one without a name.
    pub fn title(&self) -> String {
        let table = self.study.tables.get(self.table).map(|table| table.name.clone()).unwrap_or_default();
        match &self.study.name {
            Some(name) if self.study.tables.len() == 1 => name.clone(),
            _ => table,
        }
    }

    /// Line and column of the row key in the text, and the column behind, of columns of the formula where those stand in
    /// the text as they are.
    pub fn rowkey_at(&self, columns: Option<(usize, usize)>) -> Option<(usize, usize, Option<usize>)> {
        let paths = [format!("tables[{}].rowkey", self.table), "rowkey".to_owned()];
        let path = paths.iter().find(|path| locate(&self.text, path).is_some())?;
        let (line, column) = locate(&self.text, path)?;
        let as_written =
            plain_text(&self.text, path) == self.design().ok().map(|design| design.rowkey.as_str());
        match columns.filter(|_| as_written) {
            Some((from, to)) => Some((line, column + from, Some(column + to))),
            None => Some((line, column, None)),
        }
    }
}

/// Problems of a document, each with its place.
fn wrong(problems: Vec<Problem>, text: &str, name: &str) -> Failure {
    let placed = |problem: Problem| {
        let number = |name: &str| problem.args.get(name).and_then(|number| number.parse().ok());
        let at = match (problem.code, number("line"), number("column")) {
            ("json.invalid", Some(line), Some(column)) => Some((line, column)),
            _ => locate(text, &problem.place.path).filter(|_| !problem.place.path.is_empty()),
        };
        (problem, at)
    };
    let problems = problems.into_iter().map(placed).collect();
    Failure { problems, ..Failure::from(Vec::new()).in_file(name) }
}
