//! The bytes of a table: every cell of its rows, part by part.

use super::compacted::{CompactedBytes, FileCells};
use super::encoding::{self, ByteRange};
use super::key_value::{self, CellParts};
pub use super::lengths::KeyLengths;
use super::mob;
use super::stored::{StoredCell, StoredFamilies};
use super::{BLOCK, limits};
use crate::base::Problem;
use crate::base::figures::share;
use crate::design::{BloomFilter, Family, RecordCell};
use crate::scan::RowSize;
use serde::Serialize;

/// Lengths of timestamp, type, and of the parts, in a cell: all that is neither key, name nor value.
pub const CELL_OVERHEAD: u64 = 20;

/// Bytes by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CellBytes {
    /// Row keys, repeated in every cell.
    pub row: u64,
    /// Names of families, repeated in every cell.
    pub family: u64,
    /// Column qualifiers.
    pub qualifier: u64,
    /// Timestamps, types and lengths: 20 a cell.
    pub overhead: u64,
    /// Values.
    pub value: u64,
}

impl CellBytes {
    /// All of them.
    pub fn total(&self) -> u64 {
        [self.row, self.family, self.qualifier, self.overhead, self.value]
            .into_iter()
            .fold(0, u64::saturating_add)
    }

    fn add(&mut self, more: Self) {
        self.row = self.row.saturating_add(more.row);
        self.family = self.family.saturating_add(more.family);
        self.qualifier = self.qualifier.saturating_add(more.qualifier);
        self.overhead = self.overhead.saturating_add(more.overhead);
        self.value = self.value.saturating_add(more.value);
    }
}

/// A column over all rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnBytes {
    /// Its qualifier, in `\xNN` notation.
    pub qualifier: String,
    /// Its cells.
    pub bytes: CellBytes,
}

/// A column family over all rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FamilyBytes {
    /// Its name.
    pub name: String,
    /// Rows that have cells of it.
    pub rows: u64,
    /// Its columns.
    pub columns: Vec<ColumnBytes>,
    /// All of them together.
    pub bytes: CellBytes,
    /// Bytes of its cells in regions: without values that MOB files hold, with what refers to them.
    #[serde(skip)]
    pub in_regions: u64,
    /// The same with every version kept that may be.
    pub with_versions: u64,
    /// Bytes saved by each byte less in its name.
    pub byte_less: u64,
    /// Index entries of its files, one a block.
    pub blocks: u64,
    /// Bytes of the block index: an estimate, as HBase shortens the keys in it.
    pub index: ByteRange,
    /// Bytes of its files without encoding or compression: cells, blocks, index, Bloom filter. An estimate.
    pub files: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'ROW_INDEX_V1'`: an estimate.
    pub row_index: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'PREFIX'`: an estimate.
    pub prefix: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'DIFF'`: an estimate.
    pub diff: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'FAST_DIFF'`: an estimate.
    pub fast_diff: ByteRange,
    /// Bytes of its cells with the compression of the design: an estimate.
    pub compressed: ByteRange,
    /// Bytes of its one file after a major compaction, and of MOB files.
    pub compacted: CompactedBytes,
}

/// Bytes of cells that adding or changing a record takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpdateBytes {
    /// Read before: cells that the records of a row share have to be known to be written anew.
    pub reads: u64,
    /// Written.
    pub writes: u64,
}

/// The storage of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableBytes {
    /// The records in it.
    #[serde(skip)]
    pub records: u64,
    /// Its rows.
    pub rows: u64,
    /// Their cells; every version that remains, where those are counted.
    pub cells: u64,
    /// True if a cell was made up, as the design declares none: HBase has no row without one.
    pub made_up: bool,
    /// True if key lengths are measured or fixed, and so the bytes exact.
    pub exact: bool,
    /// Its families.
    pub families: Vec<FamilyBytes>,
    /// All their cells.
    pub bytes: CellBytes,
    /// The same as one number.
    pub total: u64,
    /// Bytes of cells in regions: without values that MOB files hold, with what refers to them.
    #[serde(skip)]
    pub in_regions: u64,
    /// If all keys were as short as the shortest.
    pub least: u64,
    /// If all keys were as long as the longest; `None` without a bound.
    pub most: Option<u64>,
    /// Bytes saved by each byte less in the row key.
    pub byte_less: u64,
    /// One more record: what is read of the table before, and what is written to it.
    pub update: UpdateBytes,
    /// Bytes of a block, the mean of its families.
    #[serde(skip)]
    pub block: f64,
    /// Families without a Bloom filter that spares a get a file.
    #[serde(skip)]
    pub unfiltered: f64,
    /// Reasons why HBase would reject it.
    pub problems: Vec<Problem>,
}

