//! The first byte of a value, ascending, and how a value is turned into its inverse.

use crate::bytes::codec::SortDirection;

pub const NULL: u8 = 0x05;
pub const INT8: u8 = 0x29;
pub const INT16: u8 = 0x2a;
pub const INT32: u8 = 0x2b;
pub const INT64: u8 = 0x2c;
pub const FLOAT32: u8 = 0x30;
pub const FLOAT64: u8 = 0x31;
pub const TEXT: u8 = 0x34;
pub const BLOB_VAR: u8 = 0x37;
pub const BLOB_COPY: u8 = 0x38;

/// Writes ascending what `write` appends, or its inverse.
pub fn write_in(direction: SortDirection, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    write(out);
    direction.turn(out.get_mut(start..).unwrap_or_default());
}
