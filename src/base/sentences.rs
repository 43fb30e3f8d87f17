//! Sentences of codes: looked up, put in the number of their arguments, filled in.
//!
//! The core never builds sentences: they live in `data/messages/en.json`, shared by the page, the command line and the docs.
//! Without the feature `sentences` the file is left out and a host supplies them: see [`super::host`].

use super::map::Map;
use std::borrow::Cow;
#[cfg(feature = "sentences")]
use std::collections::BTreeMap;
#[cfg(feature = "sentences")]
use std::sync::OnceLock;

/// The English sentences by code; `{name}` marks an argument, `{#name}` one that is a count, `{>name}` one that is the
/// code of another sentence.
#[cfg(feature = "sentences")]
pub fn messages() -> &'static BTreeMap<String, String> {
    static MESSAGES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    MESSAGES
        .get_or_init(|| serde_json::from_str(include_str!("../../data/messages/en.json")).unwrap_or_default())
}

/// The sentence of a code, its arguments not filled in; of `code#by` and `code#one` what `singulars` has of them.
#[cfg(feature = "sentences")]
pub fn template(code: &str) -> Option<Cow<'static, str>> {
    static SINGULARS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let ones = SINGULARS.get_or_init(|| singulars(include_str!("../../data/messages/en.plurals.json")));
    messages().get(code).or_else(|| ones.get(code)).map(|sentence| sentence.as_str().into())
}

/// The forms of sentences whose number is one: under `code#by` the argument with that number, under `code#one` the
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

/// A conclusion in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// A headline without a final full stop.
    pub title: String,
    /// The evidence in whole sentences; empty where the title has it all.
    pub detail: String,
}

impl Conclusion {
    /// The sentences `code` and `code.detail` with their arguments filled in.
    pub fn of(code: &str, args: &Map<&'static str, String>) -> Self {
        let detail = in_number(&[code, ".detail"].concat(), args, &template);
        let detail = detail.map_or_else(String::new, |template| fill(&template, args).trim_end().to_owned());
        Self { title: render(code, args), detail }
    }

    /// Adds a sentence to the evidence.
    pub fn add(&mut self, sentence: &str) {
        if !self.detail.is_empty() {
            self.detail.push(' ');
        }
        self.detail.push_str(sentence);
    }

    /// Title and detail as one text.
    pub fn message(&self) -> String {
        [self.title.as_str(), self.detail.as_str()][..1 + usize::from(!self.detail.is_empty())].join(". ")
    }
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

/// A sentence with its arguments filled in. Braces around a quote are JSON that the sentence shows, and stay.
pub fn fill(template: &str, args: &Map<&'static str, String>) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else { break };
        text.push_str(before);
        if !is_argument(name) {
            text.push('{');
            rest = after;
            continue;
        }
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

/// True for a name in braces; what else stands in braces is text, such as JSON.
fn is_argument(name: &str) -> bool {
    let name = name.strip_prefix(['#', '>']).unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A count with its thousands set apart: `1,000,000`, `1,234.5`.
fn grouped(number: &str) -> String {
    let (digits, rest) = number.find('.').map_or((number, ""), |point| number.split_at(point));
    let decimals = rest.strip_prefix('.').unwrap_or("0");
    if [digits, decimals]
        .iter()
        .any(|part| part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return number.to_owned();
    }
    let place = |index: usize| digits.len() - index;
    let set_apart = |index: usize| index > 0 && place(index).is_multiple_of(3);
    let mut text = String::new();
    for (index, char) in digits.char_indices() {
        text.push_str(if set_apart(index) { "," } else { "" });
        text.push(char);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::{fill, grouped};

    #[test]
    fn braces_around_json_are_no_argument() {
        let args = [("name", "x".to_owned())].into_iter().collect();
        assert_eq!(fill(r#"{name}, as in { "a": {"b": {name}} }"#, &args), r#"x, as in { "a": {"b": x} }"#);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (digits, text) in [
            ("", ""),
            ("7", "7"),
            ("999", "999"),
            ("1000", "1,000"),
            ("12345678", "12,345,678"),
            ("1234.5", "1,234.5"),
        ] {
            assert_eq!(grouped(digits), text);
        }
    }
}
