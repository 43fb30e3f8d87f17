//! Rows by ranges of keys finer than regions, and time: from the sampled rows.

use super::TimeAxis;
use super::summarised::axis_of;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::{sort, sort_distinct};
use crate::summary::Summary;
use serde::Serialize;

/// Sampled rows by range of keys and time. A cell's share of the sample is its share of all rows, as
/// [`Estimate::share`](crate::base::estimate::Estimate::share) says it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FineHeat {
    /// Start row of each range in `\xNN` notation; the first is empty.
    pub starts: Vec<String>,
    /// The time axis of the report.
    pub time: TimeAxis,
    /// Sampled rows that have a key and a place on the axis.
    pub sampled: u64,
    /// All rows with a key.
    pub rows: u64,
    /// True if the sample leaves rows out.
    pub estimated: bool,
    /// Sampled rows by range and time bucket, range-major.
    #[serde(skip)]
    pub heat: Vec<u32>,
}

/// At most `ranges` ranges that hold equal shares of the sampled rows of a design; fewer where one key has several shares.
/// `None` without a time.
pub fn fine(summary: &Summary, design: usize, ranges: usize) -> Option<FineHeat> {
    let counted = summary.designs.get(design)?;
    let time = axis_of(counted)?;
    let sampled = summary.sample.iter().filter_map(|(_, row)| {
        let key: &[u8] = &row.keys.get(design)?.as_ref()?.start;
        Some((key, usize::from(time.bucket(row.time))))
    });
    let width = usize::from(time.buckets);
    let mut rows: Vec<(&[u8], usize)> = sampled.filter(|(_, bucket)| *bucket < width).collect();
    sort(&mut rows);
    let ranges = ranges.clamp(1, rows.len().max(1));
    let first = |range: usize| rows.get(range * rows.len() / ranges).map(|(key, _)| *key);
    let mut starts: Vec<&[u8]> = (1..ranges).filter_map(first).collect();
    starts.insert(0, &[]);
    sort_distinct(&mut starts);
    let mut heat = vec![0u32; starts.len() * width];
    for (key, bucket) in &rows {
        let range = starts.partition_point(|start| start <= key).saturating_sub(1);
        if let Some(cell) = heat.get_mut(range * width + bucket) {
            *cell += 1;
        }
    }
    Some(FineHeat {
        starts: starts.into_iter().map(to_string_binary).collect(),
        time,
        estimated: (summary.sample.len() as u64) < summary.rows,
        sampled: rows.len() as u64,
        rows: counted.lengths.count,
        heat,
    })
}
