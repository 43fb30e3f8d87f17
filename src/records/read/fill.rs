//! From the places of fields in a window to values in columns.

use super::batch::FieldSpan;
use crate::records::columns::dictionary::same;
use crate::records::columns::{Column, ColumnValues};
use crate::records::field::read::{FieldReading, boolean, decimal, escaped, float, hex, integer, uuid};

/// Appends the value at each of `spans` in `bytes` to `column`. `ascii`: whether every byte is known to be below 128.
pub fn fill(column: &mut Column, reading: &FieldReading, bytes: &[u8], spans: &[FieldSpan], ascii: bool) {
    match reading {
        FieldReading::Text => texts(column, bytes, spans, ascii),
        FieldReading::Hex => strings(column, bytes, spans, hex),
        FieldReading::Escaped => strings(column, bytes, spans, escaped),
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
            });
        }
    }
}

fn integers<'a>(
    column: &mut Column,
    bytes: &'a [u8],
    spans: &[FieldSpan],
    mut read: impl FnMut(&'a [u8]) -> Result<i64, &'static str>,
) {
    let ColumnValues::Integers(values) = &mut column.values else { return };
    let mut refused = Vec::new();
    let before = values.len();
    values.extend(spans.iter().enumerate().map(|(index, &span)| {
        let value = span.of(bytes).ok_or("field.missing").and_then(&mut read);
        value.unwrap_or_else(|code| {
            refused.push((before + index, span, code));
            0
        })
    }));
    note(column, bytes, refused);
}

fn texts(column: &mut Column, bytes: &[u8], spans: &[FieldSpan], ascii: bool) {
    let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return };
    let mut refused = Vec::new();
    let before = ids.len();
    let texts = spans.iter().enumerate().map(|(index, &span)| {
        let code = match span.of(bytes) {
            Some(text) if ascii || std::str::from_utf8(text).is_ok() => return text,
            Some(_) => "field.not-utf8",
            None => "field.missing",
        };
        refused.push((before + index, span, code));
        &[]
    });
    dictionary.intern_all(texts, ids);
    note(column, bytes, refused);
}

/// Reads each text into bytes.
fn strings(
    column: &mut Column,
    bytes: &[u8],
    spans: &[FieldSpan],
    read: impl Fn(&[u8], &mut Vec<u8>) -> Result<(), &'static str>,
) {
    let ColumnValues::Strings { ids, dictionary } = &mut column.values else { return };
    let mut refused = Vec::new();
    let mut value = Vec::new();
    for &span in spans {
        value.clear();
        if let Err(code) = span.of(bytes).ok_or("field.missing").and_then(|text| read(text, &mut value)) {
            refused.push((ids.len(), span, code));
            value.clear();
        }
        ids.push(dictionary.intern(&value));
    }
    note(column, bytes, refused);
}

fn note(column: &mut Column, bytes: &[u8], refused: Vec<(usize, FieldSpan, &'static str)>) {
    for (row, span, code) in refused {
        column.note_invalid(row, span.of(bytes).unwrap_or_default(), code);
    }
}
