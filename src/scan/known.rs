//! The numbers and times that fields have in the records at hand.

use crate::base::map::Set;
use crate::design::{Constant, Query};
use crate::records::field::{Field, Kind};
use crate::records::{ColumnValues, Records};

/// Least and greatest value of a field, and how far apart its values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRange {
    /// The least.
    pub first: i64,
    /// The greatest.
    pub last: i64,
    /// All are whole multiples of it; 0 when all are 0.
    pub unit: i64,
}

/// The ranges of fields, by their index, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownRanges(Vec<Option<ValueRange>>);

impl KnownRanges {
    /// The ranges of the fields in whose order queries ask for the rows of these records.
    pub fn of(records: &Records, fields: &[Field], queries: &[Query]) -> Self {
        Self::of_fields(fields, queries, |field| ValueRange::of(records, field))
    }

    /// The same where `range` gives the range of a field.
    pub fn of_fields(
        fields: &[Field],
        queries: &[Query],
        range: impl Fn(&Field) -> Option<ValueRange>,
    ) -> Self {
        let ordered = |field: &Field| {
            let by = |query: &Query| query.order.as_ref().is_some_and(|order| order.field == field.name);
            queries.iter().any(by)
        };
        Self(fields.iter().map(|field| if ordered(field) { range(field) } else { None }).collect())
    }

    /// The range of a field.
    pub fn get(&self, field: usize) -> Option<ValueRange> {
        self.0.get(field).copied().flatten()
    }
}

impl ValueRange {
    /// That of a field in these records; `None` of one without a number or time.
    pub fn of(records: &Records, field: &Field) -> Option<Self> {
        let column = records.column(&field.name)?;
        let ColumnValues::Integers(values) = &column.values else { return None };
        let mut range: Option<Self> = None;
        for (row, &value) in values.iter().enumerate() {
            if column.invalid.get(row) {
                continue;
            }
            let before = range.unwrap_or(Self { first: value, last: value, unit: 0 });
            range = Some(Self {
                first: before.first.min(value),
                last: before.last.max(value),
                unit: if before.unit == 1 { 1 } else { common(before.unit, value) },
            });
        }
        range
    }
}

/// The greatest number of which both are multiples.
pub(super) fn common(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b > 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// The different values of a field, ascending; `None` when they are more than `most`, or not held in order.
pub(super) fn known_values(records: &Records, field: &Field, most: usize) -> Option<Vec<Constant>> {
    if matches!(field.kind, Kind::Float | Kind::Decimal) {
        return None;
    }
    let column = records.column(&field.name)?;
    let valid = |row: &usize| !column.invalid.get(*row);
    let mut values = Set::new();
    match &column.values {
        ColumnValues::Integers(numbers) => {
            for row in (0..numbers.len()).filter(valid) {
                values.insert(Constant::Number(*numbers.get(row)?));
                if values.len() > most {
                    return None;
                }
            }
        }
        ColumnValues::Strings { ids, dictionary } => {
            let mut used = Set::new();
            for row in (0..ids.len()).filter(valid) {
                used.insert(*ids.get(row)?);
                if used.len() > most {
                    return None;
                }
            }
            let entry = |id: &u32| Constant::Bytes(dictionary.entries.get(*id as usize).to_vec());
            values = used.iter().map(entry).collect();
        }
    }
    Some(values.iter().cloned().collect())
}
