//! The time axis of a report: equal buckets over the time of the records.

use crate::summary::ladder::STEPS;
use serde::Serialize;

/// Most buckets of an axis that picks its own step: more than a screen shows side by side helps nobody.
pub const AUTOMATIC_BUCKETS: u64 = 240;

/// Most buckets that can be asked for.
pub const MAX_BUCKETS: u16 = 10_000;

/// Stands for "no time, or outside the axis" in a column of bucket numbers.
pub const NO_BUCKET: u16 = u16::MAX;

/// One row in this many may be cut off at either end as a stray timestamp…
const STRAYS: usize = 1_000;
/// …of at least this many rows…
const ROWS_FOR_STRAYS: usize = 20;
/// …when that makes the axis shorter by more than this factor.
const STRAY_FACTOR: i128 = 4;

/// Equal buckets of time, the first beginning at `start`. Bucket `b` holds the times `t` with
/// `floor((t - start) * buckets / span) = b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TimeAxis {
    /// Beginning of the first bucket, milliseconds since the epoch.
    pub start: i64,
    /// Length of all buckets together, milliseconds.
    pub span: u64,
    /// Number of buckets.
    pub buckets: u16,
}

impl TimeAxis {
    /// From start, span and buckets; `None` without length or with more buckets than can be asked for.
    pub fn of_parts((start, span, buckets): (i64, u64, u16)) -> Option<Self> {
        (span > 0 && (1..=MAX_BUCKETS).contains(&buckets)).then_some(Self { start, span, buckets })
    }

    /// `buckets` equal parts from the first time to the end of the last. `resolution` is the length in
    /// milliseconds of what one written time stands for: 1000 when times are written in whole seconds.
    /// `None` without times or without buckets.
    pub fn equal(times: impl IntoIterator<Item = i64>, resolution: u64, buckets: u32) -> Option<Self> {
        let (first, last) = times.into_iter().fold(None, |ends: Option<(i64, i64)>, time| {
            Some(ends.map_or((time, time), |(first, last)| (first.min(time), last.max(time))))
        })?;
        let buckets = u16::try_from(buckets).unwrap_or(MAX_BUCKETS).min(MAX_BUCKETS);
        let span = last.abs_diff(first).saturating_add(resolution.max(1));
        (buckets > 0).then_some(Self { start: first, span, buckets })
    }

    /// The finest step of the ladder, not below `resolution`, that gives at most [`AUTOMATIC_BUCKETS`].
    ///
    /// A few stray timestamps don't stretch the axis: one row in 1000 (at least one) is cut off at either end
    /// when the rest is over four times shorter. Rows cut off are outside the axis and in no bucket.
    pub fn automatic(mut times: Vec<i64>, resolution: u64) -> Option<Self> {
        let (first, last) = ends(&mut times)?;
        Self::fitting(first, last, resolution)
    }

    /// The same for times that were counted: ascending, each with its number of rows.
    pub fn of_counted(times: &[(i64, u64)], resolution: u64) -> Option<Self> {
        let rows: u64 = times.iter().map(|&(_, rows)| rows).sum();
        let at = |rank: u64| {
            let mut before = 0;
            let reaches = |&&(_, rows): &&(i64, u64)| {
                before += rows;
                before > rank
            };
            times.iter().find(reaches).map(|&(time, _)| time)
        };
        let (first, last) = (at(0)?, at(rows.checked_sub(1)?)?);
        let cut = rows.div_ceil(STRAYS as u64);
        let (first, last) = match (at(cut), rows.checked_sub(cut + 1).and_then(at)) {
            (Some(low), Some(high)) if rows >= ROWS_FOR_STRAYS as u64 && low <= high => {
                without_strays((first, last), (low, high))
            }
            _ => (first, last),
        };
        Self::fitting(first, last, resolution)
    }

    /// The finest step of the ladder, not below `resolution`, that gives at most [`AUTOMATIC_BUCKETS`].
    fn fitting(first: i64, last: i64, resolution: u64) -> Option<Self> {
        let length = |first: i64, last: i64| i128::from(last) - i128::from(first);
        for step in STEPS.into_iter().filter(|&step| step.unsigned_abs() >= resolution) {
            let start = first.div_euclid(step) * step;
            let buckets = length(start, last) / i128::from(step) + 1;
            if buckets <= i128::from(AUTOMATIC_BUCKETS) {
                return Some(Self {
                    start,
                    span: buckets as u64 * step.unsigned_abs(),
                    buckets: buckets as u16,
                });
            }
        }
        Self::equal([first, last], resolution, AUTOMATIC_BUCKETS as u32)
    }

