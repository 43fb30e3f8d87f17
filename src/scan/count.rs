//! The cost of a plan on records: rows read against rows returned.
//!
//! Records of one key are one row. Where each replaces the one before, the row matches as the last of them does; where they write
//! cells of their own, or no cell holds what is asked for, as any of them.

use super::domain::FieldDomain;
use super::plan::QueryPlan;
use super::range::KeyRange;
use crate::base::figures::share;
use crate::base::host::tick;
use crate::design::{Design, Family, WriteKind, holds_any, replaced_by};
use crate::formula::typed::TypedColumn;
use crate::keys::table::KeyTable;
use crate::records::field::Field;
use crate::records::{Bitmap, ColumnValues, Records};
use serde::Serialize;
use std::ops::Range;

/// True if records match the conditions of a query.
pub struct QueryMatcher<'a> {
    tests: Vec<Test<'a>>,
    rows: usize,
    /// When each record was written, and where that is unknown; without, records are written in their order.
    written: Option<(&'a [i64], &'a Bitmap)>,
    /// True if a row matches as any of its records does.
    any: bool,
}

/// The cells of a row.
#[derive(Clone, Copy)]
pub struct RowCells<'a> {
    /// The families.
    pub families: &'a [Family],
    /// Formulas of cells.
    pub columns: &'a [TypedColumn],
    /// True if records increment the counters of a row: it is that of all its records.
    pub are_counters: bool,
}

impl<'a> From<&'a Design> for RowCells<'a> {
    fn from(of: &'a Design) -> Self {
        let are_counters = of.writes == WriteKind::Counter;
        Self { families: &of.families, columns: &of.typed.columns, are_counters }
    }
}

enum Test<'a> {
    /// Numbers or times of a column.
    Numbers(&'a [i64], &'a FieldDomain),
    /// Text or bytes: for each entry of the dictionary whether it matches.
    Strings(&'a [u32], Vec<bool>),
    /// The column has values that cannot be used: those rows match nothing.
    Usable(&'a Bitmap),
    /// There is no such column.
    Never,
}

impl<'a> QueryMatcher<'a> {
    /// A matcher for the conditions `domains`, by index in `fields`, on these records.
    pub fn new(records: &'a Records, fields: &[Field], domains: &'a [FieldDomain]) -> Self {
        let mut tests = Vec::new();
        for (field, domain) in fields.iter().zip(domains).filter(|(_, domain)| domain.is_restricted()) {
            let Some(column) = records.column(&field.name) else {
                tests.push(Test::Never);
                continue;
            };
            tests.push(match &column.values {
                ColumnValues::Integers(values) => Test::Numbers(values, domain),
                ColumnValues::Strings { ids, dictionary } => {
                    let entries = dictionary.entries.iter();
                    Test::Strings(ids, entries.map(|entry| domain.has_bytes(entry)).collect())
                }
            });
            if column.invalid.count() > 0 {
                tests.push(Test::Usable(&column.invalid));
            }
        }
        Self { tests, rows: records.rows, written: None, any: false }
    }

    /// The same where the field `written` tells when each record is written.
    pub fn written_at(mut self, records: &'a Records, written: Option<&str>) -> Self {
        let column = written.and_then(|written| records.column(written));
        self.written = column.and_then(|column| match &column.values {
            ColumnValues::Integers(times) => Some((times.as_slice(), &column.invalid)),
            ColumnValues::Strings { .. } => None,
        });
        self
    }

    /// The same for rows of these families: of records that replace each other, only the last has a value in a cell, but a row is that of
    /// all of them where they increment its counters or share a cell, or no cell holds what is asked for.
    pub fn in_cells(
        self,
        of: impl Into<RowCells<'a>>,
        (records, fields): (&'a Records, &[Field]),
        domains: &[FieldDomain],
        arrival: Option<&str>,
    ) -> Self {
        let RowCells { families, columns, are_counters } = of.into();
        let asked = domains.iter().enumerate().filter(|(_, domain)| domain.is_restricted());
        let asked: Vec<usize> = asked.map(|(index, _)| index).collect();
        let shared = families.iter().flat_map(|family| &family.cells).any(|cell| cell.value.is_packed());
        let any = are_counters || shared || !holds_any(families, columns, fields, &asked);
        Self { any, ..self.written_at(records, replaced_by(families, arrival)) }
    }

    /// When a record was written; unknown times come first.
    fn written(&self, row: u32) -> Option<i64> {
        let (times, invalid) = self.written?;
        times.get(row as usize).copied().filter(|_| !invalid.get(row as usize))
    }

    /// True if the row of these records matches, and the number of them that do; it is wide where they write cells of their own.
    fn row(&self, records: &[u32], is_wide: bool) -> (bool, u64) {
        let matching = records.iter().filter(|record| self.matches(**record as usize)).count() as u64;
        let last = records.iter().max_by_key(|record| (self.written(**record), **record));
        let matches = match is_wide || self.any {
            true => matching > 0,
            false => last.is_some_and(|last| self.matches(*last as usize)),
        };
        (matches, matching)
    }

    /// True if the record of this row matches.
    pub fn matches(&self, row: usize) -> bool {
        self.tests.iter().all(|test| match test {
            Test::Numbers(values, domain) => values.get(row).is_some_and(|&value| domain.has_number(value)),
            Test::Strings(ids, entries) => {
                ids.get(row).is_some_and(|&id| entries.get(id as usize).copied().unwrap_or_default())
            }
            Test::Usable(invalid) => !invalid.get(row),
            Test::Never => false,
        })
    }
}

/// Records that a plan reads and returns: as many as are written, however many of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordsRead {
    /// Records of the rows within the ranges.
    pub read: u64,
    /// Records of them that match.
    pub returned: u64,
}

/// Rows that a plan reads and returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowsRead {
    /// Rows within the ranges.
    pub read: u64,
    /// Rows of them that match.
    pub returned: u64,
    /// The records of these rows, where some share one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<RecordsRead>,
    /// True if they are estimated from a sample: of the records, or of the keys where all records were counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// True if they may be fewer, as records outside of the sample share rows, too.
    #[serde(rename = "atMost", skip_serializing_if = "std::ops::Not::not")]
    pub at_most: bool,
}

