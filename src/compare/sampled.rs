//! How far figures may be off that a sample of the records tells.

use crate::base::estimate::Estimate;
use crate::records::Records;

/// A uniform sample, and what it was taken from.
#[derive(Clone, Copy, Debug)]
pub struct SampleSize {
    /// Records of the sample.
    pub rows: u64,
    /// Records in all.
    pub of: u64,
}

/// The truth is 19 times of 20 between the two.
pub type SampleInterval = [f64; 2];

impl SampleSize {
    /// The whole that these records are a sample of; `None` when they are all.
    pub fn of(records: &Records) -> Option<Self> {
        let (rows, of) = (records.rows as u64, records.all_rows());
        (rows < of).then_some(Self { rows, of })
    }

    /// The part of an error that is left when the sample is a good part of the whole.
    fn left(self) -> f64 {
        (1.0 - self.rows as f64 / self.of.max(1) as f64).max(0.0).sqrt()
    }

    /// By what part of 1 any share may be off at most, 19 times of 20.
    pub fn share_error(self) -> f64 {
        self.left() / (self.rows.max(1) as f64).sqrt()
    }

    /// Around a figure that may be off by a part of it.
    pub fn around(self, value: f64, part: f64) -> SampleInterval {
        let off = value * part * self.left();
        [(value - off).max(0.0), value + off]
    }

    /// The interval of an estimate.
    pub fn narrowed(self, Estimate { value, low, high }: Estimate) -> SampleInterval {
        let left = self.left();
        [value - (value - low) * left, value + (high - value) * left]
    }

    /// Rows of all records, when so many of the sample are such.
    pub fn all(self, rows: f64) -> (f64, SampleInterval) {
        let share = Estimate::share(rows as u64, self.rows);
        let of = self.of as f64;
        (share.value * of, self.narrowed(share).map(|share| share * of))
    }
}
