//! A figure that a sample implies, with how far off it may be.

use serde::Serialize;

/// Half width of the 95% interval of a normal distribution, in standard deviations.
pub const DEVIATIONS: f64 = 1.96;

/// A figure and its 95% interval: of 20 such intervals 19 hold the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely figure.
    pub value: f64,
    /// The truth is hardly below this…
    pub low: f64,
    /// …and hardly above this.
    pub high: f64,
}

impl Estimate {
    /// A figure that was counted.
    pub fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// True if it was counted.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// How many different items there are, when the hash of the `k`-th lowest is `highest`: (k - 1) ÷ its place among all
    /// hashes. The place times the number of items is a sum of k exponential waits, of mean k and deviation √k.
    pub fn distinct(k: usize, highest: u64) -> Self {
        let place = (highest as f64 + 1.0) / 2f64.powi(64);
        let (k, spread) = (k as f64, DEVIATIONS * (k as f64).sqrt());
        Self { value: (k - 1.0) / place, low: (k - spread).max(0.0) / place, high: (k + spread) / place }
    }

    /// The share of all items that have a property, when `have` of `sampled` items drawn by chance have it (Wilson's interval).
    pub fn share(have: u64, sampled: u64) -> Self {
        Self::share_within(have, sampled, DEVIATIONS)
    }

    /// The same where it may be off by so many standard deviations.
    pub fn share_within(have: u64, sampled: u64, deviations: f64) -> Self {
        if sampled == 0 {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        let (have, all, square) = (have as f64, sampled as f64, deviations * deviations);
        let share = have / all;
        let middle = (have + square / 2.0) / (all + square);
        let half = deviations / (all + square) * (have * (1.0 - share) + square / 4.0).sqrt();
        Self { value: share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }

    /// The sum of a figure over all items, when items drawn by chance have `figures` and all items are about `items`.
    pub fn total(figures: &[u64], items: Self) -> Self {
        let count = figures.len().max(1) as f64;
        let mean = figures.iter().map(|&figure| figure as f64).sum::<f64>() / count;
        let square = |&figure: &u64| (figure as f64 - mean) * (figure as f64 - mean);
        let variance = figures.iter().map(square).sum::<f64>() / count;
        let half = DEVIATIONS * (variance / count).sqrt();
        Self { value: mean, low: (mean - half).max(0.0), high: mean + half }.times(items)
    }

    /// The product with another estimate that errs independently: their relative errors add up as squares do.
    pub fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let off = |a: f64, b: f64| (a * other.value).hypot(b * self.value);
        let low = off(self.value - self.low, other.value - other.low);
        let high = off(self.high - self.value, other.high - other.value);
        Self { value, low: (value - low).max(0.0), high: value + high }
    }
}
