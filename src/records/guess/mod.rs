//! The form of a file, guessed from its first bytes. Always shown, always correctable.

mod kind;
mod shape;
mod stated;

pub use super::read::encoding::TextEncoding;

use super::read::array::ArrayUnfolder;
use super::read::csv::unique_names;
use super::read::encoding::{decoded, is_binary, unmarked_utf16};
use super::read::{FileForm, Input, StatedFile, StatedRange, shell};
use crate::base::Problem;
use crate::base::map::Map;
use crate::base::sentences::render;
use crate::base::units::DAY;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use kind::GuessedKind;
use serde::Serialize;
use serde_json::value::RawValue;
use shape::SAMPLE;
use std::borrow::Cow;
use std::collections::HashMap;

/// Records shown.
const PREVIEW: usize = 10;
/// Values shown of each field.
const EXAMPLES: usize = 3;
/// Characters shown of a value.
const SHOWN: usize = 80;
/// Fields beyond these are left out.
const MOST_FIELDS: usize = 5000;
/// From this length on the bytes are taken for the beginning of a longer file.
const WHOLE_FILE: usize = 60_000;

/// A field as guessed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuessedField {
    /// Its name, type and format.
    #[serde(flatten)]
    pub field: Field,
    /// Some of its values.
    pub examples: Vec<String>,
    /// The range of all its values, where the file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<StatedRange>,
    /// Why it was taken for this type: a message code.
    pub code: &'static str,
    /// Arguments of the sentence: where nearly all values are of one type the first that is not, as `found`, and its `row`; of a
    /// time in two columns the `first` and the `second`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub args: Map<&'static str, String>,
    /// The same as a sentence.
    pub why: String,
}

impl GuessedField {
    /// A field taken for what it is for a reason without arguments.
    pub(crate) fn new(field: Field, examples: Vec<String>, code: &'static str) -> Self {
        let args = Map::new();
        Self { field, examples, range: None, code, why: render(code, &args), args }
    }
}

/// The form and the fields of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Guess {
    /// How to read it, with all fields.
    pub input: Input,
    /// Its encoding: as its byte order mark or a person says, else UTF-8.
    pub encoding: TextEncoding,
    /// True if it is compressed: inflate it and guess again.
    pub gzip: bool,
    /// Its records, where it states their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Its row groups, where it has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<u64>,
    /// The fields, with the reason for each type.
    pub fields: Vec<GuessedField>,
    /// The first records.
    pub preview: Vec<Vec<String>>,
    /// Reasons to doubt the guess.
    pub problems: Vec<Problem>,
}

/// Properties of a file that a person states, so that they are not guessed.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaidOfFile<'a> {
    /// True if the first record of separated values holds names.
    pub header: Option<bool>,
    /// The encoding, where no byte order mark says another.
    pub encoding: Option<TextEncoding>,
    /// The columns that a design reads: a first record that holds the name of one is a header.
    pub declared: &'a [&'a str],
    /// Columns as the file itself states them. Its text is then separated values with a header.
    pub stated: Option<&'a StatedFile>,
}

/// Guesses what a file of this name holds from its first bytes; 64 KiB are plenty. Whether the first record of separated values
/// holds names is guessed too, unless `header` says so.
pub fn guess(head: &[u8], file_name: &str, header: Option<bool>) -> Guess {
    guess_for(head, file_name, &SaidOfFile { header, ..SaidOfFile::default() })
}

