//! From a checked formula to calls of primitives.
//!
//! [`SCRIPTS`] says for a step which primitives it is, in order; a step it does not name is the primitive of its own name.
//! What each primitive is called with stands behind it:
//!
//! - `:4`, `:$0`, `:x2c`: a number, an argument of the step, bytes; `:@zone` and `:@period` the milliseconds of the
//!   field's zone and of the period that the first argument is; `*` all arguments, `[]` all of them as one list;
//! - `~` adds the kind of the value to the name: `hexInteger`;
//! - before a `/` stands when it applies: `some` arguments given, `desc`, `sep` and their opposites with `!`, `int` of a
//!   number known to fit 32 bits.

use super::language::Language;
use super::names;
use crate::base::Problem;
use crate::formula::Lookup;
use crate::formula::steps::{ArgumentValue, Step, period};
use crate::formula::typed::{Expression, TypedFormula};
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind};
use std::sync::Arc;

/// The primitives of steps.
const SCRIPTS: &[(&str, &str)] = &[
    ("seconds", "floorDiv:1000"),
    ("millis", ""),
    ("truncate", "truncate:@period:@zone"),
    ("offset", "within:@period:@zone"),
    ("format", "format:$0:@zone"),
    ("abs", "int/absInt !int/absolute"),
    ("and", "masked:$0"),
    ("words", "words[]"),
    ("phoenixSalt", "bytesHash mod:$0 absolute unsigned:1"),
    ("hbasewdSalt", "bytesHash absInt mod:$0 low:1"),
    ("opentsdbSalt", "opentsdbBucket:$0 some2/low:$1 !some2/low:1"),
    ("text", "some/padTail:$0"),
    ("terminated", "noZero append:x00"),
    ("string", "string~"),
    ("hex", "hex~*"),
    ("HEX", "hex~* upper"),
    ("raw", "some/head:$0"),
    ("uint8", "unsigned:1"),
    ("uint16", "unsigned:2"),
    ("uint24", "unsigned:3"),
    ("uint32", "unsigned:4"),
    ("int8", "fixed:1"),
    ("int16", "fixed:2"),
    ("int32", "fixed:4"),
    ("int64", "fixed:8"),
    ("float32", "fits32 float32"),
    ("boolean", "truth:x00:xff"),
    ("ordered.int8", "flipped:1 prefix:x29 desc/invert"),
    ("ordered.int16", "flipped:2 prefix:x2a desc/invert"),
    ("ordered.int32", "flipped:4 prefix:x2b desc/invert"),
    ("ordered.int64", "flipped:8 prefix:x2c desc/invert"),
    ("ordered.float32", "float32 sortable prefix:x30 desc/invert"),
    ("ordered.float64", "float64 sortable prefix:x31 desc/invert"),
    ("ordered.numeric", "numeric~ desc/invert"),
    ("ordered.string", "noZero prefix:x34 append:x00 desc/invert"),
    ("ordered.blobVar", "sevenBits prefix:x37 desc/invert"),
    ("ordered.blobCopy", "desc/noZero prefix:x38 desc/append:x00 desc/invert"),
    ("phoenix.tinyint", "flipped:1 desc/invert"),
    ("phoenix.smallint", "flipped:2 desc/invert"),
    ("phoenix.integer", "flipped:4 desc/invert"),
    ("phoenix.bigint", "flipped:8 desc/invert"),
    ("phoenix.unsignedTinyint", "natural fixed:1 desc/invert"),
    ("phoenix.unsignedSmallint", "natural fixed:2 desc/invert"),
    ("phoenix.unsignedInt", "natural fixed:4 desc/invert"),
    ("phoenix.unsignedLong", "natural fixed:8 desc/invert"),
    ("phoenix.float", "fits32 float32 sortable increment desc/invert"),
    ("phoenix.double", "float64 sortable increment desc/invert"),
    ("phoenix.unsignedFloat", "positive fits32 float32 desc/invert"),
    ("phoenix.unsignedDouble", "positive float64 desc/invert"),
    ("phoenix.decimal", "phoenixDecimal~ sep/append:x00 desc/invert"),
    ("phoenix.boolean", "desc/truth:x01:x00 !desc/truth:x00:x01"),
    ("phoenix.varchar", "null/full sep/noZero sep/append:x00 desc/invert"),
    ("phoenix.varbinary", "full desc/invert"),
    ("phoenix.char", "padBlanks:$1 desc/invert"),
    ("phoenix.binary", "full padTo:$1 desc/invert"),
    ("phoenix.date", "flipped:8 desc/invert"),
    ("phoenix.time", "flipped:8 desc/invert"),
    ("phoenix.timestamp", "flipped:8 append:x00000000 desc/invert"),
    ("phoenix.unsignedDate", "natural fixed:8 desc/invert"),
    ("phoenix.unsignedTime", "natural fixed:8 desc/invert"),
    ("phoenix.unsignedTimestamp", "natural fixed:8 append:x00000000 desc/invert"),
];

