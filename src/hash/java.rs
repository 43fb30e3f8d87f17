//! Java's own hashes.

/// `String.hashCode` of UTF-8 text: `h = 31 h + unit` over its UTF-16 units, in 32 bits.
pub fn string_hash(text: &[u8]) -> i32 {
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    match std::str::from_utf8(text) {
        Ok(text) if !text.is_ascii() => text.encode_utf16().fold(0, add),
        _ => text.iter().fold(0, |hash, &byte| add(hash, byte.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::string_hash;

    #[test]
    fn agrees_with_java() {
        // Values printed by "…".hashCode() in a JVM.
        for (text, hash) in
            [("", 0), ("a", 97), ("polygenelubricants", i32::MIN), ("é", 233), ("😀", 1_772_899)]
        {
            assert_eq!(string_hash(text.as_bytes()), hash, "{text}");
        }
    }
}
