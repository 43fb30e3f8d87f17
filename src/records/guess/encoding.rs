//! From bytes to text: byte order marks, UTF-16 by its zero bytes, windows-1252 for what is not UTF-8.

use serde::Serialize;

/// How text is written as bytes; the names are those of the WHATWG encoding standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TextEncoding {
    /// UTF-8.
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

/// Characters of windows-1252 in place of the control characters 0x80 to 0x9f.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// The encoding of a file that begins with `head`, and its text without a byte order mark.
pub fn decode(head: &[u8]) -> (TextEncoding, String) {
    let encoding = guess(head);
    let text = match encoding {
        TextEncoding::Utf8 => {
            String::from_utf8_lossy(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)).into_owned()
        }
        TextEncoding::Utf16Le => utf16(head, u16::from_le_bytes),
        TextEncoding::Utf16Be => utf16(head, u16::from_be_bytes),
        TextEncoding::Windows1252 => head.iter().map(|&byte| windows_1252(byte)).collect(),
    };
    (encoding, text)
}

fn guess(head: &[u8]) -> TextEncoding {
    if head.starts_with(b"\xff\xfe") {
        return TextEncoding::Utf16Le;
    }
    if head.starts_with(b"\xfe\xff") {
        return TextEncoding::Utf16Be;
    }
    let (pairs, _) = head.as_chunks::<2>();
    let high = pairs.iter().filter(|pair| pair[0] == 0).count();
    let low = pairs.iter().filter(|pair| pair[1] == 0).count();
    // Western text has a zero byte in nearly every pair, always on the same side.
    if low > pairs.len() / 2 && high < pairs.len() / 20 + 1 {
        return TextEncoding::Utf16Le;
    }
    if high > pairs.len() / 2 && low < pairs.len() / 20 + 1 {
        return TextEncoding::Utf16Be;
    }
    match std::str::from_utf8(head) {
        Ok(_) => TextEncoding::Utf8,
        // The head may end in the middle of a character.
        Err(error) if error.error_len().is_none() => TextEncoding::Utf8,
        Err(_) => TextEncoding::Windows1252,
    }
}

/// True if this is no text: control characters that text does not hold, in number.
pub fn is_binary(text: &str) -> bool {
    let odd = text
        .chars()
        .filter(|&char| char.is_control() && !matches!(char, '\t' | '\n' | '\r' | '\u{1}' | '\u{1f}'));
    odd.count() * 50 > text.chars().count()
}

fn utf16(head: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = head.as_chunks::<2>().0.iter().map(|&pair| unit(pair));
    let text: String =
        char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// A byte of windows-1252.
pub fn windows_1252(byte: u8) -> char {
    let index = usize::from(byte.wrapping_sub(0x80));
    WINDOWS_1252.get(index).copied().unwrap_or(char::from(byte))
}
