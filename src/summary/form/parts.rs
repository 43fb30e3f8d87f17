//! The parts of a summary as bytes. What cannot have been counted is refused, so that a summary that was read is as good as
//! one that was counted.

use super::codec::{BinaryForm, DAMAGED, FormReader, ReadResult, write_all, write_bytes, write_list};
use crate::base::sentences::known_code;
use crate::bytes::strings::ByteStrings;
use crate::design::split::SplitPoints;
use crate::scan::RecordsRead;
use crate::summary::cells::{CellLoad, MAX_CELLS, TimeCells};
use crate::summary::columns::{ColumnSummary, RowCells};
use crate::summary::counters::{COUNTERS, CountMinSketch};
use crate::summary::design::DesignSummary;
use crate::summary::ladder::STEPS;
use crate::summary::lengths::LengthCounts;
use crate::summary::refusals::{EXAMPLES, RefusalCounts, RefusedExamples};
use crate::summary::sample::{HashSample, SAMPLED_KEY_BYTES, SampledKey, hash};
use crate::summary::values::{VALUES, ValueSummary};
use crate::summary::windows::{MAX_SAMPLED_CELLS, SampledWindows, WINDOWS};
use crate::summary::{LEADING, SampledRow};

/// Nothing when it holds, else the message code.
pub fn check(holds: bool) -> ReadResult<()> {
    if holds { Ok(()) } else { Err(DAMAGED) }
}

/// The sum; [`DAMAGED`] when it has more than 64 bits.
pub fn sum(numbers: impl Iterator<Item = u64>) -> ReadResult<u64> {
    numbers.into_iter().try_fold(0u64, u64::checked_add).ok_or(DAMAGED)
}

impl BinaryForm for SampledKey {
    fn write(&self, to: &mut Vec<u8>) {
        self.length.write(to);
        to.extend_from_slice(&self.start);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let length = u32::read(from)?;
        let start = from.take((length as usize).min(SAMPLED_KEY_BYTES))?;
        Ok(Self { start: start.into(), length })
    }
}

/// Keys or values with their counts, by hash; the hash of one that is cut stands before its count.
impl BinaryForm for HashSample<SampledKey, u64> {
    fn write(&self, to: &mut Vec<u8>) {
        self.len().write(to);
        for (hash, key, rows) in self.iter_hashed() {
            key.write(to);
            if key.whole().is_none() {
                hash.write(to);
            }
            rows.write(to);
        }
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        read_keys(from, Self::default())
    }
}

fn read_keys(
    from: &mut FormReader,
    mut sample: HashSample<SampledKey, u64>,
) -> ReadResult<HashSample<SampledKey, u64>> {
    for _ in 0..usize::read(from)? {
        let key = SampledKey::read(from)?;
        let hash = match key.whole() {
            Some(whole) => hash(whole),
            None => u64::read(from)?,
        };
        let rows = u64::read(from)?;
        check(rows > 0 && sample.push(hash, key, rows))?;
    }
    sum(sample.iter().map(|(_, &rows)| rows))?;
    Ok(sample)
}

impl BinaryForm for ValueSummary {
    fn write(&self, to: &mut Vec<u8>) {
        self.rows.write(to);
        self.sample.write(to);
        to.push(u8::from(self.counters.is_some()));
        self.counters.iter().for_each(|counters| write_all(counters.all(), to));
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let rows = u64::read(from)?;
        let sample = read_keys(from, HashSample::new(VALUES))?;
        let counters = match from.take(1)? {
            [0] => None,
            [1] => CountMinSketch::from_all(from.list(COUNTERS, u64::read)?),
            _ => return Err(DAMAGED),
        };
        let counted = sum(sample.iter().map(|(_, &rows)| rows))?;
        check(if counters.is_some() { counted <= rows && sample.is_full() } else { counted == rows })?;
        Ok(Self { rows, sample, counters })
    }
}

impl BinaryForm for RecordsRead {
    fn write(&self, to: &mut Vec<u8>) {
        (self.read, self.returned).write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let (read, returned) = BinaryForm::read(from)?;
        check(returned <= read)?;
        Ok(Self { read, returned })
    }
}

impl BinaryForm for TimeCells {
    fn write(&self, to: &mut Vec<u8>) {
        self.level().write(to);
        let cells = self.ascending();
        cells.len().write(to);
        for ((bucket, region), load) in cells {
            ((bucket, region), (load.rows, load.bytes)).write(to);
        }
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let (level, count) = (usize::read(from)?, usize::read(from)?);
        check(level <= STEPS.len() && count <= if level < STEPS.len() { MAX_CELLS } else { 0 })?;
        let mut cells = Self::at_level(level);
        for _ in 0..count {
            let (cell, (rows, bytes)) = BinaryForm::read(from)?;
            check(rows > 0 && cells.push(cell, CellLoad { rows, bytes, reads: 0 }))?;
        }
        Ok(cells)
    }
}