    /// Length of a bucket in milliseconds; may be a fraction.
    pub fn step(&self) -> f64 {
        self.span as f64 / f64::from(self.buckets)
    }

    /// The bucket of a time; [`NO_BUCKET`] outside the axis or when the time is unknown.
    #[inline]
    pub fn bucket(&self, time: Option<i64>) -> u16 {
        let Some(time) = time.filter(|&time| time >= self.start) else { return NO_BUCKET };
        let since = time.abs_diff(self.start);
        if since >= self.span {
            return NO_BUCKET;
        }
        match since.checked_mul(self.buckets.into()) {
            Some(product) => (product / self.span) as u16,
            None => (u128::from(since) * u128::from(self.buckets) / u128::from(self.span)) as u16,
        }
    }
}

/// First and last time, strays cut off.
fn ends(times: &mut [i64]) -> Option<(i64, i64)> {
    let first = *times.iter().min()?;
    let last = *times.iter().max()?;
    if times.len() < ROWS_FOR_STRAYS {
        return Some((first, last));
    }
    let cut = times.len().div_ceil(STRAYS);
    let (_, &mut low, rest) = times.select_nth_unstable(cut);
    let from_end = rest.len().checked_sub(cut + 1)?;
    let high = *rest.select_nth_unstable(from_end).1;
    Some(without_strays((first, last), (low, high)))
}

/// The ends of all times, or where that shortens the axis a lot, of those from `low` to `high`.
fn without_strays((first, last): (i64, i64), (low, high): (i64, i64)) -> (i64, i64) {
    let length = |first: i64, last: i64| i128::from(last) - i128::from(first) + 1;
    // Each end by itself: a stray at one must not cut honest rows at the other.
    let core = length(low, high) * STRAY_FACTOR;
    let first = if length(first, high) > core { low } else { first };
    let last = if length(low, last) > core { high } else { last };
    (first, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_in_milliseconds_agree_with_whole_seconds(
            seconds in prop::collection::vec(-5_000_000_000i64..5_000_000_000, 1..50), buckets in 1u32..500,
        ) {
            let axis = TimeAxis::equal(seconds.iter().map(|second| second * 1000), 1000, buckets).expect("axis");
            let (first, last) = (seconds.iter().min().expect("min"), seconds.iter().max().expect("max"));
            for second in &seconds {
                let expected = (second - first) * i64::from(buckets) / (last - first + 1);
                prop_assert_eq!(i64::from(axis.bucket(Some(second * 1000))), expected);
            }
        }

        #[test]
        fn an_automatic_axis_holds_nearly_all_rows_in_few_buckets(times: Vec<i64>) {
            let count = times.len();
            if let Some(axis) = TimeAxis::automatic(times.clone(), 1) {
                prop_assert!(axis.buckets > 0 && u64::from(axis.buckets) <= AUTOMATIC_BUCKETS);
                let outside = times.iter().filter(|&&time| axis.bucket(Some(time)) == NO_BUCKET).count();
                prop_assert!(outside <= 2 * count.div_ceil(STRAYS));
            } else {
                prop_assert_eq!(count, 0);
            }
        }

        #[test]
        fn no_time_breaks_it(start: i64, span in 1u64.., buckets in 1u16..=MAX_BUCKETS, time: i64) {
            let bucket = TimeAxis { start, span, buckets }.bucket(Some(time));
            prop_assert!(bucket < buckets || bucket == NO_BUCKET);
        }
    }

    #[test]
    fn a_stray_timestamp_does_not_ruin_the_axis() {
        let day = 24 * 3_600_000;
        let start = 19_000 * day;
        let mut times: Vec<i64> = (0..5_000).map(|index| start + index * 60_000).collect();
        let honest = TimeAxis::automatic(times.clone(), 1000).expect("axis");
        assert_eq!(honest.step(), 1_800_000.0);
        times.push(0);
        times.push(4_000_000_000_000);
        let axis = TimeAxis::automatic(times, 1000).expect("axis");
        assert_eq!(axis.step(), honest.step());
        assert_eq!(axis.bucket(Some(0)), NO_BUCKET);
        assert_eq!(axis.bucket(None), NO_BUCKET);
    }
}
