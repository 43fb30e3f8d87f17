//! Split points: how a table is cut into regions when it is made.
//!
//! A [`Splits`] says how: points, an algorithm of `RegionSplitter`, ranges, salts, dates, or equal shares of the records.
//! [`Splits::points`] gives the [`SplitPoints`], which know the region of every key.

mod bytes;
mod dates;
mod digits;
mod json;
mod limits;
mod number_string;
mod region;
mod salts;
mod sample;

pub use dates::{DateSplits, RegionPeriod};
pub use json::FORMS;
pub use limits::{MAX_REGIONS, MAX_SPLIT_BYTES};
pub(crate) use region::head;
pub use region::{SplitPoints, longest_split_key};
pub use sample::{RankedKeys, equal_shares};

use crate::base::Problem;
use crate::bytes::strings::ByteStrings;
use limits::{check_created, check_regions, check_size};

/// Makes split points from a first row, a last row and a number of regions.
type Split = fn(&[u8], &[u8], u32) -> Result<ByteStrings, Problem>;

/// An algorithm that makes split points from a first row, a last row and a number of regions.
#[derive(Debug)]
pub struct SplitAlgorithm {
    /// Name as HBase writes it (`SPLITALGO`); case-sensitive.
    pub name: &'static str,
    /// First row unless another is asked for.
    pub first: &'static [u8],
    /// Last row unless another is asked for.
    pub last: &'static [u8],
    split: Split,
}

/// The algorithms of `RegionSplitter`.
pub static ALGORITHMS: [SplitAlgorithm; 3] = [
    SplitAlgorithm {
        name: "HexStringSplit",
        first: b"00000000",
        last: b"ffffffff",
        split: |first, last, regions| number_string::split(first, last, regions, 16),
    },
    SplitAlgorithm {
        name: "DecimalStringSplit",
        first: b"00000000",
        last: b"99999999",
        split: |first, last, regions| number_string::split(first, last, regions, 10),
    },
    SplitAlgorithm { name: "UniformSplit", first: b"", last: &[0xff; 8], split: bytes::uniform },
];

impl PartialEq for SplitAlgorithm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl SplitAlgorithm {
    /// The algorithm of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
    }
}

/// How a table is split when it is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Splits {
    /// At these keys, in any order.
    Points(Vec<Vec<u8>>),
    /// By an algorithm of `RegionSplitter`.
    Algorithm {
        /// Which one.
        algorithm: &'static SplitAlgorithm,
        /// Number of regions.
        regions: i64,
        /// First row, when it is not the algorithm's own.
        first: Option<Vec<u8>>,
        /// Last row, inclusive, when it is not the algorithm's own.
        last: Option<Vec<u8>>,
    },
    /// As `Admin.createTable(start, end, regions)` does.
    Between {
        /// Stop row of the first region.
        start: Vec<u8>,
        /// Start row of the last region.
        end: Vec<u8>,
        /// Number of regions, at least 3.
        regions: i64,
    },
    /// Hexadecimal text at even distances, 16 characters: `getHexSplits` of the HBase book.
    HexRange {
        /// Start of the range, hexadecimal.
        start: Vec<u8>,
        /// End of the range, exclusive, hexadecimal.
        end: Vec<u8>,
        /// Number of regions.
        regions: i64,
    },
    /// Two big-endian bytes at even distances, as for a hash cut to a short: `createTable(start, end, regions)` with
    /// `start` one share above `first` and `end` one share below `last`.
    ShortRange {
        /// Least number.
        first: u16,
        /// Greatest number.
        last: u16,
        /// Number of regions, at least 3.
        regions: i64,
    },
    /// A region for each salt or bucket.
    Salts {
        /// Number of salts, and of regions.
        count: i64,
        /// Decimal digits of a salt written as text; one byte without it.
        digits: Option<u32>,
    },
    /// A region for each day, week, month or year.
    Dates(DateSplits),
    /// Equal shares of the records.
    Sample {
        /// Number of regions.
        regions: i64,
    },
}

