//! The binary form of a summary, by which parts counted elsewhere or by another build are added up: `docs/summary-format.md`.

pub(crate) mod codec;
pub(crate) mod frame;
mod parts;

use super::sample::HashSample;
use super::{DesignSummary, FIELDS, FieldSummary, JointRows, SampledRow, Summary, ValueSummary, joint_pairs};
use crate::base::Problem;
use crate::bytes::position::Position;
use crate::bytes::position::position_hash;
use codec::{BinaryForm, DAMAGED, FormReader, ReadResult, write_all};
use frame::{framed, unframed};
use parts::{check, read_cells, read_reads, read_windows, sum, write_cells, write_reads, write_windows};

/// The first bytes of every summary.
const MAGIC: [u8; 4] = *b"RWSM";

/// The latest version of the binary form that this build knows. A summary is written as the first version that can hold it, for
/// builds that know no other.
pub const VERSION: u32 = 4;
/// The version that adds reads.
const READS: u32 = 2;
/// The version that adds cells with formulas.
const CELLS: u32 = 3;

impl Summary {
    /// The binary form. Equal summaries have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.write(&mut body);
        let reads = self.designs.iter().any(|design| design.reads.is_some());
        let cells = self.designs.iter().any(|design| design.columns.is_some());
        let windows = self.designs.iter().any(|design| design.cells.windows().iter().any(Option::is_some));
        let version = match (windows, cells, reads) {
            (true, ..) => VERSION,
            (_, true, _) => CELLS,
            (.., true) => READS,
            _ => 1,
        };
        if version >= CELLS {
            reads.write(&mut body);
        }
        if version == VERSION {
            cells.write(&mut body);
        }
        if reads {
            self.designs.iter().for_each(|design| write_reads(design, &mut body));
        }
        if cells {
            self.designs.iter().for_each(|design| write_cells(design, &mut body));
        }
        if windows {
            self.designs.iter().for_each(|design| write_windows(&design.cells, &mut body));
        }
        framed(MAGIC, version, &body)
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// `summary.not-one`, `summary.other-version`, `summary.cut-short`, `summary.damaged`, `summary.other-reason`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        let (version, body) = unframed(bytes, MAGIC, VERSION)?;
        read_all(body, version).map_err(Problem::new)
    }
}

/// Reads a body to its end.
fn read_all(body: &[u8], version: u32) -> ReadResult<Summary> {
    let mut reader = FormReader(body);
    let mut summary = Summary::read(&mut reader)?;
    let reads = if version >= CELLS { bool::read(&mut reader)? } else { version == READS };
    let cells = if version == VERSION { bool::read(&mut reader)? } else { version == CELLS };
    if reads {
        check(!summary.designs.is_empty())?;
        summary.designs.iter_mut().try_for_each(|design| read_reads(design, &mut reader))?;
    }
    if cells {
        summary.designs.iter_mut().try_for_each(|design| read_cells(design, &mut reader))?;
        check(summary.designs.iter().any(|design| design.columns.is_some()))?;
    }
    if version == VERSION {
        summary.designs.iter_mut().try_for_each(|design| read_windows(design, &mut reader))?;
    }
    check(reader.0.is_empty())?;
    Ok(summary)
}

impl BinaryForm for Summary {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.study);
        (self.rows, self.times).write(to);
        self.designs.write(to);
        for joint in &self.joint {
            write_all(&joint.rows, to);
        }
        self.fields.write(to);
        self.sample.write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let study = from.take(16)?.try_into().map_err(|_| DAMAGED)?;
        let (rows, times) = <(u64, Option<(i64, i64)>)>::read(from)?;
        let designs: Vec<DesignSummary> = BinaryForm::read(from)?;
        let mut joint = Vec::new();
        for (pair, pairs) in joint_pairs(&designs) {
            joint.push(JointRows { designs: pair, rows: from.list(pairs, u64::read)? });
        }
        let (fields, sample) = <(Vec<FieldSummary>, HashSample<_, _>)>::read(from)?;
        check(fields.len() <= FIELDS && times.is_none_or(|(first, last)| first <= last))?;
        for design in &designs {
            let refused = design.refused.iter().map(|(_, _, refused)| refused.count);
            check(sum(refused.chain([design.lengths.count]))? == rows)?;
        }
        for (_, row) in sample.iter() {
            let row: &SampledRow = row;
            check(row.keys.len() == designs.len())?;
        }
        check(sample.len() as u64 <= rows)?;
        Ok(Self { study, rows, times, joint, designs, fields, sample })
    }
}

impl BinaryForm for FieldSummary {
    fn write(&self, to: &mut Vec<u8>) {
        self.name.write(to);
        self.values.write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let (name, values) = <(String, ValueSummary)>::read(from)?;
        Ok(Self { name, values })
    }
}

/// Rows by the hash of their position, which is not written.
impl BinaryForm for HashSample<Position, SampledRow> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        for (position, row) in self.iter() {
            position.write(to);
            row.write(to);
        }
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let mut sample = Self::default();
        for _ in 0..usize::read(from)? {
            let (position, row) = <(Position, SampledRow)>::read(from)?;
            check(sample.push(position_hash(position), position, row))?;
        }
        Ok(sample)
    }
}
