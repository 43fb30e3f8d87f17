//! The one file that a major compaction leaves of a family, byte by byte as `HFileWriterImpl` of HBase 2.6 writes it: blocks with
//! their checksums, block index, Bloom filter, trailer. No compression.

use super::encoding::{self, ByteRange};
use crate::base::figures::share;
use crate::design::BloomFilter;
use serde::Serialize;

/// Bytes of the file of a family after a major compaction, by the encoding of its blocks. Cells are older than five days
/// (`hbase.hstore.compaction.keep.seqid.period`): younger ones have up to four more bytes each. Where nothing was written since the
/// compaction before, each has one byte less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactedBytes {
    /// Without an encoding.
    pub none: u64,
    /// With `ROW_INDEX_V1`.
    pub row_index: u64,
    /// With `PREFIX`: an estimate, the middle of its range.
    pub prefix: u64,
    /// With `DIFF`: an estimate, the middle of its range.
    pub diff: u64,
    /// With `FAST_DIFF`: an estimate, the middle of its range.
    pub fast_diff: u64,
    /// Files of values above `MOB_THRESHOLD`, which lie apart.
    pub mob: u64,
}

/// The number of encoding in each block that has one.
const ENCODING_ID: u64 = 2;
/// Bytes of a block before encoding, in front of its cells.
const PLAIN_SIZE: u64 = 4;
/// Bytes of the trailer (`FixedFileTrailer`), and about those of file information and meta blocks.
const FRAME: u64 = 4096 + 900;
/// Bytes of a checksum, and those it is of.
const CHECKSUM: u64 = 4;
const CHECKED: u64 = 16 << 10;
/// A chunk of a Bloom filter (`io.storefile.bloom.block.size`).
const CHUNK: u64 = 128 << 10;
/// Most keys of a chunk at an error rate of 1% (`io.storefile.bloom.error.rate`), and of keys with qualifiers, of which each read
/// asks for two: `BloomFilterUtil.idealMaxKeys`.
const CHUNK_ROWS: u64 = 109_396;
const CHUNK_COLUMNS: u64 = 95_165;

/// Cells as they are in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileCells {
    /// Bytes of all of them.
    pub bytes: u64,
    /// Number of them, and of their rows.
    pub cells: u64,
    pub rows: u64,
    /// Bytes of a block, about.
    pub blocksize: u64,
    pub bloom: BloomFilter,
    /// Bytes of an entry of the block index.
    pub entry: u64,
}

impl FileCells {
    /// Bytes of all cells with their sequence numbers: 0 in a byte.
    fn numbered(&self) -> u64 {
        self.bytes.saturating_add(self.cells)
    }

    /// A block ends with the cell that reaches its size.
    fn block(&self) -> u64 {
        let cell = (self.numbered() / self.cells.max(1)).max(1);
        self.blocksize.div_ceil(cell).saturating_mul(cell).max(1)
    }

    pub fn blocks(&self) -> u64 {
        self.numbered().div_ceil(self.block())
    }

    /// The file where cells take so many bytes, and each block so many more.
    fn file(&self, cells: u64, more: u64) -> u64 {
        if self.cells == 0 {
            return 0;
        }
        let blocks = self.blocks();
        let framed = (cells.saturating_add(self.cells) / blocks.max(1))
            .saturating_add(more)
            .saturating_add(encoding::BLOCK_HEADER);
        let each =
            more + encoding::BLOCK_HEADER + framed.div_ceil(CHECKED).saturating_mul(CHECKSUM) + self.entry;
        [cells, self.cells, blocks.saturating_mul(each), self.bloom(), FRAME]
            .into_iter()
            .fold(0, u64::saturating_add)
    }

    /// Chunks of the Bloom filter; the last one is halved while its keys fit in less than half of it.
    fn bloom(&self) -> u64 {
        let (keys, most) = match self.bloom {
            BloomFilter::None => return 0,
            // Prefixes are not counted: a row has one, and rows share them.
            BloomFilter::Prefix(_) => (1, CHUNK_ROWS),
            BloomFilter::Row => (self.rows, CHUNK_ROWS),
            BloomFilter::RowColumn => (self.cells, CHUNK_COLUMNS),
        };
        let framed = |chunk: u64| {
            let whole = chunk + encoding::BLOCK_HEADER;
            whole + whole.div_ceil(CHECKED) * CHECKSUM
        };
        let (mut last, mut fits) = (CHUNK, most);
        let rest = keys % most;
        while last > 1 && last.is_multiple_of(2) && fits > 2 * rest {
            (last, fits) = (last / 2, fits / 2);
        }
        let whole = (keys / most).saturating_mul(framed(CHUNK) + self.entry);
        whole.saturating_add(if rest > 0 { framed(last) + self.entry } else { 0 })
    }

    /// The file by encoding: as estimated, where rows and their neighbors matter.
    pub fn compacted(&self, prefix: ByteRange, diff: ByteRange, fast_diff: ByteRange) -> CompactedBytes {
        let encoded = |range: ByteRange| self.file(range.middle(), ENCODING_ID + PLAIN_SIZE);
        // Where each row begins in its block, and one that goes on in the next one again.
        let rows = self.rows.saturating_add(share(self.blocks(), 1, 2));
        CompactedBytes {
            none: self.file(self.bytes, 0),
            row_index: self.file(self.bytes.saturating_add(rows.saturating_mul(4)), ENCODING_ID + 8),
            prefix: encoded(prefix),
            diff: encoded(diff),
            fast_diff: encoded(fast_diff),
            mob: 0,
        }
    }

    /// The file of these cells without a Bloom filter.
    pub fn alone(&self) -> u64 {
        self.file(self.bytes, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bloom(bloom: BloomFilter, keys: u64) -> u64 {
        FileCells { bytes: keys * 50, cells: keys, rows: keys, blocksize: 65_536, bloom, entry: 0 }.bloom()
    }

    #[test]
    fn bloom_filters_come_in_chunks_of_which_the_last_is_folded() {
        let chunk = |bytes: u64| bytes + 33 + (bytes + 33).div_ceil(16_384) * 4;
        assert_eq!(bloom(BloomFilter::None, 1000), 0);
        // 100,000 keys need more than half of a chunk, 50,000 half of it.
        assert_eq!(bloom(BloomFilter::Row, 100_000), chunk(131_072));
        assert_eq!(bloom(BloomFilter::Row, 54_698), chunk(131_072));
        assert_eq!(bloom(BloomFilter::Row, 50_000), chunk(65_536));
        assert_eq!(bloom(BloomFilter::Row, CHUNK_ROWS + 50_000), chunk(131_072) + chunk(65_536));
        assert_eq!(bloom(BloomFilter::RowColumn, CHUNK_COLUMNS), chunk(131_072));
    }

    #[test]
    fn a_block_ends_with_the_cell_that_reaches_its_size() {
        let of = |cell: u64| FileCells {
            bytes: cell * 1000,
            cells: 1000,
            rows: 1000,
            blocksize: 65_536,
            bloom: BloomFilter::None,
            entry: 0,
        };
        assert_eq!(of(100_000).blocks(), 1000);
        assert_eq!(of(40_000).blocks(), 500);
        assert_eq!(of(99).blocks(), 1000_u64.div_ceil(656));
    }
}
