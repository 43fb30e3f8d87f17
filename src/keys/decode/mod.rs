//! A row key back into the fields it was made of.
//!
//! The readable parts follow from the properties of the values: how wide they are, which bytes occur in them, what ends
//! them, and which steps keep them. A key is cut into parts in every way these allow; every way must give back the very
//! bytes when the key is made again from the fields. Several ways left are several records that share the key.

mod collide;
mod cut;
mod kinds;
mod lost;
mod read;
mod spread;
mod start;
mod value;

pub use collide::{Collision, collision, collision_among};
pub use lost::lost;
pub use start::decode_start;

use crate::base::Problem;
use crate::base::map::Map;
use crate::bytes::row;
use crate::formula::typed::{Expression, TypedFormula};
use crate::formula::vector::Vector;
use crate::records::field::Field;
use crate::records::field::write;
use cut::{KeyCuts, SequencePiece};
use read::{KeyReader, back};
use serde::Serialize;
use spread::{FieldHint, gathered};
use value::{KnownFields, NoValue, belongs, bytes_of, evaluate, of_bytes};

/// Most readings of a key that are listed.
pub const MOST_READINGS: usize = 16;

/// Most bytes of a key that a problem shows.
const SHOWN: usize = 24;

/// A row key read back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoded {
    /// The kind of the record, of a table that holds several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The parts of the formula, in order.
    pub parts: Vec<DecodedPart>,
    /// All declared fields, in order.
    pub fields: Vec<DecodedField>,
    /// The ways in which the key can be read; more than one when it is ambiguous.
    pub readings: Vec<KeyReading>,
    /// True if there are, or may be, more readings than those.
    pub more: bool,
    /// Remarks on the key as a whole: that it is ambiguous, or that parts of it contradict each other.
    pub problems: Vec<Problem>,
}

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecodedPart {
    /// The part in the formula.
    pub text: String,
    /// Its first byte in the key and the byte after its last, counted from 0; `None` when readings differ.
    pub span: Option<(usize, usize)>,
    /// The names of the fields it is made of.
    pub fields: Vec<String>,
}

/// A field as the key tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecodedField {
    /// Name of the field.
    pub name: String,
    /// Its value in its own notation; `None` when the key does not tell.
    pub value: Option<String>,
    /// Why the key does not tell.
    pub lost: Option<Problem>,
}

/// One way to read a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyReading {
    /// First byte and byte after the last of each part.
    pub spans: Vec<(usize, usize)>,
    /// The value of each field, in its own notation; `None` when it is not told.
    pub values: Vec<Option<String>>,
}

/// A reading while it is worked on.
#[derive(Clone)]
struct FoundReading {
    ends: Vec<usize>,
    known: KnownFields,
    /// A part that the fields make otherwise, and the bytes they make; `None` when they make none.
    differs: Option<(usize, Option<Vec<u8>>)>,
}

/// Reads a key made by a formula over these fields.
///
/// # Errors
/// The formula cannot produce this key: names the part that does not match and the bytes found instead.
pub fn decode(typed: &TypedFormula, fields: &[Field], key: &[u8]) -> Result<Decoded, Problem> {
    row::check_length(key.len())?;
    if !typed.kinds.is_empty() {
        return kinds::by_kind(typed, fields, key);
    }
    let (found, more) = read_all(typed, key)?;
    let Some(first) = found.first() else { return Err(Problem::new("decode.too-many")) };
    let mut problems = Vec::new();
    // Where readings were left untried, one of those may agree.
    if let Some((part, made)) = first.differs.as_ref().filter(|_| !more) {
        problems.push(contradiction(typed, key, first, *part, made.as_deref()));
    }
    if let Some(second) = found.get(1) {
        problems.push(ambiguity(typed, key, [first, second], found.len(), more));
    } else if more {
        problems.push(Problem::new("decode.too-many"));
    }
    Ok(Decoded {
        kind: None,
        parts: decoded_parts(typed, fields, first, &found, more),
        fields: decoded_fields(typed, fields, first, &found, more),
        readings: found.iter().map(|found| found.told(typed, fields)).collect(),
        more,
        problems,
    })
}

/// The readings of a key, those that agree with all of it if there are any, and whether some were left untried. Columns at its end
/// that are NULL have left out separators.
///
/// # Errors
/// There are none, and none was left untried.
fn read_all(typed: &TypedFormula, key: &[u8]) -> Result<(Vec<FoundReading>, bool), Problem> {
    if typed.nullable_end.separators == 0 { read_whole(typed, key) } else { read_shortened(typed, key) }
}

