//! The monoid: what is known of any number of records in bounded memory.
//!
//! A [`Summary`] counts all designs of a study in one pass. [`Summary::merge`] is associative and commutative, a
//! new summary is its neutral element, and the summary of all records equals the merged summaries of their parts,
//! byte for byte, however they were cut. So it serves chunks of a file, several workers and a cluster alike.
//! Nothing that cannot be merged goes into it.
//!
//! Exact: rows and key bytes of each region, the same by time (at a step that the rows decide), key lengths, rows read and
//! returned by each query, reads among the rows where the records tell, refused rows by reason, rows by pair of regions for two designs; the number of different values
//! of a field or of the leading parts of a key, and the rows of each, while there are at most 1,024 of them.
//! Sampled: rows by the hash of their position, keys by their own hash with exact counts. What is estimated comes as an
//! [`Estimate`], with its 95% interval. A value that has a share `s` of all rows is among the 4,096 sampled rows but for a
//! chance of e^(-4096 s): three in ten thousand for one row in 500. With more than 1,024 values its rows are then known
//! from above, and to 0.13% of all rows ([`counters`]).
//!
//! Memory, whatever the number of records:
//! - per design 16 bytes a region, at most 32,768 time cells of about 40 bytes (twice that within a merge), 8,192 as large for
//!   each of five lengths of [`windows`] and 4,096 sampled keys of at most 256 bytes (3.5 MB together), and for each of at most 3 leading parts 0.4 MB;
//! - per design with formulas in its cells 4,096 sampled records and as many cells for each of them, of at most 256 bytes;
//! - per field, at most 32 of them, 0.4 MB: 1,024 values of at most 256 bytes and 8,192 counters;
//! - per pair of designs 8 bytes a pair of regions, none above a million pairs;
//! - 4,096 sampled rows, of at most 256 bytes a design and a field;
//! - per reason of refusal and field five texts of at most 200 bytes.

mod bare;
pub mod cells;
pub mod columns;
pub mod counters;
pub mod design;
pub mod form;
pub mod ladder;
pub mod lengths;
pub mod refusals;
pub mod sample;
pub mod values;
pub mod windows;

pub use design::{DesignScope, DesignSummary, KeyedRow};
pub use refusals::RowRefusal;
pub use sample::SampledKey;
pub use values::{ValueSummary, tally};

use crate::base::Problem;
use crate::base::estimate::Estimate;
use crate::bytes::hash::md5;
use crate::bytes::position::{Position, position_hash};
use crate::bytes::strings::ByteStrings;
use crate::design::{Document, normal_form};
use sample::HashSample;

/// Most pairs of regions for which the rows of two designs are counted jointly.
pub const MAX_REGION_PAIRS: usize = 1_000_000;

/// Leading parts of a key of which values are counted.
pub const LEADING: usize = 3;

/// Fields of which values are counted.
pub const FIELDS: usize = 32;

/// Says which study a summary belongs to, such as a hash of its normal form and of the names of its files.
pub type StudyFingerprint = [u8; 16];

/// The fingerprint of a study: the MD5 of its normal form.
pub fn fingerprint(study: &Document) -> StudyFingerprint {
    let (mut document, mut digests) = (ByteStrings::default(), ByteStrings::default());
    document.push(crate::base::json::text(&normal_form(study)).as_bytes());
    md5::digests(&document, &mut digests);
    digests.get(0).try_into().unwrap_or_default()
}

/// A sampled record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledRow {
    /// When it arrived, milliseconds since the epoch.
    pub time: Option<i64>,
    /// Its key in each design; `None` where it was refused.
    pub keys: Vec<Option<SampledKey>>,
    /// Other facts about it.
    pub detail: SampledDetail,
}

/// The parts of a sampled record that are kept besides its keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampledDetail {
    /// Where the leading parts of its key end, by design; none where it was refused.
    pub ends: Vec<Vec<u32>>,
    /// Its fields; `None` where they cannot be used.
    pub values: Vec<Option<SampledKey>>,
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSummary {
    /// Its name.
    pub name: String,
    /// Its values as they are held: text and bytes as they are, numbers and times as eight bytes, big-endian.
    pub values: ValueSummary,
}

