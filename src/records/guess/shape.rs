//! The form of separated values: separator, quote, header.

use crate::base::Problem;
use crate::records::field::Kind;
use crate::records::read::csv::Csv;
use crate::records::read::marks::{MarkScanner, Quoting};
use std::collections::{HashMap, HashSet};

/// Records looked at.
pub const SAMPLE: usize = 1000;
/// Separators in order of preference.
const SEPARATORS: [u8; 5] = [b',', b'\t', b';', b'|', 0x01];
/// Share of records, in percent, that must have the same number of fields.
const CONSISTENT: usize = 80;
/// The same where each record holds the separator: a ragged row weighs much in a short file.
const CONSISTENT_IF_IN_ALL: usize = 60;
/// Texts from which on it says something that they are of one form.
const FEW: usize = 3;
/// Texts from which on it says something that they recur.
const MANY: usize = 10;
/// Names that head a column of keys.
const COMMON_NAMES: [&str; 24] = [
    "id",
    "key",
    "rowkey",
    "row_key",
    "name",
    "user",
    "user_id",
    "phone",
    "time",
    "date",
    "timestamp",
    "ts",
    "host",
    "hostname",
    "url",
    "value",
    "type",
    "event",
    "message",
    "code",
    "email",
    "device",
    "account",
    "order_id",
];

/// The form of a file and the records of its beginning.
pub struct SeparatedForm {
    pub separator: u8,
    pub quote: Option<u8>,
    pub header: bool,
    /// Fields of most records.
    pub width: usize,
    /// The header first, where there is one.
    pub records: Vec<Vec<String>>,
    pub problem: Option<Problem>,
}

/// `declared` are the columns that a design reads.
pub fn guess(text: &str, file_name: &str, declared: &[&str]) -> SeparatedForm {
    let (quote, is_open) = quote(text);
    let has_open_end = !text.ends_with(['\n', '\r']);
    // True where the first record holds all names that are declared, and where most records are as wide; how many are, and how wide; then
    // the separator and the records that it gives.
    type Candidate = ((bool, bool, usize, usize), u8, Vec<Vec<String>>);
    let mut best: Option<Candidate> = None;
    for &separator in &SEPARATORS {
        let records = records(text, separator, quote);
        // A last line that has no end may be cut short.
        let whole = records.split_last().filter(|(_, rest)| has_open_end && rest.len() > 1);
        let whole = whole.map_or(records.as_slice(), |(_, rest)| rest);
        let (width, share) = usual_width(whole);
        // A tab in a file named so is meant.
        let favoured = usize::from(separator == b'\t' && file_name.contains(".tsv"));
        let in_all = whole.iter().all(|record| record.len() > 1);
        let consistent = share >= if in_all { CONSISTENT_IF_IN_ALL } else { CONSISTENT };
        // Rows of any width, but beneath names.
        let named = whole.first().is_some_and(|first| holds_all(first, declared));
        let head = whole.first().filter(|first| named || in_all && names_columns(first, declared));
        let of_head = head.map_or(1, Vec::len);
        let width = match consistent {
            true if named => width.max(of_head),
            true => width,
            false => of_head,
        };
        let rank = (named, consistent, share + favoured * 20, width);
        if width > 1 && best.as_ref().is_none_or(|(best, ..)| rank > *best) {
            best = Some((rank, separator, records));
        }
    }
    let (width, separator, quote, records) = match best {
        Some(((.., width), separator, records)) => (width, separator, quote, records),
        None => fallback(text, quote),
    };
    let open = is_open.then(|| Problem::new("input.open-quotes"));
    let problem = open.or_else(|| (width == 1).then(|| spaces(&records)).flatten());
    let header = has_header(&records, width);
    SeparatedForm { separator, quote, header, width, records, problem }
}

/// True if a first record holds the names of all columns that a design reads, of which there are several.
fn holds_all(first: &[String], declared: &[&str]) -> bool {
    let names: HashSet<&str> = first.iter().map(|name| name.trim()).collect();
    declared.len() > 1 && declared.iter().all(|name| names.contains(name))
}

/// True if a first record holds the name of a column that a design reads, or words alone; a separator may end it.
fn names_columns(first: &[String], declared: &[&str]) -> bool {
    let is_plain = |name: &String| name == name.trim() && is_word(name);
    let words = first
        .split_last()
        .is_some_and(|(last, names)| names.iter().all(is_plain) && (last.is_empty() || is_plain(last)));
    first.len() > 1 && (words || first.iter().any(|name| declared.contains(&name.trim())))
}

