//! Numbers in bytes, read without trusting that they are there.

/// A place in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// At a place.
    pub const fn from(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Bytes before it.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The bytes behind it.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    /// The next bytes, a fixed number.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A number of seven bits a byte, the lowest first.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A number with a sign, which is its lowest bit.
    pub fn zigzag(&mut self) -> Option<i64> {
        self.varint().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// As many bytes as a number before them says.
    pub fn sized(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        self.take(length)
    }
}

/// A number of `bits` bits, at most 64, that begins at this bit of bytes in which the lowest bit of each comes first.
pub fn bits_at(bytes: &[u8], bit: usize, bits: u32) -> Option<u64> {
    if bits == 0 {
        return Some(0);
    }
    let (first, shift) = (bit / 8, (bit % 8) as u32);
    let taken = bytes.get(first..(first + (shift + bits).div_ceil(8) as usize))?;
    let value = taken.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
    Some((value >> shift) as u64 & (u64::MAX >> (64 - bits)))
}
