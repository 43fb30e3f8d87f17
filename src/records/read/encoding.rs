//! From bytes to UTF-8: by byte order mark, else as a person says, else UTF-8. Never by a guess, for a wrong one changes keys.
//!
//! Bytes that are invalid in the encoding stay invalid UTF-8, so the reader reports them by row and field and ignores the value.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How text is written as bytes; the names are those of the WHATWG encoding standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextEncoding {
    /// UTF-8.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, low byte first.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, high byte first.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// Windows-1252, of which Latin-1 is a part.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// Who says in which encoding a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EncodingBy {
    /// Its byte order mark.
    Mark,
    /// A person.
    Given,
    /// Nobody: it is assumed.
    #[default]
    Assumed,
}

/// The byte order mark in UTF-8.
pub const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
/// Byte order marks.
const MARKS: [(&[u8], TextEncoding); 3] = [
    (UTF8_MARK, TextEncoding::Utf8),
    (b"\xff\xfe", TextEncoding::Utf16Le),
    (b"\xfe\xff", TextEncoding::Utf16Be),
];
/// Bytes of the longest mark.
const LONGEST_MARK: usize = 3;
/// A byte that UTF-8 never holds.
const NO_TEXT: u8 = 0xff;

/// Characters of windows-1252 in place of the control characters 0x80 to 0x9f.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

impl TextEncoding {
    /// All encodings by their names.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("utf-8", Self::Utf8),
        ("windows-1252", Self::Windows1252),
        ("utf-16le", Self::Utf16Le),
        ("utf-16be", Self::Utf16Be),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, encoding)| *encoding == self).map_or("", |(name, _)| name)
    }

    /// The encoding that the byte order mark of a file says.
    pub fn marked(head: &[u8]) -> Option<Self> {
        MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, encoding)| *encoding)
    }
}

/// The encoding of UTF-16 without a byte order mark, as text of Western scripts looks in it.
pub fn unmarked_utf16(head: &[u8]) -> Option<TextEncoding> {
    let (pairs, _) = head.as_chunks::<2>();
    let high = pairs.iter().filter(|pair| pair[0] == 0).count();
    let low = pairs.iter().filter(|pair| pair[1] == 0).count();
    // A zero byte in nearly every pair, always on the same side.
    if low > pairs.len() / 2 && high < pairs.len() / 20 + 1 {
        return Some(TextEncoding::Utf16Le);
    }
    (high > pairs.len() / 2 && low < pairs.len() / 20 + 1).then_some(TextEncoding::Utf16Be)
}

/// All bytes of a file as UTF-8, as far as they are text.
pub fn decoded(bytes: &[u8], given: Option<TextEncoding>) -> Vec<u8> {
    let mut decoder = TextDecoder::new(given);
    let mut text = decoder.decode(bytes).into_owned();
    text.extend_from_slice(&decoder.finish().0);
    text
}

/// Turns the pieces of a file into UTF-8 without a byte order mark.
#[derive(Clone, Debug, Default)]
pub struct TextDecoder {
    given: Option<TextEncoding>,
    encoding: TextEncoding,
    by: EncodingBy,
    /// True once the first bytes were looked at.
    begun: bool,
    /// Bytes that wait for what belongs to them: of a mark, or of a code unit.
    held: Vec<u8>,
    /// A high surrogate that waits for the low one.
    high: Option<u16>,
}

impl TextDecoder {
    /// For a file in this encoding, unless its mark says otherwise.
    pub fn new(given: Option<TextEncoding>) -> Self {
        Self { given, ..Self::default() }
    }

    /// The encoding, and who says so; settled by the first bytes.
    pub fn encoding(&self) -> (TextEncoding, EncodingBy) {
        (self.encoding, self.by)
    }

    /// True once its first bytes were decoded.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Ready for another file.
    pub fn restart(&mut self) {
        *self = Self::new(self.given);
    }

