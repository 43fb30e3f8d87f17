//! The sampled rows of a summary as records.

use crate::bytes::position::Position;
use crate::bytes::sort::sort_by_key;
use crate::records::field::Field;
use crate::records::{Column, ColumnValues, Records, SampleOf};
use crate::summary::{SampledKey, SampledRow, Summary};

/// Why a value of a sampled record cannot be used: the summary does not say.
const UNUSABLE: &str = "row.value-unusable";

/// The sampled rows that are held whole, by arrival, with the fields of which a summary counts values.
pub fn records(fields: &[Field], summary: &Summary) -> Records {
    let counted = |field: &Field| summary.fields.iter().position(|counted| counted.name == field.name);
    let held: Vec<(&Field, usize)> =
        fields.iter().filter_map(|field| Some((field, counted(field)?))).collect();
    let whole = |row: &SampledRow| row.detail.values.iter().flatten().all(|value| value.whole().is_some());
    let mut rows: Vec<(Position, &SampledRow)> =
        summary.sample.iter().filter(|(_, row)| whole(row)).map(|(position, row)| (*position, row)).collect();
    sort_by_key(&mut rows, |(position, row)| (row.time, *position));
    let mut records = Records::new(&held.iter().map(|(field, _)| (*field).clone()).collect::<Vec<_>>());
    for (column, (_, index)) in records.columns.iter_mut().zip(&held) {
        for (number, (position, row)) in rows.iter().enumerate() {
            let value = row.detail.values.get(*index).and_then(Option::as_ref);
            if !add(column, value) {
                let text = rejected_text(summary, &column.field.name, *position);
                column.note_invalid(number, text.as_bytes(), UNUSABLE);
            }
        }
    }
    for &((file, offset), _) in &rows {
        records.add_positions(file, offset & !u64::from(u32::MAX), &[offset as u32]);
    }
    records.sample_of = Some(SampleOf { rows: summary.rows, numbers: Vec::new() });
    records
}

/// The text of a value for which a record has no key, where the summary has it.
fn rejected_text<'s>(summary: &'s Summary, field: &str, position: Position) -> &'s str {
    let reasons = summary.designs.iter().flat_map(|design| design.refused.iter());
    let mut first = reasons.filter(|(_, of, _)| *of == field).flat_map(|(.., rejected)| &rejected.first);
    first.find(|(at, _)| *at == position).map_or("", |(_, text)| text)
}

/// Adds a value; false where there is none that can be used.
fn add(column: &mut Column, value: Option<&SampledKey>) -> bool {
    let bytes = value.and_then(SampledKey::whole);
    match &mut column.values {
        ColumnValues::Strings { ids, dictionary } => {
            ids.push(dictionary.intern(bytes.unwrap_or_default()));
        }
        ColumnValues::Integers(values) => {
            let number = bytes.and_then(<[u8]>::first_chunk).map(|eight| i64::from_be_bytes(*eight));
            values.push(number.unwrap_or_default());
        }
    }
    bytes.is_some()
}
