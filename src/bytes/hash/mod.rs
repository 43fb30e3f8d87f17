//! Hashes as Java and HBase compute them.

mod jenkins;
pub mod md5;

pub use jenkins::jenkins;

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The seed of HBase's own hashes when none is given: `Hash.hash(byte[])` of HBase 1.
pub const SEED: i32 = -1;

/// Up to four bytes as a number, the lowest byte first.
fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The 20 bytes of `MessageDigest.getInstance("SHA-1")`.
pub fn sha1(message: &[u8]) -> [u8; 20] {
    Sha1::digest(message).into()
}

/// The 32 bytes of `MessageDigest.getInstance("SHA-256")`.
pub fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// Remainders of all bytes by the polynomial edb88320.
const CRC32_REMAINDERS: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = remainder >> 1 ^ if remainder & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// CRC-32 of the zip format: `java.util.zip.CRC32`.
pub fn crc32(bytes: &[u8]) -> u32 {
    let add = |rest: u32, &byte: &u8| rest >> 8 ^ CRC32_REMAINDERS[usize::from(rest as u8 ^ byte)];
    !bytes.iter().fold(u32::MAX, add)
}

/// `String.hashCode` of UTF-8 text: `h = 31 h + unit` over its UTF-16 units, in 32 bits; `None` of bytes that are none.
pub fn java_string(text: &[u8]) -> Option<i32> {
    if text.is_ascii() {
        return Some(java_units(text.iter().map(|&byte| byte.into())));
    }
    std::str::from_utf8(text).ok().map(|text| java_units(text.encode_utf16()))
}

/// `String.hashCode` of UTF-16 units, paired or not.
pub fn java_units(units: impl Iterator<Item = u16>) -> i32 {
    units.fold(0, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `Arrays.hashCode(byte[])`, and HBase's `Bytes.hashCode`: from 1, bytes with their sign.
pub fn java_bytes(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1, |hash: i32, &byte| hash.wrapping_mul(31).wrapping_add((byte as i8).into()))
}

/// MurmurHash 2 as HBase has it: `org.apache.hadoop.hbase.util.MurmurHash`. Java's bytes are signed: unlike the original, the one to three left over at the end carry their sign.
pub fn murmur(bytes: &[u8], seed: i32) -> i32 {
    const M: u32 = 0x5bd1_e995;
    let (words, rest) = bytes.as_chunks::<4>();
    let mut hash = seed as u32 ^ bytes.len() as u32;
    for word in words {
        let mut word = little_endian(word).wrapping_mul(M);
        word ^= word >> 24;
        hash = hash.wrapping_mul(M) ^ word.wrapping_mul(M);
    }
    if !rest.is_empty() {
        for (place, &byte) in rest.iter().enumerate() {
            hash ^= (i32::from(byte as i8) << (8 * place)) as u32;
        }
        hash = hash.wrapping_mul(M);
    }
    hash = (hash ^ hash >> 13).wrapping_mul(M);
    (hash ^ hash >> 15) as i32
}

/// MurmurHash 3 of 32 bits: `org.apache.hadoop.hbase.util.MurmurHash3`.
pub fn murmur3(bytes: &[u8], seed: i32) -> i32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let mixed = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let mut hash = seed as u32;
    for word in words {
        hash = (hash ^ mixed(little_endian(word))).rotate_left(13);
        hash = hash.wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= mixed(little_endian(rest)) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    (hash ^ hash >> 16) as i32
}

#[cfg(test)]
mod tests {
    use super::java_string;

    #[test]
    fn agrees_with_java() {
        // Values printed by "…".hashCode() in a JVM.
        for (text, hash) in
            [("", 0), ("a", 97), ("polygenelubricants", i32::MIN), ("é", 233), ("😀", 1_772_899)]
        {
            assert_eq!(java_string(text.as_bytes()), Some(hash), "{text}");
        }
    }
}
