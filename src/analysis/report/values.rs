//! Values and queries in a summary: how many distinct values, which have most rows, rows read per row returned.

use crate::analysis::pass::leading;
use crate::base::estimate::DEVIATIONS;
use crate::base::estimate::Estimate;
use crate::bytes::row::to_string_binary;
use crate::design::Document;
use crate::formula::typed::TypedFormula;
use crate::records::field::{Field, write};
use crate::scan::RowsRead;
use crate::summary::{Summary, ValueSummary};
use serde::Serialize;

/// Counts by value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownValues {
    /// For the fields that the study names.
    pub fields: Vec<ValueCounts>,
    /// For the key up to the end of its first, second, third part that differs between keys.
    pub leading: Vec<ValueCounts>,
    /// Rows read and returned by each query; `None` for one that asks what its fields cannot hold.
    pub queries: Vec<Option<RowsRead>>,
    /// Rows in the sample.
    pub sampled: usize,
    /// True if the sample leaves rows out.
    pub estimated: bool,
    /// By how much a share estimated from the sample may be off, 19 times of 20; 0 when all rows are in it.
    pub share_off_by: f64,
}

/// The values of a field, or of leading parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueCounts {
    /// Name of the field, or the parts as the formula has them.
    pub of: String,
    /// Rows that have a value.
    pub rows: u64,
    /// How many different ones there are.
    pub distinct: Estimate,
    /// Those with most rows.
    pub busiest: Vec<FrequentValue>,
}

/// A value and its rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrequentValue {
    /// As the field is written; leading parts in `\xNN` notation.
    pub value: String,
    /// Its rows; an estimate is an upper bound.
    pub rows: Estimate,
}

impl KnownValues {
    /// The counts of design number `design` of a summary, the formula of which is `typed`; the `most` busiest values of each.
    pub fn of(summary: &Summary, design: usize, study: &Document, typed: &TypedFormula, most: usize) -> Self {
        let field = |(index, counted): (usize, &crate::summary::FieldSummary)| {
            let field = study.fields.iter().find(|field| field.name == counted.name)?;
            let busiest = summary.busiest_of_field(index, most);
            Some(counts(counted.name.clone(), &counted.values, busiest, |value| text(field, value)))
        };
        let counted = summary.designs.get(design);
        let parts = leading(typed).into_iter().zip(counted.iter().flat_map(|design| &design.leading));
        let of_parts = |(part, (end, values)): (usize, (usize, &ValueSummary))| {
            let parts = typed.parts.get(..end).unwrap_or_default();
            let parts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            let busiest = summary.busiest_leading(design, part, most);
            counts(parts.join(" + "), values, busiest, to_string_binary)
        };
        let sampled = summary.sample.len();
        let all = sampled as u64 == summary.rows;
        Self {
            fields: summary.fields.iter().enumerate().filter_map(field).collect(),
            leading: parts.enumerate().map(of_parts).collect(),
            queries: counted.map(|design| design.queries.clone()).unwrap_or_default(),
            sampled,
            estimated: !all,
            share_off_by: if all { 0.0 } else { DEVIATIONS / 2.0 / (sampled.max(1) as f64).sqrt() },
        }
    }
}

fn counts(
    of: String,
    values: &ValueSummary,
    busiest: Vec<(&[u8], Estimate)>,
    text: impl Fn(&[u8]) -> String,
) -> ValueCounts {
    let busiest = busiest.into_iter().map(|(value, rows)| FrequentValue { value: text(value), rows });
    ValueCounts { of, rows: values.rows, distinct: values.distinct(), busiest: busiest.collect() }
}

/// A value as its field is written.
fn text(field: &Field, value: &[u8]) -> String {
    match value.try_into() {
        Ok(number) if field.kind.is_fixed() => write::number(field, i64::from_be_bytes(number)),
        _ => write::string(field, value),
    }
}
