//! The fixed ladder of time steps. Each step divides the next, so counts at one level add up to the next.

use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// Steps in milliseconds, ascending; a bucket is `floor(time / step)` counted from 1970-01-01T00:00:00Z.
///
/// Neighbours differ by at most a factor of 5 (7 once), so that some step always gives a readable number of
/// buckets. Months and years divide nothing: above a day come weeks, 4, 12 and 48 weeks.
pub const STEPS: [i64; 23] = [
    1,
    5,
    10,
    50,
    100,
    500,
    SECOND,
    5 * SECOND,
    10 * SECOND,
    30 * SECOND,
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    7 * DAY,
    28 * DAY,
    84 * DAY,
    336 * DAY,
];

#[cfg(test)]
mod tests {
    use super::STEPS;

    #[test]
    fn each_step_divides_the_next() {
        for pair in STEPS.windows(2) {
            assert!(pair[1] > pair[0] && pair[1] % pair[0] == 0 && pair[1] / pair[0] <= 7, "{pair:?}");
        }
    }
}
