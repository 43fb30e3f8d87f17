//! Paths of any bytes as text: a byte that is no UTF-8 stands as one of the last 256 characters there are, and so does each byte of
//! such a character itself. The host turns them back.

/// Stands for the byte 0.
const FIRST: u32 = 0x0010_ff00;

/// The byte that a character stands for.
pub fn byte_of(char: char) -> Option<u8> {
    (char as u32).checked_sub(FIRST).map(|byte| byte as u8)
}

/// A path as text.
pub fn to_text(path: &[u8]) -> String {
    fn push(text: &mut String, bytes: &[u8]) {
        text.extend(bytes.iter().filter_map(|&byte| char::from_u32(FIRST + u32::from(byte))));
    }
    let mut text = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        for char in chunk.valid().chars() {
            match byte_of(char) {
                None => text.push(char),
                Some(_) => push(&mut text, char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push(&mut text, chunk.invalid());
    }
    text
}

/// The path of a text.
pub fn to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for char in text.chars() {
        match byte_of(char) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{to_bytes, to_text};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_path_comes_back(path: Vec<u8>, text: String) {
            prop_assert_eq!(to_bytes(&to_text(&path)), path);
            let beyond = format!("{text}\u{10ff80}");
            prop_assert_eq!(to_bytes(&to_text(beyond.as_bytes())), beyond.into_bytes());
        }
    }
}
