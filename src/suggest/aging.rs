//! Split points that age: rows of the last part of the time, which they do not come from, gather in one region.

use super::intervals::NOT_COUNTED;

/// A share of the new rows from which on a region is hot, as a review judges it.
pub(super) const HOT: f64 = 0.6;
/// Windows that the last part of the time is divided into, and fewest rows of one.
const WINDOWS: usize = 8;
const ROWS: usize = 50;
/// Fewest windows that tell a trend.
const TREND: usize = 4;
/// How many standard errors a trend is above none.
const CERTAIN: f64 = 3.0;
/// How much longer than the records a trend is followed.
const FOLLOWED: f64 = 4.0;

/// When split points need to be renewed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aging {
    /// The time from which on a region is hot.
    pub from: i64,
    /// Its share of the new rows then.
    pub share: f64,
    /// True if that is before the last record.
    pub is_past: bool,
}

/// A row: its time, its region, and whether split points come from it.
pub(super) struct PlacedRow {
    /// Its time.
    pub time: i64,
    /// Its region.
    pub region: u32,
    /// True if split points come from it.
    pub learned: bool,
}

/// When the busiest region of the newest rows is hot, if it was not among the rows that split points come from.
pub(super) fn aging(mut rows: Vec<PlacedRow>) -> Option<Aging> {
    rows.retain(|row| row.region != NOT_COUNTED);
    rows.sort_by_key(|row| row.time);
    let (learned, new): (Vec<PlacedRow>, Vec<PlacedRow>) = rows.into_iter().partition(|row| row.learned);
    let size = new.len() / (new.len() / ROWS).clamp(1, WINDOWS);
    let windows: Vec<&[PlacedRow]> = new.chunks_exact(size.max(1)).collect();
    let last = busiest(windows.last()?);
    let share = |rows: &[PlacedRow]| {
        rows.iter().filter(|row| row.region == last).count() as f64 / rows.len().max(1) as f64
    };
    if learned.is_empty() || size < ROWS || share(&learned) >= HOT {
        return None;
    }
    let shares: Vec<f64> = windows.iter().map(|rows| share(rows)).collect();
    let hot = shares.iter().rev().take_while(|share| **share >= HOT).count();
    if let Some(first) = windows.get(windows.len() - hot).and_then(|rows| rows.first()) {
        let together = shares.iter().rev().take(hot).sum::<f64>() / hot.max(1) as f64;
        return Some(Aging { from: first.time, share: together, is_past: true });
    }
    let middle = |rows: &&[PlacedRow]| rows.get(rows.len() / 2).map_or(0.0, |row| row.time as f64);
    let times: Vec<f64> = windows.iter().map(middle).collect();
    let from = crossing(&times, &shares, size)?;
    let (begin, end) = (learned.first()?.time as f64, new.last()?.time as f64);
    (from > end && from - end <= FOLLOWED * (end - begin)).then_some(Aging {
        from: from as i64,
        share: HOT,
        is_past: false,
    })
}

/// The region with most rows.
fn busiest(rows: &[PlacedRow]) -> u32 {
    let mut regions: Vec<u32> = rows.iter().map(|row| row.region).collect();
    regions.sort_unstable();
    let counted = regions.chunk_by(|a, b| a == b).map(|same| (same.len(), same.first().copied()));
    counted.max().and_then(|(_, region)| region).unwrap_or(NOT_COUNTED)
}

/// When a rising share reaches that of a hot region, by the line through the windows; `None` where it does not rise beyond chance.
fn crossing(times: &[f64], shares: &[f64], size: usize) -> Option<f64> {
    if times.len() < TREND {
        return None;
    }
    let count = times.len() as f64;
    let [time, share] = [times, shares].map(|of| of.iter().sum::<f64>() / count);
    let spread: f64 = times.iter().map(|at| (at - time).powi(2)).sum();
    let together: f64 = times.iter().zip(shares).map(|(at, of)| (at - time) * (of - share)).sum();
    let slope = together / spread;
    let off = |(at, of): (&f64, &f64)| (of - share - slope * (at - time)).powi(2);
    let residual = times.iter().zip(shares).map(off).sum::<f64>() / (count - 2.0);
    let chance = share * (1.0 - share) / size as f64;
    let error = (residual.max(chance) / spread).sqrt();
    (slope > CERTAIN * error).then(|| time + (HOT - share) / slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: i64, region: impl Fn(i64) -> u32) -> Vec<PlacedRow> {
        (0..count)
            .map(|time| PlacedRow { time, region: region(time), learned: time < count * 8 / 10 })
            .collect()
    }

    #[test]
    fn rows_that_fall_behind_the_last_split_point_age_from_the_first_of_them() {
        let aged = aging(rows(10_000, |time| (time / 2000).min(3) as u32)).expect("aged");
        assert_eq!((aged.from, aged.share, aged.is_past), (8000, 1.0, true));
    }

    #[test]
    fn a_share_that_rises_is_followed_to_the_day_when_it_is_hot() {
        // From 20% at the end of what is learned to 40% at the last row: 60% another fifth later.
        let rises = |time: i64| time * 7919 % 1000 < 200 + (time - 8000).max(0) / 10;
        let region = |time: i64| if rises(time) { 4 } else { (time % 4) as u32 };
        let aged = aging(rows(10_000, region)).expect("aged");
        assert!(!aged.is_past && (11_500..12_500).contains(&aged.from), "{aged:?}");
    }

    #[test]
    fn even_rows_and_a_region_that_was_always_hot_do_not_age() {
        assert_eq!(aging(rows(10_000, |time| (time * 7919 % 4) as u32)), None);
        assert_eq!(aging(rows(10_000, |time| u32::from(time * 7919 % 10 > 7))), None);
        assert_eq!(aging(rows(100, |time| (time / 25) as u32)), None, "too few rows");
    }
}
