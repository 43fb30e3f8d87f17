//! The parts of row keys: what separates them, their fields, and the formula that gives the keys again.

use super::segments::{KeySegment, SegmentKind, escapes, lengths, segments_of};
use crate::base::limits::PARTS;
use crate::design::FirstSplits;
use crate::formula::{name_in_formula, text_in_formula};
use crate::records::field::{Field, Kind};
use crate::records::guess::time_format;
use serde::Serialize;

/// Bytes that stand between the parts of a key, those that separate nothing else first.
const SEPARATORS: [char; 11] = ['_', '|', '#', ';', ',', '\t', '/', ':', '-', '.', ' '];
/// Keys of bytes from which on what stands between their parts is no accident.
const FEW: usize = 3;
/// Regions of a table of which only keys are known: fewest and most.
const REGIONS: (usize, usize) = (2, 16);
/// Keys for each region from which the verdict takes none to be empty by accident.
const KEYS_A_REGION: usize = 9;
/// Examples of each part.
const EXAMPLES: usize = 3;
/// The name of keys that have no parts.
const WHOLE: &str = "key";

/// How row keys are built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeysGuess {
    /// The character between their parts; `None` for keys of one part.
    pub separator: Option<char>,
    /// Segments that all of them share: one for each part, or those of keys without parts.
    pub segments: Vec<KeySegment>,
    /// The formula that gives them.
    #[serde(skip)]
    pub rowkey: String,
    /// The field that tells when a row was written, of keys in a scan.
    #[serde(skip)]
    pub arrival: Option<String>,
    /// The splits of their table: its points where the shell printed them, else equal shares of the keys.
    #[serde(skip)]
    pub splits: FirstSplits,
}

/// Properties of keys that are known before they are looked at.
pub(super) struct KnownOfKeys<'a> {
    /// The name of their column, which makes them one part.
    pub name: Option<&'a str>,
    /// True if all are in the notation of the shell.
    pub escaped: bool,
}

/// A part of keys.
pub(super) struct KeyField {
    pub field: Field,
    pub examples: Vec<String>,
    /// The part as the formula gives it.
    written: String,
    segments: Vec<KeySegment>,
}

/// How keys are built: their parts, and a formula that gives them.
pub(super) fn built_of(lines: &[&str], known: &KnownOfKeys<'_>) -> (Vec<KeyField>, KeysGuess) {
    // Among a few bytes any may be alike.
    let few = lines.len() < if are_escaped(lines) { FEW } else { 1 };
    let separator = if known.name.is_some() || few { None } else { separator_of(lines) };
    let fields = match separator {
        Some(separator) => parts_of(lines, separator, known.escaped),
        None => vec![whole_of(lines, known)],
    };
    let between = separator.map(|separator| format!(" + {} + ", text_in_formula(&separator.to_string())));
    let written: Vec<&str> = fields.iter().map(|of| of.written.as_str()).collect();
    let keys = KeysGuess {
        separator,
        segments: fields.iter().flat_map(|of| of.segments.clone()).collect(),
        rowkey: written.join(between.as_deref().unwrap_or_default()),
        arrival: None,
        splits: first_splits(lines.len()),
    };
    (fields, keys)
}

/// The splits of a table of which so many keys are known.
pub(super) fn first_splits(keys: usize) -> FirstSplits {
    FirstSplits::Sample((keys / KEYS_A_REGION).clamp(REGIONS.0, REGIONS.1))
}

impl KeyField {
    /// A field whose text is not that of its part of the key.
    pub fn new(field: Field, examples: Vec<String>) -> Self {
        Self { field, examples, written: String::new(), segments: Vec::new() }
    }
}

/// Keys of one part: a time, or the whole key as it is.
fn whole_of(lines: &[&str], known: &KnownOfKeys<'_>) -> KeyField {
    let is_time =
        !lines.is_empty() && known.name.is_none() && !are_escaped(lines) && time_of(lines).is_some();
    if is_time {
        return part_of(lines, 1, known.escaped);
    }
    let field = field_of(known.name.unwrap_or(WHOLE).to_owned(), lines, known.escaped);
    let segments = if are_escaped(lines) { Vec::new() } else { segments_of(lines) };
    KeyField { written: name_in_formula(&field.name), field, segments, examples: examples(lines) }
}

