//! Rows by region and time as a picture of few enough cells: neighbours are added up, never averaged.

use crate::analysis::report::Report;
use crate::observe::HeatObserved;

/// Regions side by side in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureBand {
    /// Start row of its first region, in `\xNN` notation.
    pub start: String,
    /// Regions in it.
    pub regions: usize,
    /// Rows in it at all times.
    pub rows: u64,
}

/// Rows by region and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// From the lowest keys to the highest.
    pub bands: Vec<PictureBand>,
    /// Spans of time.
    pub columns: usize,
    /// Rows, band by band.
    pub cells: Vec<u64>,
    /// Rows of the busiest cell.
    pub most: u64,
    /// Beginning of the first span and end of the last, in milliseconds since 1970.
    pub time: (f64, f64),
    /// Length of a span in milliseconds.
    pub step: f64,
}

impl Picture {
    /// The picture of a report, with at most so many bands and columns; `None` when no time is known.
    pub fn of(report: &Report, most_bands: usize, most_columns: usize) -> Option<Self> {
        let time = report.time.as_ref()?;
        let buckets = usize::from(time.buckets);
        let lines = report.heat.len().checked_div(buckets)?;
        if lines == 0 {
            return None;
        }
        let by_band = lines.div_ceil(most_bands.max(1));
        let by_column = buckets.div_ceil(most_columns.max(1));
        let columns = buckets.div_ceil(by_column);
        let mut bands = Vec::new();
        let mut cells = Vec::new();
        for (number, band) in report.heat.chunks(by_band * buckets).enumerate() {
            let mut row = band_row(band.chunks(buckets), columns, by_column);
            let first = number * by_band * report.regions_per_heat_row;
            let last = (first + by_band * report.regions_per_heat_row).min(report.region_count);
            // With very many regions, not all are listed.
            let listed = report.regions.binary_search_by_key(&first, |region| region.index).ok();
            let start = listed.and_then(|at| report.regions.get(at)).map(|region| region.start.clone());
            bands.push(PictureBand {
                start: start.unwrap_or_default(),
                regions: last - first,
                rows: row.iter().sum(),
            });
            cells.append(&mut row);
        }
        let start = time.start as f64;
        Some(Self {
            most: cells.iter().copied().max().unwrap_or_default(),
            time: (start, start + time.step * buckets as f64),
            step: time.step * by_column as f64,
            bands,
            columns,
            cells,
        })
    }

    /// The picture of observed cells, with at most so many bands and columns; `None` when no time is known.
    pub fn of_observed(heat: &HeatObserved, most_bands: usize, most_columns: usize) -> Option<Self> {
        let (lines, buckets) = (heat.starts.len(), heat.times.len());
        if lines == 0 || buckets == 0 {
            return None;
        }
        let by_band = lines.div_ceil(most_bands.max(1));
        let by_column = buckets.div_ceil(most_columns.max(1));
        let columns = buckets.div_ceil(by_column);
        let mut bands = Vec::new();
        let mut cells = Vec::new();
        for (starts, lines) in heat.starts.chunks(by_band).zip(heat.counts.chunks(by_band)) {
            let mut row = band_row(lines.iter().map(Vec::as_slice), columns, by_column);
            let start = starts.first().cloned().unwrap_or_default();
            bands.push(PictureBand { start, regions: lines.len(), rows: row.iter().sum() });
            cells.append(&mut row);
        }
        let start = *heat.times.first()? as f64;
        Some(Self {
            most: cells.iter().copied().max().unwrap_or_default(),
            time: (start, start + heat.step as f64 * buckets as f64),
            step: heat.step as f64 * by_column as f64,
            bands,
            columns,
            cells,
        })
    }

    /// The rows of a band over time.
    pub fn row(&self, band: usize) -> &[u64] {
        self.cells.get(band * self.columns..(band + 1) * self.columns).unwrap_or_default()
    }
}

/// Sums the lines of a band, `by_column` buckets to a column.
fn band_row<'a, N: Copy + Into<u64> + 'a>(
    lines: impl Iterator<Item = &'a [N]>,
    columns: usize,
    by_column: usize,
) -> Vec<u64> {
    let mut row = vec![0; columns];
    for line in lines {
        for (cell, counts) in row.iter_mut().zip(line.chunks(by_column)) {
            *cell += counts.iter().map(|&count| count.into()).sum::<u64>();
        }
    }
    row
}
