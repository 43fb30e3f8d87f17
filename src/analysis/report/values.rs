//! Values and queries in a summary: how many distinct values, which have most rows, rows read per row returned.

use crate::analysis::counter::leading;
use crate::base::estimate::DEVIATIONS;
use crate::base::estimate::Estimate;
use crate::base::figures::share;
use crate::bytes::row::to_string_binary;
use crate::design::{Document, Query};
use crate::formula::typed::TypedFormula;
use crate::records::field::{Field, write};
use crate::scan::{self, KeyRange, RecordsRead, RowsRead, covers};
use crate::summary::{DesignSummary, Summary, ValueSummary};
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
            queries: counted.map(|design| rows_read(design, study, typed)).unwrap_or_default(),
            sampled,
            estimated: !all,
            share_off_by: if all { 0.0 } else { DEVIATIONS / 2.0 / (sampled.max(1) as f64).sqrt() },
        }
    }
}

/// The rows of the records that each query reads and returns.
fn rows_read(design: &DesignSummary, study: &Document, typed: &TypedFormula) -> Vec<Option<RowsRead>> {
    let of_query = |(counted, query): (&Option<RecordsRead>, &Query)| {
        let domains = scan::read(query, &study.fields, "").ok()?;
        let ranges = scan::plan(typed, &study.fields, query, &domains).ranges;
        Some(rows_of(design, &ranges, (*counted)?))
    };
    design.queries.iter().zip(&study.queries).map(of_query).collect()
}

/// The rows of records in these ranges: counted where every key is in the sample, else by the records of those that are.
fn rows_of(design: &DesignSummary, ranges: &[KeyRange], records: RecordsRead) -> RowsRead {
    let within = |all: bool| {
        let keys = design.keys.iter().filter(|(key, _)| all || covers(ranges, &key.start));
        keys.fold([0, 0], |[keys, records], (_, of_key)| [keys + 1, records + of_key])
    };
    let known = !design.keys.is_full() && design.keys.iter().all(|(key, _)| key.whole().is_some());
    let mut sampled = within(false);
    if sampled[0] == 0 {
        sampled = within(true);
    }
    let [keys, of_keys] = sampled;
    if keys == of_keys {
        return RowsRead::new(records.read, records.returned, records);
    }
    let rows = |records: u64| share(records, keys, of_keys).max(records.min(1));
    let (read, returned) = (rows(records.read), rows(records.returned));
    let exact = known && (records.returned == records.read || records.returned == 0);
    RowsRead { estimated: !exact, ..RowsRead::new(read, returned, records) }
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
