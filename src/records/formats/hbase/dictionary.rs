//! Dictionaries of bytes that were written before, as write-ahead logs and tags have them.
//!
//! An entry is a number of two bytes, or -1 and the bytes, which then join the dictionary. When it is full, the entry that was used longest
//! ago gives way, so that readers have to follow what is used.

use crate::records::formats::bytes::Cursor;

/// Stands before bytes that are not in the dictionary.
const NEW: u8 = 0xff;
/// No entry.
const NONE: u32 = u32::MAX;

/// A dictionary.
#[derive(Debug)]
pub struct Dictionary {
    /// Most entries.
    most: usize,
    entries: Vec<Entry>,
    first: u32,
    last: u32,
}

/// An entry, between the one used after it and the one used before it.
#[derive(Debug)]
struct Entry {
    bytes: Vec<u8>,
    newer: u32,
    older: u32,
}

impl Dictionary {
    /// An empty one, of so many entries at most.
    pub const fn new(most: usize) -> Self {
        Self { most, entries: Vec::new(), first: NONE, last: NONE }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        *self = Self::new(self.most);
    }

    /// Reads an entry, and appends its bytes. `None` when it is damaged.
    pub fn read(&mut self, cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Option<usize> {
        let first = cursor.byte()?;
        if first == NEW {
            let length = cursor.short_length()?;
            let bytes = cursor.take(length)?;
            self.add(bytes);
            out.extend_from_slice(bytes);
            return Some(length);
        }
        let number = u32::from(u16::from_be_bytes([first, cursor.byte()?]));
        self.touch(number)?;
        let bytes = &self.entries.get(number as usize)?.bytes;
        out.extend_from_slice(bytes);
        Some(bytes.len())
    }

    /// Reads tags of so many bytes, each with its length, and passes over them.
    pub fn skip_tags(&mut self, cursor: &mut Cursor<'_>, length: usize) -> Option<()> {
        let mut passed = 0;
        let mut tag = Vec::new();
        while passed < length {
            tag.clear();
            passed += 2 + self.read(cursor, &mut tag)?;
        }
        (passed == length).then_some(())
    }

    /// Adds bytes, unless there are none.
    fn add(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || self.most == 0 {
            return;
        }
        if self.entries.len() < self.most {
            let number = self.entries.len() as u32;
            self.entries.push(Entry { bytes: bytes.to_vec(), newer: NONE, older: NONE });
            self.put_first(number);
        } else {
            let number = self.last;
            if let Some(entry) = self.entries.get_mut(number as usize) {
                entry.bytes.clear();
                entry.bytes.extend_from_slice(bytes);
            }
            self.touch(number);
        }
    }

    /// Makes an entry the one used last. `None` if there is none.
    fn touch(&mut self, number: u32) -> Option<()> {
        let Entry { newer, older, .. } = *self.entries.get(number as usize)?;
        if self.first == number {
            return Some(());
        }
        match self.entries.get_mut(newer as usize) {
            Some(entry) => entry.older = older,
            None => self.first = older,
        }
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = newer,
            None => self.last = newer,
        }
        self.put_first(number);
        Some(())
    }

    fn put_first(&mut self, number: u32) {
        let older = self.first;
        if let Some(entry) = self.entries.get_mut(number as usize) {
            (entry.newer, entry.older) = (NONE, older);
        }
        match self.entries.get_mut(older as usize) {
            Some(entry) => entry.newer = number,
            None => self.last = number,
        }
        self.first = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_used_longest_ago_gives_way() {
        let mut dictionary = Dictionary::new(2);
        let mut read = |bytes: &[u8]| {
            let mut out = Vec::new();
            dictionary.read(&mut Cursor::new(bytes), &mut out).map(|_| out)
        };
        assert_eq!(read(b"\xff\x01a").as_deref(), Some(&b"a"[..]));
        assert_eq!(read(b"\xff\x01b").as_deref(), Some(&b"b"[..]));
        assert_eq!(read(b"\x00\x00").as_deref(), Some(&b"a"[..]));
        // b gives way, as a was used after it.
        assert_eq!(read(b"\xff\x01c").as_deref(), Some(&b"c"[..]));
        assert_eq!(read(b"\x00\x01").as_deref(), Some(&b"c"[..]));
        assert_eq!(read(b"\x00\x00").as_deref(), Some(&b"a"[..]));
        // Bytes of no length are no entry.
        assert_eq!(read(b"\xff\x00").as_deref(), Some(&b""[..]));
        assert_eq!(read(b"\x00\x02"), None);
        assert_eq!(read(b"\xff\x05ab"), None);
    }
}