/// The same of a file of which something is known.
pub fn guess_for(head: &[u8], file_name: &str, said: &SaidOfFile<'_>) -> Guess {
    if let Some(stated) = said.stated {
        return stated::guess(head, stated);
    }
    let encoding = TextEncoding::marked(head).or(said.encoding).unwrap_or_default();
    let text = String::from_utf8_lossy(&decoded(head, said.encoding)).into_owned();
    let mut guess = Guess {
        input: Input {
            format: FileForm::Csv,
            separator: None,
            quote: None,
            header: None,
            encoding: said.encoding,
            stated: Vec::new(),
            keys: None,
            fields: Vec::new(),
        },
        encoding,
        gzip: head.starts_with(b"\x1f\x8b"),
        rows: None,
        groups: None,
        fields: Vec::new(),
        preview: Vec::new(),
        problems: Vec::new(),
    };
    if guess.gzip {
        return guess;
    }
    if text.trim().is_empty() {
        guess.problems.push(Problem::new("input.empty"));
        return guess;
    }
    if is_binary(&text) {
        let unmarked = unmarked_utf16(head).filter(|_| encoding == TextEncoding::Utf8);
        guess.problems.push(match unmarked {
            Some(encoding) => Problem::new("input.utf-16").with("encoding", encoding.name()),
            None => Problem::new("input.binary"),
        });
    }
    let lines = unfolded(&text);
    if lines.as_ref().is_some_and(|lines| lines.trim().is_empty()) {
        guess.input.format = FileForm::Jsonl;
        guess.problems.push(Problem::new("input.empty"));
        return guess;
    }
    let text = lines.as_deref().unwrap_or(&text);
    let text = if head.len() >= WHOLE_FILE { without_last_line(text) } else { text };
    if shell::is_scan(text) {
        guess_scan(text, &mut guess);
        return guess;
    }
    let table = match json_lines(text) {
        Some(table) => {
            guess.input.format = FileForm::Jsonl;
            guess.problems.extend(table.names.is_empty().then(|| Problem::new("input.not-json")));
            table
        }
        None => separated(text, file_name, said, &mut guess),
    };
    describe(table, &mut guess);
    guess
}

/// A JSON array of objects as lines, also one of none, or that ends before the first; `None` for anything else.
fn unfolded(text: &str) -> Option<String> {
    let elements = text.trim_start().strip_prefix('[')?.trim();
    // Elements may be missing.
    let elements = elements.trim_start_matches(|char: char| char == ',' || char.is_whitespace());
    if !elements.starts_with('{') && !matches!(elements, "" | "]") {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    ArrayUnfolder::default().apply(&mut bytes);
    String::from_utf8(bytes).ok()
}

/// Names and, record by record, values; `None` where a record lacks the field.
struct TextTable {
    names: Vec<String>,
    records: Vec<Vec<Option<String>>>,
}

fn without_last_line(text: &str) -> &str {
    text.rfind(['\n', '\r']).and_then(|end| text.get(..end)).unwrap_or(text)
}

fn separated(text: &str, file_name: &str, said: &SaidOfFile<'_>, guess: &mut Guess) -> TextTable {
    let shape = shape::guess(text, file_name, said.declared);
    guess.problems.extend(shape.problem);
    let mut records = shape.records;
    let width = shape.width.min(MOST_FIELDS);
    let first = records.first().into_iter().flatten();
    let is_declared = first.map(|name| name.trim()).any(|name| said.declared.contains(&name));
    let header = said.header.unwrap_or(shape.header || is_declared);
    let names = if header && !records.is_empty() {
        let names = records.remove(0).iter().map(|name| name.trim().to_owned()).collect();
        unique_names(names)
    } else if width == 1 {
        vec!["key".into()]
    } else {
        unique_names(vec![String::new(); width])
    };
    guess.input.separator = Some(char::from(shape.separator).into());
    guess.input.quote = Some(shape.quote.map(char::from).map_or(String::new(), String::from));
    guess.input.header = Some(header);
    let records = records.into_iter().map(|record| record.into_iter().map(Some).collect()).collect();
    TextTable { names, records }
}

/// True if a line begins an object of JSON, or what is meant to be one.
fn begins_object(line: &str) -> bool {
    let members = line.trim_start().strip_prefix('{').map(str::trim_start);
    members.is_some_and(|members| members.is_empty() || members.starts_with(['"', '\'', '}']))
}

/// The objects of JSON Lines, but for those that cannot be read; `None` when the first line does not begin one.
fn json_lines(text: &str) -> Option<TextTable> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE).peekable();
    if !lines.peek().is_some_and(|line| begins_object(line)) {
        return None;
    }
    let mut names = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut records = Vec::new();
    for line in lines {
        // A map of serde_json's own would lose the order of the members.
        let Ok(members) = serde_json::from_str::<Members>(line) else { continue };
        let mut record = vec![None; names.len()];
        for (name, value) in members.0 {
            let at = *index.entry(name.clone()).or_insert(names.len());
            if at == names.len() && at < MOST_FIELDS {
                names.push(name);
                record.push(None);
            }
            if let Some(place) = record.get_mut(at) {
                *place = value;
            }
        }
        records.push(record);
    }
    Some(TextTable { names, records })
}