impl RowsRead {
    /// Rows and their records.
    pub fn new(read: u64, returned: u64, records: RecordsRead) -> Self {
        let alike = records.read == read && records.returned == returned;
        Self { read, returned, records: (!alike).then_some(records), ..Self::default() }
    }

    /// Rows of so many records that all match.
    fn matching(rows: usize, records: usize) -> Self {
        let [rows, records] = [rows, records].map(|count| count as u64);
        Self::new(rows, rows, RecordsRead { read: records, returned: records })
    }

    /// The records of these rows.
    pub fn in_records(&self) -> RecordsRead {
        self.records.unwrap_or(RecordsRead { read: self.read, returned: self.returned })
    }

    /// Those of all records, where these are of a sample: one record in `factor`.
    pub fn scaled(self, factor: f64) -> Self {
        let up = |count: u64| (count as f64 * factor).round() as u64;
        let records =
            |records: RecordsRead| RecordsRead { read: up(records.read), returned: up(records.returned) };
        Self {
            read: up(self.read),
            returned: up(self.returned),
            records: self.records.map(records),
            estimated: true,
            at_most: self.records.is_some(),
        }
    }

    /// Those up to a limit, at the rate at which all of them match.
    pub fn up_to(self, limit: u64) -> Self {
        if self.returned <= limit {
            return self;
        }
        let part = |count: u64| share(count, limit, self.returned).max(limit);
        let records = |records: RecordsRead| RecordsRead {
            read: share(records.read, limit, self.returned),
            returned: share(records.returned, limit, self.returned),
        };
        Self {
            read: part(self.read),
            returned: limit,
            records: self.records.map(records),
            estimated: true,
            ..self
        }
    }

    /// The rows of both.
    fn with(self, other: Self) -> Self {
        let (own, more) = (self.in_records(), other.in_records());
        let records = RecordsRead { read: own.read + more.read, returned: own.returned + more.returned };
        Self::new(self.read + other.read, self.returned + other.returned, records)
    }
}

/// Counts what a plan costs on sorted keys of its formula.
pub fn count_plan(plan: &QueryPlan, table: &KeyTable, matching: &QueryMatcher<'_>) -> RowsRead {
    if plan.exact {
        // Every row in the ranges matches.
        let all = plan.ranges.iter().map(|range| places(range, table));
        return all
            .map(|places| RowsRead::matching(table.rows_at(places.clone()), places.len()))
            .fold(RowsRead::default(), RowsRead::with);
    }
    count(&plan.ranges, table, matching)
}

/// Counts what a plan costs when reading stops at the limit of the query; `None` without a limit, and where all rows have to
/// be read to sort them.
pub fn count_limited(plan: &QueryPlan, table: &KeyTable, matching: &QueryMatcher<'_>) -> Option<RowsRead> {
    let limit = u64::from(plan.stops_after?);
    let turns = count_turns(plan, table, matching)?;
    let counted = turns.into_iter().map(|turn| turn.rows).fold(RowsRead::default(), RowsRead::with);
    Some(RowsRead { returned: counted.returned.min(limit), ..counted })
}

/// A range that is read up to a limit.
pub(super) struct ReadTurn {
    /// Index of the range.
    pub range: usize,
    /// Rows read and returned.
    pub rows: RowsRead,
}

