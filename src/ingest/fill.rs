//! From the places of fields in a window to values in columns.

use super::batch::Span;
use crate::field::read::{Reading, escaped, hex, integer};
use crate::records::{Column, Values};

/// Appends the value at each of `spans` in `bytes` to `column`. `ascii`: whether every byte is known to be below 128.
pub fn fill(column: &mut Column, reading: &Reading, bytes: &[u8], spans: &[Span], ascii: bool) {
    match reading {
        Reading::Text => strings(column, bytes, spans, |text, _| {
            if ascii || std::str::from_utf8(text).is_ok() { Ok(true) } else { Err("field.not-utf8") }
        }),
        Reading::Hex => strings(column, bytes, spans, |text, value| hex(text, value).map(|()| false)),
        Reading::Escaped => strings(column, bytes, spans, |text, value| escaped(text, value).map(|()| false)),
        Reading::Integer => integers(column, bytes, spans, integer),
        Reading::Time(format) => integers(column, bytes, spans, |text| {
            format
                .read(text)
                .or_else(|| format.read(text.trim_ascii()))
                .ok_or_else(|| if text.trim_ascii().is_empty() { "field.empty" } else { "field.not-a-time" })
        }),
    }
}

fn integers(
    column: &mut Column,
    bytes: &[u8],
    spans: &[Span],
    read: impl Fn(&[u8]) -> Result<i64, &'static str>,
) {
    let Values::Integers(values) = &mut column.values else { return };
    let mut refused = Vec::new();
    let before = values.len();
    values.extend(spans.iter().enumerate().map(|(index, &span)| {
        let value = span.of(bytes).ok_or("field.missing").and_then(&read);
        value.unwrap_or_else(|code| {
            refused.push((before + index, span, code));
            0
        })
    }));
    note(column, bytes, refused);
}

/// `read` says whether the text is the value itself (`true`) or the value was written to the scratch it is given.
fn strings(
    column: &mut Column,
    bytes: &[u8],
    spans: &[Span],
    read: impl Fn(&[u8], &mut Vec<u8>) -> Result<bool, &'static str>,
) {
    let Values::Strings { ids, dictionary } = &mut column.values else { return };
    let mut refused = Vec::new();
    let mut scratch = Vec::new();
    let before = ids.len();
    ids.extend(spans.iter().enumerate().map(|(index, &span)| {
        let text = span.of(bytes);
        let value = text.ok_or("field.missing").and_then(|text| {
            scratch.clear();
            Ok(if read(text, &mut scratch)? { text } else { &scratch })
        });
        let value = value.unwrap_or_else(|code| {
            refused.push((before + index, span, code));
            &[]
        });
        dictionary.intern(value)
    }));
    note(column, bytes, refused);
}

fn note(column: &mut Column, bytes: &[u8], refused: Vec<(usize, Span, &'static str)>) {
    for (row, span, code) in refused {
        column.note_invalid(row, span.of(bytes).unwrap_or_default(), code);
    }
}