/// One column, or several by single spaces.
fn fallback(text: &str, quote: Option<u8>) -> (usize, u8, Option<u8>, Vec<Vec<String>>) {
    // As in the log of a web server, where each line closes what it quotes.
    let even = text.contains(" \"") && text.lines().all(|line| line.matches('"').count().is_multiple_of(2));
    let spaced = if even { Some(b'"') } else { quote };
    let by_spaces = records(text, b' ', spaced);
    let (width, share) = usual_width(&by_spaces);
    if width > 2
        && share == 100
        && by_spaces.iter().all(|record| record.iter().all(|value| !value.is_empty()))
    {
        return (width, b' ', spaced, by_spaces);
    }
    // A separator that no value holds, so that a whole line is one value.
    let separator =
        SEPARATORS.into_iter().find(|&separator| !text.as_bytes().contains(&separator)).unwrap_or(b',');
    let records = records(text, separator, quote);
    let (width, _) = usual_width(&records);
    (width, separator, quote, records)
}

/// Columns set by runs of spaces are not read: say so.
fn spaces(records: &[Vec<String>]) -> Option<Problem> {
    let lines: Vec<&str> = records.iter().filter_map(|record| record.first().map(String::as_str)).collect();
    let columns = lines.first()?.split_whitespace().count();
    let even = lines.iter().all(|line| line.split_whitespace().count() == columns);
    (columns > 2 && even && lines.iter().any(|line| line.trim().contains("  ")))
        .then(|| Problem::new("input.columns-by-spaces").with("columns", columns))
}

/// The quote character: the one that encloses fields, none when quotes only stand inside them. And whether most lines open one that
/// none closes: then they are no quotes.
fn quote(text: &str) -> (Option<u8>, bool) {
    if text.contains('"') {
        let use_of = use_of(text.as_bytes(), b'"');
        let encloses = matches!(use_of, QuoteUse::Encloses | QuoteUse::OpensFew);
        return (encloses.then_some(b'"'), use_of == QuoteUse::OpensMany);
    }
    // An apostrophe may begin a word, and another end one.
    let mut fields = text.split([',', ';', '\t', '|', '\n', '\r']);
    let apostrophes = fields.any(|field| field.len() > 1 && field.starts_with('\'') && field.ends_with('\''));
    (Some(if apostrophes { b'\'' } else { b'"' }), false)
}

/// The use of a character that may be a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuoteUse {
    /// Fields begin with it, and end at the next that is not doubled: separators may stand between the two.
    Encloses,
    /// It stands within fields.
    Inside,
    /// Few lines open it, and none closes it: each of them is told.
    OpensFew,
    /// Most lines open it, and none closes it.
    OpensMany,
}

fn use_of(text: &[u8], quote: u8) -> QuoteUse {
    let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let is_end = |at: usize| text.get(at).is_none_or(|byte| is_line_end(byte) || SEPARATORS.contains(byte));
    let starts = |&at: &usize| text.get(at) == Some(&quote) && at.checked_sub(1).is_none_or(is_end);
    let (mut opened, mut is_inside) = (0, false);
    for start in (0..text.len()).filter(starts) {
        match closing(text, start, quote) {
            Some(end) if is_end(end + 1) => return QuoteUse::Encloses,
            // Not at the beginning of a field either.
            Some(end) if !is_end(end - 1) => is_inside = true,
            _ => opened += 1,
        }
    }
    let lines = text.split(is_line_end).filter(|line| !line.is_empty()).count();
    match opened {
        _ if is_inside || opened == 0 => QuoteUse::Inside,
        _ if opened <= (lines / 2).max(1) => QuoteUse::OpensFew,
        _ => QuoteUse::OpensMany,
    }
}

/// The next quote behind the one at `start` that is not doubled.
fn closing(text: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += text.get(at..)?.iter().position(|&byte| byte == quote)?;
        if text.get(at + 1) != Some(&quote) {
            return Some(at);
        }
        at += 2;
    }
}

/// The first records of a text that is written so.
pub fn records(text: &str, separator: u8, quote: Option<u8>) -> Vec<Vec<String>> {
    let mut marks = Vec::new();
    let scanner = MarkScanner::new(separator, quote);
    scanner.scan(text.as_bytes(), Quoting::Start, |at| marks.push(at as u32));
    if !text.ends_with(['\n', '\r']) {
        marks.push(text.len() as u32);
    }
    Csv::new(separator, quote, 0).texts(&mut text.as_bytes().to_vec(), &marks, SAMPLE)
}

