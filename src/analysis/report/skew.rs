//! How unevenly rows lie over the regions.

use super::moments::median;
use super::thresholds::{SKEW_WARNING, SkewLimit};
use crate::bytes::sort::sort;
use serde::Serialize;

/// Figures of unevenness over all regions, empty ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skew {
    /// Rows of a region on average.
    pub mean: f64,
    /// Rows of the middle region.
    pub median: f64,
    /// Rows of the largest region.
    pub max: u32,
    /// Largest over mean: 1 when even. 0 without rows.
    pub max_over_mean: f64,
    /// Coefficient of variation: standard deviation of the population over mean. 0 when even.
    pub cv: f64,
    /// Gini coefficient: 0 when even, near 1 when one region holds all.
    pub gini: f64,
    /// Regions without a row.
    pub empty: usize,
}

impl Skew {
    /// True when no region is empty, and none has twice its share.
    pub fn is_even(&self) -> bool {
        self.empty == 0 && self.max_over_mean < SKEW_WARNING.times
    }

    /// True when the largest of so many regions is so much too large.
    pub(in crate::analysis) fn is_over(&self, limit: SkewLimit, regions: usize) -> bool {
        self.max_over_mean >= limit.times || self.max_over_mean >= limit.share * regions as f64
    }

    /// From the rows of each region. Sums are exact; only the last division is in floating point.
    pub fn of(rows: &[u32]) -> Self {
        let mut ascending = rows.to_vec();
        sort(&mut ascending);
        let count = rows.len() as i128;
        let total: i128 = rows.iter().map(|&rows| i128::from(rows)).sum();
        let max = ascending.last().copied().unwrap_or(0);
        let median = median(ascending.iter().map(|&rows| f64::from(rows)).collect()).unwrap_or(0.0);
        let empty = ascending.partition_point(|&rows| rows == 0);
        if total == 0 {
            return Self { median, empty, ..Self::default() };
        }
        let squares: i128 = rows.iter().map(|&rows| i128::from(rows).pow(2)).sum();
        let ranked: i128 =
            (1..).zip(&ascending).map(|(rank, &rows): (i128, _)| rank * i128::from(rows)).sum();
        let (n, sum) = (count as f64, total as f64);
        Self {
            mean: sum / n,
            median,
            max,
            max_over_mean: f64::from(max) * n / sum,
            cv: ((count * squares - total * total) as f64).sqrt() / sum,
            gini: (2 * ranked - (count + 1) * total) as f64 / (n * sum),
            empty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn even_and_one_sided_tables_have_the_known_figures() {
        let even = Skew::of(&[5, 5, 5, 5]);
        assert_eq!((even.mean, even.max_over_mean, even.cv, even.gini, even.empty), (5.0, 1.0, 0.0, 0.0, 0));
        let one = Skew::of(&[0, 0, 8, 0]);
        assert_eq!((one.median, one.max_over_mean, one.gini, one.empty), (0.0, 4.0, 0.75, 3));
        assert_eq!(one.cv, 3f64.sqrt());
        assert_eq!(Skew::of(&[0, 0]).max_over_mean, 0.0);
        assert_eq!(Skew::of(&[1, 2, 3, 10]).median, 2.5);
    }

    proptest! {
        #[test]
        fn agrees_with_the_definitions(rows in prop::collection::vec(0u32..1000, 1..40)) {
            prop_assume!(rows.iter().any(|&rows| rows > 0));
            let n = rows.len() as f64;
            let mean = rows.iter().map(|&rows| f64::from(rows)).sum::<f64>() / n;
            let variance = rows.iter().map(|&rows| (f64::from(rows) - mean).powi(2)).sum::<f64>() / n;
            let differences: f64 = rows.iter().flat_map(|&a| rows.iter().map(move |&b| f64::from(a.abs_diff(b)))).sum();
            let skew = Skew::of(&rows);
            prop_assert!((skew.cv - variance.sqrt() / mean).abs() < 1e-9);
            prop_assert!((skew.gini - differences / (2.0 * n * n * mean)).abs() < 1e-9);
        }
    }
}
