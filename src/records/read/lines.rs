//! JSON Lines: one flat object a line. A nested value stays JSON text.

use super::batch::{FieldSpan, RecordBatch};
use super::csv::{LONGEST_RECORD, WindowProgress};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;

/// Reads records of JSON Lines.
#[derive(Debug)]
pub struct JsonLines {
    names: Vec<String>,
    index: HashMap<String, usize>,
}

impl JsonLines {
    /// A reader of objects whose members are the declared fields.
    pub fn new(declared: &[&str]) -> Self {
        Self {
            names: declared.iter().map(|&name| name.to_owned()).collect(),
            index: declared.iter().enumerate().map(|(index, &name)| (name.to_owned(), index)).collect(),
        }
    }

    /// Finds the members of every complete line of `bytes`, which end at `marks`. Escapes are undone in place.
    pub fn split(&self, bytes: &mut [u8], marks: &[u32], batch: &mut RecordBatch) -> WindowProgress {
        let mut taken = WindowProgress::default();
        let mut row = vec![FieldSpan::MISSING; self.names.len()];
        for (index, &mark) in marks.iter().enumerate() {
            let (start, end) = (taken.bytes, mark as usize);
            if end.saturating_sub(start) > LONGEST_RECORD {
                taken.too_long = true;
                break;
            }
            (taken.bytes, taken.marks) = ((end + 1).min(bytes.len()), index + 1);
            let Some(line) = bytes.get_mut(start..end).filter(|line| !line.trim_ascii().is_empty()) else {
                continue;
            };
            row.fill(FieldSpan::MISSING);
            match self.members(line, &mut row) {
                Ok(()) => {
                    for (spans, span) in batch.spans.iter_mut().zip(&row) {
                        spans.push(span.shifted(start as u32));
                    }
                    batch.starts.push(start as u32);
                }
                Err(code) => batch.refused.push((batch.starts.len() as u32, code)),
            }
        }
        taken
    }

    fn members(&self, line: &mut [u8], row: &mut [FieldSpan]) -> Result<(), &'static str> {
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err("input.not-an-object");
        }
        let mut json = serde_json::Deserializer::from_slice(line);
        let members = Members { lines: self, origin: line.as_ptr() as usize, row };
        json.deserialize_map(members).and_then(|()| json.end()).map_err(|_| "input.not-json")?;
        for span in row {
            let Some(value) = line.get_mut(span.start as usize..span.end as usize) else { continue };
            if value.contains(&b'\\') && value.first() == Some(&b'"') {
                let text: Result<String, _> = serde_json::from_slice(value);
                let text = text.or_else(|_| serde_json::from_slice(&without_halves(value)));
                let text = text.map_err(|_| "input.not-json")?;
                if let Some(place) = value.get_mut(1..=text.len()) {
                    place.copy_from_slice(text.as_bytes());
                }
                *span = FieldSpan { start: span.start + 1, end: span.start + 1 + text.len() as u32 };
            } else if value.first() == Some(&b'"') {
                *span = FieldSpan { start: span.start + 1, end: span.end - 1 };
            } else if value == b"null" {
                *span = FieldSpan::MISSING;
            }
        }
        Ok(())
    }
}

/// A JSON string with `?` for each half of a surrogate pair that stands alone, as Java writes it.
fn without_halves(json: &[u8]) -> Vec<u8> {
    let unit = |at: usize| {
        let digits = json.get(at..)?.strip_prefix(b"\\u")?.get(..4)?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut whole, mut at) = (Vec::with_capacity(json.len()), 0);
    while let Some(&byte) = json.get(at) {
        let taken = match (byte, unit(at)) {
            (b'\\', Some(0xd800..=0xdbff)) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => 12,
            (b'\\', Some(0xd800..=0xdfff)) => {
                whole.push(b'?');
                at += 6;
                continue;
            }
            // An escaped character cannot start another escape.
            (b'\\', _) => 2,
            _ => 1,
        };
        whole.extend_from_slice(json.get(at..at + taken).unwrap_or_default());
        at += taken;
    }
    whole
}

/// Notes where the value of each declared member lies in the line, which begins at address `origin`.
struct Members<'a> {
    lines: &'a JsonLines,
    origin: usize,
    row: &'a mut [FieldSpan],
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut expected = 0;
        while let Some(target) = map.next_key_seed(Member { lines: self.lines, expected })? {
            let Some(span) = target.and_then(|target| self.row.get_mut(target)) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            let start = value.get().as_ptr() as usize - self.origin;
            *span = FieldSpan { start: start as u32, end: (start + value.get().len()) as u32 };
            expected = target.map_or(0, |target| target + 1);
        }
        Ok(())
    }
}

/// The declared field a member's name means; the one after the last is tried first.
struct Member<'a> {
    lines: &'a JsonLines,
    expected: usize,
}

impl<'de> DeserializeSeed<'de> for Member<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Member<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        if self.lines.names.get(self.expected).is_some_and(|expected| expected == name) {
            return Ok(Some(self.expected));
        }
        Ok(self.lines.index.get(name).copied())
    }
}
