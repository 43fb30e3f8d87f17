//! Compiles formulas over records: which parts follow from a dictionary, and which are computed row by row.

use super::segment::{DistinctValues, KeySegment, appended, joined, of_wrong_width, repeated};
use crate::base::host::tick;
use crate::bytes::sort::sort_distinct;
use crate::bytes::strings::ByteStrings;
use crate::formula::typed::{Expression, TypedFormula};
use crate::formula::vector::{RowRefusals, Vector};
use crate::records::{ColumnValues, Records};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The compiled formulas of a cell.
pub(super) struct CellEncoder<'a> {
    /// The byte in front tells an empty qualifier from none.
    pub qualifier: Option<FormulaEncoder<'a>>,
    /// Values have no greatest length, unlike keys.
    pub value: Option<FormulaEncoder<'a>>,
}

/// A compiled formula.
pub(super) struct FormulaEncoder<'a> {
    pub typed: &'a TypedFormula,
    /// The stretches of its bytes; none of a formula of which only lengths are wanted.
    pub segments: Vec<KeySegment<'a>>,
    /// How many of its parts are in the first of them.
    pub first_parts: usize,
    /// Columns that it reads and that have unusable values.
    pub used: Vec<usize>,
    /// The formulas of its kinds.
    pub kinds: Vec<KindEncoder<'a>>,
}

/// The compiled formula of one kind of record.
pub(super) struct KindEncoder<'a> {
    /// Column of the field that tells the kind.
    pub column: Option<usize>,
    /// The values of it that mean this kind, ascending: numbers, or entries of the dictionary.
    pub values: Rc<[i64]>,
    pub formula: Option<FormulaEncoder<'a>>,
}

/// Compiled formulas over records.
pub struct Encoder<'a> {
    pub(super) records: &'a Records,
    /// Column of each field that the formulas speak of.
    pub(super) columns: Vec<Option<usize>>,
    pub(super) designs: Vec<FormulaEncoder<'a>>,
    /// The formulas of the cells of each design.
    pub(super) cells: Vec<Vec<CellEncoder<'a>>>,
    pub(super) memo: HashMap<String, Rc<DistinctValues>>,
    /// The codes of the values of kinds, which the formulas of all cells share.
    codes: HashMap<(usize, *const Vector), Rc<[i64]>>,
}

