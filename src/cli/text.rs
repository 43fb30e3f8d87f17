//! Bytes of other encodings as UTF-8, chunk by chunk.

use crate::records::guess::{TextEncoding, windows_1252};

/// Turns the chunks of a file into UTF-8.
pub struct ToUtf8 {
    encoding: TextEncoding,
    /// A byte or a high surrogate that waits for what belongs to it.
    byte: Option<u8>,
    high: Option<u16>,
}

impl ToUtf8 {
    /// For a file of this encoding.
    pub fn new(encoding: TextEncoding) -> Self {
        Self { encoding, byte: None, high: None }
    }

    /// Hands on a chunk as UTF-8.
    pub fn convert(&mut self, chunk: &[u8], sink: &mut dyn FnMut(&[u8])) {
        let unit = match self.encoding {
            TextEncoding::Utf8 => return sink(chunk),
            TextEncoding::Windows1252 => {
                let text: String = chunk.iter().map(|&byte| windows_1252(byte)).collect();
                return sink(text.as_bytes());
            }
            TextEncoding::Utf16Le => u16::from_le_bytes,
            TextEncoding::Utf16Be => u16::from_be_bytes,
        };
        let mut units: Vec<u16> = self.high.take().into_iter().collect();
        for &byte in chunk {
            match self.byte.take() {
                Some(first) => units.push(unit([first, byte])),
                None => self.byte = Some(byte),
            }
        }
        self.high = units.pop_if(|last| (0xd800..0xdc00).contains(last));
        sink(String::from_utf16_lossy(&units).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_cut_by_chunks_stay_whole() {
        let text = "phone,ü\u{1d11e}\n";
        for (encoding, bytes) in [
            (TextEncoding::Utf16Le, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
            (TextEncoding::Utf16Be, text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            (TextEncoding::Utf8, text.as_bytes().to_vec()),
        ] {
            for size in 1..=bytes.len() {
                let (mut to_utf8, mut all) = (ToUtf8::new(encoding), Vec::new());
                bytes.chunks(size).for_each(|chunk| {
                    to_utf8.convert(chunk, &mut |utf8| all.extend_from_slice(utf8));
                });
                assert_eq!(all, text.as_bytes(), "{encoding:?} in chunks of {size}");
            }
        }
        let mut all = Vec::new();
        ToUtf8::new(TextEncoding::Windows1252).convert(b"\x80\xfc", &mut |utf8| all.extend_from_slice(utf8));
        assert_eq!(all, "€ü".as_bytes());
    }
}
