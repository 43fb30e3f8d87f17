//! A few thousand rows on their way to keys.

use super::encoder::{Encoder, FormulaEncoder};
use super::refused::RefusedRow;
use super::segment::{DistinctValues, KeySegment, joined, of_wrong_width, repeated};

use crate::base::map::Map;
use crate::bytes::row;
use crate::bytes::salt;
use crate::bytes::sort::sort_by_key;
use crate::bytes::strings::{ByteStrings, MOST_BYTES};
use crate::formula::typed::{Expression, NullableEnd};
use crate::formula::vector::{RowRefusals, Vector};
use crate::records::ColumnValues;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A column of a batch and the rows of the batch it refuses.
pub(super) type EvaluatedColumn = Rc<(Vector, RowRefusals)>;

/// A few thousand rows on their way to keys; sub-formulas are shared by all designs.
pub(super) struct KeyBatch<'e, 'a> {
    pub(super) encoder: &'e Encoder<'a>,
    pub(super) rows: Range<usize>,
    memo: HashMap<&'e str, EvaluatedColumn>,
}

impl<'e, 'a: 'e> KeyBatch<'e, 'a> {
    pub(super) fn new(encoder: &'e Encoder<'a>, rows: Range<usize>) -> Self {
        Self { encoder, rows, memo: HashMap::new() }
    }

    /// Appends the bytes that a formula makes of each row; tells `refused_row` of each that gets none.
    pub(super) fn write(
        &mut self,
        formula: &'e FormulaEncoder<'a>,
        keys: &mut ByteStrings,
        refused_row: &mut dyn FnMut(RefusedRow),
    ) {
        if !formula.kinds.is_empty() {
            return self.write_kinds(&formula.kinds, keys, refused_row);
        }
        let segments = &formula.segments;
        let mut refused = RefusedInBatch { first: self.rows.start as u32, rows: Map::new() };
        self.refuse_unusable(&formula.used, &mut refused);
        let columns: Vec<Option<EvaluatedColumn>> = segments
            .iter()
            .map(|segment| match segment {
                KeySegment::Rows { expression, .. } => Some(self.evaluate(expression)),
                _ => None,
            })
            .collect();
        self.refuse_parts(segments, &columns, &mut refused);
        self.write_keys(formula, &columns, keys, &mut refused);
        refused.rows.into_values().for_each(refused_row);
    }

    /// Bytes that a formula makes of each row; `None` where it refuses one.
    pub(super) fn lengths(&mut self, formula: &'e FormulaEncoder<'a>) -> Vec<Option<u32>> {
        if !formula.kinds.is_empty() {
            return self.lengths_of_kinds(&formula.kinds);
        }
        let mut refused = RefusedInBatch { first: self.rows.start as u32, rows: Map::new() };
        self.refuse_unusable(&formula.used, &mut refused);
        let mut lengths = vec![0u32; self.rows.len()];
        let nullable_end = formula.typed.nullable_end;
        let parts = formula.typed.parts.iter().map(|part| self.evaluate(&part.expression));
        let mut columns: Vec<EvaluatedColumn> = parts.collect();
        for evaluated in &columns {
            evaluated.1.iter().for_each(|&(index, code)| refused.add(index, None, code));
        }
        if nullable_end.separators > 0 {
            columns = self.one_column(&columns, nullable_end);
        }
        for evaluated in columns {
            if let Vector::Strings(values) = &evaluated.0 {
                let length = |value: &[u8]| u32::try_from(value.len()).unwrap_or(u32::MAX);
                let both = lengths.iter_mut().zip(values.iter());
                both.for_each(|(all, value)| *all = all.saturating_add(length(value)));
            }
        }
        let of = |(index, length)| (!refused.rows.contains_key(&(index as u32))).then_some(length);
        lengths.into_iter().enumerate().map(of).collect()
    }

    /// Refuses the rows that could not be read, or whose value in a used column could not.
    fn refuse_unusable(&self, used: &[usize], refused: &mut RefusedInBatch) {
        let unread = &self.encoder.records.unread;
        if unread.count() > 0 {
            let rows = self.rows.clone().enumerate().filter(|(_, row)| unread.get(*row));
            rows.for_each(|(index, _)| refused.add(index as u32, None, "row.unread"));
        }
        for &column in used {
            for (index, row) in self.rows.clone().enumerate() {
                if self.encoder.records.columns[column].invalid.get(row) {
                    refused.add(index as u32, Some(column), "row.value-unusable");
                }
            }
        }
    }

    /// Refuses the rows of which a part of the key could not be made.
    fn refuse_parts(
        &self,
        segments: &[KeySegment],
        columns: &[Option<EvaluatedColumn>],
        refused: &mut RefusedInBatch,
    ) {
        // `rest` fails wherever a part it reads fails: that part is reported first, so that the problem names the cause.
        let uses_rest = |segment: &KeySegment| matches!(segment, KeySegment::Rows { uses_rest: true, .. });
        let all = || segments.iter().zip(columns);
        let own = all().filter(|(segment, _)| !uses_rest(segment));
        for (segment, evaluated) in own.chain(all().filter(|(segment, _)| uses_rest(segment))) {
            match (segment, evaluated) {
                (KeySegment::Rows { column, .. }, Some(evaluated)) => {
                    evaluated.1.iter().for_each(|&(index, code)| refused.add(index, *column, code));
                }
                (KeySegment::Distinct { column, ids, refused: entries, .. }, _) if !entries.is_empty() => {
                    let ids = ids.get(self.rows.clone()).unwrap_or(&[]);
                    for (index, id) in ids.iter().enumerate() {
                        if let Some(code) = entries.get(id) {
                            refused.add(index as u32, Some(*column), code);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The keys that columns come to, in place of them.
    #[inline(never)]
    fn one_column(&self, columns: &[EvaluatedColumn], nullable_end: NullableEnd) -> Vec<EvaluatedColumn> {
        let values: Vec<&Vector> = columns.iter().map(|column| &column.0).collect();
        vec![Rc::new(joined(&[], &values, nullable_end, self.rows.len()))]
    }

    /// Appends a key for each row, the empty one for those refused; refuses keys that are too long.
    fn write_keys(
        &self,
        formula: &FormulaEncoder<'_>,
        columns: &[Option<EvaluatedColumn>],
        keys: &mut ByteStrings,
        refused: &mut RefusedInBatch,
    ) {
        let nullable_end = formula.typed.nullable_end;
        let sources: Vec<SegmentBytes> = formula
            .segments
            .iter()
            .zip(columns)
            .map(|(segment, evaluated)| match (segment, evaluated.as_deref()) {
                (KeySegment::Literal(bytes), _) => SegmentBytes::Literal(bytes),
                (KeySegment::Distinct { ids, values, .. }, _) => {
                    SegmentBytes::Distinct(ids.get(self.rows.clone()).unwrap_or(&[]), values)
                }
                (KeySegment::Rows { .. }, Some((Vector::Strings(values), _))) => SegmentBytes::Rows(values),
                (KeySegment::Rows { .. }, _) => SegmentBytes::Literal(&[]),
            })
            .collect();
        let mut end = keys.bytes.len();
        let all = sources.iter().map(|source| source.bytes(self.rows.len())).fold(0, usize::saturating_add);
        // A key that is too long is refused: there may be no room for it.
        let most = self.rows.len().saturating_mul(row::MAX_ROW_LENGTH);
        keys.bytes.resize(end.saturating_add(all.min(most)), 0);
        for index in 0..self.rows.len() as u32 {
            if refused.rows.is_empty() || !refused.rows.contains_key(&index) {
                let start = end;
                for source in &sources {
                    let part = source.get(index as usize);
                    copy_short(part, keys.bytes.get_mut(end..).unwrap_or_default());
                    end = end.saturating_add(part.len());
                }
                if nullable_end.separators > 0
                    && let (Some(last), Some(key)) = (sources.last(), keys.bytes.get(start..end))
                {
                    end = start + nullable_end.length(key, last.get(index as usize).len());
                }
                let refusal = row::refusal_of_length(end - start);
                // Ends are 32 bits wide.
                let refusal = refusal.or((end > u32::MAX as usize).then_some("row.no-room"));
                if let Some(code) = refusal {
                    end = start;
                    refused.add(index, None, code);
                }
            }
            keys.ends.push(end as u32);
        }
        keys.bytes.truncate(end);
    }

    /// The values of `expression` for the rows of the batch.
    pub(super) fn evaluate(&mut self, expression: &'e Expression) -> EvaluatedColumn {
        if let Expression::Apply { text, .. } = expression
            && let Some(known) = self.memo.get(text.as_str())
        {
            return known.clone();
        }
        let computed = Rc::new(self.compute(expression));
        if let Expression::Apply { text, .. } = expression {
            self.memo.insert(text, computed.clone());
        }
        computed
    }

    fn compute(&mut self, expression: &'e Expression) -> (Vector, RowRefusals) {
        match expression {
            Expression::Field { index, shape } => {
                let values = self.field(*index);
                let refused = of_wrong_width(&values, shape);
                (values, refused)
            }
            Expression::Literal(bytes) => (repeated(bytes, self.rows.len()), RowRefusals::new()),
            Expression::Join { separator, parts, nullable_end, .. } => {
                let parts: Vec<EvaluatedColumn> = parts.iter().map(|part| self.evaluate(part)).collect();
                let mut refused: RowRefusals = parts.iter().flat_map(|part| part.1.iter().copied()).collect();
                let values: Vec<&Vector> = parts.iter().map(|part| &part.0).collect();
                let (values, wide) = joined(separator, &values, *nullable_end, self.rows.len());
                refused.extend(wide);
                tidy(&mut refused);
                (values, refused)
            }
            Expression::Salt { buckets, seed, .. } => {
                let of = |row| salt::random(self.encoder.records.position(row), *seed, *buckets);
                (Vector::Integers(self.rows.clone().map(of).collect()), RowRefusals::new())
            }
            Expression::Apply { input, operation, text, .. } => {
                if let Some(known) = self.encoder.memo.get(text) {
                    return self.of_entries(known);
                }
                let input = self.evaluate(input);
                let mut values = operation.output();
                let mut own = RowRefusals::new();
                operation.apply(&input.0, &mut values, &mut own);
                // A reason to refuse the input comes first: it is the cause of others behind it.
                let mut refused = input.1.clone();
                refused.extend(own);
                tidy(&mut refused);
                (values, refused)
            }
        }
    }

    fn field(&self, field: usize) -> Vector {
        let values = self.encoder.column(field).map(|column| &self.encoder.records.columns[column].values);
        match values {
            Some(ColumnValues::Integers(values)) => {
                Vector::Integers(values.get(self.rows.clone()).unwrap_or(&[]).to_vec())
            }
            Some(ColumnValues::Strings { ids, dictionary }) => {
                Vector::Strings(chosen(&dictionary.entries, ids.get(self.rows.clone()).unwrap_or(&[])))
            }
            None => repeated(b"", self.rows.len()),
        }
    }

    /// The values computed for the entries of a dictionary, for the rows of the batch.
    fn of_entries(&self, known: &DistinctValues) -> (Vector, RowRefusals) {
        let ids = self.encoder.ids(known.column).get(self.rows.clone()).unwrap_or(&[]);
        let values = match &known.values {
            Vector::Strings(values) => Vector::Strings(chosen(values, ids)),
            Vector::Integers(values) => {
                let value = |&id: &u32| values.get(id as usize).copied().unwrap_or_default();
                Vector::Integers(ids.iter().map(value).collect())
            }
        };
        if known.refused.is_empty() {
            return (values, RowRefusals::new());
        }
        let refused = (0..).zip(ids).filter_map(|(index, id)| Some((index, *known.refused.get(id)?)));
        (values, refused.collect())
    }
}

/// The rows of a batch that get no key, by their index in it; the first reason counts.
struct RefusedInBatch {
    /// Row of the records that is the first of the batch.
    first: u32,
    rows: Map<u32, RefusedRow>,
}

impl RefusedInBatch {
    fn add(&mut self, index: u32, column: Option<usize>, code: &'static str) {
        self.rows.add(index, RefusedRow { row: self.first + index, column, code });
    }
}

/// Where the bytes of a segment come from, for the rows of a batch.
enum SegmentBytes<'a> {
    Literal(&'a [u8]),
    Distinct(&'a [u32], &'a ByteStrings),
    Rows(&'a ByteStrings),
}

impl SegmentBytes<'_> {
    /// Its bytes in so many rows.
    fn bytes(&self, rows: usize) -> usize {
        match self {
            Self::Literal(bytes) => bytes.len().saturating_mul(rows),
            Self::Distinct(ids, values) => {
                ids.iter().map(|&id| values.get(id as usize).len()).fold(0, usize::saturating_add)
            }
            Self::Rows(values) => values.bytes.len(),
        }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &[u8] {
        match self {
            Self::Literal(bytes) => bytes,
            Self::Distinct(ids, values) => ids.get(index).map_or(&[], |&id| values.get(id as usize)),
            Self::Rows(values) => values.get(index),
        }
    }
}

/// Copies bytes to the front of others where there is room, eight at a time: parts of keys are short, a call that copies costs more than the bytes.
#[inline(always)]
fn copy_short(from: &[u8], to: &mut [u8]) {
    let Some(to) = to.get_mut(..from.len()) else { return };
    if let (Some(last), Some(first)) = (from.last_chunk::<8>(), from.first_chunk::<8>()) {
        if from.len() > 16 {
            let words = from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0);
            words.for_each(|(from, to)| *to = *from);
        } else if let Some(to) = to.first_chunk_mut() {
            *to = *first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = *last;
        }
    } else if let (Some(last), Some(first)) = (from.last_chunk::<4>(), from.first_chunk::<4>()) {
        if let Some(to) = to.first_chunk_mut() {
            *to = *first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = *last;
        }
    } else {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// The strings at these indices, of those too wide for a formula the beginning that shows it.
fn chosen(strings: &ByteStrings, indices: &[u32]) -> ByteStrings {
    let mut texts = ByteStrings::default();
    for &index in indices {
        let string = strings.get(index as usize);
        texts.push(string.get(..=MOST_BYTES).unwrap_or(string));
    }
    texts
}

/// Keeps the first reason of each row, in order.
fn tidy(refused: &mut RowRefusals) {
    sort_by_key(refused, |&(index, _)| index);
    refused.dedup_by_key(|&mut (index, _)| index);
}

#[cfg(test)]
mod tests {
    use super::copy_short;

    #[test]
    fn parts_of_any_length_are_copied_and_no_byte_more() {
        let from: Vec<u8> = (1..=60).collect();
        for length in 0..=from.len() {
            let mut to = vec![0; 70];
            copy_short(&from[..length], &mut to);
            assert_eq!((&to[..length], &to[length..]), (&from[..length], vec![0; 70 - length].as_slice()));
        }
    }
}