/// Rows of two designs by pair of regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointRows {
    /// The two designs, the lower number first.
    pub designs: (usize, usize),
    /// Rows with a key in both, by region in the first design, then in the second.
    pub rows: Vec<u64>,
}

/// Counts of all designs of a study over some of its records.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    study: StudyFingerprint,
    /// Number of records.
    pub rows: u64,
    /// First and last known time, milliseconds since the epoch.
    pub times: Option<(i64, i64)>,
    /// Counts of each design.
    pub designs: Vec<DesignSummary>,
    /// Every two designs together, where the pairs of regions are few enough.
    pub joint: Vec<JointRows>,
    /// The fields of which values are counted.
    pub fields: Vec<FieldSummary>,
    /// Sampled records.
    pub sample: HashSample<Position, SampledRow>,
}

impl Summary {
    /// A summary of no records yet: the counts for each design of the study, and the fields of which values are counted, at most
    /// [`FIELDS`].
    pub fn new(study: StudyFingerprint, designs: &[DesignScope], fields: &[&str]) -> Self {
        let field = |name: &&str| FieldSummary { name: (*name).to_owned(), values: ValueSummary::default() };
        let designs: Vec<DesignSummary> = designs.iter().map(DesignSummary::new).collect();
        Self {
            study,
            rows: 0,
            times: None,
            joint: joint_pairs(&designs)
                .map(|(designs, pairs)| JointRows { designs, rows: vec![0; pairs] })
                .collect(),
            designs,
            fields: fields.iter().take(FIELDS).map(field).collect(),
            sample: HashSample::default(),
        }
    }

    /// The study it belongs to.
    pub fn study(&self) -> StudyFingerprint {
        self.study
    }

    /// Counts records by when they arrived. Their keys, values and what queries read of them are counted in
    /// [`DesignSummary`] and [`FieldSummary`], those in several designs by [`Summary::add_joint`].
    // Called for each batch: what is part of the long call around it would run as V8 compiled it first, in haste.
    #[inline(never)]
    pub fn add_records(&mut self, times: impl Iterator<Item = Option<i64>>) {
        let (mut rows, mut first, mut last) = (0u64, i64::MAX, i64::MIN);
        for time in times {
            rows += 1;
            if let Some(time) = time {
                (first, last) = (first.min(time), last.max(time));
            }
        }
        self.rows = self.rows.saturating_add(rows);
        self.times = span(self.times, (first <= last).then_some((first, last)));
    }

    /// Counts records by their regions in every two designs; `u32::MAX` stands for a record without a key.
    pub fn add_joint(&mut self, regions: &[Vec<u32>]) {
        for JointRows { designs: (first, second), rows } in &mut self.joint {
            let width = self.designs.get(*second).map_or(0, |design| design.rows.len());
            let Some((first, second)) = regions.get(*first).zip(regions.get(*second)) else { continue };
            for (&first, &second) in first.iter().zip(second).filter(|pair| *pair.0.max(pair.1) < u32::MAX) {
                if let Some(rows) = rows.get_mut(first as usize * width + second as usize) {
                    *rows += 1;
                }
            }
        }
    }

    /// Adds a record by itself: where it stands, when it arrived and whether it is a read, and its key in each design or why
    /// there is none. `detail`
    /// is asked for when it is sampled. Many at a time are counted faster by the parts of this.
    pub fn add_row(
        &mut self,
        position: Position,
        (time, read): (Option<i64>, bool),
        keys: &[Result<&[u8], RowRefusal>],
        detail: &dyn Fn() -> SampledDetail,
    ) {
        self.add_records(std::iter::once(time));
        let mut regions = Vec::new();
        for (design, key) in self.designs.iter_mut().zip(keys) {
            let region = key.map_or(u32::MAX, |key| design.points.region_of(key) as u32);
            match key {
                Ok(key) => design.add_rows(std::iter::once(KeyedRow { key, region, time, read })),
                Err(why) => design.refused.add(position, why),
            }
            regions.push(vec![region]);
        }
        self.add_joint(&regions);
        let hash = position_hash(position);
        if self.sample.admits(hash) {
            let keys = keys.iter().map(|key| key.ok().map(SampledKey::new)).collect();
            self.sample.add(hash, position, SampledRow { time, keys, detail: detail() }, |_, _| ());
        }
    }

