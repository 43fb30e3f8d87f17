//! From the places of fields in a window to values in columns.

use super::batch::FieldSpan;
use crate::records::columns::dictionary::same;
use crate::records::columns::{Column, ColumnValues};
use crate::records::field::read::{FieldReading, boolean, decimal, escaped, float, hex, integer, uuid};

/// The code of a value with bytes that are no text.
pub const BAD_BYTES: &str = "field.not-utf8";

/// Rows of which a value could not be read, its place and a message code.
type Refused = Vec<(usize, FieldSpan, &'static str)>;

/// Appends the value at each of `spans` in `bytes` to `column`. `ascii`: whether every byte is known to be below 128. Gives the rows
/// whose value has bytes that are no text.
pub fn fill(
    column: &mut Column,
    reading: &FieldReading,
    bytes: &[u8],
    spans: &[FieldSpan],
    ascii: bool,
) -> Vec<usize> {
    let refused = filled(column, reading, bytes, spans, ascii);
    note(column, bytes, refused)
}

/// The rows, on from `before`, whose value has bytes that are no text.
pub fn no_texts(bytes: &[u8], spans: &[FieldSpan], before: usize) -> Vec<usize> {
    let is_text = |span: &FieldSpan| span.of(bytes).is_none_or(|text| std::str::from_utf8(text).is_ok());
    (before..).zip(spans).filter(|(_, span)| !is_text(span)).map(|(row, _)| row).collect()
}

fn filled(
    column: &mut Column,
    reading: &FieldReading,
    bytes: &[u8],
    spans: &[FieldSpan],
    ascii: bool,
) -> Refused {
    match reading {
        FieldReading::Text => texts(column, bytes, spans, ascii),
        FieldReading::Hex => strings(column, bytes, spans, hex),
        FieldReading::Escaped => strings(column, bytes, spans, |text, value| {
            // Bytes are written as escapes: what is no text is in another encoding.
            if !ascii && std::str::from_utf8(text).is_err() { Err(BAD_BYTES) } else { escaped(text, value) }
        }),
        FieldReading::Uuid => strings(column, bytes, spans, uuid),
        FieldReading::Decimal => strings(column, bytes, spans, decimal),
        FieldReading::Integer => integers(column, bytes, spans, integer),
        FieldReading::Float => integers(column, bytes, spans, float),
        FieldReading::Boolean => integers(column, bytes, spans, boolean),
        FieldReading::Time(format) => {
            // Records mostly come in order of time, many at the same.
            let mut last: (&[u8], i64) = (&[], 0);
            integers(column, bytes, spans, |text| {
                if !last.0.is_empty() && same(text, last.0) {
                    return Ok(last.1);
                }
                let time = format.time(text)?;
                last = (text, time);
                Ok(time)
            })
        }
    }
}

fn integers<'a>(
    column: &mut Column,
    bytes: &'a [u8],
    spans: &[FieldSpan],
    mut read: impl FnMut(&'a [u8]) -> Result<i64, &'static str>,
) -> Refused {
    let ColumnValues::Integers(values) = &mut column.values else { return Refused::new() };
    let mut refused = Vec::new();
    let before = values.len();
    values.extend(spans.iter().enumerate().map(|(index, &span)| {
        let value = span.of(bytes).ok_or("field.missing").and_then(&mut read);
        value.unwrap_or_else(|code| {
            refused.push((before + index, span, code));
            0
        })
    }));
    refused
}

fn texts(column: &mut Column, bytes: &[u8], spans: &[FieldSpan], ascii: bool) -> Refused {
    let nullable = column.field.nullable;
    let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return Refused::new() };
    let mut refused = Vec::new();
    let before = ids.len();
    let texts = spans.iter().enumerate().map(|(index, &span)| {
        let code = match span.of(bytes) {
            Some(text) if ascii || std::str::from_utf8(text).is_ok() => return text,
            Some(_) => BAD_BYTES,
            None if nullable && span != FieldSpan::UNREAD => return &[],
            None => "field.missing",
        };
        refused.push((before + index, span, code));
        &[]
    });
    dictionary.intern_all(texts, ids);
    refused
}

/// Reads each text into bytes.
fn strings(
    column: &mut Column,
    bytes: &[u8],
    spans: &[FieldSpan],
    read: impl Fn(&[u8], &mut Vec<u8>) -> Result<(), &'static str>,
) -> Refused {
    let nullable = column.field.nullable;
    let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return Refused::new() };
    let mut refused = Vec::new();
    let mut value = Vec::new();
    for &span in spans {
        value.clear();
        let read = span.of(bytes).ok_or("field.missing").and_then(|text| read(text, &mut value));
        let is_null =
            |code| nullable && span != FieldSpan::UNREAD && matches!(code, "field.missing" | "field.empty");
        if let Err(code) = read.or_else(|code| if is_null(code) { Ok(()) } else { Err(code) }) {
            refused.push((ids.len(), span, code));
            value.clear();
        }
        ids.push(dictionary.intern(&value));
    }
    refused
}

fn note(column: &mut Column, bytes: &[u8], refused: Refused) -> Vec<usize> {
    let mut bad = Vec::new();
    for (row, span, code) in refused {
        let text = span.of(bytes).unwrap_or_default();
        let code = if std::str::from_utf8(text).is_err() { BAD_BYTES } else { code };
        if code == BAD_BYTES {
            bad.push(row);
        }
        match span {
            FieldSpan::UNREAD => column.invalid.set(row),
            _ => column.note_invalid(row, text, code),
        }
    }
    bad
}
