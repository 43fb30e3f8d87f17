//! Numbers, texts and lists as bytes.
//!
//! A number takes seven bits a byte, the lowest first, with the high bit set in all bytes but the last (LEB128); a signed one
//! is folded to 0, -1, 1, -2, … before. A list or a text begins with its length. What may be absent begins with 0 or 1.

/// Message code of bytes that no summary was written as.
pub const DAMAGED: &str = "summary.damaged";

/// The value that was read, or a message code.
pub type ReadResult<T> = Result<T, &'static str>;

/// A thing with a binary form.
pub trait BinaryForm: Sized {
    /// Appends it.
    fn write(&self, to: &mut Vec<u8>);

    /// Reads it.
    ///
    /// # Errors
    /// A message code.
    fn read(from: &mut FormReader) -> ReadResult<Self>;
}

/// The bytes that were not read yet.
pub struct FormReader<'a>(pub &'a [u8]);

impl<'a> FormReader<'a> {
    /// The next bytes.
    pub fn take(&mut self, count: usize) -> ReadResult<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A byte string with its length before it.
    pub fn bytes(&mut self) -> ReadResult<&'a [u8]> {
        let length = usize::read(self)?;
        self.take(length)
    }

    /// As many things as are said, to be taken one by one: their number is not to be trusted.
    pub fn list<T>(
        &mut self,
        count: usize,
        mut item: impl FnMut(&mut Self) -> ReadResult<T>,
    ) -> ReadResult<Vec<T>> {
        (0..count).map(|_| item(self)).collect()
    }
}

/// Writes a list with its length before it.
pub fn write_list<T: BinaryForm>(list: &[T], to: &mut Vec<u8>) {
    list.len().write(to);
    list.iter().for_each(|item| item.write(to));
}

/// Writes things of which the reader knows how many there are.
pub fn write_all<T: BinaryForm>(list: &[T], to: &mut Vec<u8>) {
    list.iter().for_each(|item| item.write(to));
}

/// Writes a byte string with its length before it.
pub fn write_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    bytes.len().write(to);
    to.extend_from_slice(bytes);
}

impl BinaryForm for u64 {
    fn write(&self, to: &mut Vec<u8>) {
        let mut rest = *self;
        while rest > 0x7f {
            to.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        to.push(rest as u8);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let [byte] = *from.take(1)? else { return Err(DAMAGED) };
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(DAMAGED);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DAMAGED)
    }
}

/// A number of a narrower type.
macro_rules! narrow {
    ($($type:ty)*) => {$(
        impl BinaryForm for $type {
            fn write(&self, to: &mut Vec<u8>) {
                (*self as u64).write(to);
            }

            fn read(from: &mut FormReader) -> ReadResult<Self> {
                Self::try_from(u64::read(from)?).map_err(|_| DAMAGED)
            }
        }
    )*};
}

narrow!(u32 usize);

impl BinaryForm for bool {
    fn write(&self, to: &mut Vec<u8>) {
        to.push((*self).into());
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        match from.take(1)? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(DAMAGED),
        }
    }
}

impl BinaryForm for i64 {
    fn write(&self, to: &mut Vec<u8>) {
        ((self << 1 ^ self >> 63) as u64).write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let folded = u64::read(from)?;
        Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }
}

impl<T: BinaryForm> BinaryForm for Option<T> {
    fn write(&self, to: &mut Vec<u8>) {
        self.is_some().write(to);
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<A: BinaryForm, B: BinaryForm> BinaryForm for (A, B) {
    fn write(&self, to: &mut Vec<u8>) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

impl<T: BinaryForm> BinaryForm for Vec<T> {
    fn write(&self, to: &mut Vec<u8>) {
        write_list(self, to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        let count = usize::read(from)?;
        from.list(count, T::read)
    }
}

impl BinaryForm for String {
    fn write(&self, to: &mut Vec<u8>) {
        write_bytes(self.as_bytes(), to);
    }

    fn read(from: &mut FormReader) -> ReadResult<Self> {
        std::str::from_utf8(from.bytes()?).map(str::to_owned).map_err(|_| DAMAGED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(number: u64, signed: i64, text: String, list: Vec<u32>, rest: Vec<u8>) {
            let mut bytes = Vec::new();
            ((number, signed), (text.clone(), list.clone())).write(&mut bytes);
            bytes.extend(&rest);
            let mut reader = FormReader(&bytes);
            prop_assert_eq!(BinaryForm::read(&mut reader), Ok(((number, signed), (text, list))));
            prop_assert_eq!(reader.0, rest);
        }

        #[test]
        fn junk_is_read_or_refused(bytes: Vec<u8>) {
            let _ = Vec::<(String, Option<i64>)>::read(&mut FormReader(&bytes));
        }
    }

    #[test]
    fn numbers_of_more_than_64_bits_and_lengths_beyond_the_end_are_refused() {
        for bytes in
            [&[0xff; 11][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02], &[0x80], &[]]
        {
            assert_eq!(u64::read(&mut FormReader(bytes)), Err(DAMAGED), "{bytes:?}");
        }
        assert_eq!(String::read(&mut FormReader(&[3, b'a', b'b'])), Err(DAMAGED));
    }
}
