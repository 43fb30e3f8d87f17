//! From a checked formula to calls of primitives.

use super::language::Language;
use super::names;
use super::primitives::{self, CallArgument, CodeKind};
use crate::base::Problem;
use crate::base::hidden::is_hidden;
use crate::formula::Lookup;
use crate::formula::steps::{ArgumentValue, Step, period};
use crate::formula::typed::{Expression, NullableEnd, TypedFormula, walk};
use crate::records::field::shape::Shape;
use crate::records::field::{Field, Kind};
use std::sync::Arc;

/// The constant that holds the number of buckets.
pub(super) const BUCKETS: &str = "BUCKETS";

/// A formula on its way into a language.
pub(super) struct CodeWriter<'a> {
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
    /// The variable that is the number of that bucket, in code that goes through all of them.
    pub each_bucket: Option<&'static str>,
    /// Values that code has already: their canonical text, their code and its kind.
    pub copied: Vec<(String, String, CodeKind)>,
    /// The fields of which the code is given no whole value, but a beginning or the end of a range.
    pub begun: Vec<usize>,
}

impl<'a> CodeWriter<'a> {
    pub fn new(language: &'a Language, fields: &'a [Field], parameters: Vec<String>) -> Self {
        Self {
            language,
            fields,
            parameters,
            salts: Vec::new(),
            tables: Vec::new(),
            bucket: None,
            each_bucket: None,
            copied: Vec::new(),
            begun: Vec::new(),
        }
    }

    /// The code of each part of a key, and of the bytes behind the part that is made of them.
    pub fn parts(&mut self, typed: &TypedFormula) -> Result<(Vec<String>, Option<String>), Problem> {
        let mut parts = Vec::new();
        for part in &typed.parts {
            let (code, held) = self.expression(&part.expression)?;
            parts.push((code, held));
        }
        let end = typed.nullable_end;
        let Some(at) = typed.parts.iter().position(|part| part.uses_rest) else {
            return Ok((self.bytes_of(parts, end)?, None));
        };
        let (before, after) = parts.split_at(at + 1);
        let (whole, held) = self.joined(b"", after.to_vec(), end)?;
        let rest = self.bytes((whole.clone(), held))?;
        // A text of the design may look like the code of the parts that follow.
        let texts = |expression: &Expression| match expression {
            Expression::Literal(bytes) => bytes.contains(&b'('),
            Expression::Apply { arguments, .. } => arguments
                .iter()
                .any(|argument| matches!(argument, ArgumentValue::Text(text) if text.contains('('))),
            _ => false,
        };
        let mut is_alike = false;
        let before_rest = typed.parts.iter().take(at + 1);
        before_rest.for_each(|part| walk(&part.expression, &mut |inner| is_alike |= texts(inner)));
        if is_alike || !rest.contains('(') {
            return Ok((self.bytes_of(parts, end)?, None));
        }
        // Write the following parts once, as a named variable.
        let as_text = self.text(("rest".to_owned(), CodeKind::Bytes))?;
        let mut named = Vec::new();
        for (code, held_part) in before {
            let mut code = self.bytes((code.clone(), *held_part))?.replace(&rest, "rest");
            if held == CodeKind::Text && whole.contains('(') {
                code = code.replace(&whole, &as_text);
            }
            named.push(code);
        }
        named.push("rest".to_owned());
        Ok((named, Some(rest)))
    }

    /// The code of the bytes of each part, or of all of them together where those at the end may be NULL.
    fn bytes_of(&mut self, parts: Vec<(String, CodeKind)>, end: NullableEnd) -> Result<Vec<String>, Problem> {
        if end.separators > 0 {
            return Ok(vec![self.joined(b"", parts, end)?.0]);
        }
        parts.into_iter().map(|part| self.bytes(part)).collect()
    }

    /// The code of a value.
    pub fn expression(&mut self, expression: &Expression) -> Result<(String, CodeKind), Problem> {
        if let Expression::Apply { text, .. } = expression
            && let Some((_, code, kind)) = self.copied.iter().find(|(known, ..)| known == text)
        {
            return Ok((code.clone(), *kind));
        }
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
                Ok((self.call("salted", &[name, buckets], "salt")?, CodeKind::Other))
            }
            Expression::Join { separator, parts, nullable_end, .. } => {
                let parts = parts.iter().map(|part| self.expression(part)).collect::<Result<Vec<_>, _>>()?;
                self.joined(separator, parts, *nullable_end)
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
                Ok((self.call("added", &addends, "sum")?, CodeKind::Other))
            }
            Expression::Apply { input, step, arguments, .. } if matches!(step.name, "geohash" | "zOrder") => {
                let mut given = Vec::new();
                for axis in input.inputs() {
                    let [number] = axis.inputs() else { return Err(self.refused(step.name)) };
                    let (code, _) = self.expression(number)?;
                    given.push(match (step.name, number.shape().kind) {
                        ("zOrder", _) => code,
                        (_, Kind::Decimal) => self.call("degreesDecimal", &[code], step.name)?,
                        (_, Kind::Integer) => self.call("degreesInteger", &[code], step.name)?,
                        _ => code,
                    });
                }
                given.extend(arguments.iter().map(|argument| self.argument(argument)));
                let kind = if step.gives == Kind::Text { CodeKind::Text } else { CodeKind::Bytes };
                Ok((self.call(step.name, &given, step.name)?, kind))
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
        mut value: (String, CodeKind),
        input: &Shape,
        step: &'static Step,
        arguments: &[ArgumentValue],
        counted: bool,
    ) -> Result<(String, CodeKind), Problem> {
        let kind = match value.1 {
            // Text and bytes have their own kinds in code.
            CodeKind::Other => input.kind,
            _ => Kind::Text,
        };
        for call in primitives::calls(step.name, input, arguments) {
            let (name, held) = call.named(kind);
            let taken = if call.primitive.of_text { self.text(value)? } else { self.bytes(value)? };
            let mut given = vec![taken];
            let is_count = |one: &CallArgument| matches!(one, CallArgument::Argument(0) | CallArgument::All);
            if let (true, Some(number)) = (counted && call.given.iter().any(is_count), self.each_bucket) {
                value = (number.to_owned(), held);
                continue;
            }
            for &one in call.given {
                let written = self.given(one, input, arguments, counted);
                given.extend(written.ok_or_else(|| self.refused(step.name))?);
            }
            value = (self.call(&name, &given, step.name)?, held);
        }
        Ok(value)
    }