/// Primitives that take text; others take its bytes.
const OF_TEXT: &str = " reverse upper lower substring pad number lookup javaHash ";

/// Primitives that give text.
const TO_TEXT: &str = " reverse upper lower substring pad format words decimal hex hexInteger stringDecimal stringFloat stringBoolean ";

/// Primitives that give numbers.
const TO_NUMBER: &str = " number lookup plus div mod floorMod masked reverseLong floorDiv within truncate absolute absInt added \
                         crc32 murmur murmur3 jenkins javaHash bytesHash opentsdbBucket natural ";

/// The constant that holds the number of buckets.
const BUCKETS: &str = "BUCKETS";

/// What a piece of code stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Held {
    Text,
    Bytes,
    /// A number, time, truth value: anything that is no string.
    Other,
}

/// A formula on its way into a language.
pub(super) struct Writer<'a> {
    pub language: &'a Language,
    pub fields: &'a [Field],
    /// Parameter of each field of the study.
    pub parameters: Vec<String>,
    /// Buckets and seed of each salt, with its parameter.
    pub salts: Vec<(i64, i64, String)>,
    /// The lookup tables named, with their constants.
    pub tables: Vec<(Arc<Lookup>, String)>,
    /// The bucket that leads the key, by its canonical text, and how many there are: clients read it from their configuration.
    pub bucket: Option<(String, i64)>,
}

pub(super) fn listed(list: &str, name: &str) -> bool {
    list.split(' ').any(|one| one == name)
}

impl<'a> Writer<'a> {
    pub fn new(language: &'a Language, fields: &'a [Field], parameters: Vec<String>) -> Self {
        Self { language, fields, parameters, salts: Vec::new(), tables: Vec::new(), bucket: None }
    }

    /// The code of each part of a key, and of the bytes behind the part that is made of them.
    pub fn parts(&mut self, typed: &TypedFormula) -> Result<(Vec<String>, Option<String>), Problem> {
        let mut parts = Vec::new();
        for part in &typed.parts {
            let (code, held) = self.expression(&part.expression)?;
            parts.push((code, held));
        }
        let Some(at) = typed.parts.iter().position(|part| part.uses_rest) else {
            let bytes = parts.into_iter().map(|part| self.bytes(part)).collect::<Result<_, _>>()?;
            return Ok((bytes, None));
        };
        let (before, after) = parts.split_at(at + 1);
        let (whole, held) = self.joined(b"", after.to_vec())?;
        let rest = self.bytes((whole.clone(), held))?;
        if !rest.contains('(') {
            let bytes = parts.into_iter().map(|part| self.bytes(part)).collect::<Result<_, _>>()?;
            return Ok((bytes, None));
        }
        // What follows is written out once, and named.
        let as_text = self.text(("rest".to_owned(), Held::Bytes))?;
        let mut named = Vec::new();
        for (code, held_part) in before {
            let mut code = self.bytes((code.clone(), *held_part))?.replace(&rest, "rest");
            if held == Held::Text && whole.contains('(') {
                code = code.replace(&whole, &as_text);
            }
            named.push(code);
        }
        named.push("rest".to_owned());
        Ok((named, Some(rest)))
    }

