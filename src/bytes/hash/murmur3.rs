//! MurmurHash 3 of 32 bits: `org.apache.hadoop.hbase.util.MurmurHash3`.

use super::little_endian;

/// The hash of `bytes`.
pub fn hash(bytes: &[u8], seed: i32) -> i32 {
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
