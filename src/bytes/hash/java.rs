//! Java's own hashes: the polynomial `31 h + element` in 32 bits.

/// `String.hashCode` of UTF-8 text: `h = 31 h + unit` over its UTF-16 units, in 32 bits; `None` of bytes that are none.
pub fn string_hash(text: &[u8]) -> Option<i32> {
    if text.is_ascii() {
        return Some(units_hash(text.iter().map(|&byte| byte.into())));
    }
    std::str::from_utf8(text).ok().map(|text| units_hash(text.encode_utf16()))
}

/// `String.hashCode` of UTF-16 units, paired or not.
pub fn units_hash(units: impl Iterator<Item = u16>) -> i32 {
    units.fold(0, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `Arrays.hashCode(byte[])`, and HBase's `Bytes.hashCode`: from 1, bytes with their sign.
pub fn bytes_hash(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1, |hash: i32, &byte| hash.wrapping_mul(31).wrapping_add((byte as i8).into()))
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
            assert_eq!(string_hash(text.as_bytes()), Some(hash), "{text}");
        }
    }
}
