//! Bytes that files add to cells and that encodings save. All of it is an estimate, told as a range: only
//! the data knows. HBase measures it with `org.apache.hadoop.hbase.regionserver.DataBlockEncodingTool`.

use super::stored::StoredCell;
use crate::base::figures::share;
use crate::bytes::sort::sort_by_key;
use crate::design::BloomFilter;
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
    /// The number of bytes midway.
    pub fn middle(self) -> u64 {
        self.least / 2 + self.most / 2 + (self.least % 2 + self.most % 2) / 2
    }

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
pub(super) const BLOCK_HEADER: u64 = 33;
/// A checksum for each 16 KiB of a block.
const CHECKSUMS: (u64, u64) = (4, 20);
/// Bytes of a timestamp in milliseconds without its zeros.
const TIMESTAMP: u64 = 6;
/// Most bytes of the sequence number that a cell has until compactions drop it.
const SEQUENCE: u64 = 5;

/// Bytes of a number as `WritableUtils` and the encoders write it: 7 bits a byte.
const fn varying(number: u64) -> u64 {
    let bits = (64 - number.leading_zeros()) as u64;
    if bits == 0 { 1 } else { bits.div_ceil(7) }
}

/// The index of so many blocks of a family with a name of so many bytes: HBase may shorten a key in it to the first byte that
/// tells two blocks apart.
pub(super) fn index(blocks: u64, name: u64, cells: &[StoredCell], row: u64) -> ByteRange {
    let longest = cells.iter().map(|cell| cell.qualifier[1]).max().unwrap_or(0);
    let key = (KEY_FRAME + name).saturating_add(longest);
    let whole = key.saturating_add(row);
    ByteRange {
        least: INDEX_ENTRY + 1 + KEY_FRAME + 1,
        most: (INDEX_ENTRY + varying(whole)).saturating_add(whole),
    }
    .times(blocks)
}

/// Files of cells as they are: 10 to 16 bits for each entry of the Bloom filter at its 1% of errors.
pub(super) fn files(
    total: u64,
    cells: u64,
    bloom: (BloomFilter, u64),
    blocks: u64,
    index: ByteRange,
) -> ByteRange {
    let mut files = ByteRange { least: total, most: total };
    files.add(index.least, index.most);
    files.add(
        blocks.saturating_mul(BLOCK_HEADER + CHECKSUMS.0),
        blocks.saturating_mul(BLOCK_HEADER + CHECKSUMS.1),
    );
    // How many prefixes there are is not known: one at least, and a row has one.
    let (least, most) = match bloom {
        (BloomFilter::None, _) => (0, 0),
        (BloomFilter::Row, rows) => (rows, rows),
        (BloomFilter::RowColumn, _) => (cells, cells),
        (BloomFilter::Prefix(_), rows) => (rows.min(1), rows),
    };
    files.add(share(least, 10, 8), most.saturating_mul(2));
    files.add(0, cells.saturating_mul(SEQUENCE));
    files
}

/// Cells in the order of the file, with what each shares with the one before in its row.
struct FollowingCell {
    /// Number of them in the table.
    count: u64,
    qualifier: u64,
    value: u64,
    /// Bytes of the qualifier it shares, at most and at least; `None` for the first cell of a row.
    shared: Option<[u64; 2]>,
    same_lengths: (bool, bool),
}

/// The cells of a family of so many rows. Those with formulas are taken to come last in their rows.
fn followers(cells: &[StoredCell], rows: u64) -> Vec<FollowingCell> {
    let mut cells: Vec<&StoredCell> = cells.iter().collect();
    sort_by_key(&mut cells, |cell| (cell.literal.is_none(), cell.literal.clone()));
    let mut before: Option<&StoredCell> = None;
    let mut all = Vec::with_capacity(cells.len());
    for cell in cells {
        let ([qualifier, _], [value, _]) = (cell.qualifier, cell.value);
        let same = |other: &StoredCell| (other.qualifier[0] == qualifier, other.value[0] == value);
        let following =
            |count, shared, same_lengths| FollowingCell { count, qualifier, value, shared, same_lengths };
        let shared = before.map(|other| match (&other.literal, &cell.literal) {
            (Some(one), Some(two)) => {
                [one.iter().zip(two).take_while(|(one, two)| one == two).count() as u64; 2]
            }
            _ => [qualifier, 0],
        });
        // Cells beyond one a row follow others of the same formula.
        let first = if cell.literal.is_some() { cell.count } else { cell.count.min(rows) };
        all.push(following(first, shared, before.map_or((false, false), same)));
        if cell.count > first {
            let close = [qualifier.saturating_sub(1), 0];
            all.push(following(cell.count - first, Some(close), (true, true)));
        }
        before = Some(cell);
    }
    all
}

