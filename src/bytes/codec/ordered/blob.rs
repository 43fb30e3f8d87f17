//! Bytes: seven bits a byte, or as they are.

use super::header::{self, write_in};
use crate::bytes::codec::{RefusalCode, SortDirection, read_bits, take, take_until};

/// `encodeBlobVar`: the bits of the value in groups of seven, each behind a 1, the last behind a 0; nothing is 00.
pub fn write_blob_var(value: &[u8], direction: SortDirection, out: &mut Vec<u8>) {
    write_in(direction, out, |out| {
        out.push(header::BLOB_VAR);
        // Bits not yet written, fewer than seven.
        let (mut bits, mut count) = (0u16, 0);
        for &byte in value {
            bits = bits << 8 | u16::from(byte);
            count += 8;
            while count >= 7 {
                count -= 7;
                out.push(0x80 | (bits >> count) as u8);
                bits &= (1 << count) - 1;
            }
        }
        if count > 0 || value.is_empty() {
            out.push((bits << (7 - count)) as u8 & 0x7f);
        } else if let Some(last) = out.last_mut() {
            *last &= 0x7f;
        }
    });
}

/// Reads what [`write_blob_var`] wrote after the header, of a value inverted by `mask`.
pub(super) fn read_var(from: &mut &[u8], mask: u8) -> Result<Vec<u8>, RefusalCode> {
    let mut value = Vec::new();
    let (mut bits, mut count) = (0u16, 0);
    loop {
        let byte = read_bits(from, 1)? as u8 ^ mask;
        bits = bits << 7 | u16::from(byte & 0x7f);
        count += 7;
        if count >= 8 {
            count -= 8;
            value.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
        if byte & 0x80 == 0 {
            return if bits == 0 { Ok(value) } else { Err("codec.bits-left-over") };
        }
    }
}

/// `encodeBlobCopy`: the bytes as they are, which only a value that ends the key can be; descending, a last ff.
///
/// # Errors
/// Descending, the value holds a zero byte, which HBase refuses too.
pub fn write_blob_copy(value: &[u8], direction: SortDirection, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    if direction == SortDirection::Descending && value.contains(&0) {
        return Err("codec.zero-byte-descending");
    }
    write_in(direction, out, |out| {
        out.push(header::BLOB_COPY);
        out.extend_from_slice(value);
        out.extend((direction == SortDirection::Descending).then_some(0));
    });
    Ok(())
}

/// Reads what [`write_blob_copy`] wrote after the header: ascending, all there is.
pub(super) fn read_copy(from: &mut &[u8], direction: SortDirection) -> Result<Vec<u8>, RefusalCode> {
    let mask = direction.mask();
    let value = match direction {
        SortDirection::Ascending => take(from, from.len())?,
        SortDirection::Descending => take_until(from, mask)?,
    };
    Ok(value.iter().map(|byte| byte ^ mask).collect())
}
