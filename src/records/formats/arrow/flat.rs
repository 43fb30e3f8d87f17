//! Flatbuffers, as far as Arrow's metadata needs them: tables whose members may be missing.

use super::super::bytes::Cursor;

/// A table in a flatbuffer.
#[derive(Clone, Copy, Debug)]
pub struct Flat<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Cursor::from(bytes, at).array().map(|bytes| u32::from_le_bytes(bytes) as usize)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Cursor::from(bytes, at).array().map(|bytes| usize::from(u16::from_le_bytes(bytes)))
}

impl<'a> Flat<'a> {
    /// The table at the root.
    pub fn root(bytes: &'a [u8]) -> Option<Self> {
        Some(Self { bytes, at: u32_at(bytes, 0)? })
    }

    /// Where a member is; `None` where it is missing.
    fn member(&self, index: usize) -> Option<usize> {
        let back = Cursor::from(self.bytes, self.at).array().map(i32::from_le_bytes)?;
        let table = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let place = 4 + 2 * index;
        if place + 2 > u16_at(self.bytes, table)? {
            return None;
        }
        match u16_at(self.bytes, table.checked_add(place)?)? {
            0 => None,
            offset => self.at.checked_add(offset),
        }
    }

    /// The bytes of a plain member.
    fn array<const N: usize>(&self, index: usize) -> Option<[u8; N]> {
        Cursor::from(self.bytes, self.member(index)?).array()
    }

    /// A whole number of a byte.
    pub fn byte(&self, index: usize) -> Option<u8> {
        self.array::<1>(index).map(|[byte]| byte)
    }

    /// True or false, which is what it is where nothing stands.
    pub fn truth(&self, index: usize) -> bool {
        self.byte(index).is_some_and(|byte| byte != 0)
    }

    /// A whole number of 16 bits.
    pub fn short(&self, index: usize) -> Option<i16> {
        self.array(index).map(i16::from_le_bytes)
    }

    /// A whole number of 32 bits.
    pub fn int(&self, index: usize) -> Option<i32> {
        self.array(index).map(i32::from_le_bytes)
    }

    /// A whole number of 64 bits.
    pub fn long(&self, index: usize) -> Option<i64> {
        self.array(index).map(i64::from_le_bytes)
    }

    /// The place that a member points to.
    fn target(&self, index: usize) -> Option<usize> {
        let at = self.member(index)?;
        at.checked_add(u32_at(self.bytes, at)?)
    }

    /// Another table.
    pub fn table(&self, index: usize) -> Option<Self> {
        Some(Self { bytes: self.bytes, at: self.target(index)? })
    }

    /// Text.
    pub fn text(&self, index: usize) -> Option<&'a [u8]> {
        let at = self.target(index)?;
        Cursor::from(self.bytes, at.checked_add(4)?).take(u32_at(self.bytes, at)?)
    }

    /// How many tables there can be: each has two offsets of its own. Several may point to the same, which then are many more.
    pub const fn most_tables(&self) -> usize {
        self.bytes.len() / 8
    }

    /// The elements of a list of structures of `width` bytes; none where it is missing.
    pub fn structs(&self, index: usize, width: usize) -> Option<impl Iterator<Item = Cursor<'a>>> {
        let bytes = match self.target(index) {
            Some(at) => {
                let length = u32_at(self.bytes, at)?.checked_mul(width)?;
                Cursor::from(self.bytes, at.checked_add(4)?).take(length)?
            }
            None => &[],
        };
        Some(bytes.chunks_exact(width).map(Cursor::new))
    }

    /// The tables of a list, each `None` if it is damaged; none where the list is missing.
    pub fn tables(&self, index: usize) -> Option<impl Iterator<Item = Option<Self>>> {
        let (bytes, start) = (self.bytes, self.target(index).unwrap_or_default());
        Some(self.structs(index, 4)?.enumerate().map(move |(place, mut offset)| {
            let offset = u32::from_le_bytes(offset.array()?) as usize;
            let at = start.checked_add(4 + 4 * place)?.checked_add(offset)?;
            Some(Self { bytes, at })
        }))
    }
}