/// The sampled windows of a design, a part of version 4: of each kind a byte 1 and the windows, or a byte 0.
pub fn write_windows(cells: &TimeCells, to: &mut Vec<u8>) {
    for windows in cells.windows() {
        windows.is_some().write(to);
        let Some(windows) = windows else { continue };
        let cells = windows.ascending();
        (windows.bits(), cells.len()).write(to);
        cells.iter().for_each(|cell| cell.write(to));
    }
}

/// Reads what [`write_windows`] wrote, no more rows of a region than it has.
pub fn read_windows(design: &mut DesignSummary, from: &mut FormReader) -> ReadResult<()> {
    let level = design.cells.level();
    let mut read: [Option<SampledWindows>; WINDOWS.len()] = Default::default();
    for ((kind, held), (step, _)) in read.iter_mut().enumerate().zip(WINDOWS) {
        if !bool::read(from)? {
            continue;
        }
        let (bits, count) = <(u32, usize)>::read(from)?;
        check(step < level && bits <= u64::BITS + 1 && count <= MAX_SAMPLED_CELLS)?;
        let (mut windows, mut left) = (SampledWindows::with_bits(bits), design.rows.clone());
        for _ in 0..count {
            let (cell, rows) = <((i64, u32), u64)>::read(from)?;
            let of_region = left.get_mut(cell.1 as usize).ok_or(DAMAGED)?;
            *of_region = of_region.checked_sub(rows).ok_or(DAMAGED)?;
            check(rows > 0 && windows.push(kind, cell, rows))?;
        }
        *held = Some(windows);
    }
    design.cells.set_windows(read);
    Ok(())
}

/// The reads of a design, a part of version 2: of each region, then of each cell in the order they are written.
pub fn write_reads(design: &DesignSummary, to: &mut Vec<u8>) {
    design.reads.iter().for_each(|reads| write_all(reads, to));
    design.cells.iter().for_each(|(_, _, load)| load.reads.write(to));
}

/// Reads what [`write_reads`] wrote, no more reads than there are rows.
pub fn read_reads(design: &mut DesignSummary, from: &mut FormReader) -> ReadResult<()> {
    let reads = from.list(design.rows.len(), u64::read)?;
    check(reads.iter().zip(&design.rows).all(|(reads, rows)| reads <= rows))?;
    let mut left = reads.clone();
    for (region, load) in design.cells.loads_mut() {
        load.reads = u64::read(from)?;
        check(load.reads <= load.rows)?;
        let of_region = left.get_mut(region as usize).ok_or(DAMAGED)?;
        *of_region = of_region.checked_sub(load.reads).ok_or(DAMAGED)?;
    }
    design.reads = Some(reads);
    Ok(())
}

/// The cells of a design, a part of version 3: a list of its cells with formulas, none where it has none, then what its records
/// write.
pub fn write_cells(design: &DesignSummary, to: &mut Vec<u8>) {
    let Some(cells) = &design.columns else { return 0usize.write(to) };
    write_list(&cells.columns, to);
    cells.written.write(to);
}

/// Reads what [`write_cells`] wrote, of no more records than have a key.
pub fn read_cells(design: &mut DesignSummary, from: &mut FormReader) -> ReadResult<()> {
    let columns: Vec<ColumnSummary> = BinaryForm::read(from)?;
    if columns.is_empty() {
        return Ok(());
    }
    let written = HashSample::read(from)?;
    let all = design.lengths.count;
    let records = |sample: &HashSample<SampledKey, u64>| sum(sample.iter().map(|(_, &records)| records));
    let cells = RowCells { columns, written };
    check(records(&cells.written)? <= all && (cells.is_named() || cells.written.is_empty()))?;
    for column in &cells.columns {
        let written = all.checked_sub(column.missing).ok_or(DAMAGED)?;
        let [is_named, is_sized] = column.scope;
        // Records of another kind write none, and miss none.
        let fewer = is_named && column.values.count <= written;
        check(if is_sized { fewer || column.values.count == written } else { column.values.count == 0 })?;
        check(records(&column.cells)? <= if is_named { written } else { 0 })?;
    }
    design.columns = Some(cells);
    Ok(())
}

impl BinaryForm for ColumnSummary {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.scope.map(u8::from));
        self.cells.write(to);
        self.missing.write(to);
        self.values.write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let scope = match from.take(2)? {
            [named @ (0 | 1), sized @ (0 | 1)] if named + sized > 0 => [*named == 1, *sized == 1],
            _ => return Err(DAMAGED),
        };
        let cells = HashSample::read(from)?;
        let missing = u64::read(from)?;
        let values = BinaryForm::read(from)?;
        Ok(Self { scope, cells, missing, values })
    }
}

