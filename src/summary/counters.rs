//! How many rows a value has at most, whatever the number of values: a count-min sketch.
//!
//! Each value is counted in one counter of each row of counters, at a place its hash decides, together with all others that
//! share the place; the lowest of its counters is its count or more. Counters only add up, so parts merge exactly.
//! (Cormode and Muthukrishnan, "An improved data stream summary: the count-min sketch and its applications", 2005.)

/// Counters of a row.
const WIDTH: usize = 2048;
/// Bits of the hash that choose one.
const BITS: u32 = WIDTH.ilog2();
/// Rows of counters, each with its own bits of the hash.
const DEPTH: usize = 4;

/// Number of counters, and of rows × places.
pub const COUNTERS: usize = WIDTH * DEPTH;

/// Counts of values by their hashes, never too low. A count is too high by more than e ÷ 2048 = 0.13% of all rows for at
/// most one value in e⁴ = 54.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountMinSketch(Box<[[u64; WIDTH]]>);

impl Default for CountMinSketch {
    fn default() -> Self {
        Self(vec![[0; WIDTH]; DEPTH].into())
    }
}

impl CountMinSketch {
    /// From as many counters as there are; `None` of another number.
    pub fn from_all(counters: Vec<u64>) -> Option<Self> {
        (counters.len() == COUNTERS).then(|| Self(counters.as_chunks().0.into()))
    }

    /// All counters, row by row.
    pub fn all(&self) -> &[u64] {
        self.0.as_flattened()
    }

    /// Counts rows of the value with this hash.
    #[inline]
    pub fn add(&mut self, mut hash: u64, rows: u64) {
        for row in &mut self.0 {
            let counter = &mut row[hash as usize % WIDTH];
            *counter = counter.saturating_add(rows);
            hash >>= BITS;
        }
    }

    /// Takes in the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        super::add_all(self.0.as_flattened_mut(), other.all());
    }

    /// Rows of the value with this hash at most.
    pub fn at_most(&self, hash: u64) -> u64 {
        let counters = (0..).step_by(BITS as usize).zip(&self.0);
        counters.map(|(shift, row)| row[(hash >> shift) as usize % WIDTH]).min().unwrap_or(0)
    }

    /// By how many of so many rows a count may be too high.
    pub fn error(rows: u64) -> f64 {
        (std::f64::consts::E / WIDTH as f64 * rows as f64).ceil()
    }
}
