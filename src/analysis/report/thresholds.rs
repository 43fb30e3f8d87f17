//! The figures from which a verdict says something.

/// Fewest rows from which anything is concluded, and rows that a moment must have on average for the share of its
/// largest region to mean something: of 20 rows thrown at 3 regions, 12 or more in one is a chance below 2%.
pub(super) const ROWS_FOR_A_SHARE: usize = 20;

/// A moment with fewer rows than this is left out of medians over moments.
pub(super) const ROWS_OF_A_MOMENT: u32 = 10;

/// Fewest moments that a median is taken over.
pub(super) const MOMENTS: usize = 3;

/// At a median share of the largest region from here on, moments are written to one region: the others together
/// take less than it.
pub(super) const ONE_REGION_SHARE: f64 = 0.6;

/// Moments count as narrower than the whole period when their largest share is above the whole period's by this
/// factor; below it, the table is skewed at all times rather than sequential.
pub(super) const MOMENT_OVER_WHOLE: f64 = 1.5;

/// Moments that write effectively fewer regions than the whole period by this factor are narrow.
pub(super) const NARROW: f64 = 2.0;

/// A region over twice its share is worth a warning, over four times it decides how large the table can get.
pub(super) const SKEW_WARNING: f64 = 2.0;
/// See [`SKEW_WARNING`].
pub(super) const SKEW_BAD: f64 = 4.0;

/// Standard deviations of a random count by which a region must lie over the mean to be no accident; six hold for
/// a million regions at once.
pub(super) const DEVIATIONS: f64 = 6.0;

/// From this share of empty regions on, the split points do not fit the keys.
pub(super) const DEAD_BAD: f64 = 0.25;

/// From this share of rows with a key of another row on, it is the key that does not tell records apart, and not a record
/// sent twice.
pub(super) const OVERWRITTEN: f64 = 0.01;

/// Rows from which an empty region is no accident: the mean is then 5 + log2(regions), and with keys spread by
/// chance even one region of all stays empty less than once in a hundred times.
pub(super) fn rows_to_judge(regions: usize) -> usize {
    regions.saturating_mul(5 + regions.max(1).ilog2() as usize)
}
