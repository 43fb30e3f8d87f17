//! Blocks of an HFile: a header, what it is packed with, and checksums.

use crate::records::formats::bytes::Cursor;
use crate::records::formats::codec::Codec;
use crate::records::formats::feed::{Feed, Halt, Window, need};
use std::borrow::Cow;

/// Bytes of a header.
pub const HEADER: u64 = 33;
const PART: &str = "the header of a block";
const SUMS: &str = "the checksums of a block";
/// Bytes of a checksum.
const SUM: usize = 4;

/// The content of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Cells.
    Data,
    /// Cells, behind the number of their encoding.
    EncodedData,
    /// The root of the index.
    Root,
    /// The index, between its root and its leaves.
    Intermediate,
    /// The leaves of the index.
    Leaf,
    /// Facts about the file.
    FileInfo,
    /// Anything else: Bloom filters, and more.
    Other,
}

/// The header of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockHeader {
    pub kind: BlockKind,
    /// Bytes of the whole block.
    pub length: u64,
    /// Bytes of its content, unpacked.
    pub unpacked: usize,
    /// Bytes of the header and the content, as it lies.
    content: usize,
    /// The kind of its checksums, and the bytes for each.
    checksum: u8,
    bytes_per_checksum: usize,
}

impl BlockHeader {
    /// `None` when it is damaged.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let magic: [u8; 8] = cursor.array()?;
        let (on_disk, unpacked) = (cursor.length()?, cursor.length()?);
        cursor.take(8)?;
        let checksum = cursor.byte()?;
        let (bytes_per_checksum, content) = (cursor.length()?, cursor.length()?);
        let length = HEADER + on_disk as u64;
        let sound = content as u64 >= HEADER && content as u64 <= length;
        let kind = match &magic {
            b"DATABLK*" => BlockKind::Data,
            b"DATABLKE" => BlockKind::EncodedData,
            b"IDXROOT2" => BlockKind::Root,
            b"IDXINTE2" => BlockKind::Intermediate,
            b"IDXLEAF2" => BlockKind::Leaf,
            b"FILEINF2" => BlockKind::FileInfo,
            b"BLMFBLK2" | b"BLMFMET2" | b"DFBLMET2" | b"DELFAMBM" | b"METABLKc" => BlockKind::Other,
            _ => return None,
        };
        sound.then_some(Self { kind, length, unpacked, content, checksum, bytes_per_checksum })
    }
}

/// Reads the header of the block at a place. More is read ahead up to `end`.
pub fn header(window: &mut Window, feed: &mut Feed, at: u64, end: u64) -> Result<BlockHeader, Halt> {
    need(BlockHeader::read(window.get(feed, at, HEADER, end)?), PART)
}

/// The content of a block, unpacked. More is read ahead up to `end`.
pub fn content<'w>(
    window: &'w mut Window,
    feed: &mut Feed,
    (header, codec): (&BlockHeader, Codec),
    (at, end): (u64, u64),
) -> Result<Cow<'w, [u8]>, Halt> {
    let block = window.get(feed, at, header.length, end)?;
    need(sums_hold(header, block), SUMS)?;
    let packed = need(block.get(HEADER as usize..header.content), PART)?;
    if codec == Codec::Plain || header.unpacked == 0 {
        need((codec != Codec::Plain || packed.len() == header.unpacked).then_some(()), PART)?;
        return Ok(Cow::Borrowed(if header.unpacked == 0 { &[] } else { packed }));
    }
    feed.unpack(codec, packed, Some(header.unpacked)).map(Cow::Owned)
}

/// Checks header and content against the checksums behind them. `None` when they differ; those of a kind that is not known are passed over.
fn sums_hold(header: &BlockHeader, block: &[u8]) -> Option<()> {
    let sum: fn(&[u8]) -> u32 = match header.checksum {
        1 => crc32,
        2 => crc32c,
        _ => return Some(()),
    };
    let (content, sums) = block.split_at_checked(header.content)?;
    (header.bytes_per_checksum > 0).then_some(())?;
    let mut stated = sums.chunks_exact(SUM);
    for part in content.chunks(header.bytes_per_checksum) {
        (sum(part).to_be_bytes() == stated.next()?).then_some(())?;
    }
    Some(())
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The checksum of Castagnoli, of eight bytes at a time.
fn crc32c(bytes: &[u8]) -> u32 {
    let mut sum = !0u32;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let &[a, b, c, d, e, f, g, h] = word else { continue };
        let low = sum ^ u32::from_le_bytes([a, b, c, d]);
        let [a, b, c, d] = low.to_le_bytes();
        let bytes = [a, b, c, d, e, f, g, h];
        sum = bytes.iter().zip(TABLES.iter().rev()).fold(0, |sum, (&byte, table)| sum ^ at(table, byte));
    }
    for &byte in words.remainder() {
        sum = sum >> 8 ^ at(&TABLES[0], sum as u8 ^ byte);
    }
    !sum
}

const fn at(table: &[u32; 256], byte: u8) -> u32 {
    table[byte as usize]
}

/// Effects of a byte on the checksum, when so many bytes follow it.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut behind = 1;
    while behind < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[behind - 1][byte];
            tables[behind][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        behind += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_castagnoli() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(b""), 0);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }
}
