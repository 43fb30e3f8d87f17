//! The report of a summary: exact counts of more records than memory holds.

use super::counts::RegionCounter;
use super::faults::KeyFaults;
use super::interval::IntervalWindows;
use super::intervals::{IntervalCounter, WriteIntervals};
use super::thresholds::{FEWEST_WINDOWS, MAX_CELLS};
use super::ticks::Ticks;
use super::writes::WriteTraits;
use super::{NO_BUCKET, RefusalReason, RefusedRecords, RegionCounts, Report, TimeAxis, refusal_sentence};
use crate::base::Problem;
use crate::base::estimate::Estimate;
use crate::base::figures::share;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::{sort, sort_by_key, sort_distinct};
use crate::keys::duplicates::{Duplicate, Duplicates};
use crate::keys::figures::{CellFigures, ColumnFigures, KeyFigures, LengthFigures};
use crate::summary::columns::{ColumnSummary, RowCells, lengths_of};
use crate::summary::ladder::STEPS;
use crate::summary::sample::HashSample;
use crate::summary::windows::JoinedWindows;
use crate::summary::{DesignSummary, SampledKey};
use std::cmp::Reverse;

/// Keys shown that several rows share.
const EXAMPLES: usize = 10;

impl Report {
    /// Where the rows of a design land, from its summary; counts are for the split points it was counted by. `arrival`
    /// names the field that tells when a record is written. Times are shown at a step no finer than they were counted.
    ///
    /// # Errors
    /// `report.too-many-rows` for more than 4,294,967,295 rows.
    pub fn of_summary(
        design: &DesignSummary,
        arrival: Option<&str>,
        (writes, faults): (WriteTraits, KeyFaults),
    ) -> Result<Self, Problem> {
        // Rows of all regions add up, too.
        narrow(design.lengths.count)?;
        let cells = design.cells.iter().map(|(time, region, load)| (time, region, load.rows));
        let cells: Vec<(i64, u32, u64)> = cells.collect();
        let axis = axis_of(design);
        let mut counts = counted(design, axis, &cells)?;
        counts.writes = writes;
        counts.faults = faults;
        counts.intervals = intervals(design, &cells, axis, writes.servers);
        let lengths = &design.lengths;
        let ends = design.ends.as_ref().map_or((&[][..], &[][..]), |(first, last)| (first, last));
        let shortest_and_longest = (lengths.min.unwrap_or(0), lengths.max);
        let keys =
            KeyFigures::new(lengths.count, lengths.sum, shortest_and_longest, ends, duplicates(design))
                .with_cells(row_cells(design));
        let time = arrival.zip(axis);
        let mut report = Self::new(design.points(), counts, keys, time, refused(design), Vec::new());
        let timed: u64 = cells.iter().map(|&(_, _, rows)| rows).sum();
        report.untimed = arrival.map_or(0, |_| lengths.count.saturating_sub(timed));
        let [bytes, reads] = report.loads(design, axis);
        report.key_bytes = Some(bytes);
        if !writes.kind.is_append() || design.columns.is_some() {
            let (sampled, of_table) = sampled_by_region(design);
            report = report.with_rows(|region| {
                let own = sampled.get(region.index).copied().filter(|sampled| sampled.keys > 0);
                let SampledRows { keys, records } = own.unwrap_or(of_table);
                if keys == 0 { region.records.into() } else { share(region.records.into(), keys, records) }
            });
        }
        Ok(match &design.reads {
            Some(regions) => report.with_reads((reads, regions)),
            None => report,
        })
    }

    /// Bytes of keys, and reads, of each cell of the heatmap.
    fn loads(&self, design: &DesignSummary, axis: Option<TimeAxis>) -> [Vec<u64>; 2] {
        let width: usize = axis.map_or(0, |axis| axis.buckets.into());
        let mut loads = [vec![0u64; self.heat.len()], vec![0u64; self.heat.len()]];
        for (time, region, load) in design.cells.iter() {
            let bucket = axis.map_or(NO_BUCKET, |axis| axis.bucket(Some(time)));
            let row = region as usize / self.regions_per_heat_row;
            for (cells, more) in loads.iter_mut().zip([load.bytes, load.reads]) {
                let cell = cells.get_mut(row * width + usize::from(bucket));
                if let Some(cell) = cell.filter(|_| bucket != NO_BUCKET) {
                    *cell = cell.saturating_add(more);
                }
            }
        }
        loads
    }
}

