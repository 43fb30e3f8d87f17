//! Codecs of pages, buffers and blocks. The unpacked size that a file states is a bound, never a reason to reserve memory.

use super::feed::Halt;
use std::io::Read;

/// A way of packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    Plain,
    Snappy,
    /// Snappy with the checksum of the unpacked bytes behind it, as Avro has it.
    SnappyChecked,
    Gzip,
    Deflate,
    Zstd,
    Brotli,
    /// A block of LZ4.
    Lz4Block,
    /// LZ4 as Hadoop writes it: blocks with their sizes before them. Some writers call other things so.
    Lz4Hadoop,
    Lz4Frame,
    /// Snappy in the framing of Hadoop, as HBase has it.
    SnappyHadoop,
    /// Zstd as HBase has it: frames, or frames in the framing of Hadoop.
    ZstdHadoop,
}

/// Bytes that LZ4 makes of one at most.
const LZ4_RATIO: usize = 255;
/// Bytes that Snappy makes of one at most: a copy of 64 bytes is written in three.
const SNAPPY_RATIO: usize = 22;

impl Codec {
    /// Its name, as the specifications have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "UNCOMPRESSED",
            Self::Snappy | Self::SnappyChecked | Self::SnappyHadoop => "SNAPPY",
            Self::Gzip => "GZIP",
            Self::Deflate => "DEFLATE",
            Self::Zstd | Self::ZstdHadoop => "ZSTD",
            Self::Brotli => "BROTLI",
            Self::Lz4Block | Self::Lz4Hadoop | Self::Lz4Frame => "LZ4",
        }
    }

    /// The unpacked size that packed bytes state themselves.
    pub fn stated(self, packed: &[u8]) -> Option<usize> {
        let is_snappy = matches!(self, Self::Snappy | Self::SnappyChecked);
        is_snappy.then(|| snap::raw::decompress_len(packed).ok())?
    }

    /// The unpacked bytes: as many as `stated`, or where nothing is stated up to one more than `room`.
    pub fn unpack(self, packed: &[u8], stated: Option<usize>, room: usize) -> Result<Vec<u8>, Halt> {
        // One more shows that there are more.
        let most = stated.unwrap_or(room).saturating_add(1);
        let unpacked = match self {
            Self::Plain => Some(packed.to_vec()),
            Self::Snappy => snappy(packed, most),
            Self::SnappyChecked => packed.split_last_chunk::<4>().and_then(|(packed, sum)| {
                snappy(packed, most).filter(|bytes| crc32(bytes) == u32::from_be_bytes(*sum))
            }),
            Self::Gzip => drained(flate2::read::MultiGzDecoder::new(packed), most),
            Self::Deflate => drained(flate2::read::DeflateDecoder::new(packed), most),
            Self::Zstd => zstd(packed, most),
            Self::Brotli => drained(brotli_decompressor::Decompressor::new(packed, 4096), most),
            Self::Lz4Block => lz4_block(packed, most),
            Self::SnappyHadoop => hadoop(packed, most, snappy),
            Self::ZstdHadoop => {
                let frame =
                    if packed.starts_with(ZSTD) { packed } else { packed.get(8..).unwrap_or_default() };
                if let Some(number) = zstd_dictionary(frame) {
                    return Err(Halt::unknown(format!("the dictionary {number} of ZSTD")));
                }
                if packed.starts_with(ZSTD) { zstd(packed, most) } else { hadoop(packed, most, zstd) }
            }
            Self::Lz4Hadoop => hadoop(packed, most, lz4_block)
                .or_else(|| lz4_block(packed, most))
                .or_else(|| drained(lz4_flex::frame::FrameDecoder::new(packed), most)),
            Self::Lz4Frame => drained(lz4_flex::frame::FrameDecoder::new(packed), most),
        };
        let sound = unpacked.filter(|bytes| stated.is_none_or(|stated| bytes.len() == stated));
        sound.ok_or_else(|| Halt::broken(self.name()))
    }
}

/// All that a decoder has to give, up to `most`.
fn drained(decoder: impl Read, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    decoder.take(most as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn snappy(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let length = snap::raw::decompress_len(packed).ok()?;
    if length > most || length > packed.len().saturating_mul(SNAPPY_RATIO) + 64 {
        return None;
    }
    snap::raw::Decoder::new().decompress_vec(packed).ok()
}

fn zstd(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = packed;
    while !rest.is_empty() {
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(&mut rest).ok()?;
        decoder.by_ref().take((most - bytes.len()) as u64).read_to_end(&mut bytes).ok()?;
        if bytes.len() == most {
            break;
        }
    }
    Some(bytes)
}

/// A block without its unpacked size, of which `most` is the bound.
fn lz4_block(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let room = most.min(packed.len().saturating_mul(LZ4_RATIO) + 64);
    let mut bytes = vec![0; room];
    let length = lz4_flex::block::decompress_into(packed, &mut bytes).ok()?;
    bytes.truncate(length);
    Some(bytes)
}

/// A frame of zstd begins with it.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The number of the dictionary that a frame of zstd was packed with.
fn zstd_dictionary(frame: &[u8]) -> Option<u32> {
    let [flags, rest @ ..] = frame.strip_prefix(ZSTD)? else { return None };
    let bytes = rest.get(usize::from(flags >> 5 & 1 == 0)..)?;
    let bytes = bytes.get(..[0, 1, 2, 4].into_iter().nth(usize::from(flags & 3))?)?;
    let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    (number > 0).then_some(number)
}

/// The framing of Hadoop: blocks, each behind its unpacked size, of pieces, each behind its packed size; the highest byte first.
fn hadoop(packed: &[u8], most: usize, unpack: fn(&[u8], usize) -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = packed;
    while !rest.is_empty() {
        let (unpacked, after) = rest.split_first_chunk::<4>()?;
        let end = bytes.len() + u32::from_be_bytes(*unpacked) as usize;
        if end > most {
            return None;
        }
        rest = after;
        while bytes.len() < end {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let (piece, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
            let piece = unpack(piece, end - bytes.len()).filter(|piece| !piece.is_empty())?;
            bytes.extend_from_slice(&piece);
            rest = after;
        }
        (bytes.len() == end).then_some(())?;
    }
    Some(bytes)
}

/// The checksum of gzip and of Avro.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
