//! Cells as HBase's files hold them.

use crate::records::formats::bytes::Cursor;

/// Bytes of a key behind its qualifier: the time and the type.
pub const TIME_AND_TYPE: usize = 9;
/// Bytes of the length before a row.
pub const ROW_LENGTH: usize = 2;

/// A cell. Its value and its tags are counted, not held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The row key.
    pub row: &'a [u8],
    /// The column family.
    pub family: &'a [u8],
    /// The qualifier.
    pub qualifier: &'a [u8],
    /// Its time, milliseconds since the epoch in most tables.
    pub time: i64,
    /// The code of its type.
    pub kind: u8,
    /// Bytes of its value.
    pub value: u32,
    /// Bytes of its tags, each with its length.
    pub tags: u32,
}

impl<'a> Cell<'a> {
    /// A cell of this key, as HBase writes keys.
    pub fn of_key(key: &'a [u8], value: u32, tags: u32) -> Option<Self> {
        let (column, time) = key.split_at_checked(key.len().checked_sub(TIME_AND_TYPE)?)?;
        Self::of_column(column, time, value, tags)
    }

    /// A cell of this key, whose time and type stand apart.
    pub fn of_column(column: &'a [u8], time: &[u8], value: u32, tags: u32) -> Option<Self> {
        let mut cursor = Cursor::new(column);
        let length = u16::from_be_bytes(cursor.array()?);
        let row = cursor.take(usize::from(length))?;
        let length = cursor.byte()?;
        let family = cursor.take(usize::from(length))?;
        let (time, kind) = time.split_first_chunk::<8>()?;
        let [kind] = *kind else { return None };
        Some(Self {
            row,
            family,
            qualifier: cursor.rest(),
            time: i64::from_be_bytes(*time),
            kind,
            value,
            tags,
        })
    }

    /// Bytes of its key, as HBase counts them.
    pub fn key_bytes(&self) -> u64 {
        (ROW_LENGTH + self.row.len() + 1 + self.family.len() + self.qualifier.len() + TIME_AND_TYPE) as u64
    }

    /// Its bytes without any encoding: the lengths of key and value, the key, the value and the tags.
    pub fn bytes(&self) -> u64 {
        8 + self.key_bytes() + u64::from(self.value) + u64::from(self.tags)
    }

    /// True if it marks cells as deleted.
    pub fn is_delete(&self) -> bool {
        !matches!(self.kind, 0 | 4)
    }

    /// The name of its type, as HBase's shell has it.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            4 => "Put",
            8 => "Delete",
            10 => "DeleteFamilyVersion",
            12 => "DeleteColumn",
            14 => "DeleteFamily",
            0 => "Minimum",
            255 => "Maximum",
            _ => "Unknown",
        }
    }
}

impl<'a> Cursor<'a> {
    /// A number in four bytes, the highest first, that is a length.
    pub fn length(&mut self) -> Option<usize> {
        usize::try_from(i32::from_be_bytes(self.array()?)).ok()
    }

    /// A length of seven bits a byte, the lowest first.
    pub fn short_length(&mut self) -> Option<usize> {
        self.varint()
            .and_then(|length| i32::try_from(length).ok())
            .and_then(|length| usize::try_from(length).ok())
    }

    /// A number as Hadoop's `WritableUtils` writes it: one byte, or how many follow.
    pub fn hadoop_number(&mut self) -> Option<i64> {
        let first = i64::from(self.byte()? as i8);
        if first >= -112 {
            return Some(first);
        }
        let (length, flip) = if first < -120 { (-120 - first, -1) } else { (-112 - first, 0) };
        let bytes = self.take(length as usize)?;
        Some(bytes.iter().fold(0i64, |value, &byte| value << 8 | i64::from(byte)) ^ flip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hadoop_numbers_of_every_length() {
        for (bytes, expected) in [
            (&[0u8][..], 0),
            (&[127], 127),
            (&[0x90], -112),
            (&[0x8f, 0x80], 128),
            (&[0x87, 0x70], -113),
            (&[0x8e, 0x01, 0x00], 256),
            (&[0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], i64::MAX),
            (&[0x80, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], i64::MIN),
        ] {
            assert_eq!(Cursor::new(bytes).hadoop_number(), Some(expected), "{bytes:x?}");
        }
        assert_eq!(Cursor::new(&[0x8f]).hadoop_number(), None);
    }
}
