//! `guess`: a first design for files of records, row keys or the output of a scan.

use super::args::CommandArgs;
use super::input::HEAD;
use super::json;
use super::shell::{FINE, Failure, Shell};
use super::source::ByteSource;
use super::words::described;
use crate::base::Problem;
use crate::design::FirstDesign;
use crate::hbase::row_keys::{FileGuess, guess_file};
use crate::records::guess::{Guess, GuessedField, SaidOfFile};
use crate::records::read::Input;
use std::path::Path;

/// The reasons for a type that a person should look at.
const DOUBTFUL: [&str; 6] = [
    "guess.day-or-month",
    "guess.nearly-boolean",
    "guess.nearly-day-or-month",
    "guess.nearly-numbers",
    "guess.nearly-time",
    "guess.numbers-with-gaps",
];

/// Runs the command: the design suits the first file, and the others have to be of its form.
pub fn run(shell: &mut Shell<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let files: Vec<&str> = asked.words.iter().skip(1).map(String::as_str).collect();
    let mut first: Option<(&str, FileGuess)> = None;
    for file in files {
        let found = guessed(shell, file, asked.has("keys"))?;
        match &first {
            Some((name, known)) => check_form(&known.guess, name, &found.guess, file)?,
            None => first = Some((file, found)),
        }
    }
    let Some((file, found)) = first else { return Err(Problem::new("cli.no-file").into()) };
    let design = design_of(&found, file)?;
    shell.save(asked.get("output").unwrap_or("-"), json::in_order(&design).as_bytes())?;
    Ok(FINE)
}

/// The form of a file, from its first bytes. Standard error says what is doubtful.
fn guessed(shell: &mut Shell<'_>, file: &str, are_keys: bool) -> Result<FileGuess, Failure> {
    let mut source = ByteSource::open(shell, file)?;
    let name = source.name.clone();
    let stated = source.stated(shell, None)?;
    let head = source.look(shell, HEAD);
    let head = head.get(..HEAD).unwrap_or(head).to_vec();
    // Damage to these bytes ends the command.
    while head.len() < HEAD && source.chunk(shell)?.is_some() {}
    source.close(shell);
    let (header, encoding) = (shell.header, shell.encoding);
    let said = SaidOfFile { header, encoding, stated: stated.as_ref(), ..SaidOfFile::default() };
    let found = guess_file(&head, &name, &said, are_keys);
    // Packed twice: what was unpacked is no text either.
    let packed = found.guess.gzip.then(|| Problem::new("input.binary"));
    if let Some(problem) = packed.or_else(|| found.guess.problems.iter().find(ends).cloned()) {
        return Err(Failure::from(problem).in_file(&name));
    }
    for problem in found.guess.problems.iter().cloned().chain(found.guess.fields.iter().filter_map(doubt)) {
        shell.note(&format!("rowscape: {}", described(&problem, Some(&name), None)));
    }
    Ok(found)
}

/// True for a problem without whose solution nothing can be read.
fn ends(problem: &&Problem) -> bool {
    matches!(problem.code, "input.binary" | "input.utf-16" | "input.empty" | "input.not-json")
}

/// The reason to doubt the type of a field.
fn doubt(of: &GuessedField) -> Option<Problem> {
    let mut problem = Problem::new(of.code);
    problem.args = of.args.clone();
    problem.place.field = Some(of.field.name.clone());
    DOUBTFUL.contains(&of.code).then_some(problem)
}

/// The design of a file, named after it.
fn design_of(found: &FileGuess, file: &str) -> Result<FirstDesign, Failure> {
    let empty = || Failure::from(Problem::new("input.empty")).in_file(file);
    let design = found.design().ok_or_else(empty)?;
    // `calls.csv.gz` is a table of calls.
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).filter(|_| file != "-");
    let name = name.map(|name| name.strip_suffix(".gz").unwrap_or(name));
    let stem = name.map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    Ok(match stem.filter(|stem| !stem.is_empty()) {
        Some(stem) => design.named(stem),
        None => design,
    })
}

/// Checks that a file has the format and the columns of the first.
fn check_form(first: &Guess, first_name: &str, other: &Guess, name: &str) -> Result<(), Failure> {
    let (known, own) = (&first.input, &other.input);
    let problem = if known.format != own.format {
        Problem::new("input.other-form").with("format", own.format.shown())
    } else if known.separator != own.separator || columns(known) != columns(own) {
        Problem::new("cli.other-fields").with("first", first_name)
    } else {
        return Ok(());
    };
    Err(Failure::from(problem).in_file(name))
}

fn columns(input: &Input) -> Vec<&String> {
    input.fields.iter().flat_map(|field| field.columns()).collect()
}