/// The commonest number of fields, and the share of records that have it, in percent.
fn usual_width(records: &[Vec<String>]) -> (usize, usize) {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    records.iter().for_each(|record| *counts.entry(record.len()).or_default() += 1);
    let usual = counts.into_iter().max_by_key(|&(width, count)| (count, width));
    usual.map_or((1, 0), |(width, count)| (width, count * 100 / records.len().max(1)))
}

fn has_header(records: &[Vec<String>], width: usize) -> bool {
    let Some((first, rest)) = records.split_first() else { return false };
    if first.len() != width || first.iter().all(|name| name.trim().is_empty()) {
        return false;
    }
    if rest.is_empty() {
        return first.iter().all(|name| is_name(name));
    }
    let votes = first.iter().enumerate().map(|(index, name)| {
        let values: Vec<&str> =
            rest.iter().filter_map(|record| record.get(index).map(String::as_str)).collect();
        vote(name.trim(), &values)
    });
    let sum: i32 = votes.sum();
    sum > 0 || (sum == 0 && width > 1 && first.iter().all(|name| is_name(name)))
}

/// For (positive) or against `name` being the name of a column of these values.
fn vote(name: &str, values: &[&str]) -> i32 {
    if super::kind::guess("", &[name]).kind != Kind::Text {
        return -4;
    }
    if super::kind::guess("", values).kind != Kind::Text {
        return 4;
    }
    if name.is_empty() {
        return 0;
    }
    let filled: Vec<&str> = values.iter().copied().filter(|value| !value.is_empty()).collect();
    let common = 2 * i32::from(COMMON_NAMES.contains(&name.to_ascii_lowercase().as_str()));
    common
        + match () {
            () if filled.contains(&name) => -2,
            () if stands_out(name, &filled) => 2,
            () if is_alike(name, &filled) => -1,
            () => 0,
        }
}

/// True if these texts have something in common that `name` has not: digits, a form, that they are no words, that they recur.
fn stands_out(name: &str, texts: &[&str]) -> bool {
    let own = form(name);
    let of_another_form = || {
        let mut forms = texts.iter().map(|text| form(text));
        forms.next().is_some_and(|first| first != own && forms.all(|form| form == first))
    };
    (!has_digit(name) && !texts.is_empty() && texts.iter().all(|text| has_digit(text)))
        || texts.len() >= FEW && of_another_form()
        || texts.len() >= FEW && is_word(name) && !texts.iter().any(|text| is_word(text))
        || texts.len() >= MANY && is_name(name) && nearly_all_recur(texts)
}

/// True if `name` is as these texts are: all have digits, or the same capitals and digits at the same places.
fn is_alike(name: &str, texts: &[&str]) -> bool {
    let own = classes(name);
    let alike = |text: &&str| own.contains(&'A') && classes(text) == own;
    !texts.is_empty() && (texts.iter().all(|text| has_digit(text)) || texts.iter().all(alike))
}

/// True if of ten texts at most one stands alone.
fn nearly_all_recur(texts: &[&str]) -> bool {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    texts.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    counts.values().filter(|&&count| count == 1).count() * 10 <= texts.len()
}

/// For each character whether it is a digit (`0`), a capital of ASCII (`A`) or another letter (`a`); signs are themselves.
fn classes(text: &str) -> Vec<char> {
    let class = |char: char| match char {
        _ if char.is_ascii_digit() => '0',
        _ if char.is_ascii_uppercase() => 'A',
        _ if char.is_alphabetic() => 'a',
        sign => sign,
    };
    text.chars().map(class).collect()
}

/// The classes of a text's characters, each run of one class as one.
fn form(text: &str) -> Vec<char> {
    let mut classes = classes(text);
    classes.dedup();
    classes
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// A letter first, then letters, digits and `_`.
fn is_word(text: &str) -> bool {
    is_name(text) && text.chars().all(|char| char.is_alphanumeric() || char == '_')
}

/// Letters first, then letters, digits and a few signs, not long.
fn is_name(text: &str) -> bool {
    let text = text.trim();
    text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && text.chars().count() <= 40
        && text.chars().all(|char| char.is_alphanumeric() || "_-. ()/#:%".contains(char))
}
