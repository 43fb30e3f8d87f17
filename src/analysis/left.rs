//! Versions of cells that are left of records once a major compaction has run.

use crate::design::{Design, Family, RecordCell};
use crate::hbase::storage::versions::VersionRule;
use crate::keys::table::KeyTable;
use crate::records::{ColumnValues, Records};
use serde::Serialize;

/// The cells of a family: how often they were written, and how many versions are left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FamilyLeft {
    /// Name of the family.
    pub name: String,
    /// Versions written: a record writes one of each of its cells.
    pub written: u64,
    /// Different cells: row, family and qualifier.
    pub cells: u64,
    /// Versions left.
    pub left: u64,
}

/// The versions left of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VersionsLeft {
    /// Each family that the records write.
    pub families: Vec<FamilyLeft>,
    /// When the compaction runs: at the time of the last record, in milliseconds. `None` without a time of arrival: versions are
    /// then as old as their order, and none expires.
    pub at: Option<i64>,
}

/// Times of records by the field that tells them; of none their order.
struct RecordTimes<'a> {
    records: &'a Records,
    arrival: Option<&'a str>,
}

impl RecordTimes<'_> {
    /// The timestamp of a cell of a record: its own field, or when the record is written.
    fn of(&self, row: u32, cell: Option<&RecordCell>) -> Option<i64> {
        let own = cell.and_then(|cell| cell.timestamp.as_deref());
        let Some(name) = own.or(self.arrival) else { return Some(row.into()) };
        let column = self.records.column(name)?;
        match &column.values {
            ColumnValues::Integers(times) if !column.invalid.get(row as usize) => {
                times.get(row as usize).copied()
            }
            _ => None,
        }
    }
}

/// The versions left of records with these keys, under the families of a design; `arrival` names the field that tells when each is
/// written.
pub(super) fn left(
    table: &KeyTable,
    records: &Records,
    arrival: Option<&str>,
    design: &Design,
) -> VersionsLeft {
    let times = RecordTimes { records, arrival };
    let last = table.iter_from(0).filter_map(|(row, _)| times.of(row, None)).max();
    let at = last.filter(|_| arrival.is_some());
    let family = |family: &Family| FamilyLeft { name: family.name.clone(), ..FamilyLeft::default() };
    let mut families: Vec<FamilyLeft> = design.families.iter().map(family).collect();
    let mut of_row: Vec<u32> = Vec::new();
    let mut key_before: &[u8] = &[];
    // Without times nothing is old.
    let now = at.unwrap_or(i64::MIN);
    for (row, key) in table.iter_from(0) {
        if key != key_before {
            add_row(table, design, (&of_row, &times), now, &mut families);
            of_row.clear();
            key_before = key;
        }
        of_row.push(row);
    }
    add_row(table, design, (&of_row, &times), now, &mut families);
    // A family of few rows does not tell which records write to it.
    let of_all =
        |name: &str| design.families.iter().any(|family| family.name == name && family.rows.is_all());
    families.retain(|family| family.written > 0 && of_all(&family.name));
    VersionsLeft { families, at }
}

/// Counts the records of one row key.
fn add_row(
    table: &KeyTable,
    design: &Design,
    (rows, time): (&[u32], &RecordTimes<'_>),
    now: i64,
    families: &mut [FamilyLeft],
) {
    let mut times: Vec<i64> = Vec::new();
    let undeclared = design.families.iter().all(|family| family.cells.is_empty());
    for (index, (family, counted)) in design.families.iter().zip(families).enumerate() {
        let rule = VersionRule::from(family);
        let mut add = |times: &mut Vec<i64>| {
            counted.written += times.len() as u64;
            counted.cells += u64::from(!times.is_empty());
            counted.left += rule.left(times, now) as u64;
        };
        if undeclared {
            // A family of which no cells are declared has one.
            times.clear();
            times.extend(rows.iter().filter_map(|&row| time.of(row, None)));
            add(&mut times);
        }
        for (place, cell) in family.cells.iter().enumerate() {
            let Some(column) = design.columns.iter().position(|of| *of == (index, place)) else {
                times.clear();
                times.extend(rows.iter().filter_map(|&row| time.of(row, Some(cell))));
                add(&mut times);
                continue;
            };
            let mut written: Vec<(&[u8], i64)> = Vec::new();
            for &row in rows {
                let Some((columns, at)) = table.columns_of(row) else { continue };
                let own = columns.get(column).filter(|column| column.is_written(at));
                let qualifier = own.map(|column| column.qualifier(at).unwrap_or_default());
                written.extend(qualifier.zip(time.of(row, Some(cell))));
            }
            crate::bytes::sort::sort(&mut written);
            for cell in written.chunk_by(|one, other| one.0 == other.0) {
                times.clear();
                times.extend(cell.iter().map(|(_, time)| *time));
                add(&mut times);
            }
        }
    }
}