impl TableBytes {
    /// The size of what a record adds to a table, as reads are priced by it: a row, unless records share rows.
    pub fn row_size(&self) -> RowSize {
        let rows = self.records.max(1) as f64;
        RowSize {
            block: self.block,
            unfiltered: self.unfiltered,
            families: self.families.iter().filter(|of| !of.columns.is_empty()).count().max(1) as f64,
            cells: self.cells as f64 / rows,
            bytes: self.total as f64 / rows,
        }
    }
}

/// The one cell of a design that declares none: name and qualifier of a letter each, no value.
fn made_up() -> Vec<Family> {
    let cell = RecordCell::literal("q", 0);
    vec![Family { cells: vec![cell], ..Family::named("d") }]
}

/// The storage of `records` records of a design, each a row unless cells with formulas make rows of several.
pub fn storage<'a>(of: impl Into<StoredFamilies<'a>>, keys: &KeyLengths, records: u64) -> TableBytes {
    bytes_of(of.into(), keys, records)
}

fn bytes_of(of: StoredFamilies<'_>, keys: &KeyLengths, records: u64) -> TableBytes {
    let none = of.families.iter().all(|family| family.cells.is_empty());
    let substitute = if none { made_up() } else { Vec::new() };
    let of = StoredFamilies { families: if none { &substitute } else { of.families }, ..of };
    let rows = of.rows(keys, records);
    let cells: Vec<Vec<StoredCell>> =
        (0..of.families.len()).map(|family| of.cells(family, keys, records)).collect();
    let families = of.families.iter().zip(&cells);
    let is_counted = !of.versions.is_empty() && records == keys.count;
    let listed: Vec<FamilyBytes> = families
        .clone()
        .map(|(family, cells)| {
            let (rows, table) = (family.rows.of(rows), of.table.len() as u64);
            of_family(family, cells, keys, (rows, table), is_counted)
        })
        .collect();
    let mut bytes = CellBytes::default();
    listed.iter().for_each(|family| bytes.add(family.bytes));
    let in_regions = listed.iter().map(|family| family.in_regions).fold(0, u64::saturating_add);
    let count = cells.iter().flatten().map(|cell| cell.count).fold(0, u64::saturating_add);
    let rest = bytes.total().saturating_sub(bytes.row);
    let with_keys = |length: u64| rest.saturating_add(count.saturating_mul(length));
    // Keys that are equal are not known one by one, and so not how long those are that are left, if lengths differ.
    let told = keys.duplicates.rows == 0 || of.is_named();
    let exact = keys.count > 0 && told || keys.max == Some(keys.min);
    TableBytes {
        records,
        rows,
        cells: count,
        made_up: none,
        exact: exact && cells.iter().flatten().all(|cell| cell.exact),
        families: listed,
        bytes,
        total: bytes.total(),
        in_regions,
        least: with_keys(keys.min),
        most: keys.max.map(with_keys),
        byte_less: count,
        update: update(families.clone(), records),
        block: block(of.families),
        unfiltered: of.families.iter().filter(|family| is_unfiltered(family)).count() as f64,
        problems: problems(families, keys.max.unwrap_or(keys.min)),
    }
}

/// Bytes of a block, the mean of the families that have cells.
fn block(families: &[Family]) -> f64 {
    let with_cells = || families.iter().filter(|family| !family.cells.is_empty());
    let size = |family: &Family| family.files.blocksize.map_or(BLOCK, u64::from) as f64;
    with_cells().map(size).sum::<f64>() / with_cells().count().max(1) as f64
}

/// True if gets look into all files of a family. A filter of prefixes helps gets as one of rows does.
fn is_unfiltered(family: &Family) -> bool {
    !family.cells.is_empty() && family.files.bloom == BloomFilter::None
}

/// A record of so many: each of its cells, those that are shared whole.
fn update<'f>(
    families: impl Iterator<Item = (&'f Family, &'f Vec<StoredCell>)>,
    records: u64,
) -> UpdateBytes {
    let mut update = UpdateBytes::default();
    for (family, cells) in families {
        for cell in cells {
            let [row, qualifier, value] = cell.bytes;
            let parts = row.saturating_add(qualifier).saturating_add(value);
            let size = (parts / cell.count.max(1)).saturating_add(family.name.len() as u64 + CELL_OVERHEAD);
            // Not every record has a cell of its own; one that is shared has part of all.
            let part = if cell.packed { size } else { share(size, cell.count.min(records), records) };
            update.writes = update.writes.saturating_add(part);
            update.reads = update.reads.saturating_add(if cell.packed { size } else { 0 });
        }
    }
    update
}

