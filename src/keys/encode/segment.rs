//! What a key is written from: literals, values joined beforehand for each text of a dictionary, computed columns.

use super::Encoder;
use crate::bytes::strings::{ByteStrings, MOST_BYTES};
use crate::formula::typed::{Expression, Typed};
use crate::formula::vector::{Refusals, Vector};
use crate::records::Values;
use crate::records::field::shape::Shape;
use std::collections::HashMap;
use std::rc::Rc;

/// A formula's values over a dictionary: one an entry, and the entries it cannot take.
pub(super) struct Distinct {
    pub column: usize,
    pub values: Vector,
    pub refused: HashMap<u32, &'static str>,
}

/// A stretch of the key that is written with one copy.
pub(super) enum Segment<'a> {
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

impl<'a> Encoder<'a> {
    /// The dictionary column that all fields of `expression` are, when computing by entry is less work than by row.
    fn dictionary(&self, expression: &Expression) -> Option<usize> {
        let mut fields = Vec::new();
        expression.fields(&mut fields);
        if expression.is_random() {
            return None;
        }
        let column = self.column(*fields.first()?)?;
        if fields.iter().any(|&field| self.column(field) != Some(column)) {
            return None;
        }
        match &self.records.columns[column].values {
            Values::Strings { dictionary, .. } if dictionary.len() <= self.records.rows / 2 + 64 => {
                Some(column)
            }
            _ => None,
        }
    }

    /// The segments of a formula, and how many of its parts are in the first of them.
    pub(super) fn segments(&mut self, typed: &'a Typed) -> (Vec<Segment<'a>>, usize) {
        let mut segments: Vec<Segment<'a>> = Vec::new();
        let mut first = 0;
        for (index, part) in typed.parts.iter().enumerate() {
            if segments.len() < 2 {
                first = index;
            }
            if let Expression::Literal(bytes) = &part.expression {
                match segments.last_mut() {
                    Some(Segment::Literal(before)) => before.extend_from_slice(bytes),
                    Some(Segment::Distinct { values, .. }) => *values = appended(values, |_| bytes),
                    _ => segments.push(Segment::Literal(bytes.clone())),
                }
                continue;
            }
            let Some(column) = self.dictionary(&part.expression) else {
                let column = part.fields.first().and_then(|&field| self.column(field));
                let width = part.shape.width.exact().map(|width| width as usize);
                let (expression, uses_rest) = (&part.expression, part.uses_rest);
                segments.push(Segment::Rows { expression, column, width, uses_rest });
                continue;
            };
            let distinct = self.distinct(&part.expression, column);
            let Vector::Strings(new) = &distinct.values else { continue };
            match segments.last_mut() {
                Some(Segment::Distinct { column: before, values, refused, .. }) if *before == column => {
                    *values = appended(values, |entry| new.get(entry));
                    refused.extend(distinct.refused.iter());
                }
                Some(Segment::Literal(_)) => {
                    let Some(Segment::Literal(bytes)) = segments.pop() else { continue };
                    let mut values = ByteStrings::default();
                    for value in new.iter() {
                        values.bytes.extend_from_slice(&bytes);
                        values.push(value);
                    }
                    segments.push(self.distinct_segment(column, values, distinct.refused.clone()));
                }
                _ => segments.push(self.distinct_segment(column, new.clone(), distinct.refused.clone())),
            }
        }
        let first = if segments.len() < 2 { typed.parts.len() } else { first };
        (segments, first)
    }

    fn distinct_segment(
        &self,
        column: usize,
        values: ByteStrings,
        refused: HashMap<u32, &'static str>,
    ) -> Segment<'a> {
        Segment::Distinct { column, ids: self.ids(column), values, refused }
    }

    /// The dictionary entry of each row of a column.
    pub(super) fn ids(&self, column: usize) -> &'a [u32] {
        match self.records.columns.get(column).map(|column| &column.values) {
            Some(Values::Strings { ids, .. }) => ids,
            _ => &[],
        }
    }

    /// The values of `expression` over the entries of a dictionary column, computed once for all designs.
    fn distinct(&mut self, expression: &Expression, column: usize) -> Rc<Distinct> {
        if let Expression::Apply { text, .. } = expression
            && let Some(known) = self.memo.get(text)
        {
            return known.clone();
        }
        let computed = match expression {
            Expression::Field { shape, .. } => {
                let values = match &self.records.columns[column].values {
                    Values::Strings { dictionary, .. } => Vector::Strings(dictionary.entries.clone()),
                    Values::Integers(values) => Vector::Integers(values.clone()),
                };
                let refused = of_wrong_width(&values, shape).into_iter().collect();
                Distinct { column, values, refused }
            }
            Expression::Literal(bytes) => {
                let values = repeated(bytes, self.entries(column));
                Distinct { column, values, refused: HashMap::new() }
            }
            // No formula with a salt is computed by entry.
            Expression::Salt { .. } => {
                let values = Vector::Integers(vec![0; self.entries(column)]);
                Distinct { column, values, refused: HashMap::new() }
            }
            Expression::Join { separator, parts, .. } => {
                let parts: Vec<Rc<Distinct>> = parts.iter().map(|part| self.distinct(part, column)).collect();
                let values: Vec<&Vector> = parts.iter().map(|part| &part.values).collect();
                let (values, wide) = joined(separator, &values, self.entries(column));
                let mut refused: HashMap<u32, &'static str> = wide.into_iter().collect();
                refused.extend(parts.iter().flat_map(|part| part.refused.clone()));
                Distinct { column, values, refused }
            }
            Expression::Apply { input, operation, .. } => {
                let input = self.distinct(input, column);
                let mut values = operation.output();
                let mut new = Refusals::new();
                operation.apply(&input.values, &mut values, &mut new);
                let mut refused: HashMap<u32, &'static str> = new.into_iter().collect();
                refused.extend(input.refused.iter());
                Distinct { column, values, refused }
            }
        };
        let computed = Rc::new(computed);
        if let Expression::Apply { text, .. } = expression {
            self.memo.insert(text.clone(), computed.clone());
        }
        computed
    }

    fn entries(&self, column: usize) -> usize {
        match &self.records.columns[column].values {
            Values::Strings { dictionary, .. } => dictionary.len(),
            Values::Integers(values) => values.len(),
        }
    }
}

/// The values of a field that are not as wide as it declares, or wider than a formula takes.
pub(super) fn of_wrong_width(values: &Vector, field: &Shape) -> Refusals {
    let Vector::Strings(values) = values else { return Refusals::new() };
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
fn appended<'b>(values: &ByteStrings, more: impl Fn(usize) -> &'b [u8]) -> ByteStrings {
    let mut joined = ByteStrings::default();
    for (index, value) in values.iter().enumerate() {
        joined.bytes.extend_from_slice(value);
        joined.push(more(index));
    }
    joined
}

/// The parts of each row with the separator between them, and the rows that come to more than a value may.
pub(super) fn joined(separator: &[u8], parts: &[&Vector], count: usize) -> (Vector, Refusals) {
    let mut strings = ByteStrings::default();
    let mut refused = Refusals::new();
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
        if let Err(code) = strings.end_checked(start, written) {
            refused.push((index as u32, code));
        }
    }
    (Vector::Strings(strings), refused)
}
