//! Made-up numbers and bytes, and their shapes.

use crate::records::field::{Field, Kind};
use crate::records::generate::{Random, made_up};

/// A number of the same digits.
pub fn number_like(text: &str, random: &mut Random) -> String {
    let mut first = true;
    let digit = |char: char| {
        if !char.is_ascii_digit() {
            return char;
        }
        let least = u8::from(first && char != '0');
        first = false;
        char::from(b'0' + least + random.below(10 - u64::from(least)) as u8)
    };
    text.chars().map(digit).collect()
}

/// Bytes of the same number, in the notation of the field.
pub fn bytes_like(text: &str, field: &Field, random: &mut Random) -> String {
    let shape = shape_of_bytes([text].into_iter(), field);
    if is_escaped(field) {
        return shape.chars().map(|_| format!("\\x{}", made_up("XX", random))).collect();
    }
    made_up(&shape, random)
}

/// True if bytes are written in the notation of the shell.
pub fn is_escaped(field: &Field) -> bool {
    field.kind == Kind::Bytes && field.format.as_deref().is_none_or(|format| format == "escaped")
}

/// The shape of the first of these, written in the notation of the field.
pub fn shape_of_bytes<'t>(mut texts: impl Iterator<Item = &'t str>, field: &Field) -> String {
    let text = texts.next().unwrap_or_default();
    if !is_escaped(field) {
        return text.chars().map(|char| if char.is_ascii_hexdigit() { 'x' } else { char }).collect();
    }
    let bytes = crate::bytes::row::from_string_binary(text).unwrap_or_default();
    // `~` stands for a byte until the notation is written.
    "~".repeat(bytes.len())
}

/// The shape of the first of these numbers.
pub fn shape_of_number<'t>(mut texts: impl Iterator<Item = &'t str>) -> String {
    let text = texts.next().unwrap_or_default();
    text.chars().map(|char| if char.is_ascii_digit() { '9' } else { char }).collect()
}