/// The same for a key that may lack separators at its end.
#[inline(never)]
fn read_shortened(typed: &TypedFormula, key: &[u8]) -> Result<(Vec<FoundReading>, bool), Problem> {
    let end = typed.nullable_end;
    let (mut all, mut first_problem) = (Vec::new(), None);
    let mut padded = key.to_vec();
    for left_out in 0..=end.separators {
        match read_whole(typed, &padded) {
            Ok((mut found, more)) => {
                let last = |reading: &FoundReading| span(&reading.ends, typed.parts.len().saturating_sub(1));
                found.retain(|reading| {
                    let (from, to) = last(reading);
                    end.length(&padded, to - from) == key.len()
                });
                for reading in &mut found {
                    reading.ends.iter_mut().for_each(|end| *end = (*end).min(key.len()));
                }
                all.append(&mut found);
                if more {
                    return Ok((all, more));
                }
            }
            Err(problem) if left_out == 0 => first_problem = Some(problem),
            Err(_) => {}
        }
        padded.push(0);
    }
    if all.iter().any(|reading| reading.differs.is_none()) {
        all.retain(|reading| reading.differs.is_none());
    }
    match first_problem {
        _ if !all.is_empty() => Ok((all, false)),
        Some(problem) => Err(problem),
        None => Err(misfit(typed, key, typed.parts.len(), key.len())),
    }
}

/// The same for a key with all separators.
fn read_whole(typed: &TypedFormula, key: &[u8]) -> Result<(Vec<FoundReading>, bool), Problem> {
    let pieces = SequencePiece::parts(typed);
    let cuts = KeyCuts::new(&pieces, key);
    if !cuts.fit() {
        let (index, at) = cuts.stuck();
        return Err(misfit(typed, key, index, at));
    }
    let mut reader = KeyReader::new();
    let (mut agreeing, mut differing): (Vec<FoundReading>, Vec<FoundReading>) = (Vec::new(), Vec::new());
    reader.sequence(&cuts, KnownFields::new(), true, &mut |ends, known| {
        let differs = difference(typed, key, ends, &known);
        let list = if differs.is_some() { &mut differing } else { &mut agreeing };
        if list.len() < MOST_READINGS {
            list.push(FoundReading { ends: ends.to_vec(), known, differs });
        } else if list.first().is_some_and(|first| first.differs.is_none()) {
            return false;
        }
        true
    });
    let more = reader.gave_up;
    let mut found = if agreeing.is_empty() { differing } else { agreeing };
    for reading in &mut found {
        if complete(typed, key, reading) && reading.differs.is_none() {
            reading.differs = difference(typed, key, &reading.ends, &reading.known);
        }
    }
    if found.iter().any(|reading| reading.differs.is_none()) {
        found.retain(|reading| reading.differs.is_none());
    }
    if found.is_empty() && !more {
        let (index, at) = reader.furthest;
        return Err(misfit(typed, key, index, at));
    }
    Ok((found, more))
}

impl FoundReading {
    fn told(&self, typed: &TypedFormula, fields: &[Field]) -> KeyReading {
        let value = |(index, field)| Some(text(field, self.known.get(&index)?));
        KeyReading {
            spans: (0..typed.parts.len()).map(|index| span(&self.ends, index)).collect(),
            values: (0..).zip(fields).map(value).collect(),
        }
    }
}

/// The parts of the formula, each with its place in the key where all readings agree on it.
fn decoded_parts(
    typed: &TypedFormula,
    fields: &[Field],
    first: &FoundReading,
    found: &[FoundReading],
    more: bool,
) -> Vec<DecodedPart> {
    let parts = typed.parts.iter().enumerate().map(|(index, part)| {
        let span = span(&first.ends, index);
        let agrees = !more && found.iter().all(|other| self::span(&other.ends, index) == span);
        DecodedPart {
            text: part.text.clone(),
            span: agrees.then_some(span),
            fields: part.fields.iter().filter_map(|&field| Some(fields.get(field)?.name.clone())).collect(),
        }
    });
    parts.collect()
}

/// The declared fields, each with its value where all readings agree on it.
fn decoded_fields(
    typed: &TypedFormula,
    fields: &[Field],
    first: &FoundReading,
    found: &[FoundReading],
    more: bool,
) -> Vec<DecodedField> {
    let decoded = fields.iter().enumerate().map(|(index, field)| {
        let value = first.known.get(&index);
        let agrees = !more && found.iter().all(|other| other.known.get(&index) == value);
        let (value, lost) = match value {
            _ if !agrees => (None, Some(Problem::new("decode.readings-differ").at_field(&field.name))),
            Some(value) => (Some(text(field, value)), None),
            None => (None, Some(lost(typed, index, &field.name))),
        };
        DecodedField { name: field.name.clone(), value, lost }
    });
    decoded.collect()
}