    /// The code of a value.
    pub fn expression(&mut self, expression: &Expression) -> Result<(String, Held), Problem> {
        match expression {
            Expression::Field { index, shape } => self.field(*index, shape),
            Expression::Literal(bytes) => Ok(self.literal(bytes)),
            Expression::Salt { buckets, seed, .. } => {
                let salts = &mut self.salts;
                let at = salts.iter().position(|(n, other, _)| (n, other) == (buckets, seed));
                let at = at.unwrap_or_else(|| {
                    let number = if salts.is_empty() { String::new() } else { (salts.len() + 1).to_string() };
                    salts.push((*buckets, *seed, format!("salt{number}")));
                    salts.len() - 1
                });
                let name = salts.get(at).map(|salt| salt.2.clone()).unwrap_or_default();
                let buckets = self.language.number(*buckets);
                Ok((self.call("salted", &[name, buckets], "salt")?, Held::Other))
            }
            Expression::Join { separator, parts, .. } => {
                let parts = parts.iter().map(|part| self.expression(part)).collect::<Result<Vec<_>, _>>()?;
                self.joined(separator, parts)
            }
            Expression::Apply { input, step, .. } if step.name == "sum" => {
                let mut addends = Vec::new();
                for addend in input.inputs() {
                    addends.push(match addend {
                        Expression::Literal(bytes) => {
                            let number =
                                bytes.iter().fold(0, |number: i64, &byte| number << 8 | i64::from(byte));
                            self.language.number(number)
                        }
                        other => match other.inputs() {
                            [number] => self.expression(number)?.0,
                            _ => return Err(self.refused(step.name)),
                        },
                    });
                }
                Ok((self.call("added", &addends, "sum")?, Held::Other))
            }
            Expression::Apply { input, step, arguments, text, .. } => {
                let value = self.expression(input)?;
                let counted = self.bucket.as_ref().is_some_and(|(bucket, _)| bucket == text);
                self.step(value, &input.shape(), step, arguments, counted)
            }
        }
    }

    /// The primitives of a step, one applied to the other; `counted` when its first argument is the number of buckets.
    fn step(
        &mut self,
        mut value: (String, Held),
        input: &Shape,
        step: &'static Step,
        arguments: &[ArgumentValue],
        counted: bool,
    ) -> Result<(String, Held), Problem> {
        let kind = match value.1 {
            // What is text or bytes has its own kind in code.
            Held::Other => input.kind,
            _ => Kind::Text,
        };
        let default = format!("{}*", step.name);
        let script =
            SCRIPTS.iter().find(|(name, _)| *name == step.name).map_or(default.as_str(), |script| script.1);
        let said = |word: &str| {
            arguments.iter().any(|given| matches!(given, ArgumentValue::Text(text) if text == word))
        };
        let (low, high) = input.range.unwrap_or((i64::MIN, i64::MAX));
        for token in script.split_whitespace() {
            let (condition, rest) = token.split_once('/').unwrap_or(("", token));
            let holds = match condition.trim_start_matches('!') {
                "some" => !arguments.is_empty(),
                "some2" => arguments.len() > 1,
                "desc" => said("desc"),
                "sep" => said("separated"),
                "null" => said("desc") || !said("separated"),
                "int" => low >= i32::MIN.into() && high <= i32::MAX.into(),
                _ => true,
            };
            if holds == condition.starts_with('!') {
                continue;
            }
            let mut words = rest.split(':');
            let name = words.next().unwrap_or_default();
            let (name, list) = name.strip_suffix("[]").map_or((name, false), |name| (name, true));
            let (name, all) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
            let name = match (name.strip_suffix('~'), kind) {
                (None, _) => name.to_owned(),
                (Some(name), Kind::Text | Kind::Bytes) => name.to_owned(),
                (Some(name), kind) => {
                    let mut kind = kind.name().to_owned();
                    kind.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
                    name.to_owned() + &kind
                }
            };
            let taken = if listed(OF_TEXT, &name) { self.text(value)? } else { self.bytes(value)? };
            let mut given = vec![taken];
            for word in words {
                let counted = (counted && word == "$0").then(|| BUCKETS.to_owned());
                let word = counted.or_else(|| self.word(word, input, arguments));
                given.push(word.ok_or_else(|| self.refused(step.name))?);
            }
            if all {
                for (at, argument) in arguments.iter().enumerate() {
                    let counted = counted && at == 0;
                    given.push(if counted { BUCKETS.to_owned() } else { self.argument(argument) });
                }
            }
            if list {
                let items: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
                given.push((self.language.list)(&items));
            }
            let held = match () {
                () if listed(TO_TEXT, &name) => Held::Text,
                () if listed(TO_NUMBER, &name) || matches!(name.as_str(), "fits32" | "positive") => {
                    Held::Other
                }
                () => Held::Bytes,
            };
            value = (self.call(&name, &given, step.name)?, held);
        }
        Ok(value)
    }

