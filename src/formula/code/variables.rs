//! Variables of code: the fields that they stand for, and values as the type that is asked for.

use super::java_type::JavaType;
use super::numbers;
use super::run::Run;
use super::terms::{self, Terms, step};
use super::unread::{Assumption, CodeSpan, Unread};
use super::value::{Length, Number, Value};
use crate::formula::syntax::GivenArgument;
use crate::records::field::{Field, Kind};

type Result<T> = std::result::Result<T, Unread>;

/// Names that a variable has when it is the one time of a record.
const TIMES: [&str; 7] = ["ts", "time", "timestamp", "now", "date", "millis", "eventtime"];

/// A name without its case and marks.
fn plain(name: &str) -> String {
    name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A getter's name without `get`.
fn without_get(name: &str) -> &str {
    let rest = ["get", "is"].iter().find_map(|prefix| name.strip_prefix(prefix));
    rest.filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name)
}

/// How a time is written that code holds as a number: the step.
fn number_of_time(field: &Field) -> Option<(&'static str, &'static str)> {
    match field.format.as_deref() {
        Some("epoch-seconds") => Some(("seconds", "code.assumed-seconds")),
        Some("epoch-micros" | "epoch-nanos") => None,
        _ => Some(("millis", "code.assumed-millis")),
    }
}

