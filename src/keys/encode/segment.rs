//! Segments that a key is written from: literals, values joined beforehand for each text of a dictionary, computed columns.

use crate::bytes::strings::{ByteStrings, MOST_BYTES};
use crate::formula::typed::{Expression, NullableEnd};
use crate::formula::vector::{RowRefusals, Vector};
use crate::records::field::shape::Shape;
use std::collections::HashMap;

/// A formula's values over a dictionary: one an entry, and the entries it cannot take.
pub(super) struct DistinctValues {
    pub column: usize,
    pub values: Vector,
    pub refused: HashMap<u32, &'static str>,
}

/// A stretch of the key that is written with one copy.
pub(super) enum KeySegment<'a> {
    Literal(Vec<u8>),
    /// Parts of one dictionary column, joined for each entry.
    Distinct {
        column: usize,
        ids: &'a [u32],
        values: ByteStrings,
        refused: HashMap<u32, &'static str>,
    },
    /// A part computed row by row.
    Rows {
        expression: &'a Expression,
        column: Option<usize>,
        width: Option<usize>,
        uses_rest: bool,
    },
}

/// The values of a field that are not as wide as it declares, or wider than a formula takes.
pub(super) fn of_wrong_width(values: &Vector, field: &Shape) -> RowRefusals {
    let Vector::Strings(values) = values else { return RowRefusals::new() };
    let exact = field.width.exact();
    let reason = |(index, value): (u32, &[u8])| match value.len() {
        width if exact.is_some_and(|exact| width as u64 != exact) => Some((index, "field.wrong-width")),
        width if width > MOST_BYTES => Some((index, "row.value-too-wide")),
        _ => None,
    };
    (0..).zip(values.iter()).filter_map(reason).collect()
}

pub(super) fn repeated(bytes: &[u8], count: usize) -> Vector {
    let mut strings = ByteStrings::default();
    (0..count).for_each(|_| strings.push(bytes));
    Vector::Strings(strings)
}

/// Each value followed by what `more` gives for its index.
pub(super) fn appended<'b>(values: &ByteStrings, more: impl Fn(usize) -> &'b [u8]) -> ByteStrings {
    let mut joined = ByteStrings::default();
    for (index, value) in values.iter().enumerate() {
        joined.bytes.extend_from_slice(value);
        joined.push(more(index));
    }
    joined
}

/// The parts of each row with the separator between them, and the rows that come to more than a value may.
pub(super) fn joined(
    separator: &[u8],
    parts: &[&Vector],
    nullable_end: NullableEnd,
    count: usize,
) -> (Vector, RowRefusals) {
    let mut strings = ByteStrings::default();
    let mut refused = RowRefusals::new();
    for index in 0..count {
        let start = strings.bytes.len();
        let mut written = Ok(());
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                strings.bytes.extend_from_slice(separator);
            }
            if let Vector::Strings(values) = part {
                strings.bytes.extend_from_slice(values.get(index));
            }
            written = written.and_then(|()| strings.check(start));
            if written.is_err() {
                break;
            }
        }
        if let Some(Vector::Strings(last)) = parts.last() {
            let joined = strings.bytes.get(start..).unwrap_or_default();
            let length = nullable_end.length(joined, last.get(index).len());
            strings.bytes.truncate(start + length);
        }
        if let Err(code) = strings.end_checked(start, written) {
            refused.push((index as u32, code));
        }
    }
    (Vector::Strings(strings), refused)
}
