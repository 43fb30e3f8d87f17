//! One value at a time: through the steps of a formula and back.

use crate::base::map::Map;
use crate::bytes::strings::{ByteStrings, MOST_BYTES};
use crate::formula::typed::Expression;
use crate::formula::vector::{ColumnOperation, Vector};
use crate::records::field::Kind;
use crate::records::field::shape::Shape;

/// The fields whose values are known, by index; each column holds one value.
pub(super) type KnownFields = Map<usize, Vector>;

/// These bytes as a column of one.
pub(super) fn of_bytes(bytes: &[u8]) -> Vector {
    let mut strings = ByteStrings::default();
    strings.push(bytes);
    Vector::Strings(strings)
}

/// The bytes of a column of one; none of a number.
pub(super) fn bytes_of(value: &Vector) -> &[u8] {
    match value {
        Vector::Strings(strings) => strings.get(0),
        Vector::Integers(_) => &[],
    }
}

/// The result of an operation on one value; `None` when it does not take it.
pub(super) fn apply(operation: &dyn ColumnOperation, value: &Vector) -> Option<Vector> {
    let mut output = operation.output();
    let mut refused = Vec::new();
    operation.apply(value, &mut output, &mut refused);
    (refused.is_empty() && output.len() == 1).then_some(output)
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoValue {
    /// A field it is made of is not known, or it is random.
    Unknown,
    /// A step does not take the value before it.
    Refused,
}

/// The value of an expression over known fields; a random number is `salt`.
pub(super) fn evaluate(
    expression: &Expression,
    known: &KnownFields,
    salt: Option<i64>,
) -> Result<Vector, NoValue> {
    match expression {
        Expression::Field { index, .. } => known.get(index).cloned().ok_or(NoValue::Unknown),
        Expression::Literal(bytes) => Ok(of_bytes(bytes)),
        Expression::Salt { .. } => salt.map(|salt| Vector::Integers(vec![salt])).ok_or(NoValue::Unknown),
        Expression::Join { separator, parts, nullable_end, .. } => {
            let (mut joined, mut last) = (Vec::new(), 0);
            for (index, part) in parts.iter().enumerate() {
                joined.extend_from_slice(if index > 0 { separator } else { &[] });
                let value = evaluate(part, known, salt)?;
                last = bytes_of(&value).len();
                joined.extend_from_slice(bytes_of(&value));
                if joined.len() > MOST_BYTES {
                    return Err(NoValue::Refused);
                }
            }
            joined.truncate(nullable_end.length(&joined, last));
            Ok(of_bytes(&joined))
        }
        Expression::Apply { input, operation, .. } => {
            apply(operation.as_ref(), &evaluate(input, known, salt)?).ok_or(NoValue::Refused)
        }
    }
}

/// True if a value is one of those a shape speaks of.
pub(super) fn belongs(value: &Vector, shape: &Shape) -> bool {
    match value {
        Vector::Integers(values) => values.iter().all(|&value| {
            let (low, high) = shape.range.unwrap_or((i64::MIN, i64::MAX));
            let unit = shape.unit.max(1);
            (low..=high).contains(&value)
                && (shape.kind != Kind::Time || value.wrapping_add(shape.offset) % unit == 0)
        }),
        Vector::Strings(values) => values.iter().all(|value| {
            let width = value.len() as u64;
            width >= shape.width.min
                && shape.width.max.is_none_or(|max| width <= max)
                && value.iter().all(|&byte| shape.alphabet.contains(byte))
                && (shape.kind != Kind::Text || std::str::from_utf8(value).is_ok())
        }),
    }
}
