//! Versions of cells that are left of records once a major compaction has run.

use crate::bytes::sort::sort;
use crate::design::{Design, Family, RecordCell};
use crate::hbase::storage::versions::VersionRule;
use crate::keys::table::KeyTable;
use crate::records::{Column, ColumnValues, Records};
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
pub struct RetainedVersions {
    /// Each family that the records write.
    pub families: Vec<FamilyLeft>,
    /// When the compaction runs: at the time of the last record, in milliseconds. `None` without a time of arrival: versions are
    /// then as old as their order, and none expires.
    pub at: Option<i64>,
}

/// When the versions of a cell are from.
enum CellTimes<'a> {
    /// As old as their order says.
    Order,
    /// As a column says; none where there is no such column.
    Column(Option<&'a Column>),
}

impl<'a> CellTimes<'a> {
    /// The times of a field.
    fn of_field(records: &'a Records, name: Option<&str>) -> Self {
        name.map_or(Self::Order, |name| Self::Column(records.column(name)))
    }

    fn of(&self, row: u32) -> Option<i64> {
        let column = match self {
            Self::Order => return Some(row.into()),
            Self::Column(column) => (*column)?,
        };
        match &column.values {
            ColumnValues::Integers(times) if !column.invalid.get(row as usize) => {
                times.get(row as usize).copied()
            }
            _ => None,
        }
    }
}

/// A family while its versions are counted.
struct CountedFamily<'a> {
    rule: VersionRule,
    /// Its cells, and of those with a formula which column of the keys they are.
    cells: Vec<(CellTimes<'a>, Option<usize>)>,
    left: FamilyLeft,
}

impl CountedFamily<'_> {
    /// Counts the versions of a cell.
    fn add(&mut self, times: &mut Vec<i64>, now: i64) {
        self.left.written += times.len() as u64;
        self.left.cells += u64::from(!times.is_empty());
        self.left.left += self.rule.left(times, now) as u64;
    }

    /// Counts the records of one row key.
    fn add_row(&mut self, table: &KeyTable, rows: &[u32], now: i64, times: &mut Vec<i64>) {
        for at in 0..self.cells.len() {
            let Some((cell, column)) = self.cells.get(at) else { continue };
            let Some(column) = *column else {
                times.clear();
                times.extend(rows.iter().filter_map(|&row| cell.of(row)));
                self.add(times, now);
                continue;
            };
            let mut written: Vec<(&[u8], i64)> = Vec::new();
            for &row in rows {
                let Some((columns, at)) = table.columns_of(row) else { continue };
                let own = columns.get(column).filter(|column| column.is_written(at));
                let qualifier = own.map(|column| column.qualifier(at).unwrap_or_default());
                written.extend(qualifier.zip(cell.of(row)));
            }
            sort(&mut written);
            for cell in written.chunk_by(|one, other| one.0 == other.0) {
                times.clear();
                times.extend(cell.iter().map(|(_, time)| *time));
                self.add(times, now);
            }
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
) -> RetainedVersions {
    let of_arrival = CellTimes::of_field(records, arrival);
    let last = table.column(|row| of_arrival.of(row)).into_iter().flatten().flatten().max();
    let at = last.filter(|_| arrival.is_some());
    let undeclared = design.families.iter().all(|family| family.cells.is_empty());
    let counted = |(index, family): (usize, &Family)| {
        let cell = |(place, cell): (usize, &RecordCell)| {
            let times = CellTimes::of_field(records, cell.timestamp.as_deref().or(arrival));
            (times, design.columns.iter().position(|of| *of == (index, place)))
        };
        let mut cells: Vec<_> = family.cells.iter().enumerate().map(cell).collect();
        // A family of which no cells are declared has one.
        cells.extend(undeclared.then(|| (CellTimes::of_field(records, arrival), None)));
        let left = FamilyLeft { name: family.name.clone(), ..FamilyLeft::default() };
        CountedFamily { rule: VersionRule::from(family), cells, left }
    };
    let mut families: Vec<CountedFamily<'_>> = design.families.iter().enumerate().map(counted).collect();
    // Without times nothing is old.
    let now = at.unwrap_or(i64::MIN);
    let mut times: Vec<i64> = Vec::new();
    table.each_key(|rows| {
        families.iter_mut().for_each(|family| family.add_row(table, rows, now, &mut times));
    });
    let mut families: Vec<FamilyLeft> = families.into_iter().map(|family| family.left).collect();
    // A family of few rows does not tell which records write to it.
    let of_all =
        |name: &str| design.families.iter().any(|family| family.name == name && family.rows.is_all());
    families.retain(|family| family.written > 0 && of_all(&family.name));
    RetainedVersions { families, at }
}
