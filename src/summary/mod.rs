//! The monoid: what is known of any number of records in bounded memory.
//!
//! A [`Summary`] counts all designs of a study in one pass. [`Summary::merge`] is associative and commutative, a
//! new summary is its neutral element, and the summary of all records equals the merged summaries of their parts,
//! byte for byte, however they were cut. So it serves chunks of a file, several workers and a cluster alike.
//! Nothing that cannot be merged goes into it.
//!
//! Exact: rows and key bytes of each region, rows by region and time (at a step that the rows decide), key lengths,
//! refused rows by reason, rows by pair of regions for two designs. Sampled: rows by the hash of their position,
//! keys by their own hash with exact counts. Rows read and returned by a query will be counted beside the designs.
//!
//! Memory, whatever the number of records: per design 16 bytes a region, at most 32,768 time cells of about 30 bytes
//! (twice that within a merge) and 4,096 sampled keys of at most 256 bytes (1.5 MB together); per pair of designs 8 bytes a pair of regions,
//! none above a million pairs; 4,096 sampled rows of at most 256 bytes a design.

pub mod cells;
pub mod design;
pub mod ladder;
pub mod lengths;
pub mod refusals;
pub mod sample;

pub use design::{DesignSummary, SampledKey};
pub use refusals::Why;

use crate::Problem;
use crate::split::SplitPoints;
use sample::{Sample, position_hash};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Most pairs of regions for which the rows of two designs are counted jointly.
pub const MAX_REGION_PAIRS: usize = 1_000_000;

/// Where a record stands: file ordinal, byte offset. Unique over a study.
pub type Position = (u32, u64);

/// Says which study a summary belongs to, such as a hash of its normal form and of the names of its files.
pub type Fingerprint = [u8; 16];

/// A sampled record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SampledRow {
    /// When it arrived, milliseconds since the epoch.
    pub time: Option<i64>,
    /// Its key in each design; `None` where it was refused.
    pub keys: Vec<Option<SampledKey>>,
}

/// Rows of two designs by pair of regions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Joint {
    /// The two designs, the lower number first.
    pub designs: (usize, usize),
    /// Rows with a key in both, by region in the first design, then in the second.
    pub rows: Vec<u64>,
}

/// Counts of all designs of a study over some of its records.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    study: Fingerprint,
    /// Number of records.
    pub rows: u64,
    /// First and last known time, milliseconds since the epoch.
    pub times: Option<(i64, i64)>,
    /// Counts of each design.
    pub designs: Vec<DesignSummary>,
    /// Every two designs together, where the pairs of regions are few enough.
    pub joint: Vec<Joint>,
    /// Sampled records.
    pub sample: Sample<Position, SampledRow>,
    /// Region of the row being added in each design; nothing between rows.
    #[serde(skip)]
    regions: Vec<Option<usize>>,
}

impl Summary {
    /// Of no records yet. `designs` holds the split points of each design of the study.
    pub fn new(study: Fingerprint, designs: &[SplitPoints]) -> Self {
        let pairs = (0..designs.len())
            .flat_map(|first| (first + 1..designs.len()).map(move |second| (first, second)));
        let joint = pairs.filter_map(|pair| {
            let pairs = designs.get(pair.0)?.regions().saturating_mul(designs.get(pair.1)?.regions());
            (pairs <= MAX_REGION_PAIRS).then(|| Joint { designs: pair, rows: vec![0; pairs] })
        });
        Self {
            study,
            rows: 0,
            times: None,
            joint: joint.collect(),
            designs: designs.iter().cloned().map(DesignSummary::new).collect(),
            sample: Sample::default(),
            regions: vec![None; designs.len()],
        }
    }

    /// Adds a record: where it stands, when it arrived, and its key in each design or why there is none.
    pub fn add_row(&mut self, position: Position, time: Option<i64>, keys: &[Result<&[u8], Why>]) {
        self.rows += 1;
        self.times = span(self.times, time.map(|time| (time, time)));
        for ((design, region), key) in self.designs.iter_mut().zip(&mut self.regions).zip(keys) {
            *region = match key {
                Ok(key) => Some(design.add(time, key)),
                Err(why) => {
                    design.refused.add(position, why);
                    None
                }
            };
        }
        for joint in &mut self.joint {
            let region = |design: usize| self.regions.get(design).copied().flatten();
            let (first, second) = joint.designs;
            let width = self.designs.get(second).map_or(0, |design| design.rows.len());
            let cell = region(first).zip(region(second)).map(|(first, second)| first * width + second);
            if let Some(rows) = cell.and_then(|cell| joint.rows.get_mut(cell)) {
                *rows += 1;
            }
        }
        self.regions.fill(None);
        let hash = position_hash(position);
        if self.sample.admits(hash) {
            let keys = keys.iter().map(|key| key.ok().map(SampledKey::new)).collect();
            self.sample.add(hash, position, SampledRow { time, keys }, |_, _| ());
        }
    }

    /// Both together.
    ///
    /// # Errors
    /// `summary.different-studies` when they are not of the same study: their counts mean different things.
    pub fn merge(mut self, other: Self) -> Result<Self, Problem> {
        let same_splits = self.designs.len() == other.designs.len()
            && self.designs.iter().zip(&other.designs).all(|(a, b)| a.points() == b.points());
        if self.study != other.study || !same_splits {
            return Err(Problem::new("summary.different-studies"));
        }
        self.rows += other.rows;
        self.times = span(self.times, other.times);
        for (design, more) in self.designs.iter_mut().zip(other.designs) {
            design.merge(more);
        }
        for (joint, more) in self.joint.iter_mut().zip(&other.joint) {
            design::add_all(&mut joint.rows, &more.rows);
        }
        self.sample.merge(other.sample, |_, _| ());
        Ok(self)
    }
}

fn span(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ends = a.zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    ends.or(a).or(b)
}

/// A map as a list of pairs, as its keys are no texts.
fn as_list<K: Serialize, V: Serialize, S: Serializer>(
    map: &BTreeMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map)
}
