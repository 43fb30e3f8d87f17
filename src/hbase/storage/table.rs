//! The bytes of a table: every cell of its rows, part by part.

use super::encoding::{self, ByteRange};
use super::key_value::{self, CellParts, qualifier_bytes};
use super::{BLOCK, limits};
use crate::base::Problem;
use crate::base::figures::share;
use crate::design::{Design, Family, RecordCell};
use crate::keys::figures::KeyFigures;
use crate::records::field::shape::Width;
use serde::{Deserialize, Serialize};

/// Lengths of timestamp, type, and of the parts, in a cell: all that is neither key, name nor value.
pub const CELL_OVERHEAD: u64 = 20;

/// Known lengths of row keys, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct KeyLengths {
    /// Keys measured; 0 when only the formula is known.
    #[serde(default)]
    pub count: u64,
    /// Bytes of all measured keys.
    #[serde(default)]
    pub bytes: u64,
    /// The shortest.
    pub min: u64,
    /// The longest; `None` without a bound.
    #[serde(default)]
    pub max: Option<u64>,
}

impl From<Width> for KeyLengths {
    fn from(width: Width) -> Self {
        Self { count: 0, bytes: 0, min: width.min, max: width.max }
    }
}

impl From<&KeyFigures> for KeyLengths {
    fn from(keys: &KeyFigures) -> Self {
        Self { count: keys.count, bytes: keys.bytes, min: keys.min as u64, max: Some(keys.max as u64) }
    }
}

impl KeyLengths {
    /// For `count` keys of so many bytes in all, each as long as their mean.
    pub fn mean(bytes: u64, count: u64) -> Self {
        let mean = bytes / count.max(1);
        Self { count, bytes, min: mean, max: Some(mean) }
    }

    /// Bytes of `rows` keys of mean length: as measured, else midway between shortest and longest.
    fn of_rows(&self, rows: u64) -> u64 {
        match (self.count, self.max) {
            (0, None) => rows.saturating_mul(self.min),
            (0, Some(max)) => share(rows, self.min.saturating_add(max), 2),
            (count, _) => share(rows, self.bytes, count),
        }
    }
}

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
    /// Its columns.
    pub columns: Vec<ColumnBytes>,
    /// All of them together.
    pub bytes: CellBytes,
    /// The same with every version kept that may be.
    pub with_versions: u64,
    /// Bytes saved by each byte less in its name.
    pub byte_less: u64,
    /// Index entries of its files, one a block of 64 KiB.
    pub blocks: u64,
    /// Bytes of the block index: an estimate, as HBase shortens the keys in it.
    pub index: ByteRange,
    /// Bytes of its files without encoding or compression: cells, blocks, index, Bloom filter. An estimate.
    pub files: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'PREFIX'`: an estimate.
    pub prefix: ByteRange,
    /// Bytes of its cells with `DATA_BLOCK_ENCODING => 'FAST_DIFF'`: an estimate.
    pub fast_diff: ByteRange,
    /// Bytes of its cells with the compression of the design: an estimate.
    pub compressed: ByteRange,
}

/// The storage of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableBytes {
    /// Its rows.
    pub rows: u64,
    /// Their cells.
    pub cells: u64,
    /// True if a cell was made up, as the design declares none: HBase has no row without one.
    pub made_up: bool,
    /// True if key lengths are measured or fixed, and so the bytes exact.
    pub exact: bool,
    /// Its families.
    pub families: Vec<FamilyBytes>,
    /// All cells of one version.
    pub bytes: CellBytes,
    /// The same as one number.
    pub total: u64,
    /// If all keys were as short as the shortest.
    pub least: u64,
    /// If all keys were as long as the longest; `None` without a bound.
    pub most: Option<u64>,
    /// Bytes saved by each byte less in the row key.
    pub byte_less: u64,
    /// Reasons why HBase would reject it.
    pub problems: Vec<Problem>,
}

/// The one cell of a design that declares none: name and qualifier of a letter each, no value.
fn made_up() -> Vec<Family> {
    let cell = RecordCell { qualifier: "q".to_owned(), bytes: 0 };
    vec![Family { cells: vec![cell], ..Family::named("d") }]
}

/// The storage of `rows` rows of a design.
pub fn storage(design: &Design, keys: KeyLengths, rows: u64) -> TableBytes {
    of_families(&design.families, keys, rows)
}

/// The storage of `rows` rows of these families.
pub fn of_families(families: &[Family], keys: KeyLengths, rows: u64) -> TableBytes {
    let none = families.iter().all(|family| family.cells.is_empty());
    let substitute = if none { made_up() } else { Vec::new() };
    let families = if none { &substitute } else { families };
    let of_keys = keys.of_rows(rows);
    let listed: Vec<FamilyBytes> =
        families.iter().map(|family| of_family(family, keys, of_keys, rows)).collect();
    let mut bytes = CellBytes::default();
    listed.iter().for_each(|family| bytes.add(family.bytes));
    let per_row = families.iter().map(|family| family.cells.len() as u64).sum::<u64>();
    let cells = rows.saturating_mul(per_row);
    let rest = bytes.total().saturating_sub(bytes.row);
    let with_keys = |length: u64| rest.saturating_add(cells.saturating_mul(length));
    TableBytes {
        rows,
        cells,
        made_up: none,
        exact: keys.count > 0 || keys.max == Some(keys.min),
        families: listed,
        bytes,
        total: bytes.total(),
        least: with_keys(keys.min),
        most: keys.max.map(with_keys),
        byte_less: cells,
        problems: problems(families, keys.max.unwrap_or(keys.min)),
    }
}

fn of_family(family: &Family, keys: KeyLengths, of_keys: u64, rows: u64) -> FamilyBytes {
    let name = family.name.len() as u64;
    let times = |bytes: u64| rows.saturating_mul(bytes);
    let mut bytes = CellBytes::default();
    let mut columns = Vec::with_capacity(family.cells.len());
    for cell in &family.cells {
        let column = CellBytes {
            row: of_keys,
            family: times(name),
            qualifier: times(qualifier_bytes(cell).len() as u64),
            overhead: times(CELL_OVERHEAD),
            value: times(u64::from(cell.bytes)),
        };
        bytes.add(column);
        columns.push(ColumnBytes { qualifier: cell.qualifier.clone(), bytes: column });
    }
    let total = bytes.total();
    let cells = times(family.cells.len() as u64);
    let row = of_keys / rows.max(1);
    let blocks = total.div_ceil(BLOCK);
    let index = encoding::index(blocks, family, row);
    let longest = keys.max.unwrap_or(row).max(row);
    FamilyBytes {
        name: family.name.clone(),
        columns,
        bytes,
        with_versions: total.saturating_mul(u64::from(family.versions)),
        byte_less: cells,
        blocks,
        index,
        files: encoding::files(total, cells, rows, blocks, index),
        prefix: encoding::prefix(family, row, longest, rows),
        fast_diff: encoding::fast_diff(family, row, longest, rows),
        compressed: encoding::compressed(&family.compression, total, bytes.value),
    }
}

fn problems(families: &[Family], row: u64) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut whole = 0u64;
    let mut largest = 0;
    for family in families {
        for cell in &family.cells {
            let qualifier = qualifier_bytes(cell).len() as u64;
            let parts = CellParts {
                row,
                family: family.name.len() as u64,
                qualifier,
                value: u64::from(cell.bytes),
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
