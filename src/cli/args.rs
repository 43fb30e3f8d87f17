//! Arguments: one table of options for all commands, each of which takes some of them.

use super::context::Failure;
use crate::base::Problem;
use crate::base::nearest::nearest;
use lexopt::prelude::{Long, Short, Value};
use std::ffi::OsString;

/// An option: its name, its letter, and what its value stands for, if it takes one.
pub struct CommandOption {
    /// Name behind `--`.
    pub name: &'static str,
    /// Letter behind `-`.
    pub letter: Option<char>,
    /// Stands for the value in the help.
    pub value: Option<&'static str>,
}

const fn flag(name: &'static str) -> CommandOption {
    CommandOption { name, letter: None, value: None }
}

const fn with(name: &'static str, value: &'static str) -> CommandOption {
    CommandOption { name, letter: None, value: Some(value) }
}

/// All options there are.
pub const OPTIONS: &[CommandOption] = &[
    with("table", "NAME"),
    with("data", "FILE"),
    with("header", "yes|no"),
    with("encoding", "NAME"),
    with("query", "QUERY"),
    with("after", "KEY"),
    with("cost", "JSON"),
    with("algorithm", "NAME"),
    with("as", "NAME"),
    with("hbase", "VERSION"),
    with("kind", "NAME"),
    with("from", "DESIGN"),
    with("regions", "N"),
    with("splits", "equal|designed"),
    with("vary", "NAME"),
    with("values", "N,N,…"),
    with("rows", "N"),
    with("prefer", "NAME"),
    with("options", "JSON|FILE"),
    with("save", "FILE"),
    with("part", "NAME"),
    with("design", "FILE"),
    with("since", "TIME"),
    with("until", "TIME"),
    with("metric", "METRIC"),
    with("every", "TIME"),
    with("count", "N"),
    with("page", "FILE"),
    flag("all"),
    flag("redact"),
    flag("keys"),
    flag("no-samples"),
    flag("no-browser"),
    flag("json"),
    flag("csv"),
    flag("hex"),
    with("html", "FILE"),
    with("svg", "FILE"),
    with("sarif", "FILE"),
    with("fail-on", "LEVEL"),
    CommandOption { name: "output", letter: Some('o'), value: Some("FILE") },
    with("memory", "SIZE"),
    with("threads", "N"),
    with("color", "WHEN"),
    CommandOption { name: "help", letter: Some('h'), value: None },
    CommandOption { name: "version", letter: Some('V'), value: None },
];

/// Options whose value can name a file that is read.
pub const INPUTS: &[&str] = &["data", "design", "from", "options", "page"];

/// Options that name a file that is written.
pub const OUTPUTS: &[&str] = &["html", "svg", "sarif", "save", "output"];

/// Options that every command takes.
pub const EVERYWHERE: &[&str] = &["memory", "threads", "color", "help", "version"];

/// The arguments of a command.
#[derive(Debug, Default)]
pub struct CommandArgs {
    /// Arguments that are no options; the first is the command.
    pub words: Vec<String>,
    options: Vec<(&'static str, String)>,
}

impl CommandArgs {
    /// Reads arguments, the name of the program left out.
    ///
    /// # Errors
    /// Options that do not exist or lack their value.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, Failure> {
        let args: Vec<OsString> = args.into_iter().collect();
        let mut parser = lexopt::Parser::from_args(args);
        let mut asked = Self::default();
        while let Some(argument) = parser.next().map_err(|error| wrong(&error))? {
            let option = match argument {
                Long(name) => OPTIONS.iter().find(|option| option.name == name),
                Short(letter) => OPTIONS.iter().find(|option| option.letter == Some(letter)),
                Value(word) => {
                    asked.words.push(text(word)?);
                    continue;
                }
            };
            let Some(option) = option else { return Err(unknown(&argument)) };
            let value = match option.value {
                Some(_) => text(parser.value().map_err(|error| wrong(&error))?)?,
                None => String::new(),
            };
            asked.options.push((option.name, value));
        }
        Ok(asked)
    }

    /// Refuses options that this command does not take, and those given twice.
    ///
    /// # Errors
    /// `cli.not-of-command`, `cli.twice`.
    pub fn check(&self, command: &str, known: &[&str]) -> Result<(), Failure> {
        for (index, (name, _)) in self.options.iter().enumerate() {
            let problem = |code| Problem::new(code).with("option", name).with("command", command);
            if !known.contains(name) && !EVERYWHERE.contains(name) {
                return Err(problem("cli.not-of-command").into());
            }
            if *name != "data" && self.options.iter().take(index).any(|(before, _)| before == name) {
                return Err(problem("cli.twice").into());
            }
        }
        Ok(())
    }

    /// True if an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// True if something else than the text for a person goes to standard output.
    ///
    /// # Errors
    /// Two things that would.
    pub fn is_quiet(&self) -> Result<bool, Failure> {
        let files = ["html", "svg", "sarif"].iter().filter(|name| self.get(name) == Some("-"));
        match files.count() + usize::from(self.has("json")) {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Problem::new("cli.one-output").into()),
        }
    }

    /// The value of an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// True if records come from standard input, which is read once.
    pub fn reads_standard_input(&self) -> bool {
        let mut files = self.words.iter().skip(2).map(String::as_str).chain(self.all("data"));
        files.any(|file| file == "-" || file.ends_with("=-"))
    }

    /// The values of an option that may be given several times.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.options.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// One of these words, as the value of an option.
    ///
    /// # Errors
    /// `cli.not-one-of`.
    pub fn one_of<T: Copy>(&self, name: &str, known: &[(&str, T)]) -> Result<Option<T>, Failure> {
        let Some(given) = self.get(name) else { return Ok(None) };
        if let Some((_, value)) = known.iter().find(|(word, _)| *word == given) {
            return Ok(Some(*value));
        }
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        let problem = Problem::new("cli.not-one-of").with("option", name).with("found", given);
        Err(problem.with("known", words.join(", ")).into())
    }
}

/// An option that does not exist, with the one that it may mean.
fn unknown(argument: &lexopt::Arg<'_>) -> Failure {
    let (shown, near) = match argument {
        Long(name) => (format!("--{name}"), nearest(name, OPTIONS.iter().map(|option| option.name))),
        Short(letter) => (format!("-{letter}"), None),
        Value(word) => (word.to_string_lossy().into_owned(), None),
    };
    let problem = Problem::new("cli.unknown-option").with("option", shown);
    match near {
        Some(near) => Problem { code: "cli.unknown-option-near", ..problem.with("near", near) },
        None => problem,
    }
    .into()
}

fn wrong(error: &lexopt::Error) -> Failure {
    Problem::new("cli.wrong-arguments").with("error", error).into()
}

/// An argument as text; of a path any bytes will do.
#[cfg(unix)]
fn text(word: OsString) -> Result<String, Failure> {
    Ok(super::paths::to_text(std::os::unix::ffi::OsStrExt::as_bytes(word.as_os_str())))
}

/// An argument as text.
#[cfg(not(unix))]
fn text(word: OsString) -> Result<String, Failure> {
    let shown = word.to_string_lossy().into_owned();
    word.into_string().map_err(|_| Problem::new("cli.not-unicode").with("found", shown).into())
}
