//! Whole numbers as differences from the one before, packed in few bits (`DELTA_BINARY_PACKED`).

use super::super::bytes::{Cursor, bits_at};

/// Reads such numbers one by one.
#[derive(Debug)]
pub struct Delta {
    at: usize,
    /// Numbers of a block, and of each of its parts.
    block: u64,
    part: u64,
    /// Numbers left, also `value`.
    left: u64,
    value: i64,
    least: i64,
    /// Bits of the numbers of each part of the block, and the part under way.
    widths: Vec<u8>,
    index: usize,
    /// Numbers left of the part, and where the next begins, in bits.
    left_of_part: u64,
    bit: usize,
    begun: bool,
}

/// Parts of a block.
const MOST_PARTS: u64 = 1 << 12;
/// Numbers of a block.
const MOST_NUMBERS: u64 = 1 << 24;

impl Delta {
    /// The numbers at the beginning of `bytes`.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let (block, parts, left) = (cursor.varint()?, cursor.varint()?, cursor.varint()?);
        let value = cursor.zigzag()?;
        let is_sound =
            (1..=MOST_PARTS).contains(&parts) && block <= MOST_NUMBERS && block.is_multiple_of(parts);
        let part = block.checked_div(parts)?;
        (is_sound && part > 0 && part.is_multiple_of(8)).then_some(Self {
            at: cursor.at(),
            block,
            part,
            left,
            value,
            least: 0,
            widths: Vec::new(),
            index: 0,
            left_of_part: 0,
            bit: 0,
            begun: false,
        })
    }

    /// The next number.
    pub fn next(&mut self, bytes: &[u8]) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        if self.begun {
            if self.left_of_part == 0 {
                self.next_part(bytes)?;
            }
            let bits = u32::from(*self.widths.get(self.index)?);
            let delta = bits_at(bytes, self.bit, bits)?;
            self.bit += bits as usize;
            self.left_of_part -= 1;
            self.value = self.value.wrapping_add(self.least).wrapping_add(delta as i64);
        }
        self.begun = true;
        Some(self.value)
    }

    /// Goes on to the next part, which may be the first of a block.
    fn next_part(&mut self, bytes: &[u8]) -> Option<()> {
        if self.index + 1 < self.widths.len() {
            self.index += 1;
        } else {
            let mut cursor = Cursor::from(bytes, self.at);
            self.least = cursor.zigzag()?;
            let parts = usize::try_from(self.block / self.part).ok()?;
            self.widths = cursor.take(parts)?.to_vec();
            self.index = 0;
            self.at = cursor.at();
        }
        let width = *self.widths.get(self.index)?;
        if width > 64 {
            return None;
        }
        self.bit = self.at.checked_mul(8)?;
        self.at = self.at.checked_add(usize::try_from(self.part * u64::from(width) / 8).ok()?)?;
        self.left_of_part = self.part;
        Some(())
    }

    /// Where the bytes behind all numbers begin.
    pub fn end(mut self, bytes: &[u8]) -> Option<usize> {
        // Parts whose differences are all equal take no bytes: they are passed over at once, not number by number.
        let mut left = self.left.saturating_sub(1);
        while left > 0 {
            self.next_part(bytes)?;
            left = left.saturating_sub(self.part);
        }
        // Parts behind the last number have no bytes.
        (self.at <= bytes.len()).then_some(self.at)
    }
}
