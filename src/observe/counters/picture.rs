//! Figures of regions by time.

use super::history::{Point, RegionSeen};
use super::intervals::Interval;
use super::metric::Metric;
use crate::base::units::SECOND;
use crate::bytes::row::to_string_binary;
use crate::bytes::sort::sort_distinct;
use crate::observe::heat::HeatObserved;
use crate::observe::requests::RequestCounts;

/// Intervals of a picture.
const INTERVALS: i64 = 96;
/// Rows of a picture.
const ROWS: usize = 256;

/// A region on its way to the answer.
pub struct Part<'a> {
    pub seen: &'a RegionSeen,
    /// Its last point.
    pub last: Point,
    /// Bytes of its store files, by the last dump that says it.
    pub size: Option<u64>,
    pub end: Option<Vec<u8>>,
    pub gone: bool,
    pub intervals: Vec<Interval>,
    pub counts: RequestCounts,
}

/// Figures by region and time. What a region that is gone has taken stands in the rows of those in its place.
pub fn heat(parts: &[Part<'_>], metric: Metric, (first, last): (i64, i64)) -> Option<HeatObserved> {
    let there = parts.iter().filter(|part| !part.gone);
    let mut starts: Vec<&[u8]> = there.filter_map(|part| part.seen.start.as_deref()).collect();
    sort_distinct(&mut starts);
    let starts: Vec<&[u8]> = starts.iter().step_by(starts.len().div_ceil(ROWS).max(1)).copied().collect();
    if starts.is_empty() {
        return None;
    }
    let step = ((last - first) / INTERVALS).max(SECOND);
    let columns = ((last - first) as u64).div_ceil(step as u64) as usize;
    let mut counts = vec![vec![0u64; columns]; starts.len()];
    for part in parts {
        let Some(start) = part.seen.start.as_deref() else { continue };
        let from = starts.partition_point(|row| *row <= start).saturating_sub(1);
        let to = match part.end.as_deref() {
            Some(end) if !end.is_empty() => starts.partition_point(|row| *row < end),
            _ if part.gone => from + 1,
            _ => starts.len(),
        };
        let to = if part.gone { to.max(from + 1) } else { from + 1 };
        for interval in &part.intervals {
            let rows = counts.get_mut(from..to).unwrap_or_default();
            let shares = rows.len().max(1) as u64;
            for (at, row) in rows.iter_mut().enumerate() {
                match metric {
                    Metric::Size => level(row, interval, (first, step)),
                    _ => {
                        let all = metric.of(&interval.counts);
                        let own = all / shares + u64::from((at as u64) < all % shares);
                        spread(row, own, interval, (first, step));
                    }
                }
            }
        }
    }
    let times = (0..columns as i64).map(|column| first + column * step).collect();
    let starts = starts.into_iter().map(to_string_binary).collect();
    Some(HeatObserved { starts, times, step, counts })
}

/// Spreads a count evenly over the time of an interval; no request is lost by rounding.
fn spread(row: &mut [u64], count: u64, interval: &Interval, (first, step): (i64, i64)) {
    let length = (interval.to - interval.from).max(1) as f64;
    let mut before = 0;
    let at = |time: i64| {
        usize::try_from((time - first) / step).unwrap_or_default().min(row.len().saturating_sub(1))
    };
    for column in at(interval.from)..=at(interval.to - 1).max(at(interval.from)) {
        let end = first + (column as i64 + 1) * step;
        let part = ((end.min(interval.to) - interval.from) as f64 / length).clamp(0.0, 1.0);
        let so_far = if end >= interval.to { count } else { (count as f64 * part) as u64 };
        if let Some(known) = row.get_mut(column) {
            *known = known.saturating_add(so_far - before.min(so_far));
        }
        before = so_far;
    }
}

/// The size of a region while an interval lasts.
fn level(row: &mut [u64], interval: &Interval, (first, step): (i64, i64)) {
    let from = usize::try_from((interval.from - first) / step).unwrap_or_default();
    let to = usize::try_from((interval.to - first + step - 1) / step).unwrap_or_default();
    for known in row.iter_mut().take(to).skip(from) {
        *known = (*known).max(interval.size.unwrap_or_default());
    }
}
