//! The cost of a plan on records: rows read against rows returned.

use super::domain::FieldDomain;
use super::plan::QueryPlan;
use super::range::KeyRange;
use crate::base::host::beat;
use crate::keys::table::KeyTable;
use crate::records::field::Field;
use crate::records::{ColumnValues, Records};
use serde::Serialize;

/// True if records match the conditions of a query.
pub struct QueryMatcher<'a> {
    tests: Vec<Test<'a>>,
    rows: usize,
}

enum Test<'a> {
    /// Numbers or times of a column.
    Numbers(&'a [i64], &'a FieldDomain),
    /// Text or bytes: for each entry of the dictionary whether it matches.
    Strings(&'a [u32], Vec<bool>),
    /// The column has values that cannot be used: those rows match nothing.
    Usable(&'a crate::records::Bitmap),
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
        Self { tests, rows: records.rows }
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

/// Rows that a plan reads and returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowsRead {
    /// Rows within the ranges.
    pub read: u64,
    /// Rows of them that match.
    pub returned: u64,
}

/// Counts what a plan costs on sorted keys of its formula.
pub fn count_plan(plan: &QueryPlan, table: &KeyTable, matching: &QueryMatcher<'_>) -> RowsRead {
    if plan.exact {
        // Every row in the ranges matches.
        let read = plan.ranges.iter().map(|range| ranks(range, table).1 as u64);
        let read = read.sum();
        return RowsRead { read, returned: read };
    }
    count(&plan.ranges, table, matching)
}

/// Counts what a plan costs when reading stops at the limit of the query; `None` without a limit, and where all rows have to
/// be read to sort them.
pub fn count_limited(plan: &QueryPlan, table: &KeyTable, matching: &QueryMatcher<'_>) -> Option<RowsRead> {
    let limit = u64::from(plan.stops_after?);
    let mut counted = RowsRead::default();
    for ReadTurn { rows, .. } in count_turns(plan, table, matching)? {
        counted.read += rows.read;
        counted.returned += rows.returned;
    }
    // A limit is one of rows, and records of wide rows share them.
    if !table.is_wide() {
        counted.returned = counted.returned.min(limit);
    }
    Some(counted)
}

/// A range that is read up to a limit.
pub(super) struct ReadTurn {
    /// Index of the range.
    pub range: usize,
    /// Records read and returned.
    pub rows: RowsRead,
    /// Rows returned, of which a limit counts: fewer than records where these share rows.
    pub limited: u64,
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
        let (rows, limited) = count_first(range, left, plan, table, matching);
        returned += limited;
        counted.push(ReadTurn { range: turn, rows, limited });
    }
    Some(counted)
}

/// Rows of a range up to the one by which so many match, in the direction of the plan.
fn count_first<'t>(
    range: &KeyRange,
    most: u64,
    plan: &QueryPlan,
    table: &'t KeyTable,
    matching: &QueryMatcher<'_>,
) -> (RowsRead, u64) {
    let (first, rows) = ranks(range, table);
    // All records of a row come with it.
    let tied = plan.delivery.tied.or(table.is_wide().then_some(usize::MAX));
    if (plan.exact && tied.is_none()) || most == 0 {
        let read = most.min(rows as u64);
        return (RowsRead { read, returned: read }, read);
    }
    let found = |(row, key): (u32, &'t [u8])| (key, matching.matches(row as usize));
    if plan.delivery.reversed {
        return count_until((most, tied, table.is_wide()), backwards(table, first, rows).map(found));
    }
    count_until((most, tied, table.is_wide()), table.iter_from(first).take(rows).map(found))
}

/// Rows from the last to the first, some at a time: counting may soon stop.
pub(super) fn backwards(table: &KeyTable, first: usize, rows: usize) -> impl Iterator<Item = (u32, &[u8])> {
    const TOGETHER: usize = 64;
    (0..rows.div_ceil(TOGETHER)).rev().flat_map(move |block| {
        let from = block * TOGETHER;
        let some: Vec<(u32, &[u8])> = table.iter_from(first + from).take(TOGETHER.min(rows - from)).collect();
        some.into_iter().rev()
    })
}

/// Records up to the row by which so many match, and those that have as many bytes in common with it; then the rows that match: of
/// wide ones each key once.
fn count_until<'k>(
    (most, tied, wide): (u64, Option<usize>, bool),
    found: impl Iterator<Item = (&'k [u8], bool)>,
) -> (RowsRead, u64) {
    let (mut counted, mut rows) = (RowsRead::default(), 0);
    let (mut last, mut row): (Option<&[u8]>, Option<&[u8]>) = (None, None);
    for (key, found) in found {
        let begin = key.get(..tied.unwrap_or_default().min(key.len())).unwrap_or_default();
        if last.is_some_and(|last| tied.is_none() || last != begin) {
            break;
        }
        counted.read += 1;
        counted.returned += u64::from(found);
        if found && !(wide && row == Some(key)) {
            (rows, row) = (rows + 1, Some(key));
        }
        if rows >= most {
            last = last.or(Some(begin));
        }
    }
    (counted, rows)
}

/// The rank of the first row of a range, and its number of rows.
pub(super) fn ranks(range: &KeyRange, table: &KeyTable) -> (usize, usize) {
    let first = table.rank(&range.start);
    let last = if range.stop.is_empty() { table.len() } else { table.rank(&range.stop) };
    (first, last.saturating_sub(first))
}

/// Counts on sorted keys.
pub fn count(ranges: &[KeyRange], table: &KeyTable, matching: &QueryMatcher<'_>) -> RowsRead {
    let mut counted = RowsRead::default();
    for range in ranges {
        let (first, rows) = ranks(range, table);
        counted.read += rows as u64;
        beat(rows);
        if rows == matching.rows {
            // All of them: column by column in order of the records is faster.
            counted.returned += (0..rows).filter(|&row| matching.matches(row)).count() as u64;
            continue;
        }
        let matching = |(row, _): &(u32, &[u8])| matching.matches(*row as usize);
        counted.returned += table.iter_from(first).take(rows).filter(matching).count() as u64;
    }
    counted
}