/// Sampled keys, and the records that have them.
#[derive(Clone, Copy, Default)]
struct SampledRows {
    keys: u64,
    records: u64,
}

impl SampledRows {
    fn add(&mut self, records: u64) {
        self.keys += 1;
        self.records = self.records.saturating_add(records);
    }
}

/// The sampled keys of each region, and of all.
fn sampled_by_region(design: &DesignSummary) -> (Vec<SampledRows>, SampledRows) {
    let (mut regions, mut all) = (vec![SampledRows::default(); design.rows.len()], SampledRows::default());
    for (key, &records) in design.keys.iter() {
        all.add(records);
        if let Some(region) = regions.get_mut(design.points().region_of(&key.start)) {
            region.add(records);
        }
    }
    (regions, all)
}

/// Rows judged by interval: `cells` are all of them, by time, region and number; shorter intervals are those of some windows.
fn intervals(
    design: &DesignSummary,
    cells: &[(i64, u32, u64)],
    axis: Option<TimeAxis>,
    servers: Option<u32>,
) -> (WriteIntervals, Option<WriteIntervals>) {
    let regions = design.rows.len();
    let kept_time = |time: i64| axis.is_some_and(|axis| axis.bucket(Some(time)) != NO_BUCKET);
    let kept: Vec<_> = cells.iter().filter(|&&(time, ..)| kept_time(time)).copied().collect();
    let times = kept.first().zip(kept.last()).zip(design.cells.step());
    let ticks = times.and_then(|((first, last), step)| {
        let resolution = Ticks::resolution(kept.iter().map(|cell| cell.0), step.unsigned_abs());
        Ticks::spanning(first.0, last.0, resolution)
    });
    let Some(mut ticks) = ticks else { return Default::default() };
    let mut by_region: Vec<(u32, u32, u32)> = kept
        .iter()
        .map(|&(time, region, rows)| {
            let rows = u32::try_from(rows).unwrap_or(u32::MAX);
            let tick = ticks.of(time);
            ticks.add(tick, rows);
            (region, tick, rows)
        })
        .collect();
    let found = counted_by(&ticks, &mut by_region, (regions, servers));
    let all: u64 = kept.iter().map(|&(_, _, rows)| rows).sum();
    let sampled = design.cells.windows().iter().enumerate().rev();
    sampled.fold(found, |longer, (kind, windows)| {
        let Some(windows) = windows else { return longer };
        let most = MAX_CELLS / (JoinedWindows::in_each(kind) * regions.max(1));
        let joined = JoinedWindows::of(windows, kind, most, kept_time);
        let rows: u64 = joined.cells.iter().map(|&(_, _, rows)| rows).sum();
        if joined.windows < FEWEST_WINDOWS || rows == 0 {
            return longer;
        }
        let of = IntervalWindows { level: joined.window, stands_for: all as f64 / rows as f64 };
        // Windows begin at multiples of all shorter steps.
        let step = STEPS.get(joined.level).copied().unwrap_or(1);
        let times = joined.cells.iter().map(|&(tick, ..)| i64::from(tick) * step);
        let resolution = Ticks::resolution(times, step.unsigned_abs());
        let Some(joined) = joined.at_resolution(resolution) else { return longer };
        let mut ticks = Ticks::of_windows(joined.level, joined.length(), of);
        let cell = |(tick, region, rows): (u32, u32, u64)| {
            let rows = u32::try_from(rows).unwrap_or(u32::MAX);
            ticks.add(tick, rows);
            (region, tick, rows)
        };
        let mut by_region: Vec<(u32, u32, u32)> = joined.cells.into_iter().map(cell).collect();
        let (of_regions, of_servers) = counted_by(&ticks, &mut by_region, (regions, servers));
        let of_servers = of_servers.zip(longer.1).map(|(shorter, longer)| shorter.with_longer(longer));
        (of_regions.with_longer(longer.0), of_servers)
    })
}