struct Members(Vec<(String, Option<String>)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> serde::de::Visitor<'de> for Collect {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    let raw = value.get();
                    let text = serde_json::from_str::<String>(raw).ok();
                    members.push((name, text.or_else(|| (raw != "null").then(|| raw.to_owned()))));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// The rows of a scan. Their times have no zone where they are dates.
fn guess_scan(text: &str, guess: &mut Guess) {
    guess.input.format = FileForm::Scan;
    let rows = shell::rows(text);
    if rows.is_empty() {
        guess.problems.push(Problem::new("input.empty"));
        return;
    }
    let (keys, times): (Vec<&str>, Vec<&str>) =
        rows.iter().take(SAMPLE).map(|(key, time)| (key.as_str(), time.as_str())).unzip();
    let counted = times.iter().find(|time| !time.is_empty()).is_none_or(|time| time.parse::<i64>().is_ok());
    let time = if counted { "epoch-millis" } else { "iso8601" };
    let fields = [
        (shell::KEY, Kind::Bytes, "escaped", keys, "guess.text"),
        (shell::WRITTEN, Kind::Time, time, times, "guess.written"),
    ];
    for (name, kind, format, values, code) in fields {
        let zone = (kind == Kind::Time).then(|| "Z".to_owned());
        let field = Field {
            name: name.into(),
            kind,
            format: Some(format.into()),
            zone,
            width: None,
            from: Vec::new(),
            nullable: false,
        };
        guess.fields.push(GuessedField::new(field, examples(&values), code));
    }
    guess.input.fields = guess.fields.iter().map(|guessed| guessed.field.clone()).collect();
    guess.preview = rows.into_iter().take(PREVIEW).map(|(key, time)| vec![key, time]).collect();
}

fn describe(table: TextTable, guess: &mut Guess) {
    let mut names = table.names.clone();
    for (at, name) in table.names.iter().enumerate() {
        let own = table.field(at);
        if let Some(mut joined) = table.time_in_two(at) {
            if own.as_ref().is_some_and(|own| adds_offset(&joined.field, &own.field)) {
                // Without its offset the time is another: the first column is no field by itself.
                joined.field.name.clone_from(name);
                guess.fields.push(joined);
                continue;
            }
            names.push(joined.field.name);
            names = unique_names(names);
            joined.field.name = names.last().cloned().unwrap_or_default();
            guess.fields.push(joined);
        }
        guess.fields.extend(own);
    }
    table.tell_ids_from_times(&mut guess.fields);
    guess.input.fields = guess.fields.iter().map(|guessed| guessed.field.clone()).collect();
    let texts = |record: Vec<Option<String>>| record.into_iter().map(Option::unwrap_or_default).collect();
    guess.preview = table.records.into_iter().take(PREVIEW).map(texts).collect();
}

/// True if a format is another with the offset from UTC behind it.
fn adds_offset(joined: &Field, own: &Field) -> bool {
    let format = joined.format.as_deref().unwrap_or_default();
    let before = [" Z", " Z']'"].iter().find_map(|offset| format.strip_suffix(offset));
    before.is_some() && before == own.format.as_deref()
}

impl TextTable {
    /// The value at a place of each record, where there is one.
    fn values(&self, at: usize) -> impl Iterator<Item = Option<&str>> {
        self.records.iter().map(move |record| record.get(at)?.as_deref())
    }

    /// The kind of the column at a place.
    fn field(&self, at: usize) -> Option<GuessedField> {
        let values = self.values(at).map(|value| value.map(Cow::Borrowed));
        Some(guessed(self.names.get(at)?, &[], values.collect()))
    }

    /// Makes texts of numbers that could be nanoseconds and that no name calls a time, where a better time is beside them with which
    /// they do not agree.
    fn tell_ids_from_times(&self, fields: &mut [GuessedField]) {
        let is_long = |of: &GuessedField| of.field.format.as_deref() == Some(kind::NANOS);
        let better: Vec<Field> = fields
            .iter()
            .filter(|of| of.field.kind == Kind::Time && !is_long(of))
            .map(|of| of.field.clone())
            .collect();
        for of in fields.iter_mut().filter(|of| is_long(of) && !kind::is_named_time(&of.field.name)) {
            let times = self.times(&of.field);
            let agrees = |other: &Field| {
                let mut pairs =
                    times.iter().zip(self.times(other)).filter_map(|(own, other)| (*own).zip(other));
                pairs.all(|(own, other)| own.abs_diff(other) <= DAY.unsigned_abs())
            };
            if !better.is_empty() && !better.iter().filter(|other| other.from.is_empty()).any(agrees) {
                (of.field.kind, of.field.format, of.field.zone) = (Kind::Text, None, None);
                of.code = "guess.many-digits";
                of.why = render(of.code, &of.args);
            }
        }
    }

    /// The times of a column, record by record.
    fn times(&self, field: &Field) -> Vec<Option<i64>> {
        let at = self.names.iter().position(|name| *name == field.name);
        let format =
            field.format.as_deref().and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
        let Some((at, format)) = at.zip(format) else { return Vec::new() };
        self.values(at).map(|value| format.read(value?.trim().as_bytes())).collect()
    }

    /// The kind of the column at a place together with the next, when they are a time: its date and its time of day.
    fn time_in_two(&self, at: usize) -> Option<GuessedField> {
        let from = self.names.get(at..at + 2)?;
        self.values(at).flatten().find(|value| !value.is_empty())?;
        let join = |(first, second): (Option<&str>, Option<&str>)| match (first?.trim(), second?.trim()) {
            ("", _) | (_, "") => Some(Cow::Borrowed("")),
            (first, second) => Some(Cow::Owned(format!("{first} {second}"))),
        };
        let values = self.values(at).zip(self.values(at + 1)).map(join);
        let joined = guessed(&from.join("_"), from, values.collect());
        (joined.field.kind == Kind::Time).then_some(joined)
    }
}

/// The format of times that all of these texts are, in a column that is expected to have times.
pub fn time_format(values: &[&str]) -> Option<&'static str> {
    let GuessedKind { kind, format, odd, .. } = kind::guess("time", values);
    format.filter(|_| kind == Kind::Time && odd.is_none())
}