/// The same for each range that is read, in their turn.
pub(super) fn count_turns(
    plan: &QueryPlan,
    table: &KeyTable,
    matching: &QueryMatcher<'_>,
) -> Option<Vec<ReadTurn>> {
    let limit = u64::from(plan.stops_after?);
    let mut returned = 0;
    let mut counted = Vec::new();
    for (turn, range) in plan.in_turn().into_iter().filter_map(|turn| Some((turn, plan.ranges.get(turn)?))) {
        // Streams that are merged each read up to the limit: which of them has the first rows is not known before.
        let left = if plan.delivery.merge { limit } else { limit.saturating_sub(returned) };
        if left == 0 {
            break;
        }
        let rows = count_first(range, left, plan, table, matching);
        returned += rows.returned;
        counted.push(ReadTurn { range: turn, rows });
    }
    Some(counted)
}

/// Rows of a range up to the one by which so many match, in the direction of the plan, and those that tie with it.
fn count_first(
    range: &KeyRange,
    most: u64,
    plan: &QueryPlan,
    table: &KeyTable,
    matching: &QueryMatcher<'_>,
) -> RowsRead {
    let (places, reversed) = (places(range, table), plan.delivery.reversed);
    let tied = plan.delivery.tied;
    if (plan.exact && tied.is_none()) || most == 0 {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let read = table.first_rows(places, most, reversed);
        return RowsRead::matching(table.rows_at(read.clone()), read.len());
    }
    let mut counted = RowsRead::default();
    let mut last: Option<&[u8]> = None;
    for row in rows(table, places, reversed, matching) {
        let begin = row.key.get(..tied.unwrap_or_default().min(row.key.len())).unwrap_or_default();
        if last.is_some_and(|last| tied.is_none() || last != begin) {
            break;
        }
        counted = counted.with(row.counted());
        if counted.returned >= most {
            last = last.or(Some(begin));
        }
    }
    counted
}

/// A row: the records of one key.
pub(super) struct MatchedRow<'t> {
    /// The key.
    pub key: &'t [u8],
    /// True if the row matches.
    pub matches: bool,
    records: RecordsRead,
}

impl MatchedRow<'_> {
    fn counted(&self) -> RowsRead {
        RowsRead::new(1, self.matches.into(), self.records)
    }
}

/// The rows at these places in key order or, reversed, from the last to the first.
pub(super) fn rows<'r, 't: 'r>(
    table: &'t KeyTable,
    places: Range<usize>,
    reversed: bool,
    matching: &'r QueryMatcher<'_>,
) -> impl Iterator<Item = MatchedRow<'t>> + use<'r, 't> {
    let (first, count) = (places.start, places.len());
    let mut records: Box<dyn Iterator<Item = (u32, &'t [u8])> + 'r> = match reversed {
        true => Box::new(backwards(table, first, count)),
        false => Box::new(table.iter_from(first).take(count)),
    };
    let is_wide = table.is_wide();
    let mut next = records.next();
    let mut of_row = Vec::new();
    std::iter::from_fn(move || {
        let (_, key) = next?;
        of_row.clear();
        while let Some((record, _)) = next.filter(|(_, of)| *of == key) {
            of_row.push(record);
            next = records.next();
        }
        let (matches, returned) = matching.row(&of_row, is_wide);
        Some(MatchedRow { key, matches, records: RecordsRead { read: of_row.len() as u64, returned } })
    })
}

/// Records from the last to the first, some at a time: counting may soon stop.
fn backwards(table: &KeyTable, first: usize, rows: usize) -> impl Iterator<Item = (u32, &[u8])> {
    const TOGETHER: usize = 64;
    (0..rows.div_ceil(TOGETHER)).rev().flat_map(move |block| {
        let from = block * TOGETHER;
        let some: Vec<(u32, &[u8])> = table.iter_from(first + from).take(TOGETHER.min(rows - from)).collect();
        some.into_iter().rev()
    })
}

/// The places in key order of the records of a range.
pub(super) fn places(range: &KeyRange, table: &KeyTable) -> Range<usize> {
    let first = table.rank(&range.start);
    let end = if range.stop.is_empty() { table.len() } else { table.rank(&range.stop) };
    first..end.max(first)
}

/// Counts on sorted keys.
pub fn count(ranges: &[KeyRange], table: &KeyTable, matching: &QueryMatcher<'_>) -> RowsRead {
    ranges.iter().map(|range| count_range(range, table, matching)).fold(RowsRead::default(), RowsRead::with)
}

fn count_range(range: &KeyRange, table: &KeyTable, matching: &QueryMatcher<'_>) -> RowsRead {
    let places = places(range, table);
    let read = places.len();
    tick(read);
    let mut returned = 0u64;
    match read == matching.rows {
        // All of them: column by column in order of the records is faster.
        true => returned = (0..read).filter(|&row| matching.matches(row)).count() as u64,
        false => table.each_row(places.clone(), |row| returned += u64::from(matching.matches(row as usize))),
    }
    let records = RecordsRead { read: read as u64, returned };
    // A row of one record counts as that record does: only rows of several differ.
    let mut returned_rows = returned;
    table.each_shared(places.clone(), |of_row| {
        let row = matching.row(of_row, table.is_wide());
        returned_rows = returned_rows + u64::from(row.0) - row.1;
    });
    RowsRead::new(table.rows_at(places) as u64, returned_rows, records)
}
