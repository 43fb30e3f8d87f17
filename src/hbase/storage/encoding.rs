//! Bytes that files add to cells and that encodings save. All of it is an estimate, told as a range: only
//! the data knows. HBase measures it with `org.apache.hadoop.hbase.regionserver.DataBlockEncodingTool`.

use super::key_value::qualifier_bytes;
use crate::base::figures::share;
use crate::design::Family;
use serde::Serialize;

/// An estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByteRange {
    /// Hardly less.
    pub least: u64,
    /// Hardly more.
    pub most: u64,
}

impl ByteRange {
    fn add(&mut self, least: u64, most: u64) {
        self.least = self.least.saturating_add(least);
        self.most = self.most.saturating_add(most);
    }

    fn times(self, rows: u64) -> Self {
        Self { least: self.least.saturating_mul(rows), most: self.most.saturating_mul(rows) }
    }
}

/// Offset and size of a block, and the length of the key, in an index entry (`HFileBlockIndex`).
const INDEX_ENTRY: u64 = 8 + 4;
/// Bytes of a key besides row, family and qualifier.
const KEY_FRAME: u64 = 12;
/// Header of a block (`HConstants.HFILEBLOCK_HEADER_SIZE`).
const BLOCK_HEADER: u64 = 33;
/// A checksum for each 16 KiB of a block.
const CHECKSUMS: (u64, u64) = (4, 20);
/// Most bytes of the sequence number that a cell has until compactions drop it.
const SEQUENCE: u64 = 5;

/// Bytes of a number as `WritableUtils` and the encoders write it: 7 bits a byte.
const fn varying(number: u64) -> u64 {
    let bits = (64 - number.leading_zeros()) as u64;
    if bits == 0 { 1 } else { bits.div_ceil(7) }
}

/// Longest qualifier of a family.
fn longest_qualifier(family: &Family) -> u64 {
    family.cells.iter().map(|cell| qualifier_bytes(cell).len() as u64).max().unwrap_or(0)
}

/// The index of so many blocks: HBase may shorten a key in it to the first byte that tells two blocks apart.
pub(super) fn index(blocks: u64, family: &Family, row: u64) -> ByteRange {
    let key = KEY_FRAME + family.name.len() as u64 + longest_qualifier(family);
    let whole = key.saturating_add(row);
    ByteRange {
        least: INDEX_ENTRY + 1 + KEY_FRAME + 1,
        most: (INDEX_ENTRY + varying(whole)).saturating_add(whole),
    }
    .times(blocks)
}

/// Files of cells as they are: 10 to 16 bits a row for the Bloom filter of rows at its 1% of errors.
pub(super) fn files(total: u64, cells: u64, rows: u64, blocks: u64, index: ByteRange) -> ByteRange {
    let mut files = ByteRange { least: total, most: total };
    files.add(index.least, index.most);
    files.add(
        blocks.saturating_mul(BLOCK_HEADER + CHECKSUMS.0),
        blocks.saturating_mul(BLOCK_HEADER + CHECKSUMS.1),
    );
    files.add(share(rows, 10, 8), rows.saturating_mul(2));
    files.add(0, cells.saturating_mul(SEQUENCE));
    files
}

/// A cell of a row in the order of the file, with what it shares with the one before in its row.
struct FollowingCell {
    qualifier: u64,
    value: u64,
    /// Bytes of the qualifier it shares; `None` for the first cell of a row.
    shared: Option<u64>,
    same_lengths: (bool, bool),
}

fn followers(family: &Family) -> Vec<FollowingCell> {
    let mut cells: Vec<(Vec<u8>, u64)> =
        family.cells.iter().map(|cell| (qualifier_bytes(cell), u64::from(cell.bytes))).collect();
    crate::bytes::sort::sort(&mut cells);
    let mut before: Option<&(Vec<u8>, u64)> = None;
    let mut all = Vec::with_capacity(cells.len());
    for cell in &cells {
        let common = |other: &(Vec<u8>, u64)| {
            other.0.iter().zip(&cell.0).take_while(|(one, two)| one == two).count() as u64
        };
        let same_lengths =
            before.map_or((false, false), |other| (other.0.len() == cell.0.len(), other.1 == cell.1));
        all.push(FollowingCell {
            qualifier: cell.0.len() as u64,
            value: cell.1,
            shared: before.map(common),
            same_lengths,
        });
        before = Some(cell);
    }
    all
}