/// The kind of a field of this name with these values, record by record.
fn guessed(name: &str, from: &[String], values: Vec<Option<Cow<'_, str>>>) -> GuessedField {
    let given = values.into_iter().enumerate().filter_map(|(row, value)| Some((row, value?)));
    let (rows, values): (Vec<usize>, Vec<Cow<'_, str>>) = given.unzip();
    let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
    let GuessedKind { kind, format, code, odd } = kind::guess(name, &values);
    let examples = examples(&values);
    let mut args = Map::new();
    if let Some((value, row)) = odd.and_then(|odd| values.get(odd).zip(rows.get(odd))) {
        args.insert("found", shown(value.trim()));
        args.insert("row", (row + 1).to_string());
    }
    let code = match from {
        [first, second] if code == "guess.time" => {
            args.insert("first", shown(first));
            args.insert("second", shown(second));
            "guess.time-in-two"
        }
        _ => code,
    };
    let format = format.map(str::to_owned);
    let zone = (kind == Kind::Time).then(|| "Z".to_owned());
    let field = Field {
        name: name.to_owned(),
        kind,
        format,
        zone,
        width: None,
        from: from.to_vec(),
        nullable: false,
    };
    let why = render(code, &args);
    GuessedField { field, examples, range: None, code, args, why }
}

/// Some of the values, each once.
fn examples(values: &[&str]) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for value in values {
        if examples.len() < EXAMPLES && !value.is_empty() && !examples.iter().any(|known| known == value) {
            examples.push(shown(value));
        }
    }
    examples
}

/// As much of a value as is shown.
fn shown(value: &str) -> String {
    value.chars().take(SHOWN).collect()
}
