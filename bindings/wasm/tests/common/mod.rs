//! What must hold of the core compiled to wasm, where vectors are simd128 and pointers have 32 bits.

use md5::{Digest, Md5};
use rowscape::bytes::strings::ByteStrings;
use rowscape::{hash, row, salt, sort};
use wasm_bindgen_test::wasm_bindgen_test;

/// `count` texts of varying lengths with bytes of every value; the same every time.
fn texts(count: usize) -> Vec<Vec<u8>> {
    let mut state = 1_u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 24
    };
    (0..count).map(|length| (0..length % 131).map(|_| next() as u8).collect()).collect()
}

fn strings(texts: &[Vec<u8>]) -> ByteStrings {
    let mut strings = ByteStrings::default();
    for text in texts {
        strings.bytes.extend_from_slice(text);
        strings.ends.push(strings.bytes.len() as u32);
    }
    strings
}

#[wasm_bindgen_test]
fn md5_in_lanes_agrees_with_the_plain_one() {
    let texts = texts(1_000);
    let mut digests = ByteStrings::default();
    hash::md5::digests(&strings(&texts), &mut digests);
    let plain: Vec<u8> = texts.iter().flat_map(Md5::digest).collect();
    assert_eq!(digests.bytes, plain);
}

#[wasm_bindgen_test]
fn keys_sort_by_unsigned_bytes_and_ties_by_arrival() {
    let mut texts = texts(2_000);
    texts.extend_from_within(..500);
    let mut plain: Vec<u32> = (0..texts.len() as u32).collect();
    plain.sort_by(|&a, &b| texts[a as usize].cmp(&texts[b as usize]));
    assert_eq!(sort::sorted_rows(&strings(&texts)), plain);
}

#[wasm_bindgen_test]
fn shell_notation_is_read_back() {
    for text in texts(300) {
        assert_eq!(row::from_string_binary(&row::to_string_binary(&text)), Ok(text));
    }
}

#[wasm_bindgen_test]
fn random_salts_are_the_same_on_every_machine() {
    // By splitmix64 in integers of any length.
    for (file, offset, seed, buckets, salt) in [
        (0, 0, 0, 4, 3),
        (0, 19, 0, 4, 1),
        (1, 19, 0, 4, 3),
        (3, (1 << 40) + 7, 5, 1000, 269),
        (3, (1 << 40) + 7, -5, 1000, 635),
        (u32::MAX, u64::MAX, 0, i64::MAX, 5_829_243_102_568_261_068),
    ] {
        assert_eq!(salt::random((file, offset), seed, buckets), salt, "{file} {offset} {seed}");
    }
}
