//! HBase's `Bytes.toBytes`: Java's values as bytes, the highest byte first (`org.apache.hadoop.hbase.util.Bytes`).
//!
//! None of it sorts over all of its range: negative numbers come after positive ones.

use super::decimal::Decimal;
use super::{RefusalCode, TOO_FEW_BYTES, narrow, read_bits, take, widen, write_bits};

/// `Bytes.toBytes(boolean)`: ff for true, 00 for false.
pub fn write_boolean(value: bool, out: &mut Vec<u8>) {
    out.push(if value { 0xff } else { 0 });
}

/// `Bytes.toBoolean`: every byte but 00 is true.
///
/// # Errors
/// No byte.
pub fn read_boolean(from: &mut &[u8]) -> Result<bool, RefusalCode> {
    Ok(read_bits(from, 1)? != 0)
}

/// `Bytes.toBytes` of short, int, long: 2, 4 or 8 bytes of two's complement.
///
/// # Errors
/// The number does not fit in `width` bytes.
pub fn write_integer(value: i64, width: usize, out: &mut Vec<u8>) -> Result<(), RefusalCode> {
    write_bits(narrow(value, width)?, width, out);
    Ok(())
}

/// `Bytes.toShort`, `toInt`, `toLong`: 2, 4 or 8 bytes.
///
/// # Errors
/// Too few bytes.
pub fn read_integer(from: &mut &[u8], width: usize) -> Result<i64, RefusalCode> {
    Ok(widen(read_bits(from, width)?, width))
}

/// `Bytes.toBytes(float)`: the IEEE 754 bits as they are, those of NaN too.
pub fn write_float(value: f32, out: &mut Vec<u8>) {
    write_bits(value.to_bits().into(), 4, out);
}

/// `Bytes.toFloat`.
///
/// # Errors
/// Too few bytes.
pub fn read_float(from: &mut &[u8]) -> Result<f32, RefusalCode> {
    Ok(f32::from_bits(read_bits(from, 4)? as u32))
}

/// `Bytes.toBytes(double)`: the IEEE 754 bits as they are, those of NaN too.
pub fn write_double(value: f64, out: &mut Vec<u8>) {
    write_bits(value.to_bits(), 8, out);
}

/// `Bytes.toDouble`.
///
/// # Errors
/// Too few bytes.
pub fn read_double(from: &mut &[u8]) -> Result<f64, RefusalCode> {
    Ok(f64::from_bits(read_bits(from, 8)?))
}

/// `Bytes.toBytes(BigDecimal)`: the scale in 4 bytes, then the unscaled value in the fewest bytes.
pub fn write_decimal(value: &Decimal, out: &mut Vec<u8>) {
    write_bits(value.scale() as u64, 4, out);
    out.extend(value.unscaled_bytes());
}

/// `Bytes.toBigDecimal`: all bytes there are.
///
/// # Errors
/// Fewer than 5 bytes, or more than a [`Decimal`] takes.
pub fn read_decimal(from: &mut &[u8]) -> Result<Decimal, RefusalCode> {
    let scale = read_integer(from, 4)? as i32;
    match take(from, from.len())? {
        [] => Err(TOO_FEW_BYTES),
        unscaled => Decimal::from_unscaled_bytes(unscaled, scale),
    }
}

/// `Bytes.toBytes(String)` of the text's UTF-16 units: UTF-8, with `?` for half a character.
pub fn write_text(units: &[u16], out: &mut Vec<u8>) {
    let mut utf8 = [0; 4];
    for char in char::decode_utf16(units.iter().copied()) {
        out.extend_from_slice(char.unwrap_or('?').encode_utf8(&mut utf8).as_bytes());
    }
}

/// `Bytes.toString`: the UTF-16 units of UTF-8 text; what is not UTF-8 gives U+FFFD.
pub fn read_text(bytes: &[u8]) -> Vec<u16> {
    String::from_utf8_lossy(bytes).encode_utf16().collect()
}