impl Default for Splits {
    /// One region.
    fn default() -> Self {
        Self::Points(Vec::new())
    }
}

impl Splits {
    /// The split keys as HBase makes them, before it sorts and checks them.
    pub fn keys(&self) -> Result<ByteStrings, Problem> {
        match self {
            Self::Points(points) => {
                let mut keys = ByteStrings::default();
                check_size(points.len() as u64 + 1, points.iter().map(|point| point.len() as u64).sum())?;
                points.iter().for_each(|point| keys.push(point));
                Ok(keys)
            }
            Self::Algorithm { algorithm, regions, first, last } => {
                let first = first.as_deref().unwrap_or(algorithm.first);
                let last = last.as_deref().unwrap_or(algorithm.last);
                let regions = check_regions(*regions, first.len().max(last.len()))?;
                (algorithm.split)(first, last, regions)
            }
            Self::Between { start, end, regions } => {
                let regions = check_created(*regions, start.len().max(end.len()))?;
                bytes::create_table(start, end, regions)
            }
            Self::HexRange { start, end, regions } => {
                let regions = check_regions(*regions, start.len().max(end.len()).max(16))?;
                number_string::hex_range(start, end, regions)
            }
            Self::ShortRange { first, last, regions } => {
                salts::short_range(*first, *last, check_created(*regions, 2)?)
            }
            Self::Salts { count, digits } => {
                let width = digits.unwrap_or(1) as usize;
                salts::salts(check_regions(*count, width)?, *digits)
            }
            Self::Dates(dates) => dates.keys(),
            Self::Sample { .. } => Err(Problem::new("split.needs-records")),
        }
    }

    /// True if the points follow from the records, so that there are none without them.
    pub fn need_records(&self) -> bool {
        matches!(self, Self::Sample { .. })
    }

    /// The split points for keys in order, from which equal shares are taken.
    ///
    /// # Errors
    /// As [`Splits::points`].
    pub fn points_for(&self, keys: &impl RankedKeys) -> Result<SplitPoints, Problem> {
        match self {
            Self::Sample { regions } => SplitPoints::new(equal_shares(keys, check_regions(*regions, 1)?)),
            _ => self.points(),
        }
    }

    /// The split points, sorted and checked as HBase does when it makes the table.
    pub fn points(&self) -> Result<SplitPoints, Problem> {
        SplitPoints::new(self.keys()?)
    }

    /// The same way of splitting for another number of regions; `None` where the number follows from something else.
    pub fn with_regions(&self, count: u32) -> Option<Self> {
        let mut other = self.clone();
        match &mut other {
            Self::Points(_) | Self::Dates(_) => return None,
            Self::Algorithm { regions, .. }
            | Self::Between { regions, .. }
            | Self::HexRange { regions, .. }
            | Self::ShortRange { regions, .. }
            | Self::Salts { count: regions, .. }
            | Self::Sample { regions } => *regions = count.into(),
        }
        Some(other)
    }
}

/// A number of regions that is asked for, whatever the split points.
///
/// # Errors
/// Fewer than one, or more than [`MAX_REGIONS`].
pub fn regions_asked(regions: i64) -> Result<u32, Problem> {
    check_regions(regions, 0)
}

/// `Bytes.split(start, end, inclusive, num)`: `start`, `num` keys between, `end`.
///
/// # Errors
/// Where HBase refuses: `num` below 1, or no room between the two once the shorter one is padded with zeros.
pub fn split_bytes(start: &[u8], end: &[u8], inclusive: bool, num: i64) -> Result<ByteStrings, Problem> {
    // Named as it was given, and not as the regions between the keys.
    let split = check_regions(num, 0)?;
    check_regions(num.saturating_add(1), start.len().max(end.len()))?;
    bytes::split(start, end, inclusive, split)
}