/// Adds fields that no part holds just as they are: those of which a part holds the value, if not how it was written, and
/// those that several parts hold together. Whether there were any.
fn complete(typed: &TypedFormula, key: &[u8], FoundReading { ends, known, .. }: &mut FoundReading) -> bool {
    let before = known.len();
    let mut hints: Map<usize, Vec<FieldHint<'_>>> = Map::new();
    for (index, part) in typed.parts.iter().enumerate() {
        let [field] = part.fields[..] else { continue };
        let (from, to) = span(ends, index);
        if known.contains_key(&field) {
            continue;
        }
        let (expression, value) = back(&part.expression, of_bytes(key.get(from..to).unwrap_or_default()));
        match expression {
            Expression::Field { shape, .. } if belongs(&value, shape) => drop(known.insert(field, value)),
            _ => hints.change(field, |all| all.push(FieldHint { expression, value })),
        }
    }
    for (field, hints) in hints {
        if !known.contains_key(&field)
            && let Some(value) = gathered(field, &hints)
        {
            known.insert(field, value);
        }
    }
    known.len() > before
}

fn span(ends: &[usize], index: usize) -> (usize, usize) {
    let end = |index: usize| ends.get(index).copied().unwrap_or_default();
    (index.checked_sub(1).map_or(0, end), end(index))
}

fn text(field: &Field, value: &Vector) -> String {
    match value {
        Vector::Integers(values) => write::number(field, values.first().copied().unwrap_or_default()),
        Vector::Strings(strings) => write::string(field, strings.get(0)),
    }
}

/// The first part that is not what the known fields make.
fn difference(
    typed: &TypedFormula,
    key: &[u8],
    ends: &[usize],
    known: &KnownFields,
) -> Option<(usize, Option<Vec<u8>>)> {
    typed.parts.iter().enumerate().find_map(|(index, part)| {
        let (from, to) = span(ends, index);
        match evaluate(&part.expression, known, None) {
            Err(NoValue::Unknown) => None,
            Err(NoValue::Refused) => Some((index, None)),
            Ok(made) if key.get(from..to) == Some(bytes_of(&made)) => None,
            Ok(made) => Some((index, Some(bytes_of(&made).to_vec()))),
        }
    })
}

/// Bytes of a key from a place on, as a problem shows them.
fn shown(bytes: &[u8]) -> String {
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    format!("{}{more}", row::to_string_binary(bytes.get(..SHOWN).unwrap_or(bytes)))
}

fn misfit(typed: &TypedFormula, key: &[u8], index: usize, at: usize) -> Problem {
    let rest = key.get(at..).unwrap_or_default();
    let part = typed.parts.get(index);
    let problem = Problem::new(match part {
        Some(_) if rest.is_empty() => "decode.key-too-short",
        Some(_) => "decode.part-not-found",
        None => "decode.left-over",
    });
    let problem = problem.with("at", at).with("found", shown(rest));
    part.map_or(problem.clone(), |part| problem.with("part", &part.text))
}

fn contradiction(
    typed: &TypedFormula,
    key: &[u8],
    found: &FoundReading,
    part: usize,
    made: Option<&[u8]>,
) -> Problem {
    let (from, to) = span(&found.ends, part);
    let code = if made.is_some() { "decode.part-differs" } else { "decode.part-impossible" };
    let text = typed.parts.get(part).map_or("", |part| &part.text);
    let problem = Problem::new(code).with("part", text).with("at", from);
    let problem = problem.with("found", shown(key.get(from..to).unwrap_or_default()));
    made.map_or(problem.clone(), |made| problem.with("expected", shown(made)))
}

/// Shows that a key is ambiguous, by two of its readings: the first byte that may end a part or belong to it.
fn ambiguity(
    typed: &TypedFormula,
    key: &[u8],
    [a, b]: [&FoundReading; 2],
    readings: usize,
    more: bool,
) -> Problem {
    let text = |index: usize| typed.parts.get(index).map_or("", |part| part.text.as_str());
    let apart = a.ends.iter().zip(&b.ends).position(|(a, b)| a != b);
    let count = if more { format!("more than {readings}") } else { readings.to_string() };
    let Some(index) = apart else {
        let field = a.known.iter().find(|(field, value)| b.known.get(field) != Some(value));
        let part =
            field.and_then(|(field, _)| typed.parts.iter().position(|part| part.fields.contains(field)));
        return Problem::new("decode.ambiguous-within")
            .with("part", part.map_or("", text))
            .with("readings", count);
    };
    let at = span(&a.ends, index).1.min(span(&b.ends, index).1);
    let byte = key.get(at..).and_then(|rest| rest.get(..1)).unwrap_or_default();
    Problem::new("decode.ambiguous")
        .with("part", text(index))
        .with("next", text(index + 1))
        .with("at", at)
        .with("byte", row::to_string_binary(byte))
        .with("readings", count)
}
