//! A pass over records of any number: all designs of a study at once, into one [`Summary`].
//!
//! Records come in portions that are encoded, counted and dropped, so memory is bounded by the portion and the summary.
//! The questions about a second design, a comparison or a query cannot be answered after the records are
//! gone; that is why a pass takes the whole study.

mod counting;
mod portion;
mod stretches;

use crate::base::Problem;
use crate::base::host::tick;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use crate::design::{OperationField, Query};
use crate::formula::typed::{Expression, TypedColumn, TypedFormula};
use crate::keys::encode::{Encoder, RefusedRow};
use crate::records::field::Field;
use crate::records::{Column, ColumnValues, HashedRow, Records};
use crate::scan::{self, FieldDomain, KeyRange, QueryMatcher};
use crate::summary::{
    DesignScope, LEADING, RowRefusal, SampledDetail, SampledKey, SampledRow, StudyFingerprint, Summary, tally,
};
pub use counting::ParallelCounter;
use portion::{BatchFacts, PassedDesign, Portion};
use std::ops::Range;
use stretches::KeyStretches;

/// The designs of a study on their way over its records.
#[derive(Clone)]
pub struct Counter {
    fields: Vec<Field>,
    designs: Vec<PassedDesign>,
    /// The values of the fields that each query leaves open; `None` for one that asks what they cannot hold.
    queries: Vec<Option<Vec<FieldDomain>>>,
    arrival: Option<String>,
    /// Tells a read from a write.
    operation: Option<OperationField>,
    summary: Summary,
}

impl Counter {
    /// Over records of `fields`, by formulas checked against them with the split points of their tables. `arrival` names
    /// the field that tells when a record is written.
    pub fn new(
        study: StudyFingerprint,
        fields: &[Field],
        designs: &[(&TypedFormula, &SplitPoints)],
        arrival: Option<&str>,
    ) -> Self {
        Self::of_study(study, fields, designs, arrival, &[], &[])
    }

