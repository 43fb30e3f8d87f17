//! From the value of a field to its text: what [`super::read`] reads back.

use super::time::TimeFormat;
use super::{Field, Kind, float};
use crate::bytes::codec::double;
use crate::bytes::row::to_string_binary;

/// A number, or a time in the field's own format; one that has no such text as milliseconds.
pub fn number(field: &Field, value: i64) -> String {
    match field.kind {
        Kind::Float => return double::to_text(float::of_bits(value)),
        Kind::Boolean => return (value != 0).to_string(),
        _ => {}
    }
    let format = field.format.as_deref().filter(|_| field.kind == Kind::Time);
    let format = format.and_then(|format| TimeFormat::parse(format, field.zone.as_deref()).ok());
    format.and_then(|format| format.print(value)).unwrap_or_else(|| value.to_string())
}

/// A text as it is, bytes in the field's own notation.
pub fn string(field: &Field, value: &[u8]) -> String {
    match (field.kind, std::str::from_utf8(value)) {
        (Kind::Text | Kind::Decimal, Ok(text)) => text.to_owned(),
        (Kind::Bytes, _) if field.format.as_deref() == Some("hex") => hex(value),
        _ if field.format.as_deref() == Some("uuid") && value.len() == 16 => uuid(value),
        _ => to_string_binary(value),
    }
}

fn hex(value: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or('0');
    value.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// 16 bytes as a UUID.
fn uuid(value: &[u8]) -> String {
    let groups = [(0, 4), (4, 6), (6, 8), (8, 10), (10, 16)];
    let groups = groups.map(|(from, to)| hex(value.get(from..to).unwrap_or_default()));
    groups.join("-")
}