/// Intervals of rows by region, tick and number.
fn counted_by(
    ticks: &Ticks,
    cells: &mut [(u32, u32, u32)],
    (regions, servers): (usize, Option<u32>),
) -> (WriteIntervals, Option<WriteIntervals>) {
    sort(cells);
    let mut counter = IntervalCounter::new(ticks, regions, servers);
    for own in cells.chunk_by(|one, other| one.0 == other.0) {
        let region = own.first().map_or(0, |(region, ..)| *region as usize);
        counter.add(region, own.iter().map(|&(_, tick, rows)| (tick, rows)));
        counter.end_region(region);
    }
    counter.finish()
}

/// The time axis that suits what was counted; its step is no finer than times were counted by.
pub(super) fn axis_of(design: &DesignSummary) -> Option<TimeAxis> {
    let step = design.cells.step()?;
    let mut times: Vec<(i64, u64)> = Vec::new();
    for (time, _, load) in design.cells.iter() {
        match times.last_mut().filter(|(last, _)| *last == time) {
            Some((_, count)) => *count += load.rows,
            None => times.push((time, load.rows)),
        }
    }
    TimeAxis::of_counted(&times, step.unsigned_abs())
}

/// True if the keys were left out of a summary.
fn without_keys(design: &DesignSummary) -> bool {
    design.keys.is_empty() && design.lengths.count > 0
}

/// Keys of several rows: counted while all keys are in the sample, else estimated from it; anything is possible without keys.
fn duplicates(design: &DesignSummary) -> Duplicates {
    if without_keys(design) {
        let all = usize::try_from(design.lengths.count).unwrap_or(usize::MAX);
        let mut unknown = Duplicates::default();
        (unknown.estimated, unknown.between) = (true, Some([[0, all / 2], [0, all]]));
        return unknown;
    }
    let (keys, rows) = design.repeated();
    let sample = design.told_apart();
    let repeated = sample.iter().filter(|&(_, &rows)| rows > 1);
    let named = design.columns.as_ref().is_some_and(RowCells::is_named);
    let keys_of = repeated.map(|(key, _)| &*key.start);
    let mut examples: Vec<&[u8]> = keys_of.map(|key| if named { row_of(key) } else { key }).collect();
    sort_distinct(&mut examples);
    examples.truncate(EXAMPLES);
    let whole = |number: f64| number.round() as usize;
    let between = |estimate: Estimate| [whole(estimate.low), whole(estimate.high)];
    let estimated = sample.is_full();
    let both = [whole(keys.value), whole(rows.value)];
    let mut found = Duplicates::estimated(sample.iter().map(|(_, &rows)| rows), both);
    found.estimated = estimated;
    found.between = estimated.then(|| [between(keys), between(rows)]);
    let example = |key| Duplicate { key: to_string_binary(key), rows: Vec::new() };
    found.examples = examples.into_iter().map(example).collect();
    found
}

/// The row key of a sampled cell: behind two bytes of its length.
fn row_of(cell: &[u8]) -> &[u8] {
    let Some((length, rest)) = cell.split_first_chunk() else { return &[] };
    rest.get(..u16::from_be_bytes(*length).into()).unwrap_or(rest)
}

