//! A pass over records of any number: all designs of a study at once, into one [`Summary`].
//!
//! Records come in portions that are encoded, counted and dropped, so memory is bounded by the portion and the summary.
//! What a person may ask of a second design, of two compared, or of a query, cannot be counted after the records are
//! gone; that is why a pass takes the whole study.

use crate::design::{Operation, Query};
use crate::encode::{Encoder, RefusedRow};
use crate::error::Problem;
use crate::field::Field;
use crate::formula::typed::{Expression, Typed};
use crate::formula::vector::ByteStrings;
use crate::records::{Column, Records, Values};
use crate::scan::{self, Domain, KeyRange, Matching};
use crate::split::SplitPoints;
use crate::summary::{Detail, Fingerprint, LEADING, SampledKey, Scope, Summary, Tally, Why};
use std::collections::HashMap;

/// The designs of a study on their way over its records.
pub struct Pass {
    fields: Vec<Field>,
    designs: Vec<Counted>,
    /// What each query leaves open of the fields; `None` for one that asks what they cannot hold.
    queries: Vec<Option<Vec<Domain>>>,
    arrival: Option<String>,
    /// What tells a read from a write.
    operation: Option<Operation>,
    summary: Summary,
}

/// A design with what is counted of it.
struct Counted {
    typed: Typed,
    /// Its leading parts: each as the number of parts up to its end.
    leading: Vec<usize>,
    /// The ranges of each query.
    ranges: Vec<Vec<KeyRange>>,
}

impl Pass {
    /// Over records of `fields`, by formulas checked against them with the split points of their tables. `arrival` names
    /// the field that tells when a record is written.
    pub fn new(
        study: Fingerprint,
        fields: &[Field],
        designs: &[(&Typed, &SplitPoints)],
        arrival: Option<&str>,
    ) -> Self {
        Self::of_study(study, fields, designs, arrival, &[], &[])
    }

    /// The same with queries to count the rows of, and fields to count the values of.
    pub fn of_study(
        study: Fingerprint,
        fields: &[Field],
        designs: &[(&Typed, &SplitPoints)],
        arrival: Option<&str>,
        queries: &[Query],
        counted: &[&str],
    ) -> Self {
        let domains: Vec<Option<Vec<Domain>>> =
            queries.iter().map(|query| scan::read(query, fields, "").ok()).collect();
        let planned: Vec<bool> = domains.iter().map(Option::is_some).collect();
        let mut scopes = Vec::new();
        let mut all = Vec::new();
        for &(typed, points) in designs {
            let leading = leading(typed);
            let ranges = queries.iter().zip(&domains).map(|(query, domains)| {
                let plan = domains.as_ref().map(|domains| scan::plan(typed, fields, query, domains));
                plan.map(|plan| plan.ranges).unwrap_or_default()
            });
            let ranges = ranges.collect();
            scopes.push(Scope { points: points.clone(), leading: leading.len(), queries: planned.clone() });
            all.push(Counted { typed: typed.clone(), leading, ranges });
        }
        Self {
            fields: fields.to_vec(),
            designs: all,
            queries: domains,
            arrival: arrival.map(str::to_owned),
            operation: None,
            summary: Summary::new(study, &scopes, counted),
        }
    }

    /// Counts reads too, as `operation` tells them; before any records.
    pub fn with_operation(mut self, operation: Option<&Operation>) -> Self {
        if let Some(operation) = operation {
            self.operation = Some(operation.clone());
            self.summary = self.summary.counting_reads();
        }
        self
    }

    /// Counts a portion of the records; any portions in any order give the same summary.
    pub fn add(&mut self, records: &Records) {
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let designs: Vec<&Typed> = self.designs.iter().map(|design| &design.typed).collect();
        let encoder = Encoder::new(records, &fields, &designs);
        let arrival = self.arrival.as_deref().and_then(|arrival| records.column(arrival));
        let time = |row: usize| match arrival.map(|column| (&column.values, &column.invalid)) {
            Some((Values::Integers(times), invalid)) if !invalid.get(row) => times.get(row).copied(),
            _ => None,
        };
        let reads = self.operation.as_ref().and_then(|operation| operation.of(records));
        let of = |column: Option<usize>| column.and_then(|column| records.columns.get(column));
        let columns: Vec<Option<&Column>> =
            self.summary.fields.iter().map(|field| records.column(&field.name)).collect();
        for (column, field) in columns.iter().zip(&mut self.summary.fields) {
            column.iter().for_each(|column| count_values(column, &mut field.values));
        }
        let matching: Vec<Option<Matching>> = self
            .queries
            .iter()
            .map(|domains| domains.as_ref().map(|domains| Matching::new(records, &self.fields, domains)))
            .collect();
        let mut keys = vec![ByteStrings::default(); self.designs.len()];
        for rows in encoder.batches() {
            keys.iter_mut().for_each(ByteStrings::clear);
            let mut refused: HashMap<(usize, usize), (RefusedRow, String)> = HashMap::new();
            encoder.encode_rows(rows.clone(), &mut keys, |design, row| {
                let text = of(row.column).map(|column| column.refused_text(row.row)).unwrap_or_default();
                refused.insert((design, row.row as usize), (row, text));
            });
            let ends: Vec<Vec<Ends>> =
                self.designs.iter().map(|design| ends(&encoder, design, rows.clone())).collect();
            for (((design, counted), keys), ends) in
                self.designs.iter().zip(&mut self.summary.designs).zip(&keys).zip(&ends)
            {
                for (ends, values) in ends.iter().zip(&mut counted.leading) {
                    Tally::default().add_all(keys, |index| ends.get(index), values);
                }
                for ((ranges, matching), counted) in
                    design.ranges.iter().zip(&matching).zip(&mut counted.queries)
                {
                    let Some((matching, counted)) = matching.as_ref().zip(counted.as_mut()) else { continue };
                    for (key, row) in keys.iter().zip(rows.clone()) {
                        // A refused record has the empty key.
                        if !key.is_empty() && scan::covers(ranges, key) {
                            counted.read += 1;
                            counted.returned += u64::from(matching.matches(row));
                        }
                    }
                }
            }
            let mut all: Vec<Result<&[u8], Why>> = Vec::with_capacity(self.designs.len());
            for (index, row) in rows.enumerate() {
                all.clear();
                all.extend(keys.iter().enumerate().map(|(design, keys)| match refused.get(&(design, row)) {
                    None => Ok(keys.get(index)),
                    Some((refused, value)) => {
                        let field = of(refused.column).map_or("", |column| &column.field.name);
                        Err(Why { code: refused.code, field, value })
                    }
                }));
                let detail = || Detail {
                    ends: ends
                        .iter()
                        .enumerate()
                        .map(|(design, ends)| {
                            let known = !refused.contains_key(&(design, row));
                            ends.iter().filter(|_| known).map(|ends| ends.get(index) as u32).collect()
                        })
                        .collect(),
                    values: columns
                        .iter()
                        .map(|column| column.and_then(|column| value(column, row)))
                        .collect(),
                };
                self.summary.add_row(records.position(row), time(row), &all, &detail);
                if reads.as_ref().is_some_and(|reads| reads.is_read(row)) {
                    self.summary.add_read(time(row), &all);
                }
            }
        }
    }