/// `RowIndexEncoderV1`: cells as they are, and behind those of a block where each of its rows begins.
pub(super) fn row_index(total: u64, rows: u64, blocks: u64) -> ByteRange {
    // Two more numbers of four bytes a block; a row that goes on in the next block begins there too.
    let least = total.saturating_add(rows.saturating_mul(4)).saturating_add(blocks.saturating_mul(8));
    ByteRange { least, most: least.saturating_add(blocks.saturating_mul(4)) }
}

/// `PrefixKeyDeltaEncoder`: three lengths, then the key from where it differs from the one before. Keys of neighbouring
/// rows share all but their last byte at best, and nothing at worst.
pub(super) fn prefix(name: u64, cells: &[StoredCell], row: u64, longest: u64, rows: u64) -> ByteRange {
    let mut bytes = ByteRange::default();
    for cell in followers(cells, rows) {
        let written = |suffix: u64, common: u64| {
            let lengths = varying(suffix) + varying(cell.value) + varying(common);
            lengths.saturating_add(suffix).saturating_add(cell.value).saturating_mul(cell.count)
        };
        match cell.shared {
            Some([most, least]) => {
                let suffix = |shared: u64| cell.qualifier.saturating_sub(shared) + 9;
                let common = |row: u64, shared: u64| row.saturating_add(3 + name + shared);
                bytes.add(
                    written(suffix(most), common(row, most)),
                    written(suffix(least), common(longest, least)),
                );
            }
            None => {
                let rest = cell.qualifier + name + 10;
                let whole = longest.saturating_add(rest + 2);
                bytes.add(written(rest + row.min(1), row.saturating_add(1)), written(whole, 0));
            }
        }
    }
    bytes
}

/// `DiffKeyDeltaEncoder`: a byte of flags, lengths only where they change, no family, of the timestamp at least the difference to
/// the one before in as few bytes as it fits in: six of today's without it.
pub(super) fn diff(name: u64, cells: &[StoredCell], row: u64, longest: u64, rows: u64) -> ByteRange {
    let mut bytes = ByteRange::default();
    for cell in followers(cells, rows) {
        let lengths =
            varying(longest.saturating_add(KEY_FRAME + name + cell.qualifier)) + varying(cell.value);
        let add = |bytes: u64| bytes.saturating_mul(cell.count);
        let (same_key, same_value) = cell.same_lengths;
        match cell.shared {
            Some([most, least]) => {
                let changed = u64::from(!(same_key && same_value));
                let rest = |shared: u64| cell.qualifier.saturating_sub(shared).saturating_add(cell.value);
                let common = |row: u64, shared: u64| varying(row.saturating_add(3 + name + shared));
                bytes.add(
                    add(rest(most).saturating_add(1 + changed + common(row, most) + 1)),
                    add(rest(least).saturating_add(1 + lengths + common(longest, least) + TIMESTAMP)),
                );
            }
            None => {
                let rest = cell.qualifier.saturating_add(cell.value);
                let most = rest.saturating_add(1 + lengths + 1 + 2 + TIMESTAMP).saturating_add(longest);
                bytes.add(add(rest.saturating_add(1 + varying(row) + row.min(1) + 1)), add(most));
            }
        }
    }
    bytes
}

/// `FastDiffDeltaEncoder`: a byte of flags, lengths only where they change, no family, of the timestamp only the end.
/// Values are taken to differ; one that is as the one before would not be written at all.
pub(super) fn fast_diff(name: u64, cells: &[StoredCell], row: u64, longest: u64, rows: u64) -> ByteRange {
    let mut bytes = ByteRange::default();
    for cell in followers(cells, rows) {
        let lengths =
            varying(longest.saturating_add(KEY_FRAME + name + cell.qualifier)) + varying(cell.value);
        let times = |bytes: u64| bytes.saturating_mul(cell.count);
        match cell.shared {
            Some([most, least]) => {
                let (same_key, same_value) = cell.same_lengths;
                let changed = u64::from(!(same_key && same_value));
                let rest = |shared: u64| cell.qualifier.saturating_sub(shared).saturating_add(cell.value);
                let common = |row: u64, shared: u64| varying(row.saturating_add(3 + name + shared));
                bytes.add(
                    times(rest(most).saturating_add(1 + changed + common(row, most) + 1)),
                    times(rest(least).saturating_add(1 + lengths + common(longest, least) + 8)),
                );
            }
            None => {
                let rest = cell.qualifier.saturating_add(cell.value);
                let most =
                    rest.saturating_add(1 + lengths + varying(longest) + 2 + 8 + 1).saturating_add(longest);
                bytes.add(times(rest.saturating_add(1 + varying(row) + row.min(1) + 1)), times(most));
            }
        }
    }
    bytes
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
