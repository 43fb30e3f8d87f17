//! Messages in the wire format of Protocol Buffers, of which only wanted fields are looked at.

use crate::records::formats::bytes::Cursor;

/// HBase writes it before a message in a file.
pub const MARK: &[u8] = b"PBUF";
/// Fields of a message of a few bytes that are looked at.
const MOST_FIELDS: usize = 1 << 22;

/// A value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Its bytes; none of a number.
    pub const fn bytes(self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => &[],
        }
    }

    /// The number; 0 of bytes.
    pub const fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }

    /// True for a number that is not 0.
    pub const fn is_true(self) -> bool {
        self.number() != 0
    }
}

/// Hands on each field of a message with its number. `None` when the message is damaged.
pub fn fields<'a>(message: &'a [u8], mut take: impl FnMut(u64, Value<'a>)) -> Option<()> {
    let mut cursor = Cursor::new(message);
    for _ in 0..MOST_FIELDS {
        if cursor.rest().is_empty() {
            return Some(());
        }
        let tag = cursor.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(cursor.varint()?),
            1 => Value::Number(u64::from_le_bytes(cursor.array()?)),
            2 => Value::Bytes(cursor.sized()?),
            5 => Value::Number(u64::from(u32::from_le_bytes(cursor.array()?))),
            _ => return None,
        };
        take(tag >> 3, value);
    }
    None
}

/// The message behind its length, and how many bytes both have.
pub fn delimited(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let mut cursor = Cursor::new(bytes);
    let message = cursor.sized()?;
    Some((message, cursor.at()))
}

/// The message of a file that begins with [`MARK`].
pub fn marked(bytes: &[u8]) -> Option<&[u8]> {
    delimited(bytes.strip_prefix(MARK)?).map(|(message, _)| message)
}
