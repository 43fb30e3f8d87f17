//! Runs of equal numbers and numbers packed in few bits, as levels, places in a dictionary and truths are written.

use super::super::bytes::{Cursor, bits_at};

/// Reads such numbers one by one.
#[derive(Debug)]
pub struct Hybrid {
    bytes: Vec<u8>,
    at: usize,
    bits: u32,
    run: Run,
}

#[derive(Debug)]
enum Run {
    /// The same number, so many times more.
    Equal(u64, u64),
    /// Packed numbers: the next bit, and how many are left.
    Packed(usize, u64),
}

impl Hybrid {
    /// Numbers of so many bits, at most 32.
    pub fn new(bytes: Vec<u8>, bits: u32) -> Option<Self> {
        (bits <= 32).then_some(Self { bytes, at: 0, bits, run: Run::Equal(0, 0) })
    }

    /// The next number and how many equal ones are taken with it: `most` in all, or fewer.
    pub fn next(&mut self, most: u64) -> Option<(u32, u64)> {
        loop {
            match &mut self.run {
                Run::Equal(value, left) if *left > 0 => {
                    let taken = most.min(*left);
                    *left -= taken;
                    return Some((*value as u32, taken));
                }
                Run::Packed(bit, left) if *left > 0 => {
                    let value = bits_at(&self.bytes, *bit, self.bits)?;
                    *bit += self.bits as usize;
                    *left -= 1;
                    return Some((value as u32, 1));
                }
                _ => self.begin()?,
            }
        }
    }

    /// Gives back as many of the equal numbers last taken.
    pub fn put_back(&mut self, count: u64) {
        if let Run::Equal(_, left) = &mut self.run {
            *left += count;
        }
    }

    /// Begins the next run.
    fn begin(&mut self) -> Option<()> {
        let mut cursor = Cursor::from(&self.bytes, self.at);
        let head = cursor.varint()?;
        let count = head >> 1;
        if head & 1 == 0 {
            let bytes = cursor.take(self.bits.div_ceil(8) as usize)?;
            let value = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
            self.run = Run::Equal(value, count);
            self.at = cursor.at();
        } else {
            let start = cursor.at();
            // The last run may be cut where its numbers end.
            let length = count.checked_mul(u64::from(self.bits))?;
            let left = cursor.rest().len() as u64;
            let whole = if self.bits == 0 {
                count.checked_mul(8)?
            } else {
                length.min(left) * 8 / u64::from(self.bits)
            };
            self.run = Run::Packed(start.checked_mul(8)?, whole);
            self.at = start + usize::try_from(length.min(left)).ok()?;
        }
        Some(())
    }
}
