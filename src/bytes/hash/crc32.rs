//! CRC-32 of the zip format: `java.util.zip.CRC32`.

/// Remainders of all bytes by the polynomial edb88320.
const TABLE: [u32; 256] = {
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

/// The checksum of `bytes`.
pub fn checksum(bytes: &[u8]) -> u32 {
    let add = |rest: u32, &byte: &u8| rest >> 8 ^ TABLE[usize::from(rest as u8 ^ byte)];
    !bytes.iter().fold(u32::MAX, add)
}
