//! The sentences of the command line: a catalogue of their own, for no page has any use for them.

use super::style::shortened;
use crate::base::Problem;
use crate::base::sentences::{fill, in_number, singulars, template};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The English sentences of the command line by code.
pub fn sentences() -> &'static BTreeMap<String, String> {
    static SENTENCES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    SENTENCES.get_or_init(|| {
        serde_json::from_str(include_str!("../../data/messages/cli/en.json")).unwrap_or_default()
    })
}

/// The sentence of a code, its arguments filled in; the code itself when it has none.
pub fn say(code: &str, args: &[(&'static str, &str)]) -> String {
    let args = args.iter().map(|&(name, value)| (name, value.to_owned())).collect();
    sentence(code, &args)
}

fn sentence(code: &str, args: &crate::base::map::Map<&'static str, String>) -> String {
    in_number(code, args, &of).map_or_else(|| code.to_owned(), |template| fill(&template, args))
}

/// A sentence of this catalogue, or of the one that all share.
fn of(code: &str) -> Option<Cow<'static, str>> {
    static SINGULARS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let ones = SINGULARS.get_or_init(|| singulars(include_str!("../../data/messages/cli/en.plurals.json")));
    let own = sentences().get(code).or_else(|| ones.get(code));
    own.map(|sentence| sentence.as_str().into()).or_else(|| template(code))
}

/// The sentence of a problem, without its place.
pub fn said(problem: &Problem) -> String {
    let mut args = problem.args.clone();
    let is_quoted =
        |name: &str| of(problem.code).is_some_and(|words| words.contains(&format!("“{{{name}}}”")));
    for name in NAMED {
        if args.get(name).is_some_and(String::is_empty) && !is_quoted(name) {
            args.insert(name, EMPTY.to_owned());
        }
    }
    sentence(problem.code, &args)
}

/// Arguments that a person gave, which may be empty.
const NAMED: [&str; 5] = ["file", "found", "name", "parameter", "table"];
/// Most characters of a path that is shown.
const LONGEST_PATH: usize = 300;
/// Stands for an empty text.
const EMPTY: &str = "“”";

/// A problem with its place. `file` is where it was met, and `at` line and column in there.
pub fn described(problem: &Problem, file: Option<&str>, at: Option<(usize, usize)>) -> String {
    let place = &problem.place;
    let mut parts = Vec::new();
    let file = place.file.as_deref().or(file).map(|file| if file.is_empty() { EMPTY } else { file });
    match (file, at, place.row.zip(place.column)) {
        (Some(file), Some((line, column)), _) => parts.push(format!("{file}:{line}:{column}")),
        // Only what is no record has both.
        (Some(file), None, Some((line, column))) => {
            return format!("{file}:{line}:{column}: {}", said(problem));
        }
        (Some(file), None, None) => parts.push(file.to_owned()),
        (None, ..) => {}
    }
    let within = [
        (!place.path.is_empty()).then(|| shortened(&place.path, LONGEST_PATH)),
        place.column.map(|column| say("cli.at-column", &[("column", &column.to_string())])),
        place.row.map(|row| say("cli.at-row", &[("row", &row.to_string())])),
        place.offset.map(|offset| say("cli.at-byte", &[("byte", &offset.to_string())])),
        place.field.as_ref().map(|field| say("cli.at-field", &[("field", &shortened(field, LONGEST_PATH))])),
    ];
    let within: Vec<String> = within.into_iter().flatten().collect();
    if !within.is_empty() {
        parts.push(within.join(", "));
    }
    parts.push(said(problem));
    parts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::{sentences, singulars};
    use crate::base::sentences::{fill, messages};
    use crate::cli::style::{harmless, harmless_line, is_hidden};

    #[test]
    fn no_message_holds_what_a_terminal_obeys_whatever_its_arguments() {
        let ones = singulars(include_str!("../../data/messages/cli/en.plurals.json"));
        for template in messages().values().chain(sentences().values()).chain(ones.values()) {
            let names =
                template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
            let hostile = |name: &str| -> (&'static str, String) {
                let name: &'static str = name.trim_start_matches(['#', '>']).to_owned().leak();
                (name, "\x1b]0;x\x07\x1b[8m\u{9b}2J\r\u{202e}\u{200b}\u{feff}\u{61c}".to_owned())
            };
            let text = fill(template, &names.map(hostile).collect());
            for shown in [harmless(&text), harmless_line(&text)] {
                assert!(!shown.chars().any(|char| is_hidden(char) && char != '\t'), "{template}: {shown:?}");
            }
        }
    }

    #[test]
    fn colours_pass_and_nothing_else_does() {
        for kept in ["\x1b[1mbold\x1b[0m", "\x1b[38;5;12;48;2;1;2;3m▀\x1b[0m", "\x1b[38;5;1;49m▀", "a\tb"]
        {
            assert_eq!(harmless_line(kept), kept);
        }
        for (written, shown) in [
            ("\x1b[8mhidden", "\\x1B[8mhidden"),
            ("\x1b[1;8m", "\\x1B[1;8m"),
            ("\x1b[38;5m", "\\x1B[38;5m"),
            ("\x1b[2J", "\\x1B[2J"),
            ("\x1b]8;;x\x07", "\\x1B]8;;x\\x07"),
            ("a\nb", "a\\x0Ab"),
            ("\u{9b}m", "\\x9Bm"),
        ] {
            assert_eq!(harmless_line(written), shown);
        }
    }
}