    /// What a primitive is given beside the value.
    fn word(&mut self, word: &str, input: &Shape, arguments: &[ArgumentValue]) -> Option<String> {
        let number = |number: i64| Some(self.language.number(number));
        match word {
            "@zone" => number(input.offset),
            "@period" => match arguments.first()? {
                ArgumentValue::Text(text) => number(period(text)?),
                _ => None,
            },
            _ => match word.split_at_checked(1)? {
                ("$", place) => {
                    let argument = arguments.get(place.parse::<usize>().ok()?)?;
                    Some(self.argument(argument))
                }
                ("x", digits) => Some((self.language.bytes)(digits)),
                _ => number(word.parse().ok()?),
            },
        }
    }

    fn argument(&mut self, argument: &ArgumentValue) -> String {
        match argument {
            ArgumentValue::Number(value) => self.language.number(*value),
            ArgumentValue::Text(text) => self.language.text(text),
            ArgumentValue::Table(table) => {
                let tables = &mut self.tables;
                let at = tables.iter().position(|(known, _)| known == table).unwrap_or_else(|| {
                    tables.push((table.clone(), format!("TABLE_{}", tables.len() + 1)));
                    tables.len() - 1
                });
                tables.get(at).map(|table| table.1.clone()).unwrap_or_default()
            }
        }
    }

    fn field(&mut self, index: usize, shape: &Shape) -> Result<(String, Held), Problem> {
        let name = self.parameters.get(index).cloned().unwrap_or_default();
        let width = shape.width.exact();
        match (shape.kind, self.fields.get(index).and_then(|field| field.width)) {
            (Kind::Text, Some(_)) => {
                let width = self.language.number(width.unwrap_or(0) as i64);
                Ok((self.call("sized", &[name, width], "width")?, Held::Text))
            }
            (Kind::Text, None) => Ok((name, Held::Text)),
            (Kind::Bytes, _) => match width {
                Some(width) => {
                    let width = self.language.number(width as i64);
                    Ok((self.call("sizedBytes", &[name, width], "width")?, Held::Bytes))
                }
                None => Ok((name, Held::Bytes)),
            },
            (kind, _) => {
                Ok((self.language.taken(kind, &name).ok_or_else(|| self.refused(kind.name()))?, Held::Other))
            }
        }
    }

    fn literal(&self, bytes: &[u8]) -> (String, Held) {
        match std::str::from_utf8(bytes) {
            Ok(text) if !text.chars().any(char::is_control) => (self.language.text(text), Held::Text),
            _ => ((self.language.bytes)(&names::hex(bytes)), Held::Bytes),
        }
    }

    fn joined(&mut self, separator: &[u8], parts: Vec<(String, Held)>) -> Result<(String, Held), Problem> {
        if let [part] = parts.as_slice() {
            return Ok(part.clone());
        }
        let (between, held) = self.literal(separator);
        if held == Held::Text && parts.iter().all(|part| part.1 == Held::Text) {
            let mut given = vec![between];
            given.extend(parts.into_iter().map(|part| part.0));
            return Ok((self.call("join", &given, "join")?, Held::Text));
        }
        let mut given: Vec<String> = Vec::new();
        for part in parts {
            if !given.is_empty() && !separator.is_empty() {
                given.push(self.bytes((between.clone(), held))?);
            }
            given.push(self.bytes(part)?);
        }
        Ok((self.call("concat", &given, "join")?, Held::Bytes))
    }

    /// As bytes; numbers stay as they are.
    pub fn bytes(&self, (code, held): (String, Held)) -> Result<String, Problem> {
        if held == Held::Text { self.call("utf8", &[code], "text") } else { Ok(code) }
    }

    /// As text; numbers stay as they are.
    fn text(&self, (code, held): (String, Held)) -> Result<String, Problem> {
        if held == Held::Bytes { self.call("text", &[code], "text") } else { Ok(code) }
    }

    fn call(&self, name: &str, given: &[String], step: &str) -> Result<String, Problem> {
        self.language.call(name, given).ok_or_else(|| self.refused(step))
    }

    fn refused(&self, step: &str) -> Problem {
        Problem::new("emit.no-code").with("step", step).with("language", self.language.shown)
    }
}
