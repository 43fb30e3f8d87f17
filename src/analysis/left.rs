//! Versions of cells that are left of records once a major compaction has run.

use crate::design::{Design, Family};
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

/// The versions left of records with these keys, under the families of a design; `arrival` names the field that tells when each is
/// written.
pub(super) fn left(
    table: &KeyTable,
    records: &Records,
    arrival: Option<&str>,
    design: &Design,
) -> VersionsLeft {
    let arrival = arrival.and_then(|arrival| records.column(arrival));
    let time = |row: u32| match arrival.map(|column| (&column.values, &column.invalid)) {
        Some((ColumnValues::Integers(times), invalid)) if !invalid.get(row as usize) => {
            times.get(row as usize).copied()
        }
        Some(_) => None,
        None => Some(row.into()),
    };
    let last = table.iter_from(0).filter_map(|(row, _)| time(row)).max();
    let at = last.filter(|_| arrival.is_some());
    let family = |family: &Family| FamilyLeft { name: family.name.clone(), ..FamilyLeft::default() };
    let mut families: Vec<FamilyLeft> = design.families.iter().map(family).collect();
    let mut of_row: Vec<u32> = Vec::new();
    let mut key_before: &[u8] = &[];
    // Without times nothing is old.
    let now = at.unwrap_or(i64::MIN);
    for (row, key) in table.iter_from(0) {
        if key != key_before {
            add_row(table, design, (&of_row, &time), now, &mut families);
            of_row.clear();
            key_before = key;
        }
        of_row.push(row);
    }
    add_row(table, design, (&of_row, &time), now, &mut families);
    families.retain(|family| family.written > 0);
    VersionsLeft { families, at }
}

/// Counts the records of one row key.
fn add_row(
    table: &KeyTable,
    design: &Design,
    (rows, time): (&[u32], &impl Fn(u32) -> Option<i64>),
    now: i64,
    families: &mut [FamilyLeft],
) {
    let mut times: Vec<i64> = Vec::new();
    let undeclared = design.families.iter().all(|family| family.cells.is_empty());
    for (index, (family, counted)) in design.families.iter().zip(families).enumerate() {
        let rule = VersionRule::from(family);
        let mut add = |times: &mut Vec<i64>, cells: u64| {
            counted.written += cells * times.len() as u64;
            counted.cells += cells * u64::from(!times.is_empty());
            counted.left += cells * rule.left(times, now) as u64;
        };
        let has_column = |place: usize| design.columns.contains(&(index, place));
        let shared = (0..family.cells.len()).filter(|&place| !has_column(place)).count() as u64;
        // A family of which no cells are declared has one.
        let shared = if family.cells.is_empty() && undeclared { 1 } else { shared };
        if shared > 0 {
            times.clear();
            times.extend(rows.iter().filter_map(|&row| time(row)));
            add(&mut times, shared);
        }
        let own = design.columns.iter().enumerate().filter(|(_, (of, _))| *of == index);
        for (column, _) in own {
            let mut written: Vec<(&[u8], i64)> = Vec::new();
            for &row in rows {
                let Some((columns, place)) = table.columns_of(row) else { continue };
                let Some(column) = columns.get(column).filter(|column| column.is_written(place)) else {
                    continue;
                };
                written.extend(time(row).map(|time| (column.qualifier(place).unwrap_or_default(), time)));
            }
            crate::bytes::sort::sort(&mut written);
            for cell in written.chunk_by(|one, other| one.0 == other.0) {
                times.clear();
                times.extend(cell.iter().map(|(_, time)| *time));
                add(&mut times, 1);
            }
        }
    }
}
