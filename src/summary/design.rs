//! Counts for one design of a study.

use super::cells::{ArrivingCells, CellLoad, TimeCells};
use super::columns::{ColumnScope, RowCells};
use super::lengths::LengthCounts;
use super::refusals::RefusalCounts;
use super::sample::{HashSample, SampledKey, hash};
use super::values::ValueSummary;
use crate::base::estimate::Estimate;
use crate::design::split::{SplitPoints, head};
use crate::scan::RecordsRead;

/// A row that has a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyedRow<'a> {
    /// Its key.
    pub key: &'a [u8],
    /// The region that holds it.
    pub region: u32,
    /// When it arrived, milliseconds since the epoch.
    pub time: Option<i64>,
    /// True if it is a read.
    pub read: bool,
}

/// Counts for one design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignScope {
    /// Where its table is split.
    pub points: SplitPoints,
    /// Number of leading parts of which values are counted.
    pub leading: usize,
    /// For each query whether it can be planned.
    pub queries: Vec<bool>,
    /// The cells with formulas.
    pub columns: Vec<ColumnScope>,
}

impl From<SplitPoints> for DesignScope {
    fn from(points: SplitPoints) -> Self {
        Self { points, ..Self::default() }
    }
}

/// Counts of one design.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignSummary {
    pub(super) points: SplitPoints,
    /// Rows of each region.
    pub rows: Vec<u64>,
    /// Bytes of the row keys of each region.
    pub bytes: Vec<u64>,
    /// Rows of each region that are reads; `None` where the records do not tell.
    pub reads: Option<Vec<u64>>,
    /// Rows with a known time by region and bucket of time.
    pub cells: TimeCells,
    /// Key lengths.
    pub lengths: LengthCounts,
    /// Lowest and highest key; `None` without keys.
    pub ends: Option<(Vec<u8>, Vec<u8>)>,
    /// Rows without a key.
    pub refused: RefusalCounts,
    /// Different keys, each with the number of its rows.
    pub keys: HashSample<SampledKey, u64>,
    /// Cells with formulas; `None` where there are none.
    pub columns: Option<RowCells>,
    /// The keys up to the end of their first, second, third part that differs between keys.
    pub leading: Vec<ValueSummary>,
    /// Records read and returned by each query; `None` for one that asks what its fields cannot hold.
    pub queries: Vec<Option<RecordsRead>>,
}

impl DesignSummary {
    pub(super) fn new(scope: &DesignScope) -> Self {
        let regions = scope.points.regions();
        Self {
            points: scope.points.clone(),
            rows: vec![0; regions],
            bytes: vec![0; regions],
            reads: None,
            cells: TimeCells::default(),
            lengths: LengthCounts::default(),
            ends: None,
            refused: RefusalCounts::default(),
            keys: HashSample::default(),
            columns: (!scope.columns.is_empty()).then(|| RowCells::new(&scope.columns)),
            leading: vec![ValueSummary::default(); scope.leading],
            queries: scope.queries.iter().map(|&planned| planned.then(RecordsRead::default)).collect(),
        }
    }