impl<'a> Encoder<'a> {
    /// Compiles `designs` over `records`; `fields` are the names the formulas' field indices stand for.
    pub fn new(records: &'a Records, fields: &[&str], designs: &[&'a TypedFormula]) -> Self {
        let columns = fields
            .iter()
            .map(|name| records.columns.iter().position(|column| column.field.name == *name))
            .collect();
        let mut encoder = Self {
            records,
            columns,
            designs: Vec::new(),
            cells: Vec::new(),
            memo: HashMap::new(),
            codes: HashMap::new(),
        };
        for typed in designs {
            let formula = encoder.formula(typed, Some(&[]));
            encoder.designs.push(formula);
            let cells = typed.columns.iter().map(|column| CellEncoder {
                qualifier: column.qualifier.as_ref().map(|qualifier| encoder.formula(qualifier, Some(&[0]))),
                value: column.value.as_ref().map(|value| encoder.formula(value, None)),
            });
            let cells = cells.collect();
            encoder.cells.push(cells);
        }
        encoder
    }

    /// Compiles a formula, to be written behind these bytes; without them only its lengths are wanted.
    fn formula(&mut self, typed: &'a TypedFormula, before: Option<&[u8]>) -> FormulaEncoder<'a> {
        let kinds = typed.kinds.iter().map(|kind| {
            let column = self.column(kind.field);
            let formula = kind.formula.as_ref().map(|formula| self.formula(formula, before));
            KindEncoder { column, values: self.known_codes(column, &kind.values), formula }
        });
        let kinds = kinds.collect();
        let mut segments = Vec::new();
        let mut first_parts = 0;
        if let Some(before) = before.filter(|_| typed.kinds.is_empty()) {
            if !before.is_empty() {
                segments.push(KeySegment::Literal(before.to_vec()));
            }
            let (own, first) = self.segments(typed);
            segments.extend(own);
            first_parts = first;
        }
        FormulaEncoder { typed, segments, first_parts, used: self.unusable(typed), kinds }
    }

    /// The same as [`Self::codes_of`], once for the formulas that share the values.
    fn known_codes(&mut self, column: Option<usize>, values: &'a Arc<Vector>) -> Rc<[i64]> {
        let subject = (column.unwrap_or(usize::MAX), Arc::as_ptr(values));
        if let Some(known) = self.codes.get(&subject) {
            return known.clone();
        }
        let codes: Rc<[i64]> = self.codes_of(column, values).into();
        self.codes.insert(subject, codes.clone());
        codes
    }

    /// The codes of these values in a column.
    fn codes_of(&self, column: Option<usize>, values: &Vector) -> Vec<i64> {
        let held = column.and_then(|column| self.records.columns.get(column)).map(|column| &column.values);
        let mut codes: Vec<i64> = match (held, values) {
            (Some(ColumnValues::Integers(_)), Vector::Integers(values)) => values.clone(),
            (Some(ColumnValues::Strings { dictionary, .. }), Vector::Strings(values)) => {
                let mut wanted: Vec<&[u8]> = values.iter().collect();
                sort_distinct(&mut wanted);
                let entries = (0..).zip(dictionary.entries.iter());
                entries.filter(|(_, entry)| wanted.binary_search(entry).is_ok()).map(|(id, _)| id).collect()
            }
            _ => Vec::new(),
        };
        sort_distinct(&mut codes);
        codes
    }

    /// The columns of a formula that have unusable values.
    fn unusable(&self, typed: &TypedFormula) -> Vec<usize> {
        let fields = typed.parts.iter().flat_map(|part| &part.fields);
        let columns = fields.filter_map(|&field| self.column(field));
        let unusable = |&column: &usize| {
            self.records.columns.get(column).is_some_and(|column| column.invalid.count() > 0)
        };
        let mut used: Vec<usize> = columns.filter(unusable).collect();
        sort_distinct(&mut used);
        used
    }

    pub(super) fn column(&self, field: usize) -> Option<usize> {
        self.columns.get(field).copied().flatten()
    }

    /// The dictionary column that all fields of `expression` are, when computing by entry is less work than by row.
    pub(super) fn dictionary(&self, expression: &Expression) -> Option<usize> {
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
            ColumnValues::Strings { dictionary, .. } if dictionary.len() <= self.records.rows / 2 + 64 => {
                Some(column)
            }
            _ => None,
        }
    }

    /// The segments of a formula, and how many of its parts are in the first of them.
    pub(super) fn segments(&mut self, typed: &'a TypedFormula) -> (Vec<KeySegment<'a>>, usize) {
        let mut segments: Vec<KeySegment<'a>> = Vec::new();
        let mut first = 0;
        for (index, part) in typed.parts.iter().enumerate() {
            if segments.len() < 2 {
                first = index;
            }
            if let Expression::Literal(bytes) = &part.expression {
                match segments.last_mut() {
                    Some(KeySegment::Literal(before)) => before.extend_from_slice(bytes),
                    Some(KeySegment::Distinct { values, .. }) => *values = appended(values, |_| bytes),
                    _ => segments.push(KeySegment::Literal(bytes.clone())),
                }
                continue;
            }
            let Some(column) = self.dictionary(&part.expression) else {
                let column = part.fields.first().and_then(|&field| self.column(field));
                let width = part.shape.width.exact().map(|width| width as usize);
                let (expression, uses_rest) = (&part.expression, part.uses_rest);
                segments.push(KeySegment::Rows { expression, column, width, uses_rest });
                continue;
            };
            let distinct = self.distinct(&part.expression, column);
            let Vector::Strings(new) = &distinct.values else { continue };
            // Its own length shows that the last column is NULL.
            let stays_apart = typed.nullable_end.separators > 0 && index + 1 == typed.parts.len();
            match segments.last_mut().filter(|_| !stays_apart) {
                Some(KeySegment::Distinct { column: before, values, refused, .. }) if *before == column => {
                    *values = appended(values, |entry| new.get(entry));
                    add_first(refused, distinct.refused.iter().map(|(&entry, &code)| (entry, code)));
                }
                Some(KeySegment::Literal(_)) => {
                    let Some(KeySegment::Literal(bytes)) = segments.pop() else { continue };
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
    ) -> KeySegment<'a> {
        KeySegment::Distinct { column, ids: self.ids(column), values, refused }
    }

    /// The dictionary entry of each row of a column.
    pub(super) fn ids(&self, column: usize) -> &'a [u32] {
        match self.records.columns.get(column).map(|column| &column.values) {
            Some(ColumnValues::Strings { ids, .. }) => ids,
            _ => &[],
        }
    }

    /// The values of `expression` over the entries of a dictionary column, computed once for all designs.
    pub(super) fn distinct(&mut self, expression: &Expression, column: usize) -> Rc<DistinctValues> {
        if let Expression::Apply { text, .. } = expression
            && let Some(known) = self.memo.get(text)
        {
            return known.clone();
        }
        tick(self.entries(column));
        let computed = match expression {
            Expression::Field { shape, .. } => {
                let values = match &self.records.columns[column].values {
                    ColumnValues::Strings { dictionary, .. } => Vector::Strings(dictionary.entries.clone()),
                    ColumnValues::Integers(values) => Vector::Integers(values.clone()),
                };
                let refused = of_wrong_width(&values, shape).into_iter().collect();
                DistinctValues { column, values, refused }
            }
            Expression::Literal(bytes) => {
                let values = repeated(bytes, self.entries(column));
                DistinctValues { column, values, refused: HashMap::new() }
            }
            // No formula with a salt is computed by entry.
            Expression::Salt { .. } => {
                let values = Vector::Integers(vec![0; self.entries(column)]);
                DistinctValues { column, values, refused: HashMap::new() }
            }
            Expression::Join { separator, parts, nullable_end, .. } => {
                let parts: Vec<Rc<DistinctValues>> =
                    parts.iter().map(|part| self.distinct(part, column)).collect();
                let values: Vec<&Vector> = parts.iter().map(|part| &part.values).collect();
                let (values, wide) = joined(separator, &values, *nullable_end, self.entries(column));
                let mut refused = HashMap::new();
                for part in &parts {
                    add_first(&mut refused, part.refused.iter().map(|(&entry, &code)| (entry, code)));
                }
                add_first(&mut refused, wide);
                DistinctValues { column, values, refused }
            }
            Expression::Apply { input, operation, .. } => {
                let input = self.distinct(input, column);
                let mut values = operation.output();
                let mut new = RowRefusals::new();
                operation.apply(&input.values, &mut values, &mut new);
                let mut refused: HashMap<u32, &'static str> = new.into_iter().collect();
                refused.extend(input.refused.iter());
                DistinctValues { column, values, refused }
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
            ColumnValues::Strings { dictionary, .. } => dictionary.len(),
            ColumnValues::Integers(values) => values.len(),
        }
    }
}

/// Adds the entries that are refused for no other reason yet: as with rows, the first reason counts.
fn add_first(refused: &mut HashMap<u32, &'static str>, more: impl IntoIterator<Item = (u32, &'static str)>) {
    for (entry, code) in more {
        refused.entry(entry).or_insert(code);
    }
}
