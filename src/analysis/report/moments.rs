//! How the writes of each moment spread over the regions.

use crate::bytes::sort::sort_by;

/// Per time bucket: rows, the rows of its largest region, and the sum of squared rows. A bucket may stand for
/// several neighbouring ones of the time axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BucketStats {
    /// Buckets of the time axis that make one of these.
    pub together: usize,
    /// Rows of each bucket.
    pub rows: Vec<u32>,
    /// Rows of the region with most.
    pub largest: Vec<u32>,
    /// Sum over the regions of their rows squared; no more than the square of all rows, so it fits.
    squares: Vec<u64>,
}

impl BucketStats {
    /// Moments over `width` buckets, `together` of them as one.
    pub fn new(width: usize, together: usize) -> Self {
        let together = together.max(1);
        let length = width.div_ceil(together);
        Self { together, rows: vec![0; length], largest: vec![0; length], squares: vec![0; length] }
    }

    /// Takes so many buckets together that one has at least `rows_wanted` of all `rows` on average.
    pub(super) fn pooled(width: usize, rows: usize, rows_wanted: usize) -> Self {
        Self::new(width, (rows_wanted * width).div_ceil(rows.max(1)).min(width))
    }

    /// Adds a region by its rows in each bucket of the time axis.
    pub fn add_region(&mut self, cells: &[u32]) {
        let totals = self.rows.iter_mut().zip(&mut self.largest).zip(&mut self.squares);
        for (((rows, largest), squares), cells) in totals.zip(cells.chunks(self.together)) {
            let count: u32 = cells.iter().sum();
            *rows += count;
            *largest = (*largest).max(count);
            *squares += u64::from(count) * u64::from(count);
        }
    }

    /// Share of the largest region in each bucket; 0 in an empty bucket.
    pub fn largest_share(&self) -> Vec<f64> {
        let share = |(&largest, &rows): (&u32, &u32)| f64::from(largest) / f64::from(rows.max(1));
        self.largest.iter().zip(&self.rows).map(share).collect()
    }

    /// Effective number of regions written in each bucket, 1/Σp²; 0 in an empty bucket.
    pub fn effective(&self) -> Vec<f64> {
        let effective =
            |(&squares, &rows): (&u64, &u32)| f64::from(rows) * f64::from(rows) / squares.max(1) as f64;
        self.squares.iter().zip(&self.rows).map(effective).collect()
    }
}

/// Median; the mean of the middle two of an even number. `None` of nothing.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    sort_by(&mut values, f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    let lower = if values.len().is_multiple_of(2) { *values.get(middle.checked_sub(1)?)? } else { upper };
    Some((lower + upper) / 2.0)
}
