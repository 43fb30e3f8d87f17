//! The parts of a report that do not depend on split points, made once: a redraw then only counts.

use super::faults::KeyFaults;
use super::intervals::count_intervals;
use super::ticks::{NO_TICK, Ticks};
use super::writes::WriteTraits;
use super::{
    BusiestValues, NO_BUCKET, RefusalReason, RefusedRecords, RegionCounts, Report, TimeAxis, count,
    refusal_sentence, weighed,
};
use crate::base::Problem;
use crate::base::host::tick;
use crate::bytes::sort::sort_by_key;
use crate::design::OperationField;
use crate::design::split::SplitPoints;
use crate::keys::figures::KeyFigures;
use crate::keys::table::KeyTable;
use crate::keys::table::SortedKeys;
use crate::records::field::time::TimeFormat;
use crate::records::field::{Field, Kind};
use crate::records::{Column, ColumnValues, Records};
use std::cmp::Reverse;

/// The split-independent part of a report on one key table.
#[derive(Clone, Debug)]
pub struct PreparedReport {
    keys: KeyFigures,
    refused: RefusedRecords,
    untimed: u64,
    time: Option<(String, TimeAxis)>,
    /// The first and the last time in a bucket.
    period: Option<(i64, i64)>,
    /// Bucket numbers, a run of the table each, in key order.
    buckets: Vec<Vec<u16>>,
    /// The ticks of the period, and that of each key.
    ticks: Option<(Ticks, Vec<Vec<u32>>)>,
    writes: WriteTraits,
    faults: KeyFaults,
    busiest: Vec<BusiestValues>,
    /// True if each is a read, a run of the table each, in key order.
    reads: Option<Vec<Vec<bool>>>,
}

impl PreparedReport {
    /// For the keys and refused rows of `table`, made from `records`, without a time axis and without the
    /// quarters of repeated keys: see [`PreparedReport::set_time`].
    pub fn new(table: &KeyTable, records: &Records) -> Self {
        let lengths = table.lengths();
        let last = table.len().checked_sub(1).and_then(|last| table.select(last));
        let ends = (table.select(0).map_or(&[][..], |first| first.1), last.map_or(&[][..], |last| last.1));
        let cells = table.cells();
        let mut duplicates = cells.as_ref().map_or_else(|| table.duplicates(), |cells| cells.hidden.clone());
        for example in &mut duplicates.examples {
            let number = |&row: &u64| Some(records.number(row as usize)? - 1);
            example.rows = example.rows.iter().filter_map(number).collect();
        }
        Self {
            keys: KeyFigures::new(lengths.count, lengths.total, (lengths.min, lengths.max), ends, duplicates)
                .with_cells(cells.map(Into::into)),
            refused: refused(table, records),
            untimed: 0,
            time: None,
            period: None,
            buckets: Vec::new(),
            ticks: None,
            writes: WriteTraits::default(),
            faults: KeyFaults::default(),
            busiest: Vec::new(),
            reads: None,
        }
    }