impl Run<'_> {
    /// The field that a variable or a getter stands for.
    pub fn field_named(&mut self, name: &str) -> Option<usize> {
        let wanted = [plain(name), plain(without_get(name))];
        let exact = self.fields.iter().position(|field| field.name == name);
        let alike = || self.fields.iter().position(|field| wanted.contains(&plain(&field.name)));
        if let Some(found) = exact.or_else(alike) {
            return Some(found);
        }
        let is_time = TIMES.contains(&wanted[1].as_str());
        let mut times = self.fields.iter().enumerate().filter(|(_, field)| field.kind == Kind::Time);
        let (only, _) = times.next().filter(|_| is_time)?;
        if times.next().is_some() {
            return None;
        }
        self.assume(name, "code.assumed-field");
        Some(only)
    }

    /// Notes what a formula rests on.
    pub fn assume(&mut self, name: &str, code: &'static str) {
        let assumption = Assumption::new(name, code);
        if !self.assumed.contains(&assumption) {
            self.assumed.push(assumption);
        }
    }

    /// A field as a variable of a type.
    pub fn declared(&mut self, at: usize, name: &str, of: JavaType, span: CodeSpan) -> Result<Value> {
        let unread = Unread::because(span, "code.other-type");
        let Some(field) = self.fields.get(at) else { return Err(unread) };
        let term = terms::field(&field.name);
        Ok(match (field.kind, of) {
            (_, JavaType::Other) => Value::Field(at, name.to_owned()),
            (Kind::Text, JavaType::String) => Value::Text(vec![term]),
            (Kind::Integer, JavaType::String) => Value::Text(vec![step(term, "decimal", [])]),
            (Kind::Text, JavaType::Int | JavaType::Long) => {
                Value::Number(Number { low: 0, ..Number::of_field(step(term, "number", []), of) })
            }
            (Kind::Integer, JavaType::Byte | JavaType::Short | JavaType::Int | JavaType::Long) => {
                Value::Number(Number::of_field(term, of))
            }
            (Kind::Time, JavaType::Long) => self.time_as_number(at, name, span)?,
            (Kind::Time, JavaType::Int) => {
                let value = self.time_as_number(at, name, span)?;
                Value::Number(numbers::cast(self.number(value, span)?, JavaType::Int, span)?)
            }
            (Kind::Time, JavaType::String) => self.time_as_text(at, span)?,
            (Kind::Time, JavaType::Time) => Value::Time(term, None),
            (Kind::Float, JavaType::Double) => Value::Real(term, false),
            (Kind::Float, JavaType::Float) => Value::Real(term, true),
            (Kind::Decimal, JavaType::Decimal) => Value::Decimal(term),
            (Kind::Boolean, JavaType::Boolean) => Value::Boolean(term),
            (Kind::Bytes, JavaType::Bytes) => Value::Bytes(vec![term]),
            (Kind::Text, JavaType::Bytes) => Value::Bytes(vec![term]),
            _ => return Err(unread),
        })
    }

    fn time_as_number(&mut self, at: usize, name: &str, span: CodeSpan) -> Result<Value> {
        let found = self.fields.get(at).and_then(|field| Some((field, number_of_time(field)?)));
        let Some((field, (unit, code))) = found else {
            return Err(Unread::because(span, "code.other-type"));
        };
        let term = step(terms::field(&field.name), unit, []);
        self.assume(name, code);
        Ok(Value::Number(Number::of_field(term, JavaType::Long)))
    }

    /// A time as the text in the file.
    fn time_as_text(&mut self, at: usize, span: CodeSpan) -> Result<Value> {
        let unread = Unread::because(span, "code.other-type");
        let Some(field) = self.fields.get(at) else { return Err(unread) };
        let term = terms::field(&field.name);
        Ok(Value::Text(vec![match field.format.as_deref() {
            Some("epoch-millis") => step(step(term, "millis", []), "decimal", []),
            Some("epoch-seconds") => step(step(term, "seconds", []), "decimal", []),
            Some("epoch-micros" | "epoch-nanos" | "iso8601") | None => return Err(unread),
            Some(pattern) => step(term, "format", [GivenArgument::Text(pattern.to_owned())]),
        }]))
    }

    /// A field of no stated type, as the type that its kind has in code.
    fn settled(&mut self, value: Value, span: CodeSpan) -> Result<Value> {
        let Value::Field(at, name) = value else { return Ok(value) };
        let kind = self.fields.get(at).map(|field| field.kind);
        let of = match kind {
            Some(Kind::Text) => JavaType::String,
            Some(Kind::Integer | Kind::Time) => JavaType::Long,
            Some(Kind::Bytes) => JavaType::Bytes,
            Some(Kind::Float) => JavaType::Double,
            Some(Kind::Decimal) => JavaType::Decimal,
            Some(Kind::Boolean) => JavaType::Boolean,
            None => return Err(Unread::new(span)),
        };
        if kind == Some(Kind::Integer) {
            self.assume(&name, "code.assumed-long");
        }
        if kind == Some(Kind::Float) {
            self.assume(&name, "code.assumed-double");
        }
        self.declared(at, &name, of, span)
    }

    /// A value as text, as `+` and `String.valueOf` write it.
    pub fn text(&mut self, value: Value, span: CodeSpan) -> Result<Terms> {
        if let Value::Field(at, _) = &value
            && let Some(field) = self.fields.get(*at).filter(|field| field.kind == Kind::Integer)
        {
            // The digits of an int and a long are the same.
            return Ok(vec![step(terms::field(&field.name), "decimal", [])]);
        }
        match self.settled(value, span)? {
            Value::Text(terms) | Value::Builder(terms) => Ok(terms),
            Value::Number(number) => numbers::decimal(number, span),
            Value::Char(char) => Ok(terms::text(char.encode_utf8(&mut [0; 4]))),
            Value::CharOf(term) => Ok(vec![term]),
            Value::Boolean(term) | Value::Real(term, false) | Value::Decimal(term) => {
                Ok(vec![step(term, "string", [])])
            }
            Value::HashCode(term) => Ok(vec![step(term, "hex", [])]),
            _ => Err(Unread::new(span)),
        }
    }

    /// A value of type `byte[]`.
    pub fn bytes(&mut self, value: Value, span: CodeSpan) -> Result<Terms> {
        match self.settled(value, span)? {
            Value::Bytes(terms) => Ok(terms),
            Value::Array(length, written) => filled(length, written).ok_or(Unread::new(span)),
            _ => Err(Unread::new(span)),
        }
    }

    /// A value of a type of whole numbers.
    pub fn number(&mut self, value: Value, span: CodeSpan) -> Result<Number> {
        match self.settled(value, span)? {
            Value::Number(number) => Ok(number),
            Value::Char(char) => Ok(Number::constant(u32::from(char).into(), JavaType::Int)),
            Value::Length(Length { fixed, of }) if of.is_empty() => {
                Ok(Number::constant(fixed.into(), JavaType::Int))
            }
            _ => Err(Unread::new(span)),
        }
    }

    /// A number that the code states.
    pub fn constant(&mut self, value: Value, span: CodeSpan) -> Result<i64> {
        self.number(value, span)?.known().ok_or(Unread::because(span, "code.no-step"))
    }

    /// The bytes that `Bytes.toBytes` makes of a value.
    pub fn bytes_of(&mut self, value: Value, span: CodeSpan) -> Result<Terms> {
        match self.settled(value, span)? {
            Value::Text(terms) => Ok(terms),
            // There is none for bytes and characters: they are widened.
            Value::Number(number) if number.of == JavaType::Byte => numbers::big_endian(number, 16, span),
            Value::Number(number) => {
                let bits = number.of.bits().unwrap_or(64);
                numbers::big_endian(number, bits, span)
            }
            Value::Char(char) => {
                let number = Number::constant(u32::from(char).into(), JavaType::Int);
                numbers::big_endian(number, 32, span)
            }
            Value::Boolean(term) => Ok(vec![step(term, "boolean", [])]),
            Value::Real(term, is_single) => {
                Ok(vec![step(term, if is_single { "float32" } else { "float64" }, [])])
            }
            Value::Decimal(term) => Ok(vec![step(term, "bigDecimal", [])]),
            _ => Err(Unread::new(span)),
        }
    }

    /// A value that is assigned to a variable of a type.
    pub fn assigned(&mut self, value: Value, of: JavaType, span: CodeSpan) -> Result<Value> {
        match (value, of) {
            (value @ Value::Unknown(_), _) if of != JavaType::Other => Err(unknown(&value, span)),
            (Value::Field(at, name), of) => self.declared(at, &name, of, span),
            (value, JavaType::Byte | JavaType::Short | JavaType::Int | JavaType::Long) => {
                let number = self.number(value, span)?;
                let widens = of.bits() >= number.of.bits() || number.known().is_some();
                if !widens {
                    return Err(Unread::new(span));
                }
                if number.is_cast && of != number.of {
                    return Err(Unread::because(span, "code.may-be-cut"));
                }
                Ok(Value::Number(Number { of, ..number }))
            }
            (value @ Value::Text(_), JavaType::Bytes | JavaType::Char) => Err(unknown(&value, span)),
            (value @ (Value::Bytes(_) | Value::Number(_)), JavaType::String) => Err(unknown(&value, span)),
            (value, _) => Ok(value),
        }
    }
}

fn unknown(_: &Value, span: CodeSpan) -> Unread {
    Unread::new(span)
}

/// The bytes of an array, zero where nothing was written; `None` where pieces overlap.
fn filled(length: i64, mut written: Vec<(i64, Terms)>) -> Option<Terms> {
    crate::bytes::sort::sort_by_key(&mut written, |(at, _)| *at);
    let (mut all, mut end) = (Terms::new(), 0);
    for (at, own) in written {
        let zeros = usize::try_from(at - end).ok()?;
        terms::push(&mut all, terms::bytes(vec![0; zeros]));
        end = at.checked_add(terms::width_of(&own)?)?;
        terms::push(&mut all, own);
    }
    let zeros = usize::try_from(length - end).ok()?;
    terms::push(&mut all, terms::bytes(vec![0; zeros]));
    Some(all)
}