    /// True if the same is counted as in `other`.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let planned = |design: &Self| design.queries.iter().map(Option::is_some).collect::<Vec<_>>();
        self.points == other.points
            && self.leading.len() == other.leading.len()
            && planned(self) == planned(other)
            && self.reads.is_some() == other.reads.is_some()
            && match (&self.columns, &other.columns) {
                (Some(one), Some(other)) => one.is_like(other),
                (None, None) => true,
                _ => false,
            }
    }

    /// The split points the rows are counted by.
    pub fn points(&self) -> &SplitPoints {
        &self.points
    }

    /// The keys with the number of their rows; where records of one key can write different cells, these cells instead.
    pub fn told_apart(&self) -> &HashSample<SampledKey, u64> {
        self.columns.as_ref().filter(|cells| cells.is_named()).map_or(&self.keys, |cells| &cells.written)
    }

    /// Different keys that several rows have, and the rows that have them; of keys of which records write different cells, those
    /// of which they write the same.
    pub fn repeated(&self) -> (Estimate, Estimate) {
        let sample = self.told_apart();
        let rows: Vec<u64> = sample.iter().map(|(_, &rows)| if rows > 1 { rows } else { 0 }).collect();
        let repeated = rows.iter().filter(|&&rows| rows > 0).count() as u64;
        if !sample.is_full() {
            let all = rows.iter().sum::<u64>();
            return (Estimate::exact(repeated as f64), Estimate::exact(all as f64));
        }
        let keys = sample.distinct();
        (Estimate::share(repeated, rows.len() as u64).times(keys), Estimate::total(&rows, keys))
    }

    /// Counts rows by their keys.
    // Called for each batch: what is part of the long call around it would run as V8 compiled it first, in haste.
    #[inline(never)]
    pub fn add_rows<'k>(&mut self, rows: impl Iterator<Item = KeyedRow<'k>>) {
        let mut cells = ArrivingCells::new(&mut self.cells, self.rows.len());
        let (mut length, mut alike) = (0, 0);
        // Heads of the lowest and the highest key: most keys have a head between them.
        let mut heads = self.ends.as_ref().map_or((u64::MAX, 0), |(low, high)| (head(low), head(high)));
        rows.for_each(|KeyedRow { key, region, time, read }| {
            let load = CellLoad { rows: 1, bytes: key.len() as u64, reads: read.into() };
            let counts = self.rows.get_mut(region as usize).zip(self.bytes.get_mut(region as usize));
            if let Some((rows, bytes)) = counts {
                *rows += 1;
                *bytes += load.bytes;
            }
            if let Some(reads) = self.reads.as_mut().and_then(|reads| reads.get_mut(region as usize)) {
                *reads += load.reads;
            }
            if let Some(time) = time {
                cells.add(time, region, load);
            }
            if key.len() != length {
                self.lengths.add(length, alike);
                (length, alike) = (key.len(), 0);
            }
            alike += 1;
            let first = head(key);
            if first <= heads.0 || first >= heads.1 {
                widen(&mut self.ends, key, key);
                heads = (heads.0.min(first), heads.1.max(first));
            }
            let hash = hash(key);
            if self.keys.admits(hash) {
                self.keys.add(hash, SampledKey::new(key), 1, |rows, more| *rows += more);
            }
        });
        self.lengths.add(length, alike);
        cells.settle();
    }

    pub(super) fn merge(&mut self, other: Self) {
        super::add_all(&mut self.rows, &other.rows);
        super::add_all(&mut self.bytes, &other.bytes);
        if let Some((reads, more)) = self.reads.as_mut().zip(other.reads) {
            super::add_all(reads, &more);
        }
        self.cells.merge(other.cells);
        self.lengths.merge(&other.lengths);
        if let Some((first, last)) = &other.ends {
            widen(&mut self.ends, first, last);
        }
        self.refused.merge(other.refused);
        self.keys.merge(other.keys, |rows, more| *rows = rows.saturating_add(more));
        if let Some((cells, more)) = self.columns.as_mut().zip(other.columns) {
            cells.merge(more);
        }
        for (values, more) in self.leading.iter_mut().zip(other.leading) {
            values.merge(more);
        }
        for (counted, more) in self.queries.iter_mut().zip(other.queries) {
            if let Some((counted, more)) = counted.as_mut().zip(more) {
                counted.read = counted.read.saturating_add(more.read);
                counted.returned = counted.returned.saturating_add(more.returned);
            }
        }
    }
}

/// Widens the ends to hold these keys.
fn widen(ends: &mut Option<(Vec<u8>, Vec<u8>)>, first: &[u8], last: &[u8]) {
    let (low, high) = ends.get_or_insert_with(|| (first.to_vec(), last.to_vec()));
    if first < low.as_slice() {
        first.clone_into(low);
    }
    if last > high.as_slice() {
        last.clone_into(high);
    }
}