/// `PrefixKeyDeltaEncoder`: three lengths, then the key from where it differs from the one before. Keys of neighbouring
/// rows share all but their last byte at best, and nothing at worst.
pub(super) fn prefix(family: &Family, row: u64, longest: u64, rows: u64) -> ByteRange {
    let mut bytes = ByteRange::default();
    let name = family.name.len() as u64;
    for cell in followers(family) {
        let written = |suffix: u64, common: u64| {
            let lengths = varying(suffix) + varying(cell.value) + varying(common);
            lengths.saturating_add(suffix).saturating_add(cell.value)
        };
        match cell.shared {
            Some(shared) => {
                let suffix = cell.qualifier.saturating_sub(shared) + 9;
                let common = |row: u64| row.saturating_add(3 + name + shared);
                bytes.add(written(suffix, common(row)), written(suffix, common(longest)));
            }
            None => {
                let rest = cell.qualifier + name + 10;
                let whole = longest.saturating_add(rest + 2);
                bytes.add(written(rest + row.min(1), row.saturating_add(1)), written(whole, 0));
            }
        }
    }
    bytes.times(rows)
}

/// `FastDiffDeltaEncoder`: a byte of flags, lengths only where they change, no family, of the timestamp only the end.
/// Values are taken to differ; one that is as the one before would not be written at all.
pub(super) fn fast_diff(family: &Family, row: u64, longest: u64, rows: u64) -> ByteRange {
    let mut bytes = ByteRange::default();
    let name = family.name.len() as u64;
    for cell in followers(family) {
        let lengths =
            varying(longest.saturating_add(KEY_FRAME + name + cell.qualifier)) + varying(cell.value);
        match cell.shared {
            Some(shared) => {
                let (same_key, same_value) = cell.same_lengths;
                let changed = u64::from(!(same_key && same_value));
                let rest = cell.qualifier.saturating_sub(shared).saturating_add(cell.value);
                let common = |row: u64| varying(row.saturating_add(3 + name + shared));
                bytes.add(
                    rest.saturating_add(1 + changed + common(row) + 1),
                    rest.saturating_add(1 + lengths + common(longest) + 8),
                );
            }
            None => {
                let rest = cell.qualifier.saturating_add(cell.value);
                bytes.add(
                    rest.saturating_add(1 + varying(row) + row.min(1) + 1),
                    rest.saturating_add(1 + lengths + varying(longest) + 2 + 8 + 1).saturating_add(longest),
                );
            }
        }
    }
    bytes.times(rows)
}

/// Bytes that compression leaves, in hundredths: of everything when values repeat as keys do, of all but the values when they
/// cannot be compressed at all.
const COMPRESSIONS: [(&str, u64, u64); 9] = [
    ("NONE", 100, 100),
    ("SNAPPY", 15, 60),
    ("LZO", 15, 60),
    ("LZ4", 15, 60),
    ("GZ", 6, 45),
    ("ZSTD", 6, 45),
    ("BZIP2", 5, 40),
    ("LZMA", 4, 40),
    ("BROTLI", 5, 42),
];

/// Cells under a compression.
pub(super) fn compressed(name: &str, total: u64, values: u64) -> ByteRange {
    let known = COMPRESSIONS.iter().find(|(known, ..)| *known == name);
    let (least, most) = known.map_or((4, 100), |&(_, least, most)| (least, most));
    let rest = total.saturating_sub(values);
    ByteRange { least: share(total, least, 100), most: share(rest, most, 100).saturating_add(values) }
}
