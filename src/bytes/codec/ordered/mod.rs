//! HBase's `OrderedBytes`: values that sort as bytes the way they sort themselves, each after a byte that names its type
//! (`org.apache.hadoop.hbase.util.OrderedBytes`). Descending, all bytes are inverted, the first one included.

mod blob;
mod header;
mod numeric;

use super::{
    NOT_TEXT, RefusalCode, SortDirection, as_text, narrow, read_bits, take_until, widen, write_bits,
};
pub use blob::{write_blob_copy, write_blob_var};
use header::write_in;
pub use numeric::{Numeric, PRECISION, write_numeric};

/// A value as its bytes tell it.
#[derive(Clone, Debug, PartialEq)]
pub enum OrderedValue {
    /// No value, of whatever type.
    Null,
    /// A number of any size.
    Numeric(Numeric),
    /// A signed integer of 1, 2, 4 or 8 bytes.
    Integer {
        /// Its bytes.
        width: usize,
        /// The number.
        value: i64,
    },
    /// A 32-bit floating-point number.
    Float32(f32),
    /// A 64-bit floating-point number.
    Float64(f64),
    /// Text.
    Text(String),
    /// Bytes, seven bits a byte.
    BlobVar(Vec<u8>),
    /// Bytes as they are.
    BlobCopy(Vec<u8>),
}

/// `encodeNull`.
pub fn write_null(direction: SortDirection, out: &mut Vec<u8>) {
    out.push(header::NULL ^ direction.mask());
}

/// The bit that tells the sign of a number of `width` bytes.
const fn sign_bit(width: usize) -> u64 {
    1 << (8 * width as u32 - 1)
}

/// `encodeInt8`, `encodeInt16`, `encodeInt32`, `encodeInt64` for a `width` of 1, 2, 4 or 8: the sign bit inverted.
///
/// # Errors
/// The number does not fit in `width` bytes.
pub fn write_integer(
    value: i64,
    width: usize,
    direction: SortDirection,
    out: &mut Vec<u8>,
) -> Result<(), RefusalCode> {
    let (header, width) = match width {
        1 => (header::INT8, 1),
        2 => (header::INT16, 2),
        4 => (header::INT32, 4),
        _ => (header::INT64, 8),
    };
    let bits = narrow(value, width)? ^ sign_bit(width);
    write_in(direction, out, |out| {
        out.push(header);
        write_bits(bits, width, out);
    });
    Ok(())
}

/// `encodeFloat32`: −∞ < … < −0.0 < 0.0 < … < ∞ < NaN, of which there is one.
pub fn write_float32(value: f32, direction: SortDirection, out: &mut Vec<u8>) {
    let bits = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
    write_float(header::FLOAT32, bits.into(), 4, direction, out);
}

/// `encodeFloat64`: as [`write_float32`].
pub fn write_float64(value: f64, direction: SortDirection, out: &mut Vec<u8>) {
    let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
    write_float(header::FLOAT64, bits, 8, direction, out);
}

/// The sign bit inverted; of a negative number, all bits.
fn write_float(header: u8, bits: u64, width: usize, direction: SortDirection, out: &mut Vec<u8>) {
    let sign = sign_bit(width);
    let bits = if bits & sign == 0 { bits | sign } else { !bits };
    write_in(direction, out, |out| {
        out.push(header);
        write_bits(bits, width, out);
    });
}

/// The bits of a float that [`write_float`] wrote.
fn read_float(from: &mut &[u8], width: usize, direction: SortDirection) -> Result<u64, RefusalCode> {
    let bits = read_inverted(from, width, direction)?;
    let sign = sign_bit(width);
    Ok(if bits & sign == 0 { !bits } else { bits ^ sign })
}

fn read_inverted(from: &mut &[u8], width: usize, direction: SortDirection) -> Result<u64, RefusalCode> {
    let bits = read_bits(from, width)?;
    Ok(if direction == SortDirection::Descending { !bits } else { bits })
}

/// `encodeString` of UTF-8 text: the text, then 00.
///
/// # Errors
/// The text holds a zero byte, which HBase refuses too.
pub fn write_text(text: &[u8], direction: SortDirection, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    if text.contains(&0) {
        return Err("step.zero-byte");
    }
    write_in(direction, out, |out| {
        out.push(header::TEXT);
        out.extend_from_slice(text);
        out.push(0);
    });
    Ok(())
}

/// Reads one value of whatever type off the front; its first byte tells the type and the direction.
///
/// # Errors
/// The first byte begins no value, or the value is cut short or not as HBase writes it.
pub fn read(from: &mut &[u8]) -> Result<(OrderedValue, SortDirection), RefusalCode> {
    let first = read_bits(from, 1)? as u8;
    let direction = if first & 0x80 == 0 { SortDirection::Ascending } else { SortDirection::Descending };
    let mask = direction.mask();
    let mut integer = |width| {
        let bits = read_inverted(from, width, direction)? ^ sign_bit(width);
        Ok::<_, RefusalCode>(OrderedValue::Integer { width, value: widen(bits, width) })
    };
    let value = match first ^ mask {
        header::NULL => OrderedValue::Null,
        header::INT8 => integer(1)?,
        header::INT16 => integer(2)?,
        header::INT32 => integer(4)?,
        header::INT64 => integer(8)?,
        header::FLOAT32 => OrderedValue::Float32(f32::from_bits(read_float(from, 4, direction)? as u32)),
        header::FLOAT64 => OrderedValue::Float64(f64::from_bits(read_float(from, 8, direction)?)),
        header::TEXT => {
            let text: Vec<u8> = take_until(from, mask)?.iter().map(|byte| byte ^ mask).collect();
            OrderedValue::Text(as_text(&text).map_err(|_| NOT_TEXT)?.to_owned())
        }
        header::BLOB_VAR => OrderedValue::BlobVar(blob::read_var(from, mask)?),
        header::BLOB_COPY => OrderedValue::BlobCopy(blob::read_copy(from, direction)?),
        header => OrderedValue::Numeric(numeric::read(header, from, mask)?),
    };
    Ok((value, direction))
}