    /// Arguments of a primitive besides the value.
    pub(super) fn given(
        &mut self,
        given: CallArgument,
        input: &Shape,
        arguments: &[ArgumentValue],
        counted: bool,
    ) -> Option<Vec<String>> {
        let written = |writer: &mut Self, at: usize, argument: &ArgumentValue| match counted && at == 0 {
            true => BUCKETS.to_owned(),
            false => writer.argument(argument),
        };
        let one = match given {
            CallArgument::Number(number) => self.language.number(number),
            CallArgument::Argument(at) => written(self, at, arguments.get(at)?),
            CallArgument::Bytes(digits) => (self.language.bytes)(digits),
            CallArgument::Zone => self.language.number(input.offset),
            CallArgument::Period => match arguments.first()? {
                ArgumentValue::Text(text) => self.language.number(period(text)?),
                _ => return None,
            },
            CallArgument::All => {
                let all = arguments.iter().enumerate();
                return Some(all.map(|(at, argument)| written(self, at, argument)).collect());
            }
            CallArgument::List => {
                let items: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
                (self.language.list)(&items)
            }
        };
        Some(vec![one])
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

    fn field(&mut self, index: usize, shape: &Shape) -> Result<(String, CodeKind), Problem> {
        let name = self.parameters.get(index).cloned().unwrap_or_default();
        let is_whole = !self.begun.contains(&index);
        let width = shape.width.exact().filter(|_| is_whole);
        match (shape.kind, self.fields.get(index).and_then(|field| field.width)) {
            (Kind::Text, Some(_)) if is_whole => {
                let width = self.language.number(width.unwrap_or(0) as i64);
                Ok((self.call("sized", &[name, width], "width")?, CodeKind::Text))
            }
            (Kind::Text, _) => Ok((name, CodeKind::Text)),
            (Kind::Bytes, _) => match width {
                Some(width) => {
                    let width = self.language.number(width as i64);
                    Ok((self.call("sizedBytes", &[name, width], "width")?, CodeKind::Bytes))
                }
                None => Ok((name, CodeKind::Bytes)),
            },
            (kind, _) => Ok((
                self.language.taken(kind, &name).ok_or_else(|| self.refused(kind.name()))?,
                CodeKind::Other,
            )),
        }
    }

    fn literal(&self, bytes: &[u8]) -> (String, CodeKind) {
        match std::str::from_utf8(bytes) {
            Ok(text) if !text.chars().any(is_hidden) => (self.language.text(text), CodeKind::Text),
            _ => ((self.language.bytes)(&names::hex(bytes)), CodeKind::Bytes),
        }
    }

    fn joined(
        &mut self,
        separator: &[u8],
        parts: Vec<(String, CodeKind)>,
        end: NullableEnd,
    ) -> Result<(String, CodeKind), Problem> {
        if end.separators > 0 {
            let mut given = vec![end.separators.to_string(), end.null.to_string()];
            for part in parts {
                given.push(self.bytes(part)?);
            }
            return Ok((self.call("endNull", &given, "join")?, CodeKind::Bytes));
        }
        if let [part] = parts.as_slice() {
            return Ok(part.clone());
        }
        let (between, held) = self.literal(separator);
        if held == CodeKind::Text && parts.iter().all(|part| part.1 == CodeKind::Text) {
            let mut given = vec![between];
            given.extend(parts.into_iter().map(|part| part.0));
            return Ok((self.call("join", &given, "join")?, CodeKind::Text));
        }
        let mut given: Vec<String> = Vec::new();
        for part in parts {
            if !given.is_empty() && !separator.is_empty() {
                given.push(self.bytes((between.clone(), held))?);
            }
            given.push(self.bytes(part)?);
        }
        Ok((self.call("concat", &given, "join")?, CodeKind::Bytes))
    }

    /// As bytes; numbers stay as they are.
    pub fn bytes(&self, (code, held): (String, CodeKind)) -> Result<String, Problem> {
        if held == CodeKind::Text { self.call("utf8", &[code], "text") } else { Ok(code) }
    }

    /// As text; numbers stay as they are.
    fn text(&self, (code, held): (String, CodeKind)) -> Result<String, Problem> {
        if held == CodeKind::Bytes { self.call("text", &[code], "text") } else { Ok(code) }
    }

    fn call(&self, name: &str, given: &[String], step: &str) -> Result<String, Problem> {
        self.language.call(name, given).ok_or_else(|| self.refused(step))
    }

    fn refused(&self, step: &str) -> Problem {
        Problem::new("emit.no-code").with("step", step).with("language", self.language.shown)
    }
}