    /// Counts reads too, from the first row on.
    pub fn counting_reads(mut self) -> Self {
        for design in &mut self.designs {
            design.reads = Some(vec![0; design.rows.len()]);
        }
        self
    }

    /// The `most` values of a field with most rows.
    pub fn busiest_of_field(&self, field: usize, most: usize) -> Vec<(&[u8], Estimate)> {
        let Some(counted) = self.fields.get(field) else { return Vec::new() };
        let sampled = self.sample.iter();
        let sampled = sampled.filter_map(|(_, row)| row.detail.values.get(field)?.as_ref()?.whole());
        counted.values.busiest(sampled, most)
    }

    /// The `most` values with most rows of leading part number `part` of a design, with the parts before it.
    pub fn busiest_leading(&self, design: usize, part: usize, most: usize) -> Vec<(&[u8], Estimate)> {
        let values = self.designs.get(design).and_then(|design| design.leading.get(part));
        let Some(values) = values else { return Vec::new() };
        let sampled = self.sample.iter().filter_map(|(_, row)| {
            let end = *row.detail.ends.get(design)?.get(part)? as usize;
            row.keys.get(design)?.as_ref()?.start.get(..end)
        });
        values.busiest(sampled, most)
    }

    /// True if the same is counted as in `other`: of as many designs, split alike, and of the same fields.
    pub(crate) fn counts_alike(&self, other: &Self) -> bool {
        let same_designs = self.designs.len() == other.designs.len()
            && self.designs.iter().zip(&other.designs).all(|(a, b)| a.is_like(b));
        let fields =
            |summary: &Self| summary.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        same_designs && fields(self) == fields(other)
    }

    /// Both together.
    ///
    /// # Errors
    /// `summary.different-studies` when they are not of the same study: their counts mean different things.
    pub fn merge(mut self, other: Self) -> Result<Self, Problem> {
        self.take_in(other)?;
        Ok(self)
    }

    /// Takes in the counts of `other`.
    ///
    /// # Errors
    /// `summary.different-studies`, `summary.too-many-rows`, before anything is changed.
    pub fn take_in(&mut self, other: Self) -> Result<(), Problem> {
        if self.study != other.study || !self.counts_alike(&other) {
            return Err(Problem::new("summary.different-studies"));
        }
        if self.rows.checked_add(other.rows).is_none() {
            return Err(Problem::new("summary.too-many-rows"));
        }
        if self.rows > 0 && other.rows > 0 && self.has_samples() != other.has_samples() {
            // A sample of some parts is none of the whole.
            let own = std::mem::replace(self, Self::new(other.study, &[], &[]));
            *self = own.without_samples();
            return self.take_in(other.without_samples());
        }
        self.rows = self.rows.saturating_add(other.rows);
        self.times = span(self.times, other.times);
        for (design, more) in self.designs.iter_mut().zip(other.designs) {
            design.merge(more);
        }
        for (joint, more) in self.joint.iter_mut().zip(&other.joint) {
            add_all(&mut joint.rows, &more.rows);
        }
        for (field, more) in self.fields.iter_mut().zip(other.fields) {
            field.values.merge(more.values);
        }
        self.sample.merge(other.sample, |_, _| ());
        Ok(())
    }
}

/// Every two designs whose pairs of regions are few enough, with the number of pairs.
fn joint_pairs(designs: &[DesignSummary]) -> impl Iterator<Item = ((usize, usize), usize)> {
    let regions = |design: usize| designs.get(design).map(|design| design.rows.len());
    let pairs =
        (0..designs.len()).flat_map(|first| (first + 1..designs.len()).map(move |second| (first, second)));
    let few = move |pair: (usize, usize)| {
        let pairs = regions(pair.0)?.saturating_mul(regions(pair.1)?);
        (pairs <= MAX_REGION_PAIRS).then_some((pair, pairs))
    };
    pairs.filter_map(few)
}

fn add_all(counts: &mut [u64], more: &[u64]) {
    counts.iter_mut().zip(more).for_each(|(count, more)| *count = count.saturating_add(*more));
}

fn span(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ends = a.zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    ends.or(a).or(b)
}
