//! Where a record stands in its files, and the hash of that by which rows are sampled.

/// Where a record stands: file ordinal, byte offset. Unique over a study.
pub type Position = (u32, u64);

/// The hash of where a record stands, by which rows are sampled.
#[inline(always)]
pub fn position_hash(position: Position) -> u64 {
    mix(mix(position.1) ^ u64::from(position.0))
}

/// The finaliser of splitmix64.
#[inline(always)]
pub fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
