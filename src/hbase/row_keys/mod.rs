//! Row keys that are there already, one a line or in a scan of HBase's shell: how they are built, guessed from the first of them.

mod beside;
mod found;
mod parts;
mod products;
mod sampled;
mod scan;
mod segments;
pub mod structure;

pub use beside::KeysOfRecords;
pub use found::{DeclaredKey, notation_in};
pub use parts::KeysGuess;
pub use segments::KeySegment;

use crate::base::Problem;
use crate::design::{FirstDesign, FirstSplits};
use crate::formula::typed::{TypedFormula, TypedPart};
use crate::records::Records;
use crate::records::field::{Field, Kind};
use crate::records::guess::{Guess, GuessedField, SaidOfFile, guess_for};
use crate::records::read::encoding::decoded;
use crate::records::read::{FileForm, Input, KeyFile, KeyNotation, RecordReader, shell};
use found::{FoundKeys, KeyJudge};
use parts::{KeyField, KnownOfKeys, are_escaped, built_of};

/// Keys looked at.
const SAMPLE: usize = 1000;
/// First bytes of a file by which its form is guessed.
const HEAD: usize = 1 << 18;
/// Most keys of which the parts are looked for.
const MOST_KEYS: usize = 50_000;
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
    /// The kind of each part of row keys, with what shows it.
    pub evidence: Vec<Problem>,
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
        Ok(design.of_file(file_name))
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
        return FileGuess::of_records(guess);
    }
    let text = text_of(head, said);
    match guess.input.format {
        FileForm::Scan => scan::guess(&text, guess, is_cut(head)),
        _ if are_keys || look_like_keys(&text, &guess) => {
            let header = !are_keys && guess.input.header == Some(true);
            of_lines(&text, guess, header, is_cut(head))
        }
        _ => FileGuess::of_records(guess),
    }
}

/// The form of a file that a design is to read. Where the design declares the parts of row keys, as [`FileGuess::design`] names them, the
/// keys are cut into these.
pub fn guess_declared(head: &[u8], file_name: &str, said: &SaidOfFile<'_>) -> Guess {
    let guess = guess_for(head, file_name, said);
    cut_into_parts(head, file_name, said, &guess).unwrap_or(guess)
}