    /// Adds what was counted elsewhere; it stays as it is when that is refused.
    ///
    /// # Errors
    /// `summary.different-studies`.
    pub fn merge(&mut self, other: Summary) -> Result<(), Problem> {
        self.summary.take_in(other)
    }

    /// What was counted so far.
    pub fn so_far(&self) -> &Summary {
        &self.summary
    }

    /// What was counted.
    pub fn summary(self) -> Summary {
        self.summary
    }
}

/// The leading parts of which values are counted: for each the number of parts up to its end. Literals tell nothing, and
/// up to the last part it is the whole key.
pub fn leading(typed: &Typed) -> Vec<usize> {
    let tells = |part: &Expression| !matches!(part, Expression::Literal(_));
    let parts = typed.parts.iter().enumerate().filter(|(_, part)| tells(&part.expression));
    let ends: Vec<usize> = parts.map(|(index, _)| index + 1).collect();
    let before = ends.len().saturating_sub(1).min(LEADING);
    ends.get(..before).unwrap_or_default().to_vec()
}

/// Where a leading part ends in the keys of a batch.
enum Ends {
    /// In all at the same place.
    At(usize),
    /// In each at its own.
    Each(Vec<u32>),
}

impl Ends {
    fn get(&self, index: usize) -> usize {
        match self {
            Self::At(end) => *end,
            Self::Each(ends) => ends.get(index).copied().unwrap_or(0) as usize,
        }
    }
}

/// Where the leading parts of a design end in the keys of a batch.
fn ends(encoder: &Encoder, design: &Counted, rows: std::ops::Range<usize>) -> Vec<Ends> {
    let parts = |count: &usize| design.typed.parts.get(..*count).unwrap_or_default();
    let fixed = |count: &usize| {
        let widths = parts(count).iter().map(|part| part.shape.width.exact());
        widths.sum::<Option<u64>>().and_then(|width| usize::try_from(width).ok())
    };
    let varying = design.leading.iter().filter(|count| fixed(count).is_none()).max();
    let lengths = varying.map(|count| encoder.part_lengths(parts(count), rows.clone())).unwrap_or_default();
    let each = |count: &usize| {
        let mut ends = vec![0u32; rows.len()];
        for lengths in lengths.iter().take(*count) {
            ends.iter_mut().zip(lengths).for_each(|(end, length)| *end = end.saturating_add(*length));
        }
        Ends::Each(ends)
    };
    design.leading.iter().map(|count| fixed(count).map_or_else(|| each(count), Ends::At)).collect()
}

/// Counts the usable values of a column: those of a dictionary each once, with its rows.
fn count_values(column: &Column, values: &mut crate::summary::Values) {
    match &column.values {
        Values::Strings { ids, dictionary } => {
            let mut rows_of = vec![0u64; dictionary.entries.len()];
            for (row, &id) in ids.iter().enumerate() {
                if let Some(rows) = rows_of.get_mut(id as usize)
                    && !column.invalid.get(row)
                {
                    *rows += 1;
                }
            }
            for (value, rows) in dictionary.entries.iter().zip(rows_of).filter(|(_, rows)| *rows > 0) {
                values.add(value, rows);
            }
        }
        Values::Integers(numbers) => {
            let mut strings = ByteStrings::default();
            let usable = numbers.iter().enumerate().filter(|(row, _)| !column.invalid.get(*row));
            usable.for_each(|(_, number)| strings.push(&number.to_be_bytes()));
            Tally::default().add_all(&strings, |_| size_of::<i64>(), values);
        }
    }
}

/// The value of a field as a sample holds it.
fn value(column: &Column, row: usize) -> Option<SampledKey> {
    if column.invalid.get(row) {
        return None;
    }
    match &column.values {
        Values::Strings { ids, dictionary } => Some(SampledKey::new(dictionary.get(*ids.get(row)?))),
        Values::Integers(numbers) => Some(SampledKey::new(&numbers.get(row)?.to_be_bytes())),
    }
}