impl BinaryForm for LengthCounts {
    fn write(&self, to: &mut Vec<u8>) {
        ((self.count, self.sum), (self.min, self.max)).write(to);
        write_all(&self.powers, to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let ((count, sum), (min, max)) = <((u64, u64), (Option<usize>, usize))>::read(from)?;
        let powers = from.list(Self::default().powers.len(), u64::read)?;
        let powers = powers.try_into().map_err(|_| DAMAGED)?;
        check(if count == 0 { min.is_none() && max == 0 } else { min.is_some_and(|min| min <= max) })?;
        Ok(Self { count, sum, min, max, powers })
    }
}

impl BinaryForm for RefusalCounts {
    fn write(&self, to: &mut Vec<u8>) {
        self.iter().count().write(to);
        for (code, field, refused) in self.iter() {
            write_bytes(code.as_bytes(), to);
            write_bytes(field.as_bytes(), to);
            refused.count.write(to);
            write_list(&refused.first, to);
        }
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let mut refusals = Self::default();
        for _ in 0..usize::read(from)? {
            let (code, field) = <(String, String)>::read(from)?;
            let (count, first) = <(u64, Vec<_>)>::read(from)?;
            // A reason that only a later version knows.
            let code = known_code(&code).ok_or("summary.other-reason")?;
            check(first.len() <= EXAMPLES && first.len() as u64 <= count)?;
            check(first.is_sorted() && refusals.push(code, field, RefusedExamples { count, first }))?;
        }
        Ok(refusals)
    }
}

impl BinaryForm for DesignSummary {
    fn write(&self, to: &mut Vec<u8>) {
        self.points().len().write(to);
        self.points().iter().for_each(|point| write_bytes(point, to));
        write_all(&self.rows, to);
        write_all(&self.bytes, to);
        self.cells.write(to);
        self.lengths.write(to);
        to.push(u8::from(self.ends.is_some()));
        self.ends.iter().for_each(|(first, last)| {
            write_bytes(first, to);
            write_bytes(last, to);
        });
        self.refused.write(to);
        self.keys.write(to);
        write_list(&self.leading, to);
        write_list(&self.queries, to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let mut points = ByteStrings::default();
        for _ in 0..usize::read(from)? {
            points.push(from.bytes()?);
        }
        check(points.iter().is_sorted())?;
        let points = SplitPoints::new(points).map_err(|_| DAMAGED)?;
        let regions = points.regions();
        let (rows, bytes) = (from.list(regions, u64::read)?, from.list(regions, u64::read)?);
        let (cells, lengths) = <(TimeCells, LengthCounts)>::read(from)?;
        let ends = match from.take(1)? {
            [0] => None,
            [1] => Some((from.bytes()?.to_vec(), from.bytes()?.to_vec())),
            _ => return Err(DAMAGED),
        };
        let refused = RefusalCounts::read(from)?;
        let keys = HashSample::read(from)?;
        let (leading, queries) = <(Vec<ValueSummary>, Vec<Option<RecordsRead>>)>::read(from)?;
        check(leading.len() <= LEADING)?;
        check(sum(rows.iter().copied())? == lengths.count && sum(bytes.iter().copied())? == lengths.sum)?;
        check(sum(keys.iter().map(|(_, &rows)| rows))? <= lengths.count)?;
        check(ends.is_some() == (lengths.count > 0) && ends.iter().all(|(first, last)| first <= last))?;
        check(within(&cells, &rows))?;
        let (reads, columns) = (None, None);
        Ok(Self {
            points,
            rows,
            bytes,
            reads,
            cells,
            lengths,
            ends,
            refused,
            keys,
            columns,
            leading,
            queries,
        })
    }
}

/// True if no region has more rows in cells than it has in all.
fn within(cells: &TimeCells, rows: &[u64]) -> bool {
    let mut left = rows.to_vec();
    cells.iter().all(|(_, region, load)| {
        let of_region = left.get_mut(region as usize);
        of_region.is_some_and(|left| match left.checked_sub(load.rows) {
            Some(less) => {
                *left = less;
                true
            }
            None => false,
        })
    })
}

impl BinaryForm for SampledRow {
    fn write(&self, to: &mut Vec<u8>) {
        self.time.write(to);
        write_list(&self.keys, to);
        write_list(&self.detail.ends, to);
        write_list(&self.detail.values, to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let (time, keys) = BinaryForm::read(from)?;
        let (ends, values) = BinaryForm::read(from)?;
        Ok(Self { time, keys, detail: crate::summary::SampledDetail { ends, values } })
    }
}
