//! Thrift's compact protocol, as far as Parquet's metadata needs it.

use super::super::bytes::Cursor;

/// Structures within each other.
const DEEPEST: u32 = 24;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Reads one structure after the other.
#[derive(Debug)]
pub struct Thrift<'a> {
    pub cursor: Cursor<'a>,
    depth: u32,
}

/// A member of a structure: its number and its type. What it holds has to be read, or skipped, before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub id: i64,
    kind: u8,
}

impl<'a> Thrift<'a> {
    pub const fn new(cursor: Cursor<'a>) -> Self {
        Self { cursor, depth: 0 }
    }

    /// Hands each member of a structure to `member`, which reads it or says false for it to be skipped.
    pub fn members(&mut self, mut member: impl FnMut(&mut Self, Member) -> Option<bool>) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut id = 0i64;
        loop {
            let head = self.cursor.byte()?;
            if head == 0 {
                break;
            }
            id = match head >> 4 {
                0 => self.cursor.zigzag()?,
                step => id.checked_add(i64::from(step))?,
            };
            let found = Member { id, kind: head & 15 };
            if !member(self, found)? {
                self.skip(found.kind)?;
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// A whole number.
    pub fn integer(&mut self, member: Member) -> Option<i64> {
        match member.kind {
            BYTE => self.cursor.byte().map(|byte| i64::from(byte as i8)),
            4..=6 => self.cursor.zigzag(),
            _ => None,
        }
    }

    /// True or false.
    pub fn boolean(&mut self, member: Member) -> Option<bool> {
        match member.kind {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Text or bytes.
    pub fn bytes(&mut self, member: Member) -> Option<&'a [u8]> {
        if member.kind == BINARY { self.cursor.sized() } else { None }
    }

    /// True for a structure.
    pub fn is_struct(&self, member: Member) -> Option<()> {
        (member.kind == STRUCT).then_some(())
    }

    /// Reads each element of a list.
    pub fn list(
        &mut self,
        member: Member,
        mut element: impl FnMut(&mut Self, Member) -> Option<()>,
    ) -> Option<()> {
        if !matches!(member.kind, LIST | SET) {
            return None;
        }
        let (kind, length) = self.list_head()?;
        (0..length).try_for_each(|_| element(self, Member { id: 0, kind }))
    }

    /// The type of the elements of a list, and how many there are: each takes a byte at least.
    fn list_head(&mut self) -> Option<(u8, u64)> {
        let head = self.cursor.byte()?;
        let length = match head >> 4 {
            15 => self.cursor.varint()?,
            length => u64::from(length),
        };
        (length <= self.cursor.rest().len() as u64).then_some((head & 15, length))
    }

    fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            TRUE | FALSE => {}
            BYTE => drop(self.cursor.byte()?),
            4..=6 => drop(self.cursor.varint()?),
            DOUBLE => drop(self.cursor.take(8)?),
            BINARY => drop(self.cursor.sized()?),
            LIST | SET => {
                let (kind, length) = self.list_head()?;
                for _ in 0..length {
                    self.skip_element(kind)?;
                }
            }
            MAP => {
                let length = self.cursor.varint()?;
                let kinds = if length == 0 { 0 } else { self.cursor.byte()? };
                if length > self.cursor.rest().len() as u64 {
                    return None;
                }
                for _ in 0..length {
                    self.skip_element(kinds >> 4)?;
                    self.skip_element(kinds & 15)?;
                }
            }
            STRUCT => self.members(|_, _| Some(false))?,
            _ => return None,
        }
        Some(())
    }

    /// In lists a truth takes a byte; members have it in their type.
    fn skip_element(&mut self, kind: u8) -> Option<()> {
        match kind {
            TRUE | FALSE => self.cursor.byte().map(drop),
            LIST | SET | MAP => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return None;
                }
                self.skip(kind)?;
                self.depth -= 1;
                Some(())
            }
            kind => self.skip(kind),
        }
    }
}
