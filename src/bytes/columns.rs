//! Columns of numbers and texts as bytes, by which an instance of this program hands what it has made to another of the same build.
//!
//! So the form has no version. A list begins with its length; numbers are written lowest byte first, as the processor of wasm holds
//! them.

use super::strings::ByteStrings;

/// Appends a number.
pub fn write_number(number: u64, to: &mut Vec<u8>) {
    to.extend(number.to_le_bytes());
}

/// Appends a list of numbers, as `bytes` writes each.
pub fn write_list<T, const WIDTH: usize>(list: &[T], to: &mut Vec<u8>, bytes: impl Fn(&T) -> [u8; WIDTH]) {
    write_number(list.len() as u64, to);
    let before = to.len();
    to.resize(before + WIDTH * list.len(), 0);
    // Numbers of one width side by side are copied as a whole.
    let places = to.get_mut(before..).unwrap_or_default().as_chunks_mut().0;
    places.iter_mut().zip(list).for_each(|(place, item)| *place = bytes(item));
}

/// Appends bytes with their length.
pub fn write_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    write_number(bytes.len() as u64, to);
    to.extend_from_slice(bytes);
}

/// Appends byte strings.
pub fn write_strings(strings: &ByteStrings, to: &mut Vec<u8>) {
    write_list(&strings.ends, to, |end| end.to_le_bytes());
    write_bytes(&strings.bytes, to);
}

/// Bytes written so that were not read yet. All that is read is `None` where the bytes are not of such a form.
pub struct ColumnBytes<'a>(pub &'a [u8]);

impl<'a> ColumnBytes<'a> {
    /// The next number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// The next number, which is lower than this one.
    pub fn below(&mut self, bound: u64) -> Option<u64> {
        self.number().filter(|&number| number < bound)
    }

    /// The next list, of numbers of a width of their own.
    pub fn list<T, const WIDTH: usize>(&mut self, number: impl Fn([u8; WIDTH]) -> T) -> Option<Vec<T>> {
        Some(self.items::<WIDTH>()?.iter().map(|&bytes| number(bytes)).collect())
    }

    /// The same list where it lies.
    pub fn items<const WIDTH: usize>(&mut self) -> Option<&'a [[u8; WIDTH]]> {
        let length = usize::try_from(self.number()?).ok()?.checked_mul(WIDTH)?;
        let (items, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(items.as_chunks().0)
    }

    /// The next bytes, as many as they say.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        Some(self.items::<1>()?.as_flattened())
    }

    /// The next bytes, which are text.
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// The next byte strings.
    pub fn strings(&mut self) -> Option<ByteStrings> {
        let ends = self.list(u32::from_le_bytes)?;
        let bytes = self.bytes()?.to_vec();
        let complete = ends.is_sorted() && ends.last().is_none_or(|&end| end as usize == bytes.len());
        complete.then_some(ByteStrings { bytes, ends })
    }
}
