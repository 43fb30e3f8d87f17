//! The figures from which a verdict says something.

/// Fewest rows from which anything is concluded, and fewest of an interval: of 20 rows thrown at 3 regions, 12 or more in one is a chance below 2%.
pub(in crate::analysis) const ROWS_FOR_A_SHARE: usize = 20;

/// Rows a region that an interval should have, so that the share of its largest region says little of chance.
pub(super) const ROWS_OF_A_REGION: usize = 20;

/// Most counts of rows by region and time: 16 MB. What has more is counted at a coarser step.
pub(super) const MAX_CELLS: usize = 4 << 20;

/// Fewest windows of time that stand for a period.
pub(super) const FEWEST_WINDOWS: usize = 5;

/// Share of the rows for which one region has to take most of the writes before that is told.
pub(in crate::analysis) const LASTING: f64 = 0.1;

/// Share of the rows that can be judged from which one region takes most of the writes at any one time, and not for a time.
pub(super) const ALWAYS: f64 = 0.9;

/// How often an even spread may look as uneven as what is told.
pub(super) const BY_CHANCE: f64 = 0.01;

/// Share of the changes of a region in one direction from which they go one way.
pub(super) const ONE_WAY: f64 = 0.9;

/// Fewest moments that a median is taken over.
pub(in crate::analysis) const MOMENTS: usize = 3;

/// At a median share of the largest region from here on, moments are written to one region: the others together
/// take less than it.
pub(super) const ONE_REGION_SHARE: f64 = 0.6;

/// Moments count as narrower than the whole period when their largest share is above the whole period's by this
/// factor; below it, the table is skewed at all times rather than sequential.
pub(super) const MOMENT_OVER_WHOLE: f64 = 1.5;

/// Moments that write effectively fewer regions than the whole period by this factor are narrow.
pub(super) const NARROW: f64 = 2.0;

/// A region over twice its share is worth a warning, over four times it decides how large the table can get. Of few regions
/// none can reach that: there, a share of all rows counts.
pub(super) const SKEW_WARNING: SkewLimit = SkewLimit { times: 2.0, share: 0.75 };
/// See [`SKEW_WARNING`].
pub(in crate::analysis) const SKEW_BAD: SkewLimit = SkewLimit { times: 4.0, share: 0.95 };

/// From which size on the largest region is too large.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct SkewLimit {
    /// Times the mean.
    pub times: f64,
    /// Share of all rows, where that is less.
    pub share: f64,
}

/// Standard deviations of a random count by which a region must lie over the mean to be no accident; six hold for
/// a million regions at once.
pub(super) const DEVIATIONS: f64 = 6.0;

/// From this share of empty regions on, the split points do not fit the keys.
pub(in crate::analysis) const DEAD_BAD: f64 = 0.25;

/// From this share of records without a key on, what is judged is not what was given.
pub(in crate::analysis) const REJECTED: f64 = 0.01;

/// From this share of rows with a key of another row on, it is the key that does not tell records apart, and not a record
/// sent twice.
pub(super) const OVERWRITTEN: f64 = 0.01;

/// Rows from which an empty region is no accident: the mean is then 5 + log2(regions), and with keys spread by
/// chance even one region of all stays empty less than once in a hundred times.
pub(in crate::analysis) fn rows_to_judge(regions: usize) -> usize {
    regions.saturating_mul(5 + regions.max(1).ilog2() as usize)
}