/// The form of a file that a design with these tables is to read, of which row keys are decoded into fields.
// Figures read no keys: they need nothing that takes them back.
pub fn guess_of_design(
    head: &[u8],
    file_name: &str,
    said: &SaidOfFile<'_>,
    keys: &[DeclaredKey<'_>],
) -> Guess {
    let guess = guess_for(head, file_name, said);
    // Text is cut faster than it is taken back.
    let cut = || cut_into_parts(head, file_name, said, &guess);
    let is_text = !are_escaped(&[&text_of(head, said)]);
    let first = if is_text { cut() } else { None };
    let found = first.or_else(|| keys_of_table(head, &guess, said, keys)).or_else(cut);
    found.unwrap_or(guess)
}

/// Row keys of text, cut into the parts that a design declares.
fn cut_into_parts(head: &[u8], file_name: &str, said: &SaidOfFile<'_>, guess: &Guess) -> Option<Guess> {
    let lines = matches!(guess.input.format, FileForm::Csv | FileForm::Scan);
    let parts = said.declared.iter().filter(|&&name| name != shell::WRITTEN);
    let are_parts = parts.clone().all(|name| parts::is_part(name)) && parts.clone().next().is_some();
    if !lines || !are_parts || said.stated.is_some() || guess.input.header == Some(true) {
        return None;
    }
    let mut found = guess_form(head, file_name, said, true).guess;
    let mut own: Vec<_> =
        found.input.fields.iter_mut().filter(|field| field.name != shell::WRITTEN).collect();
    if own.len() != parts.clone().count() {
        return None;
    }
    // Other keys of the same table can look like times, or no longer.
    own.iter_mut().zip(parts).for_each(|(field, name)| (*name).clone_into(&mut field.name));
    Some(found)
}

/// The form of a file of row keys of one of these tables, as records of the fields that they tell.
fn keys_of_table(
    head: &[u8],
    guess: &Guess,
    said: &SaidOfFile<'_>,
    keys: &[DeclaredKey<'_>],
) -> Option<Guess> {
    let lines = matches!(guess.input.format, FileForm::Csv | FileForm::Scan);
    if !lines || said.stated.is_some() || guess.input.header == Some(true) {
        return None;
    }
    let (key, notation) = keys.iter().find_map(|key| Some((key, key_notation(head, guess, said, key)?)))?;
    let scan = guess.input.format.is_scan();
    let format = if scan { FileForm::Scan } else { FileForm::Keys };
    let told: Vec<usize> = key.typed.fields_of_key().collect();
    let is_told =
        |(index, field): &(usize, &Field)| told.contains(index) || (scan && field.name == shell::WRITTEN);
    let fields = key.fields.iter().enumerate().filter(is_told).map(|(_, field)| field.clone()).collect();
    let keys = Some(KeyFile { rowkey: key.rowkey.to_owned(), notation });
    let input =
        Input { format, separator: None, quote: None, header: None, keys, fields, ..guess.input.clone() };
    Some(Guess { input, ..guess.clone() })
}

/// As [`guess_file`], but finds the parts of row keys in their bytes where these tell more than the separators between parts of text.
pub fn guess_keys(head: &[u8], file_name: &str, said: &SaidOfFile<'_>, are_keys: bool) -> FileGuess {
    guess_judged(head, file_name, said, are_keys, &found::Decoding)
}

/// The same, of which nobody has tried yet whether the formula gives the keys again: [`guess_of_design`] does.
pub fn guess_untried_keys(head: &[u8], file_name: &str, said: &SaidOfFile<'_>, are_keys: bool) -> FileGuess {
    guess_judged(head, file_name, said, are_keys, &found::Unjudged)
}

fn guess_judged(
    head: &[u8],
    file_name: &str,
    said: &SaidOfFile<'_>,
    are_keys: bool,
    judge: &impl KeyJudge,
) -> FileGuess {
    let plain = guess_file(head, file_name, said, are_keys);
    let Some(known) = &plain.keys else { return plain };
    let text = text_of(head, said);
    let scan = plain.guess.input.format.is_scan();
    let header = plain.guess.input.header == Some(true);
    let found = if scan {
        let keys = spread(scan::keys_of(&text, is_cut(head)));
        let lines: Vec<&str> = keys.iter().map(String::as_str).collect();
        better(&lines, (&plain.guess, known), true, judge)
    } else {
        better(&spread(lines_of(&text, header, is_cut(head))), (&plain.guess, known), false, judge)
    };
    match found {
        Some(found) if scan => scan::of_found(found, plain),
        Some(found) => plain.with_found(found, FileForm::Keys, header),
        None => plain,
    }
}

/// A first design for records whose row keys a file holds: the formula that makes the keys of the records is searched, in whichever order both
/// come; `None` if there is none within the reach of the search. `records` may be a sample of them.
pub fn guess_with_records(
    bytes: &[u8],
    said: &SaidOfFile<'_>,
    found: &FileGuess,
    records: &Records,
) -> Option<(FirstDesign, KeysOfRecords)> {
    let known = found.keys.as_ref()?;
    let text = text_of(bytes, said);
    let lines: Vec<String> = if found.guess.input.format.is_scan() {
        scan::keys_of(&text, is_cut(bytes))
    } else {
        let header = found.guess.input.header == Some(true);
        lines_of(&text, header, is_cut(bytes)).into_iter().map(str::to_owned).collect()
    };
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    design_of_keys(&lines, records, &known.splits)
}

/// [`guess_with_records`] with records as text, whose form is guessed. The design is named after the file of row keys.
///
/// # Errors
/// `guess.no-key-of-records` if no formula is found; what is wrong with the form of the records.
pub fn guess_with_text(
    bytes: &[u8],
    (name, said): (&str, &SaidOfFile<'_>),
    data: &[u8],
) -> Result<FirstDesign, Problem> {
    let head = |bytes: &'_ [u8]| bytes.get(..HEAD).unwrap_or(bytes).to_vec();
    let of_data = SaidOfFile { encoding: said.encoding, ..SaidOfFile::default() };
    let form = guess_file(&head(data), "", &of_data, false);
    let mut reader = RecordReader::new(&form.guess.input)?;
    reader.push(data);
    reader.finish();
    let found = guess_file(&head(bytes), name, said, true);
    let made = guess_with_records(bytes, said, &found, &reader.into_records());
    let (design, _) = made.ok_or_else(|| Problem::new("guess.no-key-of-records"))?;
    Ok(design.of_file(name))
}

/// The same of records that have their row key in a column called so.
pub fn guess_with_key_column(records: &Records) -> Option<(FirstDesign, KeysOfRecords)> {
    let key = records.columns.iter().position(|column| is_row_key(&column.field.name))?;
    let mut others = records.clone();
    let key = others.columns.remove(key);
    let texts: Vec<String> = (0..records.rows).map(|row| key.text(row)).collect();
    let lines: Vec<&str> = texts.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    design_of_keys(&lines, &others, &parts::first_splits(lines.len()))
}

/// True of the name that a column of row keys has.
pub fn is_row_key(name: &str) -> bool {
    ["row_key", "rowkey"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A first design for records whose row keys these lines are, in a notation that suits all.
fn design_of_keys(
    lines: &[&str],
    records: &Records,
    splits: &FirstSplits,
) -> Option<(FirstDesign, KeysOfRecords)> {
    KeyNotation::ALL.into_iter().find_map(|notation| {
        let keys = lines.iter().map(|line| notation.bytes(line)).collect::<Result<Vec<_>, _>>().ok()?;
        let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let (fields, made) = beside::formula_of_keys(&keys, records)?;
        let time = fields.iter().find(|field| field.kind == Kind::Time).map(|field| field.name.clone());
        let design = FirstDesign::new(fields, time, made.rowkey.clone(), splits.clone());
        Some((design, made))
    })
}

/// How the row keys of a table are written in a file that holds them, and no records with as many fields as the table has.
#[inline(never)]
fn key_notation(
    head: &[u8],
    guess: &Guess,
    said: &SaidOfFile<'_>,
    key: &DeclaredKey<'_>,
) -> Option<KeyNotation> {
    let text = text_of(head, said);
    if guess.input.format.is_scan() {
        let whole = key.fields.iter().any(|field| field.name == shell::KEY);
        let keys = scan::keys_of(&text, is_cut(head));
        let lines: Vec<&str> = keys.iter().map(String::as_str).collect();
        return if whole { None } else { notation_in(&lines, key) };
    }
    let columns = key.fields.iter().map(|field| field.columns().len()).sum::<usize>();
    // Values of the fields would be read as keys, too, unless a part is computed from others.
    if guess.fields.len() == columns && !has_proof(key.typed) {
        return None;
    }
    let whole = if is_cut(head) { text.rfind('\n').and_then(|end| text.get(..end))? } else { &text };
    let lines: Vec<&str> = whole.lines().filter(|line| !line.is_empty()).collect();
    notation_in(&lines, key)
}

/// True if a part of the key is computed from fields that other parts hold: values that are no keys lack it.
fn has_proof(typed: &TypedFormula) -> bool {
    let holds =
        |field: &usize| typed.parts.iter().any(|part| part.shape.one_to_one && part.fields.contains(field));
    let computed =
        |part: &&TypedPart| !part.shape.one_to_one && !part.fields.is_empty() && !part.expression.is_random();
    typed.parts.iter().filter(computed).any(|part| part.fields.iter().all(holds))
}

/// The lines of a text that may be cut within its last.
fn lines_of(text: &str, header: bool, is_cut: bool) -> Vec<&str> {
    let whole =
        if is_cut { text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or_default() } else { text };
    whole.lines().skip(usize::from(header)).filter(|line| !line.is_empty()).collect()
}

/// Row keys, one a line.
// Pages load this with the rest of the module, not before their first picture.
#[inline(never)]
fn of_lines(text: &str, guess: Guess, header: bool, is_cut: bool) -> FileGuess {
    let mut lines = lines_of(text, header, is_cut);
    lines.truncate(SAMPLE);
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
    FileGuess { guess: Guess { input, fields, ..guess }, keys: Some(keys), evidence: Vec::new() }
}

/// Some of many lines, from all over the file.
fn spread<T: Clone>(lines: Vec<T>) -> Vec<T> {
    let some: Vec<&T> = lines.iter().collect();
    sampled::some_of(&some, MOST_KEYS).into_iter().cloned().collect()
}

/// The parts that are found in the bytes of keys, where they say more than those of a text, which are known.
fn better(
    lines: &[&str],
    (guess, known): (&Guess, &KeysGuess),
    of_shell: bool,
    judge: &impl KeyJudge,
) -> Option<FoundKeys> {
    let found = found::of_lines(lines, of_shell, judge)?;
    let is_plain = |line: &&str| line.is_ascii() && !line.contains("\\x");
    let is_text = found.notation == KeyNotation::Escaped && lines.iter().all(is_plain);
    let is_time = |field: &Field| field.kind == Kind::Time && field.name != shell::WRITTEN;
    let is_whole = known.separator.is_none() && !guess.input.fields.iter().any(is_time);
    // One text or bytes is all of the key.
    let is_whole_key = |field: &Field| matches!(field.kind, Kind::Text | Kind::Bytes);
    let one = matches!(found.fields.as_slice(), [only] if is_whole_key(&only.field));
    let is_text = is_text || (one && found.notation == KeyNotation::Escaped);
    let times = |fields: &mut dyn Iterator<Item = &Field>| fields.filter(|field| is_time(field)).count();
    let more_times =
        times(&mut found.fields.iter().map(|of| &of.field)) > times(&mut guess.input.fields.iter());
    let says_more = !is_text || found.proves_parts() || more_times || (is_whole && found.fields.len() > 1);
    says_more.then_some(found)
}

impl FileGuess {
    fn of_records(guess: Guess) -> Self {
        Self { guess, keys: None, evidence: Vec::new() }
    }

    /// Keys whose parts were found in their bytes.
    fn with_found(self, found: FoundKeys, format: FileForm, header: bool) -> Self {
        let guess = self.guess;
        let FoundKeys { fields, keys, notation, evidence } = found;
        let input = Input {
            format,
            separator: None,
            quote: None,
            header: Some(header).filter(|_| format == FileForm::Keys),
            keys: Some(KeyFile { rowkey: keys.rowkey.clone(), notation }),
            fields: fields.iter().map(|of| of.field.clone()).collect(),
            ..guess.input
        };
        let fields = fields.into_iter().map(KeyField::guessed).collect();
        Self { guess: Guess { input, fields, ..guess }, keys: Some(keys), evidence }
    }
}

/// True if a file contains row keys: in its only column, or with bytes escaped as by the shell between separators.
fn look_like_keys(text: &str, guess: &Guess) -> bool {
    if guess.input.format != FileForm::Csv {
        return false;
    }
    if let [only] = guess.fields.as_slice() {
        return is_row_key(&only.field.name) || only.field.name.eq_ignore_ascii_case(shell::KEY);
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
        let code = match self.field.kind {
            Kind::Time => "guess.time",
            Kind::Integer => "guess.integer",
            _ => "guess.text",
        };
        GuessedField::new(self.field, self.examples, code)
    }
}