    /// The same with queries to count the rows of, and fields to count the values of.
    pub fn of_study(
        study: StudyFingerprint,
        fields: &[Field],
        designs: &[(&TypedFormula, &SplitPoints)],
        arrival: Option<&str>,
        queries: &[Query],
        counted: &[&str],
    ) -> Self {
        let domains: Vec<Option<Vec<FieldDomain>>> =
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
            let ranges: Vec<Vec<KeyRange>> = ranges.collect();
            let stretches = KeyStretches::new(points, &ranges);
            scopes.push(DesignScope {
                points: points.clone(),
                leading: leading.len(),
                queries: planned.clone(),
                columns: typed.columns.iter().map(TypedColumn::has).collect(),
            });
            all.push(PassedDesign { typed: typed.clone(), leading, stretches });
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
    pub fn with_operation(mut self, operation: Option<&OperationField>) -> Self {
        if let Some(operation) = operation {
            self.operation = Some(operation.clone());
            self.summary = self.summary.counting_reads();
        }
        self
    }

    /// Counts a portion of the records; any portions in any order give the same summary.
    pub fn add(&mut self, records: &Records) {
        self.add_hashed(records, &records.hashed(self.summary.sample.bound()));
    }

    /// The same where the positions that hash lowest are known: all those not above the bound of the sample, or more.
    pub(crate) fn add_hashed(&mut self, records: &Records, hashed: &[HashedRow]) {
        let mut next = 0;
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let designs: Vec<&TypedFormula> = self.designs.iter().map(|design| &design.typed).collect();
        let encoder = Encoder::new(records, &fields, &designs);
        let arrival = self.arrival.as_deref().and_then(|arrival| records.column(arrival));
        let time = |row: usize| match arrival.map(|column| (&column.values, &column.invalid)) {
            Some((ColumnValues::Integers(times), invalid)) if !invalid.get(row) => times.get(row).copied(),
            _ => None,
        };
        let reads = self.operation.as_ref().and_then(|operation| operation.of(records));
        let summary = &mut self.summary;
        let columns: Vec<Option<&Column>> =
            summary.fields.iter().map(|field| records.column(&field.name)).collect();
        for (column, field) in columns.iter().zip(&mut summary.fields) {
            tick(records.rows);
            column.iter().for_each(|column| count_values(column, &mut field.values));
        }
        let matching: Vec<Option<QueryMatcher>> = self
            .queries
            .iter()
            .map(|domains| domains.as_ref().map(|domains| QueryMatcher::new(records, &self.fields, domains)))
            .collect();
        let designs = self.designs.iter().enumerate();
        let mut portions: Vec<Portion> =
            designs.map(|(number, design)| Portion::new(&encoder, number, design)).collect();
        let mut keys = vec![ByteStrings::default(); portions.len()];
        let mut regions = Vec::new();
        for rows in encoder.batches() {
            keys.iter_mut().for_each(ByteStrings::clear);
            let mut refused: Vec<(usize, RefusedRow)> = Vec::new();
            encoder.encode_rows(rows.clone(), &mut keys, |design, row| refused.push((design, row)));
            count_refused(refused, records, summary);
            let times: Vec<Option<i64>> = rows.clone().map(time).collect();
            let told = BatchFacts { times: &times, reads: reads.as_ref(), matching: &matching };
            for ((portion, counted), keys) in portions.iter_mut().zip(&mut summary.designs).zip(&keys) {
                portion.count(&encoder, keys, rows.clone(), &told, counted);
            }
            count_cells(&encoder, rows.clone(), &keys, summary);
            if !summary.joint.is_empty() {
                regions.clear();
                regions.extend(portions.iter().map(|portion| portion.regions.clone()));
                summary.add_joint(&regions);
            }
            summary.add_records(times.iter().copied());
            while let Some(&(row, hash)) = hashed.get(next).filter(|(row, _)| (*row as usize) < rows.end) {
                next += 1;
                if !summary.sample.admits(hash) {
                    continue;
                }
                let row = row as usize;
                let sampled = sampled(row, row - rows.start, time(row), &keys, &portions, &columns);
                summary.sample.add(hash, records.position(row), sampled, |_, _| ());
            }
        }
        for (portion, counted) in portions.into_iter().zip(&mut summary.designs) {
            portion.finish(counted);
        }
    }

    /// Adds what was counted elsewhere; it stays as it is when that is refused.
    ///
    /// # Errors
    /// `summary.different-studies`.
    pub fn merge(&mut self, other: Summary) -> Result<(), Problem> {
        self.summary.take_in(other)
    }

    /// The counts so far.
    pub fn so_far(&self) -> &Summary {
        &self.summary
    }

    /// The counts.
    pub fn summary(self) -> Summary {
        self.summary
    }
}

/// The leading parts of which values are counted: for each the number of parts up to its end. Literals tell nothing, and
/// up to the last part it is the whole key.
pub fn leading(typed: &TypedFormula) -> Vec<usize> {
    let tells = |part: &Expression| !matches!(part, Expression::Literal(_));
    let parts = typed.parts.iter().enumerate().filter(|(_, part)| tells(&part.expression));
    let ends: Vec<usize> = parts.map(|(index, _)| index + 1).collect();
    let before = ends.len().saturating_sub(1).min(LEADING);
    ends.get(..before).unwrap_or_default().to_vec()
}

/// Counts the usable values of a column: those of a dictionary each once, with its rows.
#[inline(never)]
fn count_values(column: &Column, values: &mut crate::summary::ValueSummary) {
    let none_invalid = column.invalid.count() == 0;
    let usable = |row: usize| none_invalid || !column.invalid.get(row);
    match &column.values {
        ColumnValues::Strings { ids, dictionary } => {
            let mut rows_of = vec![0u32; dictionary.entries.len()];
            for (_, &id) in ids.iter().enumerate().filter(|(row, _)| usable(*row)) {
                if let Some(rows) = rows_of.get_mut(id as usize) {
                    *rows += 1;
                }
            }
            for (value, rows) in dictionary.entries.iter().zip(rows_of).filter(|(_, rows)| *rows > 0) {
                values.add(value, rows.into());
            }
        }
        ColumnValues::Integers(numbers) => {
            let numbers = numbers.iter().enumerate().filter(|(row, _)| usable(*row));
            tally(numbers.map(|(_, number)| number.to_be_bytes()), values);
        }
    }
}

/// Counts the cells with formulas of a batch.
fn count_cells(encoder: &Encoder<'_>, rows: Range<usize>, keys: &[ByteStrings], summary: &mut Summary) {
    if summary.designs.iter().all(|design| design.columns.is_none()) {
        return;
    }
    let columns = encoder.columns(rows);
    for ((design, keys), columns) in summary.designs.iter_mut().zip(keys).zip(&columns) {
        if let Some(cells) = &mut design.columns {
            cells.add(keys.iter(), columns);
        }
    }
}

/// Counts rows without a key of a batch, with the numbers of their designs.
fn count_refused(refused: Vec<(usize, RefusedRow)>, records: &Records, summary: &mut Summary) {
    for (design, row) in refused {
        let Some(counted) = summary.designs.get_mut(design) else { continue };
        let (column, number) = (row.column.and_then(|column| records.columns.get(column)), row.row);
        let value = column.map(|column| column.refused_text(number)).unwrap_or_default();
        let field = column.map_or("", |column| &column.field.name);
        let why = RowRefusal { code: row.code, field, value: &value };
        counted.refused.add(records.position(number as usize), &why);
    }
}

/// A record as a sample holds it: record `row`, which the batch of `keys` has at `index`.
fn sampled(
    row: usize,
    index: usize,
    time: Option<i64>,
    keys: &[ByteStrings],
    portions: &[Portion],
    columns: &[Option<&Column>],
) -> SampledRow {
    let key = |keys: &ByteStrings| Some(keys.get(index)).filter(|key| !key.is_empty()).map(SampledKey::new);
    let keys: Vec<Option<SampledKey>> = keys.iter().map(key).collect();
    let ends = portions
        .iter()
        .zip(&keys)
        .map(|(portion, key)| key.as_ref().map(|_| portion.ends(index, row)).unwrap_or_default());
    let values = columns.iter().map(|column| column.and_then(|column| value(column, row)));
    let detail = SampledDetail { ends: ends.collect(), values: values.collect() };
    SampledRow { time, keys, detail }
}

/// The value of a field as a sample holds it.
fn value(column: &Column, row: usize) -> Option<SampledKey> {
    if column.invalid.get(row) {
        return None;
    }
    match &column.values {
        ColumnValues::Strings { ids, dictionary } => Some(SampledKey::new(dictionary.get(*ids.get(row)?))),
        ColumnValues::Integers(numbers) => Some(SampledKey::new(&numbers.get(row)?.to_be_bytes())),
    }
}
