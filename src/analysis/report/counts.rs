//! Rows, bytes and time buckets of every region, counted from sorted keys.
//!
//! The bytes in a cell of the picture follow from the lengths of row keys: rows × what a row takes besides its key, and
//! key bytes × cells of a row.

use super::axis::NO_BUCKET;
use super::faults::KeyFaults;
use super::intervals::WriteIntervals;
use super::moments::BucketStats;
use super::thresholds::{MAX_CELLS, rows_to_judge};
use super::writes::WriteTraits;
use crate::base::host::tick;
use crate::design::split::SplitPoints;
use crate::keys::table::SortedKeys;
use std::ops::Range;

/// Contents of the regions of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionCounts {
    /// Rows of each region.
    pub rows: Vec<u32>,
    /// Bytes of the row keys of each region.
    pub bytes: Vec<u64>,
    /// Rows by region and time bucket, region-major.
    pub heat: Vec<u32>,
    /// Regions that share one row of `heat`; 1 but for very many regions.
    pub regions_per_heat_row: usize,
    /// Rows, largest region and spread of each time bucket.
    pub moments: BucketStats,
    /// The same over so many neighbouring buckets together that the number of regions written can be told from chance.
    pub wide: BucketStats,
    /// Rows of intervals of several lengths, by region and by server; empty where no time is known.
    pub intervals: (WriteIntervals, Option<WriteIntervals>),
    /// Other facts about the writes.
    pub writes: WriteTraits,
    /// Faults of the keys themselves.
    pub faults: KeyFaults,
}

/// Takes in one region after another, in key order.
pub(super) struct RegionCounter {
    counts: RegionCounts,
    width: usize,
}

impl RegionCounter {
    /// For so many regions and time buckets, and about `total` rows.
    pub fn new(regions: usize, width: usize, total: usize) -> Self {
        let regions_per_heat_row = (regions * width).div_ceil(MAX_CELLS).max(1);
        let counts = RegionCounts {
            rows: Vec::with_capacity(regions),
            bytes: Vec::with_capacity(regions),
            heat: vec![0; regions.div_ceil(regions_per_heat_row) * width],
            regions_per_heat_row,
            moments: BucketStats::new(width, 1),
            wide: BucketStats::pooled(width, total, rows_to_judge(regions)),
            ..RegionCounts::default()
        };
        Self { counts, width }
    }

    /// Adds the next region: its rows, the bytes of its keys, its rows in each time bucket.
    pub fn add_region(&mut self, rows: u32, bytes: u64, cells: &[u32]) {
        let counts = &mut self.counts;
        let row = counts.rows.len() / counts.regions_per_heat_row * self.width;
        counts.rows.push(rows);
        counts.bytes.push(bytes);
        if rows > 0 {
            for (heat, cell) in counts.heat.iter_mut().skip(row).zip(cells) {
                *heat += cell;
            }
            for moments in [&mut counts.moments, &mut counts.wide] {
                moments.add_region(cells);
            }
        }
    }

    /// The counts.
    pub fn finish(self) -> RegionCounts {
        self.counts
    }
}

/// Counts the keys of `keys` by region and time bucket. `buckets` holds, a run each in key order, bucket numbers
/// below `width`; other numbers are in no bucket.
pub fn count(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    buckets: &[Vec<u16>],
    width: usize,
) -> RegionCounts {
    let total: usize = (0..keys.runs()).map(|run| keys.run_len(run)).sum();
    let mut counter = RegionCounter::new(points.regions(), width, total);
    let mut cells = vec![0u32; width];
    for_regions(keys, points, |_, ranges| {
        let (mut rows, mut bytes) = (0, 0);
        cells.fill(0);
        for (run, range) in ranges.iter().enumerate() {
            rows += range.len() as u32;
            bytes += keys.bytes(run, range.clone());
            for &bucket in buckets.get(run).and_then(|run| run.get(range.clone())).unwrap_or(&[]) {
                if let Some(cell) = cells.get_mut(usize::from(bucket)) {
                    *cell += 1;
                }
            }
        }
        counter.add_region(rows, bytes, &cells);
    });
    counter.finish()
}

/// Calls `visit` with each region and the places of its keys, a range a run.
pub(super) fn for_regions(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    mut visit: impl FnMut(usize, &[Range<usize>]),
) {
    let regions = points.regions();
    let mut ranges = vec![0..0; keys.runs()];
    for region in 0..regions {
        let (_, stop_row) = points.boundaries(region);
        for (run, range) in ranges.iter_mut().enumerate() {
            let stop = if region + 1 == regions {
                keys.run_len(run)
            } else {
                lower_bound(keys, run, range.end, stop_row)
            };
            *range = range.end..stop;
        }
        visit(region, &ranges);
        tick(ranges.iter().map(Range::len).sum());
    }
}

/// Adds up what each key weighs, laid out as the heat of rows, by its run and place: by cell of the picture, then by region. `buckets` holds, a run each in
/// key order, bucket numbers below `width`; other numbers are in no bucket. `together` regions share a row of the picture.
pub fn weighed(
    keys: &impl SortedKeys,
    points: &SplitPoints,
    (buckets, width): (&[Vec<u16>], usize),
    together: usize,
    weight: &dyn Fn(usize, usize) -> u64,
) -> (Vec<u64>, Vec<u64>) {
    let together = together.max(1);
    let mut heat = vec![0; points.regions().div_ceil(together) * width];
    let mut regions = vec![0; points.regions()];
    for run in 0..keys.runs() {
        tick(keys.run_len(run));
        let mut region = 0;
        for place in 0..keys.run_len(run) {
            let key = keys.key(run, place);
            // Keys ascend, and their regions with them.
            while region < points.len() && points.keys().get(region) <= key {
                region += 1;
            }
            let more = weight(run, place);
            let bucket = buckets.get(run).and_then(|run| run.get(place)).copied().unwrap_or(NO_BUCKET);
            let cell = usize::from(bucket) + region / together * width;
            if let Some(sum) = heat.get_mut(cell).filter(|_| usize::from(bucket) < width) {
                *sum += more;
            }
            if let Some(sum) = regions.get_mut(region) {
                *sum += more;
            }
        }
    }
    (heat, regions)
}

/// First place from `start` on whose key is not below `row`. Steps grow from `start`, so that a table of many
/// regions costs little more than one pass.
fn lower_bound(keys: &impl SortedKeys, run: usize, start: usize, row: &[u8]) -> usize {
    let end = keys.run_len(run);
    let (mut low, mut step) = (start, 1);
    let mut high = loop {
        let probe = low + step;
        if probe >= end || keys.key(run, probe - 1) >= row {
            break probe.min(end);
        }
        low = probe;
        step *= 2;
    };
    while low < high {
        let middle = low.midpoint(high);
        if keys.key(run, middle) < row { low = middle + 1 } else { high = middle }
    }
    low
}
