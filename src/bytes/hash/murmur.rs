//! MurmurHash 2 as HBase has it: `org.apache.hadoop.hbase.util.MurmurHash`.

use super::little_endian;

const M: u32 = 0x5bd1_e995;

/// The hash of `bytes`. Java's bytes are signed: unlike the original, the one to three left over at the end carry their sign.
pub fn hash(bytes: &[u8], seed: i32) -> i32 {
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