fn of_family(
    family: &Family,
    cells: &[StoredCell],
    keys: &KeyLengths,
    (rows, table): (u64, u64),
    is_counted: bool,
) -> FamilyBytes {
    let name = family.name.len() as u64;
    let mut columns = Vec::with_capacity(cells.len());
    for cell in cells {
        let bytes = cell_bytes(&[cell], name);
        columns.push(ColumnBytes { qualifier: cell.name.clone(), bytes });
    }
    let bytes = cell_bytes(cells, name);
    let count = cells.iter().map(|cell| cell.count).fold(0, u64::saturating_add);
    let with_versions = match keys.duplicates.repeats.is_empty() {
        _ if is_counted => bytes.total(),
        true => bytes.total().saturating_mul(u64::from(family.versions)),
        false => {
            let [kept, one] = keys.versions(family.versions);
            share(bytes.total(), kept, one)
        }
    };
    // Files hold large values apart.
    let mob::MobCells { stored, tags, apart } = mob::parted(family, cells, table);
    let in_files = cell_bytes(&stored, name);
    let total = in_files.total().saturating_add(tags);
    let row = keys.of_rows(rows) / rows.max(1);
    let blocksize = family.files.blocksize.map_or(BLOCK, u64::from);
    let blocks = total.div_ceil(blocksize);
    let index = encoding::index(blocks, name, &stored, row);
    let longest = keys.max.unwrap_or(row).max(row);
    let bloom = family.files.bloom;
    let entry = index.middle() / blocks.max(1);
    let file = FileCells { bytes: total, cells: count, rows: rows.min(count), blocksize, bloom, entry };
    let moved = apart.iter().map(|cell| cell.count).fold(0, u64::saturating_add);
    let large = cell_bytes(&apart, name).total();
    let beside = FileCells { bytes: large, cells: moved, bloom: BloomFilter::None, ..file };
    let with_tags = |range: ByteRange| ByteRange {
        least: range.least.saturating_add(tags),
        most: range.most.saturating_add(tags),
    };
    let [prefix, diff, fast_diff] = [encoding::prefix, encoding::diff, encoding::fast_diff]
        .map(|encoded| with_tags(encoded(name, &stored, row, longest, rows)));
    FamilyBytes {
        name: family.name.clone(),
        rows: if cells.is_empty() { 0 } else { rows },
        columns,
        bytes,
        in_regions: total,
        with_versions,
        byte_less: count,
        blocks,
        index,
        files: encoding::files(total, count, (bloom, rows), blocks, index),
        row_index: encoding::row_index(total, rows, blocks),
        prefix,
        diff,
        fast_diff,
        compressed: encoding::compressed(&family.compression, total, in_files.value),
        compacted: CompactedBytes { mob: beside.alone(), ..file.compacted(prefix, diff, fast_diff) },
    }
}

/// The bytes of cells of a family with a name of so many bytes.
fn cell_bytes<C: std::borrow::Borrow<StoredCell>>(cells: &[C], name: u64) -> CellBytes {
    let mut bytes = CellBytes::default();
    for cell in cells {
        let cell = cell.borrow();
        let [row, qualifier, value] = cell.bytes;
        let family = cell.count.saturating_mul(name);
        let overhead = cell.count.saturating_mul(CELL_OVERHEAD);
        bytes.add(CellBytes { row, family, qualifier, overhead, value });
    }
    bytes
}

/// Reasons why HBase would refuse a cell or a row: the longest cells of each, as many of one row as there are on average.
fn problems<'f>(families: impl Iterator<Item = (&'f Family, &'f Vec<StoredCell>)>, row: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut whole = 0u64;
    let mut largest = 0;
    for (family, cells) in families {
        for cell in cells {
            let parts = CellParts {
                row,
                family: family.name.len() as u64,
                qualifier: cell.qualifier[1],
                value: cell.value[1],
                tag: None,
            };
            match key_value::size(parts) {
                Ok(size) => {
                    whole = whole.saturating_add(size.length);
                    largest = largest.max(size.length);
                }
                Err(problem) => problems.push(problem),
            }
        }
    }
    problems.extend(limits(whole, largest));
    problems
}
