//! Row keys that are there already, one a line or in a scan of HBase's shell: how they are built, guessed from the first of them.

mod parts;
mod scan;
mod segments;

pub use parts::KeysGuess;
pub use segments::KeySegment;

use crate::base::Problem;
use crate::design::FirstDesign;
use crate::records::field::{Field, Kind};
use crate::records::guess::{Guess, GuessedField, SaidOfFile, guess_for};
use crate::records::read::encoding::decoded;
use crate::records::read::{FileForm, Input, shell};
use parts::{KeyField, KnownOfKeys, are_escaped, built_of};

/// Keys looked at.
const SAMPLE: usize = 1000;
/// From this length on the bytes are taken for the beginning of a longer file.
const WHOLE_FILE: usize = 60_000;
/// A byte that no line of text contains: lines are read as one column.
const NO_SEPARATOR: &str = "\u{1}";

/// The form of a file, and how its keys are built where it contains row keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileGuess {
    /// How to read it. The fields of row keys are their parts.
    pub guess: Guess,
    /// `None` for a file of other records.
    pub keys: Option<KeysGuess>,
}

impl FileGuess {
    /// A first design for the file; `None` where nothing can be read from it.
    pub fn design(&self) -> Option<FirstDesign> {
        let fields = &self.guess.input.fields;
        match &self.keys {
            _ if fields.is_empty() || !is_text(&self.guess.problems) => None,
            Some(keys) => Some(keys.design(fields)),
            None => Some(FirstDesign::of_guess(&self.guess)),
        }
    }
}

impl FileGuess {
    /// The first design, named after the file.
    ///
    /// # Errors
    /// Why nothing can be read from it: the problem that the guess has, or `input.empty`.
    pub fn first_design(&self, file_name: &str) -> Result<FirstDesign, Problem> {
        // Packed twice: what was unpacked is no text either.
        let packed = self.guess.gzip.then(|| Problem::new("input.binary"));
        if let Some(problem) = packed.or_else(|| self.guess.problems.iter().find(ends).cloned()) {
            return Err(problem);
        }
        let design = self.design().ok_or_else(|| Problem::new("input.empty"))?;
        // `calls.csv.gz` is a table of calls.
        let name = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Ok(if stem.is_empty() || name == "-" { design } else { design.named(stem) })
    }
}

/// True for a problem without whose solution nothing can be read.
fn ends(problem: &&Problem) -> bool {
    matches!(problem.code, "input.binary" | "input.utf-16" | "input.empty" | "input.not-json")
}

/// Guesses the form of a file from its first bytes. `are_keys` states that its lines are row keys; else they are taken for some if their
/// only column is called `key` or has no name, or if bytes escaped as by HBase's shell stand between separators.
pub fn guess_file(head: &[u8], file_name: &str, said: &SaidOfFile<'_>, are_keys: bool) -> FileGuess {
    let mut found = guess_form(head, file_name, said, are_keys);
    let is_scan = found.guess.input.format == FileForm::Scan;
    if let Some(keys) = found.keys.as_mut().filter(|_| is_scan)
        && let Some(splits) = scan::points_of(&text_of(head, said))
    {
        keys.splits = splits;
    }
    found
}

/// The same without the split points of the table: modules of figures need no reader of tables.
fn guess_form(head: &[u8], file_name: &str, said: &SaidOfFile<'_>, are_keys: bool) -> FileGuess {
    let guess = guess_for(head, file_name, said);
    let plain = said.stated.is_some() || guess.fields.is_empty() || !is_text(&guess.problems);
    if plain {
        return FileGuess { guess, keys: None };
    }
    let text = text_of(head, said);
    match guess.input.format {
        FileForm::Scan => scan::guess(&text, guess, is_cut(head)),
        _ if are_keys || look_like_keys(&text, &guess) => {
            let header = !are_keys && guess.input.header == Some(true);
            of_lines(&text, guess, header, is_cut(head))
        }
        _ => FileGuess { guess, keys: None },
    }
}