fn parts_of(lines: &[&str], separator: char, escaped: bool) -> Vec<KeyField> {
    let mut rest: Vec<_> = lines.iter().map(|line| line.split(separator)).collect();
    let mut fields = Vec::new();
    loop {
        let values: Vec<&str> = rest.iter_mut().filter_map(Iterator::next).collect();
        if values.is_empty() {
            return fields;
        }
        fields.push(part_of(&values, fields.len() + 1, escaped));
    }
}

/// The part at a place counted from 1: a time if all texts are times of one format, else text or bytes as in the key.
fn part_of(values: &[&str], place: usize, escaped: bool) -> KeyField {
    let mut runs = if are_escaped(values) { Vec::new() } else { segments_of(values) };
    let segment = match (runs.pop(), runs.is_empty()) {
        (Some(only), true) => only,
        (Some(_), false) => KeySegment::new(SegmentKind::Text, lengths(values)),
        (None, _) => KeySegment::new(SegmentKind::Bytes, lengths(values)),
    };
    let examples = examples(values);
    let Some((format, steps)) = time_of(values) else {
        let field = field_of(format!("part{place}"), values, escaped);
        return KeyField { written: field.name.clone(), field, examples, segments: vec![segment] };
    };
    let name = format!("time{place}");
    let segment = KeySegment { kind: SegmentKind::Time, pattern: Some(format), ..segment };
    let zone = Some("Z".to_owned());
    let written = name.clone() + &steps;
    let field = Field {
        name,
        kind: Kind::Time,
        format: Some(format.to_owned()),
        zone,
        width: None,
        from: Vec::new(),
        nullable: false,
    };
    KeyField { field, examples, written, segments: vec![segment] }
}

/// True if a name is that of a part of keys.
pub(super) fn is_part(name: &str) -> bool {
    let place = ["part", "time", "micros", "nanos"].iter().find_map(|word| name.strip_prefix(word));
    place.is_some_and(|place| !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A field whose texts give the bytes of keys as they are.
fn field_of(name: String, values: &[&str], escaped: bool) -> Field {
    let is_bytes = escaped || are_escaped(values);
    let kind = if is_bytes { Kind::Bytes } else { Kind::Text };
    let format = is_bytes.then(|| "escaped".to_owned());
    Field { name, kind, format, zone: None, width: None, from: Vec::new(), nullable: false }
}

/// True if texts contain bytes that are escaped as by the shell.
pub(super) fn are_escaped(values: &[&str]) -> bool {
    values.iter().any(|value| escapes(value) > 0)
}

/// The character that cuts all keys into as many parts, none of them empty.
fn separator_of(lines: &[&str]) -> Option<char> {
    let number = |separator: char| lines.first().map_or(0, |line| line.matches(separator).count() + 1);
    let cuts = |&separator: &char| {
        let number = number(separator);
        let is_cut = |line: &&str| {
            line.matches(separator).count() + 1 == number
                && line.split(separator).all(|part| !part.is_empty())
        };
        // A separator between two parts is one, too.
        number > 1 && 2 * number <= PARTS.most as usize && lines.iter().all(is_cut)
    };
    SEPARATORS.into_iter().find(cuts)
}

/// The format of times, and the steps of a formula that write them so again.
fn time_of(values: &[&str]) -> Option<(&'static str, String)> {
    if values.iter().any(|value| value.trim() != *value) {
        return None;
    }
    let count = |value: &&str, digits: usize| {
        value.len() == digits && value.starts_with('1') && value.bytes().all(|byte| byte.is_ascii_digit())
    };
    if values.iter().all(|value| count(value, 13)) {
        return Some(("epoch-millis", ".millis().decimal(13)".to_owned()));
    }
    if values.iter().all(|value| count(value, 10)) {
        return Some(("epoch-seconds", ".seconds().decimal(10)".to_owned()));
    }
    let format = time_format(values).filter(|format| can_be_written(format))?;
    Some((format, format!(".format({})", text_in_formula(format))))
}

/// True if a formula can write this format: it writes no names, halves of days and offsets.
fn can_be_written(format: &str) -> bool {
    let letters: String = format.split('\'').step_by(2).collect();
    let other = ["epoch", "iso8601", "MMM"].iter().any(|word| letters.contains(word));
    !letters.is_empty() && !other && !letters.contains(['a', 'Z'])
}

fn examples(values: &[&str]) -> Vec<String> {
    values.iter().take(EXAMPLES).map(|&value| value.to_owned()).collect()
}
