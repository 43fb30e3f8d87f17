//! The values a query gives, typed by field.

use crate::base::Problem;
use crate::base::json::{self, wrong_type};
use crate::bytes::codec::decimal::Decimal;
use crate::bytes::row::from_string_binary;
use crate::bytes::strings::ByteStrings;
use crate::formula::vector::{ColumnOperation, Vector};
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind, float, read};
use serde_json::Value;
use std::cmp::Ordering;

/// A value as the columns hold it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    /// A whole number, a time in milliseconds, bits of a float, 0 or 1 of a boolean.
    Number(i64),
    /// Text as UTF-8, bytes, or a decimal as Java writes it.
    Bytes(Vec<u8>),
}

impl Constant {
    /// The value of a field as a document writes it; a time as its field writes it, or in ISO 8601 in the zone of the
    /// field, where a date alone is its midnight.
    ///
    /// # Errors
    /// At `path`: a value that the field cannot hold.
    pub fn read(value: &Value, path: &str, field: &Field) -> Result<Self, Problem> {
        let wrong = |wanted| wrong_type(path, wanted, value);
        let text = || value.as_str().ok_or_else(|| wrong("json.text"));
        let written = || value.as_str().map_or_else(|| json::text(value), str::to_owned);
        if value.is_null() && field.nullable {
            return Ok(Self::Bytes(Vec::new()));
        }
        match field.kind {
            Kind::Integer => value.as_i64().map(Self::Number).ok_or_else(|| wrong("json.whole")),
            Kind::Text => text().map(|text| Self::Bytes(text.as_bytes().to_vec())),
            Kind::Bytes => {
                read_bytes(text()?, field, false).map(Self::Bytes).map_err(|problem| problem.at_path(path))
            }
            Kind::Float => {
                let bits = read::float(written().as_bytes());
                bits.map(Self::Number).map_err(|_| wrong("json.number-or-text"))
            }
            Kind::Decimal => {
                let mut text = Vec::new();
                let decimal = read::decimal(written().as_bytes(), &mut text);
                decimal.map(|()| Self::Bytes(text)).map_err(|_| wrong("json.number-or-text"))
            }
            Kind::Boolean => {
                let boolean = value.as_bool().ok_or_else(|| wrong("json.boolean"))?;
                Ok(Self::Number(boolean.into()))
            }
            Kind::Time => read_time(&written(), field).map(Self::Number).ok_or_else(|| {
                let wrong = Problem::new("design.not-a-time")
                    .with("found", json::text(value))
                    .with("name", &field.name);
                wrong.with("format", field.format.as_deref().unwrap_or("iso8601")).at_path(path)
            }),
        }
    }

    /// The beginning of values of a field of text or bytes; that of a UUID as its first digits.
    ///
    /// # Errors
    /// At `path`: what no value begins with.
    pub fn read_prefix(prefix: &str, path: &str, field: &Field) -> Result<Self, Problem> {
        match field.kind {
            Kind::Bytes => {
                read_bytes(prefix, field, true).map(Self::Bytes).map_err(|problem| problem.at_path(path))
            }
            _ => Self::read(&prefix.into(), path, field),
        }
    }

    /// How it stands to another value of a field of this kind.
    pub fn compare(&self, other: &Self, kind: Kind) -> Ordering {
        match (kind, self, other) {
            (Kind::Float, Self::Number(a), Self::Number(b)) => {
                float::order_key(*a).cmp(&float::order_key(*b))
            }
            (Kind::Decimal, Self::Bytes(a), Self::Bytes(b)) => match (Decimal::parse(a), Decimal::parse(b)) {
                (Ok(a), Ok(b)) => a.compare_value(&b),
                _ => a.cmp(b),
            },
            _ => self.cmp(other),
        }
    }

    /// The result of a step on it; `None` when the step refuses it.
    pub(crate) fn through(&self, operation: &dyn ColumnOperation) -> Option<Self> {
        let input = match self {
            Self::Number(number) => Vector::Integers(vec![*number]),
            Self::Bytes(bytes) => {
                Vector::Strings(ByteStrings { bytes: bytes.clone(), ends: vec![bytes.len() as u32] })
            }
        };
        let mut output = operation.output();
        let mut refused = Vec::new();
        operation.apply(&input, &mut output, &mut refused);
        if !refused.is_empty() {
            return None;
        }
        match output {
            Vector::Integers(numbers) => numbers.first().map(|&number| Self::Number(number)),
            Vector::Strings(strings) => Some(Self::Bytes(strings.bytes)),
        }
    }

    /// The bytes it adds to a key; a number adds none.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => &[],
        }
    }
}

/// Bytes in the notation of their field, or in HBase's own, which has a backslash in front of each byte that is no character.
fn read_bytes(text: &str, field: &Field, begins: bool) -> Result<Vec<u8>, Problem> {
    let (reading, example) = match field.format.as_deref() {
        _ if text.contains('\\') => return from_string_binary(text),
        Some("hex") => (read::FieldReading::Hex, "00b97ea6"),
        Some("uuid") if begins => (read::FieldReading::Hex, "00b97ea6-df3c"),
        Some("uuid") => (read::FieldReading::Uuid, "00b97ea6-df3c-45b4-890a-96c9d43db43e"),
        _ => return from_string_binary(text),
    };
    let digits = if begins { text.replace('-', "") } else { text.to_owned() };
    let mut bytes = Vec::new();
    let format = field.format.as_deref().unwrap_or_default();
    reading.to_bytes(digits.as_bytes(), &mut bytes).map_err(|_| {
        let wrong = Problem::new("design.not-bytes").with("found", text).with("name", &field.name);
        wrong.with("format", format).with("example", example)
    })?;
    Ok(bytes)
}

fn read_time(text: &str, field: &Field) -> Option<i64> {
    let formats = [field.format.as_deref().unwrap_or("iso8601"), "iso8601"];
    formats
        .iter()
        .find_map(|format| TimeFormat::parse(format, field.zone.as_deref()).ok()?.read(text.as_bytes()))
}