/// Rows and cells, where cells have formulas.
fn row_cells(design: &DesignSummary) -> Option<CellFigures> {
    let cells = design.columns.as_ref().filter(|_| !without_keys(design))?;
    let rows = sampled(&design.keys, |key| u64::from(key.length));
    let column = |of: &ColumnSummary| {
        let values = LengthFigures {
            count: of.values.count,
            bytes: of.values.sum,
            min: of.values.min.unwrap_or(0) as u64,
            max: of.values.max as u64,
        };
        if !of.scope[0] {
            let (cells, row_bytes) = (rows.count, rows.bytes);
            return ColumnFigures {
                cells,
                row_bytes,
                missing: of.missing,
                values,
                ..ColumnFigures::default()
            };
        }
        let row_bytes = sampled(&of.cells, |cell| lengths_of(cell)[0]).bytes;
        let qualifiers = sampled(&of.cells, |cell| lengths_of(cell)[1]);
        ColumnFigures { cells: qualifiers.count, row_bytes, missing: of.missing, qualifiers, values }
    };
    Some(CellFigures {
        rows: rows.count,
        row_bytes: rows.bytes,
        most: design.keys.iter().map(|(_, &records)| records).max().unwrap_or(0),
        estimated: design.keys.is_full() || cells.columns.iter().any(|column| column.cells.is_full()),
        columns: cells.columns.iter().map(column).collect(),
    })
}

/// The lengths of all different items of which some are sampled.
fn sampled(items: &HashSample<SampledKey, u64>, length: impl Fn(&SampledKey) -> u64) -> LengthFigures {
    let lengths = || items.iter().map(|(item, _)| length(item));
    let count = items.distinct().value.round() as u64;
    LengthFigures {
        count,
        bytes: share(count, lengths().sum(), items.len() as u64),
        min: lengths().min().unwrap_or(0),
        max: lengths().max().unwrap_or(0),
    }
}

fn refused(design: &DesignSummary) -> RefusedRecords {
    let named = |field: &str| Some(field).filter(|field| !field.is_empty()).map(str::to_owned);
    let mut reasons: Vec<RefusalReason> = design
        .refused
        .iter()
        .map(|(code, field, refused)| RefusalReason {
            code,
            field: named(field),
            count: refused.count,
            message: refusal_sentence(code),
        })
        .collect();
    sort_by_key(&mut reasons, |reason| (Reverse(reason.count), reason.code, reason.field.clone()));
    let mut first: Vec<_> = design
        .refused
        .iter()
        .flat_map(|(code, field, refused)| {
            refused.first.iter().map(move |(at, text)| (*at, code, field, text))
        })
        .collect();
    sort(&mut first);
    let first = first.into_iter().map(|((_, offset), code, field, text)| {
        let mut problem = Problem::new(code).with("found", text);
        problem.place.offset = Some(offset);
        problem.place.field = named(field);
        problem.into()
    });
    RefusedRecords { count: reasons.iter().map(|reason| reason.count).sum(), first: first.collect(), reasons }
}

/// Rows of each region by interval; `cells` are time, region, rows.
fn counted(
    design: &DesignSummary,
    axis: Option<TimeAxis>,
    cells: &[(i64, u32, u64)],
) -> Result<RegionCounts, Problem> {
    let width = axis.map_or(0, |axis| axis.buckets.into());
    let mut by_region: Vec<(u32, u16, u64)> = cells
        .iter()
        .map(|&(time, region, rows)| (region, axis.map_or(NO_BUCKET, |axis| axis.bucket(Some(time))), rows))
        .filter(|&(_, bucket, _)| bucket != NO_BUCKET)
        .collect();
    sort(&mut by_region);
    let mut counter = RegionCounter::new(design.rows.len(), width, design.lengths.count as usize);
    let mut row = vec![0u32; width];
    let mut rest = by_region.as_slice();
    for (region, (&rows, &bytes)) in design.rows.iter().zip(&design.bytes).enumerate() {
        row.fill(0);
        while let Some((&(_, bucket, rows), after)) =
            rest.split_first().filter(|((own, ..), _)| *own as usize == region)
        {
            if let Some(cell) = row.get_mut(usize::from(bucket)) {
                *cell = cell.saturating_add(narrow(rows)?);
            }
            rest = after;
        }
        counter.add_region(narrow(rows)?, bytes, &row);
    }
    Ok(counter.finish())
}

/// Rows as a report counts them.
///
/// # Errors
/// `report.too-many-rows` from 2^32 on.
fn narrow(rows: u64) -> Result<u32, Problem> {
    u32::try_from(rows).map_err(|_| Problem::new("report.too-many-rows"))
}
