//! TINYINT, SMALLINT, INTEGER, BIGINT and their unsigned forms.

use super::{NEGATIVE, Refusal, TOO_LARGE, WRONG_LENGTH};

/// The last `bytes` bytes of the number, its sign bit flipped when negative ones are taken. The unsigned types have the
/// range of Java's signed ones from 0 up.
pub(super) fn encode(number: i64, bytes: usize, signed: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
    if !signed && number < 0 {
        return Err(NEGATIVE);
    }
    let unused = unused_bits(bytes);
    if number.wrapping_shl(unused).wrapping_shr(unused) != number {
        return Err(TOO_LARGE);
    }
    let sign = if signed { 1 << (63 - unused) } else { 0 };
    let flipped = (number ^ sign).to_be_bytes();
    out.extend_from_slice(flipped.get(8usize.saturating_sub(bytes)..).unwrap_or_default());
    Ok(())
}

pub(super) fn decode(bytes: &[u8], width: usize, signed: bool) -> Result<i64, Refusal> {
    if bytes.len() != width {
        return Err(WRONG_LENGTH);
    }
    let unused = unused_bits(width);
    let number = bytes.iter().fold(0, |number: i64, &byte| number << 8 | i64::from(byte));
    let sign = if signed { 1 << (63 - unused) } else { 0 };
    let number = (number ^ sign).wrapping_shl(unused).wrapping_shr(unused);
    if !signed && number < 0 { Err(NEGATIVE) } else { Ok(number) }
}

/// Bits of a long that such a number does not have.
fn unused_bits(bytes: usize) -> u32 {
    64 - 8 * bytes.clamp(1, 8) as u32
}