    /// Puts the rows on a time axis by the field named `arrival`: the one given, `buckets` equal parts, or by a step that suits
    /// them. Without the field there is no axis, and the quarters of repeated keys follow the order of the records.
    pub fn set_time(
        &mut self,
        table: &KeyTable,
        records: &Records,
        arrival: Option<&str>,
        buckets: Option<u32>,
        axis: Option<TimeAxis>,
    ) {
        (self.time, self.period, self.buckets, self.ticks) = (None, None, Vec::new(), None);
        self.untimed = 0;
        let keyed = table.keyed(records.rows);
        // Where records of one key write cells of their own, all are of one row.
        let repeated = self.keys.duplicates.rows > 0 && !table.is_wide();
        let column = arrival.and_then(|arrival| records.column(arrival));
        let column = column.filter(|column| column.field.kind == Kind::Time);
        let Some((column, ColumnValues::Integers(times))) = column.map(|column| (column, &column.values))
        else {
            if repeated {
                let rows = keyed.iter().zip(0..).filter(|(keyed, _)| **keyed).map(|(_, row)| row).collect();
                self.keys.duplicates.quarters = table.quarters(rows, |row| Some(row.into()));
            }
            return;
        };
        let valid = |row: usize| !column.invalid.get(row);
        // Rows without a key are in no region, so their times must not widen the axis.
        let known = || {
            let keyed = times.iter().zip(&keyed).enumerate();
            keyed.filter(|&(row, (_, keyed))| *keyed && valid(row)).map(|(_, (&time, _))| time)
        };
        if repeated {
            let time = |row: u32| times.get(row as usize).copied().filter(|_| valid(row as usize));
            self.keys.duplicates.quarters = table.quarters(known().collect(), time);
        }
        self.untimed = unreadable(table, column);
        let resolution = resolution_of(&column.field);
        let axis = match (axis, buckets) {
            (Some(axis), _) => Some(axis),
            (None, Some(buckets)) => TimeAxis::equal(known(), resolution, buckets),
            (None, None) => TimeAxis::automatic(known().collect(), resolution),
        };
        let Some(axis) = axis else { return };
        tick(table.len());
        // By row first, where times mostly repeat or rise, and narrow; then in the order of the keys.
        let mut last = (None, NO_BUCKET);
        let bucket = |(row, &time): (usize, &i64)| {
            let time = Some(time).filter(|_| valid(row));
            if last.0 != time {
                last = (time, axis.bucket(time));
            }
            last.1
        };
        let by_row: Vec<u16> = times.iter().enumerate().map(bucket).collect();
        let on_axis =
            || times.iter().zip(&by_row).zip(&keyed).filter(|((_, bucket), _)| **bucket != NO_BUCKET);
        self.period = on_axis().filter(|(_, keyed)| **keyed).fold(None, |period, ((&time, _), _)| {
            let (first, last) = period.unwrap_or((time, time));
            Some((first.min(time), last.max(time)))
        });
        self.ticks = self.period.and_then(|(first, last)| {
            let on_axis = on_axis().filter(|(_, keyed)| **keyed).map(|((&time, _), _)| time);
            let mut ticks = Ticks::spanning(first, last, Ticks::resolution(on_axis, resolution))?;
            let mut last = None;
            let tick = |((&time, &bucket), &keyed): ((&i64, &u16), &bool)| {
                if bucket == NO_BUCKET {
                    return NO_TICK;
                }
                let tick = match last {
                    Some((known, tick)) if known == time => tick,
                    _ => ticks.of(time),
                };
                last = Some((time, tick));
                if keyed {
                    ticks.add(tick, 1);
                }
                tick
            };
            let mut by_row: Vec<u32> = times.iter().zip(&by_row).zip(&keyed).map(tick).collect();
            let ticks = ticks.coarsened(&mut by_row);
            let of_keys = table.column(|row| by_row.get(row as usize).copied().unwrap_or(NO_TICK));
            Some((ticks, of_keys))
        });
        self.buckets = table.column(|row| by_row.get(row as usize).copied().unwrap_or(NO_BUCKET));
        self.time = Some((column.field.name.clone(), axis));
    }

    /// Says what is known of the writes besides the records.
    pub fn set_writes(&mut self, writes: WriteTraits) {
        self.writes = writes;
    }

    /// Says what is wrong with the keys whatever the split points.
    pub fn set_faults(&mut self, faults: KeyFaults) {
        self.faults = faults;
    }

    /// Tells reads from writes, where the records hold what tells them.
    pub fn set_operation(&mut self, table: &KeyTable, records: &Records, operation: &OperationField) {
        let reads = operation.of(records);
        self.reads = reads.map(|reads| table.column(|row| reads.is_read(row as usize)));
    }

    /// Lists the `top` most frequent values of the text fields among `fields`.
    pub fn set_busiest(&mut self, records: &Records, fields: &[&str], top: usize) {
        let columns = fields.iter().filter_map(|field| records.column(field));
        self.busiest = columns.filter_map(|column| BusiestValues::of(column, top)).collect();
    }