/// The form of a file that a design is to read. Where the design declares the parts of row keys, as [`FileGuess::design`] names them, the
/// keys are cut into these.
pub fn guess_declared(head: &[u8], file_name: &str, said: &SaidOfFile<'_>) -> Guess {
    let guess = guess_for(head, file_name, said);
    let lines = matches!(guess.input.format, FileForm::Csv | FileForm::Scan);
    let parts = said.declared.iter().filter(|&&name| name != shell::WRITTEN);
    let are_parts = parts.clone().all(|name| parts::is_part(name)) && parts.clone().next().is_some();
    if !lines || !are_parts || said.stated.is_some() || guess.input.header == Some(true) {
        return guess;
    }
    let mut found = guess_form(head, file_name, said, true).guess;
    let mut own: Vec<_> =
        found.input.fields.iter_mut().filter(|field| field.name != shell::WRITTEN).collect();
    if own.len() != parts.clone().count() {
        return guess;
    }
    // Other keys of the same table can look like times, or no longer.
    own.iter_mut().zip(parts).for_each(|(field, name)| (*name).clone_into(&mut field.name));
    found
}

/// Row keys, one a line.
// Pages load this with the rest of the module, not before their first picture.
#[inline(never)]
fn of_lines(text: &str, guess: Guess, header: bool, is_cut: bool) -> FileGuess {
    let whole =
        if is_cut { text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or_default() } else { text };
    let lines = whole.lines().skip(usize::from(header)).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(SAMPLE).collect();
    let name = guess.fields.first().filter(|_| header).map(|of| of.field.name.as_str());
    let (fields, keys) = built_of(&lines, &KnownOfKeys { name, escaped: false });
    let input = Input {
        format: FileForm::Csv,
        separator: Some(keys.separator.map_or(NO_SEPARATOR.to_owned(), String::from)),
        quote: Some(String::new()),
        header: Some(header),
        fields: fields.iter().map(|of| of.field.clone()).collect(),
        ..guess.input
    };
    let fields = fields.into_iter().map(KeyField::guessed).collect();
    FileGuess { guess: Guess { input, fields, ..guess }, keys: Some(keys) }
}

/// True if a file contains row keys: in its only column, or with bytes escaped as by the shell between separators.
fn look_like_keys(text: &str, guess: &Guess) -> bool {
    if guess.input.format != FileForm::Csv {
        return false;
    }
    if let [only] = guess.fields.as_slice() {
        return ["key", "row_key", "rowkey"].iter().any(|name| only.field.name.eq_ignore_ascii_case(name));
    }
    let parted = matches!(guess.input.separator.as_deref(), Some("|" | ";"));
    parted && guess.input.header == Some(false) && are_escaped(&[text])
}

fn text_of(head: &[u8], said: &SaidOfFile<'_>) -> String {
    String::from_utf8_lossy(&decoded(head, said.encoding)).into_owned()
}

/// True if a file continues after its head: its last line may be incomplete.
fn is_cut(head: &[u8]) -> bool {
    head.len() > WHOLE_FILE
}

/// True unless the bytes are no text.
fn is_text(problems: &[Problem]) -> bool {
    !problems.iter().any(|problem| matches!(problem.code, "input.binary" | "input.utf-16"))
}

impl KeysGuess {
    /// The design of the keys: cut into equal shares where nothing else is known of their table.
    fn design(&self, fields: &[Field]) -> FirstDesign {
        let time = fields.iter().find(|field| field.kind == Kind::Time).map(|field| field.name.clone());
        let arrival = self.arrival.clone().or(time);
        FirstDesign::new(fields.to_vec(), arrival, self.rowkey.clone(), self.splits.clone())
    }
}

impl KeyField {
    /// The field as a guess.
    fn guessed(self) -> GuessedField {
        let code = if self.field.kind == Kind::Time { "guess.time" } else { "guess.text" };
        GuessedField::new(self.field, self.examples, code)
    }
}
