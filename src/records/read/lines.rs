//! JSON Lines: one flat object a line. A nested value stays JSON text.

use super::batch::{FieldSpan, RecordBatch};
use super::csv::{LONGEST_RECORD, UnreadRecord, WindowProgress};
use super::encoding::UTF8_MARK;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// Reads records of JSON Lines.
#[derive(Clone, Debug)]
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
            let (mut start, end) = (taken.bytes, mark as usize);
            if end.saturating_sub(start) > LONGEST_RECORD {
                taken.unread = Some(UnreadRecord::too_long(bytes, start, &[], None));
                break;
            }
            let is_last = end >= bytes.len();
            (taken.bytes, taken.marks) = ((end + 1).min(bytes.len()), index + 1);
            if bytes.get(start..end).is_some_and(|line| line.starts_with(UTF8_MARK)) {
                batch.marked.push(batch.starts.len() as u32);
                start += UTF8_MARK.len();
            }
            let Some(line) = bytes.get_mut(start..end).filter(|line| !line.trim_ascii().is_empty()) else {
                continue;
            };
            row.fill(FieldSpan::MISSING);
            let record = batch.starts.len() as u32;
            let mut told = |column, code| batch.told.push((record, column, code));
            match self.members(line, &mut row, &mut told) {
                Ok(()) => {
                    for (spans, span) in batch.spans.iter_mut().zip(&row) {
                        spans.push(span.shifted(start as u32));
                    }
                    batch.starts.push(start as u32);
                }
                Err(LineTrouble::Cut) if is_last => taken.cut = true,
                Err(LineTrouble::Cut) => batch.add_unread(start as u32, NOT_JSON),
                Err(LineTrouble::Refused(code)) => batch.add_unread(start as u32, code),
            }
        }
        taken
    }

    fn members(
        &self,
        line: &mut [u8],
        row: &mut [FieldSpan],
        told: &mut dyn FnMut(usize, &'static str),
    ) -> Result<(), LineTrouble> {
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err(LineTrouble::Refused("input.not-an-object"));
        }
        let mut twice = BTreeSet::new();
        let mut parse = |line: &[u8]| {
            row.fill(FieldSpan::MISSING);
            twice.clear();
            let mut json = serde_json::Deserializer::from_slice(line);
            let members = Members { lines: self, origin: line.as_ptr() as usize, row, twice: &mut twice };
            json.deserialize_map(members).and_then(|()| json.end())
        };
        let read = parse(line);
        // A value with bytes that are no text costs itself, not its record.
        let read =
            if read.is_err() && std::str::from_utf8(line).is_err() { parse(&as_text(line)) } else { read };
        read.map_err(|error| if error.is_eof() { LineTrouble::Cut } else { NOT_JSON.into() })?;
        twice.into_iter().for_each(|column| told(column, "input.member-twice"));
        for (column, span) in row.iter_mut().enumerate() {
            let Some(value) = line.get_mut(span.start as usize..span.end as usize) else { continue };
            if value.first() != Some(&b'"') {
                *span = if value == b"null" { FieldSpan::MISSING } else { *span };
            } else if value.contains(&b'\\') && std::str::from_utf8(value).is_ok() {
                let text: Result<String, _> = serde_json::from_slice(value);
                let text = text.or_else(|_| {
                    told(column, "input.lone-surrogate");
                    serde_json::from_slice(&without_halves(value))
                });
                let text = text.map_err(|_| LineTrouble::from(NOT_JSON))?;
                if let Some(place) = value.get_mut(1..=text.len()) {
                    place.copy_from_slice(text.as_bytes());
                }
                *span = FieldSpan { start: span.start + 1, end: span.start + 1 + text.len() as u32 };
            } else {
                *span = FieldSpan { start: span.start + 1, end: span.end - 1 };
            }
        }
        Ok(())
    }
}

/// Why a line gives no record.
enum LineTrouble {
    /// It ends too early.
    Cut,
    /// It is none, by this code.
    Refused(&'static str),
}

impl From<&'static str> for LineTrouble {
    fn from(code: &'static str) -> Self {
        Self::Refused(code)
    }
}

const NOT_JSON: &str = "input.not-json";

/// A line with something in the place of every byte that is no text, so that its members can be found.
fn as_text(line: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.extend_from_slice(chunk.valid().as_bytes());
        text.resize(text.len() + chunk.invalid().len(), b'\x7f');
    }
    text
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
    /// The members that were there before; the last of each counts.
    twice: &'a mut BTreeSet<usize>,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut expected = 0;
        while let Some(target) = map.next_key_seed(Member { lines: self.lines, expected })? {
            let Some((target, span)) = target.and_then(|target| Some((target, self.row.get_mut(target)?)))
            else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if *span != FieldSpan::MISSING {
                self.twice.insert(target);
            }
            let value: &RawValue = map.next_value()?;
            let start = value.get().as_ptr() as usize - self.origin;
            *span = FieldSpan { start: start as u32, end: (start + value.get().len()) as u32 };
            expected = target + 1;
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
