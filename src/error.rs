//! What went wrong, where, and what to do: a code with typed arguments.
//!
//! The core never builds sentences. A [`Problem`] carries a stable code and its evidence; the sentence
//! lives in `messages/en.json` (one file a language), shared by the page, the command line and the docs.
//! Without the feature `sentences` the file is left out and a host supplies them: see [`crate::base::host`].

use crate::map::Map;
use serde::Serialize;
use std::borrow::Cow;
#[cfg(feature = "sentences")]
use std::collections::BTreeMap;
use std::fmt;
#[cfg(feature = "sentences")]
use std::sync::OnceLock;

/// Where in the person's input a problem lies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// JSON path in the design document, such as `fields[2].format`; empty when the document is not concerned.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// First column of the offending text in a formula or pattern, counted in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Column after the last offending character, so that `end - column` characters are underlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// Name of the input file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line or record number in the input file, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Byte of the input file where the record begins, when its number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Name of the field concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A refusal that says what was found, where, and (through its sentence) what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Stable code, a key of `messages/en.json`, such as `formula.unknown-step`.
    pub code: &'static str,
    /// Where it was found.
    pub place: Place,
    /// Named arguments of the sentence.
    pub args: Map<&'static str, String>,
}

impl Problem {
    /// A problem of this code with no place and no arguments yet.
    pub fn new(code: &'static str) -> Self {
        Self { code, place: Place::default(), args: Map::new() }
    }

    /// Adds a named argument of the sentence.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.add(name, value.to_string());
        self
    }

    /// What [`Problem::with`] does for all types, compiled once.
    fn add(&mut self, name: &'static str, value: String) {
        self.args.insert(name, value);
    }

    /// Sets the JSON path of the design document.
    pub fn at_path(mut self, path: impl Into<String>) -> Self {
        self.place.path = path.into();
        self
    }

    /// Sets the columns (characters from 1, end exclusive) in a formula or pattern.
    pub fn at_columns(mut self, column: usize, end: usize) -> Self {
        self.place.column = Some(column);
        self.place.end = Some(end);
        self
    }

    /// Sets the field concerned.
    pub fn at_field(mut self, field: impl Into<String>) -> Self {
        self.place.field = Some(field.into());
        self
    }

    /// The English sentence, without the place.
    pub fn sentence(&self) -> String {
        render(self.code, &self.args)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        let mut parts = Vec::new();
        parts.extend(place.file.clone());
        parts.extend((!place.path.is_empty()).then(|| place.path.clone()));
        parts.extend(place.column.map(|column| format!("column {column}")));
        parts.extend(place.row.map(|row| format!("row {row}")));
        parts.extend(place.field.as_ref().map(|field| format!("field {field}")));
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        f.write_str(&self.sentence())
    }
}

impl std::error::Error for Problem {}

/// The English sentences by code; `{name}` marks an argument, `{#name}` one that is a count, `{>name}` one that is the
/// code of another sentence.
#[cfg(feature = "sentences")]
pub fn messages() -> &'static BTreeMap<String, String> {
    static MESSAGES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    MESSAGES.get_or_init(|| serde_json::from_str(include_str!("../messages/en.json")).unwrap_or_default())
}

/// The sentence of a code, its arguments not filled in; of `code#by` and `code#one` what `singulars` has of them.
#[cfg(feature = "sentences")]
pub fn template(code: &str) -> Option<Cow<'static, str>> {
    static SINGULARS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let ones = SINGULARS.get_or_init(|| singulars(include_str!("../messages/en.plurals.json")));
    messages().get(code).or_else(|| ones.get(code)).map(|sentence| sentence.as_str().into())
}

/// What sentences are when the number in them is one: under `code#by` the argument with that number, under `code#one` the
/// sentence.
#[cfg(feature = "sentences")]
pub(crate) fn singulars(json: &str) -> BTreeMap<String, String> {
    let forms: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_str(json).unwrap_or_default();
    let flat = |(code, form): (String, BTreeMap<String, String>)| {
        form.into_iter().map(move |(name, text)| (format!("{code}#{name}"), text))
    };
    forms.into_iter().flat_map(flat).collect()
}

#[cfg(not(feature = "sentences"))]
pub use crate::base::host::{known_code, sentence as template};

/// A code that has a sentence.
#[cfg(feature = "sentences")]
pub fn known_code(code: &str) -> Option<&'static str> {
    messages().get_key_value(code).map(|(code, _)| code.as_str())
}

/// The sentence of a code with its arguments filled in; the code itself when it has no sentence.
pub fn render(code: &str, args: &Map<&'static str, String>) -> String {
    in_number(code, args, &template).map_or_else(|| code.to_owned(), |template| fill(&template, args))
}

/// The sentence of a code in the form that its number asks for: English has another for one.
pub(crate) fn in_number<'a>(
    code: &str,
    args: &Map<&'static str, String>,
    of: &dyn Fn(&str) -> Option<Cow<'a, str>>,
) -> Option<Cow<'a, str>> {
    let of_code = |form: &str| of(&[code, form].concat());
    let is_one = of_code("#by").is_some_and(|by| args.get(by.as_ref()).is_some_and(|number| number == "1"));
    of_code(if is_one { "#one" } else { "" })
}

/// A sentence with its arguments filled in.
pub(crate) fn fill(template: &str, args: &Map<&'static str, String>) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else { break };
        text.push_str(before);
        let value = |name: &str| args.get(name).map_or("", String::as_str);
        match (name.strip_prefix('#'), name.strip_prefix('>')) {
            (Some(count), _) => text.push_str(&grouped(value(count))),
            (_, Some(other)) => text.push_str(&render(value(other), args)),
            _ => text.push_str(value(name)),
        }
        rest = tail;
    }
    text.push_str(rest);
    text
}

/// A count with its thousands set apart: `1,000,000`.
fn grouped(digits: &str) -> String {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    let place = |index: usize| digits.len() - index;
    let set_apart = |index: usize| index > 0 && place(index).is_multiple_of(3);
    let mut text = String::new();
    for (index, char) in digits.char_indices() {
        text.push_str(if set_apart(index) { "," } else { "" });
        text.push(char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        for (digits, text) in [
            ("", ""),
            ("7", "7"),
            ("999", "999"),
            ("1000", "1,000"),
            ("12345678", "12,345,678"),
            ("1234.5", "1234.5"),
        ] {
            assert_eq!(grouped(digits), text);
        }
    }
}
