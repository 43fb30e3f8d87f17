//! Values as bytes and back, exactly as Java and HBase write them; knows nothing of formulas.
//!
//! Writers append to a buffer; readers take what they read off the front of a slice.

pub mod decimal;
mod digits;
pub mod double;
pub mod java;
mod natural;
pub mod ordered;
pub mod phoenix;

/// `ASC` and `DESC`, `org.apache.hadoop.hbase.util.Order` and Phoenix's `SortOrder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortDirection {
    /// Least value first.
    Ascending,
    /// Greatest value first: every byte is inverted.
    Descending,
}

impl SortDirection {
    /// The mask that a byte is combined with by exclusive or.
    pub const fn mask(self) -> u8 {
        match self {
            Self::Ascending => 0,
            Self::Descending => 0xff,
        }
    }

    /// The bytes an ascending value becomes: unchanged, or the complement of each.
    pub fn turn(self, ascending: &mut [u8]) {
        ascending.iter_mut().for_each(|byte| *byte ^= self.mask());
    }
}

/// Why a value cannot be written or bytes cannot be read: a message code.
pub type RefusalCode = &'static str;

const TOO_FEW_BYTES: RefusalCode = "codec.too-few-bytes";
const NUMBER_TOO_LARGE: RefusalCode = "step.number-too-large";
const NOT_TEXT: RefusalCode = "step.not-text";

/// Takes `count` bytes off the front.
///
/// # Errors
/// There are fewer.
pub fn take<'a>(from: &mut &'a [u8], count: usize) -> Result<&'a [u8], RefusalCode> {
    let (taken, rest) = from.split_at_checked(count).ok_or(TOO_FEW_BYTES)?;
    *from = rest;
    Ok(taken)
}

/// Takes what lies before the first `end` off the front, and `end` itself.
///
/// # Errors
/// There is no such byte.
pub fn take_until<'a>(from: &mut &'a [u8], end: u8) -> Result<&'a [u8], RefusalCode> {
    let length = from.iter().position(|&byte| byte == end).ok_or("codec.no-end")?;
    let taken = take(from, length)?;
    take(from, 1)?;
    Ok(taken)
}

/// Writes the low `width` bytes (at most 8) of `bits`, the highest first.
pub fn write_bits(bits: u64, width: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(bits.to_be_bytes().get(8usize.saturating_sub(width)..).unwrap_or_default());
}

/// Reads `width` bytes (at most 8), the highest first.
///
/// # Errors
/// Too few bytes.
pub fn read_bits(from: &mut &[u8], width: usize) -> Result<u64, RefusalCode> {
    Ok(take(from, width)?.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
}

/// The low bytes of a number that fits a signed integer of `width` bytes (1 to 8).
///
/// # Errors
/// It does not fit.
pub fn narrow(value: i64, width: usize) -> Result<u64, RefusalCode> {
    let bits = value as u64;
    if widen(bits, width) == value { Ok(bits) } else { Err(NUMBER_TOO_LARGE) }
}

/// The number that a signed integer of `width` bytes (1 to 8) holds in these low bytes.
pub fn widen(bits: u64, width: usize) -> i64 {
    let shift = 64u32.saturating_sub(8 * width as u32).min(63);
    (bits << shift) as i64 >> shift
}

/// The bytes as UTF-8 text.
///
/// # Errors
/// They are not UTF-8, as no Java text gives them.
pub fn as_text(bytes: &[u8]) -> Result<&str, RefusalCode> {
    std::str::from_utf8(bytes).map_err(|_| NOT_TEXT)
}
