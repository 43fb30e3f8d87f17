//! `guess`: a first design for files of records, row keys or the output of a scan.

use super::args::CommandArgs;
use super::context::{CommandContext, FINE, Failure};
use super::input::text_of;
use super::json;
use super::source::ByteSource;
use super::suggest::read;
use super::words::described;
use crate::base::Problem;
use crate::base::limits::SHELL_BYTES;
use crate::design::FirstDesign;
use crate::hbase::phoenix::{self, PhoenixDesign, PhoenixText, is_sql};
use crate::hbase::row_keys::{
    FileGuess, KeysOfRecords, guess_file, guess_keys, guess_with_key_column, guess_with_records, is_row_key,
};
use crate::records::Records;
use crate::records::guess::{Guess, GuessedField, SaidOfFile};
use crate::records::read::encoding::decoded;
use crate::records::read::{FileForm, Input};
use crate::session::HEAD;

/// Bytes of row keys that are looked at.
const KEYS: usize = 32 << 20;
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
pub fn run(context: &mut CommandContext<'_>, asked: &CommandArgs) -> Result<u8, Failure> {
    let files: Vec<&str> = asked.words.iter().skip(1).map(String::as_str).collect();
    let mut first: Option<(&str, FileGuess)> = None;
    for &file in &files {
        let found = match guessed(context, file, asked)? {
            GuessedFile::Records(found) => found,
            GuessedFile::Design(_) if files.len() > 1 => {
                return Err(Failure::from(Problem::new("cli.one-file-of-keys")).in_file(file));
            }
            GuessedFile::Design(design) => {
                context.save(asked.get("output").unwrap_or("-"), json::in_order(&design).as_bytes())?;
                return Ok(FINE);
            }
            GuessedFile::Phoenix(_) if files.len() > 1 => {
                return Err(Failure::from(Problem::new("sql.among-files")).in_file(file));
            }
            GuessedFile::Phoenix(design) => {
                context.save(asked.get("output").unwrap_or("-"), json::in_order(&design).as_bytes())?;
                return Ok(FINE);
            }
        };
        match &first {
            Some((name, known)) => check_form(&known.guess, name, &found.guess, file)?,
            None => first = Some((file, *found)),
        }
    }
    let Some((file, found)) = first else { return Err(Problem::new("cli.no-file").into()) };
    let design = found.first_design(file).map_err(|problem| Failure::from(problem).in_file(file))?;
    context.save(asked.get("output").unwrap_or("-"), json::in_order(&design).as_bytes())?;
    Ok(FINE)
}

/// A file by its form.
enum GuessedFile {
    Records(Box<FileGuess>),
    /// Row keys of records that are beside them.
    Design(Box<FirstDesign>),
    /// Statements of Phoenix.
    Phoenix(Box<PhoenixDesign>),
}

/// The form of a file, from its first bytes. Standard error says what is doubtful, and what of statements is left out.
fn guessed(
    context: &mut CommandContext<'_>,
    file: &str,
    asked: &CommandArgs,
) -> Result<GuessedFile, Failure> {
    let data: Vec<&str> = asked.all("data").collect();
    let are_keys = asked.has("keys") || !data.is_empty();
    let mut source = ByteSource::open(context, file)?;
    let name = source.name.clone();
    let stated = source.stated(context, None)?;
    let head = source.look(context, HEAD);
    if stated.is_none() && !are_keys && is_sql(&String::from_utf8_lossy(&decoded(head, None))) {
        let PhoenixText { design, problems } = phoenix::read(&text_of(context, source, &SHELL_BYTES)?);
        let Some(design) = design else { return Err(Failure::from(problems).in_file(&name)) };
        problems.iter().for_each(|problem| note(context, problem, &name));
        return Ok(GuessedFile::Phoenix(Box::new(design)));
    }
    let head = head.get(..HEAD).unwrap_or(head).to_vec();
    let (header, encoding) = (context.header, context.encoding);
    let said = SaidOfFile { header, encoding, stated: stated.as_ref(), ..SaidOfFile::default() };
    let mut found = guess_file(&head, &name, &said, are_keys);
    // The first keys of a table are alike in much in which others differ.
    let most = if found.keys.is_some() { KEYS } else { HEAD };
    let mut bytes = Vec::new();
    // Damage to these bytes ends the command.
    while bytes.len() < most {
        let Some(chunk) = source.chunk(context)? else { break };
        bytes.extend_from_slice(chunk);
    }
    source.close(context);
    if !data.is_empty() {
        let records = read(context, None, (None, &data))?;
        let made = guess_with_records(&bytes, &said, &found, &records);
        if let Some(design) = design_of(context, made, &records, &name) {
            return Ok(design);
        }
        note(context, &Problem::new("cli.keys-of-no-record"), &name);
    }
    let has_key = || found.guess.fields.iter().any(|of| is_row_key(&of.field.name));
    if found.keys.is_none() && file != "-" && asked.words.len() == 2 && has_key() {
        let records = read(context, None, (None, &[file]))?;
        if let Some(design) = design_of(context, guess_with_key_column(&records), &records, &name) {
            return Ok(design);
        }
    }
    if found.keys.is_some() {
        found = guess_keys(&bytes, &name, &said, are_keys);
    }
    let input = &found.guess.input;
    // Separators stand within row keys, too, and nothing above them says which these are; lines of logs have blanks.
    if found.keys.is_none()
        && input.format == FileForm::Csv
        && input.header == Some(false)
        && input.separator.as_deref() != Some(" ")
        && input.fields.len() > 1
    {
        note(context, &Problem::new("cli.read-as-records").with("count", input.fields.len()), &name);
    }
    found.first_design(&name).map_err(|problem| Failure::from(problem).in_file(&name))?;
    let doubts = found.guess.fields.iter().filter_map(doubt);
    let problems = found.evidence.iter().chain(&found.guess.problems).cloned().chain(doubts);
    problems.for_each(|problem| note(context, &problem, &name));
    Ok(GuessedFile::Records(Box::new(found)))
}

/// The design of row keys that have records, if it was found.
fn design_of(
    context: &mut CommandContext<'_>,
    found: Option<(FirstDesign, KeysOfRecords)>,
    records: &Records,
    name: &str,
) -> Option<GuessedFile> {
    let (design, made) = found?;
    let problem = Problem::new("cli.keys-of-records").with("made", made.made).with("keys", made.keys);
    note(context, &problem.with("records", records.all_rows()), name);
    Some(GuessedFile::Design(Box::new(design.of_file(name))))
}

/// Tells on standard error what was found in a file.
fn note(context: &mut CommandContext<'_>, problem: &Problem, name: &str) {
    context.note(&format!("rowscape: {}", described(problem, Some(name), None)));
}

/// The reason to doubt the type of a field.
fn doubt(of: &GuessedField) -> Option<Problem> {
    let mut problem = Problem::new(of.code);
    problem.args = of.args.clone();
    problem.place.field = Some(of.field.name.clone());
    DOUBTFUL.contains(&of.code).then_some(problem)
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
