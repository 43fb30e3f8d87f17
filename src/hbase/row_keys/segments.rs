//! Segments that all keys share, from their start.

use serde::Serialize;

/// Most segments of texts that have a structure.
const MOST: usize = 6;

/// Characters that all keys have in the same place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeySegment {
    /// Its kind.
    pub kind: SegmentKind,
    /// Fewest characters of it; of a key with escaped bytes, fewest bytes.
    pub min: usize,
    /// Most of them.
    pub max: usize,
    /// The text that all keys have there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The format of times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<&'static str>,
}

/// The kind of characters of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SegmentKind {
    /// Decimal digits.
    #[serde(rename = "digits")]
    Digits,
    /// Hexadecimal digits in lower case.
    #[serde(rename = "hex")]
    LowerHex,
    /// Hexadecimal digits in upper case.
    #[serde(rename = "HEX")]
    UpperHex,
    /// ASCII letters.
    #[serde(rename = "letters")]
    Letters,
    /// Any text.
    #[serde(rename = "text")]
    Text,
    /// Bytes, some of them escaped.
    #[serde(rename = "bytes")]
    Bytes,
    /// The same text in all keys.
    #[serde(rename = "same")]
    Same,
    /// A time.
    #[serde(rename = "time")]
    Time,
    /// A number in bytes.
    #[serde(rename = "number")]
    Number,
    /// A hash or a remainder of other parts.
    #[serde(rename = "computed")]
    Computed,
}

/// A kind of characters and a test for it.
type CharKind = (SegmentKind, fn(&char) -> bool);

/// The kinds of characters, the narrowest first.
const KINDS: [CharKind; 4] = [
    (SegmentKind::Digits, |char| char.is_ascii_digit()),
    (SegmentKind::LowerHex, |char| matches!(char, '0'..='9' | 'a'..='f')),
    (SegmentKind::UpperHex, |char| matches!(char, '0'..='9' | 'A'..='F')),
    (SegmentKind::Letters, |char| char.is_ascii_alphabetic()),
];

impl KeySegment {
    /// A segment of this kind with these lengths.
    pub(super) fn new(kind: SegmentKind, (min, max): (usize, usize)) -> Self {
        Self { kind, min, max, text: None, pattern: None }
    }

    fn same(text: &str, lengths: (usize, usize)) -> Self {
        Self { text: Some(text.to_owned()), ..Self::new(SegmentKind::Same, lengths) }
    }
}

/// The fewest and the most characters of texts; a byte escaped as by the shell counts one.
pub(super) fn lengths(values: &[&str]) -> (usize, usize) {
    let lengths = values.iter().map(|value| length(value));
    let (least, most) = (lengths.clone().min(), lengths.max());
    (least.unwrap_or_default(), most.unwrap_or_default())
}

fn length(value: &str) -> usize {
    value.chars().count().saturating_sub(3 * escapes(value))
}

/// Bytes of a text that are escaped as by the shell: `\xNN`.
pub(super) fn escapes(value: &str) -> usize {
    let digit = |byte: Option<&u8>| matches!(byte, Some(b'0'..=b'9' | b'A'..=b'F'));
    let is_escape =
        |after: &&str| after.len() >= 2 && after.as_bytes().iter().take(2).all(|byte| digit(Some(byte)));
    value.split("\\x").skip(1).filter(is_escape).count()
}

/// Segments of texts without escaped bytes, from their start: one if the texts have no structure.
pub(super) fn segments_of(values: &[&str]) -> Vec<KeySegment> {
    let Some((first, others)) = values.split_first() else { return Vec::new() };
    let lengths = lengths(values);
    if !others.is_empty() && others.iter().all(|value| value == first) {
        return vec![KeySegment::same(first, lengths)];
    }
    let whole = KINDS.iter().find(|(_, fits)| {
        values.iter().all(|value| !value.is_empty() && value.chars().all(|char| fits(&char)))
    });
    match whole {
        Some((kind, _)) => vec![KeySegment::new(*kind, lengths)],
        None if lengths.0 == 0 => vec![KeySegment::new(SegmentKind::Text, lengths)],
        None => runs_of(values, lengths),
    }
}

/// Runs of characters of one kind, as far as the shortest text reaches; the last takes what is left of the longer ones.
fn runs_of(values: &[&str], (min, max): (usize, usize)) -> Vec<KeySegment> {
    let mut places: Vec<_> = values.iter().map(|value| value.chars()).collect();
    let mut runs: Vec<KeySegment> = Vec::new();
    for _ in 0..min {
        let chars: Vec<char> = places.iter_mut().filter_map(Iterator::next).collect();
        let (kind, char) = kind_of(&chars);
        if let Some(last) = runs.last_mut().filter(|last| last.kind == kind) {
            (last.min, last.max) = (last.min + 1, last.max + 1);
            last.text.iter_mut().for_each(|text| text.push(char));
            continue;
        }
        runs.push(match kind {
            SegmentKind::Same => KeySegment::same(&char.to_string(), (1, 1)),
            _ => KeySegment::new(kind, (1, 1)),
        });
        if runs.len() > MOST {
            return vec![KeySegment::new(SegmentKind::Text, (min, max))];
        }
    }
    if let Some(last) = runs.last_mut() {
        last.max += max - min;
    }
    runs
}

/// The kind of the characters that texts have in one place, and the first of them.
fn kind_of(chars: &[char]) -> (SegmentKind, char) {
    let Some((first, others)) = chars.split_first() else { return (SegmentKind::Text, ' ') };
    // Digits that are the same so far are those of a greater number.
    if !others.is_empty() && !first.is_ascii_digit() && others.iter().all(|char| char == first) {
        return (SegmentKind::Same, *first);
    }
    let kind = KINDS.iter().find(|(_, fits)| chars.iter().all(fits));
    (kind.map_or(SegmentKind::Text, |(kind, _)| *kind), *first)
}
