//! The values that most rows have: a heavy value makes its region hot, however the table is split.

use crate::base::estimate::Estimate;
use crate::base::host::{tick, ticking};
use crate::records::field::Field;
use crate::records::{Column, ColumnValues};
use crate::summary::Summary;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The most frequent values of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BusiestValues {
    /// Name of the field.
    pub field: String,
    /// By rows descending, then by value ascending (unsigned bytes).
    pub values: Vec<ValueRows>,
}

/// A value and the rows that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueRows {
    /// The value.
    pub value: String,
    /// Rows that have it; of very many values at most so many.
    pub rows: u32,
    /// The least and the most rows that it can have, where they were not counted one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[u32; 2]>,
}

/// Part of the rows of a value that it has at least: of less is known no more than that the value is there.
const KNOWN: f64 = 0.5;

impl BusiestValues {
    /// The `top` most frequent values of a text column; `None` for numbers and times.
    pub fn of(column: &Column, top: usize) -> Option<Self> {
        let counted = Self::counted(column)?;
        tick(counted.len());
        let mut best: Vec<(u32, &[u8])> = Vec::new();
        for (rows, text) in counted {
            let place = best.partition_point(|&(more, lower)| (Reverse(more), lower) < (Reverse(rows), text));
            if place < top {
                best.truncate(top - 1);
                best.insert(place, (rows, text));
            }
        }
        Some(Self::new(&column.field.name, best.into_iter()))
    }

    /// The values of a text column, each with the rows that have it, in no order; `None` for numbers and times.
    pub(crate) fn counted(column: &Column) -> Option<Vec<(u32, &[u8])>> {
        let ColumnValues::Strings { ids, dictionary } = &column.values else { return None };
        tick(ids.len());
        let mut rows_of = vec![0u32; dictionary.entries.len()];
        for (row, &id) in ids.iter().enumerate() {
            if let Some(rows) = rows_of.get_mut(id as usize)
                && !column.invalid.get(row)
            {
                *rows += 1;
            }
        }
        tick(ids.len());
        let entry = |id: usize| dictionary.entries.get(id);
        let counted: Vec<(u32, &[u8])> = rows_of
            .iter()
            .enumerate()
            .filter(|&(_, &rows)| rows > 0)
            .map(|(id, &rows)| (rows, entry(id)))
            .collect();
        if dictionary.interning() {
            return Some(counted);
        }
        // A dictionary that is not interning can hold equal texts more than once.
        let mut sums: HashMap<&[u8], u32> = HashMap::new();
        ticking(counted.iter()).for_each(|&(rows, text)| *sums.entry(text).or_default() += rows);
        Some(sums.into_iter().map(|(text, rows)| (rows, text)).collect())
    }

    /// The `top` most frequent values of a text field that was counted, without those of which little more is known than that they
    /// are there: of very many values each may have up to 0.13% of all rows fewer. `None` for numbers and times, and of a field that
    /// was not counted.
    pub fn of_summary(summary: &Summary, field: &Field, top: usize) -> Option<Self> {
        let index = summary.fields.iter().position(|counted| counted.name == field.name)?;
        let mut counted = summary.busiest_of_field(index, top);
        counted.retain(|(_, rows)| rows.is_exact() || rows.low >= KNOWN * rows.value);
        let of = |(text, rows): (&[u8], Estimate)| ValueRows {
            between: (!rows.is_exact()).then_some([rows.low as u32, rows.high as u32]),
            ..ValueRows::counted(rows.value as u32, text)
        };
        let values = counted.into_iter().map(of).collect();
        (!field.kind.is_fixed()).then(|| Self { field: field.name.clone(), values })
    }

    fn new<'a>(field: &str, values: impl Iterator<Item = (u32, &'a [u8])>) -> Self {
        let values = values.map(|(rows, text)| ValueRows::counted(rows, text)).collect();
        Self { field: field.to_owned(), values }
    }
}

impl ValueRows {
    fn counted(rows: u32, text: &[u8]) -> Self {
        Self { value: String::from_utf8_lossy(text).into_owned(), rows, between: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::field::{Field, Kind};
    use crate::records::{Bitmap, Dictionary};

    fn column(texts: impl Iterator<Item = String>) -> Column {
        let mut dictionary = Dictionary::default();
        let ids = texts.map(|text| dictionary.intern(text.as_bytes())).collect();
        let field = Field {
            name: "phone".to_owned(),
            kind: Kind::Text,
            format: None,
            zone: None,
            width: None,
            from: Vec::new(),
            nullable: false,
        };
        let values = ColumnValues::Strings { ids, dictionary };
        Column { field, values, invalid: Bitmap::default(), first_invalid: Vec::new() }
    }

    fn of(column: &Column, top: usize) -> Vec<(String, u32)> {
        let busiest = BusiestValues::of(column, top).map(|busiest| busiest.values).unwrap_or_default();
        busiest.into_iter().map(|value| (value.value, value.rows)).collect()
    }

    #[test]
    fn more_rows_come_first_then_the_lower_value() {
        let mut phones = column(["b", "c", "a", "c", "d", "b"].into_iter().map(str::to_owned));
        let pair = |value: &str, rows| (value.to_owned(), rows);
        assert_eq!(of(&phones, 3), [pair("b", 2), pair("c", 2), pair("a", 1)]);
        phones.invalid.set(0);
        assert_eq!(of(&phones, 9), [pair("c", 2), pair("a", 1), pair("b", 1), pair("d", 1)]);
    }

    #[test]
    fn a_text_held_several_times_is_counted_as_one() {
        let nearly_unique = (0..200_000u32).map(|row| if row % 100 == 0 { 7 } else { row }.to_string());
        let column = column(nearly_unique);
        let ColumnValues::Strings { dictionary, .. } = &column.values else { panic!("a text column") };
        assert!(!dictionary.interning());
        assert_eq!(of(&column, 1), [("7".to_owned(), 2_001)]);
    }
}
