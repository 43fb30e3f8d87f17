//! Arrays and buffers of bytes.

use super::java_type::JavaType;
use super::numbers;
use super::run::Run;
use super::syntax::Expression;
use super::terms::{self, Terms};
use super::unread::{CodeSpan, Unread};
use super::value::{Length, Value};

type Result<T> = std::result::Result<T, Unread>;

/// Longest array that is made.
const MOST_BYTES: i64 = 32_767;

impl Run<'_> {
    /// An array of these elements.
    pub fn elements(&mut self, of: JavaType, given: &[Expression], span: CodeSpan) -> Result<Value> {
        match of {
            JavaType::Bytes => {
                let mut all = Terms::new();
                for element in given {
                    let value = self.value(element)?;
                    terms::push(&mut all, self.byte(value, element.span)?);
                }
                Ok(Value::Bytes(all))
            }
            JavaType::ByteArrays => {
                let each = given.iter().map(|element| {
                    let value = self.value(element)?;
                    self.bytes(value, element.span)
                });
                Ok(Value::ByteArrays(each.collect::<Result<_>>()?))
            }
            JavaType::Strings => {
                let each = given.iter().map(|element| {
                    let value = self.value(element)?;
                    self.text(value, element.span)
                });
                Ok(Value::Strings(each.collect::<Result<_>>()?))
            }
            _ => Err(Unread::new(span)),
        }
    }

    /// One byte of an array.
    pub fn byte(&mut self, value: Value, span: CodeSpan) -> Result<Terms> {
        let number = self.number(value, span)?;
        let number =
            if number.known().is_some() { numbers::cast(number, JavaType::Byte, span)? } else { number };
        if number.of != JavaType::Byte {
            return Err(Unread::new(span));
        }
        numbers::big_endian(number, 8, span)
    }

    /// An array of zeros.
    pub fn new_array(&mut self, of: JavaType, length: Value, span: CodeSpan) -> Result<Value> {
        let length = self.constant(length, span)?;
        let fits = of == JavaType::Bytes && (0..=MOST_BYTES).contains(&length);
        if fits { Ok(Value::Array(length, Vec::new())) } else { Err(Unread::new(span)) }
    }

    /// Writes bytes into an array of zeros, and gives where they end.
    pub fn put(&mut self, array: Value, at: i64, written: Terms, span: CodeSpan) -> Result<(Value, i64)> {
        let Value::Array(length, mut pieces) = array else { return Err(Unread::new(span)) };
        let width = terms::width_of(&written).ok_or(Unread::because(span, "code.no-width"))?;
        let end = at.checked_add(width).filter(|end| at >= 0 && *end <= length);
        let end = end.ok_or(Unread::new(span))?;
        pieces.push((at, written));
        Ok((Value::Array(length, pieces), end))
    }

    /// The length of a text or of bytes.
    pub fn length(&mut self, value: Value, span: CodeSpan) -> Result<Value> {
        let own = match value {
            Value::Array(length, _) => return Ok(Value::Length(Length { fixed: length, of: Vec::new() })),
            Value::ByteArrays(_) | Value::Strings(_) => return Err(Unread::new(span)),
            value @ (Value::Bytes(_) | Value::Field(..)) => self.bytes(value, span)?,
            value => self.text(value, span)?,
        };
        let mut length = Length::default();
        for term in own {
            match terms::width(&term) {
                Some(width) => length.fixed = length.fixed.saturating_add(width),
                None => length.of.push(term),
            }
        }
        Ok(Value::Length(length))
    }

    /// Lengths added up; `None` where one of the values is none.
    pub fn added_lengths(&mut self, left: &Value, right: &Value) -> Option<Value> {
        let length = |value: &Value| match value {
            Value::Length(length) => Some(length.clone()),
            Value::Number(number) => Some(Length { fixed: number.known()?, of: Vec::new() }),
            _ => None,
        };
        let is_length = matches!(left, Value::Length(_)) || matches!(right, Value::Length(_));
        let (mut sum, more) = length(left).zip(length(right)).filter(|_| is_length)?;
        sum.fixed = sum.fixed.checked_add(more.fixed)?;
        sum.of.extend(more.of);
        Some(Value::Length(sum))
    }

    /// The bytes of a buffer that was filled to its end.
    pub fn buffered(&mut self, capacity: &Length, written: Terms, span: CodeSpan) -> Result<Terms> {
        let Value::Length(length) = self.length(Value::Bytes(written.clone()), span)? else {
            return Err(Unread::new(span));
        };
        // Lengths of texts count characters, which for bytes are as many only in ASCII: these are the same terms.
        let mut own = length.of.clone();
        let all = capacity.of.iter().all(|term| {
            let found = own.iter().position(|other| other == term);
            found.map(|at| own.swap_remove(at)).is_some()
        });
        let is_full = all && own.is_empty() && length.fixed == capacity.fixed;
        if is_full { Ok(written) } else { Err(Unread::because(span, "code.not-filled")) }
    }
}