    /// The next piece as UTF-8.
    pub fn decode<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.begun {
            return self.begin(piece);
        }
        match self.encoding {
            TextEncoding::Utf8 => piece.into(),
            TextEncoding::Windows1252 => {
                piece.iter().map(|&byte| windows_1252(byte)).collect::<String>().into_bytes().into()
            }
            TextEncoding::Utf16Le => self.units(piece, u16::from_le_bytes).into(),
            TextEncoding::Utf16Be => self.units(piece, u16::from_be_bytes).into(),
        }
    }

    /// The remaining bytes at the end of the file, and true if it ends within a character.
    pub fn finish(&mut self) -> (Vec<u8>, bool) {
        let mut rest = Vec::new();
        if !self.begun {
            let held = std::mem::take(&mut self.held);
            rest = self.settle(&held).into_owned();
        }
        let cut = !self.held.is_empty() || self.high.is_some();
        if let Some(high) = self.high.take() {
            push_unit(&mut rest, high);
        }
        rest.extend(self.held.drain(..).map(|_| NO_TEXT));
        (rest, cut)
    }

    /// Waits until a mark can be told.
    fn begin<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, [u8]> {
        if self.held.is_empty() && piece.len() >= LONGEST_MARK {
            return self.settle(piece);
        }
        self.held.extend_from_slice(piece);
        if self.held.len() < LONGEST_MARK {
            return Cow::default();
        }
        let first = std::mem::take(&mut self.held);
        self.settle(&first).into_owned().into()
    }

    /// Takes the mark off the first bytes.
    fn settle<'a>(&mut self, first: &'a [u8]) -> Cow<'a, [u8]> {
        self.begun = true;
        (self.encoding, self.by) = match (TextEncoding::marked(first), self.given) {
            (Some(marked), _) => (marked, EncodingBy::Mark),
            (None, Some(given)) => (given, EncodingBy::Given),
            (None, None) => (TextEncoding::Utf8, EncodingBy::Assumed),
        };
        let mark = MARKS.iter().find(|(mark, _)| first.starts_with(mark)).map_or(0, |(mark, _)| mark.len());
        self.decode(first.get(mark..).unwrap_or_default())
    }

    /// Code units of UTF-16 as UTF-8. Half a surrogate pair stays no text.
    fn units(&mut self, piece: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
        let mut text = Vec::with_capacity(piece.len());
        for &byte in piece {
            let Some(first) = self.held.pop() else {
                self.held.push(byte);
                continue;
            };
            let next = unit([first, byte]);
            match (self.high.take(), next) {
                (Some(high), 0xdc00..=0xdfff) => {
                    let pair = char::decode_utf16([high, next]).flatten();
                    pair.for_each(|char| text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()));
                    continue;
                }
                (Some(high), _) => push_unit(&mut text, high),
                (None, _) => {}
            }
            match next {
                0xd800..=0xdbff => self.high = Some(next),
                _ => push_unit(&mut text, next),
            }
        }
        text
    }
}

/// Appends a code unit; half a surrogate pair as a byte that is no text.
fn push_unit(text: &mut Vec<u8>, unit: u16) {
    match char::from_u32(unit.into()) {
        Some(char) => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        None => text.push(NO_TEXT),
    }
}

/// True if this is no text: control characters that text does not hold, in number.
pub fn is_binary(text: &str) -> bool {
    let odd = text
        .chars()
        .filter(|&char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{1}' | '\u{1f}'));
    odd.count() * 50 > text.chars().count()
}

/// A byte of windows-1252.
pub fn windows_1252(byte: u8) -> char {
    let index = usize::from(byte.wrapping_sub(0x80));
    WINDOWS_1252.get(index).copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pieces(bytes: &[u8], size: usize, given: Option<TextEncoding>) -> (Vec<u8>, bool) {
        let (mut decoder, mut all) = (TextDecoder::new(given), Vec::new());
        bytes.chunks(size).for_each(|piece| all.extend_from_slice(&decoder.decode(piece)));
        let (rest, cut) = decoder.finish();
        all.extend_from_slice(&rest);
        (all, cut)
    }

    #[test]
    fn characters_and_marks_cut_by_pieces_stay_whole() {
        let text = "phone,ü\u{1d11e}\n";
        let units =
            |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let marked = format!("\u{feff}{text}");
        for (given, bytes) in [
            (Some(TextEncoding::Utf16Le), units(text, u16::to_le_bytes)),
            (Some(TextEncoding::Utf16Be), units(text, u16::to_be_bytes)),
            (None, text.as_bytes().to_vec()),
            (None, marked.as_bytes().to_vec()),
            (None, units(&marked, u16::to_le_bytes)),
            (Some(TextEncoding::Windows1252), units(&marked, u16::to_be_bytes)),
        ] {
            for size in 1..=bytes.len() {
                let found = in_pieces(&bytes, size, given);
                assert_eq!(found, (text.as_bytes().to_vec(), false), "{given:?} in pieces of {size}");
            }
        }
        let windows = Some(TextEncoding::Windows1252);
        assert_eq!(in_pieces(b"\x80\xfc", 1, windows).0, "€ü".as_bytes());
    }

    #[test]
    fn halves_of_pairs_and_of_units_are_no_text() {
        let given = Some(TextEncoding::Utf16Le);
        for (bytes, cut) in [
            (&b"a\0\x00\xd8b\0"[..], false),
            (b"a\0\x00\xdcb\0", false),
            (b"a\0\x00\xd8", true),
            (b"a\0b", true),
        ] {
            for size in 1..=bytes.len() {
                let (text, found) = in_pieces(bytes, size, given);
                assert!(std::str::from_utf8(&text).is_err() && text.starts_with(b"a"), "{bytes:?}: {text:?}");
                assert_eq!(found, cut, "{bytes:?}");
            }
        }
    }
}