    /// Bytes of the row keys of each cell of the heat of a report on these split points.
    pub fn key_bytes(&self, table: &KeyTable, points: &SplitPoints, regions_per_heat_row: usize) -> Vec<u64> {
        let length = |run: usize, place: usize| table.key(run, place).len() as u64;
        weighed(table, points, (&self.buckets, self.width()), regions_per_heat_row, &length).0
    }

    /// Buckets of the time axis.
    fn width(&self) -> usize {
        self.time.as_ref().map_or(0, |(_, axis)| axis.buckets.into())
    }

    /// The report on these split points.
    pub fn report(&self, table: &KeyTable, points: &SplitPoints) -> Report {
        let mut counts: RegionCounts = count(table, points, &self.buckets, self.width());
        if let Some((ticks, of_keys)) = &self.ticks {
            counts.intervals = count_intervals(table, points, (ticks, of_keys), self.writes.servers);
        }
        counts.writes = self.writes;
        counts.faults = self.faults.clone();
        let together = counts.regions_per_heat_row;
        let time = self.time.as_ref().map(|(field, axis)| (field.as_str(), *axis));
        let mut report =
            Report::new(points, counts, self.keys.clone(), time, self.refused.clone(), self.busiest.clone());
        report.untimed = self.untimed;
        if let (Some(time), Some((first, last))) = (&mut report.time, self.period) {
            (time.first, time.last) = (Some(first), Some(last));
        }
        if !self.writes.kind.is_append() || report.keys.cells.is_some() {
            report = with_shared_rows(report, table, points);
        }
        let Some(reads) = &self.reads else { return report };
        let read = |run: usize, place: usize| {
            u64::from(reads.get(run).and_then(|run| run.get(place)).copied().unwrap_or(false))
        };
        let (cells, regions) = weighed(table, points, (&self.buckets, self.width()), together, &read);
        report.with_reads((cells, &regions))
    }
}

/// The report with the different row keys of each region.
// Seldom needed: what loads before the first picture is without it.
#[inline(never)]
fn with_shared_rows(report: Report, table: &KeyTable, points: &SplitPoints) -> Report {
    report.with_rows(|region| {
        let (start, stop) = points.boundaries(region.index);
        let end = if region.index == points.len() { table.len() } else { table.rank(stop) };
        table.rows_at(table.rank(start)..end) as u64
    })
}

fn refused(table: &KeyTable, records: &Records) -> RefusedRecords {
    let name = |column: Option<usize>| {
        column.and_then(|column| records.columns.get(column)).map(|column| column.field.name.clone())
    };
    let reason = |(&(code, column), &count): (&(&'static str, Option<usize>), &u64)| RefusalReason {
        code,
        field: name(column),
        count,
        message: refusal_sentence(code),
    };
    let mut reasons: Vec<RefusalReason> = table.refused.reasons.iter().map(reason).collect();
    sort_by_key(&mut reasons, |reason| (Reverse(reason.count), reason.code, reason.field.clone()));
    let first = table.refused.first.iter().map(|refused| {
        let column = refused.column.and_then(|column| records.columns.get(column));
        let found = column.map(|column| column.refused_text(refused.row)).unwrap_or_default();
        let mut problem = Problem::new(refused.code).with("found", found);
        problem.place.row = records.number(refused.row as usize);
        problem.place.field = column.map(|column| column.field.name.clone());
        problem.into()
    });
    RefusedRecords { count: table.refused.count(), reasons, first: first.collect() }
}

/// Rows of the table whose time could not be read.
fn unreadable(table: &KeyTable, times: &Column) -> u64 {
    if times.invalid.count() == 0 {
        return 0;
    }
    let bad = table.column(|row| times.invalid.get(row as usize));
    bad.iter().flatten().filter(|bad| **bad).count() as u64
}

/// Milliseconds between two times that a field can tell apart.
fn resolution_of(field: &Field) -> u64 {
    let zone = field.zone.as_deref();
    let format = field.format.as_deref().and_then(|format| TimeFormat::parse(format, zone).ok());
    format.map_or(1, |format| format.resolution().unsigned_abs())
}
